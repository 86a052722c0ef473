// SPDX-License-Identifier: GPL-2.0
/*
 * Texts and rows in pieces: what a kernel before 4.20 would store is made of a memory some of whose
 * pages are not there. What comes of it is the truth, or that it can't be told.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "backends/vm/pieces.h"

#define PAGE 4096
#define PAGES 3
#define BASE 0x5000

struct memory {
	uint8_t bytes[PAGES * PAGE];
	bool there[PAGES];
};

/* A number there, as DEFINE_FETCH_memory has it: 0 if any byte of it can't be read. */
static void fetch(const struct memory *m, uint64_t address, uint8_t *to, uint32_t size)
{
	uint64_t from = address - BASE, last = from + size - 1;

	memset(to, 0, size);
	if (last / PAGE < PAGES && m->there[from / PAGE] && m->there[last / PAGE])
		memcpy(to, m->bytes + from, size);
}

static uint32_t fetch_text(const struct memory *m, uint64_t address, uint32_t n, uint8_t *record)
{
	memcpy(record, &address, 8);
	for (uint32_t i = 0; i < n; i++)
		fetch(m, address + 7 * i, record + 8 + 8 * i, 8);
	return 8 + 8 * n;
}

static uint32_t fetch_row(const struct memory *m, uint64_t address, uint32_t n, uint32_t pointer,
			  uint8_t *record)
{
	memcpy(record, &address, 8);
	for (uint32_t i = 0; i < n; i++)
		fetch(m, address + pointer * i, record + 8 + pointer * i, pointer);
	return 8 + pointer * n;
}

static void shuffle(struct memory *m, unsigned int zeros)
{
	for (unsigned int i = 0; i < sizeof(m->bytes); i++)
		m->bytes[i] = (unsigned int)rand() % 100 < zeros ? 0 : (uint8_t)rand();
	for (unsigned int i = 0; i < PAGES; i++)
		m->there[i] = rand() % 4;
}

START_TEST(texts)
{
	static struct memory m;
	unsigned int told = 0;

	srand(7);
	for (int round = 0; round < 300; round++) {
		static const unsigned int zeros[] = { 0, 1, 3, 20, 90 };

		shuffle(&m, zeros[round % 5]);
		for (int i = 0; i < 500; i++) {
			uint8_t record[8 + 8 * 19];
			char text[PIECES_TEXT];
			uint64_t at = (uint64_t)(PAGE - 160 + rand() % 200);
			uint32_t size = fetch_text(&m, BASE + at, 19, record);
			int length = pieces_text(record, size, 8, 8, text);

			told += length >= 0;
			if (length < 0)
				continue;
			ck_assert_int_eq(length, (int)strnlen((char *)m.bytes + at, 134));
			ck_assert_mem_eq(text, m.bytes + at, (size_t)length);
			ck_assert(m.there[at / PAGE] &&
				  m.there[(at + (uint64_t)length - !!length) / PAGE]);
		}
	}
	ck_assert_uint_gt(told, 50000);
}
END_TEST

/* With all memory there, nothing but an empty text among zeros is unknown. */
START_TEST(all_there)
{
	static struct memory m;

	srand(8);
	for (int round = 0; round < 200; round++) {
		uint8_t record[8 + 8 * 19];
		char text[PIECES_TEXT];
		uint64_t at = (uint64_t)(rand() % (2 * PAGE));

		shuffle(&m, 2);
		m.there[0] = m.there[1] = m.there[2] = true;
		ck_assert_int_eq(pieces_text(record, fetch_text(&m, BASE + at, 19, record),
					     8, 8, text),
				 (int)strnlen((char *)m.bytes + at, 134));
	}
}
END_TEST

START_TEST(rows)
{
	static struct memory m;
	unsigned int told = 0;

	srand(9);
	for (int round = 0; round < 20000; round++) {
		uint32_t pointer = round % 2 ? 8 : 4, n = 21, i;
		uint64_t at = (uint64_t)(PAGE - 100 + rand() % 150);
		uint8_t record[8 + 8 * 21];
		uint64_t zero = 0;
		bool ends;

		for (i = 0; i < PAGES; i++)
			m.there[i] = rand() % 3;
		memset(m.bytes, 0xab, sizeof(m.bytes));
		memset(m.bytes + at + pointer * ((uint32_t)rand() % 25), 0, pointer);
		ends = pieces_row_ends(record, fetch_row(&m, BASE + at, n, pointer, record),
				       8, pointer);
		told += ends;
		for (i = 0; ends && i < n; i++) {
			bool is_zero = !memcmp(record + 8 + pointer * i, &zero, pointer);

			ck_assert(is_zero == !memcmp(m.bytes + at + pointer * i, &zero, pointer));
			if (is_zero)
				break;
		}
	}
	ck_assert_uint_gt(told, 5000);
}
END_TEST

START_TEST(addresses)
{
	uint8_t record[8 + 8 * 19];
	char text[PIECES_TEXT];
	struct memory m = { .there = { true, true, true } };
	uint64_t wide = 0x200005000;
	uint32_t size;

	strcpy((char *)m.bytes, "text");
	size = fetch_text(&m, BASE, 19, record);
	ck_assert_int_eq(pieces_text(record, size, 8, 4, text), 4);
	memcpy(record, &wide, 8);
	ck_assert_int_eq(pieces_text(record, size, 8, 8, text), 4);
	/* two pointers of a 32-bit task */
	ck_assert_int_eq(pieces_text(record, size, 8, 4, text), -1);
	memset(record, 0, sizeof(record));
	ck_assert_int_eq(pieces_text(record, size, 8, 8, text), -1);	/* NULL */
	ck_assert(!pieces_row_ends(record, 24, 8, 8));
}
END_TEST

Suite *suite_pieces(void);
Suite *suite_pieces(void)
{
	const struct { const char *name; const TTest *test; } cases[] = {
		{ "texts", texts }, { "all_there", all_there }, { "rows", rows },
		{ "addresses", addresses },
	};
	Suite *suite = suite_create("pieces");

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TCase *tcase = tcase_create(cases[i].name);

		tcase_add_test(tcase, cases[i].test);
		suite_add_tcase(suite, tcase);
	}
	return suite;
}
