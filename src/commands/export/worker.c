// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/commands/export/again.h"
#include "src/lib/output/sink.h"

static void in_child(pid_t parent)
{
	sigset_t none;

	signal(SIGCHLD, SIG_DFL);
	/* The exporter tells its tools when they end; a SIGHUP to all is for the exporter. */
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
}

bool worker_start(struct worker *w, int64_t now)
{
	const pid_t parent = getpid(), pid = fork();

	if (!pid) {
		in_child(parent);
		return true;
	}
	w->began = now;
	w->pid = pid > 0 ? pid : 0;
	if (pid < 0)
		w->again = now + AGAIN_MOST_MS;
	return false;
}

static void say_ended(const struct worker *w, const char *name)
{
	const char *how = WIFSIGNALED(w->status) ? "was ended by signal" : "has ended with status";
	const int number = WIFSIGNALED(w->status) ? WTERMSIG(w->status) : WEXITSTATUS(w->status);

	fprintf(sink_err(), "sonde: export: %s %s %d: it is tried again, after %d s at first and "
			    "each minute at last\n", name, how, number, AGAIN_LEAST_MS / 1000);
}

void worker_ended(struct worker *w, const char *name, int status)
{
	const int64_t now = monotonic_ms();
	const bool lasted = now - w->began > AGAIN_MOST_MS;

	w->pid = 0;
	w->told &= w->status == status && !lasted;
	w->status = status;
	w->wait_ms = again_ms(lasted ? 0 : w->wait_ms);
	w->again = now + w->wait_ms;
	if (!w->told)
		say_ended(w, name);
	w->told = true;
}
