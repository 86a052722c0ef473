// SPDX-License-Identifier: GPL-2.0
/*
 * memleak: what is held after calls of our own library, to the byte: some is freed, some calls get
 * nothing, and of nested calls the outermost counts.
 */
#include <stdint.h>

#include "src/commands/selftest/library.h"
#include "src/commands/selftest/selftest.h"

enum { MALLOC, VALLOC, FREE };
static const char *const functions[] = {
	"malloc", "valloc", "free", "posix_memalign", "mmap", NULL
};

#define HELD 5
#define FREED 7
#define BYTES 1000
#define PLACES 0x10000			/* addresses that the library gives */

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
	say_text(w, "library", path);
	return 0;
}

static uintptr_t next;			/* what the innermost call gets */

static void *get(const char *size)
{
	(void)size;
	return (void *)next;
}

/* The library. Inner functions get only their size, so they find it here. */
static void *mapped;

static void *get_by_another(const char *size)
{
	return library_at(mapped, VALLOC)(size, get);
}

static void take(uintptr_t size, uintptr_t address, void *(*inner)(const char *))
{
	next = address;
	library_at(mapped, MALLOC)((const char *)size, inner);
}

static int work(struct work *w)
{
	const struct state *s = w->state;

	mapped = s->base;
	for (uintptr_t i = 0; i < HELD; i++)
		take(BYTES, PLACES + 0x1000 * i, i % 2 ? get : get_by_another);
	for (uintptr_t i = 0; i < FREED; i++) {
		take(BYTES, 2 * PLACES, get);
		library_at(mapped, FREE)((const char *)(uintptr_t)(2 * PLACES), get);
	}
	take(BYTES, 0, get);
	return 0;
}

static void check(struct found *f)
{
	int64_t bytes = 0, allocations = 0;

	if (!found_sum(f, "bytes", &bytes) || !found_sum(f, "allocations", &allocations))
		cell_verdict(f->cell, VERDICT_WRONG, "a stack without its sums");
	found_between(f, "bytes", HELD * BYTES, bytes, HELD * BYTES);
	found_between(f, "allocations", HELD, allocations, HELD);
}

static const char *const options[] = { "-O", "%library", "-o", "0", "--pid", "%pid", NULL };
static const char *const foreign[] = { "-O", "%library", "-o", "0", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work,
	  .check = check },
	{ }
};

SELFTEST(memleak, parts, .state_size = sizeof(struct state));
