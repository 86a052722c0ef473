// SPDX-License-Identifier: GPL-2.0
/* Which processes have a row, and in which order: each below its parent. */
#include <inttypes.h>
#include <stdlib.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "src/lib/chart/model.h"

#define SHARE 1000			/* of the whole: a shorter life is no wider than a line */

/* All by the number of a process. */
struct layout {
	bool *shown;
	uint32_t *above;		/* the next one above that is shown; 0: none */
	uint32_t *depth;
	uint32_t *merged;
	uint32_t *child, *last, *next;	/* of those that are shown; 0: none */
};

static bool is_candidate(const struct chart_process *p)
{
	return !p->kernel && (!p->before || p->runs || p->pid == 1);
}

static uint32_t show(const struct chart *c, const struct layout *l, uint64_t shortest)
{
	uint32_t n = 0;

	for (uint32_t i = 1; i < c->n; i++) {
		const struct chart_process *p = &c->list[i];

		l->shown[i] = is_candidate(p) && (chart_life(c, p) >= shortest || p->pid == 1);
		n += l->shown[i];
	}
	return n;
}

/* Parents have smaller numbers: theirs is known. */
static void connect(const struct chart *c, const struct layout *l, struct chart_rows *to)
{
	for (uint32_t i = 1; i < c->n; i++) {
		const struct chart_process *p = &c->list[i];
		const uint32_t above = l->shown[p->parent] ? p->parent : l->above[p->parent];

		l->above[i] = above;
		if (l->shown[i]) {
			l->depth[i] = above ? l->depth[above] + 1 : 0;
			*(l->last[above] ? &l->next[l->last[above]] : &l->child[above]) = i;
			l->last[above] = i;
		} else if (is_candidate(p)) {
			l->merged[above]++;
			to->merged++;
		} else {
			to->hidden++;
			to->hidden_run += p->run;
		}
	}
}

static void list(const struct layout *l, struct chart_rows *to)
{
	uint32_t at = l->child[0];

	while (at) {
		to->list[to->n++] = (struct chart_row){ at, l->depth[at], l->merged[at] };
		if (l->child[at]) {
			at = l->child[at];
			continue;
		}
		while (at && !l->next[at])
			at = l->above[at];
		at = at ? l->next[at] : 0;
	}
}

int chart_rows(const struct chart *c, uint32_t most, struct chart_rows *to)
{
	uint32_t *numbers = calloc((size_t)c->n * 6, sizeof(*numbers)), n = 0;
	struct layout l = {
		.shown = calloc(c->n, sizeof(*l.shown)),
		.above = numbers, .depth = numbers + c->n, .merged = numbers + 2 * c->n,
		.child = numbers + 3 * c->n, .last = numbers + 4 * c->n,
		.next = numbers + 5 * c->n,
	};

	*to = (struct chart_rows){ .shortest = (c->now - c->start) / SHARE };
	while (numbers && l.shown && (n = show(c, &l, to->shortest)) > most)
		to->shortest = 2 * to->shortest + 1;
	if (numbers && l.shown)
		to->list = calloc(n + 1, sizeof(*to->list));
	if (to->list) {
		connect(c, &l, to);
		list(&l, to);
	}
	free(numbers);
	free(l.shown);
	return to->list ? 0 : -1;
}

static double seconds(uint64_t ns)
{
	return (double)ns / NS_PER_SECOND;
}

void chart_say(const struct chart *c, const struct chart_rows *rows, const struct chart_look *look,
	       struct lines *to)
{
	const uint64_t span = c->now - c->start;
	const uint32_t cpus = chart_cpus(c);
	uint32_t made = 0;
	char ran[60] = "";

	for (uint32_t i = 1; i < c->n; i++)
		made += !c->list[i].before && !c->list[i].kernel;
	if (cpus && span && !c->partial)
		text_cut(ran, sizeof(ran), "; %u CPU%s ran %.0f %% of the time", cpus,
			 cpus == 1 ? "" : "s",
			 100 * (double)c->run / ((double)span * cpus));
	lines_add(to, "%.3f s, %" PRIu64 " new processes%s", seconds(span), made + c->more, ran);
	if (rows->merged)
		lines_add(to, "not shown: %" PRIu64 " shorter than %.3f s; +N behind a name counts "
			  "those below it", rows->merged, seconds(rows->shortest));
	if (rows->hidden)
		lines_add(to, "not shown: %" PRIu64 " threads of the kernel and processes of "
			  "before; they ran %.3f s", rows->hidden, seconds(rows->hidden_run));
	if (c->more)
		lines_add(to, "%" PRIu64 " processes more are only in the sums: sonde keeps %d",
			  c->more, CHART_PROCESSES);
	if (c->losses)
		lines_add(to, "events were lost: some processes ran, waited and ended unseen");
	if (c->partial && !c->losses)
		lines_add(to, "switches are missing, and CPU times with them: was all recorded "
			  "(perf record -a)?");
	if (!look->switches)
		lines_add(to, "sched:sched_switch was not recorded: CPU times are unknown");
	for (unsigned int i = 0; look->notes && i < look->notes->n; i++)
		lines_add(to, "%s", look->notes->list[i]);
}
