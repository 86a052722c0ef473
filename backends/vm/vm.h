/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_VM_H
#define SONDE_VM_H

#include "backends/stacks/stack_marks.h"
#include "insns/verifier/check.h"
#include "insns/lower/lower.h"

/*
 * sonde's own BPF machine. It runs programs lowered for TARGET_RING over records from a ring
 * buffer. A program is checked when it is loaded (insns/verifier/check.h), so the only test at run
 * time is the record's length.
 */
struct vm;

/*
 * Who answers for the maps of kind MAP_HOST, by their numbers; `arg` is that of vm_new(). lookup()
 * returns the whole value, or NULL; the others return 0 or -errno.
 */
struct vm_host {
	const void *(*lookup)(void *arg, unsigned int map, const void *key);
	int (*update)(void *arg, unsigned int map, const void *key, const void *value);
	int (*delete)(void *arg, unsigned int map, const void *key);
};

/* One event, as the ring engines hand it over. */
struct sample {
	uint64_t time;		/* ns, CLOCK_MONOTONIC if the kernel has that clock */
	uint32_t cpu;
	uint32_t tid;		/* common_pid of the record: initial pid namespace */
	uint32_t event;		/* number of the attachment in the plan */
	uint32_t size;
	const void *record;
	uint32_t tgid;		/* from the task table; (uint32_t)-1: unknown */
	uint32_t n_stack;	/* addresses in `stack` */
	const char *comm;	/* 16 bytes, NUL-padded, from the task table; NULL: unknown */
	enum in_scope scope;	/* whether the task is in the plan's scope */
	/*
	 * The stacks as perf records them (PERF_SAMPLE_CALLCHAIN): addresses, newest first, behind
	 * PERF_CONTEXT_KERNEL and PERF_CONTEXT_USER. Read in place: not aligned.
	 */
	const void *stack;
};

/* `output`: the number of the map that gets the record */
typedef void (*vm_output_fn)(void *arg, unsigned int output, const void *record, uint32_t size);

/* Makes a machine with all maps of a plan. Returns NULL and sets err on failure. */
struct vm *vm_new(const struct map *maps, unsigned int n_maps, vm_output_fn output, void *arg,
		  struct error *err);
void vm_free(struct vm *vm);
/* Before programs are loaded, which are checked by the rules of generation_own then. */
void vm_set_host(struct vm *vm, const struct vm_host *host);

/* Checks a program and prepares it. Returns its number; -1, and sets err, if it is invalid. */
int vm_load(struct vm *vm, const struct bpf_insn *insns, unsigned int n, struct error *err);

/*
 * Runs program `program` on one event. If the record is shorter than what the program reads, it is
 * not run, and counted. parts: string handles by part number (vm_intern()), n_parts of them; may be
 * NULL.
 */
int vm_run(struct vm *vm, int program, const struct sample *s, const uint64_t *parts,
	   unsigned int n_parts);

/*
 * sonde is to end: loops that go on and on are left, and the program is told. For handlers of
 * signals.
 */
void vm_hurry(void);

/*
 * Copies a text to the string arena. Returns its handle, never 0. Old strings are evicted: they are
 * unknown then.
 */
uint64_t vm_intern(struct vm *vm, const char *text, uint32_t length);

/*
 * Events up to `time` were lost: drops older entries of all maps of joins and hints. Returns how
 * many rows may be missing.
 */
uint64_t vm_gap(struct vm *vm, uint64_t time);
/* Drops the entries of this CPU or task from all maps with such keys (struct map). */
void vm_forget(struct vm *vm, enum map_owner owner, uint32_t id);

/* The engine's take, set and get: as in backend.h. */
int vm_set(struct vm *vm, unsigned int map, const void *key, const void *value);
int vm_get(struct vm *vm, unsigned int map, const void *key, void *value);
void vm_take(struct vm *vm, unsigned int map,
	     void (*entry)(void *arg, const void *key, const void *value), void *arg);

/*
 * Removes unused stacks: no map has their numbers, and held() does not mark them. taken: results
 * were taken just before. Returns -1 if there is no memory.
 */
int vm_renew(struct vm *vm, bool taken, void (*held)(void *arg, struct stack_marks *marks),
	     void *arg);

struct vm_stats {
	uint64_t short_records;	/* events too short for their program: not run */
	uint64_t full;		/* updates of full maps that were refused */
	uint64_t strings;	/* reads of evicted strings */
	uint64_t unknown;	/* events of tasks for which the filter is undecided */
};
/* The counts since the machine was made. */
void vm_stats(const struct vm *vm, struct vm_stats *s);

#endif
