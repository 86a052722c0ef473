/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_VM_MAPS_H
#define SONDE_VM_MAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "compat/base/error.h"
#include "insns/program.h"

/*
 * Maps of sonde's machine. A value stays where it is for as long as its map lives, so that a
 * program may hold its address; memory nobody touched costs nothing.
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
	/* hash of a join: the ends of its entries in the order of time, counted from 1 */
	uint32_t oldest, newest;
};

/* What stands before the key of an entry of a hash. */
struct vm_map_entry {
	uint32_t next;		/* in its bucket, or among the free ones; counted from 1 */
	uint32_t hash;		/* 0: free */
	uint64_t time;
	uint32_t older, newer;	/* of a join: its neighbours by time, counted from 1; 0: none */
	uint8_t key[];
};

int vm_map_init(struct vm_map *m, const struct map *map, struct error *err);
void vm_map_free(struct vm_map *m);

/*
 * As the kernel's helpers: an address or NULL; 0 or -errno. `now` is the time an entry is made or
 * replaced.
 */
static inline void *vm_map_lookup(struct vm_map *m, const void *key);
int vm_map_update(struct vm_map *m, const void *key, const void *value, uint64_t flags,
		  uint64_t now);
int vm_map_delete(struct vm_map *m, const void *key);

/* Drops entries of a join older than `time`. */
void vm_map_gap(struct vm_map *m, uint64_t time);
/* Hands over entries that are not all 0, and empties the map if its role is to be taken. */
void vm_map_take(struct vm_map *m, void (*entry)(void *arg, const void *key, const void *value),
		 void *arg);

static inline struct vm_map_entry *vm_map_entry(const struct vm_map *m, uint32_t number)
{
	return (struct vm_map_entry *)(m->entries + (size_t)(number - 1) * m->stride);
}

/* The parts of a look-up stand here because the machine does little else. */
static inline uint64_t vm_map_mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15ULL;
	return h ^ h >> 32;
}

/* Never 0, which marks a free entry. */
static inline uint32_t vm_map_hash(const struct vm_map *m, const void *key)
{
	const uint8_t *at = key;
	uint32_t left = m->map.key_size, half;
	uint64_t h = m->seed, word;

	for (; left >= 8; left -= 8, at += 8) {
		memcpy(&word, at, 8);
		h = vm_map_mix(h, word);
	}
	/* read as it was written: a wider load would wait for the store to reach the cache */
	if (left == 4) {
		memcpy(&half, at, 4);
		h = vm_map_mix(h, half);
	} else if (left) {
		word = 0;
		memcpy(&word, at, left);
		h = vm_map_mix(h, word);
	}
	return (uint32_t)h | 1U << 31;
}

static inline bool vm_map_same_key(const struct vm_map *m, const void *a, const void *b)
{
	switch (m->map.key_size) {
	case 4:
		return !memcmp(a, b, 4);
	case 8:
		return !memcmp(a, b, 8);
	default:
		return !memcmp(a, b, m->map.key_size);
	}
}

/* Where the number of the key's entry stands, or the 0 at the end of its bucket. */
static inline uint32_t *vm_map_link(struct vm_map *m, const void *key, uint32_t hash)
{
	uint32_t *link = &m->heads[hash & m->bucket_mask];

	while (*link) {
		struct vm_map_entry *e = vm_map_entry(m, *link);

		if (e->hash == hash && vm_map_same_key(m, e->key, key))
			break;
		link = &e->next;
	}
	return link;
}

static inline uint8_t *vm_map_element(struct vm_map *m, const void *key)
{
	uint32_t index;

	memcpy(&index, key, sizeof(index));
	return index < m->map.entries ? m->entries + (size_t)index * m->stride : NULL;
}

static inline void *vm_map_lookup(struct vm_map *m, const void *key)
{
	uint32_t number, hash, wanted, have;

	if (m->map.kind != MAP_HASH)
		return vm_map_element(m, key);
	if (m->map.key_size != 4) {
		number = *vm_map_link(m, key, vm_map_hash(m, key));
		return number ? (uint8_t *)vm_map_entry(m, number) + m->value_at : NULL;
	}
	memcpy(&wanted, key, 4);	/* the same for the usual size: task ids */
	hash = (uint32_t)vm_map_mix(m->seed, wanted) | 1U << 31;
	for (number = m->heads[hash & m->bucket_mask]; number;
	     number = vm_map_entry(m, number)->next) {
		memcpy(&have, vm_map_entry(m, number)->key, 4);
		if (have == wanted)
			return (uint8_t *)vm_map_entry(m, number) + m->value_at;
	}
	return NULL;
}

#endif
