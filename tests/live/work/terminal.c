// SPDX-License-Identifier: GPL-2.0
/* A terminal to run things in, and what they write to it. */
#include <signal.h>
#include <sys/ioctl.h>
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

const struct job terminal_jobs[] = {
	{ "terminal", "COLUMNS ROWS COMMAND...", 3, job_terminal,
	  "what the command writes to its terminal; SIGUSR1 halves the window, SIGUSR2 types q" },
	{ 0 }
};
