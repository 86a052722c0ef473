// SPDX-License-Identifier: GPL-2.0
/*
 * The entries of an epoch leave a hash, each once, those of the other epoch stay: with a map of the
 * running kernel, so the test requires the right to use bpf(2).
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/bpf/bpf_epoch.h"
#include "compat/base/bpf.h"
#include "tests/unit/unit.h"

struct key {
	uint32_t epoch, id;
	char rest[3];
} __attribute__((packed));

static const struct {
	unsigned int entries, of_epoch[2];
} sizes[] = {
	{ 1, { 0, 0 } },
	{ 1, { 1, 0 } },
	{ 1, { 0, 1 } },
	{ 7, { 3, 4 } },
	{ 100, { 100, 0 } },
	{ 1000, { 500, 500 } },
	{ 10000, { 10, 20 } },
	{ 10000, { 9000, 1000 } },
};

static struct map shape(unsigned int entries)
{
	return (struct map){
		"test", MAP_HASH, ROLE_RESULT, sizeof(struct key), sizeof(uint64_t), entries
	};
}

static void fill(int fd, uint32_t epoch, unsigned int n)
{
	for (uint32_t id = 0; id < n; id++) {
		struct key key = { .epoch = epoch, .id = id };
		uint64_t value = (uint64_t)epoch << 32 | (id + 1);

		ck_assert_int_eq(bpf_map_update_elem(fd, &key, &value, BPF_ANY), 0);
	}
}

static void check(const struct bpf_entries *e, uint32_t epoch, unsigned int n)
{
	bool *seen = calloc(n + 1, sizeof(*seen));

	ck_assert_uint_eq(e->n, n);
	for (unsigned int i = 0; i < n; i++) {
		struct key key;
		uint64_t value;

		memcpy(&key, e->keys + i * sizeof(key), sizeof(key));
		memcpy(&value, e->values + i * sizeof(value), sizeof(value));
		ck_assert_uint_eq(key.epoch, epoch);
		ck_assert_uint_lt(key.id, n);
		ck_assert(!seen[key.id]);
		ck_assert_uint_eq(value, (uint64_t)epoch << 32 | (key.id + 1));
		seen[key.id] = true;
	}
	free(seen);
}

static void take(int fd, const struct map *m, uint32_t epoch, bool batch, unsigned int n)
{
	struct bpf_entries e;

	ck_assert_int_eq(bpf_epoch_take(fd, m, epoch, batch, &e), 0);
	check(&e, epoch, n);
	bpf_entries_free(&e);
}

/* What the kernel has no batches for is taken one by one, also where they were asked for. */
START_TEST(epochs)
{
	const struct map m = shape(sizes[_i].entries);
	const struct bpf_map_shape made = {
		.type = BPF_MAP_TYPE_HASH,
		.key_size = m.key_size,
		.value_size = m.value_size,
		.entries = m.entries,
	};

	for (int batch = 0; batch < 2; batch++) {
		struct memlock memlock = { 0 };
		int fd = bpf_map_make(&made, &memlock);

		memlock_restore(&memlock);
		if (fd < 0)
			return;
		for (uint32_t epoch = 0; epoch < 2; epoch++)
			fill(fd, epoch, sizes[_i].of_epoch[epoch]);
		for (uint32_t epoch = 0; epoch < 2; epoch++) {
			take(fd, &m, epoch, batch, sizes[_i].of_epoch[epoch]);
			take(fd, &m, epoch, batch, 0);
		}
		close(fd);
	}
}
END_TEST

Suite *suite_bpf_epoch(void)
{
	Suite *s = suite_create("bpf_epoch");

	add_tests(s, "epochs", epochs, COUNT_OF(sizes));
	return s;
}
