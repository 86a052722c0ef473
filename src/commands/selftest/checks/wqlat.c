// SPDX-License-Identifier: GPL-2.0
/* wqlat: each byte to a terminal is handed over by a work of a workqueue. */
#include <errno.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "src/commands/selftest/selftest.h"

#define BYTES 50
#define WORK_FUNCTION "flush_to_ldisc"

static int prepare(struct work *w)
{
	struct terminal *s = w->state;
	char path[WORK_PATH];
	struct termios raw;

	if (work_terminal(w, s, path))
		return -1;
	if (tcgetattr(s->other, &raw))
		return not_here(w, "a terminal: %s", strerror(errno));
	cfmakeraw(&raw);
	if (tcsetattr(s->other, TCSANOW, &raw))
		return not_here(w, "a terminal: %s", strerror(errno));
	return 0;
}

static int work(struct work *w)
{
	const struct terminal *s = w->state;
	char byte = 'b';

	for (int i = 0; i < BYTES; i++)
		if (write(s->ours, &byte, 1) != 1 || read(s->other, &byte, 1) != 1)
			return not_here(w, "a terminal: %s", strerror(errno));
	return 0;
}

/* Other terminals have such works, too. */
static void check(struct found *f)
{
	int64_t runs = 0;

	if (!found_sum(f, "runs", &runs))
		cell_verdict(f->cell, VERDICT_WRONG, "a row without a count");
	found_between(f, "runs", BYTES, runs, INT64_MAX);
}

static const char *const options[] = { "-f", WORK_FUNCTION, NULL };

static const struct selftest_part parts[] = {
	{ NULL, options, NULL, prepare, work, check },
	{ }
};

SELFTEST(wqlat, parts, .machine_wide = true, .state_size = sizeof(struct terminal));
