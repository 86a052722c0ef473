// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/record_ends.h"

#include <stddef.h>

#include "compat/base/argv.h"
#include "compat/base/clock.h"
#include "src/run/run.h"
#include "src/session/schedule.h"

int record_ends_add(struct record_ends *e, const struct run *run, struct error *err)
{
	char *const *asked = option_command(run->options);
	char *const *command = asked ? asked : run->command;
	const int64_t ns = schedule_length(run);

	if (ns == INT64_MAX)
		e->open = true;
	else if ((uint64_t)ns / NS_PER_SECOND > e->seconds)
		e->seconds = (uint64_t)ns / NS_PER_SECOND;
	if (!command)
		return 0;
	if (e->command)
		return fail(err, "a recording has one command, and %s is the second", command[0]);
	e->command = argv_copy(command);
	return e->command ? 0 : fail(err, "out of memory");
}

void record_ends_free(struct record_ends *e)
{
	argv_free(e->command);
	e->command = NULL;
}
