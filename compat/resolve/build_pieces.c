// SPDX-License-Identifier: GPL-2.0
/*
 * Texts in pieces, for the rings of kernels before 4.20.
 *
 * On these kernels a fetch argument of type string can't be used for user memory. The traced
 * program decides how long the text is, which may be longer than a record of perf. Memory that
 * can't be read looks like an empty text, or (before 4.3) like the end of a text. But a number that
 * can't be read is 0. So a text is fetched as numbers of 8 bytes. Each number begins with the last
 * byte of the number before: if that byte is not NUL, a 0 means that the next number could not be
 * read.
 *
 * Since 4.20 a number that can't be read leaves in the record the bytes that were in the ring's
 * memory before. They may look like a text. Arrays of numbers are new with the same change.
 */
#include "compat/resolve/build_internal.h"

#include <stdio.h>
#include <string.h>

#include "compat/resolve/argument.h"

#define ARGUMENTS 128		/* of a probe at most: MAX_TRACE_ARGS */
#define PIECE 8
#define STRIDE (PIECE - 1)

bool be_in_pieces(const struct builder *b, const struct fetch *f)
{
	return b->in_pieces && f->type == TYPE_TEXT && f->user && (f->enough || f->is_row) &&
		b->arch->shared_addresses;
}

int be_pieces_pass(struct builder *b, const struct wanted_input *w)
{
	struct fetch f;
	int index;

	if (!b->in_pieces && !b->text_last)
		return 0;
	if (be_find_fetch(b, w->name, &f, &index) != 1 || f.type != TYPE_TEXT)
		return b->in_pieces;
	return f.is_row ? 0 : 2;
}

/*
 * A probe follows pointers that are as wide as the kernel's. In a row of narrower pointers, of a
 * 32-bit task, it reads each pointer together with the next one. So only the last pointer before a
 * NULL is the address of a text.
 */
static uint8_t address_size(const struct builder *b, const struct fetch *f)
{
	int32_t step = f->derefs > 1 ? f->deref[f->derefs - 2].step : 0;

	return step > 0 && step < b->arch->word ? (uint8_t)step : b->arch->word;
}

/* The fetch argument of a text's address: the text's without the outermost dereference. */
static int address(struct builder *b, const struct fetch *f, int index, char *text, size_t size)
{
	struct fetch inner = *f;

	if (!f->derefs || f->deref[f->derefs - 1].offset)
		return be_no_input(b, "has no address of", f->name);
	inner.derefs--;
	return be_fetch_text(b, &inner, index, 0, text, size);
}

static int append_address(const struct builder *b, struct event *e, const char *text)
{
	return be_append_fetch(e, "", text, b->arch->word == 8 ? "u64" : "u32");
}

static bool has_room(const struct event *e, unsigned int n)
{
	for (const char *at = e->layout->fetch; at && *at;
	     at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
		n++;
	return n <= ARGUMENTS;
}

/* The event with room for n more arguments, and the size of its record so far. */
static struct event *room(struct builder *b, unsigned int n, unsigned int **record)
{
	*record = b->open ? &b->open_record : &b->record;
	if (has_room(b->open ? b->open : b->main, n))
		return b->open ? b->open : b->main;
	b->open = be_new_part(b);
	b->open_record = be_record_head(b, b->main->kind);
	*record = &b->open_record;
	return b->open;
}

int be_pieces(struct builder *b, const struct fetch *f, int index, const char *name)
{
	unsigned int n = (f->enough - 1U + STRIDE - 1) / STRIDE, *record;
	struct input *in;
	struct event *e;
	char text[160];

	if (address(b, f, index, text, sizeof(text)))
		return -1;
	e = room(b, n + 1, &record);
	in = e ? be_new_input(e, name) : NULL;
	if (!in)
		return not_served(b->refusal, b->hook, "too many inputs");
	in->kind = INPUT_STRING;
	in->place = PLACE_PIECES;
	in->user = true;
	in->offset = (uint16_t)*record;
	in->register_size = b->arch->word;
	in->pointer_size = address_size(b, f);
	in->size = (uint16_t)(b->arch->word + n * PIECE);
	*record += in->size;
	if (append_address(b, e, text))
		return -1;
	for (unsigned int i = 0; i < n; i++)
		if (be_fetch_text(b, f, index, i * STRIDE, text, sizeof(text)) ||
		    be_append_fetch(e, "", text, "u64"))
			return -1;
	return 0;
}

int be_row(struct builder *b, const struct fetch *f, const char *name)
{
	struct input *in;
	char text[160];

	if (address(b, f, 0, text, sizeof(text)))
		return -1;
	in = be_new_input(b->main, name);
	if (!in)
		return not_served(b->refusal, b->hook, "too many inputs");
	in->kind = INPUT_STRING;
	in->place = PLACE_ROW;
	in->user = true;
	in->offset = (uint16_t)b->record;
	in->register_size = b->arch->word;
	in->size = b->arch->word;
	b->record += b->arch->word;
	return append_address(b, b->main, text);
}

void be_row_ends(struct builder *b)
{
	struct input *row = NULL;

	for (unsigned int i = 0; i < b->main->layout->n_inputs; i++) {
		struct input *in = &b->main->layout->inputs[i];

		if (in->place == PLACE_ROW)
			row = in;
		else if (row && in->place == PLACE_RECORD &&
			 in->offset == row->offset + row->size) {
			row->pointer_size = (uint8_t)in->size;
			row->size += in->size;
		}
	}
}
