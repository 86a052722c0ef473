// SPDX-License-Identifier: GPL-2.0
/* Hash tables: the hash itself, numbers by hashes, values by bytes. */
#include "compat/base/hash.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

Suite *suite_hash(void);

/* SipHash-1-3 of the bytes 0, 1, 2 ... with the key 0, 1 ... 15; both halves of it are added. */
static const struct {
	size_t n;
	uint64_t hash;
} known[] = {
	{ 0, 0xabac0158050fc4dcULL }, { 1, 0xc9f49bf37d57ca93ULL }, { 2, 0x82cb9b024dc7d44dULL },
	{ 7, 0xd3927d989bb11140ULL }, { 8, 0x369095118d299a8eULL }, { 15, 0xd320d86d2a519956ULL },
	{ 16, 0xcc4fdd1a7d908b66ULL }, { 63, 0x9d199062b7bbb3a8ULL },
};

START_TEST(known_hashes)
{
	struct hash_seed seed;
	uint8_t bytes[64];

	for (uint8_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = i;
	memcpy(&seed, bytes, sizeof(seed));
	ck_assert_uint_eq(hash_bytes(&seed, bytes, known[_i].n),
			  (uint32_t)(known[_i].hash ^ known[_i].hash >> 32));
}
END_TEST

static bool has_number(const struct hash_index *x, uint32_t hash, uint32_t wanted)
{
	for (uint32_t at = hash, number; (number = hash_index_next(x, hash, &at));)
		if (number == wanted)
			return true;
	return false;
}

/* Hashes that share slots at both ends of the table: some, all, or most of them are the same. */
static const uint32_t spreads[] = { UINT32_MAX, 0, 1, 7, 0x3f, 0xffff0001 };

START_TEST(numbers)
{
	const uint32_t most = 3000, spread = spreads[_i];
	struct hash_index x = { };

	ck_assert(!has_number(&x, 0, 1));
	for (uint32_t n = 1; n <= most; n++) {
		ck_assert_int_eq(hash_index_room(&x), 0);
		hash_index_put(&x, n * 0x9e3779b1U & spread, n);
		ck_assert_uint_ge(x.mask / 2, x.n - 1);
	}
	/* every third goes, and comes back as another number */
	for (uint32_t n = 3; n <= most; n += 3)
		hash_index_drop(&x, n * 0x9e3779b1U & spread, n);
	ck_assert_uint_eq(x.n, most - most / 3);
	for (uint32_t n = 1; n <= most; n++)
		ck_assert_int_eq(has_number(&x, n * 0x9e3779b1U & spread, n), n % 3 != 0);
	for (uint32_t n = 3; n <= most; n += 3)
		hash_index_put(&x, n * 0x9e3779b1U & spread, most + n);
	for (uint32_t n = 1; n <= most; n++)
		ck_assert(has_number(&x, n * 0x9e3779b1U & spread, n % 3 ? n : most + n));
	hash_index_free(&x);
	ck_assert(!has_number(&x, 0, 1));
}
END_TEST

#define KEYS 2000

/* Adds and removes at random, beside a table of all keys. */
START_TEST(values)
{
	struct hash h = { .value_size = sizeof(uint32_t) };
	uint32_t *model[KEYS] = { }, n = 0, random = 1;

	for (uint32_t turn = 1; turn < 40 * KEYS; turn++) {
		const bool removes = turn / KEYS % 3 == 2;
		uint32_t key, *value;

		random = random * 1664525 + 1013904223;
		key = (random >> 8) % KEYS;
		value = hash_find(&h, &key, sizeof(key));
		ck_assert_ptr_eq(value, model[key]);
		if (value)
			ck_assert_uint_eq(*value, key + 1);
		if (removes) {
			n -= value != NULL;
			hash_remove(&h, &key, sizeof(key));
			model[key] = NULL;
		} else {
			n += value == NULL;
			value = hash_add(&h, &key, sizeof(key));
			ck_assert_ptr_nonnull(value);
			ck_assert_uint_eq(*value, model[key] ? key + 1 : 0);
			*value = key + 1;
			model[key] = value;
		}
		ck_assert_uint_eq(h.index.n, n);
	}
	/* what was removed takes no room for ever */
	ck_assert_uint_le(h.n_entries, 4 * KEYS);
	hash_clear(&h);
	ck_assert_uint_eq(h.index.n, 0);
}
END_TEST

/* Keys are bytes: one may begin with another, and may be empty. */
START_TEST(keys)
{
	static const struct {
		const char *bytes;
		size_t n;
	} all[] = {
		{ "", 0 }, { "\0", 1 }, { "\0\0", 2 }, { "a", 1 }, { "a\0", 2 }, { "ab", 2 },
		{ "a function's name", 17 }, { "a function's nam", 16 },
	};
	struct hash h = { .value_size = 3 };
	uint32_t at = 0;
	char *value;

	ck_assert_ptr_null(hash_find(&h, "", 0));
	ck_assert_ptr_null(hash_next(&h, &at));
	hash_remove(&h, "", 0);
	for (char i = 0; i < 8; i++) {
		ck_assert_ptr_null(hash_find(&h, all[(int)i].bytes, all[(int)i].n));
		value = hash_add(&h, all[(int)i].bytes, all[(int)i].n);
		ck_assert_int_eq(value[2], 0);
		value[2] = i + 1;
	}
	hash_remove(&h, all[3].bytes, all[3].n);
	for (char i = 0; i < 8; i++) {
		if (i == 3)
			continue;
		value = hash_next(&h, &at);	/* in their order */
		ck_assert_int_eq(value[2], i + 1);
		ck_assert_ptr_eq(hash_find(&h, all[(int)i].bytes, all[(int)i].n), value);
		ck_assert_int_eq(memcmp(hash_key(&h, value), all[(int)i].bytes, all[(int)i].n), 0);
	}
	ck_assert_ptr_null(hash_next(&h, &at));
	hash_clear(&h);
	ck_assert_ptr_null(hash_find(&h, "a", 1));
	ck_assert_ptr_nonnull(hash_add(&h, "a", 1));
	hash_clear(&h);
}
END_TEST

Suite *suite_hash(void)
{
	Suite *suite = suite_create("hash");

	add_tests(suite, "known hashes", known_hashes, sizeof(known) / sizeof(known[0]));
	add_tests(suite, "numbers", numbers, sizeof(spreads) / sizeof(spreads[0]));
	add_tests(suite, "values", values, 1);
	add_tests(suite, "keys", keys, 1);
	return suite;
}
