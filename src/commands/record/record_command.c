// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/record_command.h"

#include <signal.h>
#include <stddef.h>

/* Set by the signal handler: a child has ended. */
static volatile sig_atomic_t child_signal;

static void on_child(int number)
{
	(void)number;
	child_signal = 1;
}

void record_command_watch(void)
{
	const struct sigaction action = { .sa_handler = on_child };

	sigaction(SIGCHLD, &action, NULL);
}

bool record_command_ended(struct child *child, int *status)
{
	struct child_end end = { };

	if (!child_signal)
		return false;
	child_signal = 0;
	if (!child_ended(child, &end))
		return false;
	*status = child_status(&end);
	return true;
}
