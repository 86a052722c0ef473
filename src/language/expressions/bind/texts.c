// SPDX-License-Identifier: GPL-2.0
/* Texts at the address that an expression has, as inputs. */
#include <stdio.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/language/expressions/bind/binder.h"
#include "src/language/types/types.h"

int field_text(struct binder *b, struct node *n, struct text_node *text)
{
	const struct field *f;
	struct lang_input in = { };
	int number;

	text_all(in.fetch, sizeof(in.fetch), "%.*s", n->length, name_of(b, n));
	f = format_field(b->s->event.format, in.fetch);
	if (strncmp(f->type, "char", 4) && strncmp(f->type, "unsigned char", 13))
		return WRONG(b, n, "this is no string but %s[]", f->type);
	text->way = f->is_data_loc ? TEXT_INPUT : TEXT_BYTES;
	in.bytes = !f->is_data_loc;
	in.size = (uint16_t)f->size;
	number = binder_input(b, n, in);
	text->input = (uint8_t)number;
	return number < 0 ? -1 : 0;
}

/* Requires an address, and says where its text ends at the latest. */
static int text_limit(struct binder *b, const struct node *n, struct text_node *text)
{
	const struct c_type *t = &n->type;
	char what[100];

	if (c_array(t) && t->n_dims == 1 && t->base == C_INTEGER && t->size == 1 && !t->pointers) {
		text->limit = t->dims[0] < UINT16_MAX ? (uint16_t)t->dims[0] : 0;
	} else if (c_array(t) || c_size(t, b->s->word) != (t->kernel ? t->kernel : b->s->word) ||
		   !c_number(t) || t->row ||
		   (t->pointers && (t->pointers > 1 || t->base == C_STRUCT))) {
		c_type_text(t, b->s->word, what, sizeof(what));
		return WRONG(b, n, "this is no address of a string but %s", what);
	}
	return 0;
}

int memory_text(struct binder *b, const struct node *n, unsigned int before,
		struct text_node *text)
{
	struct scope *s = b->s;
	struct lang_input in = { .type = ":string" };
	int number;

	if (text_limit(b, n, text))
		return -1;
	text->way = n->type.user || (s->user_space && !n->type.kernel) ? TEXT_USER :
		    s->event.tracepoint ? TEXT_INPUT : TEXT_EITHER;
	if (!fetch_of(b, n, in.fetch, sizeof(in.fetch))) {
		note_memory(b, n, true);
		text->address = n;
		return 0;
	}
	s->needs.n_inputs = before;
	/* The outermost address is that of the text itself: its type says where it is. */
	if (in.fetch[1] == 'u')
		memmove(in.fetch + 1, in.fetch + 2, strlen(in.fetch + 1));
	if (text->way == TEXT_USER)
		snprintf(in.type, sizeof(in.type), ":ustring/%u", s->text_size + 2);
	number = binder_input(b, n, in);
	text->input = (uint8_t)number;
	return number < 0 ? -1 : 0;
}

int bind_text(struct tree *t, struct scope *s, struct node *n, struct text_node *text,
	      struct error *err)
{
	struct binder b = { .t = t, .s = s, .err = err };
	struct lang_input in = { "comm", "comm", "", true, false, true, 16 };
	const unsigned int before = s->needs.n_inputs;
	int number;

	*text = (struct text_node){ };
	if (n->kind == NODE_TEXT)
		return WRONG(&b, n, "this string is known already: write it into the format");
	if (is_name(&b, n, "$comm") || is_name(&b, n, "$COMM")) {
		text->way = TEXT_BYTES;
		number = binder_input(&b, n, in);
		text->input = (uint8_t)number;
		return number < 0 ? -1 : 0;
	}
	if (bind_node(&b, &n))
		return -1;
	if (n->type.base != C_TEXT || n->type.pointers)
		return memory_text(&b, n, before, text);
	return n->kind == NODE_MEMBER ? field_text(&b, n, text) :
	       WRONG(&b, n, "this is a string already, not its address");
}
