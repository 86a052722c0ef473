// SPDX-License-Identifier: GPL-2.0
#include "compat/types/raw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/scan.h"
#include "compat/types/btf.h"
#include "compat/types/offsets.h"

#define PREFIX "btf_trace_"
#define LINE 640		/* RAW_ARGUMENTS of the longest names */

/* Goes through typedefs and qualifiers. Returns false if the type is damaged. */
static bool bare_type(struct btf *btf, uint32_t id, struct btf_type *t)
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

static bool write_argument(struct btf *btf, uint32_t id, FILE *out)
{
	struct btf_type t;

	if (!bare_type(btf, id, &t))
		return false;
	if (t.kind != BTF_POINTER) {
		fprintf(out, " %u", t.target);
		return t.target <= sizeof(uint64_t);
	}
	if (!bare_type(btf, t.target, &t))
		return false;
	fprintf(out, " *%s", t.kind == BTF_STRUCT || t.kind == BTF_FORWARD ? t.name : "");
	return true;
}

/* Writes the line of a typedef. The first parameter is the tracepoint's own. */
static bool write_line(struct btf *btf, const struct btf_type *typedefed, FILE *out)
{
	struct btf_type t;
	struct btf_member m;

	if (!bare_type(btf, typedefed->target, &t) || t.kind != BTF_POINTER ||
	    !bare_type(btf, t.target, &t) || t.kind != BTF_PROTOTYPE)
		return false;
	fputs(typedefed->name + strlen(PREFIX), out);
	for (uint32_t i = 1; i < t.n; i++)
		if (!btf_member(&t, i, &m) || !write_argument(btf, m.type, out))
			return false;
	return true;
}

/* The line of one tracepoint, and its id. Returns false, and err, if it is unknown. */
static bool line_of_running(struct kernel *k, const char *name, char line[LINE], uint32_t *id,
			    struct error *err)
{
	struct btf *btf = kernel_btf(k, err);
	char wanted[96];
	unsigned int found;
	struct btf_type t;
	FILE *out;
	bool known;

	if (!btf)
		return false;
	snprintf(wanted, sizeof(wanted), PREFIX "%s", name);
	*id = btf_named(btf, 1 << BTF_TYPEDEF, wanted, strlen(wanted), &found);
	out = *id ? fmemopen(line, LINE, "w") : NULL;
	known = out && btf_type(btf, *id, &t) && write_line(btf, &t, out);
	if (out)
		known &= !fclose(out);
	if (!known)
		fail(err, "BTF does not have its arguments");
	return known;
}

static bool line_of_snapshot(struct kernel *k, const char *name, char line[LINE], uint32_t *id,
			     struct error *err)
{
	const char *at = kernel_text(k, "raw-tracepoints");
	const size_t n = strlen(name);

	*id = 0;
	for (; at && *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (!strncmp(at, name, n) && (at[n] == ' ' || at[n] == '\n')) {
			snprintf(line, LINE, "%.*s", (int)strcspn(at, "\n"), at);
			return true;
		}
	fail(err, "the snapshot does not have its arguments");
	return false;
}

static bool parse_argument(const char **at, struct raw_argument *a)
{
	uint64_t size;

	*a = (struct raw_argument){ .pointer = scan_text(at, "*") };
	if (a->pointer) {
		scan_until(at, " ", a->type, sizeof(a->type));
		return true;
	}
	if (!scan_number(at, sizeof(uint64_t), &size))
		return false;
	a->size = (uint8_t)size;
	return true;
}

int kernel_raw_prototype(struct kernel *k, const char *name, struct raw_prototype *to,
			 struct error *err)
{
	char line[LINE];
	const char *at = line;

	to->n = 0;
	if (!(kernel_live(k) ? line_of_running : line_of_snapshot)(k, name, line, &to->id, err))
		return -1;
	scan_text(&at, name);
	while (scan_text(&at, " "))
		if (to->n == RAW_ARGUMENTS || !parse_argument(&at, &to->arguments[to->n++]))
			return fail(err, "its arguments can't be read");
	return 0;
}

char *raw_arguments_text(struct kernel *k, size_t *length)
{
	struct error err = { };
	struct btf *btf = kernel_btf(k, &err);
	char *text = NULL, line[LINE];
	struct btf_type t;
	FILE *out = btf ? open_memstream(&text, length) : NULL;

	for (uint32_t id = 1; out && btf_type(btf, id, &t); id++) {
		FILE *one;

		if (t.kind != BTF_TYPEDEF || strncmp(t.name, PREFIX, strlen(PREFIX)) ||
		    !(one = fmemopen(line, sizeof(line), "w")))
			continue;
		if (write_line(btf, &t, one) & !fclose(one))
			fprintf(out, "%s\n", line);
	}
	if (out && fclose(out)) {
		free(text);
		text = NULL;
	}
	return text;
}
