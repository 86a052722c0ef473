// SPDX-License-Identifier: GPL-2.0
/* A terminal to run things in, and what they write to it. */
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "work.h"

static volatile pid_t child;
static volatile sig_atomic_t halve, quit;

static void pass_on(int number)
{
	kill(child, number);
}

static void on_halve(int number)
{
	(void)number;
	halve = 1;
}

static void on_quit(int number)
{
	(void)number;
	quit = 1;
}

static void run_in(const char *name, const struct winsize *size, char **command)
{
	int fd;

	setsid();
	fd = open(name, O_RDWR);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) || ioctl(fd, TIOCSWINSZ, size))
		die(name);
	dup2(fd, 0);
	dup2(fd, 1);
	close(fd);
	execvp(command[0], command);
	die(command[0]);
}

/*
 * Runs a command whose input and output are a terminal of this size; copies what it writes. Signals
 * are passed on; with SIGUSR1 the window gets half its width and height, with SIGUSR2 `q` and Enter
 * are typed. The status is the command's, 128 + N if it died of signal N.
 */
static int job_terminal(int argc, char **argv)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP };
	struct winsize size = { .ws_col = number(argv[1]), .ws_row = number(argv[2]) };
	struct sigaction on_usr1 = { .sa_handler = on_halve },
			 on_usr2 = { .sa_handler = on_quit };
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), status;
	char bytes[4096], name[64];
	unsigned int slave;
	ssize_t n;

	(void)argc;
	if (fd < 0 || unlockpt(fd) || ioctl(fd, TIOCGPTN, &slave))
		die("/dev/ptmx");
	snprintf(name, sizeof(name), "/dev/pts/%u", slave);
	child = fork();
	if (child < 0)
		die("fork");
	if (!child)
		run_in(name, &size, argv + 3);
	sigaction(SIGUSR1, &on_usr1, NULL);
	sigaction(SIGUSR2, &on_usr2, NULL);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], pass_on);
	/* EIO: nobody has it open any more. Before the child has opened it that is not so. */
	while ((n = read(fd, bytes, sizeof(bytes))) > 0 || (n < 0 && errno == EINTR)) {
		if (halve) {
			halve = 0;
			size.ws_col /= 2;
			size.ws_row /= 2;
			ioctl(fd, TIOCSWINSZ, &size);
		}
		if (quit && write(fd, "q\n", 2) == 2)
			quit = 0;
		if (n > 0 && write(1, bytes, n) != n)
			die("write");
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- what is written to a terminal ---- */

static int terminal_pair(int *slave, char name[64])
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	unsigned int number;

	if (fd < 0 || unlockpt(fd) || ioctl(fd, TIOCGPTN, &number))
		die("/dev/ptmx");
	snprintf(name, 64, "/dev/pts/%u", number);
	*slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (*slave < 0)
		die(name);
	return fd;
}

static void drain(int fd)
{
	char bytes[4096];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
	_exit(0);
}

/* Writes, and keeps what the terminal took. */
static void put(int fd, int copy, const char *bytes, size_t size)
{
	ssize_t n = write(fd, bytes, size);

	if (n > 0 && write(copy, bytes, n) != n)
		die("write");
}

static void write_all_kinds(int fd, int copy, int other)
{
	static const size_t sizes[] = { 1, 127, 128, 129, 895, 897, 1024, 1537, 2047, 2048, 2049,
					5000, 20000 };
	static char bytes[20000];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = i < 256 ? i : i % 61 ? 'a' + i / 7 % 26 : '\n';
	put(fd, copy, "$ \033[31mred\033[0m\n", 15);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		put(fd, copy, bytes, sizes[i]);
		if (write(other, "OTHER", 5) != 5)
			die("write");
	}
	for (const char *c = "typed\r\n"; *c; c++)
		put(fd, copy, c, 1);
}

/* FILE.tty is a link to the terminal; when FILE is there, this writes to it, and so on. */
static int job_shows(int argc, char **argv)
{
	char name[64], other_name[64], path[4096], bytes[100000];
	int fd, slave, other, other_slave, copy;

	(void)argc;
	fd = terminal_pair(&slave, name);
	other = terminal_pair(&other_slave, other_name);
	snprintf(path, sizeof(path), "%s.bytes", argv[1]);
	copy = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	child = fork();
	if (copy < 0 || child < 0)
		die("fork");
	if (!child)
		drain(fd);
	if (!fork())
		drain(other);
	snprintf(path, sizeof(path), "%s.tty", argv[1]);
	if (symlink(name, path))
		die(path);
	while (access(argv[1], F_OK))
		usleep(5000);
	write_all_kinds(slave, copy, other_slave);
	/* Nobody reads: the terminal takes a part. */
	usleep(100000);
	kill(child, SIGSTOP);
	fcntl(slave, F_SETFL, O_RDWR | O_NONBLOCK);
	memset(bytes, 'p', sizeof(bytes));
	for (int i = 0; i < 3; i++)
		put(slave, copy, bytes, sizeof(bytes));
	kill(child, SIGCONT);
	usleep(100000);
	put(slave, copy, "\nend\n", 5);
	snprintf(path, sizeof(path), "%s.end", argv[1]);
	while (access(path, F_OK))
		usleep(5000);
	close(slave);
	close(fd);
	kill(child, SIGKILL);
	return 0;
}

const struct job terminal_jobs[] = {
	{ "terminal", "COLUMNS ROWS COMMAND...", 3, job_terminal,
	  "what the command writes to its terminal; SIGUSR1 halves the window, SIGUSR2 types q" },
	{ "shows", "FILE", 1, job_shows,
	  "nothing; FILE.tty is its terminal, FILE.bytes what that took, FILE.end ends it" },
	{ 0 }
};
