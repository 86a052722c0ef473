/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_ORDER_H
#define SONDE_BPF_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"

/*
 * Sorts records by their times (each record's first u64). The rings of the CPUs are read one after
 * the other. Even one ring may be unsorted: an interrupt may come between a program's reading of
 * the time and its writing of the record.
 */
struct bpf_order;

/* Returns NULL if there is no memory. */
struct bpf_order *bpf_order_new(void);
void bpf_order_free(struct bpf_order *o);
/* Keeps a copy of a record that came through this output. Returns -1 if there is no memory. */
int bpf_order_push(struct bpf_order *o, unsigned int output, const void *record, uint32_t size);
/*
 * Hands over all records up to the time `until` and removes them. Records of the same time stay in
 * the order of their arrival. Returns their number.
 */
unsigned int bpf_order_run(struct bpf_order *o, uint64_t until, record_fn record, void *arg);
/* The bytes of the kept records. */
size_t bpf_order_bytes(const struct bpf_order *o);
/* The number of records that came after a younger one was handed over. */
uint64_t bpf_order_late(const struct bpf_order *o);

#endif
