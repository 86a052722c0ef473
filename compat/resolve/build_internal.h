/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BUILD_INTERNAL_H
#define SONDE_BUILD_INTERNAL_H

#include "compat/events/fetch.h"
#include "compat/events/refusal.h"
#include "compat/kinds/builder.h"
#include "compat/kinds/kinds.h"
#include "compat/resolve/build_event.h"

/*
 * What build_event.c, build_input.c, build_memory.c and build_identity.c (where an event's inputs
 * are), build_fetch.c and build_pieces.c (the arguments of the rings) and build_usdt.c share.
 */

/* ---- build_input.c ---- */

int be_add_input(struct builder *b, const struct wanted_input *w, bool texts_apart);
int be_no_input(struct builder *b, const char *what, const char *name);
struct input *be_new_input(struct event *e, const char *name);
/* The offset of a dereference for one index. */
int32_t be_deref_offset(const struct builder *b, const struct fetch *f, unsigned int i, int index);
unsigned int be_number_size(const struct builder *b, const struct fetch *f);
#define RECORD_HEAD 8		/* struct trace_entry; then the probe's addresses */
/*
 * Bytes of a probe event's record before its first argument: struct trace_entry and the probe's
 * addresses.
 */
unsigned int be_record_head(const struct builder *b, enum event_kind kind);
/* Are there several texts? Together they could make an event too large for its ring. */
bool be_several_texts(struct builder *b);

/* The size of a pointer that the input reads: a program's probe may ask for the kernel's memory. */
uint8_t be_word_of(const struct builder *b, const struct fetch *f);
/* Replaces members by their offsets. Where one is unknown this kernel does not have the input. */
int be_place_members(struct builder *b, struct fetch *f);
/* Would only type information tell where the member is? */
bool be_needs_btf(const struct builder *b, const char *member);

/* ---- build_memory.c ---- */

/*
 * The offset of argument N from the stack pointer, where arguments are on the stack: the return
 * address is below the first.
 */
int32_t be_stack_offset(const struct builder *b, const struct fetch *f);
/* For BPF: a register, or a pointer in the record, and the dereferences from there. */
int be_memory_input(struct builder *b, const struct fetch *f, const struct wanted_input *w,
		    int index, struct input *in);

/* ---- build_identity.c ---- */

/* An input that the hook's table does not have. */
int be_add_identity(struct builder *b, const struct wanted_input *w);

/* ---- build_fetch.c ---- */

/* A text of its own event: see struct event about parts. */
int be_text_part(struct builder *b, const struct fetch *f, int index, const char *name);
/* For the rings: an argument of the probe's own event. */
int be_argument_input(struct builder *b, const struct fetch *f, const struct wanted_input *w,
		      int index, struct input *in);

/* Adds NAME=FETCH:TYPE; an empty name: the kernel makes one. */
int be_append_fetch(struct event *e, const char *name, const char *fetch, const char *type);
/* The text of the fetch argument, +u8(+104($arg1)); `extra` is added to its outermost offset. */
int be_fetch_text(struct builder *b, const struct fetch *f, int index, unsigned int extra,
		  char *text, size_t size);
/* ---- build_pieces.c ---- */

/* Does this text come in pieces? */
bool be_in_pieces(const struct builder *b, const struct fetch *f);
/* Adds it to the main event, or to a part. */
int be_pieces(struct builder *b, const struct fetch *f, int index, const char *name);
/*
 * Begins a row of pointers with its address, which the pointers follow; and ends it when all are
 * there.
 */
int be_row(struct builder *b, const struct fetch *f, const char *name);
void be_row_ends(struct builder *b);
/*
 * The order of inputs: the row, numbers, texts. Without pieces it is the order of the demand, but
 * for the text of a function of user space that is to be the last argument of its record.
 */
#define PIECES_TURNS 3
int be_pieces_turn(struct builder *b, const struct wanted_input *w);
struct event *be_new_part(struct builder *b);

/* ---- build_usdt.c ---- */

/*
 * Of be_of_usdt(): b->argument becomes it. Where nothing is read through it, f's type is its own.
 */
int be_usdt_argument(struct builder *b, struct fetch *f);
/* For BPF: its register and the first dereference. */
int be_usdt_register(struct builder *b, const struct fetch *f, struct input *in);
/* For the rings: the innermost part of a fetch argument. */
int be_usdt_fetch(struct builder *b, const struct fetch *f, char *text, size_t size);

/* ---- build_event.c ---- */

/* An event with a layout of its own. */
struct event *be_new_event(void);
void be_free_event(struct event *e);

#endif
