/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_TAKE_H
#define SONDE_BPF_TAKE_H

#include "backends/backend.h"

/*
 * Taking result maps while programs go on filling them.
 *
 * The numbers in arrays only grow: what is new is the difference to the last take. Hashes have two
 * epochs, and each key begins with the number of one. Programs fill the epoch that .state names,
 * and a take empties the other one.
 */
struct bpf_take;

struct bpf_take_setup {
	struct kernel *kernel;
	const struct map *maps;
	const int *fds;
	const unsigned int *cpus;	/* how many values an entry has, for each map */
	unsigned int n;
	int state;			/* the file descriptor of .state */
};

struct bpf_take *bpf_take_new(const struct bpf_take_setup *s, struct error *err);
void bpf_take_free(struct bpf_take *t);

/* take() of backend.h; entry NULL: only forgets. */
int bpf_take(struct bpf_take *t, unsigned int map, entry_fn entry, void *arg, struct error *err);
/*
 * Hands over all entries of a hash, also of a result map, and keeps them: the first u32 of a
 * result's key is any. 1: all that were there the whole time; 0: some of them may be missing.
 */
int bpf_take_look(struct bpf_take *t, unsigned int map, entry_fn entry, void *arg,
		  struct error *err);
/* Waits until every program has ended that runs now. */
void bpf_take_wait(const struct bpf_take *t);
/* A new round begins: all maps that are taken in one round tell of the same span of time. */
void bpf_take_round(struct bpf_take *t);
/* What happens from now on is left out: takes need not wait for running programs. */
void bpf_take_stop(struct bpf_take *t);

#endif
