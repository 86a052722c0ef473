/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_PASSES_H
#define SONDE_BT_PASSES_H

#include <stdio.h>

#include "src/bt/bt.h"

/*
 * What a script goes through, one behind the other (passes.c). Each returns 0, or -1 with err set.
 */

/* probes/lists.c: reads probes and actions; finds what the probes name. */
int bt_parse(struct bt *b, struct error *err);
int bt_find_probes(struct bt *b, struct error *err);
/* bind/types.c: binds all actions, until no type is unknown. */
int bt_types(struct bt *b, struct error *err);
/* Frees what it made. */
void bt_statements_free(struct bt *b);
/* bind/maps.c: what programs count or sum, and look up, is a map of values from now on. */
int bt_count_in_values(struct bt *b, struct error *err);
/* bind/lengths.c: refuses changes of a map whose length programs ask for that nobody can count. */
int bt_check_lengths(struct bt *b, struct error *err);
/* programs.c: the engine's maps; the programs. */
int bt_make_maps(struct bt *b, struct error *err);
int bt_make_programs(struct bt *b, struct error *err);
/* Frees the programs of sonde's own events. */
void bt_programs_free(struct bt *b);

/* tree_text.c: write the actions as they were read; as they are bound, with the types of values. */
void bt_print_read(FILE *to, const struct bt *b);
void bt_print_bound(FILE *to, const struct bt *b);

#endif
