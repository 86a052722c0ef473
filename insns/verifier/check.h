/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHECK_H
#define SONDE_CHECK_H

#include <stdint.h>

#include "compat/base/error.h"
#include "insns/lower/lower.h"

/*
 * The rules of one generation of the kernel's verifier, or of sonde's own machine. The checker
 * tells without that kernel whether it would accept a lowered program. The virtual machine
 * (backends/vm/vm.c) relies on it: a program that passes for generation_ring touches only its
 * stack, its record and values of its maps, so no tests are needed when it runs.
 *
 * If generations differ in a rule that no program of sonde needs, the checker uses the strictest
 * rule for all.
 */
struct generation {
	const char *name;		/* "4.1" ... "ring" */
	enum target target;
	/* KERNEL_VERSION_OF(4, 1): decides which helpers exist (insns/lower/helpers.h) */
	uint16_t version;
	unsigned int max_insns;
	/* instructions over all paths; 0: no limit that our programs could reach */
	unsigned int max_walked;
	bool tracepoints;		/* tracepoints may have programs */
	bool jump_less;			/* JLT, JLE, JSLT, JSLE exist */
	bool direct;			/* the value of a map with one entry has an address */
	bool cmpxchg;			/* BPF_CMPXCHG exists, for 8 bytes */
	bool back;			/* jumps may go back */
	bool loop;			/* bpf_loop() exists */
	bool typed;			/* typed tracepoints may have programs */
	bool buffer_in_map;		/* helpers' memory may be a map value, not only stack */
	bool key_in_map;		/* keys may be in a map value */
	/* OWN_STACK bytes of stack, with pointers in the first STACK_SIZE; HELPER_OWN */
	bool own;
	bool variable_size;		/* helpers' sizes need not be constant */
	bool raw_stack;			/* helpers may fill stack that was not written before */
	bool map_value_arithmetic;	/* adding constants to the address of a map value */
	/* allowed; false for kernels: before 4.16 a division by 0 ends the program */
	bool divide_by_register;
};

#define KERNEL_VERSION_OF(major, minor) ((major) << 8 | (minor))

/* All generations from 4.1 on, oldest first; ends with an empty name. */
extern const struct generation generations[];
extern const struct generation generation_ring;
/* sonde's machine again, for programs of events that are sonde's own (MAP_HOST). */
extern const struct generation generation_own;
/* Returns NULL if there is none of that name. */
const struct generation *generation_by_name(const char *name);

enum program_type { TYPE_KPROBE, TYPE_TRACEPOINT, TYPE_TYPED };

struct check {
	const struct generation *generation;
	enum program_type type;
	const struct map *maps;
	unsigned int n_maps;
	/* size of the context or record in bytes; 0: unknown, not checked */
	unsigned int record_size;
	/* TYPE_TYPED: a bit for each argument that points to a struct */
	uint32_t structs;
};

/*
 * Checks a program. Returns -1 and sets err to the instruction and the rule it breaks.
 */
int check(const struct bpf_insn *insns, unsigned int n, const struct check *c, struct error *err);

/* As check(); also returns the bytes of record that a program of TARGET_RING reads. */
int check_record(const struct bpf_insn *insns, unsigned int n, const struct check *c,
		 uint32_t *record_bytes, struct error *err);

#endif
