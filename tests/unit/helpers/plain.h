/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PLAIN_H
#define SONDE_PLAIN_H

#include "insns/program.h"

/* Plain instructions, for tests of the checker and of the virtual machine. */
#define CALL(FUNC)		BPF_EMIT_CALL(BPF_FUNC_##FUNC)
#define STACK_ADDRESS(REG, OFF)	BPF_MOV64_REG(REG, R10), BPF_ALU64_IMM(BPF_ADD, REG, OFF)

#endif
