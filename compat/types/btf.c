// SPDX-License-Identifier: GPL-2.0
#include "compat/types/btf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/text.h"
#include "compat/types/btf_internal.h"

#define MAGIC 0xeb9f
#define HEADER 24
#define FILE_MAX (64u << 20)

#define TYPE_HEAD 12

/* Bytes of each kind of type, and `each` for each member; 0: no such kind. */
static const struct {
	uint8_t fixed, each;
} kinds[32] = {
	[BTF_INT] = { TYPE_HEAD + 4, 0 }, [BTF_POINTER] = { TYPE_HEAD, 0 },
	[BTF_ARRAY] = { TYPE_HEAD + 12, 0 }, [BTF_STRUCT] = { TYPE_HEAD, 12 },
	[BTF_UNION] = { TYPE_HEAD, 12 }, [BTF_ENUM] = { TYPE_HEAD, 8 },
	[BTF_FORWARD] = { TYPE_HEAD, 0 }, [BTF_TYPEDEF] = { TYPE_HEAD, 0 },
	[BTF_VOLATILE] = { TYPE_HEAD, 0 }, [BTF_CONST] = { TYPE_HEAD, 0 },
	[BTF_RESTRICT] = { TYPE_HEAD, 0 }, [BTF_FUNCTION] = { TYPE_HEAD, 0 },
	[BTF_PROTOTYPE] = { TYPE_HEAD, 8 }, [BTF_VARIABLE] = { TYPE_HEAD + 4, 0 },
	[BTF_SECTION] = { TYPE_HEAD, 12 }, [BTF_FLOAT] = { TYPE_HEAD, 0 },
	[BTF_DECLARATION_TAG] = { TYPE_HEAD + 4, 0 }, [BTF_TYPE_TAG] = { TYPE_HEAD, 0 },
	[BTF_ENUM64] = { TYPE_HEAD, 12 },
};

/* No kernel nests structs deeper, or needs more looks at members; broken types with loops do. */
#define DEPTH 12
#define LOOKS (1u << 16)

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
static uint32_t read_at(struct btf *b, void *to, uint32_t least, uint32_t most, uint32_t at)
{
	uint32_t have = 0;
	ssize_t n;

	while (have < least) {
		n = pread(b->fd, (char *)to + have, most - have, (off_t)at + have);
		if (n < 0)
			b->error = errno;
		if (n <= 0)
			return 0;
		have += (uint32_t)n;
	}
	return have;
}

static int cut_off(const struct btf *b, struct error *err)
{
	return b->error ? fail_with(err, b->error, "%m") :
	       fail(err, "the kernel's type information is cut off");
}

/* Moves the window to `at`. Returns false if there are fewer than n bytes. */
static bool look(struct btf *b, uint32_t at, uint32_t n)
{
	uint32_t rest = at < b->types_size ? b->types_size - at : 0;

	if (b->map)
		return false;		/* the window has all of it */
	b->begin = at;
	b->end = at;
	if (rest >= n)
		b->end += read_at(b, b->buffer, n, rest < WINDOW ? rest : WINDOW, b->types + at);
	return b->end > at;
}

/* The n bytes at a place. Returns NULL if they can't be read. */
static inline const uint8_t *bytes_at(struct btf *b, uint32_t at, uint32_t n)
{
	if ((at < b->begin || at + n > b->end) && !look(b, at, n)) {
		b->cut_off = true;
		return NULL;
	}
	return b->window + (at - b->begin);
}

uint32_t btf_get(struct btf *b, uint32_t at)
{
	const uint8_t *p = bytes_at(b, at, 4);

	return p ? u32_at(p, b->big_endian) : 0;
}

static uint32_t kind_of(uint32_t info)
{
	return info >> 24 & 0x1f;
}

const char *btf_string(const struct btf *b, uint32_t offset)
{
	if (b->base && offset < b->base->strings_size)
		return b->base->strings + offset;
	offset -= b->base ? b->base->strings_size : 0;
	return offset < b->strings_size ? b->strings + offset : "";
}

void btf_read(struct btf *b, uint32_t at, struct type *t)
{
	uint32_t info = btf_get(b, at + 4);

	t->in = b;
	t->name = btf_get(b, at);
	t->kind = kind_of(info);
	t->vlen = info & 0xffff;
	t->bits = info >> 31;
	t->members = at + TYPE_HEAD;
	t->target = btf_get(b, at + 8);
}

inline uint32_t btf_next(struct btf *b, uint32_t at, struct step *s)
{
	const uint8_t *p = bytes_at(b, at, TYPE_HEAD);
	uint32_t info, size;

	*s = (struct step){ };
	if (!p)
		return 0;
	info = u32_at(p + 4, b->big_endian);
	s->name = u32_at(p, b->big_endian);
	s->kind = kind_of(info);
	s->vlen = info & 0xffff;
	s->flag = info >> 31;
	size = kinds[s->kind].fixed + kinds[s->kind].each * s->vlen;
	return kinds[s->kind].fixed && size <= b->types_size - at ? at + size : 0;
}

bool btf_at(struct btf *b, uint32_t id, struct type *t)
{
	struct step s;
	uint32_t at;

	if (b->base && id <= b->first)
		return btf_at(b->base, id, t);
	id -= b->first;
	if (!id || id > b->n_types)
		return false;
	at = b->marks[--id / STRIDE];
	for (uint32_t left = id % STRIDE; left; left--) {
		at = btf_next(b, at, &s);
		if (!at)
			return false;
	}
	btf_read(b, at, t);
	return !b->cut_off;
}

/* ---- the index ---- */

static uint32_t hash(const char *name, size_t length)
{
	uint32_t h = 0;

	for (size_t i = 0; i < length && name[i]; i++)
		h = h * 31 + (unsigned char)name[i];
	return h;
}

static int add_named(struct btf *b, const struct step *s, uint32_t at, uint32_t id)
{
	const uint32_t h = hash(btf_string(b, s->name), SIZE_MAX), slot = h % BTF_CHAINS;

	if (array_room(&b->named, b->n_named, sizeof(*b->named)))
		return -1;
	b->named[b->n_named] = (struct btf_named){ .hash = h, .kind = s->kind, .at = at,
						   .name = s->name, .id = id,
						   .next = b->chains[slot] };
	b->chains[slot] = ++b->n_named;
	return 0;
}

const struct btf_named *btf_chain(const struct btf *b, const char *name, size_t length,
				  const struct btf_named *behind)
{
	const uint32_t h = behind ? behind->hash : hash(name, length);
	uint32_t n = behind ? behind->next : b->chains[h % BTF_CHAINS];

	for (; n; n = b->named[n - 1].next) {
		const char *text = btf_string(b, b->named[n - 1].name);

		if (b->named[n - 1].hash == h && !strncmp(text, name, length) && !text[length])
			return &b->named[n - 1];
	}
	return NULL;
}

static int refuse(const struct btf *b, const struct step *s, struct error *err)
{
	return b->cut_off || kinds[s->kind].fixed ? cut_off(b, err) :
		fail(err, "the kernel's type information has a kind of type (%u) that is not known",
		     s->kind);
}

/* Finds where types begin, and checks that each lies within the file with all of its members. */
static int index_types(struct btf *b, struct error *err)
{
	struct step s;
	uint32_t next;

	for (uint32_t at = 0; b->types_size - at >= TYPE_HEAD; at = next, b->n_types++) {
		next = btf_next(b, at, &s);
		if (!next)
			return refuse(b, &s, err);
		b->signs |= s.kind == BTF_ENUM64 || (s.kind == BTF_ENUM && s.flag);
		if (b->n_types % STRIDE == 0) {
			const uint32_t n = b->n_types / STRIDE;

			if (array_room(&b->marks, n, sizeof(*b->marks)))
				return fail_with(err, ENOMEM, "out of memory");
			b->marks[n] = at;
		}
		if (BTF_INDEXED >> s.kind & 1 && s.name &&
		    add_named(b, &s, at, b->first + b->n_types + 1))
			return fail_with(err, ENOMEM, "out of memory");
	}
	return 0;
}

bool btf_index_functions(struct btf *b)
{
	uint32_t at = 0, next;
	struct step s;

	for (uint32_t i = 1; !b->functions && i <= b->n_types; i++, at = next) {
		next = btf_next(b, at, &s);
		if (!next || (s.kind == BTF_FUNCTION && add_named(b, &s, at, b->first + i)))
			return false;
	}
	b->functions = true;
	return true;
}

static int read_strings(struct btf *b, uint32_t at, struct error *err)
{
	b->held = malloc(b->strings_size);
	if (!b->held)
		return fail_with(err, ENOMEM, "out of memory");
	b->strings = b->held;
	return read_at(b, b->held, b->strings_size, b->strings_size, at) ? 0 : cut_off(b, err);
}

/* Finds types and names in the mapping, or reads the names. */
static int find_parts(struct btf *b, uint32_t strings, struct error *err)
{
	uint8_t last;

	b->window = b->buffer;
	if (!b->map) {
		if (b->types_size && !read_at(b, &last, 1, 1, b->types + b->types_size - 1))
			return cut_off(b, err);
		return read_strings(b, strings, err);
	}
	if (b->types + b->types_size > b->mapped || strings + b->strings_size > b->mapped)
		return cut_off(b, err);
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
	if (b->error)
		return cut_off(b, err);
	if (!some || !(b->big_endian || (p[1] == MAGIC >> 8 && p[0] == (MAGIC & 0xff))))
		return fail(err, "the file is not type information");
	head = u32_at(p + 4, b->big_endian);
	types = u32_at(p + 8, b->big_endian);
	b->types_size = u32_at(p + 12, b->big_endian);
	strings = u32_at(p + 16, b->big_endian);
	b->strings_size = u32_at(p + 20, b->big_endian);
	if (head < HEADER || (uint64_t)head + types + b->types_size > FILE_MAX ||
	    (uint64_t)head + strings + b->strings_size > FILE_MAX || !b->strings_size)
		return cut_off(b, err);
	b->types = head + types;
	map_whole(b);
	if (find_parts(b, head + strings, err))
		return -1;
	if (b->strings[b->strings_size - 1])
		return cut_off(b, err);
	return index_types(b, err);
}

struct btf *btf_split(int fd, struct btf *base, struct error *err)
{
	struct btf *b = calloc(1, sizeof(*b));

	if (!b) {
		close(fd);
		fail_with(err, ENOMEM, "out of memory");
		return NULL;
	}
	b->fd = fd;
	b->base = base;
	b->first = base ? base->n_types : 0;
	b->signs = base && base->signs;
	if (open_parts(b, err)) {
		btf_free(b);
		return NULL;
	}
	return b;
}

struct btf *btf_new(int fd, struct error *err)
{
	return btf_split(fd, NULL, err);
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
	free(b->named);
	free(b);
}

/* The struct or union behind a type's typedefs and qualifiers; false: it is neither. */
static bool struct_of(struct btf *b, uint32_t id, struct type *t)
{
	for (unsigned int i = 0; i < DEPTH && btf_at(b, id, t); i++) {
		switch (t->kind) {
		case BTF_STRUCT:
		case BTF_UNION:
			return true;
		case BTF_TYPEDEF:
		case BTF_VOLATILE:
		case BTF_CONST:
		case BTF_RESTRICT:
		case BTF_TYPE_TAG:
			id = t->target;
			break;
		default:
			return false;
		}
	}
	return false;
}

struct walk {
	unsigned int looks;		/* at members, for one question */
	bool bit_field;
	uint32_t type;			/* of the member */
};

/* The offset in bits of the member of `path` within the struct; -1: there is none. */
static int64_t find(struct walk *w, const struct type *in, const char *path, unsigned int depth)
{
	size_t n = strcspn(path, ".");

	for (uint32_t i = 0; depth < DEPTH && i < in->vlen; i++) {
		struct btf *b = in->in;
		uint32_t at = in->members + i * 12, where = btf_get(b, at + 8);
		const char *name = btf_string(b, btf_get(b, at));
		uint32_t bits = in->bits ? where & 0xffffff : where;
		struct type inner;
		int64_t more;

		if (++w->looks > LOOKS)
			return -1;
		if (*name && (strncmp(name, path, n) || name[n]))
			continue;
		if (*name && !path[n]) {
			w->bit_field = bits % 8 || (in->bits && where >> 24);
			w->type = btf_get(b, at + 4);
			return bits;
		}
		if (!struct_of(b, btf_get(b, at + 4), &inner))
			continue;
		more = find(w, &inner, *name ? path + n + 1 : path, depth + 1);
		if (more >= 0)
			return bits + more;
	}
	return -1;
}

/*
 * The name of the struct that a pointer points to. A tag of the pointer (user, percpu, rcu) is a
 * type between them: what it points to is not simply there.
 */
static void name_pointed(struct btf *b, uint32_t id, char pointed[BTF_POINTED])
{
	const uint32_t qualifiers = 1 << BTF_VOLATILE | 1 << BTF_CONST;
	const char *name = "";
	struct type t;

	if (btf_at(b, id, &t) && t.kind == BTF_POINTER) {
		bool found = btf_at(b, t.target, &t);

		for (unsigned int i = 0; found && i < DEPTH && qualifiers >> t.kind & 1; i++)
			found = btf_at(b, t.target, &t);
		if (found && t.kind == BTF_STRUCT)
			name = btf_string(b, t.name);
	}
	text_all(pointed, BTF_POINTED, "%s", strlen(name) < BTF_POINTED ? name : "");
}

int32_t btf_offset(struct btf *b, const char *path, char pointed[BTF_POINTED], struct error *err)
{
	size_t n = strcspn(path, ".");
	const struct btf_named *one = NULL;
	struct walk w = { };
	int64_t found = -1;

	while (path[n] && (one = btf_chain(b, path, n, one)) != NULL) {
		struct type t;
		int64_t bits;

		if (one->kind != BTF_STRUCT)
			continue;
		btf_read(b, one->at, &t);
		bits = find(&w, &t, path + n + 1, 0);
		if (b->cut_off)
			return cut_off(b, err);
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
	if (pointed)
		name_pointed(b, w.type, pointed);
	return (int32_t)(found / 8);
}
