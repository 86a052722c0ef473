// SPDX-License-Identifier: GPL-2.0
/*
 * life [-a CPU] [-r TEXT] [-s MS] [-w COMMAND [-n TIMES] [-o OPS | -e] [-k]] TOOL ARGS...
 * Runs a tool on a terminal of its own from its start to its end by SIGINT, and prints what it
 * took, a line each:
 *
 *	ready_ms	until it showed TEXT; @link: until it holds a BPF link, for tools that say
 *			nothing
 *	cost_ns		its BPF programs' run time for each of the OPS operations of COMMAND; a line
 *			for each of TIMES
 *	cpu_ms		CPU time of the tool while COMMAND ran TIMES times, and until it had handled
 *			what came of it
 *	hwm_kb		its largest resident memory
 *	lines		of output it showed while COMMAND ran
 *	last_ms		from SIGINT until the last output (none if there was none)
 *	exit_ms		from SIGINT until its end
 *	all_cpu_ms	CPU time from its start to its end, and that of processes it started
 *	all_kb		its largest resident memory until its end
 *	seen, lost	what sonde -v says of them
 *
 * -k: SIGINT comes in the middle of COMMAND, and not after it. -a: the tool runs on this CPU only.
 * -e: an operation is what the program that runs most runs for, as for samples. -s: the tool gets
 * so many ms after COMMAND to handle what came of it. The tool and COMMAND end when life ends.
 */
#include <bpf/bpf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "compat/base/clock.h"

#define READY_MS 20000
#define SETTLE_MS 300		/* longer than tools let records wait */
#define END_MS 20000
#define WORK_MS 120000
#define PROGRAMS 256
#define TEXT_KEPT (64 * 1024)

struct program {
	uint32_t id;
	uint64_t ns, runs;
};

struct life {
	pid_t pid;
	int terminal, pidfd;
	bool ended;
	char text[TEXT_KEPT + 1];	/* the newest output */
	size_t n_text;
	unsigned long lines;
	int64_t last_output;
	unsigned int n_programs;
	struct program programs[PROGRAMS];
};

static void die(const char *what)
{
	fprintf(stderr, "life: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t tool_cpu_ns(const struct life *l)
{
	clockid_t clock;

	return clock_getcpuclockid(l->pid, &clock) ? 0 : clock_ns(clock);
}

static void keep_text(struct life *l, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		l->lines += bytes[i] == '\n';
	if (n > TEXT_KEPT / 2) {
		bytes += n - TEXT_KEPT / 2;
		n = TEXT_KEPT / 2;
	}
	if (l->n_text + n > TEXT_KEPT) {
		memmove(l->text, l->text + TEXT_KEPT / 2, l->n_text - TEXT_KEPT / 2);
		l->n_text -= TEXT_KEPT / 2;
	}
	memcpy(l->text + l->n_text, bytes, n);
	l->n_text += n;
	l->text[l->n_text] = 0;
}

/*
 * Takes output for up to `ms`; ends early when the tool ends or `other` (a pidfd; -1: none) does.
 */
static void take_output(struct life *l, int ms, int other)
{
	int64_t end = clock_ns(CLOCK_MONOTONIC) + ms * 1000000LL;
	char bytes[16384];

	while (!l->ended) {
		int left = (int)((end - clock_ns(CLOCK_MONOTONIC) + 999999) / 1000000);
		struct pollfd fds[] = {
			{ .fd = l->terminal, .events = POLLIN },
			{ .fd = l->pidfd, .events = POLLIN },
			{ .fd = other, .events = POLLIN },
		};
		ssize_t n;

		if (left <= 0 || poll(fds, 3, left) <= 0)
			return;
		if (fds[0].revents & POLLIN) {
			n = read(l->terminal, bytes, sizeof(bytes));
			if (n > 0) {
				l->last_output = clock_ns(CLOCK_MONOTONIC);
				keep_text(l, bytes, (size_t)n);
				continue;
			}
		}
		if (fds[1].revents || fds[0].revents & (POLLHUP | POLLERR))
			l->ended = true;
		if (fds[2].revents)
			return;
	}
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (cpu >= 0 && sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

static int64_t start(struct life *l, char **argv, int cpu)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct termios modes;
	int64_t begin;
	int user;

	if (terminal < 0 || grantpt(terminal) || unlockpt(terminal))
		die("terminal");
	user = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (user < 0 || tcgetattr(user, &modes))
		die("terminal");
	cfmakeraw(&modes);
	tcsetattr(user, TCSANOW, &modes);
	begin = clock_ns(CLOCK_MONOTONIC);
	l->pid = fork();
	if (l->pid < 0)
		die("fork");
	if (!l->pid) {
		prctl(PR_SET_PDEATHSIG, SIGINT);
		signal(SIGINT, SIG_DFL);	/* a shell ignores it for what runs behind */
		pin(cpu);
		dup2(user, 0);
		dup2(user, 1);
		dup2(user, 2);
		execvp(argv[0], argv);
		die(argv[0]);
	}
	close(user);
	l->terminal = terminal;
	l->pidfd = (int)syscall(SYS_pidfd_open, l->pid, 0);
	if (l->pidfd < 0)
		die("pidfd_open");
	return begin;
}

static bool holds_link(const struct life *l)
{
	char path[PATH_MAX], target[64];
	bool found = false;
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", l->pid);
	dir = opendir(path);
	while (dir && !found && (d = readdir(dir))) {
		ssize_t n = readlinkat(dirfd(dir), d->d_name, target, sizeof(target) - 1);

		target[n < 0 ? 0 : n] = 0;
		found = strstr(target, "bpf_link") || strstr(target, "bpf-link");
	}
	if (dir)
		closedir(dir);
	return found;
}

static bool is_ready(const struct life *l, const char *text)
{
	return strcmp(text, "@link") ? strstr(l->text, text) != NULL : holds_link(l);
}

static int64_t await(struct life *l, const char *text)
{
	int64_t end = clock_ns(CLOCK_MONOTONIC) + READY_MS * 1000000LL;

	while (!is_ready(l, text) && !l->ended && clock_ns(CLOCK_MONOTONIC) < end)
		take_output(l, 1, -1);
	if (!is_ready(l, text)) {
		fprintf(stderr, "life: it never showed \"%s\", but:\n%s\n", text, l->text);
		kill(l->pid, SIGKILL);
		exit(1);
	}
	return strcmp(text, "@link") ? l->last_output : clock_ns(CLOCK_MONOTONIC);
}

static pid_t start_work(const char *command)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(null, 1);
		execl("/bin/sh", "sh", "-c", command, NULL);
		die("sh");
	}
	return pid;
}

static void await_work(struct life *l, pid_t work)
{
	int pidfd = (int)syscall(SYS_pidfd_open, work, 0), status;
	int64_t end = clock_ns(CLOCK_MONOTONIC) + WORK_MS * 1000000LL;

	while (!waitpid(work, &status, WNOHANG) && !l->ended) {
		take_output(l, 1000, pidfd);
		if (clock_ns(CLOCK_MONOTONIC) > end) {
			fprintf(stderr, "life: error: the work took longer than %d s\n",
				WORK_MS / 1000);
			kill(work, SIGKILL);
		}
	}
	close(pidfd);
}

static void add_program(struct life *l, uint32_t id)
{
	for (unsigned int i = 0; i < l->n_programs; i++)
		if (l->programs[i].id == id)
			return;
	if (l->n_programs < PROGRAMS)
		l->programs[l->n_programs++].id = id;
}

/*
 * The BPF programs a process holds by descriptors of their own, of links, and of perf events they
 * are attached to.
 */
static void find_programs(struct life *l)
{
	char path[PATH_MAX], line[256];
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo", l->pid);
	dir = opendir(path);
	if (!dir)
		die(path);
	while ((d = readdir(dir))) {
		uint32_t id = 0, length = 0, type;
		__u64 offset, address;
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%d/fdinfo/%s", l->pid, d->d_name);
		f = *d->d_name == '.' ? NULL : fopen(path, "r");
		while (f && fgets(line, sizeof(line), f))
			sscanf(line, "prog_id: %u", &id);
		if (!f || fclose(f))
			continue;
		if (!id)
			bpf_task_fd_query(l->pid, atoi(d->d_name), 0, NULL, &length, &id, &type,
					  &offset, &address);
		if (id)
			add_program(l, id);
	}
	closedir(dir);
}

static void read_programs(struct life *l, struct program *to)
{
	for (unsigned int i = 0; i < l->n_programs; i++) {
		struct bpf_prog_info info = { };
		uint32_t size = sizeof(info);
		int fd = bpf_prog_get_fd_by_id(l->programs[i].id);

		to[i].id = l->programs[i].id;
		if (fd < 0)
			continue;
		if (!bpf_obj_get_info_by_fd(fd, &info, &size)) {
			to[i].ns = info.run_time_ns;
			to[i].runs = info.run_cnt;
		}
		close(fd);
	}
}

/*
 * What the programs cost for one operation: of each its mean time by how often it runs for one. So
 * what others on the machine have them do in the meantime does not count.
 */
static void print_cost(const struct life *l, const struct program *before,
		       const struct program *after, double ops, bool each)
{
	double cost = 0;

	for (unsigned int i = 0; each && i < l->n_programs; i++)
		if ((double)(after[i].runs - before[i].runs) > ops)
			ops = (double)(after[i].runs - before[i].runs);
	for (unsigned int i = 0; i < l->n_programs; i++) {
		double ns = (double)(after[i].ns - before[i].ns),
			runs = (double)(after[i].runs - before[i].runs);

		if (runs)
			cost += ns / runs * (double)(long)(runs / ops + 0.5);
	}
	printf("cost_ns %.1f\n", cost);
}

static void print_memory(const struct life *l)
{
	char path[64], line[256];
	long kb;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", l->pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmHWM: %ld kB", &kb) == 1)
			printf("hwm_kb %ld\n", kb);
	if (f)
		fclose(f);
}

struct plan {
	const char *ready, *work;
	int times, settle_ms;
	double ops;
	bool each, kill_amid;
};

static void work(struct life *l, const struct plan *p)
{
	struct program before[PROGRAMS] = { }, after[PROGRAMS] = { };
	/* for as long as it is open */
	int stats = p->ops ? bpf_enable_stats(BPF_STATS_RUN_TIME) : -1;
	int64_t cpu = tool_cpu_ns(l);
	unsigned long lines = l->lines;

	if (p->ops && stats < 0)
		die("BPF_ENABLE_STATS");
	if (p->ops)
		find_programs(l);
	for (int i = 0; i < p->times; i++) {
		read_programs(l, before);
		await_work(l, start_work(p->work));
		read_programs(l, after);
		if (p->ops)
			print_cost(l, before, after, p->ops, p->each);
	}
	take_output(l, p->settle_ms, -1);
	if (l->ended) {
		fprintf(stderr, "life: it failed while there was work:\n%s\n", l->text);
		exit(1);
	}
	printf("cpu_ms %.3f\n", (double)(tool_cpu_ns(l) - cpu) / 1e6);
	printf("lines %lu\n", l->lines - lines);
	if (stats >= 0)
		close(stats);
}

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static void end(struct life *l)
{
	int64_t begin = clock_ns(CLOCK_MONOTONIC), ended;
	struct rusage used = { };
	const char *seen;
	int status;

	l->last_output = 0;
	kill(l->pid, SIGINT);
	take_output(l, END_MS, -1);
	ended = clock_ns(CLOCK_MONOTONIC);
	if (!l->ended) {
		fprintf(stderr, "life: SIGINT did not end it\n");
		kill(l->pid, SIGKILL);
	}
	if (wait4(l->pid, &status, 0, &used) == l->pid)
		printf("all_cpu_ms %.3f\nall_kb %ld\n", seconds(&used.ru_utime) * 1e3 +
		       seconds(&used.ru_stime) * 1e3, used.ru_maxrss);
	if (l->last_output)
		printf("last_ms %.3f\n", (double)(l->last_output - begin) / 1e6);
	printf("exit_ms %.3f\n", (double)(ended - begin) / 1e6);
	seen = strstr(l->text, "sonde: seen ");
	if (seen) {
		unsigned long long n, lost;

		if (sscanf(seen, "sonde: seen %llu, lost %llu", &n, &lost) == 2)
			printf("seen %llu\nlost %llu\n", n, lost);
	}
}

int main(int argc, char **argv)
{
	static struct life l;
	struct plan p = { .ready = "", .times = 1, .settle_ms = SETTLE_MS };
	int option, cpu = -1;
	int64_t begin;
	pid_t work_pid = 0;

	while ((option = getopt(argc, argv, "+a:r:s:w:n:o:ek")) != -1) {
		switch (option) {
		case 'a': cpu = atoi(optarg); break;
		case 'r': p.ready = optarg; break;
		case 's': p.settle_ms = atoi(optarg); break;
		case 'w': p.work = optarg; break;
		case 'n': p.times = atoi(optarg); break;
		case 'o': p.ops = atof(optarg); break;
		case 'e': p.each = true; p.ops = 1; break;
		case 'k': p.kill_amid = true; break;
		default: return 2;
		}
	}
	if (optind == argc) {
		fprintf(stderr, "usage: life [-a CPU] [-r TEXT] [-s MS] [-w COMMAND "
				"[-n TIMES] [-o OPS | -e] [-k]] TOOL ARGS...\n");
		return 2;
	}
	begin = start(&l, argv + optind, cpu);
	printf("ready_ms %.3f\n", (double)(await(&l, p.ready) - begin) / 1e6);
	if (p.kill_amid) {
		work_pid = start_work(p.work);
		take_output(&l, SETTLE_MS, -1);
	} else if (p.work) {
		work(&l, &p);
	}
	print_memory(&l);
	end(&l);
	if (work_pid) {
		kill(work_pid, SIGTERM);
		waitpid(work_pid, NULL, 0);
	}
	return 0;
}
