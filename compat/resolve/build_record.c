// SPDX-License-Identifier: GPL-2.0
/* Inputs of the rings: what of a record is a number, bytes or a text, and the parts of an event. */
#include "compat/resolve/build_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/resolve/argument.h"

/* Bytes of a name in a ring: an event must not become too large, whatever a program passes. */
#define NAME_BYTES 264

/* Names of fetch arguments are words: arg[3] becomes arg3. */
static void word_of(const char *name, char *word, size_t size)
{
	size_t n = 0;

	for (; *name && n + 1 < size; name++)
		if (isalnum((unsigned char)*name) || *name == '_')
			word[n++] = *name;
	word[n] = '\0';
}

/*
 * Bytes as numbers of up to 8 bytes. ftrace packs arguments without gaps, so the numbers are one
 * array.
 */
static int words_input(struct builder *b, const struct fetch *f, int index, unsigned int bytes,
		       struct input *in)
{
	char name[INPUT_NAME + 8], word[INPUT_NAME], text[160], type[16];

	word_of(in->name, word, sizeof(word));
	in->place = PLACE_RECORD;
	in->offset = (uint16_t)b->record;
	in->size = (uint16_t)bytes;
	if (bytes >= 16 && bytes % 8 == 0 && kernel_has(b->k, FEATURE_FETCH_ARRAY)) {
		snprintf(type, sizeof(type), "x64[%u]", bytes / 8);
		if (be_fetch_text(b, f, index, 0, text, sizeof(text)) ||
		    be_append_fetch(b->main, word, text, type))
			return -1;
	} else {
		unsigned int size;

		for (unsigned int at = 0; at < bytes; at += size) {
			size = bytes - at >= 8 ? 8 : bytes - at >= 4 ? 4 : bytes - at >= 2 ? 2 : 1;
			text_all(name, sizeof(name), at ? "%s_%u" : "%s", word, at);
			snprintf(type, sizeof(type), "u%u", size * 8);
			if (be_fetch_text(b, f, index, at, text, sizeof(text)) ||
			    be_append_fetch(b->main, name, text, type))
				return -1;
		}
	}
	b->record += bytes;
	return 0;
}

/*
 * Up to 6.1 (for functions of user space: before 4.13) the length is 0 for an empty text and for a
 * text that can't be read. But an empty text has its NUL behind the data_loc. The NUL shows only if
 * the data_loc ends where perf's records may end, 4 bytes beyond a multiple of 8. On 32-bit kernels
 * the data_loc would end 4 bytes before that, and the NUL would not make perf's record longer.
 */
static int pad_text(struct builder *b, struct event *e, unsigned int *record)
{
	char reg[16];

	if ((*record + 4) % 8 == 4 || b->arch->args[0].offset == 0xffff)
		return 0;
	*record += 4;
	text_cut(reg, sizeof(reg), "%%%s", b->arch->args[0].name);
	return be_append_fetch(e, "pad", reg, "u32");
}

/* `last`: the text is the last argument of its record. */
static int text_input(struct builder *b, const struct fetch *f, int index, struct event *e,
		      unsigned int *record, struct input *in, bool last)
{
	char word[INPUT_NAME], text[160];
	bool user = f->user && !b->place;

	if (user && !kernel_has(b->k, FEATURE_FETCH_USTRING)) {
		if (!b->arch->shared_addresses)
			return be_no_input(b, "needs fetch type ustring for", in->name);
		user = false;
	}
	if (!user && !kernel_has(b->k, FEATURE_FETCH_STRING))
		return be_no_input(b, "needs fetch type string for", in->name);
	if (last && pad_text(b, e, record))
		return -1;
	word_of(in->name, word, sizeof(word));
	in->place = PLACE_DATA_LOC;
	in->is_last = last;
	in->is_short = f->is_short;
	in->offset = (uint16_t)*record;
	in->size = 4;
	*record += 4;
	if (be_fetch_text(b, f, index, 0, text, sizeof(text)))
		return -1;
	return be_append_fetch(e, word, text, user ? "ustring" : "string");
}

struct event *be_new_part(struct builder *b)
{
	struct event *e = be_new_event();

	if (!e) {
		not_served(b->refusal, NULL, "out of memory");
		return NULL;
	}
	e->kind = b->main->kind;
	e->name = b->main->name;
	e->binary = b->main->binary;
	e->place = b->main->place;
	e->address = b->main->address;
	e->semaphore = b->main->semaphore;
	e->kernel_counts = b->main->kernel_counts;
	e->is_part = true;
	b->parts[b->n_parts++] = e;
	return e;
}

int be_text_part(struct builder *b, const struct fetch *f, int index, const char *name)
{
	unsigned int record = be_record_head(b, b->main->kind);
	struct event *e = be_new_part(b);
	struct input *in;

	if (!e)
		return -1;
	in = be_new_input(e, name);
	in->kind = INPUT_STRING;
	if (!text_input(b, f, index, e, &record, in, true))
		return 0;
	be_free_event(b->parts[--b->n_parts]);
	return -1;
}

int be_argument_input(struct builder *b, const struct fetch *f, const struct wanted_input *w,
		      int index, struct input *in)
{
	char word[INPUT_NAME], text[160], type[8];
	unsigned int extra = 0;

	in->kind = w->kind;
	in->user = f->user;
	if (f->type == TYPE_NAME)
		return words_input(b, f, index, NAME_BYTES, in);
	if (f->type == TYPE_BYTES)
		return words_input(b, f, index, f->size, in);
	if (f->type == TYPE_TEXT)
		return text_input(b, f, index, b->main, &b->record, in, b->text_last);
	word_of(in->name, word, sizeof(word));
	in->place = PLACE_RECORD;
	in->offset = (uint16_t)b->record;
	in->size = (uint16_t)be_number_size(b, f);
	in->is_signed = f->is_signed;
	in->network_order = f->network_order;
	b->record += in->size;
	snprintf(type, sizeof(type), "%c%u", f->is_signed ? 's' : 'u', in->size * 8U);
	/*
	 * In pt_regs an argument of a system call is a whole register. On big-endian machines its
	 * low half is the second half.
	 */
	if (f->base == FETCH_SYS && b->wrapped && !f->derefs && b->arch->big_endian)
		extra = b->arch->word - in->size;
	if (be_fetch_text(b, f, index, extra, text, sizeof(text)))
		return -1;
	return be_append_fetch(b->main, word, text, type);
}
