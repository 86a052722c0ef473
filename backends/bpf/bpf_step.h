/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_STEP_H
#define SONDE_BPF_STEP_H

#include "compat/base/bpf.h"
#include "compat/kernel/kernel.h"

/* Adds to the entries of a hash in one step: add() of backend.h. */
struct bpf_step;

struct bpf_step_setup {
	struct kernel *kernel;
	const char *name;		/* of the hash, for messages */
	unsigned int key_size;
	int map;			/* its file descriptor, which stays the caller's */
	struct memlock *memlock;
};

/* Returns NULL and sets err on failure. */
struct bpf_step *bpf_step_new(const struct bpf_step_setup *setup, struct error *err);
void bpf_step_free(struct bpf_step *s);
/*
 * Returns 1 if it made the entry, 0 if it added to it, -1 and sets err on failure; no number: the
 * map is full.
 */
int bpf_step_add(struct bpf_step *s, const void *key, const void *value, struct error *err);

#define BPF_STEP_INSNS 160		/* of the largest key that a program's stack has room for */
/*
 * Writes the program that adds for keys of this size. `given` and `map` go where the kernel wants
 * file descriptors: an array with one entry, whose value is the number to add and the key, and the
 * hash. Returns the number of instructions; 0: there is no room for the key.
 */
unsigned int bpf_step_code(struct bpf_insn *to, unsigned int key_size, int given, int map);

#endif
