// SPDX-License-Identifier: GPL-2.0
/*
 * The ways out: all is written, whatever interrupts it, and nothing passes that a terminal would
 * obey.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/lib/output/sink.h"
#include "tests/unit/unit.h"

Suite *suite_sink(void);

#define LINES 20000

static void on_signal(int number)
{
	if (number == SIGINT)
		sink_hurry();
}

/*
 * In a process of its own, whose stdout and stderr are `out`: writes numbered lines; its status
 * tells what became.
 */
static void writer(int out)
{
	static const int signals[] = { SIGINT, SIGCHLD, SIGWINCH, SIGALRM };
	struct sigaction action = { .sa_handler = on_signal };
	FILE *rows = sink_rows();

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	dup2(out, STDOUT_FILENO);
	for (int i = 0; i < LINES; i++)
		if (fprintf(rows, "line %d\n", i) < 0)
			_exit(errno == ECANCELED ? 3 : 2);
	_exit(fflush(rows) ? (errno == ECANCELED ? 3 : 2) : 0);
}

static pid_t start(int ends[2], int flags)
{
	pid_t pid;

	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	if (flags)
		ck_assert_int_eq(fcntl(ends[1], F_SETFL, flags), 0);
	pid = fork();
	if (!pid) {
		close(ends[0]);
		writer(ends[1]);
	}
	close(ends[1]);
	return pid;
}

static int status_of(pid_t pid)
{
	int status = -1;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void pause_ms(int ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000L }, NULL);
}

/* Until the writer has begun, and so hears signals. */
static void await_bytes(int fd)
{
	int n = 0;

	while (!ioctl(fd, FIONREAD, &n) && !n)
		pause_ms(5);
}

/*
 * Signals of all kinds, among them one that asks to end, while the reader sleeps: then all of it is
 * there.
 */
START_TEST(interrupted)
{
	static const int signals[] = { SIGCHLD, SIGWINCH, SIGINT, SIGALRM, SIGSTOP, SIGCONT,
				       SIGCHLD };
	pid_t pid;
	int ends[2], n = 0;
	char line[64];
	FILE *in;

	pid = start(ends, _i ? O_NONBLOCK : 0);
	await_bytes(ends[0]);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		kill(pid, signals[i]);
		pause_ms(20);
	}
	in = fdopen(ends[0], "r");
	for (; fgets(line, sizeof(line), in); n++) {
		ck_assert_int_eq(atoi(line + 5), n);
		if (n % 4000 == 1)
			kill(pid, SIGCHLD);
	}
	ck_assert_int_eq(n, LINES);
	ck_assert_int_eq(status_of(pid), 0);
	fclose(in);
}
END_TEST

/* Asked once, it ends when its reader has not read for a second. */
START_TEST(nobody_reads)
{
	int ends[2], status = -1;
	pid_t pid = start(ends, _i ? O_NONBLOCK : 0);

	await_bytes(ends[0]);
	pause_ms(200);
	kill(pid, SIGINT);
	for (int i = 0; i < 100 && !waitpid(pid, &status, WNOHANG); i++)
		pause_ms(100);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 3);
	close(ends[0]);
}
END_TEST

/* Asked again it does not wait at all. */
START_TEST(nobody_reads_twice)
{
	int ends[2], status = -1;
	pid_t pid = start(ends, _i ? O_NONBLOCK : 0);

	await_bytes(ends[0]);
	for (int i = 0; i < 100 && !waitpid(pid, &status, WNOHANG); i++) {
		kill(pid, SIGINT);
		pause_ms(300);
	}
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 3);
	close(ends[0]);
}
END_TEST

/* What is printed to stdout or stderr comes out like this. */
static const struct {
	const char *text, *shown;
} escapes[] = {
	{ "plain, \\ \"quoted\"\tand a line\n", "plain, \\ \"quoted\"\tand a line\n" },
	{ "libc.so\033]0;x\007.6\n", "libc.so\\x1b]0;x\\x07.6\n" },
	{ "a\rb\177\n", "a\\x0db\\x7f\n" },
	{ "c1 \302\233[2J\n", "c1 \\u{009b}[2J\n" },
	{ "bidi \342\200\256x\n", "bidi \\u{202e}x\n" },
	{ "raw \377 \303\n", "raw \\xff \\xc3\n" },
	{ "\303\251 \346\227\245 \360\237\230\200\n", "\303\251 \346\227\245 \360\237\230\200\n" },
	{ "an end \346\227", "an end \\xe6\\x97" },
};

START_TEST(escaped)
{
	char got[128] = "";
	int ends[2], n = 0, more;
	bool to_err = _i % 2;
	int row = _i / 4;
	pid_t pid;

	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	pid = fork();
	if (!pid) {
		FILE *file = to_err ? sink_err() : sink_out();

		dup2(ends[1], to_err ? STDERR_FILENO : STDOUT_FILENO);
		/* At once, or byte by byte. */
		if (_i / 2 % 2)
			fputs(escapes[row].text, file);
		for (const char *s = escapes[row].text; _i / 2 % 2 == 0 && *s; s++) {
			fputc(*s, file);
			fflush(file);
		}
		_exit(sink_end(0));
	}
	close(ends[1]);
	while ((more = (int)read(ends[0], got + n, sizeof(got) - 1 - (size_t)n)) > 0)
		n += more;
	ck_assert_str_eq(got, escapes[row].shown);
	ck_assert_int_eq(status_of(pid), 0);
	close(ends[0]);
}
END_TEST

/* What can't be written is an error, whoever prints it. */
START_TEST(failing)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC),
		full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	pid_t pid;

	ck_assert_int_ge(full, 0);
	pid = fork();
	if (!pid) {
		dup2(null, STDERR_FILENO);
		if (_i == 0)
			dup2(full, STDOUT_FILENO);
		else
			close(STDOUT_FILENO);
		sink_begin();
		fputs("text\n", sink_out());
		_exit(sink_end(0));
	}
	ck_assert_int_eq(status_of(pid), 1);
	close(null);
	close(full);
}
END_TEST

/* Nothing goes past them. */
START_TEST(no_other_way)
{
	ck_assert_int_ne(system("cd src 2>/dev/null && grep -rnE --include='*.c' "
				"'(^|[^a-z_\"])(printf|puts|putchar|perror)\\(|"
				"[^a-z_]std(out|err)[,);]' . ../compat ../backends ../insns | "
				"grep -vE '__attribute__|type_line' >&2"), 0);
}
END_TEST

static const struct {
	struct error err;
	const char *said;
} complaints[] = {
	{ { "can't open a: Too many open files", EMFILE },
	  "who: can't open a: Too many open files\nraise the limit of open files (ulimit -n)\n" },
	/* The limit of the process is not the one of the machine. */
	{ { "can't open a: Too many open files in system", ENFILE },
	  "who: can't open a: Too many open files in system\n" },
	/* Words of others, and an error that has advice. */
	{ { "a probe is called `Too many open files`" },
	  "who: a probe is called `Too many open files`\n" },
};

/* What to do is known by the number of an error, not by its words. */
START_TEST(complains)
{
	char text[256] = "";
	int ends[2];
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	if (!pid) {
		dup2(ends[1], STDERR_FILENO);
		sink_complain("who: ", &complaints[_i].err);
		fflush(sink_err());
		_exit(0);
	}
	close(ends[1]);
	ck_assert_int_eq(status_of(pid), 0);
	ck_assert_int_gt(read(ends[0], text, sizeof(text) - 1), 0);
	ck_assert_str_eq(text, complaints[_i].said);
	close(ends[0]);
}
END_TEST

Suite *suite_sink(void)
{
	Suite *s = suite_create("sink");

	add_tests(s, "interrupted", interrupted, 2);
	add_tests(s, "nobody reads", nobody_reads, 2);
	add_tests(s, "nobody reads, asked twice", nobody_reads_twice, 2);
	add_tests(s, "escaped", escaped, 4 * (int)(sizeof(escapes) / sizeof(escapes[0])));
	add_tests(s, "failing", failing, 2);
	add_tests(s, "no other way", no_other_way, 1);
	add_tests(s, "complains", complains, (int)(sizeof(complaints) / sizeof(complaints[0])));
	return s;
}
