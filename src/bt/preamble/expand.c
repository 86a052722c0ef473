// SPDX-License-Identifier: GPL-2.0
/*
 * Macros of C's that are no numbers become the text that they are for. Each piece of the new text
 * knows where it is from.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "src/bt/preamble/preamble.h"
#include "src/bt/text/text.h"
#include "src/language/types/members.h"

#define NESTED 16			/* macros in macros */

/* Writes the script anew. */
struct writer {
	struct bt *b;
	struct source source;		/* for messages: places are those of the script */
	char *to;			/* BT_SCRIPT_MOST letters */
	size_t n;
	const char *fixed;		/* what is written is of this place; NULL: of its own */
	struct error *err;
};

/* Sets err to a message about the place P of the script. Returns -1. */
#define AT(W, P, ...) \
	source_error(&(W)->source, (size_t)((P) - (W)->source.text), (W)->err, __VA_ARGS__)

static int expand(struct writer *w, const char *p, const char *end, unsigned int depth);

/* Writes what is between the two. */
static int put(struct writer *w, const char *p, const char *end)
{
	struct bt *b = w->b;
	const size_t n = (size_t)(end - p);
	const struct bt_piece *last = b->n_pieces ? &b->pieces[b->n_pieces - 1] : NULL;
	const struct bt_piece new = {
		.at = w->n, .from = (size_t)((w->fixed ? w->fixed : p) - w->source.text),
		.fixed = w->fixed != NULL,
	};
	const bool same = last && last->fixed == new.fixed &&
			  last->from + (new.fixed ? 0 : new.at - last->at) == new.from;

	if (n > BT_SCRIPT_MOST - w->n)
		return fail(w->err, "ERROR: with its macros the script has more than %d characters",
			    BT_SCRIPT_MOST);
	if (!same) {
		if (array_room(&b->pieces, b->n_pieces, sizeof(*b->pieces)))
			return fail(w->err, "out of memory");
		b->pieces[b->n_pieces++] = new;
	}
	memcpy(w->to + w->n, p, n);
	w->n += n;
	return 0;
}

/* A name: a macro that is no number, or any other. */
static int name(struct writer *w, const char *p, const char *end, unsigned int depth)
{
	const char *const before = w->fixed, *const at = before ? before : p;
	const char *text, *text_end;
	const int found = bt_is_member(w->to, w->n) ? 0 :
			  types_macro(w->b->script.types, p, (size_t)(end - p), &text, &text_end);
	int result;

	if (found < 0)
		return AT(w, at, "%.*s is a macro of C's with arguments: write it as `macro "
			  "NAME(argument) { VALUE }`", (int)(end - p), p);
	if (!found)
		return put(w, p, end);
	if (depth == NESTED)
		return AT(w, at, "macros are nested too deeply");
	w->fixed = at;
	result = expand(w, text, text_end, depth + 1);
	w->fixed = before;
	return result;
}

static int expand(struct writer *w, const char *p, const char *end, unsigned int depth)
{
	int result = 0;

	while (p < end && !result) {
		const char *begin = p;
		const bool named = isalpha((unsigned char)*p) || strchr("_@$", *p);

		if (*p == '"')
			p = bt_text_end(p);
		else if (isalnum((unsigned char)*p++) || named)
			while (bt_is_letter(*p))
				p++;
		result = named ? name(w, begin, p, depth) : put(w, begin, p);
	}
	return result;
}

/* The slash that ends the predicate at p. */
static const char *predicate_end(const char *p)
{
	for (p++; *p; p = *p == '"' ? bt_text_end(p) : p + 1)
		if (*p == '/' && p[1 + strspn(p + 1, BT_BLANKS)] == '{')
			break;
	return *p ? p + 1 : p;
}

/* Names of probes stay. */
static int expand_script(struct writer *w)
{
	const char *p = w->source.text, *end;
	int result = 0;

	for (; *p && !result; p = end) {
		const size_t n = bt_probe_length(p);

		if (*p == '{' || *p == '/') {
			end = *p == '/' ? predicate_end(p) : bt_probe_end(p);
			result = expand(w, p, end, 0);
		} else {
			end = p + (n ? n : 1);
			result = put(w, p, end);
		}
	}
	return result;
}

int bt_expand(struct bt *b, struct error *err)
{
	struct writer w = { .b = b, .source = b->source, .err = err };
	int result;

	if (!b->declarations.text)
		return 0;
	w.source.front = NULL;
	w.to = script_keep(&b->script, calloc(1, BT_SCRIPT_MOST + 1));
	if (!w.to)
		return fail(err, "out of memory");
	result = expand_script(&w);
	b->source.text = w.to;
	return result;
}
