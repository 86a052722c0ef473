/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_USDT_ARGUMENTS_H
#define SONDE_USDT_ARGUMENTS_H

#include "compat/base/error.h"
#include "compat/usdt/registers.h"

/*
 * Where a statically defined probe (USDT) has its arguments, as its note says it: a text like
 * "8@%rdi -4@$5 -4@-12(%rbp)", of operands as the machine's assembler writes them. The number in
 * front is the argument's size, negative for a signed one.
 */
#define USDT_ARGUMENTS 12

enum usdt_where {
	USDT_NUMBER,		/* it is `value` */
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

/* How many there are; those beyond USDT_ARGUMENTS count too. */
unsigned int usdt_arguments(const char *text);
/*
 * Argument N, from 1. `wide`: the kernel has 64 bits. -1 and err: there is none, or it is where no
 * probe can read it.
 */
int usdt_argument(const char *text, unsigned int n, uint16_t machine, bool wide,
		  struct usdt_argument *a, struct error *err);
/*
 * Its operand as it is written, behind the size; returns its length, 0: there is no argument N. The
 * size and sign of what is there; SIZE_UNKNOWN: it is no integer, or none that fits a register.
 */
#define SIZE_UNKNOWN 0xff

size_t usdt_operand(const char *text, unsigned int n, const char **operand, unsigned int *size,
		    bool *is_signed);

/*
 * The next operand that is memory at a symbol, "4@counter+8(%rip)": where the name is in the text.
 * NULL: there is none. A linker knows what that is, so who has the file's symbols replaces it by
 * the distance from the probe, in braces, which usdt_argument() can read: "4@{4096}(%rip)".
 */
const char *usdt_symbol(const char *text, size_t *length);

#endif
