/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_USDT_REGISTERS_H
#define SONDE_USDT_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/arch/arch.h"

/*
 * A register by its assembler name, in the pt_regs of the probing kernel: %eax of a 32-bit program
 * is a part of the register that the kernel of x86_64 calls ax.
 */
struct usdt_register {
	uint16_t offset;	/* in pt_regs */
	uint8_t size;		/* bytes of the register that the name means */
	char name[8];		/* ftrace's: "ax" */
};

/* Returns false if there is no such register, or the kernel's pt_regs lacks it. */
bool usdt_register(const struct arch *arch, const char *name, size_t length,
		   struct usdt_register *reg);

#endif
