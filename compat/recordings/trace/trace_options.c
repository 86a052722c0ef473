// SPDX-License-Identifier: GPL-2.0
/* Options of trace.dat: what both versions have of them. */
#include <stdlib.h>
#include <string.h>

#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/recordings/trace/trace_data.h"
#include "compat/recordings/trace/trace_side.h"

enum { OPTION_DATE = 1, OPTION_CPUSTAT = 2, OPTION_TRACECLOCK = 4, OPTION_UNAME = 5,
       OPTION_CPUCOUNT = 8, OPTION_TSC2NSEC = 14 };

/* A text, with or without its NUL. */
static void take_text(struct cursor *c, char *to, size_t size)
{
	const size_t n = (size_t)(c->end - c->at);

	text_cut(to, size, "%.*s", (int)strnlen((const char *)c->at, n), (const char *)c->at);
}

/*
 * The time of day of the clock's 0, in microseconds: `trace-cmd record --date` measures it.
 */
static int read_date(struct recording *r, struct cursor *c, struct error *err)
{
	char text[32], *end;
	unsigned long long us;

	(void)err;
	take_text(c, text, sizeof(text));
	us = strtoull(text, &end, 0);
	if (end > text && !*end && us && us < INT64_MAX / 2000)
		wall_note(&r->wall, 0, (int64_t)us * 1000);
	return 0;
}

/* The text of trace_clock: the clock that was used is in brackets. */
static int read_clocks(struct recording *r, struct cursor *c, struct error *err)
{
	struct trace_clock *clock = &trace_data_of(r)->clock;
	char text[256], name[sizeof(clock->name)];
	const char *open;

	(void)err;
	take_text(c, text, sizeof(text));
	open = strchr(text, '[');
	if (open && scan_text(&open, "[") && scan_until(&open, "]", name, sizeof(name)))
		text_all(clock->name, sizeof(clock->name), "%s", name);
	return 0;
}

/* As `uname -snrm` tells: "Linux HOST RELEASE MACHINE". */
static int read_uname(struct recording *r, struct cursor *c, struct error *err)
{
	char text[300];
	const char *at = text, *machine;
	char word[200];

	(void)err;
	take_text(c, text, sizeof(text));
	machine = strrchr(text, ' ');
	if (!scan_until(&at, " ", word, sizeof(word)) || !scan_text(&at, " ") ||
	    !scan_until(&at, " ", word, sizeof(word)) || !scan_text(&at, " ") ||
	    !scan_until(&at, " ", r->release, sizeof(r->release)))
		*r->release = '\0';
	else
		text_cut(r->machine, sizeof(r->machine), "%s", machine + 1);
	return 0;
}

static int read_cpus(struct recording *r, struct cursor *c, struct error *err)
{
	const uint32_t n = cursor_u32(c);

	if (c->broken || !n || n > CPUS_MOST)
		return trace_fails(r, "it has an impossible number of CPUs", err);
	r->cpus = n;
	return 0;
}

static int read_scale(struct recording *r, struct cursor *c, struct error *err)
{
	struct trace_clock *clock = &trace_data_of(r)->clock;

	clock->mult = cursor_u32(c);
	clock->shift = cursor_u32(c);
	if (c->broken || !clock->mult || clock->shift > 32)
		return trace_fails(r, "the scale of its clock can't be read", err);
	return 0;
}

static int read_stats(struct recording *r, struct cursor *c, struct error *err)
{
	char text[1024];

	take_text(c, text, sizeof(text));
	return trace_stats_read(r, text, err);
}

static const struct {
	uint16_t id;
	int (*read)(struct recording *r, struct cursor *c, struct error *err);
} readers[] = {
	{ OPTION_DATE, read_date }, { OPTION_CPUSTAT, read_stats },
	{ OPTION_TRACECLOCK, read_clocks },
	{ OPTION_UNAME, read_uname }, { OPTION_CPUCOUNT, read_cpus },
	{ OPTION_TSC2NSEC, read_scale },
};

int trace_option_read(struct recording *r, uint16_t id, struct cursor c, struct error *err)
{
	if (id == TRACE_OPTION_SIDE || id == TRACE_OPTION_PROBES)
		return trace_side_keep(r, id, c.at, (size_t)(c.end - c.at), err);
	for (unsigned int i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (readers[i].id == id)
			return readers[i].read(r, &c, err);
	return 0;
}

/*
 * A buffer may have a clock of its own. Only those of one clock can be put in order: that of the
 * first buffer with records.
 */
static void choose_clock(struct recording *r)
{
	struct trace_data *t = trace_data_of(r);
	const char *chosen = NULL;

	for (unsigned int i = 0; i < t->n_buffers; i++) {
		struct trace_buffer *b = &t->buffers[i];

		if (!b->rings)
			continue;
		if (!chosen)
			chosen = *b->clock ? b->clock : t->clock.name;
		b->left_out = strcmp(chosen, *b->clock ? b->clock : t->clock.name);
		if (b->left_out)
			lines_add(&r->notes, "the instance %s of %s is not read: its times are of "
				  "another clock", b->name, r->bytes.path);
	}
	if (chosen && chosen != t->clock.name)
		text_all(t->clock.name, sizeof(t->clock.name), "%s", chosen);
}

int trace_clock_check(struct recording *r, struct error *err)
{
	static const char *const in_ns[] = {
		"", "local", "global", "perf", "mono", "mono_raw", "boot", "tai",
	};
	struct trace_clock *c = &trace_data_of(r)->clock;

	choose_clock(r);
	for (unsigned int i = 0; i < sizeof(in_ns) / sizeof(*in_ns); i++)
		if (!strcmp(c->name, in_ns[i])) {
			c->mult = 0;
			return 0;
		}
	if (!strcmp(c->name, "x86-tsc") && c->mult)
		return 0;
	return fail(err, "the times in %s are of the clock %s, which does not count ns\n"
			 "%s records ns", r->bytes.path, c->name,
		    r->live ? "`echo mono >trace_clock`, before the events are on," :
		    "`trace-cmd record -C mono`");
}
