/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_OUTPUT_H
#define SONDE_BPF_OUTPUT_H

#include "backends/bpf/bpf_order.h"
#include "compat/base/bpf.h"

/*
 * A MAP_OUTPUT of a plan, and the reader of the records that programs write to it. It is a BPF ring
 * buffer, or a perf event array with a ring for each online CPU.
 */
struct bpf_output;

struct bpf_output_setup {
	struct kernel *kernel;
	struct memlock *memlock;
	const char *name;
	unsigned int number;	/* of the map in the plan */
	unsigned int pages;	/* of each CPU; 0: the default */
	int epoll;		/* the rings are added to it: it is woken when a ring fills */
	FILE *verbose;
};

/* Returns NULL and sets err on failure. */
struct bpf_output *bpf_output_new(const struct bpf_output_setup *s, struct error *err);
void bpf_output_free(struct bpf_output *o);

/* wakeup_bytes() of backend.h: a quarter of the ring buffer with these pages. */
uint64_t bpf_output_wakeup_bytes(struct kernel *k, unsigned int pages);

/* The file descriptor of the map, for programs; the bytes of all its rings. */
int bpf_output_map(const struct bpf_output *o);
uint64_t bpf_output_bytes(const struct bpf_output *o);

/*
 * Moves all records from the rings to `order`. Sets *busy if a program was still writing one: there
 * may be more behind it. Returns -1 and sets err if a ring is broken.
 */
int bpf_output_read(struct bpf_output *o, struct bpf_order *order, bool *busy, struct error *err);

/*
 * For the end. Some kernels report lost records only with the next record (no FEATURE_BPF_FULL).
 * This makes them report now: it moves this process to each CPU that may have lost records. Returns
 * true if bpf_output_read() has more to read.
 */
bool bpf_output_flush(struct bpf_output *o);

/*
 * Records without room in a perf event array, as the kernel reports to the reader. Since 5.1 the
 * kernel also reports to the program, which counts them as failures.
 */
uint64_t bpf_output_lost(const struct bpf_output *o);
/* Records that were in a ring, but sonde had no memory for them. */
uint64_t bpf_output_dropped(const struct bpf_output *o);

#endif
