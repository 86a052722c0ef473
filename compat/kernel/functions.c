// SPDX-License-Identifier: GPL-2.0
#include "compat/kernel/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * A kernel has 30 000 to 200 000 functions: their names take megabytes, more than everything else
 * that a tool keeps. So plain names are kept as 49 bits of a hash: 18 bits choose a slot of a
 * table, and the slot holds the other 31 bits. About once in a thousand million questions an absent
 * name seems to be there. The few thousand names to which the compiler added a suffix are kept
 * whole.
 */
#define SLOT_BITS 18
#define SLOTS (1u << SLOT_BITS)
#define TABLE_FULL (SLOTS / 4 * 3)
#define TWICE 0x80000000u		/* several functions have this name */
#define CLONE_BITS 16

struct table {
	struct table *older;		/* full tables; NULL: none */
	unsigned int used;
	uint32_t slots[SLOTS];		/* 0: empty */
};

struct names {
	struct table *tables;
	char *suffixed;			/* symbols with a suffix, each with its NUL */
	size_t suffixed_length, suffixed_size;
	/* bits of clone_bit(): functions that may have a symbol in `suffixed` */
	uint8_t may_have[(1u << CLONE_BITS) / 8];
	bool failed;			/* out of memory: nothing is known */
};

struct names *names_new(void)
{
	return calloc(1, sizeof(struct names));
}

void names_free(struct names *n)
{
	struct table *t, *older;

	if (!n)
		return;
	for (t = n->tables; t; t = older) {
		older = t->older;
		free(t);
	}
	free(n->suffixed);
	free(n);
}

/* FNV-1a, its bits mixed once more. */
static uint64_t hash(const char *name, size_t length)
{
	uint64_t h = 0xcbf29ce484222325ULL;

	for (size_t i = 0; i < length; i++)
		h = (h ^ (unsigned char)name[i]) * 0x100000001b3ULL;
	h ^= h >> 32;
	return h * 0x9e3779b97f4a7c15ULL;
}

static uint32_t slot_value(uint64_t h)
{
	uint32_t value = h & ~TWICE;

	return value ? value : 1;
}

/* The slot that holds the hash, or the empty slot for it. */
static uint32_t *find(struct table *t, uint64_t h)
{
	uint32_t value = slot_value(h), at = h >> (64 - SLOT_BITS);

	while (t->slots[at] && (t->slots[at] & ~TWICE) != value)
		at = (at + 1) % SLOTS;
	return &t->slots[at];
}

static void add_plain(struct names *n, const char *name, size_t length)
{
	uint64_t h = hash(name, length);
	struct table *t;
	uint32_t *slot;

	for (t = n->tables; t; t = t->older) {
		slot = find(t, h);
		if (*slot) {
			*slot |= TWICE;
			return;
		}
	}
	t = n->tables;
	if (!t || t->used >= TABLE_FULL) {
		t = calloc(1, sizeof(*t));
		if (!t) {
			n->failed = true;
			return;
		}
		t->older = n->tables;
		n->tables = t;
	}
	*find(t, h) = slot_value(h);
	t->used++;
}

/* A bit for the function that a clone was made of, by the letters in which most names differ. */
static unsigned int clone_bit(const char *name, size_t length)
{
	unsigned int h = (unsigned int)length;

	if (!length)
		return 0;
	h = h * 31 + (unsigned char)name[0];
	h = h * 31 + (unsigned char)name[length / 2];
	h = h * 31 + (unsigned char)name[length - 1];
	return h % (1u << CLONE_BITS);
}

static void add_suffixed(struct names *n, const char *name, size_t length)
{
	size_t size = n->suffixed_size ? n->suffixed_size : 65536;
	char *grown;

	while (size < n->suffixed_length + length + 1)
		size *= 2;
	if (size != n->suffixed_size) {
		grown = realloc(n->suffixed, size);
		if (!grown) {
			n->failed = true;
			return;
		}
		n->suffixed = grown;
		n->suffixed_size = size;
	}
	memcpy(n->suffixed + n->suffixed_length, name, length);
	n->suffixed_length += length;
	n->suffixed[n->suffixed_length++] = 0;
}

void names_add(void *names, char type, const char *name, size_t length)
{
	const char *dot = memchr(name, '.', length);
	struct names *n = names;
	unsigned int bit;

	(void)type;
	if (!dot) {
		add_plain(n, name, length);
		return;
	}
	add_suffixed(n, name, length);
	bit = clone_bit(name, (size_t)(dot - name));
	n->may_have[bit / 8] |= (uint8_t)(1u << bit % 8);
}

/*
 * The kind of clone that a symbol is. `.cold` is the unlikely part of a function, moved elsewhere:
 * code enters it by a jump, and a probe there sees no call. `.part` is the part that callers call
 * after they have inlined the rest: a probe there misses calls that end early, so it is the last
 * choice.
 */
enum clone { CLONE_NONE, CLONE_WHOLE, CLONE_PART };

static enum clone clone_of(const char *symbol, const char *name, size_t length)
{
	static const char *const whole[] = { ".isra.", ".constprop.", ".llvm." };
	const char *suffix = symbol + length;

	if (strncmp(symbol, name, length) != 0 || *suffix != '.' || strstr(suffix, ".cold"))
		return CLONE_NONE;
	if (strstr(suffix, ".part."))
		return CLONE_PART;
	for (unsigned int i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		if (strncmp(suffix, whole[i], strlen(whole[i])) == 0)
			return CLONE_WHOLE;
	return CLONE_NONE;
}

const char *names_clone(const struct names *n, const char *name)
{
	const char *end = n->suffixed ? n->suffixed + n->suffixed_length : NULL;
	size_t length = strlen(name);
	unsigned int bit = clone_bit(name, length);

	if (!(n->may_have[bit / 8] >> bit % 8 & 1))
		return NULL;
	for (const char *symbol = n->suffixed; symbol < end; symbol += strlen(symbol) + 1)
		if (clone_of(symbol, name, length) != CLONE_NONE)
			return symbol;
	return NULL;
}

/*
 * Returns true if the symbol has this name, or this name and a number if the name ends with
 * `.part`.
 */
static bool is_symbol(const char *symbol, const char *name, size_t length)
{
	if (strncmp(symbol, name, length) != 0)
		return false;
	if (!symbol[length])
		return true;
	symbol += length;
	return length > 5 && !strcmp(name + length - 5, ".part") && *symbol++ == '.' && *symbol &&
	       !symbol[strspn(symbol, "0123456789")];
}

/*
 * Several functions of one name, or several clones of one function, can't be probed. A probe by
 * name goes to the first function that kallsyms finds, and silently misses the calls of the others.
 * Since 6.6 the kernel refuses such a probe (EADDRNOTAVAIL).
 */
char *names_symbol(const struct names *n, const char *name)
{
	size_t length = strlen(name);
	const char *found[] = { [CLONE_WHOLE] = NULL, [CLONE_PART] = NULL };
	unsigned int count[] = { [CLONE_WHOLE] = 0, [CLONE_PART] = 0 };
	uint64_t h = hash(name, length);
	const char *symbol, *end = n->suffixed ? n->suffixed + n->suffixed_length : NULL;
	enum clone clone;

	if (n->failed || !length)
		return NULL;
	if (strchr(name, '.')) {	/* a whole symbol; the number of a part may be absent */
		for (symbol = n->suffixed; symbol < end; symbol += strlen(symbol) + 1)
			if (is_symbol(symbol, name, length) && count[CLONE_WHOLE]++ == 0)
				found[CLONE_WHOLE] = symbol;
		return count[CLONE_WHOLE] == 1 ? strdup(found[CLONE_WHOLE]) : NULL;
	}
	for (struct table *t = n->tables; t; t = t->older) {
		uint32_t slot = *find(t, h);

		if (slot)
			return slot & TWICE ? NULL : strdup(name);
	}
	for (symbol = n->suffixed; symbol < end; symbol += strlen(symbol) + 1) {
		clone = clone_of(symbol, name, length);
		if (clone == CLONE_NONE)
			continue;
		count[clone]++;
		found[clone] = symbol;
	}
	for (clone = CLONE_WHOLE; clone <= CLONE_PART; clone++)
		if (count[clone])
			return count[clone] == 1 ? strdup(found[clone]) : NULL;
	return NULL;
}
