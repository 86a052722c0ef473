/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TASK_TABLE_H
#define SONDE_TASK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What each entry begins with. */
struct task_entry {
	uint32_t tid;			/* 0: the slot is empty */
	uint64_t exited;		/* stream time; 0: alive */
	uint64_t asked;			/* when /proc was last read for it; 0: never */
};

/* Stream times from which a fact of a task holds. */
#define SINCE_UNKNOWN UINT64_MAX
#define SINCE_SEEDED 1			/* since the beginning: /proc told it before any event */

/* Returns true if /proc told the fact: then it is newer than the event of the task's beginning. */
static inline bool task_is_seeded(const struct task_entry *e, uint64_t since)
{
	return since == SINCE_SEEDED && !e->exited;
}

/* Returns true if the task has not ended, or has ended only now: then it still runs a little. */
bool task_may_run(const struct task_entry *e, uint64_t time);

/*
 * Entries by thread id, all of one size; each begins with a struct task_entry. Entries move: a
 * pointer is valid until the next task_table_enter() or task_table_forget().
 */
struct task_table {
	uint8_t *slots;			/* open addressing, linear; a power of two of them */
	size_t size;			/* of an entry */
	uint32_t n_slots, used;
	/* Called before the table grows: returns false if the entry may be dropped. */
	bool (*keep)(const void *entry, uint64_t now);
};

/* Returns -1 if there is no memory. */
int task_table_init(struct task_table *t, size_t size,
		    bool (*keep)(const void *entry, uint64_t now));
void task_table_free(struct task_table *t);
/* The thread's entry. Returns NULL if there is none. */
void *task_table_find(const struct task_table *t, uint32_t tid);
/* The same. An entry whose task can't run any more is forgotten: the id may be another thread's. */
void *task_table_living(struct task_table *t, uint32_t tid, uint64_t time);
/* The thread's entry. A new one is all 0 but for the id, and *made is set. */
void *task_table_enter(struct task_table *t, uint32_t tid, uint64_t now, bool *made);
void task_table_forget(struct task_table *t, uint32_t tid);
/* The next entry, in no order; entry NULL: the first. Returns NULL behind the last. */
void *task_table_next(const struct task_table *t, const void *entry);

#endif
