// SPDX-License-Identifier: GPL-2.0
/* Types of C from the kernel's type information. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "compat/types/offsets.h"
#include "src/language/types/members_internal.h"
#include "src/language/types/types.h"

#define MODULES "/sys/kernel/btf"
#define DEPTH 16			/* of typedefs and structs in each other */

unsigned int types_btfs(struct types *t)
{
	struct error why;

	if (!t->opened)
		t->btf[0] = kernel_btf(t->kernel, &why);
	t->opened = true;
	return t->n_btf;
}

static void integer(const struct btf_type *t, struct c_type *to)
{
	uint32_t bits, encoding;

	btf_int(t, &bits, &encoding);
	if (t->target > 8 || !t->target || t->target & (t->target - 1)) {
		*to = (struct c_type){ .base = C_OTHER, .size = 16 };
		return;
	}
	*to = c_integer(t->target, encoding & 1);
	to->is_bool = encoding & 4;
	to->is_char = t->target == 1 && !to->is_bool;
}

static void array(struct btf *b, unsigned int number, const struct btf_type *t,
		  struct c_type *to, unsigned int depth)
{
	uint32_t element, n;

	btf_array(t, &element, &n);
	btf_to_c(b, number, element, to, depth + 1);
	if (to->n_dims == DIMENSIONS || to->row) {
		*to = (struct c_type){ .base = C_VOID };
		return;
	}
	memmove(to->dims + 1, to->dims, to->n_dims * sizeof(to->dims[0]));
	to->dims[0] = n;
	to->n_dims++;
}

void btf_to_c(struct btf *b, unsigned int number, uint32_t id, struct c_type *to,
	      unsigned int depth)
{
	struct btf_type t;

	*to = (struct c_type){ .base = C_VOID };
	if (depth == DEPTH || !btf_type(b, id, &t))
		return;
	switch (t.kind) {
	case BTF_INT:
		integer(&t, to);
		break;
	case BTF_POINTER:
		btf_to_c(b, number, t.target, to, depth + 1);
		*to = c_pointer(to);
		break;
	case BTF_ARRAY:
		array(b, number, &t, to, depth);
		break;
	case BTF_STRUCT:
	case BTF_UNION:
		to->source = (uint8_t)(TYPES_BTF + number);
		to->id = id;
		to->bytes = t.target;
		/* fall through */
	case BTF_FORWARD:
		to->base = C_STRUCT;
		to->is_union = t.kind == BTF_UNION || (t.kind == BTF_FORWARD && t.flag);
		if (strlen(t.name) < sizeof(to->tag))
			strcpy(to->tag, t.name);
		break;
	case BTF_ENUM:
	case BTF_ENUM64:
		*to = c_integer(t.target == 1 || t.target == 2 || t.target == 8 ? t.target : 4,
				t.flag);
		to->source = (uint8_t)(TYPES_BTF + number);
		to->id = id;
		break;
	case BTF_TYPEDEF:
	case BTF_VOLATILE:
	case BTF_CONST:
	case BTF_RESTRICT:
		btf_to_c(b, number, t.target, to, depth + 1);
		break;
	case BTF_TYPE_TAG:
		btf_to_c(b, number, t.target, to, depth + 1);
		to->user |= !strcmp(t.name, "user");
		break;
	case BTF_FLOAT:
		*to = (struct c_type){ .base = C_OTHER, .size = (uint8_t)t.target };
		break;
	}
}

/* ---- members ---- */

/* Before 5.0 a bit field had an integer type of its own, with its width. */
static void old_bit_field(struct btf *b, uint32_t type, struct member_place *to)
{
	struct btf_type t;
	uint32_t bits, encoding;

	for (unsigned int i = 0; i < DEPTH && btf_type(b, type, &t); i++, type = t.target) {
		if (t.kind == BTF_TYPEDEF || t.kind == BTF_CONST || t.kind == BTF_VOLATILE)
			continue;
		if (t.kind != BTF_INT)
			return;
		btf_int(&t, &bits, &encoding);
		to->width = bits && bits != 8 * t.target ? bits : 0;
		return;
	}
}

/* Where and of which type member m of the struct t is. */
static void place(struct btf *b, unsigned int number, const struct btf_type *t,
		  const struct btf_member *m, struct member_place *to)
{
	to->bits = m->bits;
	to->width = m->width;
	btf_to_c(b, number, m->type, &to->type, 0);
	if (!t->flag)
		old_bit_field(b, m->type, to);
}

static bool find(struct btf *b, unsigned int number, uint32_t id, const char *name,
		 size_t length, struct member_place *to, unsigned int depth, unsigned int *looks)
{
	struct btf_type t;
	struct btf_member m;

	if (depth == DEPTH || !btf_type(b, id, &t) ||
	    (t.kind != BTF_STRUCT && t.kind != BTF_UNION))
		return false;
	for (uint32_t i = 0; ++*looks < 1 << 16 && btf_member(&t, i, &m); i++) {
		if (*m.name && strlen(m.name) == length && !memcmp(m.name, name, length)) {
			place(b, number, &t, &m, to);
			return true;
		}
		if (!*m.name && find(b, number, m.type, name, length, to, depth + 1, looks)) {
			to->bits += m.bits;
			return true;
		}
	}
	return false;
}

bool btf_to_member(struct btf *b, unsigned int number, uint32_t id, const char *name,
		   size_t length, struct member_place *to)
{
	unsigned int looks = 0;

	return find(b, number, id, name, length, to, 0, &looks);
}

bool btf_to_member_at(struct btf *b, unsigned int number, uint32_t id, unsigned int i,
		      struct member_place *to, const char **name, size_t *length)
{
	struct btf_type t;
	struct btf_member m;

	if (!btf_type(b, id, &t) || (t.kind != BTF_STRUCT && t.kind != BTF_UNION) ||
	    !btf_member(&t, i, &m))
		return false;
	place(b, number, &t, &m, to);
	*name = m.name;
	*length = strlen(m.name);
	return true;
}

static uint32_t alignment(struct btf *b, unsigned int number, uint32_t id, const struct machine *m,
			  unsigned int depth)
{
	uint32_t most = 1, bytes = 0;
	struct member_place p;
	const char *name;
	size_t length;
	struct btf_type t;

	if (btf_type(b, id, &t))
		bytes = t.target;
	for (unsigned int i = 0; depth < DEPTH && btf_to_member_at(b, number, id, i, &p, &name,
								   &length); i++) {
		const bool is_struct = p.type.base == C_STRUCT && !p.type.pointers && !p.type.row;
		const uint32_t one = !is_struct ? type_align(&p.type, m) :
				     alignment(b, number, p.type.id, m, depth + 1);

		if (!one || (!p.width && p.bits % (8 * one)))
			return 1;
		most = one > most ? one : most;
	}
	return bytes % most ? 1 : most;
}

uint32_t btf_alignment(struct btf *b, unsigned int number, uint32_t id, const struct machine *m)
{
	return alignment(b, number, id, m, 0);
}

/* ---- names ---- */

/* Looks for a name in the BTF of modules. The BTF that has it is kept open. */
static uint32_t in_modules(struct types *t, uint32_t kinds, const char *name, size_t length,
			   unsigned int *number, bool *several)
{
	DIR *dir = t->btf[0] && t->n_btf < BTF_MOST ? opendir(MODULES) : NULL;
	const struct dirent *entry;
	unsigned int found;
	uint32_t id = 0;

	while (dir && !id && !*several && (entry = readdir(dir)) != NULL) {
		struct btf *b;
		int fd;

		if (*entry->d_name == '.' || !strcmp(entry->d_name, "vmlinux"))
			continue;
		fd = openat(dirfd(dir), entry->d_name, O_RDONLY | O_CLOEXEC);
		b = fd < 0 ? NULL : btf_split(fd, t->btf[0], NULL);
		id = b ? btf_named(b, kinds, name, length, &found) : 0;
		*several = id && found > 1;
		if (!id || *several) {
			btf_free(b);
			continue;
		}
		*number = t->n_btf;
		t->btf[t->n_btf++] = b;
	}
	if (dir)
		closedir(dir);
	return *several ? 0 : id;
}

uint32_t types_btf_named(struct types *t, uint32_t kinds, const char *name, size_t length,
			 unsigned int *number, bool *several)
{
	const unsigned int n = types_btfs(t);
	unsigned int found;

	*several = false;
	if (!length)
		return 0;
	/* First the kernel's BTF and the modules', then the files' (--btf). */
	for (unsigned int pass = 0; pass < 2; pass++) {
		for (unsigned int i = 0; i < n; i++) {
			const bool file = i && i < t->n_files;
			uint32_t id;

			if (file != (pass == 1) || !t->btf[i])
				continue;
			id = btf_named(t->btf[i], kinds, name, length, &found);
			*number = i;
			*several = id && found > 1 && kinds != 1 << BTF_TYPEDEF;
			if (id)
				return *several ? 0 : id;
		}
		if (!pass && kinds != 1 << BTF_TYPEDEF) {
			uint32_t id = in_modules(t, kinds, name, length, number, several);

			if (id || *several)
				return id;
		}
	}
	return 0;
}
