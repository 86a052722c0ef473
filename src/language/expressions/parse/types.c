// SPDX-License-Identifier: GPL-2.0
/* Types, as C writes them. */
#include <string.h>

#include "src/language/expressions/parse/parser.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"

#define TYPE_WORDS 6

/* The token stands for a type. */
static bool is_read(const struct parser *p)
{
	return p->now.kind == TOKEN_TREE && p->now.tree->kind == NODE_TYPE;
}

static bool is_of_language(const struct parser *p)
{
	const struct language *l = p->t->source.language;

	return l && l->type_word && parser_is_word(p, l->type_word);
}

bool parser_begins_type(const struct parser *p)
{
	struct c_type type;

	return is_read(p) || (p->now.kind == TOKEN_NAME &&
	       (is_of_language(p) || c_type_word(parser_text(p), p->now.length) ||
		types_declared(p->t->types, parser_text(p), p->now.length, &type)));
}

bool parser_names_type(const struct parser *p)
{
	struct c_type type;

	return parser_begins_type(p) ||
	       (p->now.kind == TOKEN_NAME &&
		types_typedef(p->t->types, parser_text(p), p->now.length, &type));
}

/* Returns true also for the name in "(name *)" and "(name **": no product looks like this. */
bool parser_begins_cast(const struct parser *p)
{
	struct token star, behind;

	if (parser_begins_type(p))
		return true;
	if (p->now.kind != TOKEN_NAME ||
	    token_next(&p->t->source, p->now.behind, &star, NULL) ||
	    star.kind != TOKEN_OPERATOR || star.op != '*' ||
	    token_next(&p->t->source, star.at + 1, &behind, NULL) ||
	    behind.kind != TOKEN_OPERATOR || (behind.op != ')' && behind.op != '*'))
		return false;
	return parser_names_type(p);
}

/* The stars of a type, and the words that may be among them. */
static int pointers(struct parser *p, struct c_type *type)
{
	for (;;) {
		if (parser_is(p, '*')) {
			if (type->pointers > 3)
				return source_error(&p->t->source, p->now.at, p->err,
						    "that are too many pointers");
			*type = c_pointer(type);
		} else if (parser_is_word(p, "__user")) {
			type->user = true;
		} else if (!parser_is_word(p, "const") && !parser_is_word(p, "volatile") &&
			   !parser_is_word(p, "restrict")) {
			return 0;
		}
		if (parser_step(p))
			return -1;
	}
}

/* enum NAME */
static bool tag_of_enum(const char *const *names, const size_t *lengths, unsigned int n)
{
	return n == 2 && lengths[0] == 4 && !memcmp(names[0], "enum", 4);
}

/* The words of a type. The word behind struct, union or enum may be any name. */
int parser_type(struct parser *p, struct c_type *type)
{
	const char *names[TYPE_WORDS];
	size_t lengths[TYPE_WORDS], at = p->now.at;
	unsigned int n = 0;
	bool tag = false;

	while (parser_is_word(p, "const") || parser_is_word(p, "volatile"))
		if (parser_step(p))
			return -1;
	at = p->now.at;
	if (is_read(p)) {
		*type = p->now.tree->type;
		return parser_step(p) ? -1 : pointers(p, type);
	}
	if (is_of_language(p))
		return p->t->source.language->type(p, type) ? -1 : pointers(p, type);
	/* Types that files declare (-I) come before the types that are always known. */
	if (p->now.kind == TOKEN_NAME &&
	    (types_declared(p->t->types, parser_text(p), p->now.length, type) ||
	     (!parser_begins_type(p) &&
	      types_typedef(p->t->types, parser_text(p), p->now.length, type)))) {
		if (parser_step(p))
			return -1;
		return pointers(p, type);
	}
	while (n < TYPE_WORDS && p->now.kind == TOKEN_NAME && (tag || parser_begins_type(p))) {
		tag = !tag && (parser_is_word(p, "struct") || parser_is_word(p, "union") ||
			       parser_is_word(p, "enum"));
		names[n] = parser_text(p);
		lengths[n++] = p->now.length;
		if (parser_step(p))
			return -1;
	}
	if (!c_type_named(names, lengths, n, p->word, type))
		return source_error(&p->t->source, at, p->err, "these words are no type of C that "
				    "is known here");
	if (tag_of_enum(names, lengths, n))
		types_enum(p->t->types, names[1], lengths[1], type);
	return pointers(p, type);
}

int parse_type(struct tree *t, size_t *at, unsigned int word, struct c_type *type,
	       struct error *err)
{
	struct parser p = { .t = t, .word = word, .err = err };

	if (parser_begin(&p, *at) || parser_type(&p, type))
		return -1;
	*at = p.now.at;
	return 0;
}
