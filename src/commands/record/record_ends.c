// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/record_ends.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "src/run/run.h"
#include "src/session/schedule.h"

static void free_words(char **words)
{
	for (char **word = words; word && *word; word++)
		free(*word);
	free(words);
}

/* A copy: the words are the run's. */
static char **copy_words(char *const *words)
{
	unsigned int n = 0;
	char **copy;

	while (words[n])
		n++;
	copy = calloc(n + 1, sizeof(*copy));
	for (unsigned int i = 0; copy && i < n; i++) {
		copy[i] = strdup(words[i]);
		if (!copy[i]) {
			free_words(copy);
			return NULL;
		}
	}
	return copy;
}

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
	e->command = copy_words(command);
	return e->command ? 0 : fail(err, "out of memory");
}

void record_ends_free(struct record_ends *e)
{
	free_words(e->command);
	e->command = NULL;
}
