/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LIVES_H
#define SONDE_LIVES_H

#include <poll.h>
#include <stdint.h>

#include "backends/rings/perf_ring.h"
#include "compat/base/error.h"

/*
 * The lives of all tasks (records of names, of new and of ended tasks) in small rings of their own,
 * one for each CPU. They belong to an event that never happens (PERF_COUNT_SW_DUMMY).
 */
struct lives;

/*
 * Opens them, off, for n CPUs. The fields at the end of each record are those of `like`. Returns
 * NULL and sets err on failure.
 */
struct lives *lives_open(const struct perf_event_attr *like, const unsigned int *cpus,
			 unsigned int n, struct error *err);
/* Accepts NULL. */
void lives_close(struct lives *l);
int lives_start(struct lives *l, struct error *err);

/* The ids of the events, one for each CPU. */
const uint64_t *lives_ids(const struct lives *l);
/* Fills what to poll: as many as there are CPUs. */
void lives_poll(const struct lives *l, struct pollfd *to);
/* Calls fn for each record that the ring of the n-th CPU has. */
void lives_read(struct lives *l, unsigned int n, perf_record_fn fn, void *arg);

#endif
