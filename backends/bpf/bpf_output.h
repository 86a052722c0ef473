/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_OUTPUT_H
#define SONDE_BPF_OUTPUT_H

#include "backends/bpf/bpf_order.h"
#include "compat/base/bpf.h"

/*
 * A MAP_OUTPUT of a plan: the map, and who reads the records that programs put there. It is a BPF
 * ring buffer, or a perf event array with a ring for each CPU that is online.
 */
struct bpf_output;

struct bpf_output_setup {
	struct kernel *kernel;
	struct memlock *memlock;
	const char *name;
	unsigned int number;	/* of the map in the plan */
	unsigned int pages;	/* of each CPU; 0: the engine's choice */
	int epoll;		/* is woken when a ring fills */
	FILE *verbose;
};

struct bpf_output *bpf_output_new(const struct bpf_output_setup *s, struct error *err);
void bpf_output_free(struct bpf_output *o);

/* wakeup_bytes() of backend.h: a quarter of the ring buffer for these pages. */
uint64_t bpf_output_wakeup_bytes(struct kernel *k, unsigned int pages);

/* The file descriptor of the map, for programs; and the bytes of all its rings. */
int bpf_output_map(const struct bpf_output *o);
uint64_t bpf_output_bytes(const struct bpf_output *o);

/*
 * Moves all records from the rings to `order`. *busy is set if a program was still writing one:
 * there may be others behind it. -1 and err if a ring is broken.
 */
int bpf_output_read(struct bpf_output *o, struct bpf_order *order, bool *busy, struct error *err);

/*
 * For the end. Some kernels tell of lost records only with the next record (no FEATURE_BPF_FULL):
 * this makes them tell now. It moves to each CPU that may have lost some. True: there is more to
 * read, by another bpf_output_read().
 */
bool bpf_output_flush(struct bpf_output *o);

/*
 * How many records a perf event array had no room for, as the kernel tells the reader. Since 5.1 it
 * tells the program as well, which counts them among its failures.
 */
uint64_t bpf_output_lost(const struct bpf_output *o);
/* How many records were in a ring, but sonde had no memory for them. */
uint64_t bpf_output_dropped(const struct bpf_output *o);

#endif
