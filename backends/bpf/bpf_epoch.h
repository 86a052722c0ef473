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
	bool whole;		/* nothing that was there all the time is missing */
};

/*
 * Moves the entries whose key begins with `epoch` from the hash `fd` to `out`, which the caller
 * frees, also after an error. No program may fill that epoch any more. batch: many at once
 * (FEATURE_BPF_BATCH). 0 or -errno.
 */
int bpf_epoch_take(int fd, const struct map *m, uint32_t epoch, bool batch,
		   struct bpf_entries *out);
/*
 * All entries of a hash, which keeps them, each once; those that come or go meanwhile may be left
 * out. 0 or -errno.
 */
int bpf_entries_read(int fd, const struct map *m, bool batch, struct bpf_entries *out);
void bpf_entries_free(struct bpf_entries *e);

#endif
