// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/stacks/lives.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/text.h"

#define LIVES_KEPT 1000000u		/* 32 MB; if there are more, the older half is dropped */

struct life {
	uint64_t from;
	uint32_t pid;
	bool forked;
	bool ended;			/* the process ended here: no program begins */
	char was[16];			/* the name of the program before; empty: unknown */
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

	for (unsigned int i = 0; i < half; i++)
		if (l->blind < l->list[i].from)
			l->blind = l->list[i].from;
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

static void begin(struct lives *l, struct life life, const char *name)
{
	text_cut(life.was, sizeof(life.was), "%s", called_name(&l->called, life.pid));
	add(l, &life);
	called_all(&l->called, life.pid, name);
}

void lives_seed(struct lives *l, uint32_t pid, const char *name, bool first)
{
	(first ? called_all : called_one)(&l->called, pid, name);
}

void lives_fork(struct lives *l, uint32_t parent, uint32_t child, uint64_t time)
{
	char name[16];

	text_cut(name, sizeof(name), "%s", called_name(&l->called, parent));
	begin(l, (struct life){ .from = time, .pid = child, .forked = true }, name);
}

void lives_exec(struct lives *l, uint32_t pid, uint64_t time, const char *name)
{
	begin(l, (struct life){ .from = time, .pid = pid }, name);
}

void lives_rename(struct lives *l, uint32_t pid, const char *name)
{
	called_one(&l->called, pid, name);
}

/* Keeps the name of the process: it is needed until the interval has been printed. */
void lives_end(struct lives *l, uint32_t pid, uint64_t time)
{
	add(l, &(struct life){ .from = time, .pid = pid, .ended = true });
}

void lives_sort(struct lives *l)
{
	if (l->n)
		qsort(l->list, l->n, sizeof(*l->list), by_pid);
}

/* The index of the first entry of a process, in the order of lives_sort(). */
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

/* Returns true if a program with this name may have had a task `comm`; "": unknown, any. */
static bool fits(const char *name, const char *comm)
{
	return !name[0] || !comm[0] || !strcmp(name, comm);
}

unsigned int lives_times(const struct lives *l, uint32_t pid, const char *comm,
			 uint64_t times[LIVES_MOST])
{
	unsigned int n = 0, at = first_of(l, pid);
	bool last = false, exists = false;

	/*
	 * From the first program of the process to its last: each one ends where the next begins.
	 * Before a fork there was no program, unless an end came before. A process whose first
	 * thread has ended may go on.
	 */
	for (; !last; at++) {
		const struct life *next = &l->list[at];

		last = at == l->n || next->pid != pid;
		if (!last && next->ended) {
			exists = true;
			continue;
		}
		exists |= last || !next->forked;
		if (exists && fits(last ? called_name(&l->called, pid) : next->was, comm)) {
			if (n == LIVES_MOST)
				return 0;
			times[n++] = last ? UINT64_MAX : next->from - 1;
		}
		exists = true;
	}
	if (l->blind && n < LIVES_MOST)
		times[n++] = l->blind;
	return n;
}

void lives_forget(struct lives *l, uint64_t before)
{
	unsigned int kept = 0;

	lives_sort(l);
	for (unsigned int i = 0; i < l->n; i++) {
		const bool newest = i + 1 == l->n || l->list[i + 1].pid != l->list[i].pid;

		if (l->list[i].from >= before)
			l->list[kept++] = l->list[i];
		else if (l->list[i].ended && newest)
			called_all(&l->called, l->list[i].pid, "");
	}
	l->n = kept;
	if (l->blind < before)
		l->blind = 0;
}

void lives_lost(struct lives *l, uint64_t now)
{
	lives_free(l);
	l->blind = now;
}

void lives_free(struct lives *l)
{
	called_free(&l->called);
	free(l->list);
	*l = (struct lives){ 0 };
}
