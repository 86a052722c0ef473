// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs that run a command while system calls of it and of its children fail, one each time. The
 * kernel asks this process about each call (seccomp's notifications, since 5.9). Calls with the
 * same key (keys.h) are told apart by their number, from 1.
 */
#include <linux/filter.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "keys.h"

#ifdef CAN_INJECT
#define KEYS 4096
#define TASKS 512
#define LIMIT_MS 20000		/* of a run; $SLOW multiplies it */
#define ABSENT 77
#define MADE 64
#define NAME 13			/* of "/sonde-123456" */
#define WAIT_KILLABLE (1UL << 5)	/* SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV */
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif

static const struct {
	const char *name;
	int number;
} errnos[] = {
#define ERRNO(name) { #name, name }
	ERRNO(EPERM), ERRNO(ENOENT), ERRNO(ESRCH), ERRNO(EINTR), ERRNO(EIO), ERRNO(ENXIO),
	ERRNO(E2BIG), ERRNO(EBADF), ERRNO(ECHILD), ERRNO(EAGAIN), ERRNO(ENOMEM), ERRNO(EACCES),
	ERRNO(EBUSY), ERRNO(EEXIST), ERRNO(ENODEV), ERRNO(EINVAL), ERRNO(ENFILE), ERRNO(EMFILE),
	ERRNO(ENOSPC), ERRNO(EPIPE), ERRNO(ENOSYS), ERRNO(ENOBUFS), ERRNO(EOPNOTSUPP),
	ERRNO(ENOTSUP),
};

/* Those that are never failed, and are not asked about: they can't fail, or must not. */
static const int passed[] = {
	SYS_brk, SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_futex, SYS_restart_syscall,
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_getpid, SYS_getppid, SYS_gettid, SYS_getuid,
	SYS_geteuid, SYS_getgid, SYS_getegid, SYS_set_tid_address, SYS_set_robust_list,
	SYS_getrusage,
	SYS_sigaltstack, SYS_clock_gettime, SYS_umask,
#ifdef SYS_arch_prctl
	SYS_arch_prctl,
#endif
#ifdef SYS_rseq
	SYS_rseq,
#endif
#ifdef __x86_64__
	335, 336,		/* uretprobe, uprobe */
#endif
};
#define N_PASSED (sizeof(passed) / sizeof(passed[0]))

struct inject {
	const char *key;		/* the one to fail; NULL: none, and all keys are kept */
	int number;			/* the system call that it is of; -1: all */
	long which;
	int error;
	char *keys[KEYS];
	long counts[KEYS];
	int n_keys;
	struct {
		pid_t pid;
		bool other;		/* runs another program, or began as one that does */
	} tasks[TASKS];
	int n_tasks;
	char made[MADE][NAME];		/* in tracefs */
	int n_made;
	int listener, out, err;
	pid_t main;
	bool reached;
};

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static pid_t parent_of(pid_t pid)
{
	char path[64], stat[512], *end;
	int fd, parent = 0;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = read(fd, stat, sizeof(stat) - 1);
	close(fd);
	stat[n < 0 ? 0 : n] = 0;
	end = strrchr(stat, ')');
	if (end)
		sscanf(end, ") %*c %d", &parent);
	return parent;
}

/* The row of a task, a new one if it was not seen before: a child of another program is one. */
static int task_row(struct inject *j, pid_t pid)
{
	pid_t parent;

	for (int i = 0; i < j->n_tasks; i++) {
		if (j->tasks[i].pid == pid)
			return i;
	}
	if (j->n_tasks == TASKS)
		return TASKS - 1;
	parent = pid == j->main ? 0 : parent_of(pid);
	j->tasks[j->n_tasks].pid = pid;
	j->tasks[j->n_tasks].other = false;
	for (int i = 0; i < j->n_tasks; i++)
		j->tasks[j->n_tasks].other |= j->tasks[i].pid == parent && j->tasks[i].other;
	return j->n_tasks++;
}

/* Keeps the name of what a call makes in tracefs: an instance, or a group of probes. */
static void note_made(struct inject *j, const struct seccomp_notif *n)
{
	char text[64] = "", *name;
	uint64_t from = n->data.args[1];

#ifdef SYS_mkdir
	if (n->data.nr == SYS_mkdir)
		from = n->data.args[0];
	else
#endif
	if (n->data.nr != SYS_mkdirat && n->data.nr != SYS_write)
		return;
	for (size_t i = 0; i < sizeof(text) - 1 && peek(n->pid, from + i, text + i, 1); i++)
		if (!text[i])
			break;
	name = strstr(text, n->data.nr == SYS_write ? ":sonde_" : "/sonde-");
	if (!name || strlen(name) < NAME || j->n_made == MADE)
		return;
	memcpy(j->made[j->n_made], name + 1, NAME - 1);
	j->n_made++;
}

/* Whether this call is to fail. The calls of other programs, which the command runs, are not. */
static bool fails(struct inject *j, const struct seccomp_notif *n)
{
	int task = task_row(j, n->pid);
	char key[KEY];
	int i;

	if (n->data.nr == SYS_execve) {
		j->tasks[task].other = (pid_t)n->pid != j->main;
		return false;
	}
	if (j->tasks[task].other)
		return false;
	note_made(j, n);
	if (j->number >= 0 && j->number != n->data.nr)
		return false;
	make_key(n, (pid_t)n->pid == j->main, key);
	for (i = 0; i < j->n_keys && strcmp(j->keys[i], key); i++)
		;
	if (i == KEYS)
		return false;
	if (i == j->n_keys) {
		j->keys[j->n_keys++] = strdup(key);
		j->counts[i] = 0;
	}
	j->counts[i]++;
	return j->key && !strcmp(key, j->key) && j->counts[i] == j->which;
}

/* A close that fails has closed the file: its place has another one now. */
static void close_of(struct inject *j, const struct seccomp_notif *n)
{
	struct seccomp_notif_addfd other = {
		.id = n->id, .flags = SECCOMP_ADDFD_FLAG_SETFD, .newfd = n->data.args[0],
		.newfd_flags = O_CLOEXEC,
	};
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	other.srcfd = fd;
	ioctl(j->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &other);
	close(fd);
}

static void answer(struct inject *j)
{
	struct seccomp_notif n = { 0 };
	struct seccomp_notif_resp r = { 0 };

	if (ioctl(j->listener, SECCOMP_IOCTL_NOTIF_RECV, &n))
		return;
	r.id = n.id;
	if (fails(j, &n)) {
		j->reached = true;
		if (n.data.nr == SYS_close)
			close_of(j, &n);
		r.error = -j->error;
	} else {
		r.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	}
	ioctl(j->listener, SECCOMP_IOCTL_NOTIF_SEND, &r);
}

static int install(void)
{
	struct sock_filter filter[N_PASSED + 3] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog program = { N_PASSED + 3, filter };
	size_t n = 1;
	int fd;

	for (size_t i = 0; i < N_PASSED; i++, n++)
		filter[n] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, passed[i],
							 N_PASSED - i, 0);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	/* Since 5.19 a signal does not end a call that waits for the answer. */
	fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		     SECCOMP_FILTER_FLAG_NEW_LISTENER | WAIT_KILLABLE, &program);
	return fd >= 0 ? fd : syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
				      SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* Starts the command. The filter's descriptor is taken from it: it can't hand it over itself. */
static void start(struct inject *j, char **command)
{
	volatile int *made = mmap(NULL, sizeof(*made), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint64_t at_once = 1;		/* SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP */
	int process;

	if (made == MAP_FAILED)
		die("mmap");
	*made = -1;
	j->main = fork();
	if (j->main < 0)
		die("fork");
	if (!j->main) {
		int fd;

		/* Without an answer to its calls it may not end. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(open("/dev/null", O_RDONLY), 0);
		dup2(j->out, 1);
		dup2(j->err, 2);
		fd = install();
		*made = fd < 0 ? -2 : fd;
		if (fd >= 0)
			execvp(command[0], command);
		_exit(ABSENT);
	}
	while (*made == -1)
		sched_yield();
	process = syscall(SYS_pidfd_open, j->main, 0);
	j->listener = *made < 0 ? -1 : syscall(SYS_pidfd_getfd, process, *made, 0);
	if (j->listener < 0) {
		fputs("work: this kernel can't be asked about the calls of others\n", stderr);
		kill(j->main, SIGKILL);
		exit(ABSENT);
	}
	fcntl(j->listener, F_SETFD, FD_CLOEXEC);
	ioctl(j->listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, at_once);
	close(process);
	munmap((void *)made, sizeof(*made));
}

/*
 * Until all of it has ended. The result: "exit 1", "signal 11", "hang", or, if the command ended
 * and a child of it did not, "left a process".
 */
static void watch(struct inject *j, char *result, size_t size)
{
	const char *slow = getenv("SLOW");
	long long end = now() + LIMIT_MS * (slow ? number(slow) : 1);
	struct pollfd p = { .fd = j->listener, .events = POLLIN };
	int status = 0;
	pid_t pid;

	do {
		if (poll(&p, 1, 100) > 0 && p.revents & POLLIN)
			answer(j);
	} while (!(p.revents & POLLHUP) && now() < end);
	for (int i = 0; i < j->n_tasks && !(p.revents & POLLHUP); i++) {
		if (j->tasks[i].pid != j->main)
			kill(j->tasks[i].pid, SIGKILL);
	}
	snprintf(result, size, "hang");
	if (!(p.revents & POLLHUP) && waitpid(j->main, &status, WNOHANG) != j->main)
		kill(j->main, SIGKILL);
	else if (!(p.revents & POLLHUP))
		snprintf(result, size, "left a process");
	close(j->listener);
	while ((pid = waitpid(-1, &status, 0)) > 0 || errno == EINTR) {
		if (pid != j->main || !(p.revents & POLLHUP))
			continue;
		if (WIFEXITED(status))
			snprintf(result, size, "exit %d", WEXITSTATUS(status));
		else
			snprintf(result, size, "signal %d", WTERMSIG(status));
	}
}

/* How many of the directories that the command made in tracefs are still there. */
static int still_there(const char *tracefs, const struct inject *j)
{
	static const char *const folders[] = { "instances", "events" };
	char path[512];
	int n = 0;

	for (int i = 0; i < j->n_made; i++) {
		for (int f = 0; f < 2; f++) {
			snprintf(path, sizeof(path), "%s/%s/%s", tracefs, folders[f], j->made[i]);
			n += !access(path, F_OK);
		}
	}
	return n;
}

/* The same when no sonde, of whomever, is removing its own and those of others. */
static int left_in(const char *tracefs, const struct inject *j)
{
	long long end = now() + LIMIT_MS;
	int n;

	while ((n = still_there(tracefs, j)) && now() < end) {
		int fd = open(tracefs, O_RDONLY | O_CLOEXEC);
		bool quiet = fd < 0 || !flock(fd, LOCK_EX | LOCK_NB);

		close(fd);
		if (quiet)
			return still_there(tracefs, j);
		usleep(20000);
	}
	return n;
}

static void show(const char *word, int fd)
{
	char *text = NULL, *line, *rest;
	off_t size = lseek(fd, 0, SEEK_END);

	text = calloc(1, size + 1);
	if (!text || pread(fd, text, size, 0) != size)
		die("pread");
	rest = text;
	while ((line = strsep(&rest, "\n")) && (rest || *line))
		printf("%s\t%s\n", word, line);
	free(text);
	close(fd);
}

static void run_once(struct inject *j, char **command, char *result, size_t size)
{
	j->n_tasks = j->n_made = 0;
	j->reached = false;
	for (int i = 0; i < j->n_keys; i++)
		j->counts[i] = 0;
	j->out = memfd_create("out", MFD_CLOEXEC);
	j->err = memfd_create("err", MFD_CLOEXEC);
	if (j->out < 0 || j->err < 0)
		die("memfd_create");
	start(j, command);
	watch(j, result, size);
}

static int error_number(const char *name)
{
	for (size_t i = 0; i < sizeof(errnos) / sizeof(errnos[0]); i++) {
		if (!strcmp(errnos[i].name, name))
			return errnos[i].number;
	}
	fprintf(stderr, "work: no error is called %s\n", name);
	exit(2);
}

static int job_calls(int argc, char **argv)
{
	static struct inject j = { .number = -1 };
	char result[32];

	(void)argc;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	run_once(&j, argv + 1, result, sizeof(result));
	for (int i = 0; i < j.n_keys; i++)
		printf("key\t%s\t%ld\n", j.keys[i], j.counts[i]);
	printf("ended\t%s\n", result);
	show("out", j.out);
	show("err", j.err);
	return 0;
}

static int job_fail(int argc, char **argv)
{
	static struct inject j;
	FILE *cases = fopen(argv[1], "re");
	char *line = NULL;
	size_t size = 0;

	(void)argc;
	if (!cases)
		die(argv[1]);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	while (getline(&line, &size, cases) > 0) {
		char *rest = line, *key = strsep(&rest, "\t"), *which = strsep(&rest, "\t");
		char *error = strsep(&rest, "\n"), result[32];

		if (!error)
			continue;
		j.key = key;
		j.number = number_of(key);
		j.which = number(which);
		j.error = error_number(error);
		run_once(&j, argv + 3, result, sizeof(result));
		printf("case\t%s\t%s\t%s\t%s\t%s\t%d\t%d\n", key, which, error, strerror(j.error),
		       result, j.reached, left_in(argv[2], &j));
		show("out", j.out);
		show("err", j.err);
		puts("end");
		fflush(stdout);
	}
	free(line);
	fclose(cases);
	return 0;
}
#else
static int job_calls(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	fputs("work: built without seccomp's notifications\n", stderr);
	return 77;
}

#define job_fail job_calls
#endif

const struct job inject_jobs[] = {
	{ "lists-calls", "COMMAND...", 1, job_calls,
	  "key KEY TIMES: calls that the command made; ended HOW; out and err LINE: what it said" },
	{ "fails-calls", "CASES TRACEFS COMMAND...", 3, job_fail,
	  "runs it for each line KEY TAB NUMBER TAB ERRNO of the file, and fails that call: "
	  "case KEY NUMBER ERRNO TEXT HOW REACHED LEFT, out and err LINE, end" },
	{ 0 }
};
