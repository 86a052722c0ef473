// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "src/lib/chart/model.h"

#define LINES 12

static double seconds(uint64_t ns)
{
	return (double)ns / NS_PER_SECOND;
}

static uint64_t life_of_ended(const struct chart *c, const struct chart_process *p)
{
	return p->end && !p->kernel && !p->before ? chart_life(c, p) : 0;
}

static uint64_t run_of(const struct chart *c, const struct chart_process *p)
{
	(void)c;
	return p->run;
}

static uint64_t wait_of(const struct chart *c, const struct chart_process *p)
{
	(void)c;
	return p->wait;
}

/* Tables of the processes that have most of something. */
static const struct {
	const char *title;
	uint64_t (*of)(const struct chart *c, const struct chart_process *p);
} tables[] = {
	{ "LONGEST ENDED PROCESSES", life_of_ended }, { "MOST CPU", run_of },
	{ "MOST UNINTERRUPTIBLE WAITS, MOSTLY FOR DISKS", wait_of },
};

struct value {
	uint64_t value;
	uint32_t process;
};

static int by_value(const void *a, const void *b)
{
	const struct value *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return x->process < y->process ? -1 : 1;
}

static void put_process(FILE *file, const struct chart *c, uint32_t number)
{
	const struct chart_process *p = &c->list[number];
	char begin[24] = "-", end[24] = "-";

	if (!p->before)
		text_cut(begin, sizeof(begin), "%.3f", seconds(p->begin));
	if (p->end)
		text_cut(end, sizeof(end), "%.3f", seconds(p->end));
	fprintf(file, "%-7u %-15.15s %10s %10s %9.3f %9.3f %9.3f\n", p->pid, p->comm, begin, end,
		seconds(chart_life(c, p)), seconds(p->run), seconds(p->wait));
}

static void put_table(FILE *file, const struct chart *c, size_t table, struct value *values)
{
	uint32_t n = 0;

	for (uint32_t i = 1; i < c->n; i++)
		if (tables[table].of(c, &c->list[i]))
			values[n++] = (struct value){ tables[table].of(c, &c->list[i]), i };
	if (!n)
		return;
	qsort(values, n, sizeof(*values), by_value);
	fprintf(file, "\n%s\n%-7s %-15s %10s %10s %9s %9s %9s\n", tables[table].title, "PID",
		"COMM", "BEGIN(s)", "END(s)", "LIFE(s)", "CPU(s)", "WAIT(s)");
	for (uint32_t i = 0; i < n && i < LINES; i++)
		put_process(file, c, values[i].process);
}

static void put_gaps(FILE *file, const struct chart *c)
{
	if (!c->gaps[0].to)
		return;
	fprintf(file, "\nNOTHING RAN, %.3f s in all\n%10s %9s %s\n", seconds(c->gap_sum),
		"FROM(s)", "FOR(s)", "THEN RAN");
	for (unsigned int i = 0; i < CHART_GAPS && c->gaps[i].to; i++) {
		const struct chart_gap *g = &c->gaps[i];
		const struct chart_process *p = &c->list[g->process];

		fprintf(file, "%10.3f %9.3f", seconds(g->from), seconds(g->to - g->from));
		if (g->process)
			fprintf(file, " %.16s (%u)\n", p->comm, p->pid);
		else
			fputs(" -\n", file);
	}
}

int chart_print(FILE *file, const struct chart *c, const struct chart_look *look,
		struct error *err)
{
	struct value *values = calloc(c->n, sizeof(*values));
	/* Tables leave nothing out but by their length. */
	const struct chart_rows rows = { };
	struct lines lines = { };

	if (!values)
		return fail(err, "out of memory");
	fprintf(file, "%s\n", look->title);
	chart_say(c, &rows, look, &lines);
	for (unsigned int i = 0; i < lines.n; i++)
		fprintf(file, "%s\n", lines.list[i]);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		put_table(file, c, i, values);
	put_gaps(file, c);
	lines_free(&lines);
	free(values);
	return 0;
}
