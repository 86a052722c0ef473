/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_TAKE_H
#define SONDE_BPF_TAKE_H

#include "backends/backend.h"

/*
 * Takes result maps while programs add to them.
 *
 * Numbers in arrays only grow: a take is the difference to the last one. Hashes have two epochs,
 * and each key begins with the number of one. Programs add to the epoch in .epoch, and a take
 * empties the other one.
 */
struct bpf_take;

struct bpf_take_setup {
	struct kernel *kernel;
	const struct map *maps;
	const int *fds;
	const unsigned int *cpus;	/* for each map: the number of values of an entry */
	unsigned int n;
	int epoch;			/* file descriptor of .epoch; -1: no program looks at it */
};

/* Returns NULL and sets err on failure. */
struct bpf_take *bpf_take_new(const struct bpf_take_setup *s, struct error *err);
void bpf_take_free(struct bpf_take *t);

/* take() of backend.h; entry NULL: only removes. */
int bpf_take(struct bpf_take *t, unsigned int map, entry_fn entry, void *arg, struct error *err);
/*
 * Hands over all entries of a hash, also of a result map, and keeps them; keys have any epoch.
 * Returns 1 if no entry is missing that was there all the time, 0 if some may be, -1 and sets err
 * on failure.
 */
int bpf_take_look(struct bpf_take *t, unsigned int map, entry_fn entry, void *arg,
		  struct error *err);
/* Waits until all programs that run now have ended. */
void bpf_take_wait(const struct bpf_take *t);
/*
 * Programs that are attached before the run begins find the epoch of a run that has stopped, and
 * change no tables. bpf_take_start() ends that, after results from before were dropped.
 */
void bpf_take_hold(const struct bpf_take *t);
int bpf_take_start(const struct bpf_take *t, struct error *err);
/* Begins a new round: all maps taken in one round are of the same span of time. */
void bpf_take_round(struct bpf_take *t);
/* Results from now on are never taken, so takes need not wait for running programs. */
void bpf_take_stop(struct bpf_take *t);

#endif
