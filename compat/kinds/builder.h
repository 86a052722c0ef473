/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BUILDER_H
#define SONDE_BUILDER_H

#include "compat/binaries/binaries.h"
#include "compat/events/demand.h"
#include "compat/events/event.h"
#include "compat/events/fetch.h"
#include "compat/events/refusal.h"
#include "compat/kernel/kernel.h"
#include "compat/types/prototype.h"
#include "compat/usdt/arguments.h"

/*
 * An event being made: files of compat/kinds/ find the probe, files of compat/resolve/ add its
 * inputs.
 */
struct builder {
	struct kernel *k;
	enum target target;
	const struct arch *arch;
	const struct alternative *alternative;
	const struct probe *probe;
	const struct demand *demand;
	const char *hook;		/* its name, for refusals */
	const struct format *format;	/* of a tracepoint; NULL: none */
	struct prototype prototype;	/* of a tracepoint or function */
	const struct place *place;	/* in user space; NULL: a probe of the kernel */
	const struct arch_abi *abi;	/* of the place */
	/* the function's one argument is a pt_regs with the system call's arguments */
	bool wrapped;
	const uint16_t *syscall_args;
	/* Each has a layout of its own until all is built. */
	struct event *main, *parts[LAYOUT_INPUTS];
	unsigned int n_parts;
	unsigned int record;		/* bytes of the record so far */
	bool in_pieces;			/* texts of user memory come in pieces */
	bool text_last;			/* the only text, of user space, is the last argument */
	/* the part with room for more inputs; NULL: the main event */
	struct event *open;
	unsigned int open_record;
	struct usdt_argument argument;	/* USDT: the argument that the current input is made of */
	struct refusal *refusal;	/* may be NULL */
};

/*
 * Finds the hook table's item for an input, and the input's index in a row. Returns 1; 0 if there
 * is none; -1 if the table is invalid.
 */
int be_find_fetch(struct builder *b, const char *name, struct fetch *f, int *index);
/* Returns true if the demand has an input of this name. */
bool be_wants(const struct builder *b, const char *name);
/* Returns true for an argument of a USDT probe. */
bool be_of_usdt(const struct builder *b, const struct fetch *f);

#endif
