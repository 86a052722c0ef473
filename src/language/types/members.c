// SPDX-License-Identifier: GPL-2.0
#include "src/language/types/members.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/types/offsets.h"
#include "compat/user/open_file.h"
#include "src/language/expressions/constants.h"
#include "src/language/types/abi.h"
#include "src/language/types/members_internal.h"
#include "src/language/types/types.h"

struct types *types_new(struct kernel *k)
{
	struct types *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->kernel = k;
	t->machine = machine_of(kernel_arch(k));
	t->n_btf = t->n_files = 1;
	return t;
}

void types_free(struct types *t)
{
	if (!t)
		return;
	types_free(t->of_program);
	/* btf[0] is the kernel's and stays. The BTF of modules refers to it. */
	for (unsigned int i = t->n_btf; i-- > 1;)
		btf_free(t->btf[i]);
	header_free(t->header);
	lines_free(&t->not_read);
	free(t);
}

bool types_has_btf(struct types *t)
{
	return types_btfs(t) && t->btf[0];
}

void types_stay(struct types *t)
{
	if (t)
		kernel_btf_stays(t->kernel);
}

static int open_btf(struct types *t, const char *path, struct error *err)
{
	struct error why = { };
	int fd;

	if (t->n_btf == BTF_MOST / 2)
		return fail(err, "--btf: %d files at most", BTF_MOST / 2 - 1);
	fd = open_file(path);
	if (fd < 0)
		return fail_with(err, errno, "--btf %s: %s", path, errno == EINVAL ?
				 "this is no regular file" : strerror(errno));
	t->btf[t->n_btf] = btf_new(fd, &why);
	if (!t->btf[t->n_btf])
		return fail_with(err, why.number, "--btf %s: %s", path, why.text);
	t->n_files = ++t->n_btf;
	return 0;
}

/*
 * bcc's users name headers of the kernel's source, such as linux/fs.h. A header alone is of no use:
 * the files that it includes depend on the kernel's configuration. BTF has its structs.
 */
static int read_header(struct types *t, const char *path, bool has_btf, struct error *err)
{
	const bool of_kernel = *path != '/' && *path != '.' && strchr(path, '/') &&
			       access(path, F_OK);

	if (!of_kernel)
		return header_read(t->header, path, err);
	if (!has_btf && !types_has_btf(t))
		return fail(err, "-I %s: there is no such file here, and this kernel has no BTF, "
			    "which has the declarations of the kernel's headers: write the structs "
			    "that you need into a file (-I FILE.h), or give BTF of this kernel "
			    "(--btf FILE)", path);
	lines_add(&t->not_read, "%s", path);
	return 0;
}

const struct lines *types_not_read(const struct types *t)
{
	return &t->not_read;
}

/* A header_outside_fn: structs of the kernel. */
static bool of_kernel(void *arg, struct c_type *type)
{
	struct types *t = arg;
	unsigned int number;
	bool several;
	const uint32_t id = types_btf_named(t, 1 << (type->is_union ? BTF_UNION : BTF_STRUCT),
					    type->tag, strlen(type->tag), &number, &several);
	struct btf_type of;

	if (!id || t->foreign || !btf_type(t->btf[number], id, &of))
		return false;
	type->source = (uint8_t)(TYPES_BTF + number);
	type->id = id;
	type->bytes = of.target;
	type->align = btf_alignment(t->btf[number], number, id, &t->machine);
	return true;
}

static bool make_header(struct types *t)
{
	if (!t->header)
		t->header = header_new(&t->machine);
	if (t->header)
		header_outside(t->header, of_kernel, t);
	return t->header;
}

int types_files(struct types *t, const char *headers, const char *btf, struct error *err)
{
	const char *lists[] = { headers, btf };
	int result = 0;

	t->headers_named = headers;
	t->btf_named = btf;
	if (headers && !make_header(t))
		return fail(err, "out of memory");
	for (int i = 0; i < 2; i++)
		for (const char *p = lists[i]; p && *p && !result; p += strcspn(p, "\n"),
		     p += *p == '\n') {
			char *path = strndup(p, strcspn(p, "\n"));

			if (!path)
				return fail(err, "out of memory");
			result = i ? open_btf(t, path, err) :
				 read_header(t, path, btf, err);
			free(path);
		}
	return result;
}

int types_script(struct types *t, const struct source *s, struct error *err)
{
	t->script = s;
	if (!make_header(t))
		return fail(err, "out of memory");
	return header_script(t->header, s, err);
}

struct types *types_of_program(struct types *t, const struct arch *arch, struct error *err)
{
	struct types *to = t->of_program;

	if (to)
		return to;
	to = types_new(t->kernel);
	if (!to) {
		fail(err, "out of memory");
		return NULL;
	}
	to->machine = machine_of(arch);
	to->foreign = true;
	t->of_program = to;
	return types_files(to, t->headers_named, t->btf_named, err) ||
	       (t->script && types_script(to, t->script, err)) ? NULL : to;
}

bool types_declared(struct types *t, const char *name, size_t length, struct c_type *type)
{
	return t && t->header && header_typedef(t->header, name, length, type);
}

bool types_typedef(struct types *t, const char *name, size_t length, struct c_type *type)
{
	unsigned int number;
	bool several;
	uint32_t id;

	if (!t)
		return false;
	if (types_declared(t, name, length, type))
		return true;
	if (t->foreign)
		return false;
	id = types_btf_named(t, 1 << BTF_TYPEDEF, name, length, &number, &several);
	if (id)
		btf_to_c(t->btf[number], number, id, type, 0);
	return id;
}

/* An enumerator of type information; as types_number(). */
static int enumerator(struct types *t, const char *name, size_t length, uint64_t *value,
		      struct c_type *type, struct error *why)
{
	struct btf_member m;
	bool is_signed;

	for (unsigned int i = 0; i < types_btfs(t); i++) {
		int found = t->btf[i] ? btf_number(t->btf[i], name, length, &m, &is_signed) : 0;

		if (!found)
			continue;
		if (found < 0)
			return fail(why, "this kernel has several numbers %.*s: -I FILE.h with the "
				    "right enum says which", (int)length, name);
		*value = (uint64_t)m.value;
		*type = m.value == (int32_t)m.value ? c_integer(4, true) :
			c_literal(*value, false, !is_signed, 0, 8);
		type->source = (uint8_t)(TYPES_BTF + i);
		type->id = m.type;
		return 1;
	}
	return 0;
}

int types_number(struct types *t, const char *name, size_t length, uint64_t *value,
		 struct c_type *type, struct error *why)
{
	int64_t number;
	int found;

	if (!t)
		return 0;
	if (t->header && header_number(t->header, name, length, value, type))
		return 1;
	found = enumerator(t, name, length, value, type, why);
	if (found == 1 || !constant_named(kernel_arch(t->kernel), name, length, &number))
		return found;
	*value = (uint64_t)number;
	*type = number == (int32_t)number ? c_integer(4, true) :
		c_literal(*value, false, false, 0, 8);
	return 1;
}

bool types_enum(struct types *t, const char *tag, size_t length, struct c_type *type)
{
	unsigned int number;
	bool several;
	uint32_t id;

	if (!t)
		return false;
	if (t->header && header_enum(t->header, tag, length, type))
		return true;
	id = t->foreign ? 0 : types_btf_named(t, 1 << BTF_ENUM | 1 << BTF_ENUM64, tag, length,
					      &number, &several);
	if (id)
		btf_to_c(t->btf[number], number, id, type, 0);
	return id;
}

const char *types_enumerator(struct types *t, uint8_t source, uint32_t id, uint64_t value,
			     size_t *length)
{
	struct btf_type of;
	struct btf_member m;

	if (!t || !id)
		return NULL;
	if (source < TYPES_BTF)
		return t->header ? header_enumerator(t->header, id, value, length) : NULL;
	if (!btf_type(t->btf[source - TYPES_BTF], id, &of))
		return NULL;
	for (uint32_t i = 0; btf_member(&of, i, &m); i++)
		if ((uint64_t)m.value == value) {
			*length = strlen(m.name);
			return m.name;
		}
	return NULL;
}

int types_macro(struct types *t, const char *name, size_t length, const char **text,
		const char **end)
{
	return t->header ? header_macro(t->header, name, length, text, end) : 0;
}

static bool abi_struct(const char *tag)
{
	unsigned int offset;
	struct c_type type;

	return abi_member(tag, "", 0, 8, &offset, &type) != ABI_NO_STRUCT;
}

int types_complete(struct types *t, struct c_type *type, bool of_program, struct error *why)
{
	unsigned int number;
	bool several = false;
	uint32_t id = 0;

	if (type->base != C_STRUCT || type->source)
		return 0;
	if (t && t->header && header_struct(t->header, type->tag, type)) {
		type->source = TYPES_HEADER;
		return 0;
	}
	if (type->user && abi_struct(type->tag)) {
		type->source = TYPES_ABI;
		return 0;
	}
	if (t && !of_program)
		id = types_btf_named(t, 1 << (type->is_union ? BTF_UNION : BTF_STRUCT), type->tag,
				     strlen(type->tag), &number, &several);
	if (id) {
		const uint8_t pointers = type->pointers;
		const bool user = type->user;

		btf_to_c(t->btf[number], number, id, type, 0);
		type->pointers = pointers;
		type->user = user;
		return 0;
	}
	if (several)
		return fail(why, "this kernel has several structs %s: -I FILE.h with the right one "
			    "says which", type->tag);
	if (t && !of_program && found_struct(type->tag))
		type->source = TYPES_FOUND;
	else if (abi_struct(type->tag))
		type->source = TYPES_ABI;
	else if (of_program)
		return fail(why, "members of struct %s are not known: -I FILE.h with its "
			    "declaration tells them", type->tag);
	else
		return fail(why, "members of struct %s are not known: %s; -I FILE.h with its "
			    "declaration tells them, or --btf FILE", type->tag,
			    t && types_has_btf(t) ?
			    "this kernel's BTF has no such struct" : "this kernel has no BTF");
	return 0;
}

/* What programs and kernel share has the same layout in both, if their words are as large. */
static bool shared_member(struct types *t, const struct c_type *type, const char *name,
			  size_t length, unsigned int word, struct member_place *to)
{
	unsigned int number;
	bool several;
	const uint32_t id = t && !t->foreign && word == kernel_arch(t->kernel)->word ?
			    types_btf_named(t, 1 << BTF_STRUCT, type->tag, strlen(type->tag),
					    &number, &several) : 0;

	return id && btf_to_member(t->btf[number], number, id, name, length, to);
}

static int abi_place(struct types *t, const struct c_type *type, const char *name, size_t length,
		     unsigned int word, struct member_place *to, struct error *why)
{
	unsigned int offset;

	switch (abi_member(type->tag, name, length, word, &offset, &to->type)) {
	case ABI_KNOWN:
		to->bits = 8 * (int64_t)offset;
		to->width = 0;
		return 0;
	case ABI_TWO_LAYOUTS:
		return fail(why, "struct %s has two layouts on machines of 32 bits: -I FILE.h with "
			    "its declaration says which", type->tag);
	default:
		if (shared_member(t, type, name, length, word, to))
			return 0;
		return fail(why, "struct %s has no %.*s, as far as is known here; -I FILE.h with "
			    "its declaration tells more", type->tag, (int)length, name);
	}
}

int types_member(struct types *t, const struct c_type *type, const char *name, size_t length,
		 unsigned int word, struct member_place *to, struct error *why)
{
	bool known = false;

	if (type->source == TYPES_ABI)
		return abi_place(t, type, name, length, word, to, why);
	if (type->source == TYPES_FOUND)
		return found_member(t->kernel, type->tag, name, length, word, to, why);
	if (type->source == TYPES_HEADER)
		known = header_member(t->header, type->id, name, length, to);
	else if (type->source >= TYPES_BTF)
		known = btf_to_member(t->btf[type->source - TYPES_BTF], type->source - TYPES_BTF,
				      type->id, name, length, to);
	return known ? 0 : fail(why, "%s %s has no member %.*s",
				type->is_union ? "union" : "struct",
				*type->tag ? type->tag : "{...}", (int)length, name);
}

bool types_has_members(const struct c_type *type)
{
	return type->source == TYPES_HEADER || type->source >= TYPES_BTF;
}

bool types_member_at(struct types *t, const struct c_type *type, unsigned int i,
		     struct member_place *to, const char **name, size_t *length)
{
	if (type->source >= TYPES_BTF)
		return btf_to_member_at(t->btf[type->source - TYPES_BTF], type->source - TYPES_BTF,
					type->id, i, to, name, length);
	return t->header && header_member_at(t->header, type->id, i, to, name, length);
}

int types_function(struct types *t, const char *name, struct parameter *list,
		   struct c_type *result)
{
	unsigned int number, n = 0;
	bool several;
	uint32_t id = t ? types_btf_named(t, 1 << BTF_FUNCTION, name, strlen(name), &number,
					  &several) : 0;
	struct btf_type function, prototype;
	struct btf_member m;

	if (!id || !btf_type(t->btf[number], id, &function) ||
	    !btf_type(t->btf[number], function.target, &prototype) ||
	    prototype.kind != BTF_PROTOTYPE)
		return -1;
	btf_to_c(t->btf[number], number, prototype.target, result, 0);
	for (; n < PARAMETERS_MOST && btf_member(&prototype, n, &m); n++) {
		btf_to_c(t->btf[number], number, m.type, &list[n].type, 0);
		if (!c_number(&list[n].type))
			break;
		list[n].name[0] = '\0';
		if (strlen(m.name) < sizeof(list[n].name))
			strcpy(list[n].name, m.name);
	}
	return (int)n;
}
