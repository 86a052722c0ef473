// SPDX-License-Identifier: GPL-2.0
/*
 * The maps of sonde's own machine, as programs see them and as engines do.
 */
#include "tests/unit/helpers/vm_machine.h"

#include <errno.h>

/* r0 = the address of map[key]; r6 = the value, 99 if there is none. */
#define ADDRESS_OF(MAP_NUMBER, KEY) \
	BPF_ST_MEM(BPF_DW, R10, -8, KEY), MAP_FD(R1, MAP_NUMBER), STACK_ADDRESS(R2, -8), \
		CALL(map_lookup_elem)
#define VALUE_OF(MAP_NUMBER, KEY) \
	ADDRESS_OF(MAP_NUMBER, KEY), BPF_MOV64_IMM(R6, 99), IF(BPF_JEQ, R0, 0, 1), \
		BPF_LDX_MEM(BPF_DW, R6, R0, 0)
#define UPDATE(MAP_NUMBER, KEY, VALUE, FLAGS) \
	BPF_ST_MEM(BPF_DW, R10, -8, KEY), BPF_ST_MEM(BPF_DW, R10, -16, VALUE), \
		MAP_FD(R1, MAP_NUMBER), STACK_ADDRESS(R2, -8), STACK_ADDRESS(R3, -16), \
		BPF_MOV64_IMM(R4, FLAGS), CALL(map_update_elem), BPF_MOV64_REG(R6, R0)
#define REMOVE(MAP_NUMBER, KEY) \
	BPF_ST_MEM(BPF_DW, R10, -8, KEY), MAP_FD(R1, MAP_NUMBER), STACK_ADDRESS(R2, -8), \
		CALL(map_delete_elem), BPF_MOV64_REG(R6, R0)

static uint64_t full(const struct machine *m)
{
	struct vm_stats stats;

	vm_stats(m->vm, &stats);
	return stats.full;
}

START_TEST(test_hash)
{
	struct machine m;

	start(&m);
	assert_run(RUN(&m, VALUE_OF(JOIN, 1)), 99);
	assert_run(RUN(&m, REMOVE(JOIN, 1)), MINUS(ENOENT));
	assert_run(RUN(&m, UPDATE(JOIN, 1, 10, BPF_EXIST)), MINUS(ENOENT));
	assert_run(RUN(&m, UPDATE(JOIN, 1, 11, BPF_NOEXIST)), 0);
	assert_run(RUN(&m, VALUE_OF(JOIN, 1)), 11);
	assert_run(RUN(&m, UPDATE(JOIN, 1, 12, BPF_NOEXIST)), MINUS(EEXIST));
	assert_run(RUN(&m, VALUE_OF(JOIN, 1)), 11);
	assert_run(RUN(&m, UPDATE(JOIN, 1, 13, BPF_EXIST)), 0);
	assert_run(RUN(&m, UPDATE(JOIN, 2, 20, BPF_ANY)), 0);
	assert_run(RUN(&m, UPDATE(JOIN, 3, 30, BPF_ANY)), 0);
	assert_run(RUN(&m, UPDATE(JOIN, 3, 31, 3)), MINUS(EINVAL));
	ck_assert_uint_eq(full(&m), 0);
	assert_run(RUN(&m, UPDATE(JOIN, 4, 40, BPF_ANY)), MINUS(E2BIG));
	ck_assert_uint_eq(full(&m), 1);
	assert_run(RUN(&m, UPDATE(JOIN, 3, 32, BPF_ANY)), 0);
	assert_run(RUN(&m, REMOVE(JOIN, 2)), 0);
	assert_run(RUN(&m, VALUE_OF(JOIN, 2)), 99);
	assert_run(RUN(&m, UPDATE(JOIN, 4, 41, BPF_ANY)), 0);
	assert_run(RUN(&m, VALUE_OF(JOIN, 1)), 13);
	assert_run(RUN(&m, VALUE_OF(JOIN, 3)), 32);
	assert_run(RUN(&m, VALUE_OF(JOIN, 4)), 41);
	ck_assert_uint_eq(full(&m), 1);
	vm_free(m.vm);
}
END_TEST

/*
 * The oldest entry gives way, whichever bucket it shares; a gap drops hints as it does halves of a
 * join.
 */
START_TEST(test_hint)
{
	struct machine m;

	start(&m);
	for (uint64_t key = 1; key <= 100; key++) {
		assert_run(RUN(&m, UPDATE(HINT, (int)key, (int)key * 10, BPF_ANY)), 0);
		for (uint64_t old = 1; old <= key; old++)
			assert_run(RUN(&m, VALUE_OF(HINT, (int)old)),
				   old + 3 > key ? old * 10 : 99);
	}
	assert_run(RUN(&m, UPDATE(HINT, 98, 5, BPF_ANY)), 0);		/* now the newest */
	assert_run(RUN(&m, REMOVE(HINT, 100)), 0);
	assert_run(RUN(&m, UPDATE(HINT, 101, 6, BPF_ANY)), 0);
	assert_run(RUN(&m, UPDATE(HINT, 102, 7, BPF_ANY)), 0);
	assert_run(RUN(&m, VALUE_OF(HINT, 99)), 99);
	assert_run(RUN(&m, VALUE_OF(HINT, 98)), 5);
	ck_assert_uint_eq(full(&m), 0);
	ck_assert_uint_eq(vm_gap(m.vm, UINT64_MAX), 3);
	assert_run(RUN(&m, VALUE_OF(HINT, 98)), 99);
	vm_free(m.vm);
}
END_TEST

/* Counted once, whether the program tells or not, and also where it tells of something else. */
START_TEST(test_full)
{
	struct machine m;

	start(&m);
	for (uint64_t key = 10; key < 13; key++)
		ck_assert_int_eq(vm_set(m.vm, JOIN, &key, &key), 0);
	RUN(&m, UPDATE(JOIN, 1, 1, BPF_ANY));
	ck_assert_uint_eq(full(&m), 1);
	RUN(&m, UPDATE(JOIN, 1, 1, BPF_ANY), CALL_RING(COUNT_FULL));
	ck_assert_uint_eq(full(&m), 2);
	RUN(&m, BPF_MOV64_IMM(R6, 0), CALL_RING(COUNT_FULL));
	ck_assert_uint_eq(full(&m), 3);
	RUN(&m, UPDATE(JOIN, 1, 1, BPF_ANY), CALL_RING(COUNT_FULL), CALL_RING(COUNT_FULL));
	ck_assert_uint_eq(full(&m), 5);
	vm_free(m.vm);
}
END_TEST

START_TEST(test_array)
{
	struct machine m;

	start(&m);
	assert_run(RUN(&m, VALUE_OF(ARRAY, 7)), 0);
	assert_run(RUN(&m, VALUE_OF(ARRAY, 8)), 99);
	assert_run(RUN(&m, VALUE_OF(LASTS, -1)), 99);
	assert_run(RUN(&m, UPDATE(ARRAY, 7, 70, BPF_ANY)), 0);
	assert_run(RUN(&m, UPDATE(ARRAY, 7, 71, BPF_NOEXIST)), MINUS(EEXIST));
	assert_run(RUN(&m, UPDATE(ARRAY, 8, 80, BPF_ANY)), MINUS(E2BIG));
	ck_assert_uint_eq(full(&m), 0);		/* there never was such an element */
	RUN(&m, ADDRESS_OF(ARRAY, 7), BPF_MOV64_IMM(R6, 5), IF(BPF_JEQ, R0, 0, 1),
	    BPF_STX_XADD(BPF_DW, R0, R6, 0));
	assert_run(RUN(&m, VALUE_OF(ARRAY, 7)), 75);
	RUN(&m, ADDRESS_OF(ARRAY, 7), BPF_MOV64_IMM(R6, 5), IF(BPF_JEQ, R0, 0, 1),
	    BPF_STX_XADD(BPF_W, R0, R6, 4));
	assert_run(RUN(&m, VALUE_OF(ARRAY, 7)), 5ULL << 32 | 75);
	vm_free(m.vm);
}
END_TEST

/* A program holds a value's address while the map changes under it. */
START_TEST(test_stable_values)
{
	struct machine m;

	start(&m);
	RUN(&m, UPDATE(JOIN, 1, 11, BPF_ANY));
	assert_run(RUN(&m, ADDRESS_OF(JOIN, 1), BPF_MOV64_REG(R9, R0), IF(BPF_JNE, R9, 0, 2), EXIT,
		       UPDATE(JOIN, 2, 20, BPF_ANY), UPDATE(JOIN, 3, 30, BPF_ANY), REMOVE(JOIN, 1),
		       BPF_LDX_MEM(BPF_DW, R6, R9, 0)),
		   11);
	vm_free(m.vm);
}
END_TEST

START_TEST(test_access)
{
	static const char key[5] = "abcd";
	const uint32_t value[3] = { 1, 2, 3 }, other[3] = { 4, 5, 6 };
	uint32_t found[3] = { 0 }, index = 3, beyond = 8;
	uint64_t number = 9, read = 0;
	struct machine m;

	start(&m);
	ck_assert_int_eq(vm_get(m.vm, COUNTS, key, found), -1);
	ck_assert_int_eq(vm_set(m.vm, COUNTS, key, NULL), -1);
	ck_assert_int_eq(vm_set(m.vm, COUNTS, key, other), 0);
	ck_assert_int_eq(vm_set(m.vm, COUNTS, key, value), 0);
	ck_assert_int_eq(vm_get(m.vm, COUNTS, key, found), 0);
	ck_assert_mem_eq(found, value, sizeof(value));
	ck_assert_int_eq(vm_set(m.vm, COUNTS, key, NULL), 0);
	ck_assert_int_eq(vm_get(m.vm, COUNTS, key, found), -1);
	ck_assert_int_eq(vm_set(m.vm, TABLE, &index, &number), 0);
	ck_assert_int_eq(vm_get(m.vm, TABLE, &index, &read), 0);
	ck_assert_uint_eq(read, 9);
	ck_assert_int_eq(vm_set(m.vm, TABLE, &index, NULL), 0);
	ck_assert_int_eq(vm_get(m.vm, TABLE, &index, &read), 0);
	ck_assert_uint_eq(read, 0);
	ck_assert_int_eq(vm_set(m.vm, TABLE, &beyond, &number), -1);
	ck_assert_int_eq(vm_get(m.vm, TABLE, &beyond, &read), -1);
	ck_assert_int_eq(vm_set(m.vm, OUT, &index, &number), -1);
	ck_assert_int_eq(vm_get(m.vm, OUT, &index, &read), -1);
	vm_free(m.vm);
}
END_TEST

struct taken {
	unsigned int n;
	uint32_t key, value;	/* sums of first words */
};

static void take_entry(void *arg, const void *key, const void *value)
{
	struct taken *t = arg;
	uint32_t word;

	memcpy(&word, key, 4);
	t->key += word;
	memcpy(&word, value, 4);
	t->value += word;
	t->n++;
}

static void assert_taken(struct machine *m, unsigned int map, unsigned int n, uint32_t key,
			 uint32_t value)
{
	struct taken t = { 0 };

	vm_take(m->vm, map, take_entry, &t);
	ck_assert_uint_eq(t.n, n);
	ck_assert_uint_eq(t.key, key);
	ck_assert_uint_eq(t.value, value);
}

/* Results are handed over once; other maps only shown. */
START_TEST(test_take)
{
	const struct { uint32_t word; char more; } keys[] = { { 1, 'a' }, { 2, 'b' }, { 3, 'c' } };
	const uint32_t values[][3] = { { 10 }, { 0 }, { 30 } };
	uint64_t one = 1;
	struct machine m;

	start(&m);
	for (int round = 0; round < 2; round++) {
		for (unsigned int i = 0; i < 3; i++)
			vm_set(m.vm, COUNTS, &keys[i], values[i]);
		RUN(&m, UPDATE(ARRAY, 2, 20, BPF_ANY));
		RUN(&m, UPDATE(ARRAY, 5, 50, BPF_ANY));
		assert_taken(&m, COUNTS, 2, 4, 40);
		assert_taken(&m, COUNTS, 0, 0, 0);
		ck_assert_int_eq(vm_get(m.vm, COUNTS, &keys[0], (uint32_t[3]){ 0 }), -1);
		assert_taken(&m, ARRAY, 2, 7, 70);
		assert_taken(&m, ARRAY, 0, 0, 0);
	}
	vm_set(m.vm, JOIN, &one, &one);
	vm_set(m.vm, TABLE, &one, &one);
	for (int round = 0; round < 2; round++) {
		assert_taken(&m, JOIN, 1, 1, 1);
		assert_taken(&m, TABLE, 1, 1, 1);
	}
	assert_taken(&m, OUT, 0, 0, 0);
	vm_free(m.vm);
}
END_TEST

/* An entry counts from when it was made or replaced; only joins forget. */
START_TEST(test_gap)
{
	struct machine m;
	uint64_t value;
	int store;

	start(&m);
	store = LOAD(&m, RECORD(R7, BPF_DW, 0), BPF_STX_MEM(BPF_DW, R10, R7, -8), MAP_FD(R1, JOIN),
		     STACK_ADDRESS(R2, -8), STACK_ADDRESS(R3, -8), BPF_MOV64_IMM(R4, 0),
		     CALL(map_update_elem), BPF_MOV64_REG(R6, R0));
	for (uint64_t i = 1; i <= 3; i++)
		run(&m, store, &(struct sample){ .time = 100 * i, .record = &i, .size = 8 });
	RUN(&m, UPDATE(COUNTS, 5, 50, BPF_ANY));
	RUN(&m, UPDATE(TABLE, 5, 50, BPF_ANY));
	RUN(&m, UPDATE(LASTS, 5, 50, BPF_ANY));

	ck_assert_uint_eq(vm_gap(m.vm, 100), 1);	/* LASTS */
	ck_assert_int_eq(vm_get(m.vm, JOIN, &(uint64_t){ 1 }, &value), 0);
	ck_assert_uint_eq(vm_gap(m.vm, 250), 2);
	ck_assert_int_eq(vm_get(m.vm, JOIN, &(uint64_t){ 1 }, &value), -1);
	ck_assert_int_eq(vm_get(m.vm, JOIN, &(uint64_t){ 2 }, &value), -1);
	ck_assert_int_eq(vm_get(m.vm, JOIN, &(uint64_t){ 3 }, &value), 0);
	run(&m, store, &(struct sample){ .time = 400, .record = &(uint64_t){ 3 }, .size = 8 });
	run(&m, store, &(struct sample){ .time = 350, .record = &(uint64_t){ 4 }, .size = 8 });
	ck_assert_uint_eq(vm_gap(m.vm, 400), 1);
	ck_assert_int_eq(vm_get(m.vm, JOIN, &(uint64_t){ 3 }, &value), 0);
	ck_assert_int_eq(vm_get(m.vm, JOIN, &(uint64_t){ 4 }, &value), -1);
	/* What was dropped makes room again. */
	for (uint64_t i = 5; i <= 6; i++)
		ck_assert_uint_eq(
			run(&m, store, &(struct sample){ .time = 500, .record = &i, .size = 8 }),
			0);

	assert_taken(&m, COUNTS, 1, 5, 50);
	assert_taken(&m, TABLE, 1, 5, 50);
	assert_taken(&m, LASTS, 0, 0, 0);
	vm_free(m.vm);
}
END_TEST

/* Beside the hash a list that can't be wrong: random changes must leave both the same. */
#define MODEL_KEYS 40

struct model {
	uint64_t values[MODEL_KEYS];	/* by key; 0: no entry */
	unsigned int n;
};

static void compare_entry(void *arg, const void *key, const void *value)
{
	struct model *model = arg;
	uint8_t number = *(const uint8_t *)key;
	uint32_t word;

	memcpy(&word, value, sizeof(word));
	ck_assert_uint_eq(word, model->values[number]);
	model->values[number] = 0;
	model->n--;
}

START_TEST(test_model)
{
	struct model model = { 0 };
	uint32_t random = 1;
	struct machine m;

	start(&m);
	for (unsigned int i = 0; i < 20000; i++) {
		uint8_t key[5] = { 0 };
		uint32_t value[3] = { i + 1 };
		uint64_t *there;

		random = random * 1664525 + 1013904223;
		key[0] = (uint8_t)((random >> 8) % MODEL_KEYS);
		there = &model.values[key[0]];
		if (random >> 24 < 120) {
			bool room = *there || model.n < maps[COUNTS].entries;

			ck_assert_int_eq(vm_set(m.vm, COUNTS, key, value), room ? 0 : -1);
			model.n += room && !*there;
			*there = room ? i + 1 : *there;
		} else if (random >> 24 < 250) {
			ck_assert_int_eq(vm_set(m.vm, COUNTS, key, NULL), *there ? 0 : -1);
			model.n -= *there != 0;
			*there = 0;
		} else {
			vm_take(m.vm, COUNTS, compare_entry, &model);
			ck_assert_uint_eq(model.n, 0);
		}
		for (unsigned int k = 0; k < MODEL_KEYS; k++) {
			key[0] = (uint8_t)k;
			ck_assert_int_eq(vm_get(m.vm, COUNTS, key, value),
					 model.values[k] ? 0 : -1);
			if (model.values[k])
				ck_assert_uint_eq(value[0], model.values[k]);
		}
	}
	vm_free(m.vm);
}
END_TEST

Suite *suite_vm_maps(void)
{
	const struct {
		const char *name;
		const TTest *test;
	} cases[] = {
		{ "hash", test_hash }, { "hint", test_hint }, { "full", test_full },
		{ "array", test_array },
		{ "stable_values", test_stable_values }, { "access", test_access },
		{ "take", test_take }, { "gap", test_gap }, { "model", test_model },
	};
	Suite *suite = suite_create("vm_maps");

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TCase *tcase = tcase_create(cases[i].name);

		tcase_add_test(tcase, cases[i].test);
		suite_add_tcase(suite, tcase);
	}
	return suite;
}
