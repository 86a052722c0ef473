/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LOWER_ROWS_H
#define SONDE_LOWER_ROWS_H

#include "insns/lower/lower.h"

/*
 * Shared by the tests of lowering: a row is a small program, and its lowered form for one event, in
 * the disassembler's notation. The tables are in test_lower.c, test_lower_inputs.c and
 * test_lower_maps.c.
 */
#define LOWER_ROOM 20

struct lower_row {
	const char *what;
	int targets;
	const struct layout *layout;
	struct insn program[LOWER_ROOM];
	const char *code;
	const char *without;
	struct filter filter;
	enum event_kind kind;
};

/*
 * A tracepoint's record; the same with the text as BPF programs see it; a call, whose inputs are
 * registers; arguments of a tracepoint and of a function, with structs that the verifier knows; the
 * current task's namespaces.
 */
extern const struct layout lower_record, lower_pointer, lower_call, lower_arguments, lower_function,
			   lower_current;
extern const struct constant lower_options[];

#define BPF(WHAT, EVENT, PROGRAM, CODE, ...) \
	{ WHAT, 1 << TARGET_BPF, &lower_##EVENT, { PROGRAM }, CODE, __VA_ARGS__ }
#define RING(WHAT, EVENT, PROGRAM, CODE, ...) \
	{ WHAT, 1 << TARGET_RING, &lower_##EVENT, { PROGRAM }, CODE, __VA_ARGS__ }
#define BOTH(WHAT, EVENT, PROGRAM, CODE, ...) \
	{ WHAT, 1 << TARGET_BPF | 1 << TARGET_RING, &lower_##EVENT, { PROGRAM }, CODE, \
	  __VA_ARGS__ }
#define P(...) __VA_ARGS__
#define END "r0 = 1\n" "exit\n"

/* Kernel 6.1 without a feature; NULL: with all it has. */
struct kernel *lower_kernel(const char *without);
/* Lowers a row's program. Returns -1 and sets err on failure. */
int lower_it(struct kernel *k, enum target target, const struct lower_row *row,
	     struct lowered *out, struct error *err);
/* Lowers the program for each of the row's targets, and compares. */
void lower_check(const struct lower_row *row);

#endif
