/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_EPOCH_H
#define SONDE_BPF_EPOCH_H

#include <stdbool.h>
#include <stdint.h>

#include "insns/program.h"

/* Entries of a hash: all keys in a row, and their values in the same order. */
struct bpf_entries {
	unsigned char *keys, *values;
	unsigned int n;
	bool whole;		/* complete, apart from entries made or removed meanwhile */
};

/*
 * Moves the entries whose key begins with `epoch` from the hash `fd` to `out`, which the caller
 * frees, also after an error. No program may add to that epoch any more. batch: many at once
 * (FEATURE_BPF_BATCH). Returns 0 or -errno.
 */
int bpf_epoch_take(int fd, const struct map *m, uint32_t epoch, bool batch,
		   struct bpf_entries *out);
/*
 * Reads all entries of a hash, each once, and keeps them; entries made or removed meanwhile may be
 * missing. Returns 0 or -errno.
 */
int bpf_entries_read(int fd, const struct map *m, bool batch, struct bpf_entries *out);
void bpf_entries_free(struct bpf_entries *e);

#endif
