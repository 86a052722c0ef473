// SPDX-License-Identifier: GPL-2.0
#include "compat/types/prototype.h"

#include <string.h>

#include "compat/base/scan.h"
#include "compat/base/text.h"

#define BEGINNINGS 3		/* structs that a struct begins with, each within the one before */

bool prototype_bare(struct btf *btf, uint32_t id, struct btf_type *t)
{
	const uint32_t named = 1 << BTF_TYPEDEF | 1 << BTF_VOLATILE | 1 << BTF_CONST |
			       1 << BTF_RESTRICT | 1 << BTF_TYPE_TAG;

	for (int depth = 0; depth < 16; depth++) {
		if (!btf_type(btf, id, t))
			return false;
		if (t->kind > BTF_TYPE_TAG || !(named >> t->kind & 1))
			return true;
		id = t->target;
	}
	return false;
}

static bool is_struct(const struct btf_type *t)
{
	return t->kind == BTF_STRUCT || t->kind == BTF_FORWARD;
}

/* Writes the name of a struct, and of the structs that it begins with. */
static void write_struct(struct btf *btf, struct btf_type t, FILE *out)
{
	struct btf_member m;

	fputs(t.name, out);
	for (int i = 0; i < BEGINNINGS && t.kind == BTF_STRUCT && btf_member(&t, 0, &m) && !m.bits;
	     i++) {
		if (!prototype_bare(btf, m.type, &t) || t.kind != BTF_STRUCT || !*t.name)
			return;
		fprintf(out, "/%s", t.name);
	}
}

/* The verifier lets programs load pointers to structs, to void and to bytes, on all kernels. */
static bool is_plain(const struct btf_type *t)
{
	return t->kind == BTF_VOID || (t->kind == BTF_INT && t->target == 1);
}

static bool write_type(struct btf *btf, uint32_t id, FILE *out)
{
	struct btf_type t;

	if (!prototype_bare(btf, id, &t))
		return false;
	if (t.kind != BTF_POINTER) {
		fprintf(out, " %u", t.target);
		return t.target <= sizeof(uint64_t);
	}
	if (!prototype_bare(btf, t.target, &t))
		return false;
	fputs(is_struct(&t) || is_plain(&t) ? " *" : " **", out);
	if (is_struct(&t))
		write_struct(btf, t, out);
	return true;
}

bool prototype_write(struct btf *btf, uint32_t prototype, uint32_t first, bool result, FILE *out)
{
	struct btf_type t;
	struct btf_member m;

	if (!btf_type(btf, prototype, &t) || t.kind != BTF_PROTOTYPE ||
	    (result && !write_type(btf, t.target, out)))
		return false;
	for (uint32_t i = first; i < t.n; i++)
		if (!btf_member(&t, i, &m) || !write_type(btf, m.type, out))
			return false;
	return true;
}

static bool parse_type(const char **at, struct prototype_argument *a)
{
	uint64_t size;

	*a = (struct prototype_argument){ .pointer = scan_text(at, "*") };
	if (a->pointer) {
		a->opaque = scan_text(at, "*");
		scan_until(at, " ", a->type, sizeof(a->type));
		return true;
	}
	if (!scan_number(at, sizeof(uint64_t), &size))
		return false;
	a->size = (uint8_t)size;
	return true;
}

int prototype_parse(const char *line, bool result, struct prototype *to, struct error *err)
{
	const char *at = line + strcspn(line, " ");

	to->n = 0;
	if (result && !(scan_text(&at, " ") && parse_type(&at, &to->result)))
		return fail(err, "the type of its result can't be read");
	while (scan_text(&at, " "))
		if (to->n == PROTOTYPE_ARGUMENTS || !parse_type(&at, &to->arguments[to->n++]))
			return fail(err, "its arguments can't be read");
	return 0;
}

bool prototype_find(const char *text, const char *name, char line[PROTOTYPE_LINE])
{
	const size_t n = strlen(name);

	for (; text && *text; text += strcspn(text, "\n"), text += *text == '\n')
		if (!strncmp(text, name, n) && (text[n] == ' ' || text[n] == '\n')) {
			text_cut(line, PROTOTYPE_LINE, "%.*s", (int)strcspn(text, "\n"), text);
			return true;
		}
	return false;
}
