/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHECK_H
#define SONDE_CHECK_H

#include <stdint.h>

#include "compat/base/error.h"
#include "insns/lower/lower.h"

/*
 * The rules of one generation of the kernel's verifier, or of sonde's own machine. The rule checker
 * tells offline whether a lowered program would be accepted. It also makes it safe for
 * backends/vm/vm.c to run programs without further tests: a program that passes for generation_ring
 * touches only its stack, its record and values of its maps.
 *
 * Where generations differ in a rule that none of our programs needs, the checker has the strictest
 * one for all of them.
 */
struct generation {
	const char *name;		/* "4.1" ... "ring" */
	enum target target;
	/* KERNEL_VERSION_OF(4, 1): decides the helpers that there are (insns/lower/helpers.h) */
	uint16_t version;
	unsigned int max_insns;
	/* instructions over all paths; 0: no such limit for our sizes */
	unsigned int max_walked;
	bool tracepoints;		/* has programs on tracepoints */
	bool jump_less;			/* JLT, JLE, JSLT, JSLE */
	bool cmpxchg;			/* BPF_CMPXCHG, of 8 bytes */
	bool buffer_in_map;		/* helpers' memory may be a map value, not only stack */
	bool key_in_map;
	bool variable_size;		/* helpers' sizes need not be constant */
	bool raw_stack;			/* helpers may fill stack that was not written before */
	bool map_value_arithmetic;	/* adding constants to the address of a map value */
	/* refused for kernels: those before 4.16 leave the program when it is 0 */
	bool divide_by_register;
};

#define KERNEL_VERSION_OF(major, minor) ((major) << 8 | (minor))

/* From 4.1 on, oldest first; ends with an empty name. */
extern const struct generation generations[];
extern const struct generation generation_ring;
const struct generation *generation_by_name(const char *name);

enum program_type { TYPE_KPROBE, TYPE_TRACEPOINT };

struct check {
	const struct generation *generation;
	enum program_type type;
	const struct map *maps;
	unsigned int n_maps;
	/* bytes of context or record that may be read; 0: not known, do not check */
	unsigned int record_size;
};

/* 0, or -1 with the instruction and the rule it breaks. */
int check(const struct bpf_insn *insns, unsigned int n, const struct check *c, struct error *err);

/* As check(); also tells how many bytes a record must have for a program of TARGET_RING. */
int check_record(const struct bpf_insn *insns, unsigned int n, const struct check *c,
		 uint32_t *record_bytes, struct error *err);

#endif
