/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_USDT_ARGUMENTS_H
#define SONDE_USDT_ARGUMENTS_H

#include "compat/base/error.h"
#include "compat/usdt/registers.h"

/*
 * The arguments of a statically defined probe (USDT), as its note describes them: a text like
 * "8@%rdi -4@$5 -4@-12(%rbp)" with operands in the machine's assembler notation. The number before
 * the @ is the argument's size, negative for a signed one.
 */
#define USDT_ARGUMENTS 12

enum usdt_where {
	USDT_NUMBER,		/* the argument is `value` */
	USDT_REGISTER,		/* it is in `base` */
	USDT_MEMORY,		/* it is at `base` + (`index` << `shift`) + `value` */
};

struct usdt_argument {
	enum usdt_where where;
	uint8_t size;		/* 1, 2, 4, 8 */
	bool is_signed;
	bool has_base, has_index;
	bool index_signed;	/* an index of 4 bytes is extended by its sign */
	uint8_t shift;
	struct usdt_register base, index;
	int64_t value;
};

/* The number of arguments, also those beyond USDT_ARGUMENTS. */
unsigned int usdt_arguments(const char *text);
/*
 * Parses argument n, from 1, of a program of `machine` (EM_...). Returns -1 and sets err if there
 * is none, or if no probe can read it.
 */
int usdt_argument(const char *text, unsigned int n, uint16_t machine, const struct arch *kernel,
		  struct usdt_argument *a, struct error *err);
/*
 * The operand of argument n as written, behind the size; also its size and sign. Returns the length
 * of the operand; 0 if there is no argument n. SIZE_UNKNOWN: it is no integer that fits a register.
 */
#define SIZE_UNKNOWN 0xff
size_t usdt_operand(const char *text, unsigned int n, const char **operand, unsigned int *size,
		    bool *is_signed);

/*
 * The next operand that is memory at a symbol, "4@counter+8(%rip)": returns the symbol's name in
 * the text, or NULL if there is none. Code that has the file's symbols replaces the name by the
 * distance from the probe, in braces, which usdt_argument() can read: "4@{4096}(%rip)".
 */
const char *usdt_symbol(const char *text, size_t *length);

#endif
