/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BUILD_INTERNAL_H
#define SONDE_BUILD_INTERNAL_H

#include "compat/events/fetch.h"
#include "compat/events/refusal.h"
#include "compat/kinds/builder.h"
#include "compat/kinds/kinds.h"
#include "compat/resolve/build_event.h"

/*
 * Shared by build_event.c; by build_input.c, build_memory.c and build_identity.c, which find
 * inputs; by build_record.c, build_fetch.c and build_pieces.c, which write arguments for the rings;
 * and by build_usdt.c. Functions that return int return 0, or -1 with the builder's refusal set.
 */

/* ---- build_input.c ---- */

/* Adds an input. `texts_apart`: each text becomes a part of its own. */
int be_add_input(struct builder *b, const struct wanted_input *w, bool texts_apart);
/* Adds NUMBER_COMPAT, the $compat of fetch.h. */
int be_add_compat(struct builder *b);
/* Sets the refusal: this kernel has no such input. Returns -1. */
int be_no_input(struct builder *b, const char *what, const char *name);
/* Adds an input to an event's layout. Returns NULL if there is no room. */
struct input *be_new_input(struct event *e, const char *name);
/* The offset of dereference i for an index of a row. */
int32_t be_deref_offset(const struct builder *b, const struct fetch *f, unsigned int i, int index);
/* Bytes of a number. */
unsigned int be_number_size(const struct builder *b, const struct fetch *f);
/* Where an element of an array is in the record, its size and sign. */
int be_element(struct builder *b, const struct fetch *f, const struct field *field,
	       struct input *in);
#define RECORD_HEAD 8		/* struct trace_entry */
/* Bytes of a probe event's record before its first argument: the head and the probe's addresses. */
unsigned int be_record_head(const struct builder *b, enum event_kind kind);
/* Returns true if there are several texts: together they could exceed the ring's limit. */
bool be_several_texts(struct builder *b);

/* The size of a pointer that the input reads: a probe of a program may read the kernel's memory. */
uint8_t be_word_of(const struct builder *b, const struct fetch *f);
/* Replaces members by their offsets. If one is unknown, the input is unavailable. */
int be_place_members(struct builder *b, struct fetch *f);
/* Returns true if only type information can tell the member's offset. */
bool be_needs_btf(const struct builder *b, const char *member);

/* ---- build_memory.c ---- */

/* The offset of an argument on the stack from the stack pointer, behind the return address. */
int32_t be_stack_offset(const struct builder *b, const struct fetch *f);
/* For BPF: a register, or a pointer in the record, and the dereferences from there. */
int be_memory_input(struct builder *b, const struct fetch *f, const struct wanted_input *w,
		    int index, struct input *in);

/* ---- build_identity.c ---- */

/* Adds an input that every hook has. */
int be_add_identity(struct builder *b, const struct wanted_input *w);

/* ---- build_record.c ---- */

/* Adds a text as a part of its own: see struct event. */
int be_text_part(struct builder *b, const struct fetch *f, int index, const char *name);
/* For the rings: adds an argument of the probe's own event. */
int be_argument_input(struct builder *b, const struct fetch *f, const struct wanted_input *w,
		      int index, struct input *in);

/* ---- build_fetch.c ---- */

/* Appends NAME=FETCH:TYPE; an empty name: the kernel makes one. */
int be_append_fetch(struct event *e, const char *name, const char *fetch, const char *type);
/* Writes the fetch argument, +u8(+104($arg1)); `extra` is added to its outermost offset. */
int be_fetch_text(struct builder *b, const struct fetch *f, int index, unsigned int extra,
		  char *text, size_t size);

/* ---- build_pieces.c ---- */

/* Returns true if this text comes in pieces. */
bool be_in_pieces(const struct builder *b, const struct fetch *f);
/* Adds the text to the main event, or to a part. */
int be_pieces(struct builder *b, const struct fetch *f, int index, const char *name);
/* Begins a row of pointers with its address; the pointers follow; be_row_ends() ends it. */
int be_row(struct builder *b, const struct fetch *f, const char *name);
void be_row_ends(struct builder *b);
/*
 * The pass, below PIECES_PASSES, in which an input is added: the row, numbers, texts. Without
 * pieces inputs have the order of the demand, but a text that must be the last argument comes last.
 */
#define PIECES_PASSES 3
int be_pieces_pass(struct builder *b, const struct wanted_input *w);
/* Adds a part. Returns NULL if there is no room. */
struct event *be_new_part(struct builder *b);

/* ---- build_usdt.c ---- */

/*
 * Sets b->argument to the argument of a USDT probe. If no memory is read through it, f gets its
 * type.
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
