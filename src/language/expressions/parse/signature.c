// SPDX-License-Identifier: GPL-2.0
/* The signature of a function, which trace and argdist take behind a probe. */
#include <string.h>

#include "src/language/expressions/parse/parser.h"
#include "src/language/types/types.h"

static int parameter(struct parser *p, struct parameter *to)
{
	struct c_type *t = &to->type;
	int result;

	if (!parser_names_type(p))
		return source_error(&p->t->source, p->now.at, p->err, "this is no type that is "
				    "known here; a parameter is written as TYPE NAME");
	if (parser_type(p, t))
		return -1;
	if (p->now.kind != TOKEN_NAME)
		return source_error(&p->t->source, p->now.at, p->err,
				    "the parameter's name belongs here");
	if (p->now.length >= sizeof(to->name))
		return source_error(&p->t->source, p->now.at, p->err, "this name is too long");
	if (!c_number(t))
		return source_error(&p->t->source, p->now.at, p->err,
				    "only integers and pointers can be parameters here");
	memcpy(to->name, parser_text(p), p->now.length);
	to->name[p->now.length] = '\0';
	result = parser_step(p);
	if (!result && parser_is(p, '[')) {
		t->pointers++;
		result = parser_step(p) || parser_expect(p, ']') ? -1 : 0;
	}
	return result;
}

int parse_parameters(struct tree *t, size_t *at, unsigned int word, struct parameter *list,
		     struct error *err)
{
	struct parser p = { .t = t, .word = word, .err = err };
	int n = 0;

	if (parser_begin(&p, *at) || parser_expect(&p, '('))
		return -1;
	while (!parser_is(&p, ')')) {
		if (n && parser_expect(&p, ','))
			return -1;
		if (parser_is_word(&p, "void") && !n && t->source.text[p.now.at + 4] == ')') {
			if (parser_step(&p))
				return -1;
			break;
		}
		/* Further parameters have no names. */
		if (!strncmp(t->source.text + p.now.at, "...", 3)) {
			if (parser_step(&p) || parser_step(&p) || parser_step(&p))
				return -1;
			if (!parser_is(&p, ')'))
				return source_error(&t->source, p.now.at, err,
						    "the signature's ')' is missing here");
			break;
		}
		if (n == PARAMETERS_MOST)
			return source_error(&t->source, p.now.at, err,
					    "a signature has %d parameters at most",
					    PARAMETERS_MOST);
		if (parameter(&p, &list[n++]))
			return -1;
	}
	*at = p.now.at + 1;
	return n;
}
