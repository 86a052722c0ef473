/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_VM_MAPS_H
#define SONDE_VM_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/error.h"
#include "insns/program.h"

/*
 * Maps of sonde's machine. A value stays where it is for as long as its map lives, so that a program may hold its
 * address; memory nobody touched costs nothing.
 */
struct vm_map {
	struct map map;
	uint32_t stride;	/* bytes from one entry to the next */
	uint32_t value_at;	/* hash: where in an entry its value stands */
	uint8_t *entries;
	uint32_t *heads;	/* hash: the first entry of each bucket, counted from 1; 0: none */
	uint32_t bucket_mask;
	uint32_t used;		/* hash: entries from here on were never used */
	uint32_t free;		/* hash: the first of those given back, counted from 1 */
	uint64_t seed;
	uint32_t oldest, newest; /* hash of a join: the ends of its entries in the order of time, counted from 1 */
};

int vm_map_init(struct vm_map *m, const struct map *map, struct error *err);
void vm_map_free(struct vm_map *m);

/* As the kernel's helpers: an address or NULL; 0 or -errno. `now` is the time an entry is made or replaced. */
void *vm_map_lookup(struct vm_map *m, const void *key);
int vm_map_update(struct vm_map *m, const void *key, const void *value, uint64_t flags,
		  uint64_t now);
int vm_map_delete(struct vm_map *m, const void *key);

/* Drops entries of a join older than `time`. */
void vm_map_gap(struct vm_map *m, uint64_t time);
/* Hands over entries that are not all 0, and empties the map if its role is to be taken. */
void vm_map_take(struct vm_map *m, void (*entry)(void *arg, const void *key, const void *value),
		 void *arg);

#endif
