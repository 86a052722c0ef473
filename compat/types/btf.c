// SPDX-License-Identifier: GPL-2.0
#include "compat/types/btf.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "compat/base/array.h"

#define MAGIC 0xeb9f
#define HEADER 24
#define TYPE_HEAD 12
#define NO_KIND 0xff
#define FILE_MAX (64u << 20)
#define CUT_OFF "the kernel's type information is cut off"

enum kind {
	KIND_STRUCT = 4, KIND_UNION = 5, KIND_TYPEDEF = 8, KIND_VOLATILE = 9, KIND_CONST = 10,
	KIND_RESTRICT = 11, KIND_TYPE_TAG = 18,
};

/* Bytes behind the head of each kind of type: `fixed`, and `each` for each member. */
static const struct {
	uint8_t fixed, each;
} kinds[] = {
	{ NO_KIND }, { 4, 0 }, { 0, 0 }, { 12, 0 },	/* -, int, pointer, array */
	{ 0, 12 }, { 0, 12 }, { 0, 8 }, { 0, 0 },	/* struct, union, enum, forward */
	{ 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 },		/* typedef, volatile, const, restrict */
	/* function, its prototype, variable, section */
	{ 0, 0 }, { 0, 8 }, { 4, 0 }, { 0, 12 },
	/* float, declaration tag, type tag, 64-bit enum */
	{ 0, 0 }, { 4, 0 }, { 0, 0 }, { 0, 12 },
};

/* No kernel nests structs deeper, or needs more looks at members; broken types with loops do. */
#define DEPTH 12
#define LOOKS (1u << 16)

/* A read of the kernel's file returns a page at most. */
#define WINDOW 4096
/* The place of every so many types is known; the others are reached from there. */
#define STRIDE 32

/*
 * The types, two thirds of the file, stay there and are looked at through a window. The names,
 * which are needed in any order, are in memory. Since 6.16 the kernel's file can be mapped instead.
 */
struct btf {
	int fd;
	const uint8_t *map;			/* the whole file; NULL: it can't be mapped */
	size_t mapped;
	bool big_endian, cut_off;		/* cut_off: a part could not be read */
	char *held;				/* the names; NULL: they are mapped */
	const char *strings;
	uint32_t strings_size;
	/* where types begin in the file: all other places count from there */
	uint32_t types, types_size;
	uint32_t n_types, n_structs;
	/* where types 1, 1 + STRIDE, 1 + 2 * STRIDE ... begin; type 0 is void */
	uint32_t *marks;
	struct { uint32_t name, at; } *structs;
	uint32_t begin, end;			/* what the window shows */
	const uint8_t *window;
	uint8_t buffer[WINDOW];
};

static uint32_t u32_at(const uint8_t *p, bool big_endian)
{
	return big_endian ? (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3] :
			    (uint32_t)p[3] << 24 | p[2] << 16 | p[1] << 8 | p[0];
}

/*
 * Only files of sysfs, whose length does not change: where another one became shorter, access to
 * its last pages is a signal.
 */
static void map_whole(struct btf *b)
{
	struct statfs fs;
	struct stat st;
	void *map;

	if (fstatfs(b->fd, &fs) || fs.f_type != SYSFS_MAGIC || fstat(b->fd, &st) || st.st_size <= 0)
		return;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, b->fd, 0);
	if (map == MAP_FAILED)
		return;
	b->map = map;
	b->mapped = (size_t)st.st_size;
}

/* Reads at least `least` bytes, and up to `most`. How many; 0 if there are fewer than `least`. */
static uint32_t read_at(const struct btf *b, void *to, uint32_t least, uint32_t most, uint32_t at)
{
	uint32_t have = 0;
	ssize_t n;

	while (have < least) {
		n = pread(b->fd, (char *)to + have, most - have, (off_t)at + have);
		if (n <= 0)
			return 0;
		have += (uint32_t)n;
	}
	return have;
}

static bool look(struct btf *b, uint32_t at)
{
	uint32_t rest = at < b->types_size ? b->types_size - at : 0;

	if (b->map)
		return false;		/* the window has all of it */
	b->begin = at;
	b->end = at;
	if (rest >= 4)
		b->end += read_at(b, b->buffer, 4, rest < WINDOW ? rest : WINDOW, b->types + at);
	return b->end > at;
}

static uint32_t get(struct btf *b, uint32_t at)
{
	if ((at < b->begin || at + 4 > b->end) && !look(b, at)) {
		b->cut_off = true;
		return 0;
	}
	return u32_at(b->window + (at - b->begin), b->big_endian);
}

struct type {
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

static void read_type(struct btf *b, uint32_t at, struct type *t)
{
	uint32_t info = get(b, at + 4);

	t->kind = kind_of(info);
	t->vlen = info & 0xffff;
	t->bits = info >> 31;
	t->members = at + TYPE_HEAD;
	t->target = get(b, at + 8);
}

/* The size of the type's description, in bytes; -1 and why that is not known. */
static int32_t size_of_type(struct btf *b, uint32_t at, struct error *err)
{
	uint32_t info = get(b, at + 4), kind = kind_of(info), size = TYPE_HEAD;

	if (b->cut_off)
		return fail(err, CUT_OFF);
	if (kind >= sizeof(kinds) / sizeof(kinds[0]) || kinds[kind].fixed == NO_KIND)
		return fail(err, "the kernel's type information has a kind of type (%u) that is "
				 "not known", kind);
	size += kinds[kind].fixed + kinds[kind].each * (info & 0xffff);
	if (size > b->types_size - at)
		return fail(err, CUT_OFF);
	return (int32_t)size;
}

static bool type_at(struct btf *b, uint32_t id, struct type *t)
{
	uint32_t at;

	if (!id || id > b->n_types)
		return false;
	at = b->marks[--id / STRIDE];
	for (uint32_t left = id % STRIDE; left; left--) {
		int32_t size = size_of_type(b, at, NULL);

		if (size < 0)
			return false;
		at += (uint32_t)size;
	}
	read_type(b, at, t);
	return !b->cut_off;
}

/* Finds where types begin, and checks that each lies within the file with all of its members. */
static int index_types(struct btf *b, struct error *err)
{
	int32_t size;

	for (uint32_t at = 0; b->types_size - at >= TYPE_HEAD; at += (uint32_t)size, b->n_types++) {
		uint32_t name = get(b, at), n = b->n_types / STRIDE;
		bool is_struct = kind_of(get(b, at + 4)) == KIND_STRUCT;

		size = size_of_type(b, at, err);
		if (size < 0)
			return -1;
		if (b->n_types % STRIDE == 0) {
			if (array_room(&b->marks, n, sizeof(*b->marks)))
				return fail(err, "out of memory");
			b->marks[n] = at;
		}
		if (is_struct) {
			if (array_room(&b->structs, b->n_structs, sizeof(*b->structs)))
				return fail(err, "out of memory");
			b->structs[b->n_structs].name = name;
			b->structs[b->n_structs++].at = at;
		}
	}
	return 0;
}

static int read_strings(struct btf *b, uint32_t at, struct error *err)
{
	b->held = malloc(b->strings_size);
	if (!b->held)
		return fail(err, "out of memory");
	b->strings = b->held;
	return read_at(b, b->held, b->strings_size, b->strings_size, at) ? 0 : fail(err, CUT_OFF);
}

/* Finds types and names in the mapping, or reads the names. */
static int find_parts(struct btf *b, uint32_t strings, struct error *err)
{
	uint8_t last;

	b->window = b->buffer;
	if (!b->map) {
		if (b->types_size && !read_at(b, &last, 1, 1, b->types + b->types_size - 1))
			return fail(err, CUT_OFF);
		return read_strings(b, strings, err);
	}
	if (b->types + b->types_size > b->mapped || strings + b->strings_size > b->mapped)
		return fail(err, CUT_OFF);
	b->window = b->map + b->types;
	b->end = b->types_size;
	b->strings = (const char *)b->map + strings;
	return 0;
}

static int open_parts(struct btf *b, struct error *err)
{
	uint8_t p[HEADER] = { };
	uint32_t head, types, strings;
	bool some = read_at(b, p, HEADER, HEADER, 0);

	b->big_endian = p[0] == MAGIC >> 8 && p[1] == (MAGIC & 0xff);
	if (!some || !(b->big_endian || (p[1] == MAGIC >> 8 && p[0] == (MAGIC & 0xff))))
		return fail(err, "the file is not type information");
	head = u32_at(p + 4, b->big_endian);
	types = u32_at(p + 8, b->big_endian);
	b->types_size = u32_at(p + 12, b->big_endian);
	strings = u32_at(p + 16, b->big_endian);
	b->strings_size = u32_at(p + 20, b->big_endian);
	if (head < HEADER || (uint64_t)head + types + b->types_size > FILE_MAX ||
	    (uint64_t)head + strings + b->strings_size > FILE_MAX || !b->strings_size)
		return fail(err, CUT_OFF);
	b->types = head + types;
	map_whole(b);
	if (find_parts(b, head + strings, err))
		return -1;
	if (b->strings[b->strings_size - 1])
		return fail(err, CUT_OFF);
	return index_types(b, err);
}

struct btf *btf_new(int fd, struct error *err)
{
	struct btf *b = calloc(1, sizeof(*b));

	if (!b) {
		close(fd);
		fail(err, "out of memory");
		return NULL;
	}
	b->fd = fd;
	if (open_parts(b, err)) {
		btf_free(b);
		return NULL;
	}
	return b;
}

void btf_free(struct btf *b)
{
	if (!b)
		return;
	if (b->map)
		munmap((void *)b->map, b->mapped);
	close(b->fd);
	free(b->held);
	free(b->marks);
	free(b->structs);
	free(b);
}

/* The struct or union behind a type's typedefs and qualifiers; false: it is neither. */
static bool struct_of(struct btf *b, uint32_t id, struct type *t)
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
	struct btf *b;
	unsigned int looks;		/* at members, for one question */
	bool bit_field;
};

/* The offset in bits of the member of `path` within the struct; -1: there is none. */
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

int32_t btf_offset(struct btf *b, const char *path, struct error *err)
{
	size_t n = strcspn(path, ".");
	struct walk w = { b };
	int64_t found = -1;

	for (uint32_t i = 0; path[n] && i < b->n_structs; i++) {
		const char *name = string(b, b->structs[i].name);
		struct type t;
		int64_t bits;

		if (strncmp(name, path, n) || name[n])
			continue;
		read_type(b, b->structs[i].at, &t);
		bits = find(&w, &t, path + n + 1, 0);
		if (b->cut_off)
			return fail(err, CUT_OFF);
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
