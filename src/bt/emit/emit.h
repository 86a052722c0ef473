/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_EMIT_H
#define SONDE_BT_EMIT_H

#include "src/bt/bt.h"

/* An offset from r10, or in what a register points to, as instructions have it. */
#define AT(OFFSET) ((int16_t)(OFFSET))

/* Adds a probe's statements; a script_probe's `body`, with the struct bt_probe. */
void bt_emit(struct code *c, void *probe);
/* The same of a loop through a map, which sonde runs. */
void bt_emit_loop(struct code *c, const struct bt_statement *s);
/* The instructions of bt_inner, as code_value_at(); as bt_emit_text(). */
void bt_emit_inner(struct code *c, const struct node *n, int depth, const char *fault);
void bt_emit_inner_text(struct code *c, const struct node *n, int off, unsigned int size, int depth,
			bool exact);

/* ---- statements.c, loops.c: statements that have others in them ---- */

/*
 * The loop around a statement whose iteration is made, and whether break and continue are used in
 * it.
 */
struct bt_loop {
	const char *end, *next;
	bool broke, went_on;
};

/* Adds the statements. Returns true if the program never gets behind them. */
bool bt_emit_statements(struct code *c, const struct bt_statement *s, struct bt_loop *l);

/* Add a loop. They return the same. */
bool bt_emit_unroll(struct code *c, const struct bt_statement *s, struct bt_loop *l);
bool bt_emit_while(struct code *c, const struct bt_statement *s, struct bt_loop *l);
bool bt_emit_for(struct code *c, const struct bt_statement *s, struct bt_loop *l);
bool bt_emit_each(struct code *c, const struct bt_statement *s, struct bt_loop *l);
/* The same for break and continue. */
bool bt_emit_jump(struct code *c, const struct bt_statement *s, struct bt_loop *l);

/* ---- begin.c ---- */

/* Makes the room of the variables, which are 0. */
void bt_emit_variables(struct code *c, const struct bt_probe *p);
/* Adds what is before the predicate; a script_probe's `begin`. */
void bt_emit_begin(struct code *c, int bottom, void *probe);
/* Refuses a program that is too long, or needs too much stack. */
int bt_check_size(const struct bt *b, const struct bt_probe *p, const struct code *c,
		  struct error *err);

/* ---- values.c ---- */

/* Counts a value that could not be read or computed. */
void bt_emit_failure(struct code *c);
/* The same at the label `fault`, which nothing else gets to. */
void bt_emit_fault(struct code *c, const char *fault);
/* The register of this depth = the number; a number that can't be computed is 0, and counted. */
void bt_emit_number(struct code *c, const struct node *n, int depth);

/* ---- maps.c ---- */

/* stack[off] = the key, but for the slot of a histogram. */
void bt_emit_key(struct code *c, const struct bt_map *m, const struct node *keys, int off,
		 int depth);
/* map[stack[key]] = stack[value]; that there is no room is counted. */
void bt_emit_put(struct code *c, const struct bt_map *m, int key, int value);
/* @map[key] = value, @map[key] += value, delete(@map[key]) */
void bt_emit_store(struct code *c, const struct bt_statement *s);
void bt_emit_add(struct code *c, const struct bt_statement *s);
void bt_emit_delete(struct code *c, const struct bt_statement *s);
/* The instructions of bt_map_read, bt_has_key and bt_deleted, as code_value_at(). */
void bt_emit_read(struct code *c, const struct node *n, int depth, const char *fault);
void bt_emit_has_key(struct code *c, const struct node *n, int depth, const char *fault);
void bt_emit_deleted(struct code *c, const struct node *n, int depth, const char *fault);
/* Those of bt_map_read, as bt_emit_text(). */
void bt_emit_map_text(struct code *c, const struct node *n, int off, unsigned int size, int depth,
		      bool exact);

/* ---- lengths.c ---- */

/* The number of the map's entries += by, of a map that is counted. */
void bt_emit_length_changes(struct code *c, const struct bt_map *m, int by);
/* Puts stack[cell] into the map that is counted. */
void bt_emit_counted_store(struct code *c, const struct bt_map *m, int key, int cell);
/* The instructions of bt_len, as code_value_at(). */
void bt_emit_length(struct code *c, const struct node *n, int depth, const char *fault);

/* ---- results.c ---- */

/* Adds the value to a result. */
void bt_emit_aggregate(struct code *c, const struct bt_statement *s);

/* ---- orders.c ---- */

/* Sends the order's record. Returns true if the program ends there. */
bool bt_emit_order(struct code *c, const struct bt_order *o);

/* ---- stacks.c ---- */

/* stack[off] = the stack, or the address n and its process; clobbers the register of the depth. */
void bt_emit_stack(struct code *c, const struct bt_shape *shape, const struct node *n, int off,
		   int depth);

/* ---- text.c ---- */

/* Bytes of the stack that a text takes, a literal in words. */
static inline unsigned int bt_text_room(const struct node *n)
{
	return n->kind == NODE_TEXT ? (n->length + 8U) / 8 * 8 : n->type.bytes;
}

/*
 * stack[off, size bytes] = the text, with zeros behind its end if `exact`. r0 = its length, or
 * more; negative if the text can't be read: then it is empty. Clobbers r8 and the registers from
 * this depth on.
 */
void bt_emit_text(struct code *c, const struct node *n, int off, unsigned int size, int depth,
		  bool exact);
/* The same for bt_text, and for the path() of an iterator of the kernel. */
void bt_emit_event_text(struct code *c, const struct node *n, int off, unsigned int size, int depth,
			bool exact);
void bt_emit_path(struct code *c, const struct node *n, int off, unsigned int size, int depth,
		  bool exact);
/* The instructions of bt_same, as code_value_at(). */
void bt_emit_same(struct code *c, const struct node *n, int depth, const char *fault);

/* ---- map_rows.c ---- */

/*
 * Adds the engine's maps of the script's maps to the programs' set, and makes sonde's tables of
 * them. Returns -1 and sets err on failure.
 */
int bt_add_maps(struct bt *b, struct error *err);

#endif
