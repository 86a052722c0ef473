// SPDX-License-Identifier: GPL-2.0
/* Jobs about processes: signals they send. */
#include <signal.h>
#include <sys/wait.h>

#include "work.h"

#define NOBODY 2147480000	/* above every pid_max */

/* kill PID TID COMM CALL SIG TPID RESULT: TPID is whom the call named, RESULT 0 or -errno. */
static void kill_and_say(const char *call, int group, int whom, int sig)
{
	long result;

	if (!strcmp(call, "kill"))
		result = syscall(SYS_kill, whom, sig);
	else if (!strcmp(call, "tkill"))
		result = syscall(SYS_tkill, whom, sig);
	else
		result = syscall(SYS_tgkill, group, whom, sig);
	say("kill\t%d\t%d\t", getpid(), thread_id());
	say_comm();
	say("%s\t%d\t%d\t%d\n", call, sig, whom, result ? -errno : 0);
}

/* N rounds of each call: to itself, to a child that ignores it, to a group, to nobody, and with no signal. */
static int job_kills(int argc, char **argv)
{
	static const char *const calls[] = { "kill", "tkill", "tgkill" };
	long n = number(argv[1]);
	pid_t child = fork();

	(void)argc;
	if (child < 0)
		die("fork");
	if (!child) {
		for (;;)
			pause();
	}
	setpgid(child, child);
	signal(SIGUSR1, SIG_IGN);
	for (long i = 0; i < n; i++) {
		for (int c = 0; c < 3; c++) {
			kill_and_say(calls[c], getpid(), getpid(), 0);
			kill_and_say(calls[c], getpid(), getpid(), SIGUSR1);
			kill_and_say(calls[c], child, child, SIGCONT);
			kill_and_say(calls[c], NOBODY, NOBODY, SIGKILL);
			kill_and_say(calls[c], getpid(), getpid(), 100);
		}
		kill_and_say("kill", 0, -child, SIGURG);
		kill_and_say("kill", 0, -NOBODY, SIGTERM);
	}
	kill_and_say("kill", 0, child, SIGKILL);
	waitpid(child, NULL, 0);
	return 0;
}

const struct job process_jobs[] = {
	{ "kills", "N", 1, job_kills, "kill PID TID COMM CALL SIG TPID RESULT" },
	{ 0 }
};
