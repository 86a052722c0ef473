// SPDX-License-Identifier: GPL-2.0
#include "backends/vm/vm_maps.h"
#include "backends/vm/vm_stacks.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define AT_ONCE 512		/* elements of an array that are compared with 0 at once */

/* Joins and hints link their entries by time, because a gap drops all older entries. */
static bool has_ages(const struct vm_map *m)
{
	return m->map.role == ROLE_JOIN || m->map.role == ROLE_HINT;
}

static uint32_t round_up_8(uint32_t n)
{
	return (n + 7) & ~7U;
}

/*
 * Keys may be names from traced programs. Without a random seed a program could choose names that
 * share a bucket.
 */
static uint64_t random_seed(void)
{
	const void *bytes = (const void *)(uintptr_t)getauxval(AT_RANDOM);
	uint64_t seed = 0;

	if (bytes)
		memcpy(&seed, bytes, sizeof(seed));
	return seed;
}

static int init_heads(struct vm_map *m)
{
	uint32_t buckets = 1;

	while (buckets < m->map.entries && buckets < 1U << 31)
		buckets *= 2;
	m->bucket_mask = buckets - 1;
	m->seed = random_seed();
	m->heads = calloc(buckets, sizeof(*m->heads));
	return m->heads ? 0 : -1;
}

static int init_hash(struct vm_map *m)
{
	m->value_at = (uint32_t)sizeof(struct vm_map_entry) + round_up_8(m->map.key_size);
	m->stride = m->value_at + round_up_8(m->map.value_size);
	return init_heads(m);
}

int vm_map_init(struct vm_map *m, const struct map *map, struct error *err)
{
	memset(m, 0, sizeof(*m));
	m->map = *map;
	if (map->kind == MAP_OUTPUT || map->kind == MAP_HOST)
		return 0;
	if (!map->entries || !map->key_size || !map->value_size ||
	    (map->kind != MAP_HASH && map->key_size != 4))
		return fail(err,
			    "map %s: %u entries with keys of %u and values of %u bytes make no map",
			    map->name, map->entries, map->key_size, map->value_size);
	m->stride = round_up_8(map->value_size);
	if (map->kind == MAP_STACKS)
		m->stride = vm_stack_stride(map);
	if ((map->kind == MAP_HASH && init_hash(m)) || (map->kind == MAP_STACKS && init_heads(m)))
		return fail(err, "map %s: out of memory for %u entries", map->name, map->entries);
	m->entries = calloc(map->entries, m->stride);
	if (!m->entries) {
		vm_map_free(m);
		return fail(err, "map %s: out of memory for %u entries", map->name, map->entries);
	}
	return 0;
}

void vm_map_free(struct vm_map *m)
{
	free(m->heads);
	free(m->entries);
	m->heads = NULL;
	m->entries = NULL;
}

static int update_array(struct vm_map *m, const void *key, const void *value, uint64_t flags)
{
	void *to = vm_map_lookup(m, key);

	if (!to)
		return -E2BIG;
	if (flags == BPF_NOEXIST)
		return -EEXIST;
	memcpy(to, value, m->map.value_size);
	return 0;
}

/* The hash of a key. It is never 0, which marks a free entry. */
static uint32_t hash_of(const struct vm_map *m, const void *key)
{
	const uint8_t *at = key;
	uint32_t left = m->map.key_size, half;
	uint64_t h = m->seed, word;

	for (; left >= 8; left -= 8, at += 8) {
		memcpy(&word, at, 8);
		h = vm_map_mix(h, word);
	}
	/* as wide as the store: a wider load would wait until the store reaches the cache */
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

static bool same_key(const struct vm_map *m, const void *a, const void *b)
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

/* The link that has the number of the key's entry, or the 0 at the end of its bucket. */
static uint32_t *link_of(struct vm_map *m, const void *key, uint32_t hash)
{
	uint32_t *link = &m->heads[hash & m->bucket_mask];

	while (*link) {
		struct vm_map_entry *e = vm_map_entry(m, *link);

		if (e->hash == hash && same_key(m, e->key, key))
			break;
		link = &e->next;
	}
	return link;
}

void *vm_map_find(struct vm_map *m, const void *key)
{
	uint32_t number = *link_of(m, key, hash_of(m, key));

	assert(m->map.kind == MAP_HASH);
	return number ? (uint8_t *)vm_map_entry(m, number) + m->value_at : NULL;
}

/* The number of an unused entry, counted from 1; 0: all are used. */
static uint32_t new_entry(struct vm_map *m)
{
	uint32_t number = m->free;

	if (number) {
		m->free = vm_map_entry(m, number)->next;
		return number;
	}
	return m->used < m->map.entries ? ++m->used : 0;
}

static void unlink_age(struct vm_map *m, struct vm_map_entry *e)
{
	*(e->older ? &vm_map_entry(m, e->older)->newer : &m->oldest) = e->newer;
	*(e->newer ? &vm_map_entry(m, e->newer)->older : &m->newest) = e->older;
}

/* Updates mostly come in the order of time, so the entry's place is nearly always the end. */
static void link_by_age(struct vm_map *m, struct vm_map_entry *e, uint32_t number)
{
	e->older = m->newest;
	while (e->older && vm_map_entry(m, e->older)->time > e->time)
		e->older = vm_map_entry(m, e->older)->older;
	e->newer = e->older ? vm_map_entry(m, e->older)->newer : m->oldest;
	*(e->older ? &vm_map_entry(m, e->older)->newer : &m->oldest) = number;
	*(e->newer ? &vm_map_entry(m, e->newer)->older : &m->newest) = number;
}

static void remove_entry(struct vm_map *m, uint32_t *link)
{
	uint32_t number = *link;
	struct vm_map_entry *e = vm_map_entry(m, number);

	if (has_ages(m))
		unlink_age(m, e);
	*link = e->next;
	e->hash = 0;
	e->next = m->free;
	m->free = number;
}

static void forget_oldest(struct vm_map *m)
{
	struct vm_map_entry *e = vm_map_entry(m, m->oldest);

	remove_entry(m, link_of(m, e->key, e->hash));
}

int vm_map_update(struct vm_map *m, const void *key, const void *value, uint64_t flags,
		  uint64_t now)
{
	uint32_t hash, *link;
	struct vm_map_entry *e;

	assert(m->map.kind != MAP_OUTPUT);
	if (flags > BPF_EXIST)
		return -EINVAL;
	if (m->map.kind != MAP_HASH)
		return update_array(m, key, value, flags);
	hash = hash_of(m, key);
	link = link_of(m, key, hash);
	if (*link) {
		if (flags == BPF_NOEXIST)
			return -EEXIST;
		e = vm_map_entry(m, *link);
		if (has_ages(m))
			unlink_age(m, e);
	} else {
		if (flags == BPF_EXIST)
			return -ENOENT;
		if (m->map.role == ROLE_HINT && !m->free && m->used == m->map.entries) {
			forget_oldest(m);
			/* the link may have been in the dropped entry */
			link = link_of(m, key, hash);
		}
		*link = new_entry(m);
		if (!*link)
			return -E2BIG;
		e = vm_map_entry(m, *link);
		e->next = 0;
		e->hash = hash;
		memcpy(e->key, key, m->map.key_size);
	}
	e->time = now;
	if (has_ages(m))
		link_by_age(m, e, *link);
	memcpy((uint8_t *)e + m->value_at, value, m->map.value_size);
	return 0;
}

int vm_map_delete(struct vm_map *m, const void *key)
{
	uint32_t *link;

	if (m->map.kind != MAP_HASH)
		return -EINVAL;
	link = link_of(m, key, hash_of(m, key));
	if (!*link)
		return -ENOENT;
	remove_entry(m, link);
	return 0;
}

static bool all_zero(const uint8_t *bytes, size_t n)
{
	return !n || (!*bytes && !memcmp(bytes, bytes + 1, n - 1));
}

/*
 * An element of an array has no time: any of them may be older than the gap, so all are dropped.
 * Most elements are 0, and each event within a gap calls this. So AT_ONCE elements are compared at
 * once.
 */
static uint64_t forget_elements(struct vm_map *m)
{
	const size_t end = (size_t)m->map.entries * m->stride, most = (size_t)AT_ONCE * m->stride;
	uint64_t n = 0;

	for (size_t at = 0; at < end; at += most) {
		const size_t size = end - at < most ? end - at : most;
		uint8_t *values = m->entries + at;

		if (all_zero(values, size))
			continue;
		for (size_t i = 0; i < size; i += m->stride)
			n += !all_zero(values + i, m->stride);
		memset(values, 0, size);
	}
	return n;
}

uint64_t vm_map_gap(struct vm_map *m, uint64_t time)
{
	struct vm_map_entry *e;
	uint64_t n = 0;

	if (!has_ages(m) || m->map.kind == MAP_OUTPUT)
		return 0;
	if (m->map.kind != MAP_HASH)
		n = forget_elements(m);
	while (m->oldest && (e = vm_map_entry(m, m->oldest))->time < time) {
		n += !all_zero((uint8_t *)e + m->value_at, m->map.value_size);
		forget_oldest(m);
	}
	return m->map.detail ? 0 : n;
}

typedef void (*vm_entry_fn)(void *arg, const void *key, const void *value);

static void each_of_hash(struct vm_map *m, bool forget, vm_entry_fn entry, void *arg)
{
	for (uint32_t number = 1; number <= m->used; number++) {
		struct vm_map_entry *e = vm_map_entry(m, number);

		if (!e->hash)
			continue;
		if (!all_zero((uint8_t *)e + m->value_at, m->map.value_size))
			entry(arg, e->key, (uint8_t *)e + m->value_at);
		if (forget) {
			m->heads[e->hash & m->bucket_mask] = 0;
			e->hash = 0;
		}
	}
	if (forget) {
		m->used = 0;
		m->free = 0;
	}
}

static void each_entry(struct vm_map *m, bool forget, vm_entry_fn entry, void *arg)
{
	if (m->map.kind == MAP_OUTPUT || m->map.kind == MAP_STACKS)
		return;
	if (m->map.kind == MAP_HASH) {
		each_of_hash(m, forget, entry, arg);
		return;
	}
	for (uint32_t i = 0; i < m->map.entries; i++) {
		uint8_t *value = m->entries + (size_t)i * m->stride;

		if (all_zero(value, m->map.value_size))
			continue;
		entry(arg, &i, value);
		if (forget)
			memset(value, 0, m->map.value_size);
	}
}

void vm_map_look(struct vm_map *m, vm_entry_fn entry, void *arg)
{
	each_entry(m, false, entry, arg);
}

void vm_map_take(struct vm_map *m, vm_entry_fn entry, void *arg)
{
	each_entry(m, m->map.role == ROLE_RESULT, entry, arg);
}
