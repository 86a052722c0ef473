// SPDX-License-Identifier: GPL-2.0
/* Texts that grow. */
#include "compat/base/strbuf.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

Suite *suite_strbuf(void);

static const struct {
	size_t size;
	const char *first, *second, *text;
	bool cut;
} rooms[] = {
	{ 8, "abc", "", "abc", false },
	{ 8, "abc", "defg", "abcdefg", false },
	{ 8, "abc", "defgh", "abcd...", true },
	{ 8, "abcdefg", "h", "abcd...", true },
	{ 8, "abcdefgh", "", "abcd...", true },
	{ 8, "abcdefghijk", "lm", "abcd...", true },
	{ 8, "", "", "", false },
	/* Characters of two, three and four bytes are whole. */
	{ 8, "abcd\u00e9", "fgh", "abcd...", true },
	{ 8, "abc\u00e9", "fgh", "abc...", true },
	{ 8, "ab\u20ac", "fgh", "ab...", true },
	{ 8, "a\U0001f600", "fgh", "a...", true },
	{ 8, "ab\u00e9", "fghi", "ab\u00e9...", true },
	{ 4, "abcd", "", "...", true },
	{ 3, "abc", "", "..", true },
	{ 2, "ab", "", ".", true },
	{ 1, "a", "", "", true },
	{ 1, "", "", "", false },
};

static void check_room(const char *room, const struct strbuf *b, int i)
{
	ck_assert_str_eq(room, rooms[i].text);
	ck_assert_ptr_eq(b->s, room);
	ck_assert_uint_eq(b->n, strlen(room));
	ck_assert_int_eq(b->cut, rooms[i].cut);
	ck_assert_int_eq(room[rooms[i].size], 'x');
}

START_TEST(in_a_room)
{
	char room[16];
	struct strbuf b;

	memset(room, 'x', sizeof(room));
	b = strbuf_over(room, rooms[_i].size);
	ck_assert_str_eq(room, "");
	strbuf_add(&b, rooms[_i].first, strlen(rooms[_i].first));
	strbuf_add(&b, rooms[_i].second, strlen(rooms[_i].second));
	check_room(room, &b, _i);
}
END_TEST

START_TEST(formats_in_a_room)
{
	char room[16];
	struct strbuf b;

	memset(room, 'x', sizeof(room));
	b = strbuf_over(room, rooms[_i].size);
	strbuf_addf(&b, "%s", rooms[_i].first);
	strbuf_addf(&b, "%s", rooms[_i].second);
	check_room(room, &b, _i);
}
END_TEST

/* What comes behind a gap would read as if it followed. */
START_TEST(nothing_behind_a_cut)
{
	char room[8];
	struct strbuf b = strbuf_over(room, sizeof(room));

	strbuf_addf(&b, "%s", "far too long");
	b.n = 2;
	room[2] = '\0';
	strbuf_addf(&b, "%d", 1);
	strbuf_add(&b, "1", 1);
	strbuf_between(&b, ", ");
	ck_assert_str_eq(room, "fa");
}
END_TEST

START_TEST(separators)
{
	struct strbuf b = { };
	char *text;

	for (int i = 0; i < 3; i++) {
		strbuf_between(&b, ", ");
		strbuf_addf(&b, "%d", i);
	}
	text = strbuf_take(&b);
	ck_assert_str_eq(text, "0, 1, 2");
	free(text);
}
END_TEST

START_TEST(on_the_heap)
{
	struct strbuf b = { };
	char *text;

	for (int i = 0; i < 1000; i++) {
		strbuf_addf(&b, "%03d", i);
		strbuf_add(&b, ".\0", 2);
	}
	ck_assert(!b.cut);
	ck_assert_uint_eq(b.n, 5000);
	text = strbuf_take(&b);
	for (int i = 0; i < 1000; i++) {
		ck_assert_int_eq(atoi(text + 5 * i), i);
		ck_assert_str_eq(text + 5 * i + 3, ".");
	}
	ck_assert_int_eq(text[5000], '\0');
	free(text);
	ck_assert_ptr_null(b.s);
	text = strbuf_take(&b);		/* an empty text is one too */
	ck_assert_str_eq(text, "");
	free(text);
}
END_TEST

START_TEST(no_memory)
{
	struct strbuf b = { };

	strbuf_addf(&b, "%s", "a part");
	strbuf_add(&b, "", SIZE_MAX / 2);
	ck_assert(b.cut);
	ck_assert_str_eq(b.s, "a part");
	strbuf_addf(&b, "%s", "more");
	ck_assert_ptr_null(strbuf_take(&b));
	ck_assert(!b.cut);
	strbuf_add(&b, "", SIZE_MAX / 2);
	ck_assert_ptr_null(strbuf_take(&b));
}
END_TEST

Suite *suite_strbuf(void)
{
	Suite *suite = suite_create("strbuf");

	add_tests(suite, "rooms", in_a_room, sizeof(rooms) / sizeof(rooms[0]));
	add_tests(suite, "formats", formats_in_a_room, sizeof(rooms) / sizeof(rooms[0]));
	add_tests(suite, "behind a cut", nothing_behind_a_cut, 1);
	add_tests(suite, "separators", separators, 1);
	add_tests(suite, "heap", on_the_heap, 1);
	add_tests(suite, "no memory", no_memory, 1);
	return suite;
}
