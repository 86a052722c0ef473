// SPDX-License-Identifier: GPL-2.0
/*
 * Which file calls which, by the symbols that the objects of this build need and have: no circle of
 * files crosses a folder, and a file calls its own floor or those below.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"

Suite *suite_floors(void);

/* From the ground up. A file is on the floor that has the longest beginning of its path. */
static const struct {
	const char *folders[9];		/* NULL: the end */
} floors[] = {
	{ { "compat/arch" } },
	{ { "compat/base" } },
	{ { "compat/time", "compat/expressions", "compat/hooks", "compat/events",
	    "compat/rings", "compat/containers" } },
	{ { "compat/kernel" } },
	{ { "compat/types", "compat/user", "compat/tasks", "compat/recordings" } },
	{ { "compat/binaries", "compat/usdt", "compat/probing" } },
	{ { "compat/kinds", "compat/listing", "compat/report" } },
	{ { "compat/resolve" } },
	{ { "insns" } },
	{ { "insns/lower" } },
	{ { "insns/verifier" } },
	{ { "backends/kinds", "backends/rings", "backends/semaphores", "backends/stacks" } },
	{ { "backends/tracefs", "backends/vm" } },
	{ { "backends/offsets", "backends/stream" } },
	{ { "backends/replay/readers" } },
	{ { "backends/ftrace", "backends/perf", "backends/recorder", "backends/replay" } },
	{ { "backends/bpf" } },
	{ { "backends" } },
	{ { "src/lib" } },
	/* names of numbers */
	{ { "src/language/expressions/constants", "src/toolkit/numbered", "src/toolkit/signals" } },
	/* the language: expressions and statements, without what they are probed at */
	{ { "src/language/expressions/bind", "src/language/expressions/inputs",
	    "src/language/expressions/parse", "src/language/expressions/tree",
	    "src/language/questions/format", "src/language/questions/probes/ring_filter",
	    "src/language/questions/probes/traced_calls", "src/language/types" } },
	{ { "src/language/expressions", "src/language/questions/statement",
	    "src/language/questions/sums", "src/language/questions/values" } },
	{ { "src/run/child", "src/run/stop" } },
	/* runs and plans: what src/run/tool.h and src/run/run.h promise to tools */
	{ { "src/run" } },
	{ { "src/toolkit", "src/language/calls" } },
	{ { "src/toolkit/stacks" } },
	{ { "src/toolkit/patterns", "src/language/event_text" } },
	{ { "src/toolkit/files", "src/toolkit/functions" } },
	{ { "src/language/questions", "src/language/systrace" } },
	{ { "src/bt/layout", "src/bt/run/items", "src/bt/show" } },
	{ { "src/bt/emit", "src/bt/text" } },
	{ { "src/bt/syntax" } },
	{ { "src/bt/bind", "src/bt/functions" } },
	{ { "src/bt" } },
	{ { "src/tools" } },
	{ { "src/commands/probe", "src/commands/selftest", "src/commands/stat" } },
	{ { "src/commands", "src/session" } },
	{ { "src/main" } },
};

#define FILES	1200
#define SYMBOLS	40000
#define WORDS	((FILES + 63) / 64)
#define PATH	96

struct symbol {
	char name[80];
	unsigned int file;
};

struct call {
	unsigned int from, to;
	const char *symbol;
};

static struct graph {
	unsigned int n_files, n_had, n_needed, n_calls;
	char files[FILES][PATH];		/* without `.o` */
	struct symbol had[SYMBOLS], needed[SYMBOLS];
	struct call calls[SYMBOLS];
	/* by which files a file can be reached: its calls, and those of the called files */
	uint64_t reaches[FILES][WORDS];
} graph;

static bool reaches(const struct graph *g, unsigned int from, unsigned int to)
{
	return g->reaches[from][to / 64] >> to % 64 & 1;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

/* The file of an object, from its path without `.o`: objects of one file follow each other. */
static unsigned int file_of(struct graph *g, const char *path)
{
	if (!g->n_files || strcmp(g->files[g->n_files - 1], path)) {
		ck_assert_uint_lt(g->n_files, FILES);
		ck_assert_uint_lt(strlen(path), PATH);
		strcpy(g->files[g->n_files++], path);
	}
	return g->n_files - 1;
}

/* A file that was moved leaves its object in the build. */
static bool has_source(const char *object)
{
	char source[PATH + 2];

	snprintf(source, sizeof(source), "%s.c", object);
	return !access(source, F_OK);
}

/* Lines "OBJECT: SYMBOL TYPE ..." of nm(1). */
static void read_symbols(struct graph *g)
{
	static const char command[] =
		"cd " BUILD_FOLDER " && "
		"find compat insns backends src -name '*.o' | xargs nm -A -g -P";
	char line[1024], object[PATH], type;
	struct symbol symbol;
	FILE *f = popen(command, "r");

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%95[^.].o: %79s %c", object, symbol.name, &type) != 3 ||
		    !has_source(object))
			continue;
		symbol.file = file_of(g, object);
		ck_assert_uint_lt(g->n_had, SYMBOLS);
		ck_assert_uint_lt(g->n_needed, SYMBOLS);
		if (strchr("Uwv", type))
			g->needed[g->n_needed++] = symbol;
		else
			g->had[g->n_had++] = symbol;
	}
	ck_assert_int_eq(pclose(f), 0);
	ck_assert_msg(g->n_files > 300, "only %u objects were found", g->n_files);
	qsort(g->had, g->n_had, sizeof(g->had[0]), by_name);
}

static void find_calls(struct graph *g)
{
	for (unsigned int i = 0; i < g->n_needed; i++) {
		const struct symbol *to = bsearch(&g->needed[i], g->had, g->n_had,
						  sizeof(g->had[0]), by_name);
		unsigned int from = g->needed[i].file;

		if (!to || to->file == from)
			continue;
		g->calls[g->n_calls++] = (struct call){
			from,
			to->file,
			to->name,
		};
	}
}

/* All that files reach by calls. */
static void find_reach(struct graph *g)
{
	for (unsigned int i = 0; i < g->n_calls; i++)
		g->reaches[g->calls[i].from][g->calls[i].to / 64] |= 1ULL << g->calls[i].to % 64;
	for (unsigned int by = 0; by < g->n_files; by++)
		for (unsigned int i = 0; i < g->n_files; i++)
			for (unsigned int w = 0; reaches(g, i, by) && w < WORDS; w++)
				g->reaches[i][w] |= g->reaches[by][w];
}

static struct graph *graph_of(void)
{
	if (!graph.n_files) {
		read_symbols(&graph);
		find_calls(&graph);
		find_reach(&graph);
	}
	return &graph;
}

static bool same_folder(const char *a, const char *b)
{
	size_t n = (size_t)(strrchr(a, '/') - a) + 1;

	return n == (size_t)(strrchr(b, '/') - b) + 1 && !strncmp(a, b, n);
}

/* Is the call a part of a circle, and from one folder to another? */
static bool closes_circle(const struct graph *g, const struct call *c)
{
	return !same_folder(g->files[c->from], g->files[c->to]) && reaches(g, c->to, c->from);
}

START_TEST(circles)
{
	const struct graph *g = graph_of();
	unsigned int closed = 0;

	for (unsigned int i = 0; i < g->n_calls; i++) {
		const struct call *c = &g->calls[i];

		if (!closes_circle(g, c))
			continue;
		fprintf(stderr, "in a circle: %s.c calls %s of %s.c\n", g->files[c->from],
			c->symbol, g->files[c->to]);
		closed++;
	}
	ck_assert_msg(!closed, "%u calls from one folder to another are parts of a circle of files",
		      closed);
}
END_TEST

/* How much of the path the folder is the beginning of; 0: it is none. */
static size_t matched(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return !strncmp(path, folder, n) && (path[n] == '/' || !path[n]) ? n : 0;
}

static size_t floor_of(const char *path)
{
	size_t floor = 0, longest = 0;

	for (size_t i = 0; i < sizeof(floors) / sizeof(floors[0]); i++)
		for (const char *const *folder = floors[i].folders; *folder; folder++)
			if (matched(path, *folder) > longest) {
				longest = matched(path, *folder);
				floor = i;
			}
	ck_assert_msg(longest, "%s is on no floor: its folder needs a place in floors[]", path);
	return floor;
}

static bool goes_up(const struct graph *g, const struct call *c)
{
	return floor_of(g->files[c->to]) > floor_of(g->files[c->from]);
}

START_TEST(calls_go_down)
{
	const struct graph *g = graph_of();
	unsigned int up = 0;

	for (unsigned int i = 0; i < g->n_calls; i++) {
		const struct call *c = &g->calls[i];

		if (!goes_up(g, c))
			continue;
		fprintf(stderr, "goes up: %s.c calls %s of %s.c\n", g->files[c->from], c->symbol,
			g->files[c->to]);
		up++;
	}
	ck_assert_msg(!up, "%u calls go up: move what is called, or who calls", up);
}
END_TEST

Suite *suite_floors(void)
{
	Suite *s = suite_create("floors");

	add_tests(s, "circles", circles, 1);
	add_tests(s, "calls go down", calls_go_down, 1);
	return s;
}
