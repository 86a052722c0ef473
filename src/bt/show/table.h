/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_TABLE_H
#define SONDE_BT_TABLE_H

#include "insns/programs/argdist.h"
#include "src/bt/bt.h"

/*
 * What sonde has of a map: of aggregates all that was taken from the engine since it was cleared;
 * of values what the engine had when it was looked at. A map that no program uses is here only.
 */
union bt_amount {
	u64 number;			/* a value, a count */
	struct argdist_sums sums;
	struct bt_point point;
};

struct bt_row {
	uint8_t *key;			/* the whole key; texts have zeros behind their ends */
	union bt_amount amount;
	char *text;			/* of a map whose values are texts; with the key */
};

struct bt_table {
	const struct bt_map *map;
	unsigned int key_size;
	struct bt_row *rows;		/* sorted by key, without doubles, after bt_table_join() */
	size_t n;
	bool sorted, failed;		/* failed: out of memory */
	uint64_t *last;			/* what slots of counts had when they were taken; or NULL */
	uint64_t taken;			/* when it was last taken, for maps with stacks */
};

/* The map's key is settled. Returns NULL if there is no memory. */
struct bt_table *bt_table_new(const struct bt_map *m);
void bt_table_free(struct bt_table *t);

/* Adds an amount to what the key has. An entry_fn of backends/backend.h, with struct bt_taking. */
struct bt_taking {
	const struct bt *bt;
	struct bt_table *table;
};
void bt_table_take(void *taking, const void *key, const void *value);
/* Sorts the rows, and makes one row of those of one key. */
void bt_table_join(struct bt_table *t);
/* The row of a key; NULL: there is none. */
struct bt_row *bt_table_find(struct bt_table *t, const uint8_t *key);
/* The row of a key, which is made if there is none. Returns NULL if there is no memory. */
struct bt_row *bt_table_row(struct bt_table *t, const uint8_t *key);
void bt_table_delete(struct bt_table *t, const uint8_t *key);
void bt_table_clear(struct bt_table *t);
void bt_table_zero(struct bt_table *t);
/* Adds one amount to another of the same map. */
void bt_amount_add(const struct bt_map *m, union bt_amount *to, const union bt_amount *from);

#endif
