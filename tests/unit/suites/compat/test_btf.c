// SPDX-License-Identifier: GPL-2.0
/*
 * The reader of type information: a blob made by hand, in both byte orders, and whatever can be
 * wrong with one.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compat/types/btf.h"
#include "compat/types/scalar.h"
#include "tests/unit/unit.h"

Suite *suite_btf(void);

struct blob {
	bool big;
	uint8_t types[32768], whole[65536];
	char strings[16384];
	uint32_t n_types, n_strings, size;
};

static void put(struct blob *b, uint8_t *to, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		to[i] = (uint8_t)(value >> 8 * (b->big ? 3 - i : i));
}

static void word(struct blob *b, uint32_t value)
{
	put(b, b->types + b->n_types, value);
	b->n_types += 4;
}

static uint32_t name(struct blob *b, const char *text)
{
	uint32_t at = b->n_strings;

	if (!text[0])
		return 0;
	strcpy(b->strings + at, text);
	b->n_strings += (uint32_t)strlen(text) + 1;
	return at;
}

static void head(struct blob *b, const char *text, uint32_t kind, uint32_t vlen,
		 uint32_t size_or_type)
{
	word(b, name(b, text));
	word(b, kind << 24 | vlen);
	word(b, size_or_type);
}

static void member(struct blob *b, const char *text, uint32_t type, uint32_t bits)
{
	word(b, name(b, text));
	word(b, type);
	word(b, bits);
}

#define BITS (1u << 7)		/* of a kind: members tell sizes of bit fields */

/*
 * 1 int, 2 pointer, 3 struct path { mnt 0, dentry 8 }, 4 typedef path_t of 3, 5 const of 4,
 * 6 union { a path 0; b int 0 }, 7 struct { x int 0; union 6 at 8 }, 8 struct file, 9 struct bits,
 * 10 array, 11 enum, 12 function prototype, 13 section, 14 variable, 15 struct twin, 16 struct
 * twin, 17 64-bit enum, 18 loop, 19 pointer to 5, 20 pointer to 22, 21 const of 8, 22 tag of 8,
 * 23 pointer to 21, 24 pointer to nothing, 25 struct points
 */
static void build(struct blob *b, bool big)
{
	memset(b, 0, sizeof(*b));
	b->big = big;
	b->n_strings = 1;
	head(b, "int", 1, 0, 4);
	word(b, 32);
	head(b, "", 2, 0, 1);
	head(b, "path", 4, 2, 16);
	member(b, "mnt", 2, 0);
	member(b, "dentry", 2, 64);
	head(b, "path_t", 8, 0, 3);
	head(b, "", 10, 0, 4);
	head(b, "", 5, 2, 16);
	member(b, "a", 5, 0);
	member(b, "b", 1, 0);
	head(b, "", 4, 2, 24);
	member(b, "x", 1, 0);
	member(b, "", 6, 64);
	head(b, "file", 4, 4, 64);
	member(b, "f_mode", 1, 0);
	member(b, "", 7, 64);
	member(b, "f_path", 5, 256);
	member(b, "f_pos", 1, 384);
	head(b, "bits", 4 | BITS, 3, 8);
	member(b, "whole", 1, 0);
	member(b, "some", 1, 3u << 24 | 32);
	member(b, "odd", 1, 35);
	head(b, "", 3, 0, 0);
	word(b, 1), word(b, 1), word(b, 4);
	head(b, "e", 6, 1, 4);
	word(b, name(b, "one")), word(b, 1);
	head(b, "", 13, 1, 1);
	word(b, 0), word(b, 1);
	head(b, ".data", 15, 1, 4);
	word(b, 14), word(b, 0), word(b, 4);
	head(b, "v", 14, 0, 1);
	word(b, 0);
	head(b, "twin", 4, 2, 8);
	member(b, "same", 1, 32);
	member(b, "other", 1, 0);
	head(b, "twin", 4, 2, 8);
	member(b, "same", 1, 32);
	member(b, "other", 1, 64);
	head(b, "e64", 19, 1, 8);
	word(b, name(b, "two")), word(b, 2), word(b, 0);
	head(b, "loop", 4, 2, 8);
	member(b, "", 18, 0);
	member(b, "", 18, 0);
	head(b, "", 2, 0, 5);
	head(b, "", 2, 0, 22);
	head(b, "", 10, 0, 8);
	head(b, "rcu", 18, 0, 8);
	head(b, "", 2, 0, 21);
	head(b, "", 2, 0, 99);
	head(b, "points", 4, 6, 48);
	member(b, "to_typedef", 19, 0);
	member(b, "to_tagged", 20, 64);
	member(b, "to_file", 23, 128);
	member(b, "to_int", 2, 192);
	member(b, "to_none", 24, 256);
	member(b, "number", 1, 320);
}

static void finish(struct blob *b)
{
	memset(b->whole, 0, 24);
	b->whole[b->big ? 0 : 1] = 0xeb;
	b->whole[b->big ? 1 : 0] = 0x9f;
	b->whole[2] = 1;
	put(b, b->whole + 4, 24);
	put(b, b->whole + 8, 0);
	put(b, b->whole + 12, b->n_types);
	put(b, b->whole + 16, b->n_types);
	put(b, b->whole + 20, b->n_strings);
	memcpy(b->whole + 24, b->types, b->n_types);
	memcpy(b->whole + 24 + b->n_types, b->strings, b->n_strings);
	b->size = 24 + b->n_types + b->n_strings;
}

static const struct {
	const char *path;
	int32_t offset;
	const char *why;
} paths[] = {
	{ "file.f_mode", 0 }, { "file.f_pos", 48 },
	/* behind const and typedef */
	{ "file.f_path", 32 }, { "file.f_path.dentry", 40 },
	{ "file.x", 8 }, { "file.b", 16 }, { "file.a.dentry", 24 },	/* through anonymous ones */
	{ "path.mnt", 0 }, { "bits.whole", 0 }, { "twin.same", 4 },
	{ "bits.some", -1, "bit field" }, { "bits.odd", -1, "bit field" },
	{ "twin.other", -1, "several structs" },
	{ "file.f_po", -1, "no such member" }, { "file.f_pos_", -1, "no such member" },
	{ "file.f_path.", -1, "no such member" }, { "file.f_pos.x", -1, "no such member" },
	{ "file.f_path.none", -1, "no such member" }, { "fil.f_pos", -1, "no such member" },
	{ "path_t.mnt", -1, "no such member" }, { "int.x", -1, "no such member" },
	{ "file", -1, "no such member" },
	{ "", -1, "no such member" }, { "loop.x", -1, "no such member" },
};

static int file_of(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("btf", MFD_CLOEXEC);

	ck_assert_int_eq(pwrite(fd, bytes, size, 0), (ssize_t)size);
	return fd;
}

static void check_path(struct btf *b, const char *path, int32_t offset, const char *why)
{
	struct error err = { };

	ck_assert_msg(btf_offset(b, path, NULL, &err) == offset, "%s: not %d: %s", path, offset,
		      err.text);
	ck_assert_msg(!why || strstr(err.text, why), "%s: %s", path, err.text);
}

START_TEST(members_by_path)
{
	struct error err = { };
	struct blob blob;
	struct btf *b;

	build(&blob, _i % 2);
	finish(&blob);
	b = btf_new(file_of(blob.whole, blob.size), &err);
	ck_assert_msg(b != NULL, "%s", err.text);
	check_path(b, paths[_i / 2].path, paths[_i / 2].offset, paths[_i / 2].why);
	btf_free(b);
}
END_TEST

START_TEST(what_members_point_to)
{
	static const struct {
		const char *path, *pointed;
	} rows[] = {
		{ "points.to_file", "file" }, { "points.to_typedef", "" },
		{ "points.to_tagged", "" }, { "points.to_int", "" }, { "points.to_none", "" },
		{ "points.number", "" },
		{ "path.dentry", "" }, { "file.f_path", "" },
	};
	struct error err = { };
	struct blob blob;
	struct btf *b;

	build(&blob, _i);
	finish(&blob);
	b = btf_new(file_of(blob.whole, blob.size), &err);
	ck_assert_msg(b != NULL, "%s", err.text);
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char pointed[BTF_POINTED] = "unset";

		ck_assert_int_ge(btf_offset(b, rows[i].path, pointed, &err), 0);
		ck_assert_msg(!strcmp(pointed, rows[i].pointed), "%s: %s", rows[i].path, pointed);
	}
	btf_free(b);
}
END_TEST

/*
 * Enough types that not all can be looked at at once, nor known by their places; `shift` moves
 * every one of them. Pointers, then chain0 { pad 0; next 8: a const of chain1 } ... to chain9 { pad
 * 0; end 8 }, many pointers and the next one between them, those behind before those in front, so
 * that the way of a path leads back and forth.
 */
#define CHAIN 10
#define APART 100

static void build_large(struct blob *b, uint32_t shift)
{
	static const uint8_t order[CHAIN] = { 4, 1, 7, 0, 9, 3, 8, 2, 6, 5 };
	uint32_t place[CHAIN];
	char text[16];

	memset(b, 0, sizeof(*b));
	b->n_strings = 1;
	for (uint32_t i = 0; i < CHAIN; i++)
		place[order[i]] = shift + i * (APART + 2) + 1;
	for (uint32_t i = 0; i < shift; i++)
		head(b, "", 2, 0, 0);
	for (uint32_t i = 0; i < CHAIN; i++) {
		uint32_t number = order[i];
		bool last = number == CHAIN - 1;

		snprintf(text, sizeof(text), "chain%u", number);
		head(b, text, 4, 2, 16);
		member(b, "pad", 0, 0);
		member(b, last ? "end" : "next", last ? 0 : place[number + 1] + 1, 64);
		head(b, "", 10, 0, place[number]);
		for (uint32_t j = 0; j < APART; j++)
			head(b, "", 2, 0, 0);
	}
	finish(b);
}

START_TEST(through_many_types)
{
	struct error err = { };
	struct blob blob;
	struct btf *b;

	build_large(&blob, (uint32_t)_i);
	ck_assert_uint_gt(blob.n_types, 2 * 4096);
	b = btf_new(file_of(blob.whole, blob.size), &err);
	ck_assert_msg(b != NULL, "%s", err.text);
	check_path(b, "chain0.next.next.next.next.next.next.next.next.next.end", 80, NULL);
	check_path(b, "chain9.end", 8, NULL);
	check_path(b, "chain2.next.next.pad", 16, NULL);
	check_path(b, "chain8.next.next", -1, "no such member");
	btf_free(b);
}
END_TEST

START_TEST(numbers)
{
	static const struct {
		const char *name;
		int result;
		int64_t value;
	} rows[] = {
		{ "alone", 1, 7 }, { "same", 1, 3 }, { "differs", -1, 0 }, { "none", 0, 0 },
	};
	struct btf_member m = { };
	struct blob blob = { .n_strings = 1 };
	bool is_signed;
	struct btf *b;

	head(&blob, "a", 6, 3, 4);
	word(&blob, name(&blob, "alone")), word(&blob, 7);
	word(&blob, name(&blob, "same")), word(&blob, 3);
	word(&blob, name(&blob, "differs")), word(&blob, 4);
	head(&blob, "b", 6, 2, 4);
	word(&blob, name(&blob, "same")), word(&blob, 3);
	word(&blob, name(&blob, "differs")), word(&blob, 5);
	finish(&blob);
	b = btf_new(file_of(blob.whole, blob.size), NULL);
	ck_assert_ptr_nonnull(b);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int result = btf_number(b, rows[i].name, strlen(rows[i].name), &m, &is_signed);

		ck_assert_msg(result == rows[i].result && (result < 1 || m.value == rows[i].value),
			      "%s: %d", rows[i].name, result);
	}
	btf_free(b);
}
END_TEST

/*
 * Names of structs, unions and typedefs are in an index, where "Aa" and "BB" have the same hash;
 * others are looked for among all types.
 */
static const struct {
	const char *name;
	uint32_t kinds, id;
	unsigned int found;
} named[] = {
	{ "Aa", 1 << BTF_STRUCT, 1, 2 }, { "Aa", 1 << BTF_TYPEDEF, 3, 1 },
	{ "Aa", 1 << BTF_UNION, 4, 1 }, { "Aa", 1 << BTF_STRUCT | 1 << BTF_UNION, 1, 3 },
	{ "BB", 1 << BTF_STRUCT, 2, 1 }, { "BB", 1 << BTF_TYPEDEF, 0, 0 },
	{ "BB", 1 << BTF_FUNCTION, 6, 1 }, { "BB", 1 << BTF_FUNCTION | 1 << BTF_STRUCT, 2, 2 },
	{ "A", 1 << BTF_STRUCT, 0, 0 }, { "", 1 << BTF_STRUCT, 0, 0 },
	{ "", 1 << BTF_POINTER, 0, 0 }, { "Aa_", 1 << BTF_STRUCT, 0, 0 },
};

START_TEST(types_by_name)
{
	struct blob blob = { .n_strings = 1 };
	struct error err = { };
	struct btf *b;

	head(&blob, "Aa", 4, 0, 4);
	head(&blob, "BB", 4, 0, 4);
	head(&blob, "Aa", 8, 0, 1);
	head(&blob, "Aa", 5, 0, 4);
	head(&blob, "", 4, 0, 4);
	head(&blob, "BB", 12, 0, 0);
	head(&blob, "Aa", 4, 1, 4);
	member(&blob, "last", 0, 0);
	finish(&blob);
	b = btf_new(file_of(blob.whole, blob.size), &err);
	ck_assert_msg(b != NULL, "%s", err.text);
	for (int i = 0; i < COUNT_OF(named); i++) {
		unsigned int found;
		uint32_t id = btf_named(b, named[i].kinds, named[i].name, strlen(named[i].name),
					&found);

		ck_assert_msg(id == named[i].id && found == named[i].found, "%d %s: %u, %u", i,
			      named[i].name, id, found);
	}
	/* The name may be a part of a longer text. */
	ck_assert_uint_eq(btf_named(b, 1 << BTF_STRUCT, "BB.x", 2, &(unsigned int){ 0 }), 2);
	check_path(b, "Aa.last", 0, NULL);
	btf_free(b);
}
END_TEST

/* Types of a module: their numbers continue those of the kernel, and names may be the kernel's. */
START_TEST(types_of_a_module)
{
	struct blob kernel = { .n_strings = 1 }, module = { };
	struct btf *base, *b;
	unsigned int found;

	head(&kernel, "task", 4, 0, 4);
	head(&kernel, "mine", 4, 0, 4);
	finish(&kernel);
	base = btf_new(file_of(kernel.whole, kernel.size), NULL);
	ck_assert_ptr_nonnull(base);
	word(&module, 1), word(&module, 4 << 24), word(&module, 8);	/* another task */
	word(&module, kernel.n_strings), word(&module, 8 << 24), word(&module, 1);
	strcpy(module.strings, "own");
	module.n_strings = sizeof("own");
	finish(&module);
	b = btf_split(file_of(module.whole, module.size), base, NULL);
	ck_assert_ptr_nonnull(b);
	ck_assert_uint_eq(btf_named(b, 1 << BTF_STRUCT, "task", 4, &found), 3);
	ck_assert_uint_eq(found, 1);
	ck_assert_uint_eq(btf_named(b, 1 << BTF_TYPEDEF, "own", 3, &found), 4);
	ck_assert_uint_eq(btf_named(b, 1 << BTF_STRUCT, "mine", 4, &found), 0);
	btf_free(b);
	btf_free(base);
}
END_TEST

/* It becomes shorter while it is open. */
START_TEST(shrinks)
{
	struct error err = { };
	struct blob blob;
	struct btf *b;
	int fd;

	build_large(&blob, 0);
	fd = file_of(blob.whole, blob.size);
	b = btf_new(fd, &err);
	ck_assert_msg(b != NULL, "%s", err.text);
	ck_assert_int_eq(ftruncate(fd, _i), 0);
	/*
	 * Types as at the end of the types, but the window does not reach back to chain4, the first
	 * struct.
	 */
	check_path(b, "chain4.next.pad", -1, "cut off");
	check_path(b, "chain0.pad", -1, "cut off");
	btf_free(b);
}
END_TEST

/* Types of the same places, but of other kinds. */
START_TEST(changes)
{
	static const uint8_t junk[] = { 0x00, 0x0f, 0x13, 0xff };
	struct error err = { };
	struct blob blob;
	struct btf *b;
	int fd;

	build_large(&blob, 0);
	fd = file_of(blob.whole, blob.size);
	b = btf_new(fd, &err);
	ck_assert_msg(b != NULL, "%s", err.text);
	memset(blob.whole + 24, junk[_i], blob.n_types);
	ck_assert_int_eq(pwrite(fd, blob.whole, blob.size, 0), (ssize_t)blob.size);
	for (int i = 0; i < CHAIN; i++) {
		char path[32];

		snprintf(path, sizeof(path), "chain%d.next.pad", i);
		ck_assert_int_eq(btf_offset(b, path, NULL, &err), -1);
	}
	btf_free(b);
}
END_TEST

START_TEST(cut_off_anywhere)
{
	struct blob blob;

	build(&blob, false);
	finish(&blob);
	for (uint32_t size = 0; size < blob.size; size++)
		ck_assert_ptr_null(btf_new(file_of(blob.whole, size), NULL));
}
END_TEST

/* Any byte may be anything: it is refused, or read to some end. */
START_TEST(broken_anywhere)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
	struct blob blob;

	build(&blob, false);
	finish(&blob);
	for (uint32_t at = 0; at < blob.size; at++)
		for (int i = 0; i < COUNT_OF(values); i++) {
			uint8_t old = blob.whole[at];
			struct btf *b;

			blob.whole[at] = values[i];
			b = btf_new(file_of(blob.whole, blob.size), NULL);
			for (int p = 0; b && p < COUNT_OF(paths) - 1; p++)
				btf_offset(b, paths[p].path, NULL, NULL);
			for (uint32_t offset = 0; b && offset < 64; offset += 4)
				scalar_at(b, "file", 4, offset, 4);
			btf_free(b);
			blob.whole[at] = old;
		}
}
END_TEST

static const struct {
	uint32_t at, value;
	const char *why;
} heads[] = {
	{ 0, 0, "not type information" }, { 4, 20, "cut off" }, { 4, 0xffffffff, "cut off" },
	{ 8, 0xffffff00, "cut off" }, { 12, 0xffffff00, "cut off" }, { 16, 0xffffff00, "cut off" },
	{ 20, 0, "cut off" }, { 20, 0xffffff00, "cut off" },
	/* Large, but not too large. */
	{ 4, 0x10000, "cut off" }, { 8, 0x10000, "cut off" }, { 12, 0x10000, "cut off" },
	{ 16, 0x10000, "cut off" },
	{ 20, 0x10000, "cut off" },
	{ 28, 20u << 24, "kind of type (20)" }, { 28, 0, "kind of type (0)" },
	{ 28, 4u << 24 | 0xffff, "cut off" },
};

START_TEST(wrong_heads)
{
	struct error err = { };
	struct blob blob;

	build(&blob, false);
	finish(&blob);
	put(&blob, blob.whole + heads[_i].at, heads[_i].value);
	ck_assert_ptr_null(btf_new(file_of(blob.whole, blob.size), &err));
	ck_assert_msg(strstr(err.text, heads[_i].why) != NULL, "%s", err.text);
}
END_TEST

#define SIGNED BITS		/* of the kind of an enum */

static void number(struct blob *b, const char *text, uint32_t value)
{
	word(b, name(b, text));
	word(b, value);
}

/* Before pahole 1.24 no enum tells its sign; later, each that has negative numbers. */
static const struct {
	bool told;
	const char *name;
	int64_t value;
	bool is_signed;
} signs[] = {
	{ false, "ERROR", -22, true }, { false, "NONE", 0, true },
	{ false, "TOP", 1u << 31, false }, { false, "ALL", UINT32_MAX, false },
	{ false, "SMALL", 1, false },
	{ true, "ERROR", 4294967274, false }, { true, "TOP", 1u << 31, false },
	{ true, "TOLD", -1, true },
};

START_TEST(signs_of_enums)
{
	struct error err = { };
	struct btf_member m;
	struct blob blob;
	bool is_signed;
	struct btf *b;

	memset(&blob, 0, sizeof(blob));
	blob.big = _i % 2;
	blob.n_strings = 1;
	head(&blob, "errors", 6, 2, 4);
	number(&blob, "NONE", 0);
	number(&blob, "ERROR", (uint32_t)-22);
	head(&blob, "flags", 6, 2, 4);
	number(&blob, "TOP", 1u << 31);
	number(&blob, "ALL", UINT32_MAX);
	head(&blob, "small", 6, 1, 4);
	number(&blob, "SMALL", 1);
	if (signs[_i / 2].told) {
		head(&blob, "told", 6 | SIGNED, 1, 4);
		number(&blob, "TOLD", (uint32_t)-1);
	}
	finish(&blob);
	b = btf_new(file_of(blob.whole, blob.size), &err);
	ck_assert_msg(b != NULL, "%s", err.text);
	ck_assert_int_eq(btf_number(b, signs[_i / 2].name, strlen(signs[_i / 2].name), &m,
				    &is_signed), 1);
	ck_assert_int_eq(m.value, signs[_i / 2].value);
	ck_assert_int_eq(is_signed, signs[_i / 2].is_signed);
	btf_free(b);
}
END_TEST

/* What the verifier lets a program load. */
static const struct {
	const char *in;
	uint32_t offset, size;
	bool loadable;
} loads[] = {
	{ "file", 0, 4, true }, { "file", 2, 2, true }, { "file", 3, 1, true },
	{ "file", 0, 8, false },		/* more than the member has */
	{ "file", 3, 2, false },		/* not aligned */
	{ "file", 4, 4, false },		/* between members */
	{ "file", 8, 4, true },			/* of an anonymous struct */
	{ "file", 16, 8, true },		/* the first member of a union, a pointer */
	{ "file", 16, 4, false },		/* its second one, but a part of that pointer */
	{ "file", 24, 8, true }, { "file", 40, 8, true }, { "file", 48, 4, true },
	{ "file", 52, 4, false }, { "file", 64, 8, false },
	{ "file", 0, 0, false }, { "file", 8, 0, false },	/* a text */
	{ "bits", 0, 4, true }, { "bits", 4, 4, false },
	{ "twin", 4, 4, false },		/* there are two */
	{ "loop", 0, 4, false }, { "none", 0, 4, false }, { "int", 0, 4, false },
};

START_TEST(what_programs_may_load)
{
	struct error err = { };
	struct blob blob;
	struct btf *b;

	build(&blob, _i % 2);
	finish(&blob);
	b = btf_new(file_of(blob.whole, blob.size), &err);
	ck_assert_msg(b != NULL, "%s", err.text);
	ck_assert_msg(scalar_at(b, loads[_i / 2].in, strlen(loads[_i / 2].in), loads[_i / 2].offset,
				loads[_i / 2].size) == loads[_i / 2].loadable,
		      "%s, %u, %u", loads[_i / 2].in, loads[_i / 2].offset, loads[_i / 2].size);
	btf_free(b);
}
END_TEST

Suite *suite_btf(void)
{
	Suite *s = suite_create("btf");
	TCase *t = tcase_create("btf");

	tcase_add_loop_test(t, members_by_path, 0, 2 * COUNT_OF(paths));
	tcase_add_loop_test(t, what_members_point_to, 0, 2);
	tcase_add_loop_test(t, what_programs_may_load, 0, 2 * COUNT_OF(loads));
	tcase_add_loop_test(t, through_many_types, 0, 64);
	tcase_add_test(t, numbers);
	tcase_add_test(t, types_by_name);
	tcase_add_test(t, types_of_a_module);
	tcase_add_loop_test(t, signs_of_enums, 0, 2 * COUNT_OF(signs));
	tcase_add_loop_test(t, shrinks, 0, 48);
	tcase_add_loop_test(t, changes, 0, 4);
	tcase_add_test(t, cut_off_anywhere);
	tcase_add_test(t, broken_anywhere);
	tcase_add_loop_test(t, wrong_heads, 0, COUNT_OF(heads));
	suite_add_tcase(s, t);
	return s;
}
