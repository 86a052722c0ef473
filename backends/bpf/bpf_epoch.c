// SPDX-License-Identifier: GPL-2.0
#include "backends/bpf/bpf_epoch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/bpf.h"

#define ANY_EPOCH UINT32_MAX

static unsigned char *key_of(const struct map *m, const struct bpf_entries *e, unsigned int i)
{
	return e->keys + (size_t)i * m->key_size;
}

static unsigned char *value_of(const struct map *m, const struct bpf_entries *e, unsigned int i)
{
	return e->values + (size_t)i * m->value_size;
}

static bool is_of(const unsigned char *key, uint32_t epoch)
{
	uint32_t of;

	memcpy(&of, key, sizeof(of));
	return of == epoch;
}

/*
 * The kernel hands over whole buckets. The collected entries are still in the map, so the other
 * entries always fit into the room that is left.
 */
static int collect_batches(const struct map *m, int fd, uint32_t epoch, struct bpf_entries *e)
{
	uint32_t from = 0, to = 0;	/* numbers of buckets */
	bool first = true;
	int result = 0;

	for (e->n = 0; !result && e->n < m->entries; ) {
		unsigned int begin = e->n;
		uint32_t count = m->entries - begin;

		result = bpf_map_lookup_batch(fd, first ? NULL : &from, &to, key_of(m, e, begin),
					      value_of(m, e, begin), &count, NULL);
		if (result && result != -ENOENT)	/* ENOENT: these were the last entries */
			break;
		for (unsigned int i = begin; i < begin + count; i++) {
			if (epoch != ANY_EPOCH && !is_of(key_of(m, e, i), epoch))
				continue;
			memmove(key_of(m, e, e->n), key_of(m, e, i), m->key_size);
			memmove(value_of(m, e, e->n), value_of(m, e, i), m->value_size);
			e->n++;
		}
		from = to;
		first = false;
	}
	e->whole = result == -ENOENT;
	return result == -ENOENT ? 0 : result;
}

/*
 * The first key of a map, which NULL asks for since 4.12. Before, the kernel returns it for any key
 * that is not in the map. `value` is room for one.
 */
static int first_key(const struct map *m, int fd, unsigned char *key, unsigned char *value)
{
	int result = bpf_map_get_next_key(fd, NULL, key);

	if (result != -EFAULT)
		return result;
	memset(key, 0xff, m->key_size);
	while (!bpf_map_lookup_elem(fd, key, value))
		for (unsigned int i = 0; i < m->key_size && !key[i]--; i++)
			;
	return bpf_map_get_next_key(fd, key, key);
}

/*
 * Collects all keys before the first is deleted: a walk over the map begins anew at a key that was
 * deleted. ANY_EPOCH: all keys, also in a map whose keys do not begin with an epoch.
 */
static int collect_keys(const struct map *m, int fd, uint32_t epoch, struct bpf_entries *e)
{
	unsigned char *key = malloc(m->key_size);
	int result = key ? first_key(m, fd, key, e->values) : -ENOMEM;

	for (e->n = 0; !result && e->n < m->entries; ) {
		if (epoch == ANY_EPOCH || is_of(key, epoch))
			memcpy(key_of(m, e, e->n++), key, m->key_size);
		result = bpf_map_get_next_key(fd, key, key);
	}
	free(key);
	e->whole = result == -ENOENT;
	return result == -ENOENT ? 0 : result;
}

static int collect_one_by_one(const struct map *m, int fd, uint32_t epoch, struct bpf_entries *e)
{
	int result = collect_keys(m, fd, epoch, e);

	for (unsigned int i = 0; !result && i < e->n; i++)
		result = bpf_map_lookup_elem(fd, key_of(m, e, i), value_of(m, e, i));
	return result;
}

static int remove_all(const struct map *m, int fd, bool batch, const struct bpf_entries *e)
{
	uint32_t count = e->n;
	int result;

	if (!count || (batch && !bpf_map_delete_batch(fd, e->keys, &count, NULL)))
		return 0;
	for (unsigned int i = 0; i < e->n; i++) {
		result = bpf_map_delete_elem(fd, key_of(m, e, i));
		if (result && !(batch && result == -ENOENT))	/* the batch may have deleted it */
			return result;
	}
	return 0;
}

int bpf_epoch_take(int fd, const struct map *m, uint32_t epoch, bool batch, struct bpf_entries *out)
{
	int result = -EINVAL;

	*out = (struct bpf_entries){
		.keys = malloc((size_t)m->entries * m->key_size),
		.values = malloc((size_t)m->entries * m->value_size),
	};
	if (!out->keys || !out->values)
		return -ENOMEM;
	if (batch)
		result = collect_batches(m, fd, epoch, out);
	if (result)
		result = collect_one_by_one(m, fd, epoch, out);
	return result ? result : remove_all(m, fd, batch, out);
}

static int compare_keys(const void *a, const void *b, void *size)
{
	return memcmp(a, b, *(const uint16_t *)size);
}

/* Removes repeated keys. */
static void unique_keys(const struct map *m, struct bpf_entries *e)
{
	uint16_t size = m->key_size;
	unsigned int n = 0;

	if (!e->n)
		return;
	qsort_r(e->keys, e->n, size, compare_keys, &size);
	for (unsigned int i = 1; i < e->n; i++)
		if (memcmp(key_of(m, e, n), key_of(m, e, i), size) && ++n != i)
			memcpy(key_of(m, e, n), key_of(m, e, i), size);
	e->n = n + 1;
}

/*
 * Collects the keys of a hash that programs change. A walk begins anew if a program deletes its
 * current key, and then finds keys again. A walk that begins anew too often ends when the room for
 * keys is full.
 */
static int collect_keys_alive(const struct map *m, int fd, struct bpf_entries *e)
{
	int result = collect_keys(m, fd, ANY_EPOCH, e);

	unique_keys(m, e);
	return result;
}

int bpf_entries_read(int fd, const struct map *m, bool batch, struct bpf_entries *out)
{
	unsigned int n = 0;
	int result;

	*out = (struct bpf_entries){
		.keys = malloc((size_t)m->entries * m->key_size),
		.values = malloc((size_t)m->entries * m->value_size),
	};
	if (!out->keys || !out->values)
		return -ENOMEM;
	if (batch && !collect_batches(m, fd, ANY_EPOCH, out))
		return 0;
	result = collect_keys_alive(m, fd, out);
	for (unsigned int i = 0; !result && i < out->n; i++) {
		result = bpf_map_lookup_elem(fd, key_of(m, out, i), value_of(m, out, n));
		if (!result)
			memmove(key_of(m, out, n++), key_of(m, out, i), m->key_size);
		else if (result == -ENOENT)
			result = 0;
	}
	out->n = n;
	return result;
}

void bpf_entries_free(struct bpf_entries *e)
{
	free(e->keys);
	free(e->values);
	*e = (struct bpf_entries){ 0 };
}
