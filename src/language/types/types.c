// SPDX-License-Identifier: GPL-2.0
#include "src/language/types/types.h"

#include <string.h>

#include "compat/base/text.h"

/* Types with names of one word. Size 0: of a pointer. */
static const struct {
	const char *name;
	uint8_t size;
	bool is_signed;
} names[] = {
	{ "u8", 1, false }, { "u16", 2, false }, { "u32", 4, false }, { "u64", 8, false },
	{ "s8", 1, true }, { "s16", 2, true }, { "s32", 4, true }, { "s64", 8, true },
	{ "__u8", 1, false }, { "__u16", 2, false }, { "__u32", 4, false }, { "__u64", 8, false },
	{ "__s8", 1, true }, { "__s16", 2, true }, { "__s32", 4, true }, { "__s64", 8, true },
	{ "int8", 1, true }, { "int16", 2, true }, { "int32", 4, true }, { "int64", 8, true },
	{ "uint8", 1, false }, { "uint16", 2, false }, { "uint32", 4, false },
	{ "uint64", 8, false }, { "uint8_t", 1, false }, { "uint16_t", 2, false },
	{ "uint32_t", 4, false },
	{ "uint64_t", 8, false }, { "int8_t", 1, true }, { "int16_t", 2, true },
	{ "int32_t", 4, true }, { "int64_t", 8, true }, { "size_t", 0, false },
	{ "ssize_t", 0, true }, { "uintptr_t", 0, false }, { "intptr_t", 0, true },
	{ "pid_t", 4, true }, { "uid_t", 4, false }, { "gid_t", 4, false }, { "qid_t", 4, false },
	{ "umode_t", 2, false }, { "mode_t", 4, false }, { "fmode_t", 4, false },
	{ "gfp_t", 4, false }, { "loff_t", 8, true }, { "off_t", 0, true }, { "dev_t", 4, false },
	{ "sector_t", 8, false }, { "blkcnt_t", 8, false }, { "pgoff_t", 0, false },
	{ "ino_t", 0, false }, { "key_t", 4, true }, { "clockid_t", 4, true },
	{ "timer_t", 4, true }, { "uint", 4, false }, { "ulong", 0, false }, { "ushort", 2, false },
	{ "dma_addr_t", 8, false }, { "ktime_t", 8, true }, { "aio_context_t", 0, false },
	{ "qsize_t", 8, true }, { "__be16", 2, false }, { "__be32", 4, false },
	{ "__be64", 8, false }, { "__le16", 2, false }, { "__le32", 4, false },
	{ "__le64", 8, false }, { "__sum16", 2, false }, { "__wsum", 4, false },
};

enum { W_SIGNED, W_UNSIGNED, W_CHAR, W_SHORT, W_INT, W_LONG, W_VOID, W_BOOL, W_STRUCT, W_QUALIFIER,
       W_USER, WORDS };

static const struct {
	const char *name;
	uint8_t word;
} words[] = {
	{ "signed", W_SIGNED }, { "unsigned", W_UNSIGNED }, { "char", W_CHAR },
	{ "short", W_SHORT }, { "int", W_INT }, { "long", W_LONG }, { "void", W_VOID },
	{ "bool", W_BOOL }, { "_Bool", W_BOOL }, { "struct", W_STRUCT }, { "union", W_STRUCT },
	{ "enum", W_STRUCT }, { "const", W_QUALIFIER }, { "volatile", W_QUALIFIER },
	{ "restrict", W_QUALIFIER }, { "__user", W_USER },
};

static bool is(const char *name, const char *s, size_t length)
{
	return strlen(name) == length && !memcmp(name, s, length);
}

struct c_type c_integer(unsigned int size, bool is_signed)
{
	return (struct c_type){ .base = C_INTEGER, .size = (uint8_t)size, .is_signed = is_signed };
}

struct c_type c_bool(void)
{
	return (struct c_type){ .base = C_INTEGER, .size = 1, .is_bool = true };
}

static int word_of(const char *s, size_t length)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (is(words[i].name, s, length))
			return words[i].word;
	return WORDS;
}

static bool name_of(const char *s, size_t length, unsigned int word, struct c_type *type)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is(names[i].name, s, length)) {
			*type = c_integer(names[i].size ? names[i].size : word,
					  names[i].is_signed);
			return true;
		}
	return false;
}

bool c_type_word(const char *name, size_t length)
{
	struct c_type none;

	return word_of(name, length) != WORDS || name_of(name, length, 8, &none);
}

/* Makes a type of C's own words, by how often each was written. */
static bool base_type(const unsigned int *count, unsigned int word, struct c_type *type)
{
	unsigned int sign = count[W_SIGNED] + count[W_UNSIGNED];
	unsigned int size = count[W_CHAR] ? 1 : count[W_SHORT] ? 2 :
			    count[W_LONG] == 2 ? 8 : count[W_LONG] ? word : 4;

	if (sign > 1 || count[W_CHAR] + count[W_SHORT] + !!count[W_LONG] > 1 ||
	    count[W_LONG] > 2 || count[W_INT] > 1 || (count[W_CHAR] && count[W_INT]))
		return false;
	if (count[W_BOOL] || count[W_VOID]) {
		*type = c_integer(1, false);
		type->is_bool = count[W_BOOL];
		type->base = count[W_VOID] ? C_VOID : C_INTEGER;
		return !sign && !count[W_CHAR] && !count[W_SHORT] && !count[W_INT] &&
		       !count[W_LONG] && count[W_BOOL] + count[W_VOID] == 1;
	}
	if (!sign && !count[W_CHAR] && !count[W_SHORT] && !count[W_INT] && !count[W_LONG])
		return false;
	*type = c_integer(size, !count[W_UNSIGNED]);
	type->is_char = count[W_CHAR];
	return true;
}

bool c_type_named(const char *const *name, const size_t *lengths, unsigned int n,
		  unsigned int word, struct c_type *type)
{
	unsigned int count[WORDS] = { };
	bool named = false;

	*type = (struct c_type){ };
	for (unsigned int i = 0; i < n; i++) {
		int w = word_of(name[i], lengths[i]);

		if (w == W_STRUCT) {
			if (named || i + 1 == n || lengths[i + 1] >= sizeof(type->tag))
				return false;
			/* The kernel's enums are ints. */
			*type = is("enum", name[i], lengths[i]) ? c_integer(4, true) :
				(struct c_type){ .base = C_STRUCT,
						 .is_union = is("union", name[i], lengths[i]) };
			memcpy(type->tag, name[i + 1], lengths[i + 1]);
			named = true;
			i++;
		} else if (w != WORDS) {
			count[w]++;
		} else if (!named && name_of(name[i], lengths[i], word, type)) {
			named = true;
		} else {
			return false;
		}
	}
	if (!named)
		return base_type(count, word, type) &&
		       ((type->user = count[W_USER]), true);
	for (int w = 0; w < W_STRUCT; w++)
		if (count[w])
			return false;
	type->user = count[W_USER];
	return true;
}

bool c_array(const struct c_type *t)
{
	return t->n_dims && !t->row;
}

bool c_number(const struct c_type *t)
{
	return !c_array(t) && (t->pointers || t->row || t->base == C_INTEGER);
}

unsigned int c_size(const struct c_type *t, unsigned int word)
{
	uint64_t size = t->base == C_STRUCT ? t->bytes :
			t->base == C_INTEGER || t->base == C_OTHER ? t->size : 0;

	if (t->pointers || t->row)
		size = t->kernel ? t->kernel : word;
	for (unsigned int i = 0; c_array(t) && i < t->n_dims; i++)
		size = size * t->dims[i] > UINT32_MAX ? 0 : size * t->dims[i];
	return (unsigned int)size;
}

bool c_signed(const struct c_type *t)
{
	return !t->pointers && !t->row && t->is_signed;
}

struct c_type c_decayed(const struct c_type *t)
{
	struct c_type to = *t;

	to.align = 0;
	to.n_dims--;
	memmove(to.dims, to.dims + 1, sizeof(to.dims) - sizeof(to.dims[0]));
	to.row = to.n_dims;
	to.pointers += !to.row;
	return to;
}

struct c_type c_pointed(const struct c_type *t)
{
	struct c_type to = *t;

	to.pointers -= !to.row;
	to.row = false;
	return to;
}

struct c_type c_pointer(const struct c_type *t)
{
	struct c_type to = *t;

	to.align = 0;
	if (to.n_dims || to.pointers > 4)
		return (struct c_type){ .base = C_VOID, .pointers = 1, .user = t->user };
	to.pointers++;
	return to;
}

struct c_type c_literal(uint64_t value, bool is_decimal, bool is_unsigned, unsigned int longs,
			unsigned int word)
{
	for (unsigned int size = longs == 2 ? 8 : longs ? word : 4; size <= 8; size *= 2) {
		uint64_t most = UINT64_MAX >> (64 - 8 * size);

		if (!is_unsigned && value <= most >> 1)
			return c_integer(size, true);
		if ((is_unsigned || !is_decimal) && value <= most)
			return c_integer(size, false);
	}
	return c_integer(8, false);
}

int c_strength(uint8_t op)
{
	static const struct {
		uint8_t op, strength;
	} table[] = {
		{ '*', 10 }, { '/', 10 }, { '%', 10 }, { '+', 9 }, { '-', 9 }, { OP_SHL, 8 },
		{ OP_SHR, 8 }, { '<', 7 }, { '>', 7 }, { OP_LE, 7 }, { OP_GE, 7 }, { OP_EQ, 6 },
		{ OP_NE, 6 }, { '&', 5 }, { '^', 4 }, { '|', 3 }, { OP_AND, 2 }, { OP_OR, 1 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].op == op)
			return table[i].strength;
	return 0;
}

struct c_type c_promoted(const struct c_type *t)
{
	struct c_type to = *t;

	if (!t->pointers && !t->row && t->size < 4)
		return c_integer(4, true);
	to.align = 0;
	to.is_bool = to.is_char = false;
	return to;
}

struct c_type c_common(const struct c_type *a, const struct c_type *b, unsigned int word)
{
	struct c_type x = c_promoted(a), y = c_promoted(b);
	unsigned int n = c_size(&x, word), m = c_size(&y, word);

	if (n == m)
		return c_integer(n, c_signed(&x) && c_signed(&y));
	return n > m ? c_integer(n, c_signed(&x)) : c_integer(m, c_signed(&y));
}

uint64_t c_convert(uint64_t value, const struct c_type *t, unsigned int word)
{
	unsigned int unused = 64 - 8 * c_size(t, word);

	if (t->is_bool && !t->pointers && !t->row)
		return value != 0;
	if (!unused || unused == 64)
		return value;
	return c_signed(t) ? (uint64_t)((int64_t)(value << unused) >> unused) :
			     value << unused >> unused;
}

void c_type_text(const struct c_type *t, unsigned int word, char *to, size_t size)
{
	static const char *const integers[] = { [1] = "char", [2] = "short", [4] = "int",
						[8] = "long long" };
	const bool is_long = t->size == word && word == 8;

	text_cut(to, size, "%s%s%s%.*s%s",
		 t->base == C_STRUCT ? t->is_union ? "union " : "struct " :
		 t->base == C_INTEGER && !t->is_signed && !t->is_bool ? "unsigned " : "",
		 t->base == C_STRUCT ? *t->tag ? t->tag : "{...}" : t->base == C_VOID ? "void" :
		 t->base == C_OTHER ? t->size < 16 ? "a floating-point number" :
		 "a number of 128 bits" :
		 t->base == C_TEXT ? "a string" : t->is_bool ? "bool" : is_long ? "long" :
		 integers[t->size & 15],
		 t->pointers || t->n_dims ? " " : "", t->pointers, "********",
		 t->row ? "(*)[]" : t->n_dims ? "[]" : "");
}
