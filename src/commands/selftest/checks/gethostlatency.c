// SPDX-License-Identifier: GPL-2.0
/*
 * gethostlatency: one row for each call of our own library, with its latency; of nested calls the
 * outermost.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/commands/selftest/library.h"
#include "src/commands/selftest/selftest.h"

static const char *const functions[] = {
	"getaddrinfo", "gethostbyname", "gethostbyname2", "gethostbyname_r", "gethostbyname2_r",
	NULL
};

#define CALLS 5
#define PAUSE_NS 20000000

struct state {
	void *base;
};

static int prepare(struct work *w)
{
	struct state *s = w->state;
	char path[WORK_PATH];

	s->base = work_library(w, "libc.so.6", functions, path);
	if (!s->base)
		return -1;
	say_text(w, "libc", path);
	return 0;
}

static void *answer(const char *name)
{
	if (name && *name == 's')
		nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
	return NULL;
}

/* The library. Inner functions get only a name, so they find it here. */
static void *mapped;

static void *answer_by_another(const char *name)
{
	return library_at(mapped, 2)(name, answer);
}

static void call(struct work *w, unsigned int function, const char *name,
		 void *(*inner)(const char *))
{
	size_t n = strlen(name);

	library_at(mapped, function)(name, inner);
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_text(w, "call", functions[function], strlen(functions[function]));
	want_text(w, "host", name, n < 255 ? n : 255);
	if (n > 255)
		want_true(w, "host_cut");
	want_end(w);
}

static int work(struct work *w)
{
	const struct state *s = w->state;
	char name[300];

	mapped = s->base;
	for (unsigned int i = 0; i < CALLS; i++) {
		call(w, i, "slow.example", answer);
		call(w, i, "", answer);
	}
	call(w, 0, "a\x1b[31m\n\\\"b\xff", answer);
	call(w, 0, "nested.example", answer_by_another);
	call(w, 1, "nested.example", answer_by_another);
	library_at(mapped, 0)(NULL, answer);		/* only a port is looked up: no row */
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	call(w, 0, name, answer);
	return 0;
}

/* Slow calls took at least as long as they slept. */
static void check(struct found *f)
{
	rows_compare(f);
	found_times(f, "lat_ms", 6, "host", PAUSE_NS, INT64_MAX);
}

static const char *const options[] = { "--libc", "%libc", "--pid", "%pid", NULL };
static const char *const foreign[] = { "--libc", "%libc", "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work,
	  .check = check },
	{ }
};

SELFTEST(gethostlatency, parts, .state_size = sizeof(struct state));
