// SPDX-License-Identifier: GPL-2.0
#include "compat/types/raw.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/types/offsets.h"

#define PREFIX "btf_trace_"

/* Writes the line of a typedef. The first parameter is the tracepoint's own. */
static bool write_line(struct btf *btf, const struct btf_type *typedefed, FILE *out)
{
	struct btf_type t;

	if (!prototype_bare(btf, typedefed->target, &t) || t.kind != BTF_POINTER)
		return false;
	fputs(typedefed->name + strlen(PREFIX), out);
	return prototype_write(btf, t.target, 1, false, out);
}

/* The line of one tracepoint, and its id. Returns false, and err, if it is unknown. */
static bool line_of_running(struct kernel *k, const char *name, char line[PROTOTYPE_LINE],
			    uint32_t *id, struct error *err)
{
	struct btf *btf = kernel_btf(k, err);
	char wanted[96];
	unsigned int found;
	struct btf_type t;
	FILE *out;
	bool known;

	if (!btf)
		return false;
	text_all(wanted, sizeof(wanted), PREFIX "%s", name);
	*id = btf_named(btf, 1 << BTF_TYPEDEF, wanted, strlen(wanted), &found);
	out = *id ? fmemopen(line, PROTOTYPE_LINE, "w") : NULL;
	known = out && btf_type(btf, *id, &t) && write_line(btf, &t, out);
	if (out)
		known &= !fclose(out);
	if (!known)
		fail(err, "BTF does not have its arguments");
	return known;
}

static bool line_of_snapshot(struct kernel *k, const char *name, char line[PROTOTYPE_LINE],
			     uint32_t *id, struct error *err)
{
	*id = 0;
	if (prototype_find(kernel_text(k, "raw-tracepoints"), name, line))
		return true;
	fail(err, "the snapshot does not have its arguments");
	return false;
}

int kernel_raw_prototype(struct kernel *k, const char *name, struct prototype *to,
			 struct error *err)
{
	char line[PROTOTYPE_LINE];

	*to = (struct prototype){ };
	if (!(kernel_live(k) ? line_of_running : line_of_snapshot)(k, name, line, &to->id, err))
		return -1;
	return prototype_parse(line, false, to, err);
}

char *raw_arguments_text(struct kernel *k, size_t *length)
{
	struct error err = { };
	struct btf *btf = kernel_btf(k, &err);
	char line[PROTOTYPE_LINE];
	struct strbuf text = { };
	struct btf_type t;

	for (uint32_t id = 1; btf && btf_type(btf, id, &t); id++) {
		FILE *one;

		if (t.kind != BTF_TYPEDEF || strncmp(t.name, PREFIX, strlen(PREFIX)) ||
		    !(one = fmemopen(line, sizeof(line), "w")))
			continue;
		if (write_line(btf, &t, one) & !fclose(one))
			strbuf_addf(&text, "%s\n", line);
	}
	*length = text.n;
	return btf ? strbuf_take(&text) : NULL;
}
