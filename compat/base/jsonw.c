// SPDX-License-Identifier: GPL-2.0
#include "compat/base/jsonw.h"

#include <inttypes.h>
#include <string.h>

#include "compat/base/escape.h"

void jsonw_key(struct jsonw *w, const char *name, size_t n)
{
	if (w->behind && (name || !w->named))
		fputs(w->spaced ? ", " : ",", w->to);
	w->behind = true;
	w->named = name != NULL;
	if (!name)
		return;
	escape_json(w->to, name, n);
	fputs(w->spaced ? ": " : ":", w->to);
}

void jsonw_name(struct jsonw *w, const char *name)
{
	jsonw_key(w, name, name ? strlen(name) : 0);
}

void jsonw_open(struct jsonw *w, const char *name, char bracket)
{
	jsonw_name(w, name);
	fputc(bracket, w->to);
	w->behind = w->named = false;
}

void jsonw_close(struct jsonw *w, char bracket)
{
	fputc(bracket, w->to);
	w->behind = true;
	w->named = false;
}

void jsonw_end(struct jsonw *w)
{
	fputs("}\n", w->to);
	w->behind = w->named = false;
}

void jsonw_bytes(struct jsonw *w, const char *name, const char *s, size_t n)
{
	jsonw_name(w, name);
	if (s)
		escape_json(w->to, s, n);
	else
		fputs("null", w->to);
}

void jsonw_text(struct jsonw *w, const char *name, const char *s)
{
	jsonw_bytes(w, name, s, s ? strlen(s) : 0);
}

void jsonw_words(struct jsonw *w, const char *name, const char *s)
{
	jsonw_text(w, name, s && *s ? s : NULL);
}

void jsonw_integer(struct jsonw *w, const char *name, int64_t number)
{
	jsonw_name(w, name);
	fprintf(w->to, "%" PRId64, number);
}

void jsonw_unsigned(struct jsonw *w, const char *name, uint64_t number)
{
	jsonw_name(w, name);
	fprintf(w->to, "%" PRIu64, number);
}

void jsonw_bool(struct jsonw *w, const char *name, bool value)
{
	jsonw_name(w, name);
	fputs(value ? "true" : "false", w->to);
}
