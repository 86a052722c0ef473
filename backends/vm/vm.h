/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_VM_H
#define SONDE_VM_H

#include "backends/stacks/stack_marks.h"
#include "insns/verifier/check.h"
#include "insns/lower/lower.h"

/*
 * sonde's own BPF machine. It runs programs lowered for TARGET_RING over records that came out of a
 * ring buffer. A program is checked when it is loaded (insns/verifier/check.h), which is why
 * running it needs no further tests but the record's length.
 */
struct vm;

/* One event, as the ring engines hand it over. */
struct sample {
	uint64_t time;		/* ns, CLOCK_MONOTONIC where the kernel can */
	uint32_t cpu;
	uint32_t tid;		/* common_pid of the record: initial pid namespace */
	uint32_t event;		/* number of the attachment in the plan */
	uint32_t size;
	const void *record;
	uint32_t tgid;		/* from the task table; (uint32_t)-1: unknown */
	uint32_t n_stack;	/* addresses in `stack` */
	const char *comm;	/* 16 bytes, NUL-padded, from the task table; NULL: unknown */
	enum in_scope scope;	/* of the plan's scope */
	/*
	 * The stacks as perf records them (PERF_SAMPLE_CALLCHAIN): addresses, newest first, behind
	 * PERF_CONTEXT_KERNEL and PERF_CONTEXT_USER. Read in place: not aligned.
	 */
	const void *stack;
};

/* `output`: the number of the map that got the record */
typedef void (*vm_output_fn)(void *arg, unsigned int output, const void *record, uint32_t size);

/* The virtual machine with all maps of a plan. NULL and err on failure. */
struct vm *vm_new(const struct map *maps, unsigned int n_maps, vm_output_fn output, void *arg,
		  struct error *err);
void vm_free(struct vm *vm);

/*
 * Checks a program and makes it ready; its number, or -1. record_size: bytes every record of its
 * event has.
 */
int vm_load(struct vm *vm, const struct bpf_insn *insns, unsigned int n, struct error *err);

/*
 * Runs program `program` on one event. A record shorter than what the program reads is an error,
 * not a guess.
 * parts: string handles by part number (vm_intern()), n_parts of them, may be NULL.
 */
int vm_run(struct vm *vm, int program, const struct sample *s, const uint64_t *parts,
	   unsigned int n_parts);

/*
 * Keeps a copy of text in the string arena; its handle, never 0. Old strings are evicted, and read
 * as unknown then.
 */
uint64_t vm_intern(struct vm *vm, const char *text, uint32_t length);

/*
 * Drops entries of all maps of joins and hints that are older than `time`: events between were
 * lost. Returns how many rows may be missing now.
 */
uint64_t vm_gap(struct vm *vm, uint64_t time);
/* Drops the entries of this CPU or task from all maps whose keys are such (struct map). */
void vm_forget(struct vm *vm, enum map_owner owner, uint32_t id);

/* Map access for the engine's take, set and get; semantics as in backend.h. */
int vm_set(struct vm *vm, unsigned int map, const void *key, const void *value);
int vm_get(struct vm *vm, unsigned int map, const void *key, void *value);
void vm_take(struct vm *vm, unsigned int map,
	     void (*entry)(void *arg, const void *key, const void *value), void *arg);

/*
 * Throws away stacks to which no map refers, and nobody else: `held` marks those. 0; -1: out of
 * memory. taken: results were, just before.
 */
int vm_renew(struct vm *vm, bool taken, void (*held)(void *arg, struct stack_marks *marks),
	     void *arg);

struct vm_stats {
	uint64_t short_records;	/* events too short for their program: not run */
	uint64_t full;		/* map updates refused: the map was full */
	uint64_t strings;	/* reads of strings that were evicted */
	uint64_t unknown;	/* events of tasks of which nobody knows whether they are wanted */
};
void vm_stats(const struct vm *vm, struct vm_stats *s);

#endif
