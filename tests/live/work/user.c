// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of user space: those of a library of our own, which needs no loader, and of a shell on
 * a terminal.
 */
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "work.h"

/* The self-test's maker of libraries serves here, too. */
#include "../../../src/commands/selftest/library.c"

static const char *const names[] = {
	"getaddrinfo", "gethostbyname", "gethostbyname2", "gethostbyname_r", "gethostbyname2_r",
	"readline", "gets", "pthread_create", NULL
};
enum {
	GETADDRINFO, GETHOSTBYNAME, GETHOSTBYNAME2, GETHOSTBYNAME_R, GETHOSTBYNAME2_R, READLINE,
	GETS, PTHREAD_CREATE,
};

static int job_library(int argc, char **argv)
{
	(void)argc;
	if (library_write(argv[1], names))
		die(argv[1]);
	return 0;
}

static void *base;
static long sleep_ns, inner_ns;		/* what the innermost call does, and how long that took */

static long since(const struct timespec *from)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - from->tv_sec) * 1000000000 + now.tv_nsec - from->tv_nsec;
}

static void *answer(const char *name)
{
	struct timespec from;

	(void)name;
	clock_gettime(CLOCK_MONOTONIC, &from);
	if (sleep_ns)
		nanosleep(&(struct timespec){ .tv_nsec = sleep_ns }, NULL);
	inner_ns = since(&from);
	return &base;
}

static void *ask_again_r(const char *name)
{
	return library_at(base, GETHOSTBYNAME2_R)(name, answer);
}

static void *ask_again(const char *name)
{
	return library_at(base, GETHOSTBYNAME2)(name, ask_again_r);
}

static void ask(int function, const char *name, void *(*inner)(const char *))
{
	struct timespec from;

	clock_gettime(CLOCK_MONOTONIC, &from);
	library_at(base, function)(name, inner);
	if (!name)
		return;
	say("host\t%d\t", getpid());
	say_comm();
	say("%s\t%ld\t%ld\t", names[function], inner_ns, since(&from));
	say_bytes(name, strlen(name));
	say("\n");
}

static void *ask_from_thread(void *name)
{
	ask(GETADDRINFO, name, answer);
	return NULL;
}

static int job_hosts(int argc, char **argv)
{
	long n = number(argv[2]);
	char name[300];
	pthread_t thread;

	(void)argc;
	base = library_map(argv[1]);
	if (!base)
		die(argv[1]);
	for (long i = 0; i < n; i++) {
		sleep_ns = i % 3 * 4000000;
		snprintf(name, sizeof(name), "host-%ld.example", i);
		ask((int)(i % 5), name, answer);
		ask(GETHOSTBYNAME, name, ask_again);
		ask(GETADDRINFO, name, ask_again);
		ask(GETADDRINFO, NULL, answer);
		ask(GETADDRINFO, "a\x1b[31m\n\\b c\xff\"", answer);
		memset(name, 'a' + (int)(i % 26), 255);
		name[255] = '\0';
		ask(GETHOSTBYNAME2, name, answer);
		if (pthread_create(&thread, NULL, ask_from_thread, "thread.example") ||
		    pthread_join(thread, NULL))
			die("pthread_create");
	}
	return 0;
}

static void *reload_busy(const char *ms)
{
	const long long until = cpu_us() + 1000 * number(ms);

	while (cpu_us() < until)
		;
	return &base;
}

/*
 * reload PID: first_only, of a library, is busy for so many milliseconds; it is unmapped, and
 * second_only of another one, at the same address, is as busy.
 */
static int job_reload(int argc, char **argv)
{
	static const char *const functions[][2] = { { "first_only" }, { "second_only" } };
	void *before = NULL;

	(void)argc;
	for (int i = 0; i < 2; i++) {
		if (library_write(argv[2 + i], functions[i]))
			die(argv[2 + i]);
		base = library_map(argv[2 + i]);
		if (!base || (before && base != before))
			die("mmap at the same address");
		library_at(base, 0)(argv[1], reload_busy);
		munmap(base, sizeof(struct file));
		before = base;
	}
	say("reload\t%d\n", getpid());
	return 0;
}

static long depth, levels;

/* A call of getaddrinfo() within a call of it, and so on; the innermost sleeps. */
static void *call_again(const char *name)
{
	struct timespec from;
	long level = ++depth;

	if (level > levels) {
		answer(name);
	} else {
		clock_gettime(CLOCK_MONOTONIC, &from);
		library_at(base, GETADDRINFO)(name, call_again);
		say("call\t%d\t%ld\t%ld\t%ld\n", getpid(), level, inner_ns, since(&from));
	}
	depth--;
	return &base;
}

static int job_recurses(int argc, char **argv)
{
	(void)argc;
	base = library_map(argv[1]);
	if (!base)
		die(argv[1]);
	levels = number(argv[3]);
	sleep_ns = 1000000;
	for (long i = 0, n = number(argv[2]); i < n; i++)
		call_again("a");
	return 0;
}

/* Bytes with zeros, and ten arguments: some of them are on the stack of every machine. */
static int job_arguments(int argc, char **argv)
{
	typedef long function(const char *bytes, void *(*inner)(const char *), long c, int d,
			      long e, long f, int g, long h, long i, int j);
	function *call;

	(void)argc;
	base = library_map(argv[1]);
	if (!base)
		die(argv[1]);
	call = (function *)(void (*)(void))library_at(base, GETADDRINFO);
	for (long i = 0, n = number(argv[2]); i < n; i++)
		call("\1\0\2\3\4\5\6\7\10\11", answer, 3, 4, 5, 6, -7, i, 9, -10);
	return 0;
}

/* Two texts a call, one of which is empty now and then. Says nothing: who calls it knows them. */
static void *call_with_texts(void *calls)
{
	typedef void *function(const char *text, void *(*inner)(const char *), long i,
			       const char *other);
	function *call = (function *)(void (*)(void))library_at(base, GETADDRINFO);

	for (long i = 1; i <= *(long *)calls; i++) {
		/* On the stack: a page that is there. */
		char one[24], other[24];

		snprintf(one, sizeof(one), "one-%ld", i);
		snprintf(other, sizeof(other), i % 3 ? "other-%ld" : "", i);
		call(one, answer, i, other);
	}
	return NULL;
}

/* Two threads do the same at a time. */
static int job_texts(int argc, char **argv)
{
	long calls = number(argv[2]);
	pthread_t thread;

	(void)argc;
	base = library_map(argv[1]);
	if (!base)
		die(argv[1]);
	if (pthread_create(&thread, NULL, call_with_texts, &calls))
		die("pthread_create");
	call_with_texts(&calls);
	pthread_join(thread, NULL);
	return 0;
}

static void *end_thread(const char *name)
{
	(void)name;
	pthread_exit(NULL);
}

static void *call_and_end(void *unused)
{
	(void)unused;
	library_at(base, GETADDRINFO)("gone", end_thread);
	return NULL;
}

/* Each call has another argument; "level-1" is the outermost. */
static void *nest(const char *name)
{
	typedef void *function(const char *name, void *(*inner)(const char *), long level);
	char next[32];

	(void)name;
	if (++depth <= levels) {
		snprintf(next, sizeof(next), "level-%ld", depth);
		((function *)(void (*)(void))library_at(base, GETADDRINFO))(next, nest, depth);
	}
	return &base;
}

static int job_nests(int argc, char **argv)
{
	pthread_t thread;

	(void)argc;
	base = library_map(argv[1]);
	if (!base)
		die(argv[1]);
	levels = number(argv[3]);
	for (long i = 0, n = number(argv[2]); i < n; i++) {
		depth = 0;
		nest(NULL);
		if (pthread_create(&thread, NULL, call_and_end, NULL) || pthread_join(thread, NULL))
			die("pthread_create");
	}
	return 0;
}

static const char *typed;

static void *type(const char *prompt)
{
	(void)prompt;
	return (void *)typed;
}

/* As a program calls them that reads a line, and starts a thread whose argument is a number. */
static void call_libc(long i)
{
	static const char *const inputs[] = { "one", "two", "three" };
	typedef void *function(void *thread, void *(*inner)(const char *), void *start, long arg);

	typed = inputs[i % 3];
	library_at(base, GETS)("", type);
	((function *)(void (*)(void))library_at(base, PTHREAD_CREATE))(NULL, answer, NULL, i % 2);
}

/*
 * For searches of libraries: in a mount namespace of its own, if asked for, from which the file
 * is removed.
 */
static int job_maps(int argc, char **argv)
{
	char path[4096];

	if (argc > 2) {
		if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("tmpfs", argv[1], "tmpfs", 0, NULL))
			die("a mount namespace");
		snprintf(path, sizeof(path), "%s/%s", argv[1], argv[2]);
		if (library_write(path, names))
			die(path);
	} else {
		snprintf(path, sizeof(path), "%s", argv[1]);
	}
	base = library_map(path);
	if (!base)
		die(path);
	if (argc > 2 && unlink(path))
		die(path);
	puts("mapped");
	fflush(stdout);
	for (long i = 0; ; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
		library_at(base, GETADDRINFO)("mapped.example", answer);
		call_libc(i);
	}
}

static void say_line(pid_t pid, const char *text)
{
	say("line\t%d\t", pid);
	say_bytes(text, strlen(text));
	say("\n");
}

static int job_lines(int argc, char **argv)
{
	base = library_map(argv[1]);
	if (!base)
		die(argv[1]);
	for (int i = 2; i < argc; i++) {
		typed = argv[i];
		library_at(base, READLINE)("$ ", type);
		say_line(getpid(), typed);
		typed = NULL;
		library_at(base, READLINE)("$ ", type);
	}
	return 0;
}

/* What the shell writes until it waits for the next line: a prompt ends with `> `. -1: it ended. */
static int await_prompt(int fd)
{
	char c, last = 0;

	while (read(fd, &c, 1) == 1) {
		if (last == '>' && c == ' ')
			return 0;
		last = c;
	}
	return -1;
}

/* Types lines into an interactive bash on a terminal of its own, then the end of the input. */
static int job_types(int argc, char **argv)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), status;
	char name[64], *command[] = { argv[1], "--norc", "--noprofile", "-i", NULL };
	unsigned int slave;
	pid_t child;

	if (fd < 0 || unlockpt(fd) || ioctl(fd, TIOCGPTN, &slave))
		die("/dev/ptmx");
	snprintf(name, sizeof(name), "/dev/pts/%u", slave);
	child = fork();
	if (!child) {
		setsid();
		fd = open(name, O_RDWR);
		if (fd < 0 || ioctl(fd, TIOCSCTTY, 0))
			die(name);
		for (int i = 0; i < 3; i++)
			dup2(fd, i);
		setenv("PS1", "> ", 1);
		setenv("TERM", "dumb", 1);
		setenv("HISTFILE", "/dev/null", 1);
		setenv("INPUTRC", "/dev/null", 1);
		/* Elsewhere the line's editor takes no letters beyond ASCII. */
		setenv("LC_ALL", "C.UTF-8", 1);
		execvp(command[0], command);
		die(command[0]);
	}
	for (int i = 2; i < argc; i++) {
		if (child < 0 || await_prompt(fd))
			die("the shell");
		/* ^V: what follows is no command to the line's editor. */
		for (const char *c = argv[i]; *c; c++)
			if ((((unsigned char)*c < ' ' || *c == 0x7f) &&
			     write(fd, "\x16", 1) != 1) || write(fd, c, 1) != 1)
				die("write");
		if (write(fd, "\n", 1) != 1)
			die("write");
		say_line(child, argv[i]);
	}
	if (await_prompt(fd) || write(fd, "\x04", 1) != 1)
		die("the shell");
	while (!await_prompt(fd))
		;
	waitpid(child, &status, 0);
	return 0;
}

const struct job user_jobs[] = {
	{ "library", "FILE", 1, job_library,
	  "nothing; makes a library with the functions that the next jobs call" },
	{ "hosts", "FILE N", 2, job_hosts, "host PID COMM CALL NS-WITHIN NS-AROUND NAME" },
	{ "reload", "MS FILE FILE", 3, job_reload, "reload PID; of two libraries it makes" },
	{ "recurses", "FILE N LEVELS", 3, job_recurses,
	  "call PID LEVEL NS-WITHIN NS-AROUND: of getaddrinfo, each within the one before" },
	{ "arguments", "FILE N", 2, job_arguments,
	  "nothing; calls getaddrinfo(BYTES, ..., 3, 4, 5, 6, -7, I, 9, -10)" },
	{ "texts", "FILE N", 2, job_texts,
	  "nothing; two threads call getaddrinfo(one-I, F, I, other-I) N times each, every third "
	  "time with an empty text at the end" },
	{ "nests", "FILE N LEVELS", 3, job_nests,
	  "nothing; getaddrinfo(level-1, F, 1) calls getaddrinfo(level-2, F, 2) ..., and threads "
	  "end in it" },
	{ "maps", "FILE | FOLDER FILE", 1, job_maps,
	  "mapped; calls getaddrinfo, gets and pthread_create(P, F, P, 0 or 1) 20 times a second, "
	  "without end" },
	{ "lines", "FILE TEXT...", 2, job_lines, "line PID TEXT" },
	{ "types", "BASH TEXT...", 2, job_types, "line PID TEXT" },
	{ 0 }
};
