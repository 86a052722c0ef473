// SPDX-License-Identifier: GPL-2.0
/*
 * Trees of calls from records of beginnings and ends, some of which are lost. A record is
 * "b FUNCTION DEPTH TIME" or "e FUNCTION DEPTH NS", "E" the latter with a gap; all are one task's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/toolkit/functions/calltree.h"
#include "tests/unit/unit.h"

struct printed {
	char text[1024];
	size_t n;
};

/* A call is its function, its depth if any, "=ns-inner" or "?", "!" if calls are missing. */
static void print(void *arg, const struct calltree *t)
{
	struct printed *p = arg;

	for (size_t i = 0; i < t->n; i++) {
		const struct call *c = &t->calls[i];
		char took[48] = "?";

		if (c->ended)
			snprintf(took, sizeof(took), "=%d-%d", (int)c->ns, (int)c->inner);
		p->n += (size_t)snprintf(p->text + p->n, sizeof(p->text) - p->n, "%s%.*s%c%s%s",
					 i ? " " : "", c->depth, ">>>>>>>>", (char)c->function,
					 took, c->gap ? "!" : "");
	}
	p->n += (size_t)snprintf(p->text + p->n, sizeof(p->text) - p->n, "; ");
}

static void add(struct calltrees *all, const char *text, uint64_t task, uint32_t cpu)
{
	struct funcgraph_record r = { .pid_tgid = task, .cpu = cpu };
	unsigned int depth, number;
	char kind, function;

	ck_assert_int_eq(sscanf(text, "%c %c %u %u", &kind, &function, &depth, &number), 4);
	r.kind = kind == 'b' ? GRAPH_BEGINS : GRAPH_ENDS;
	r.gap = kind == 'E';
	r.function = (unsigned char)function;
	r.depth = (uint16_t)depth;
	*(r.kind == GRAPH_BEGINS ? &r.time : &r.ns) = number;
	ck_assert_int_eq(calltrees_add(all, &r), 0);
}

static const struct row {
	const char *name, *records, *trees;
} rows[] = {
	{ "a leaf", "b a 0 1|e a 0 5", "a=5-0; " },
	{ "calls in calls", "b a 0 1|b b 1 2|b c 2 3|e c 2 1|e b 1 4|b d 1 8|e d 1 2|e a 0 9",
	  "a=9-6 >b=4-1 >>c=1-0 >d=2-0; " },
	{ "a call in itself", "b a 0 1|b a 1 2|e a 1 3|e a 0 9", "a=9-3 >a=3-0; " },
	{ "the kernel's depths begin anywhere", "b a 7 1|b b 9 2|e b 9 3|e a 7 9",
	  "a=9-3 >b=3-0; " },
	{ "one after the other", "b a 0 1|e a 0 5|b b 0 7|e b 0 2", "a=5-0; b=2-0; " },
	{ "an end was lost: the next call is beside it", "b a 0 1|b b 1 2|b c 1 4|e c 1 1|e a 0 9",
	  "a=9-1! >b? >c=1-0; " },
	{ "the outermost end was lost", "b a 0 1|b b 0 2|e b 0 3", "a?; b=3-0; " },
	{ "ends within were lost", "b a 0 1|b b 1 2|b c 2 3|e a 0 9", "a=9-0! >b?! >>c?; " },
	{ "a beginning was lost", "b a 0 1|e b 1 2|e a 0 9", "a=9-0; " },
	{ "all beginnings were lost", "e b 1 2|e a 0 9", "" },
	{ "another function's end at this depth", "b a 0 1|b b 1 2|e c 1 2|e b 1 3|e a 0 9",
	  "a=9-3 >b=3-0; " },
	{ "records were lost within", "b a 0 1|b b 1 2|E b 1 3|e a 0 9", "a=9-3 >b=3-0!; " },
	{ "the run ends within a call", "b a 0 1|b b 1 2|e b 1 3", "a? >b=3-0; " },
};

START_TEST(trees)
{
	const struct row *row = &rows[_i];
	struct printed p = { .n = 0 };
	struct calltrees all = { .done = print, .arg = &p };
	char *copy = strdup(row->records), *rest = copy, *text;

	while ((text = strsep(&rest, "|")))
		add(&all, text, 0x700000007, 0);
	calltrees_finish(&all);
	calltrees_free(&all);
	free(copy);
	ck_assert_msg(!strcmp(p.text, row->trees), "%s: %s", row->name, p.text);
}
END_TEST

/* Threads are told apart by their ids; the idle tasks, which are all 0, by their CPUs. */
START_TEST(tasks)
{
	struct printed p = { .n = 0 };
	struct calltrees all = { .done = print, .arg = &p };

	add(&all, "b a 0 1", 0x700000007, 0);
	add(&all, "b b 0 1", 0x700000008, 0);
	add(&all, "b c 0 1", 0, 0);
	add(&all, "b d 0 1", 0, 1);
	add(&all, "e a 0 4", 0x700000007, 1);
	add(&all, "e c 0 6", 0, 0);
	add(&all, "e d 0 7", 0, 1);
	add(&all, "e b 0 5", 0x700000008, 0);
	calltrees_free(&all);
	ck_assert_str_eq(p.text, "a=4-0; c=6-0; d=7-0; b=5-0; ");
}
END_TEST

static void count(void *arg, const struct calltree *t)
{
	size_t *n = arg;

	*n += t->n;
}

/* What finds no room is counted, with all calls in it, and the call around it says so. */
START_TEST(full)
{
	size_t n = 0;
	struct calltrees all = { .done = count, .arg = &n };

	add(&all, "b a 0 1", 7, 0);
	for (int i = 0; i < CALLTREE_CALLS - 1; i++) {
		add(&all, "b b 1 1", 7, 0);
		add(&all, "e b 1 1", 7, 0);
	}
	add(&all, "b c 1 1", 7, 0);
	add(&all, "b d 2 1", 7, 0);
	add(&all, "e d 2 1", 7, 0);
	add(&all, "e c 1 1", 7, 0);
	add(&all, "e a 0 9", 7, 0);
	ck_assert_uint_eq(n, CALLTREE_CALLS);
	ck_assert_uint_eq(all.cut, 2);
	add(&all, "b a 0 1", 7, 0);
	add(&all, "e a 0 9", 7, 0);
	ck_assert_uint_eq(n, CALLTREE_CALLS + 1);
	calltrees_free(&all);
}
END_TEST

Suite *suite_calltree(void)
{
	Suite *s = suite_create("calltree");
	TCase *c = tcase_create("calltree");

	tcase_add_loop_test(c, trees, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(c, tasks);
	tcase_add_test(c, full);
	suite_add_tcase(s, c);
	return s;
}
