// SPDX-License-Identifier: GPL-2.0
#include "src/stacks/lives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"

#define LIVES_KEPT 1000000u		/* 32 MB: then the older half is given up */

struct life {
	uint64_t from;
	uint32_t pid;
	bool forked;
	bool ended;			/* no program begins here */
	char name[16];			/* empty: that of the process that forked it */
};

static int by_pid(const void *a, const void *b)
{
	const struct life *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

static void drop_half(struct lives *l)
{
	unsigned int half = l->n / 2;

	l->blind = l->list[half - 1].from;
	memmove(l->list, l->list + half, (l->n - half) * sizeof(*l->list));
	l->n -= half;
}

static void add(struct lives *l, const struct life *life)
{
	if (l->n == LIVES_KEPT)
		drop_half(l);
	if (array_room(&l->list, l->n, sizeof(*l->list))) {
		l->blind = life->from;
		return;
	}
	l->list[l->n++] = *life;
}

void lives_begin(struct lives *l, uint32_t pid, uint64_t time, const char *name)
{
	struct life life = { .from = time, .pid = pid, .forked = !name };

	snprintf(life.name, sizeof(life.name), "%s", name ? name : "");
	add(l, &life);
}

void lives_end(struct lives *l, uint32_t pid, uint64_t time)
{
	add(l, &(struct life){ .from = time, .pid = pid, .ended = true });
}

void lives_sort(struct lives *l)
{
	if (l->n)
		qsort(l->list, l->n, sizeof(*l->list), by_pid);
}

/* The first of a process, in the order of lives_sort(). */
static unsigned int first_of(const struct lives *l, uint32_t pid)
{
	unsigned int low = 0, high = l->n;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (l->list[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* How well a program's name, "" if it is not known, goes with what a task was called. */
static int fits(const char *name, const char *comm)
{
	return !name[0] ? 1 : strcmp(name, comm) ? 0 : 2;
}

unsigned int lives_times(const struct lives *l, uint32_t pid, const char *comm,
			 uint64_t times[LIVES_MOST])
{
	unsigned int n = 0, at = first_of(l, pid);
	const char *name = "";
	bool last = false, exists = false;
	int best = -1;

	/*
	 * From the program that it was at first to the last: each ends where the next begins.
	 * Before a fork there was none, unless one ended. One whose first thread has ended may go
	 * on.
	 */
	for (; !last; at++) {
		const struct life *next = &l->list[at];

		last = at == l->n || next->pid != pid;
		if (!last && next->ended) {
			exists = true;
			continue;
		}
		exists |= last || !next->forked;
		if (exists && fits(name, comm) > best) {
			best = fits(name, comm);
			n = 0;
		}
		if (exists && fits(name, comm) == best && n < LIVES_MOST)
			times[n++] = last ? UINT64_MAX : next->from - 1;
		exists = true;
		if (!last)
			name = next->name;
	}
	if (l->blind && n < LIVES_MOST)
		times[n++] = l->blind;
	return n;
}

void lives_forget(struct lives *l, uint64_t blind)
{
	l->n = 0;
	l->blind = blind;
}

void lives_free(struct lives *l)
{
	free(l->list);
	*l = (struct lives){ 0 };
}
