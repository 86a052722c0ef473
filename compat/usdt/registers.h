/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_USDT_REGISTERS_H
#define SONDE_USDT_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A register by its assembler name, in the pt_regs of the probing kernel: %eax of a 32-bit program
 * is a part of the register that the kernel of x86_64 calls ax.
 */
struct usdt_register {
	uint16_t offset;	/* in pt_regs */
	uint8_t size;		/* bytes of the register that the name means */
	char name[8];		/* ftrace's: "ax" */
};

/* The assembler notation of a machine. */
struct usdt_syntax {
	uint16_t machine;	/* EM_X86_64, ... */
	uint8_t word;		/* bytes of a pointer */
	bool brackets;		/* memory is [x0, 8]; false: 8(%rax) */
	bool bare;		/* a number alone is a register, i5 a number */
	bool index_first;	/* 8(%index,%base) */
	bool percent;		/* registers begin with % */
	/* returns false if there is no such register, or pt_regs lacks it */
	bool (*find)(const char *name, size_t length, bool wide, struct usdt_register *reg);
};

/* Returns NULL if the notation of this machine is unknown. */
const struct usdt_syntax *usdt_syntax(uint16_t machine);

#endif
