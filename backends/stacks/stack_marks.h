/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACK_MARKS_H
#define SONDE_STACK_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "insns/program.h"

/*
 * The numbers of stacks that are in use, while unused stacks are removed from the tables: a bit for
 * each place of each table.
 */
struct stack_marks {
	uint8_t *bits[STACK_TABLES];
	uint32_t places[STACK_TABLES];
};

/*
 * When unused stacks should be removed from a table, or from a part of several: when many stacks
 * came since the last time; and now and then if it is nearly full. taken: results were taken, so
 * stacks that were still in use the last time may be unused now.
 */
struct stack_crowd {
	uint32_t kept;		/* stacks in use the last time */
	uint32_t passed;	/* how often it was nearly full since then */
};

/* The number of stacks from which on stack_crowded() is true: counting further is useless. */
uint32_t stack_crowd_most(const struct stack_crowd *c, uint32_t room, bool taken);
/* Returns true if unused stacks should be removed. `used` of `room` places are taken. */
bool stack_crowded(struct stack_crowd *c, uint32_t used, uint32_t room, bool taken);

/* Returns true if the map is a table of stacks. */
bool is_stack_table(const struct map *map);
/* The number of stack numbers of a table: BPF's tables have more places than stacks. */
uint32_t stack_places(const struct map *map);

/* Allocates marks, all clear. Returns -1 if there is no memory. */
int stack_marks_init(struct stack_marks *m, const struct map *maps, unsigned int n_maps);
void stack_marks_free(struct stack_marks *m);
/* Marks a number. -errno and an enum stack_lack are no numbers, and ignored. */
void stack_marks_add(struct stack_marks *m, int32_t number);
/* Marks all stack numbers in a key or a value. l may be NULL. */
void stack_marks_add_fields(struct stack_marks *m, const struct record_layout *l,
			    const void *bytes);
/* Marks all stack numbers in an entry of a map; an entry_fn, `arg` is a struct stack_marking. */
struct stack_marking {
	struct stack_marks *marks;
	const struct map *map;
};
void stack_marks_entry(void *arg, const void *key, const void *value);
/* Returns true if the number is marked. */
bool stack_marked(const struct stack_marks *m, unsigned int table, uint32_t place);

/* Returns true if the map's keys or values have stack numbers. */
bool map_refers_to_stacks(const struct map *map);
/*
 * Returns true if programs write stack numbers elsewhere than to results: some stacks may then
 * become unused before results are taken.
 */
bool stacks_leave(const struct map *maps, unsigned int n_maps);

#endif
