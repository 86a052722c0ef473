// SPDX-License-Identifier: GPL-2.0
/*
 * Programs count into slots (LOG2), user space prints what range a slot has (hist_slot_low,
 * hist_slot_high): both must mean the same.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/vm/vm.h"
#include "insns/common.h"
#include "src/lib/output/output.h"
#include "tests/unit/unit.h"

Suite *suite_hist_slots(void);

struct result {
	uint64_t value, slot, other;
};

struct frame {
	struct result result;
};

static const struct insn slots[] = {
	FIELD(R6, "value"),
	LOG2(R7, R6),
	SET(result.value, R6),
	SET(result.slot, R7),
	LOG2(R4, R6),				/* any register from r4 on does */
	SET(result.other, R4),
	OUTPUT("slots", result),
	EXIT,
};

static const struct map maps[] = { { "slots", MAP_OUTPUT, 0, 0, 0, 0 } };

static void keep(void *arg, unsigned int output, const void *record, uint32_t size)
{
	ck_assert_uint_eq(output, 0);
	ck_assert_uint_eq(size, sizeof(struct result));
	memcpy(arg, record, size);
}

/* The program, run on one value after another. */
struct machine {
	struct vm *vm;
	int program;
	struct result result;
};

static void start(struct machine *m)
{
	struct input value = { .name = "value", .kind = INPUT_NUMBER, .place = PLACE_RECORD,
			       .offset = 0, .size = 8 };
	const struct layout layout = { .n_inputs = 1, .inputs = &value };
	static const struct program program = PROGRAM("test.slots", slots);
	const struct lowering l = { .target = TARGET_RING, .layout = &layout, .maps = maps,
				    .n_maps = 1 };
	struct lowered code;
	struct error err;

	ck_assert_msg(!lower(&program, &l, &code, &err), "%s", err.text);
	m->vm = vm_new(maps, 1, keep, &m->result, &err);
	ck_assert_ptr_nonnull(m->vm);
	m->program = vm_load(m->vm, code.insns, code.n, &err);
	ck_assert_msg(m->program >= 0, "%s", err.text);
	lowered_free(&code);
}

/* The slot of a value, which is within what the slot is said to hold. */
static uint64_t slot_of(struct machine *m, uint64_t value)
{
	struct sample s = { .size = sizeof(value), .record = &value };
	uint64_t slot;

	memset(&m->result, 0xff, sizeof(m->result));
	ck_assert_int_ge(vm_run(m->vm, m->program, &s, NULL, 0), 0);
	slot = m->result.slot;
	ck_assert_uint_eq(m->result.value, value);
	ck_assert_uint_eq(m->result.other, slot);
	ck_assert_uint_lt(slot, HIST_SLOTS);
	ck_assert_msg(hist_slot_low(slot) <= value && value <= hist_slot_high(slot),
		      "%llu is counted in slot %llu: %llu to %llu",
		      (unsigned long long)value, (unsigned long long)slot,
		      (unsigned long long)hist_slot_low(slot),
		      (unsigned long long)hist_slot_high(slot));
	return slot;
}

START_TEST(around_powers_of_two)
{
	struct machine m;

	start(&m);
	for (int bit = 0; bit < 64; bit++)
		for (int64_t off = -2; off <= 2; off++)
			slot_of(&m, (1ULL << bit) + (uint64_t)off);
	ck_assert_uint_eq(slot_of(&m, 0), 0);
	ck_assert_uint_eq(slot_of(&m, UINT64_MAX), HIST_SLOTS - 1);
	vm_free(m.vm);
}
END_TEST

START_TEST(ends_of_slots)
{
	struct machine m;

	start(&m);
	for (unsigned int slot = 0; slot < HIST_SLOTS; slot++) {
		ck_assert_uint_eq(slot_of(&m, hist_slot_low(slot)), slot);
		ck_assert_uint_eq(slot_of(&m, hist_slot_high(slot)), slot);
		ck_assert_uint_eq(hist_slot_low(slot), slot ? hist_slot_high(slot - 1) + 1 : 0);
	}
	vm_free(m.vm);
}
END_TEST

START_TEST(any_values)
{
	uint64_t random = 0x9e3779b97f4a7c15ULL;
	struct machine m;

	start(&m);
	for (int i = 0; i < 200000; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		slot_of(&m, random >> (random & 63));
	}
	/* A larger value never goes to a lower slot. */
	for (uint64_t value = 0, last = 0; value < 100000; value++) {
		uint64_t slot = slot_of(&m, value);

		ck_assert_uint_ge(slot, last);
		ck_assert_uint_le(slot - last, 1);
		last = slot;
	}
	vm_free(m.vm);
}
END_TEST

Suite *suite_hist_slots(void)
{
	Suite *s = suite_create("hist_slots");

	add_tests(s, "powers of two", around_powers_of_two, 1);
	add_tests(s, "ends", ends_of_slots, 1);
	add_tests(s, "any values", any_values, 1);
	return s;
}
