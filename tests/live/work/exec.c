// SPDX-License-Identifier: GPL-2.0
/* Jobs that execute programs. */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "work.h"

#ifndef SYS_execveat
#ifdef __x86_64__
#define SYS_execveat 322
#elif defined(__i386__)
#define SYS_execveat 358
#elif defined(__arm__)
#define SYS_execveat 387
#else
#define SYS_execveat 281
#endif
#endif

#define ARGV(...) (char *[]){ __VA_ARGS__, NULL }
#define REPORT 9		/* descriptor on which an executed `work noop` says its name */

extern char **environ;

/* What one child shall do: exec `path` (or the program open as `fd`) with argv. */
struct exec {
	const char *call;	/* "execve" or "execveat" */
	const char *path;
	int fd;			/* execveat's directory, or the program itself if path is "" */
	char *const *argv;
	bool thread;		/* by a thread that is not the leader */
	const char *cold;	/* a page that the process has not touched yet; NULL: none */
	int result;		/* set: -errno if it failed */
};

#define COLD_PAGE 4096

static bool is_cold(const struct exec *e, const void *at)
{
	return e->cold && (const char *)at >= e->cold && (const char *)at < e->cold + COLD_PAGE;
}

static size_t touch(const struct exec *e, const char *text)
{
	return is_cold(e, text) ? 0 : strlen(text);
}

static void *exec_now(void *arg)
{
	struct exec *e = arg;
	size_t sum = touch(e, e->path) + 1;

	/*
	 * A forked process has no text in memory that it never touched; that is `exec-cold`'s
	 * business, of one page. Before 3.15 not even the pages around one that was touched are
	 * there.
	 */
	for (char *const *a = e->argv; !is_cold(e, a) && *a; a++)
		sum += touch(e, *a);
	dprintf(REPORT, "%d ", sum ? thread_id() : 0);
	if (!strcmp(e->call, "execve"))
		syscall(SYS_execve, e->path, e->argv, environ);
	else
		syscall(SYS_execveat, e->fd, e->path, e->argv, environ,
			*e->path ? 0 : AT_EMPTY_PATH);
	e->result = -errno;
	return NULL;
}

static void child(struct exec *e, int report)
{
	char comm[16] = "";

	dup2(report, REPORT);
	if (e->thread) {
		pthread_t thread;

		pthread_create(&thread, NULL, exec_now, e);
		pthread_join(thread, NULL);
	} else {
		exec_now(e);
	}
	/* It failed: the name is the old one. */
	prctl(PR_GET_NAME, comm);
	dprintf(REPORT, "%d %s", e->result, comm);
	_exit(0);
}

/*
 * exec PID TID PPID UID COMM CALL RESULT PATH ARGC ARG...: TID is who called, COMM the name after
 * the call, RESULT 0 or -errno, PATH as passed. The executed program has to be work, which says on
 * REPORT what it is called then.
 */
static void exec_one(struct exec *e)
{
	char answer[128] = "";
	int pipes[2], argc = 0, at = 0, result = 0, tid = 0;
	pid_t pid;

	if (pipe(pipes))
		die("pipe");
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		close(pipes[0]);
		child(e, pipes[1]);
	}
	close(pipes[1]);
	for (ssize_t n; (n = read(pipes[0], answer + at, sizeof(answer) - 1 - at)) > 0;)
		at += n;
	close(pipes[0]);
	waitpid(pid, NULL, 0);
	if (sscanf(answer, "%d %d %n", &tid, &result, &at) != 2) {
		fprintf(stderr, "work: %s gave no answer\n", e->path);
		exit(1);
	}
	if (result == -ENOSYS)
		return;
	say("exec\t%d\t%d\t%d\t%d\t", pid, tid, getpid(), (int)getuid());
	say_bytes(answer + at, strlen(answer + at));
	while (e->argv[argc])
		argc++;
	say("\t%s\t%d\t", e->call, result);
	say_bytes(e->path, strlen(e->path));
	say("\t%d", argc);
	for (int i = 0; i < argc; i++) {
		say("\t");
		say_bytes(e->argv[i], strlen(e->argv[i]));
	}
	say("\n");
}

static int job_noop(int argc, char **argv)
{
	char comm[16] = "";

	(void)argc, (void)argv;
	prctl(PR_GET_NAME, comm);
	if (fcntl(REPORT, F_GETFD) >= 0)
		dprintf(REPORT, "0 %s", comm);
	return 0;
}

static const char *self(void)
{
	static char path[4096];

	if (!path[0] && readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		die("/proc/self/exe");
	return path;
}

/* N that succeed and N that fail. */
static int job_execs(int argc, char **argv)
{
	(void)argc;
	for (long i = 0, n = number(argv[1]); i < n; i++) {
		char count[24];

		snprintf(count, sizeof(count), "%ld", i);
		exec_one(&(struct exec){ "execve", self(), .argv = ARGV("work", "noop", count) });
		exec_one(&(struct exec){ "execve", "/nonexistent/work",
					  .argv = ARGV("missing", count) });
	}
	return 0;
}

static int job_thread(int argc, char **argv)
{
	(void)argc, (void)argv;
	exec_one(&(struct exec){ "execve", self(), .argv = ARGV("work", "noop", "thread"),
				  .thread = true });
	exec_one(&(struct exec){ "execve", "/nonexistent/work", .argv = ARGV("thread"),
				  .thread = true });
	return 0;
}

/* Odd arguments, arguments of many sizes, and very many. */
static int job_args(int argc, char **argv)
{
	static const int sizes[] = { 100, 127, 128, 129, 255, 256, 4000, 4096, 20000 };
	char *odd[] = {
		"work", "noop", "", "two words", "new\nline", "\033[31mred", "quote\"",
		"bad\377utf8",
		"\303\251", "a,b", "back\\slash", "%s%n", NULL
	};
	char *many[303] = { "work", "noop" };
	char *big = malloc(20001);

	(void)argc, (void)argv;
	exec_one(&(struct exec){ "execve", self(), .argv = odd });
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		memset(big, 'a', sizes[i]);
		big[sizes[i]] = 0;
		exec_one(&(struct exec){ "execve", self(),
					 .argv = ARGV("work", "noop", big, "end") });
	}
	for (int n = 18; n <= 302; n += n < 22 ? 1 : 140) {
		char numbers[302][8];

		for (int i = 2; i < n; i++) {
			snprintf(numbers[i], sizeof(numbers[i]), "%d", i);
			many[i] = numbers[i];
		}
		many[n] = NULL;
		exec_one(&(struct exec){ "execve", self(), .argv = many });
	}
	free(big);
	return 0;
}

#define COLD_NAME 64
#define COLD_ROW 1024

/*
 * N each with an argument, the file's name and the row of pointers in a page that nobody has
 * touched, and N of a script with such an argument. The kernel reads that page.
 */
static int job_cold(int argc, char **argv)
{
	long n = number(argv[1]);
	int fd = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0600);
	char script[4096];
	int file;

	(void)argc;
	snprintf(script, sizeof(script), "%s.script", argv[2]);
	file = open(script, O_WRONLY | O_CREAT | O_TRUNC, 0700);
	if (fd < 0 || pwrite(fd, "cold argument", 14, 0) != 14 ||
	    pwrite(fd, self(), strlen(self()) + 1, COLD_NAME) < 0 ||
	    file < 0 || dprintf(file, "#!%s noop\n", self()) < 0 || close(file))
		die(argv[2]);
	for (long i = 0; i < n; i++) {
		char *page = mmap(NULL, COLD_PAGE, PROT_READ, MAP_SHARED, fd, 0);
		char **args = ARGV("work", "noop", page, "end");

		if (page == MAP_FAILED || pwrite(fd, args, 5 * sizeof(*args), COLD_ROW) < 0)
			die("mmap");
		exec_one(&(struct exec){ "execve", self(), .argv = args, .cold = page });
		exec_one(&(struct exec){ "execve", page + COLD_NAME, .argv = args, .cold = page });
		exec_one(&(struct exec){ "execve", self(), .argv = (char **)(page + COLD_ROW),
					 .cold = page });
		exec_one(&(struct exec){ "execve", script, .cold = page,
					 .argv = ARGV("script", "noop", page, "end") });
		munmap(page, COLD_PAGE);
	}
	unlink(script);
	close(fd);
	return 0;
}

/* By path, relative to a directory, and by descriptor alone. */
static int job_execveat(int argc, char **argv)
{
	char dir[4096];
	char *slash;
	int dirfd, fd;

	(void)argc, (void)argv;
	strcpy(dir, self());
	slash = strrchr(dir, '/');
	*slash = 0;
	dirfd = open(*dir ? dir : "/", O_PATH | O_DIRECTORY);
	fd = open(self(), O_PATH);
	if (fd < 0 || dirfd < 0)
		die(self());
	exec_one(&(struct exec){ "execveat", self(), AT_FDCWD,
				 .argv = ARGV("work", "noop", "path") });
	exec_one(&(struct exec){ "execveat", slash + 1, dirfd,
				 .argv = ARGV("work", "noop", "dir") });
	exec_one(&(struct exec){ "execveat", "", fd, .argv = ARGV("work", "noop", "fd") });
	exec_one(&(struct exec){ "execveat", "nonexistent", dirfd, .argv = ARGV("missing") });
	return 0;
}

/* Into the work program of another ABI, and from there back again. */
static int job_abi(int argc, char **argv)
{
	(void)argc;
	exec_one(&(struct exec){ "execve", argv[1], .argv = ARGV("work", "noop", "other") });
	return 0;
}

/*
 * N children, one after the other, that each try to execute what is not there, with long arguments.
 */
static int job_fails(int argc, char **argv)
{
	static char a[101];
	int status;

	(void)argc;
	memset(a, 'a', sizeof(a) - 1);
	for (long i = number(argv[1]); i > 0; i--) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid) {
			execve("/nonexistent/program", ARGV("program", a, a, a, a, a, a, a, a),
			       environ);
			_exit(errno != ENOENT);
		}
		if (waitpid(pid, &status, 0) != pid || status)
			return 1;
	}
	return 0;
}

static int job_leave(int argc, char **argv)
{
	(void)argc;
	return number(argv[1]) & 0xff;
}

/*
 * As many children as `make -j4` has: each opens a file of its number that is not there, and
 * executes `leave` of it.
 */
#define AT_ONCE 4

static void make_children(pid_t *made, long from, long n)
{
	int status;
	pid_t pid;

	for (long i = 0; i < n + AT_ONCE; i++) {
		if (i >= AT_ONCE && wait(&status) > 0 && !WIFEXITED(status)) {
			fprintf(stderr, "work: a child was killed\n");
			_exit(1);
		}
		if (i >= n)
			continue;
		pid = fork();
		if (pid < 0)
			die("fork");
		if (!pid) {
			char path[40], count[24];

			snprintf(count, sizeof(count), "%ld", from + i);
			snprintf(path, sizeof(path), "/nonexistent/%s", count);
			syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
			execve(self(), ARGV("work", "leave", count), environ);
			_exit(127);
		}
		made[i] = pid;
	}
	_exit(0);
}

/*
 * child PID PPID NUMBER CODE, parent PID PPID: N children by each of PARENTS processes, at the same
 * time.
 */
static int job_build(int argc, char **argv)
{
	long n = number(argv[1]), parents = number(argv[2]);
	pid_t *made = mmap(NULL, (n * parents + 1) * sizeof(*made), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t *parent = calloc(parents + 1, sizeof(*parent));
	int status, wrong = 0;

	(void)argc;
	if (made == MAP_FAILED)
		die("mmap");
	self();
	for (long i = 0; i < parents; i++) {
		parent[i] = fork();
		if (parent[i] < 0)
			die("fork");
		if (!parent[i])
			make_children(made + i * n, i * n, n);
	}
	while (wait(&status) > 0)
		wrong |= status;
	for (long i = 0; i < parents; i++) {
		say("parent\t%d\t%d\n", parent[i], getpid());
		for (long j = i * n; j < (i + 1) * n; j++)
			say("child\t%d\t%d\t%ld\t%ld\n", made[j], parent[i], j, j & 0xff);
	}
	free(parent);
	return wrong != 0;
}

const struct job exec_jobs[] = {
	{ "noop", "", 0, job_noop, "nothing" },
	{ "execs", "N", 1, job_execs, "exec PID TID PPID UID COMM CALL RESULT PATH ARGC ARG..." },
	{ "exec-thread", "", 0, job_thread, "the same, by a thread that is not the leader" },
	{ "exec-args", "", 0, job_args, "the same, with odd, long and many arguments" },
	{ "exec-cold", "N FILE", 2, job_cold,
	  "the same, with an argument on a page not in memory yet" },
	{ "execveat", "", 0, job_execveat, "the same, by execveat(2)" },
	{ "exec-fails", "N", 1, job_fails, "nothing" },
	{ "leave", "CODE", 1, job_leave, "nothing" },
	{ "build", "N PARENTS", 2, job_build, "child PID PPID NUMBER CODE, parent PID PPID" },
	{ "exec-abi", "PROGRAM", 1, job_abi, "the same, into PROGRAM, a work for another ABI" },
	{ 0 }
};
