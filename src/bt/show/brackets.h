/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_BRACKETS_H
#define SONDE_BT_BRACKETS_H

#include <stdio.h>

#include "src/bt/bt.h"

/* What is around the parts of tuples and records (struct bt_shape). */

/*
 * *to becomes the script's one copy of the text: a name, or brackets. An empty text is NULL.
 * Returns -1 and sets err if there is no memory.
 */
int bt_keep_name(struct bt *b, const char **to, const char *text, size_t length,
		 struct error *err);
/* Takes away the brackets around the whole list. Returns -1 and sets err on failure. */
int bt_without_brackets(struct bt *b, struct bt_value *list, unsigned int n, struct error *err);
/*
 * Writes where part number i is in a tuple, ".1.0" of ((5, 6), (PART, 7)), ".a" of a record.
 * `within`: the shapes lack the brackets around all.
 */
void bt_path_of(const struct bt_shape *shapes, unsigned int i, bool within, char *to, size_t size);
/* Returns true if all these parts are in one record. */
bool bt_is_one_record(const struct bt_shape *shapes, unsigned int n);
/* Moves behind the bracket or name at *p, before a part. Returns true if it is a bracket. */
bool bt_next_bracket(const char **p);

/* Writes brackets and names as text, in bpftrace's JSON, or in the keys of that. */
enum bt_around { BT_AROUND_TEXT, BT_AROUND_JSON, BT_AROUND_KEY };
void bt_put_around(FILE *to, const char *around, enum bt_around form);

#endif
