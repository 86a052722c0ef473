// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/tables/task_table.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 1024
#define LINGER_NS 1000000000ULL	/* a task still runs a little after its sched_process_exit */

static void *at(const struct task_table *t, uint32_t slot)
{
	return t->slots + slot * t->size;
}

static uint32_t tid_at(const struct task_table *t, uint32_t slot)
{
	return *(const uint32_t *)at(t, slot);
}

static uint32_t home(const struct task_table *t, uint32_t tid)
{
	return (tid * 2654435769U) >> 7 & (t->n_slots - 1);
}

/* The slot that holds tid, or the empty slot that it would get. */
static uint32_t slot_of(const struct task_table *t, uint32_t tid)
{
	uint32_t i = home(t, tid);

	while (tid_at(t, i) && tid_at(t, i) != tid)
		i = (i + 1) & (t->n_slots - 1);
	return i;
}

int task_table_init(struct task_table *t, size_t size,
		    bool (*keep)(const void *entry, uint64_t now))
{
	*t = (struct task_table){ .size = size, .n_slots = FIRST_SLOTS, .keep = keep };
	t->slots = calloc(t->n_slots, size);
	return t->slots ? 0 : -1;
}

void task_table_free(struct task_table *t)
{
	free(t->slots);
	t->slots = NULL;
}

void *task_table_find(const struct task_table *t, uint32_t tid)
{
	const uint32_t slot = slot_of(t, tid);

	return tid_at(t, slot) ? at(t, slot) : NULL;
}

bool task_may_run(const struct task_entry *e, uint64_t time)
{
	return !e->exited || time <= e->exited + LINGER_NS;
}

void *task_table_living(struct task_table *t, uint32_t tid, uint64_t time)
{
	struct task_entry *e = task_table_find(t, tid);

	if (!e || task_may_run(e, time))
		return e;
	task_table_forget(t, tid);
	return NULL;
}

/* Forgets the entries that need not be kept. Doubles the table if more than half of it is left. */
static void make_room(struct task_table *t, uint64_t now)
{
	struct task_table old = *t;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < old.n_slots; i++) {
		if (tid_at(&old, i) && !t->keep(at(&old, i), now))
			*(uint32_t *)at(&old, i) = 0;
		kept += tid_at(&old, i) != 0;
	}
	if (kept > old.n_slots / 2)
		t->n_slots *= 2;
	t->slots = calloc(t->n_slots, t->size);
	if (!t->slots) {	/* an empty table is better than chains with holes in them */
		*t = old;
		memset(t->slots, 0, t->n_slots * t->size);
		t->used = 0;
		return;
	}
	for (uint32_t i = 0; i < old.n_slots; i++)
		if (tid_at(&old, i))
			memcpy(at(t, slot_of(t, tid_at(&old, i))), at(&old, i), t->size);
	t->used = kept;
	free(old.slots);
}

void *task_table_enter(struct task_table *t, uint32_t tid, uint64_t now, bool *made)
{
	uint32_t slot = slot_of(t, tid);

	*made = !tid_at(t, slot);
	if (!*made)
		return at(t, slot);
	if (t->used >= t->n_slots / 4 * 3) {
		make_room(t, now);
		slot = slot_of(t, tid);
	}
	t->used++;
	memset(at(t, slot), 0, t->size);
	*(uint32_t *)at(t, slot) = tid;
	return at(t, slot);
}

void task_table_forget(struct task_table *t, uint32_t tid)
{
	const uint32_t mask = t->n_slots - 1;
	uint32_t hole = slot_of(t, tid), i = hole;

	if (!tid_at(t, hole))
		return;
	t->used--;
	/*
	 * Fills the hole: an entry farther down the chain moves into it, unless the entry's home is
	 * behind the hole.
	 */
	for (;;) {
		i = (i + 1) & mask;
		if (!tid_at(t, i))
			break;
		if (((i - home(t, tid_at(t, i))) & mask) >= ((i - hole) & mask)) {
			memcpy(at(t, hole), at(t, i), t->size);
			hole = i;
		}
	}
	*(uint32_t *)at(t, hole) = 0;
}

void *task_table_next(const struct task_table *t, const void *entry)
{
	uint32_t i = entry ? (uint32_t)(((const uint8_t *)entry - t->slots) / t->size) + 1 : 0;

	while (i < t->n_slots && !tid_at(t, i))
		i++;
	return i < t->n_slots ? at(t, i) : NULL;
}
