// SPDX-License-Identifier: GPL-2.0
/*
 * work [-c COMM] [-w FILE] JOB ARGS...: does the job and prints what it did (work.h).
 * -c sets the name of the process (\xHH for odd bytes); -w makes the folder FILE.ready, and waits
 * until FILE exists before the job begins.
 */
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "work.h"

static FILE *lines;
static char *text;
static size_t text_size;

void die(const char *what)
{
	fprintf(stderr, "work: %s: %s\n", what, strerror(errno));
	exit(1);
}

long number(const char *s)
{
	char *end;
	long n = strtol(s, &end, 0);

	if (*end || end == s || n < 0) {
		fprintf(stderr, "work: %s is not a number\n", s);
		exit(2);
	}
	return n;
}

pid_t thread_id(void)
{
	return syscall(SYS_gettid);
}

void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(lines, format, args);
	va_end(args);
}

void say_bytes(const void *bytes, size_t size)
{
	const unsigned char *b = bytes;

	if (!size)
		fputs("\\0", lines);
	for (size_t i = 0; i < size; i++) {
		if (b[i] <= ' ' || b[i] > '~' || b[i] == '\\')
			fprintf(lines, "\\x%02x", b[i]);
		else
			fputc(b[i], lines);
	}
}

void say_comm(void)
{
	char comm[17] = "";

	prctl(PR_GET_NAME, comm);
	say_bytes(comm, strlen(comm));
	fputc('\t', lines);
}

void print_said(void)
{
	fflush(lines);
	fwrite(text, 1, text_size, stdout);
	fflush(stdout);
	rewind(lines);
}

/* \xHH in place. */
static char *unescape(char *s)
{
	char *to = s;

	for (char *from = s; *from; to++) {
		unsigned int byte;

		if (sscanf(from, "\\x%2x", &byte) == 1) {
			*to = byte;
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = 0;
	return s;
}

/*
 * What waits says so by a folder FILE.ready: whatever its start opened is behind it then. It does
 * not sleep as workloads do.
 */
static void await(const char *file)
{
	char ready[4096];

	snprintf(ready, sizeof(ready), "%s.ready", file);
	if (mkdir(ready, 0700))
		die(ready);
	while (access(file, F_OK))
		poll(NULL, 0, 5);
}

/* A shell's background jobs ignore SIGINT: here it gets its meaning back. */
static int job_signals(int argc, char **argv)
{
	(void)argc;
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	execvp(argv[1], argv + 1);
	die(argv[1]);
}

/* What a guest without su needs to be somebody else. */
static int job_as(int argc, char **argv)
{
	long id = number(argv[1]);

	(void)argc;
	if (setgroups(0, NULL) || setgid(id) || setuid(id))
		die("setuid");
	execvp(argv[2], argv + 2);
	die(argv[2]);
}

/* Bits of "38,39"; of all others where it begins with a dash. */
static uint64_t capabilities(const char *list)
{
	bool others = *list == '-';
	uint64_t set = 0;
	char *end;

	for (list += others; *list; list = *end == ',' ? end + 1 : end) {
		unsigned long n = strtoul(list, &end, 10);

		if (end == list || n > 63 || (*end && *end != ',')) {
			fprintf(stderr, "work: %s is no list of capabilities\n", list);
			exit(2);
		}
		set |= 1ULL << n;
	}
	return others ? ~set : set;
}

static int job_caps(int argc, char **argv)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	uint64_t wanted = capabilities(argv[2]);
	long id = number(argv[1]);

	(void)argc;
	for (int n = 0; prctl(PR_CAPBSET_READ, n) >= 0; n++) {
		if (!(wanted >> n & 1) && prctl(PR_CAPBSET_DROP, n))
			die("PR_CAPBSET_DROP");
	}
	if (prctl(PR_SET_KEEPCAPS, 1) || setgroups(0, NULL) || setgid(id) || setuid(id))
		die("setuid");
	/* The ambient set is what an exec keeps; it has to be inheritable first. */
	if (syscall(SYS_capget, &head, data))
		die("capget");
	for (int i = 0; i < 2; i++) {
		data[i].permitted &= wanted >> (32 * i);
		data[i].effective = data[i].inheritable = data[i].permitted;
	}
	if (syscall(SYS_capset, &head, data))
		die("capset");
	for (int n = 0; n < 64; n++) {
		if (data[n / 32].permitted >> n % 32 & 1 &&
		    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, n, 0, 0))
			die("PR_CAP_AMBIENT_RAISE");
	}
	execvp(argv[3], argv + 3);
	die(argv[3]);
}

/*
 * Waits until nobody else on this machine has this name, whatever root directory he sees; then
 * makes the file, and the name is the command's and that of whatever it leaves behind. Where there
 * are no such sockets, nobody has it.
 */
static int job_turn(int argc, char **argv)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), made;

	(void)argc;
	/* Not a file's: the first byte is 0. */
	snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, "sonde-test-%s", argv[1]);
	while (fd >= 0 && bind(fd, (struct sockaddr *)&name, sizeof(name))) {
		if (errno != EADDRINUSE)
			die(argv[1]);
		nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
	}
	/* Out of the way of the command's own. */
	if (fd >= 0 && (fcntl(fd, F_DUPFD, 100) < 0 || close(fd)))
		die("dup");
	made = open(argv[2], O_WRONLY | O_CREAT, 0644);
	if (made < 0 || close(made))
		die(argv[2]);
	execvp(argv[3], argv + 3);
	die(argv[3]);
}

static int job_locked(int argc, char **argv)
{
	int fd = open(argv[1], O_RDONLY | O_CLOEXEC);

	(void)argc;
	return fd < 0 || !flock(fd, LOCK_EX | LOCK_NB);
}

static const struct job main_jobs[] = {
	{ "signals", "COMMAND...", 1, job_signals,
	  "runs a command that SIGINT ends, from a shell's background, and SIGHUP, below nohup" },
	{ "turn", "NAME FILE COMMAND...", 3, job_turn,
	  "runs a command when nobody else has this name; makes the file then" },
	{ "locked", "FILE", 1, job_locked, "nothing; succeeds if somebody holds the file's lock" },
	{ "as", "ID COMMAND...", 2, job_as,
	  "runs a command with this user and group id, without rights" },
	{ "caps", "ID LIST COMMAND...", 3, job_caps,
	  "the same with the capabilities of these numbers (38,39); -21: with all others" },
	{ 0 }
};

static const struct job *const groups[] = {
	file_jobs, exec_jobs, net_jobs, asks_jobs, load_jobs, chain_jobs, frameless_jobs, disk_jobs,
	json_jobs, samples_jobs, terminal_jobs, asleep_jobs, heap_jobs,
	process_jobs, stall_jobs, user_jobs, mount_jobs, netem_jobs, prompt_jobs, probes_jobs,
	structs_jobs, within_jobs, signals_jobs, vm_jobs, nodes_jobs, uring_jobs, inject_jobs,
	refuse_jobs, as_kernel_jobs, main_jobs
};

static int usage(void)
{
	fputs("usage: work [-c COMM] [-w FILE] JOB ARGS...\n", stderr);
	for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++)
		for (const struct job *j = groups[g]; j->name; j++)
			fprintf(stderr, "  %-12s %-24s %s\n", j->name, j->args, j->prints);
	return 2;
}

int main(int argc, char **argv)
{
	int option;

	lines = open_memstream(&text, &text_size);
	if (!lines)
		die("memory");
	while ((option = getopt(argc, argv, "+c:w:")) != -1) {
		if (option == 'c')
			prctl(PR_SET_NAME, unescape(optarg));
		else if (option == 'w')
			await(optarg);
		else
			return usage();
	}
	argc -= optind;
	argv += optind;
	for (size_t g = 0; argc && g < sizeof(groups) / sizeof(groups[0]); g++) {
		for (const struct job *j = groups[g]; j->name; j++) {
			int status;

			if (strcmp(j->name, argv[0]))
				continue;
			if (argc - 1 < j->min_args)
				return usage();
			status = j->run(argc, argv);
			print_said();
			return status;
		}
	}
	return usage();
}
