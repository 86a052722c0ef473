/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HELPERS_H
#define SONDE_HELPERS_H

#include <stdbool.h>
#include <stdint.h>

struct kernel;

/*
 * The functions that programs may call, with arguments and results: the kernel's, and those of
 * sonde's virtual machine.
 */
enum helper_arg {
	ARG_NONE,
	ARG_NUMBER,
	ARG_ADDRESS,		/* to read from; any value, checked when it runs */
	ARG_CONTEXT,
	ARG_TASK,		/* a task whose type the verifier knows */
	ARG_FUNCTION,		/* a function of the program, and what is its r2 */
	ARG_FRAME,
	ARG_MAP,
	ARG_KEY,		/* memory, as large as the map's keys */
	ARG_VALUE,
	ARG_READ,		/* memory that the helper reads; the next argument is its size */
	ARG_WRITE,		/* memory that the helper fills; the next argument is its size */
	ARG_SIZE,
	ARG_WORD,		/* constant size of an address: 4 or 8 */
	ARG_DATA_LOC,		/* constant offset of 4 bytes in the record */
	ARG_RECORD,		/* constant offset in the record; the next argument is the size */
};

enum helper_result {
	RESULT_NUMBER,
	RESULT_VALUE,		/* the address of a map value, or 0 */
	RESULT_TASK,
	RESULT_REGISTERS,	/* a struct pt_regs of the kernel, which programs may read */
};

/* For which programs sonde's machine has it. */
enum helper_ring { HELPER_NO, HELPER_ALL, HELPER_OWN };

#define HELPER_ARGS 5

struct helper {
	int32_t number;
	const char *name;
	enum helper_arg args[HELPER_ARGS];
	uint8_t maps;		/* kinds of maps it takes: bits 1 << enum map_kind */
	enum helper_result result;
	/* first kernel versions whose kprobe and tracepoint programs have it; 0: none */
	uint16_t kprobe;
	uint16_t tracepoint;
	uint8_t ring;		/* enum helper_ring */
};

/* Returns NULL for an unknown number. */
const struct helper *helper_by_number(int32_t number);
/* Returns true if programs on kprobes of this kernel may call it, by the kernel's release. */
bool helper_in(struct kernel *k, int32_t number);

#endif
