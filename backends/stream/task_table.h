/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TASK_TABLE_H
#define SONDE_TASK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Entries by thread id, of one size. Each begins with the uint32_t of its thread; 0: the slot is
 * empty. Entries move: a pointer is good until the next task_table_enter() or task_table_forget().
 */
struct task_table {
	uint8_t *slots;			/* open addressing, linear; a power of two of them */
	size_t size;			/* of an entry */
	uint32_t n_slots, used;
	/* Before the table grows: is it worth its place at this stream time? */
	bool (*keep)(const void *entry, uint64_t now);
};

/* -1: out of memory */
int task_table_init(struct task_table *t, size_t size,
		    bool (*keep)(const void *entry, uint64_t now));
void task_table_free(struct task_table *t);
/* NULL: there is none. */
void *task_table_find(const struct task_table *t, uint32_t tid);
/* The thread's entry. A new one is all 0 but for the id, and *made is set. */
void *task_table_enter(struct task_table *t, uint32_t tid, uint64_t now, bool *made);
void task_table_forget(struct task_table *t, uint32_t tid);
/* The entry after this one in no order, the first after NULL; NULL: there are no more. */
void *task_table_next(const struct task_table *t, const void *entry);

#endif
