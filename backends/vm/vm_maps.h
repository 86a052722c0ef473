/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_VM_MAPS_H
#define SONDE_VM_MAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "compat/base/error.h"
#include "insns/program.h"

/*
 * Maps of sonde's machine. A value stays at its address as long as its map exists, so programs may
 * keep the address. Untouched memory costs nothing.
 */
struct vm_map {
	struct map map;
	uint32_t stride;	/* bytes from one entry to the next */
	uint32_t value_at;	/* hash: offset of an entry's value */
	uint8_t *entries;
	uint32_t *heads;	/* hash: the first entry of each bucket, counted from 1; 0: none */
	uint32_t bucket_mask;
	uint32_t used;		/* hash: entries from here on were never used */
	uint32_t free;		/* hash: the first freed entry, counted from 1 */
	uint32_t n_free;	/* stacks: number of freed entries */
	uint64_t seed;
	/* hash of a join: its oldest and newest entries, counted from 1 */
	uint32_t oldest, newest;
};

/* The head of an entry of a hash, before the key. */
struct vm_map_entry {
	uint32_t next;		/* in its bucket, or in the list of free ones; counted from 1 */
	uint32_t hash;		/* 0: free */
	uint64_t time;
	uint32_t older, newer;	/* of a join: its neighbours by time, counted from 1; 0: none */
	uint8_t key[];
};

/* Returns -1 and sets err on failure. */
int vm_map_init(struct vm_map *m, const struct map *map, struct error *err);
void vm_map_free(struct vm_map *m);

/*
 * As the kernel's helpers: return an address or NULL; 0 or -errno. `now` becomes the time of an
 * entry that is made or replaced.
 */
static inline void *vm_map_lookup(struct vm_map *m, const void *key);
/* vm_map_lookup() for a hash with any keys. */
void *vm_map_find(struct vm_map *m, const void *key);
int vm_map_update(struct vm_map *m, const void *key, const void *value, uint64_t flags,
		  uint64_t now);
int vm_map_delete(struct vm_map *m, const void *key);

/*
 * Drops entries of a join or hint older than `time`. Returns how many of them were not 0; returns 0
 * if no rows depend on them (`detail`).
 */
uint64_t vm_map_gap(struct vm_map *m, uint64_t time);
/* Calls `entry` for all entries that are not 0. */
void vm_map_look(struct vm_map *m, void (*entry)(void *arg, const void *key, const void *value),
		 void *arg);
/* The same, and empties the map if it is a result. */
void vm_map_take(struct vm_map *m, void (*entry)(void *arg, const void *key, const void *value),
		 void *arg);

/* The entry with a number, from 1. */
static inline struct vm_map_entry *vm_map_entry(const struct vm_map *m, uint32_t number)
{
	return (struct vm_map_entry *)(m->entries + (size_t)(number - 1) * m->stride);
}

/* The usual look-ups are inlined, because the machine does little else. */
static inline uint64_t vm_map_mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15ULL;
	return h ^ h >> 32;
}

/* The element of an array. Returns NULL if there is none. */
static inline void *vm_map_element(struct vm_map *m, uint32_t index)
{
	return index < m->map.entries ? m->entries + (size_t)index * m->stride : NULL;
}

/* Looks up the usual kind of key in a hash: a task's id. */
static inline void *vm_map_lookup_id(struct vm_map *m, uint32_t id)
{
	uint32_t hash = (uint32_t)vm_map_mix(m->seed, id), number = m->heads[hash & m->bucket_mask];

	while (number) {
		struct vm_map_entry *e = vm_map_entry(m, number);
		uint32_t key;

		memcpy(&key, e->key, sizeof(key));
		if (key == id)
			return (uint8_t *)e + m->value_at;
		number = e->next;
	}
	return NULL;
}

/* See above. */
static inline void *vm_map_lookup(struct vm_map *m, const void *key)
{
	uint32_t number;

	if (m->map.key_size != 4)
		return vm_map_find(m, key);
	memcpy(&number, key, 4);
	return m->map.kind == MAP_HASH ? vm_map_lookup_id(m, number) : vm_map_element(m, number);
}

#endif
