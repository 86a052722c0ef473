// SPDX-License-Identifier: GPL-2.0
/*
 * fn NAME($PARAMETER : TYPE, ...) : TYPE { BODY }. Its value, which may be needed in the middle of
 * another one, is known where the body ends: so `return` is the last statement.
 */
#include <string.h>

#include "src/bt/bind/bind.h"
#include "src/bt/preamble/preamble.h"

#define FORM "a function is written as fn NAME($PARAMETER : TYPE, ...) : TYPE { ... }"

/* : TYPE, up to one of the letters `ends`. It gets a meaning at the calls. */
static int type(struct parser *p, const char *ends, bool *is_void)
{
	if (!parser_is(p, ':') || parser_step(p))
		return NOT_HERE(p, FORM);
	if (strchr(ends, *parser_text(p)))
		return NOT_HERE(p, "a type is missing here");
	*is_void = parser_is_word(p, "void");
	while (!parser_step(p)) {
		if (strchr(ends, *parser_text(p)))
			return 0;
		*is_void = false;
	}
	return -1;
}

static int parameters(struct parser *p, struct bt_macro *m)
{
	bool any;

	m->at = p->now.at;
	if (parser_expect(p, '('))
		return -1;
	while (!parser_is(p, ')')) {
		if (m->n && parser_expect(p, ','))
			return -1;
		if (m->n == BT_PARAMETERS)
			return NOT_HERE(p, "a function has %d parameters at most", BT_PARAMETERS);
		if (*parser_text(p) != '$')
			return NOT_HERE(p, FORM);
		if (bt_macro_name(p, m->parameters[m->n++], true) || type(p, ",)", &any))
			return -1;
	}
	return parser_step(p);
}

/* Looks for `return` from the token on, to the end of the body. */
static int check_return(struct parser *p, size_t end, bool is_void)
{
	unsigned int depth = 0;
	bool has_value;
	size_t at;

	while (p->now.at < end && !parser_is_word(p, "return"))
		if (parser_step(p))
			return -1;
	at = p->now.at;
	if (at == end)
		return is_void ? 0 : NOT_AT(p, end, "`return VALUE;` is missing here");
	if (parser_step(p))
		return -1;
	has_value = p->now.at < end && !parser_is(p, ';');
	while (p->now.at < end && (depth || !parser_is(p, ';'))) {
		depth += parser_is(p, '{');
		depth -= parser_is(p, '}');
		if (parser_step(p))
			return -1;
	}
	if (parser_is(p, ';') && parser_step(p))
		return -1;
	if (p->now.at < end)
		return NOT_AT(p, at, "return is the last statement of a function here: give a "
			      "variable its value before, as in $r = 1; if (...) { $r = 2; } "
			      "return $r;");
	if (is_void == has_value)
		return NOT_AT(p, at, is_void ? "a function that is void returns no value" :
			      "a value is missing here");
	return 0;
}

int bt_function(struct parser *p)
{
	const size_t begin = p->now.at;
	struct bt_macro m = { .is_function = true };
	struct parser body;
	bool is_void;

	if (parser_step(p) || bt_macro_name(p, m.name, false) || parameters(p, &m) ||
	    type(p, "{", &is_void))
		return -1;
	body = *p;
	return bt_macro_keep(p, &m, begin) || check_return(&body, m.end, is_void) ? -1 : 0;
}
