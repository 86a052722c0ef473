/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_RINGBUF_H
#define SONDE_BPF_RINGBUF_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"

/* The reading end of a BPF ring buffer map (BPF_MAP_TYPE_RINGBUF), mapped. */
struct bpf_ringbuf;

/*
 * Maps the ring of the map `fd`, which has `bytes` bytes. word: the size of the kernel's pointers.
 * Returns NULL and sets err on failure.
 */
struct bpf_ringbuf *bpf_ringbuf_map(int fd, uint64_t bytes, unsigned int word, struct error *err);
void bpf_ringbuf_unmap(struct bpf_ringbuf *r);

/*
 * Calls fn for every record that was in the ring when the call began, in the ring's order, and
 * frees their space. Stops at a record that a program is still writing, and sets *busy. Returns the
 * number of records, or -1 if the ring's content is invalid.
 */
int bpf_ringbuf_read(struct bpf_ringbuf *r,
		     void (*fn)(void *arg, const void *record, uint32_t size), void *arg,
		     bool *busy);

#endif
