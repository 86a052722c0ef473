// SPDX-License-Identifier: GPL-2.0
/* Memory that an expression reads: an input in fetch notation, or an instruction for BPF alone. */
#include <stdio.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/language/expressions/bind/binder.h"
#include "src/language/types/types.h"

/* Returns true if the type is as large as an address. */
static bool is_wide_enough(const struct binder *b, const struct c_type *t)
{
	return c_size(t, b->s->word) == (t->kernel ? t->kernel : b->s->word);
}

/*
 * Writes an address as fetch notation: an input, and a constant offset. Returns -1 for an address
 * that is computed from several values: probes of the rings can't read there.
 */
static int place_of(struct binder *b, const struct node *n, char *base, size_t size,
		    int64_t *offset)
{
	if ((n->kind == NODE_INPUT || n->kind == NODE_READ) && is_wide_enough(b, &n->type)) {
		const struct lang_input *in = &b->s->needs.inputs[n->value];

		if (in->identity)
			return -1;
		text_all(base, size, "%s", in->fetch);
		return 0;
	}
	if (n->kind == NODE_CAST && is_wide_enough(b, &n->type))
		return place_of(b, n->a, base, size, offset);
	if (n->kind == NODE_BINARY && (n->op == '+' || n->op == '-')) {
		const struct node *constant = n->b, *rest = n->a;

		if (n->op == '+' && rest->kind == NODE_NUMBER) {
			constant = n->a;
			rest = n->b;
		}
		if (constant->kind != NODE_NUMBER)
			return -1;
		*offset += n->op == '+' ? (int64_t)constant->value : -(int64_t)constant->value;
		return place_of(b, rest, base, size, offset);
	}
	return -1;
}

bool fetch_of(struct binder *b, const struct node *n, char *fetch, size_t size)
{
	const bool user = n->type.user && !b->s->user_space;
	char base[INPUT_FETCH];
	int64_t offset = 0;
	unsigned int nested = 0;

	if (place_of(b, n, base, sizeof(base), &offset) || offset != (int32_t)offset)
		return false;
	for (const char *p = base; *p; p++)
		nested += *p == '(';
	return nested < 4 && (size_t)snprintf(fetch, size, "+%s%d(%s)", user ? "u" : "",
					      (int)offset, base) < size;
}

/* Returns true if the address depends on a number that was kept at the call. */
static bool is_kept(const struct node *n)
{
	return n && (n->kind == NODE_SLOT || is_kept(n->a) || is_kept(n->b) || is_kept(n->c));
}

void note_memory(struct binder *b, const struct node *n, bool follows)
{
	struct error why;

	b->s->needs.follows |= follows;
	if (*b->s->needs.why)
		return;
	source_error(&b->t->source, n->at, &why, !b->t->source.language && is_kept(n) ?
		     "memory at $entry's address is read when the call returns, which only "
		     "BPF programs can do" : follows ?
		     "only BPF programs can read memory at an address that is computed, or behind "
		     "so many pointers" :
		     "it reads memory through a pointer, and since 4.20 only BPF programs are told "
		     "whether that could be read");
	text_cut(b->s->needs.why, sizeof(b->s->needs.why), "%.*s", (int)sizeof(b->s->needs.why) - 1,
		 why.text);
}

void note_bpf(struct binder *b, const struct node *n, const char *why)
{
	struct error text;

	b->s->needs.bpf_only = true;
	if (*b->s->needs.why)
		return;
	source_error(&b->t->source, n->at, &text, "%s", why);
	text_cut(b->s->needs.why, sizeof(b->s->needs.why), "%.*s", (int)sizeof(b->s->needs.why) - 1,
		 text.text);
}

int read_memory(struct binder *b, struct node *n, struct node *a, const struct c_type *type,
		unsigned int before)
{
	static const char *const types[][2] = { { ":u8", ":s8" }, { ":u16", ":s16" },
						{ ":u32", ":s32" }, { ":u64", ":s64" } };
	struct lang_input in = { .memory = true };
	struct c_type read = *type;
	unsigned int size;
	char text[100];
	int number;

	read.align = 0;
	read.user |= a->type.user;
	read.kernel |= a->type.kernel;
	size = c_size(&read, b->s->word);
	if (!c_number(type) || !size || size > 8 || size & (size - 1)) {
		c_type_text(type, b->s->word, text, sizeof(text));
		return WRONG(b, n, "this is %s, and only integers, pointers and strings can be "
				   "read",
			     text);
	}
	n->faults = true;
	n->type = read;
	if (!fetch_of(b, a, in.fetch, sizeof(in.fetch))) {
		n->a = a;
		note_memory(b, n, true);
		n->kind = NODE_FOLLOW;
		return 0;
	}
	b->s->needs.n_inputs = before;
	note_memory(b, n, false);
	strcpy(in.type, types[__builtin_ctz(size)][c_signed(type)]);
	number = binder_input(b, n, in);
	if (number < 0)
		return -1;
	n->kind = NODE_READ;
	n->value = (uint64_t)number;
	n->a = NULL;
	return 0;
}
