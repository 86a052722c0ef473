/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACK_MARKS_H
#define SONDE_STACK_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "insns/program.h"

/*
 * Which numbers of stacks somebody still has, while tables are emptied of all others: a bit for
 * each place of each table.
 */
struct stack_marks {
	uint8_t *bits[STACK_TABLES];
	uint32_t places[STACK_TABLES];
};

/*
 * When a table, or a part of several, is worth emptying: many stacks came since the last time, or,
 * now and then, it is nearly full. taken: so many of those that had to stay then may go now.
 */
struct stack_crowd {
	uint32_t kept;		/* the last time */
	uint32_t passed;	/* how often it was nearly full since */
};

/* So many stacks decide; counting more makes no difference. */
uint32_t stack_crowd_most(const struct stack_crowd *c, uint32_t room, bool taken);
bool stack_crowded(struct stack_crowd *c, uint32_t used, uint32_t room, bool taken);

/* Has the map the stacks themselves? */
bool is_stack_table(const struct map *map);
/* How many numbers the table of stacks gives: BPF's has more places than stacks. */
uint32_t stack_places(const struct map *map);

/* Nothing is marked. -1: out of memory. */
int stack_marks_init(struct stack_marks *m, const struct map *maps, unsigned int n_maps);
void stack_marks_free(struct stack_marks *m);
/* A number that is none, -errno or an enum stack_lack, marks nothing. */
void stack_marks_add(struct stack_marks *m, int32_t number);
/* All numbers of stacks in a key or a value; a layout may be NULL. */
void stack_marks_add_fields(struct stack_marks *m, const struct record_layout *l,
			    const void *bytes);
/* The same of a map's entry; an entry_fn, `arg` is a struct stack_marking. */
struct stack_marking {
	struct stack_marks *marks;
	const struct map *map;
};
void stack_marks_entry(void *arg, const void *key, const void *value);
bool stack_marked(const struct stack_marks *m, unsigned int table, uint32_t place);

/* Has the map's layout, of its keys or values, numbers of stacks? */
bool map_refers_to_stacks(const struct map *map);
/* Do programs give numbers to others than results, so that some are free before these are taken? */
bool stacks_leave(const struct map *maps, unsigned int n_maps);

#endif
