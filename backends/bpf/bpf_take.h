/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_TAKE_H
#define SONDE_BPF_TAKE_H

#include "backends/backend.h"

/*
 * Taking result maps while programs go on filling them.
 *
 * Arrays only ever grow: what is new is the difference to what was there at the last take. Hashes
 * have two epochs: keys begin with the number of one, programs fill the one that .state names, and
 * the other is emptied.
 */
struct bpf_take;

struct bpf_take_setup {
	struct kernel *kernel;
	const struct map *maps;
	const int *fds;
	const unsigned int *cpus;	/* of each map: how many values an entry has */
	unsigned int n;
	int state;			/* file descriptor of .state */
};

struct bpf_take *bpf_take_new(const struct bpf_take_setup *s, struct error *err);
void bpf_take_free(struct bpf_take *t);

/* backend.h's take; entry NULL: only forgets. */
int bpf_take(struct bpf_take *t, unsigned int map, entry_fn entry, void *arg, struct error *err);
/*
 * What is taken in one round, on however many maps, speaks of the same span of time: tells that a
 * new round begins.
 */
void bpf_take_round(struct bpf_take *t);
/* From now on nothing that happens matters: takes need not wait for running programs. */
void bpf_take_stop(struct bpf_take *t);

#endif
