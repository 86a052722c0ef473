/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_ORDER_H
#define SONDE_BPF_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"

/*
 * Puts records into the order of their times (each record's first u64). The rings of the CPUs are
 * read one after the other. Even within one ring records may be out of order: a program may be
 * interrupted after it asks for the time and before it writes the record.
 */
struct bpf_order;

struct bpf_order *bpf_order_new(void);
void bpf_order_free(struct bpf_order *o);
/* Keeps a copy of a record that came through this output; -1: out of memory. */
int bpf_order_push(struct bpf_order *o, unsigned int output, const void *record, uint32_t size);
/*
 * Hands over all records up to the time `until` and forgets them. Those of the same time go in the
 * order in which they came. Returns their number.
 */
unsigned int bpf_order_run(struct bpf_order *o, uint64_t until, record_fn record, void *arg);
/* The bytes of the records it keeps. */
size_t bpf_order_bytes(const struct bpf_order *o);
/* How many records came after a younger one was handed over. */
uint64_t bpf_order_late(const struct bpf_order *o);

#endif
