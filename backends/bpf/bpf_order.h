/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_ORDER_H
#define SONDE_BPF_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"

/*
 * Puts records into the order of their times (each record's first u64): the rings of several CPUs
 * are read one after the other, and even within one ring a program may be interrupted between
 * asking the time and handing over its record.
 */
struct bpf_order;

struct bpf_order *bpf_order_new(void);
void bpf_order_free(struct bpf_order *o);
/* Keeps a copy of a record that came through this output; -1 if there is no memory for it. */
int bpf_order_push(struct bpf_order *o, unsigned int output, const void *record, uint32_t size);
/*
 * Hands over, and forgets, every record up to time `until`; those of one time in the order they
 * came. Their number.
 */
unsigned int bpf_order_run(struct bpf_order *o, uint64_t until, record_fn record, void *arg);
/* Bytes of the records it keeps. */
size_t bpf_order_bytes(const struct bpf_order *o);
/* Records that came when a later one had been handed over already. */
uint64_t bpf_order_late(const struct bpf_order *o);

#endif
