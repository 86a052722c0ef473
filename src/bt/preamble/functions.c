// SPDX-License-Identifier: GPL-2.0
/*
 * fn NAME($PARAMETER : TYPE, ...) : TYPE { BODY }. It is written instead of its calls, as a macro
 * is, but its parameters are variables, and its value is behind `return`. BPF programs of old
 * kernels can't call functions, and one whose value is needed in the middle can't be left there: so
 * `return` is the last statement.
 */
#include <string.h>

#include "src/bt/bind/bind.h"
#include "src/bt/preamble/expand.h"
#include "src/bt/preamble/preamble.h"
#include "src/bt/text/text.h"

#define FORM "a function is written as fn NAME($PARAMETER : TYPE, ...) : TYPE { ... }"

/* : TYPE, up to one of the letters `ends`. */
static int type(struct parser *p, struct bt_part *type, const char *ends)
{
	if (!parser_is(p, ':') || parser_step(p))
		return NOT_HERE(p, FORM);
	type->at = type->end = p->now.at;
	while (p->now.kind != TOKEN_END && !strchr(ends, *parser_text(p))) {
		type->end = p->now.at + p->now.length;
		if (parser_step(p))
			return -1;
	}
	return type->end > type->at ? 0 : NOT_HERE(p, "a type is missing here");
}

static int parameters(struct parser *p, struct bt_macro *m)
{
	while (!parser_is(p, ')')) {
		if (m->n && parser_expect(p, ','))
			return -1;
		if (m->n == BT_PARAMETERS)
			return NOT_HERE(p, "a function has %d parameters at most", BT_PARAMETERS);
		if (*parser_text(p) != '$')
			return NOT_HERE(p, FORM);
		if (bt_macro_name(p, m->parameters[m->n], true) || type(p, &m->types[m->n], ",)"))
			return -1;
		m->n++;
	}
	return parser_step(p);
}

/* The first `return` of the text; its end: there is none. */
static const char *find_return(struct range text)
{
	const char *p = text.at;

	while (p < text.end) {
		const char *end = p + 1;

		if (*p == '"') {
			end = bt_text_end(p);
		} else if (bt_is_letter(*p) || strchr("$@", *p)) {
			end = range_name_end(p);
			if (range_is(p, end, "return"))
				return p;
		}
		p = end;
	}
	return text.end;
}

static int find_value(struct parser *p, struct bt_macro *m)
{
	const char *text = p->t->source.text;
	const struct range body = { text + m->at, text + m->end };
	const char *at = find_return(body), *end;
	const bool is_void = range_is(text + m->type.at, text + m->type.end, "void");
	struct range value;

	if (at == body.end)
		return is_void ? 0 : NOT_AT(p, m->end, "`return VALUE;` is missing here");
	value.at = at + strlen("return");
	value.end = end = range_find((struct range){ value.at, body.end }, ";");
	value = range_trimmed(value);
	if (end < body.end && range_blanks(end + 1, body.end) < body.end)
		return NOT_AT(p, (size_t)(at - text), "return is the last statement of a function "
			      "here: give a variable its value before, as in $r = 1; if (...) { "
			      "$r = 2; } return $r;");
	if (is_void != (value.at == value.end))
		return NOT_AT(p, (size_t)(at - text), is_void ? "a function that is void returns "
			      "no value" : "a value is missing here");
	m->end = (size_t)(at - text);
	m->value = (struct bt_part){ (size_t)(value.at - text), (size_t)(value.end - text) };
	return 0;
}

int bt_function(struct parser *p)
{
	struct bt_macro m = { .begin = p->now.at, .is_function = true };

	return parser_step(p) || bt_macro_name(p, m.name, false) || parser_expect(p, '(') ||
	       parameters(p, &m) || type(p, &m.type, "{") || bt_macro_body(p, &m) ||
	       find_value(p, &m) || bt_macro_keep(p, &m) ? -1 : 0;
}
