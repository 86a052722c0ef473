// SPDX-License-Identifier: GPL-2.0
/* Rings that are written backward: whole, overwritten, torn and damaged ones. */
#include <stdlib.h>
#include <string.h>

#include "backends/recorder/ring_backward.h"
#include "tests/unit/unit.h"

Suite *suite_ring_backward(void);

#define SIZE 16384		/* of the ring */
#define RECORD 64		/* of an event */

/* The fields that the recorder asks for: IDENTIFIER TID TIME CPU, and the bytes of the record. */
static const struct perf_event_attr attr = {
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		       PERF_SAMPLE_CPU | PERF_SAMPLE_RAW,
	.sample_id_all = 1,
};

struct ring {
	uint8_t data[SIZE];
	uint64_t head;
};

static void copy_in(struct ring *r, uint64_t at, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		r->data[(at + i) & (SIZE - 1)] = ((const uint8_t *)bytes)[i];
}

/* As the kernel does: the head goes down first. lost: a note of losses before it, in one piece. */
static void write_event(struct ring *r, uint64_t time, bool lost)
{
	const struct perf_event_header header = { PERF_RECORD_SAMPLE, 0, RECORD };
	uint64_t event[RECORD / 8] = { 0, 7, 1, time, 0 };
	/* header, id, number; thread, time, CPU, id */
	uint64_t note[] = { 0, 7, 3, 1, time + 1, 0, 7 };
	const struct perf_event_header of_note = { PERF_RECORD_LOST, 0, sizeof(note) };

	memcpy(event, &header, sizeof(header));
	memcpy(note, &of_note, sizeof(of_note));
	r->head -= sizeof(event);
	copy_in(r, r->head, event, sizeof(event));
	if (!lost)
		return;
	r->head -= sizeof(note);
	copy_in(r, r->head, note, sizeof(note));
}

static struct backward parsed(const struct ring *r)
{
	const struct backward_times times = backward_times(&attr);
	struct backward b;

	ck_assert_uint_eq(times.of_sample, 24);
	ck_assert_uint_eq(times.of_other, 24);
	ck_assert_int_eq(backward_room(SIZE, &b), 0);
	backward_copy(r->data, SIZE, r->head, &b);
	ck_assert_int_eq(backward_parse(&b, &times), 0);
	return b;
}

/* Events written, and whether the oldest ones must be gone. */
static const struct {
	unsigned int n;
	bool overwritten;
} written[] = {
	{ 0, false }, { 1, false }, { 2, false }, { (SIZE - 4096) / RECORD, false },
	{ (SIZE - 4096) / RECORD + 1, true }, { SIZE / RECORD, true }, { SIZE / RECORD + 1, true },
	{ 10241, true },
};

START_TEST(events_are_in_their_order)
{
	struct ring *r = calloc(1, sizeof(*r));
	const unsigned int n = written[_i].n;
	struct backward b;

	for (unsigned int i = 0; i < n; i++)
		write_event(r, 100 + i, false);
	b = parsed(r);
	ck_assert_int_eq(b.overwritten, written[_i].overwritten);
	ck_assert_uint_eq(b.n, b.overwritten ? (SIZE - 4096) / RECORD : n);
	for (size_t i = 0; i < b.n; i++) {
		ck_assert_uint_eq(b.list[i].time, 100 + n - b.n + i);
		ck_assert(b.list[i].event && b.list[i].size == RECORD);
	}
	backward_free(&b);
	free(r);
}
END_TEST

START_TEST(a_note_of_losses_is_before_its_event)
{
	struct ring *r = calloc(1, sizeof(*r));
	struct backward b;

	write_event(r, 100, false);
	write_event(r, 200, true);
	write_event(r, 300, false);
	b = parsed(r);
	ck_assert_uint_eq(b.n, 4);
	ck_assert_uint_eq(b.list[0].time, 100);
	ck_assert(!b.list[1].event);
	ck_assert_uint_eq(b.list[1].time, 201);
	ck_assert_uint_eq(b.list[2].time, 200);
	ck_assert_uint_eq(b.list[3].time, 300);
	backward_free(&b);
	free(r);
}
END_TEST

/* The head went on while the ring was copied: so much of the old end is another record's. */
START_TEST(overwritten_bytes_are_left_out)
{
	static const uint64_t more[] = { 0, 64, 6400, SIZE - 4096, SIZE, 10 * SIZE };
	const uint64_t left = SIZE - 4096 > more[_i] ? SIZE - 4096 - more[_i] : 0;
	struct ring *r = calloc(1, sizeof(*r));
	struct backward b;

	ck_assert_int_eq(backward_room(SIZE, &b), 0);
	backward_copy(r->data, SIZE, 0 - (uint64_t)1000, &b);
	backward_cut(&b, SIZE, 0 - (uint64_t)1000, 0 - (uint64_t)1000 - more[_i]);
	ck_assert_uint_eq(b.size, left < 1000 ? left : 1000);
	ck_assert_int_eq(b.overwritten, left < 1000);
	backward_free(&b);
	free(r);
}
END_TEST

/* A record that wraps around the end, and one at the old end whose rest is overwritten. */
START_TEST(records_that_are_not_whole_end_it)
{
	struct ring *r = calloc(1, sizeof(*r));
	struct backward b;

	r->head = 40;			/* multiples of 64 are no multiples of the size now */
	for (unsigned int i = 0; i < 300; i++)
		write_event(r, 100 + i, false);
	b = parsed(r);
	ck_assert(b.overwritten);
	ck_assert_uint_eq(b.n, (SIZE - 4096) / RECORD);
	ck_assert_uint_eq(b.list[b.n - 1].time, 399);
	backward_free(&b);
	free(r);
}
END_TEST

/* What may be where a size is expected: the walk ends there, and stays within the copy. */
static const uint16_t sizes[] = { 0, 1, 7, 8, 12, 16, 24, 31, 65535, 65528 };

START_TEST(damaged_records_end_it)
{
	struct ring *r = calloc(1, sizeof(*r));
	const struct perf_event_header header = { PERF_RECORD_SAMPLE, 0, sizes[_i] };
	struct backward b;

	for (unsigned int i = 0; i < 10; i++)
		write_event(r, 100 + i, false);
	copy_in(r, r->head + 4 * RECORD, &header, sizeof(header));
	b = parsed(r);
	ck_assert_uint_eq(b.n, 4);
	ck_assert_uint_eq(b.list[0].time, 106);
	backward_free(&b);
	free(r);
}
END_TEST

/* Any bytes at all: each record of the list is within the copy. */
START_TEST(any_bytes_do_no_harm)
{
	struct ring *r = calloc(1, sizeof(*r));
	struct backward b;

	srand((unsigned int)_i);
	for (size_t i = 0; i < SIZE; i++)
		r->data[i] = (uint8_t)(rand() % 3 ? rand() % 16 : rand());
	r->head = (uint64_t)rand() * 8;
	b = parsed(r);
	for (size_t i = 0; i < b.n; i++)
		ck_assert(b.list[i].at + b.list[i].size <= b.size);
	backward_free(&b);
	free(r);
}
END_TEST

Suite *suite_ring_backward(void)
{
	Suite *s = suite_create("ring_backward");

	add_tests(s, "order", events_are_in_their_order, COUNT_OF(written));
	add_tests(s, "losses", a_note_of_losses_is_before_its_event, 1);
	add_tests(s, "cut", overwritten_bytes_are_left_out, 6);
	add_tests(s, "torn", records_that_are_not_whole_end_it, 1);
	add_tests(s, "damaged", damaged_records_end_it, COUNT_OF(sizes));
	add_tests(s, "any", any_bytes_do_no_harm, 200);
	return s;
}
