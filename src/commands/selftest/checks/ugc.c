// SPDX-License-Identifier: GPL-2.0
/*
 * ugc and javagc: a row for each collection, or part of one, that three libraries of our own tell
 * by the probes (USDT) of Python, Ruby and Java.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "src/commands/selftest/library.h"
#include "src/commands/selftest/selftest.h"

#define PAUSE_NS 20000000
#define ROUNDS 3

enum { PYTHON, RUBY, JAVA, RUNTIMES };
static const char *const names[] = { "libpython3.so", "libruby.so", "libjvm.so" };
static const char *const functions[RUNTIMES][5] = {
	{ "python:gc__start", "python:gc__done", NULL },
	{ "ruby:gc__mark__begin", "ruby:gc__mark__end", "ruby:gc__sweep__begin",
	  "ruby:gc__sweep__end", NULL },
	{ "hotspot:gc__begin", "hotspot:gc__end", "hotspot:mem__pool__gc__begin",
	  "hotspot:mem__pool__gc__end", NULL },
};

struct state {
	void *bases[RUNTIMES];
};

static int prepare(struct work *w)
{
	struct state *s = w->state;
	char path[WORK_PATH];

	for (unsigned int i = 0; i < RUNTIMES; i++) {
		s->bases[i] = work_library(w, names[i], functions[i], path);
		if (!s->bases[i])
			return -1;
	}
	return 0;
}

/* What the functions do within; by two names, since Java's pools tell it as a number. */
static void *nothing(const char *text)
{
	return (void *)text;
}

static void *nothing_else(const char *text)
{
	(void)text;
	return NULL;
}

static void hit(const struct work *w, unsigned int runtime, unsigned int probe, int64_t argument)
{
	const struct state *s = w->state;

	library_at(s->bases[runtime], probe)((const char *)(intptr_t)argument, nothing);
}

/* The third argument is the name of the pool, the sixth one the second again, and so on. */
static void hit_pool(const struct work *w, unsigned int probe, void *(*inner)(const char *),
		     const char *pool)
{
	typedef void *function(const char *text, void *(*inner)(const char *), const char *pool);
	const struct state *s = w->state;

	((function *)(void (*)(void))library_at(s->bases[JAVA], probe))("manager", inner, pool);
}

static void rest(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
}

/* How long all of it took. */
static int say_usecs(struct work *w, int64_t start)
{
	say_integer(w, "usecs", (clock_ns(CLOCK_MONOTONIC) - start) / 1000 + 1);
	return 0;
}

/* Where texts can't be read, as of 32-bit programs by rings, the tool says this, and has none. */
#define POOLS	"gc.end.pool"
static const char a_pool[] = "java pool";

static void want(struct work *w, const char *what, const char *description)
{
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	if (what) {
		want_text(w, "what", what, strlen(what));
		want_text(w, "description", description, strlen(description));
	}
	if (what == a_pool)
		want_hook(w, POOLS);
	want_end(w);
}

static void want_pool(struct work *w, const char *pool)
{
	char text[160];

	text_cut(text, sizeof(text), "%s used=%" PRIuPTR "->%" PRIuPTR " committed=%" PRIuPTR,
		 pool, (uintptr_t)nothing, (uintptr_t)nothing_else, (uintptr_t)pool);
	want(w, a_pool, text);
}

static void python(struct work *w, int generation, int64_t collected)
{
	char text[64];

	hit(w, PYTHON, 0, generation);
	rest();
	hit(w, PYTHON, 1, collected);
	snprintf(text, sizeof(text), "gen %d GC collected %" PRId64 " objects", generation,
		 collected);
	want(w, "python", text);
}

static void ruby(struct work *w)
{
	for (unsigned int i = 0; i < 4; i += 2) {
		hit(w, RUBY, i, 0);
		rest();
		hit(w, RUBY, i + 1, 0);
		want(w, i ? "ruby sweep" : "ruby mark", i ? "GC sweep stage" : "GC mark stage");
	}
}

/* Two pools, of which the second one ends first. */
static void java(struct work *w, bool full, bool pools)
{
	char eden[] = "Eden Space", old[] = "Old \x1b\"";

	hit(w, JAVA, 0, full);
	hit_pool(w, 2, nothing, eden);
	hit_pool(w, 2, nothing, old);
	rest();
	hit_pool(w, 3, nothing_else, old);
	hit_pool(w, 3, nothing_else, eden);
	hit(w, JAVA, 1, 0);
	if (pools) {
		want_pool(w, old);
		want_pool(w, eden);
	}
	want(w, pools ? "java" : NULL, full ? "full GC" : "GC");
}

static int work_all(struct work *w)
{
	int64_t start = clock_ns(CLOCK_MONOTONIC);

	for (int i = 0; i < ROUNDS; i++) {
		python(w, i, 1000 * i + 1);
		ruby(w);
		java(w, i & 1, true);
	}
	hit(w, PYTHON, 1, 5);		/* an end without a beginning: no row */
	return say_usecs(w, start);
}

static int work_java(struct work *w)
{
	int64_t start = clock_ns(CLOCK_MONOTONIC);

	for (int i = 0; i < ROUNDS; i++)
		java(w, i & 1, false);
	return say_usecs(w, start);
}

/* Each took as long as it slept at least, and no longer than all of them. */
static void check(struct found *f)
{
	rows_compare(f);
	found_times(f, "time_us", 3, NULL, PAUSE_NS, said_integer(f, "usecs") * 1000);
}

static void check_java(struct found *f)
{
	rows_compare(f);
	found_times(f, "gc_time_us", 3, NULL, PAUSE_NS, said_integer(f, "usecs") * 1000);
}

/*
 * A slot's lowest value is up to an eighth less than the value. In another pid namespace all
 * processes are counted: histograms have no names.
 */
static void check_histograms(struct found *f)
{
	static const struct {
		const char *what;
		int64_t n;
	} wanted[] = {
		{ "python", ROUNDS }, { "ruby mark", ROUNDS }, { "ruby sweep", ROUNDS },
		{ "java", ROUNDS },
	};
	const int64_t slept = 4 * ROUNDS * (PAUSE_NS / 1000);
	const int64_t pools = found_counted(f, "what", a_pool);

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		found_between(f, wanted[i].what, wanted[i].n,
			      found_counted(f, "what", wanted[i].what),
			      f->foreign ? INT64_MAX : wanted[i].n);
	/* Before 3.14 uprobes can't read memory: the tool says so, and has no pools. */
	if (pools || !found_missing(f, "gc.end"))
		found_between(f, a_pool, 2 * ROUNDS, pools, f->foreign ? INT64_MAX : 2 * ROUNDS);
	/* A collection of Java and its two pools take the same time. */
	found_between(f, "usecs", slept - slept / 8, found_total(f),
		      f->foreign ? INT64_MAX : 3 * said_integer(f, "usecs"));
}

static const char *const options[] = { "--pid", "%pid", NULL };
static const char *const foreign[] = { "--name", "%name", NULL };
static const char *const histograms[] = { "-H", "--pid", "%pid", NULL };
static const char *const all_histograms[] = { "-H", NULL };
static const char *const java_options[] = { "-t", "0", "--pid", "%pid", NULL };
static const char *const java_foreign[] = { "-t", "0", "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ "rows", options, foreign, prepare, work_all, check },
	{ "histograms", histograms, all_histograms, prepare, work_all, check_histograms },
	{ }
};
static const struct selftest_part java_parts[] = {
	{ NULL, java_options, java_foreign, prepare, work_java, check_java },
	{ }
};

SELFTEST(ugc, parts, .state_size = sizeof(struct state));
SELFTEST(javagc, java_parts, .state_size = sizeof(struct state));
