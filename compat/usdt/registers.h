/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_USDT_REGISTERS_H
#define SONDE_USDT_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A register that an assembler names, in the pt_regs of the kernel that a probe is on: %eax of a
 * program is a part of what the kernel of x86_64 calls ax.
 */
struct usdt_register {
	uint16_t offset;	/* in pt_regs */
	uint8_t size;		/* bytes that the name means */
	char name[8];		/* ftrace's: "ax" */
};

/* How the assemblers of a machine write operands. */
struct usdt_syntax {
	uint16_t machine;	/* EM_X86_64, ... */
	uint8_t word;		/* bytes of a pointer */
	bool brackets;		/* memory is [x0, 8], else 8(%rax) */
	bool bare;		/* a number alone is a register, i5 a number */
	bool index_first;	/* 8(%index,%base) */
	bool percent;		/* a % is in front of a register */
	/* false: there is no such register, or the kernel has it nowhere */
	bool (*find)(const char *name, size_t length, bool wide, struct usdt_register *reg);
};

/* NULL: nobody knows how probes of this machine write their arguments. */
const struct usdt_syntax *usdt_syntax(uint16_t machine);

#endif
