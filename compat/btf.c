// SPDX-License-Identifier: GPL-2.0
#include "compat/btf.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0xeb9f
#define HEADER 24
#define TYPE_HEAD 12
#define NO_KIND 0xff

enum kind { KIND_STRUCT = 4, KIND_UNION = 5, KIND_TYPEDEF = 8, KIND_VOLATILE = 9, KIND_CONST = 10, KIND_RESTRICT = 11,
	    KIND_TYPE_TAG = 18 };

/* Bytes behind the head of each kind of type: `fixed`, and `each` for every one of its members. */
static const struct {
	uint8_t fixed, each;
} kinds[] = {
	{ NO_KIND }, { 4, 0 }, { 0, 0 }, { 12, 0 },	/* -, int, pointer, array */
	{ 0, 12 }, { 0, 12 }, { 0, 8 }, { 0, 0 },	/* struct, union, enum, forward */
	{ 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 },		/* typedef, volatile, const, restrict */
	{ 0, 0 }, { 0, 8 }, { 4, 0 }, { 0, 12 },	/* function, its prototype, variable, section */
	{ 0, 0 }, { 4, 0 }, { 0, 0 }, { 0, 12 },	/* float, declaration tag, type tag, 64-bit enum */
};

/* No kernel nests structs deeper; and no path needs more looks at members, but a loop among broken types does. */
#define DEPTH 12
#define LOOKS (1u << 20)

struct btf {
	bool big_endian;
	const uint8_t *types;
	uint32_t types_size;
	const char *strings;
	uint32_t strings_size;
	uint32_t n, *at;	/* where each type begins; type 0 is void */
};

static uint32_t u32_at(const uint8_t *p, bool big_endian)
{
	return big_endian ? (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3] :
			    (uint32_t)p[3] << 24 | p[2] << 16 | p[1] << 8 | p[0];
}

static uint32_t get(const struct btf *b, uint32_t offset)
{
	return u32_at(b->types + offset, b->big_endian);
}

struct type {
	const char *name;
	uint32_t kind, vlen, members, target;	/* members: where they begin */
	bool bits;				/* members tell bit offsets and sizes */
};

static uint32_t kind_of(uint32_t info)
{
	return info >> 24 & 0x1f;
}

static const char *string(const struct btf *b, uint32_t offset)
{
	return offset < b->strings_size ? b->strings + offset : "";
}

static bool type_at(const struct btf *b, uint32_t id, struct type *t)
{
	uint32_t info;

	if (!id || id >= b->n)
		return false;
	info = get(b, b->at[id] + 4);
	t->name = string(b, get(b, b->at[id]));
	t->kind = kind_of(info);
	t->vlen = info & 0xffff;
	t->bits = info >> 31;
	t->members = b->at[id] + TYPE_HEAD;
	t->target = get(b, b->at[id] + 8);
	return true;
}

/* Finds where each type begins; what members are read later was inside of the bytes here. */
static int index_types(struct btf *b, struct error *err)
{
	uint32_t room = b->types_size / TYPE_HEAD + 1, at = 0;

	b->at = malloc(room * sizeof(*b->at));
	if (!b->at)
		return fail(err, "out of memory");
	b->at[b->n++] = 0;
	while (b->types_size - at >= TYPE_HEAD) {
		uint32_t info = get(b, at + 4), kind = kind_of(info);
		uint64_t size = TYPE_HEAD;

		if (kind >= sizeof(kinds) / sizeof(kinds[0]) || kinds[kind].fixed == NO_KIND)
			return fail(err, "the kernel's type information has a kind of type (%u) that is not known", kind);
		size += kinds[kind].fixed + (uint64_t)kinds[kind].each * (info & 0xffff);
		if (size > b->types_size - at)
			return fail(err, "the kernel's type information is cut off");
		b->at[b->n++] = at;
		at += (uint32_t)size;
	}
	return 0;
}

struct btf *btf_new(const void *data, size_t size, struct error *err)
{
	const uint8_t *p = data;
	bool big = size >= 2 && p[0] == MAGIC >> 8 && p[1] == (MAGIC & 0xff);
	uint32_t head, types, types_size, strings, strings_size;
	struct btf *b;

	if (size < HEADER || size > UINT32_MAX || !(big || (p[1] == MAGIC >> 8 && p[0] == (MAGIC & 0xff)))) {
		fail(err, "that is no type information");
		return NULL;
	}
	head = u32_at(p + 4, big);
	types = u32_at(p + 8, big);
	types_size = u32_at(p + 12, big);
	strings = u32_at(p + 16, big);
	strings_size = u32_at(p + 20, big);
	if (head < HEADER || (uint64_t)head + types + types_size > size ||
	    (uint64_t)head + strings + strings_size > size || !strings_size ||
	    p[head + strings + strings_size - 1]) {
		fail(err, "the kernel's type information is cut off");
		return NULL;
	}
	b = calloc(1, sizeof(*b));
	if (!b) {
		fail(err, "out of memory");
		return NULL;
	}
	b->big_endian = big;
	b->types = p + head + types;
	b->types_size = types_size;
	b->strings = (const char *)p + head + strings;
	b->strings_size = strings_size;
	if (index_types(b, err)) {
		btf_free(b);
		return NULL;
	}
	return b;
}

void btf_free(struct btf *b)
{
	if (!b)
		return;
	free(b->at);
	free(b);
}

/* The struct or union a member's type is, behind typedefs and qualifiers. */
static bool struct_of(const struct btf *b, uint32_t id, struct type *t)
{
	for (unsigned int i = 0; i < DEPTH && type_at(b, id, t); i++) {
		switch (t->kind) {
		case KIND_STRUCT:
		case KIND_UNION:
			return true;
		case KIND_TYPEDEF:
		case KIND_VOLATILE:
		case KIND_CONST:
		case KIND_RESTRICT:
		case KIND_TYPE_TAG:
			id = t->target;
			break;
		default:
			return false;
		}
	}
	return false;
}

struct walk {
	const struct btf *b;
	unsigned int looks;
	bool bit_field;
};

/* Bits from the beginning of the struct to the member of `path`; -1: none. */
static int64_t find(struct walk *w, const struct type *in, const char *path, unsigned int depth)
{
	size_t n = strcspn(path, ".");

	for (uint32_t i = 0; depth < DEPTH && i < in->vlen; i++) {
		uint32_t at = in->members + i * 12, where = get(w->b, at + 8);
		const char *name = string(w->b, get(w->b, at));
		uint32_t bits = in->bits ? where & 0xffffff : where;
		struct type inner;
		int64_t more;

		if (++w->looks > LOOKS)
			return -1;
		if (*name && (strncmp(name, path, n) || name[n]))
			continue;
		if (*name && !path[n]) {
			w->bit_field = bits % 8 || (in->bits && where >> 24);
			return bits;
		}
		if (!struct_of(w->b, get(w->b, at + 4), &inner))
			continue;
		more = find(w, &inner, *name ? path + n + 1 : path, depth + 1);
		if (more >= 0)
			return bits + more;
	}
	return -1;
}

int32_t btf_offset(const struct btf *b, const char *path, struct error *err)
{
	size_t n = strcspn(path, ".");
	int64_t found = -1;
	struct type t;

	for (uint32_t id = 1; path[n] && id < b->n; id++) {
		struct walk w = { b };
		int64_t bits;

		/* One type in ten is a struct: names of the others are not worth a look. */
		if (kind_of(get(b, b->at[id] + 4)) != KIND_STRUCT)
			continue;
		if (!type_at(b, id, &t) || strncmp(t.name, path, n) || t.name[n])
			continue;
		bits = find(&w, &t, path + n + 1, 0);
		if (bits < 0)
			continue;
		if (w.bit_field)
			return fail(err, "it is a bit field");
		if (found >= 0 && found != bits)
			return fail(err, "this kernel has several structs of that name");
		found = bits;
	}
	if (found < 0 || found / 8 > INT32_MAX)
		return fail(err, "this kernel has no such member");
	return (int32_t)(found / 8);
}
