// SPDX-License-Identifier: GPL-2.0
/* Reading values that begin in bpftrace's way. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "src/bt/builtins.h"
#include "src/bt/show/brackets.h"
#include "src/bt/syntax/syntax.h"
#include "src/bt/text/text.h"
#include "src/language/types/types.h"

struct node *syntax_value(struct parser *p, enum syntax_value what, size_t at)
{
	struct node *n = parser_node(p, NODE_OWN, at);

	if (n)
		n->op = (uint8_t)what;
	return n;
}

/* ---- parameters ---- */

/* Returns true if the token, or the macro's parameter for which it is, is the argument of str(). */
static bool within_str(const struct parser *p)
{
	const char *text = p->t->source.text, *at = text + p->now.behind;

	while (at > text && (bt_is_letter(at[-1]) || at[-1] == '$'))
		at--;
	while (at > text && isspace((unsigned char)at[-1]))
		at--;
	return at - text >= 4 && !memcmp(at - 4, "str(", 4);
}

struct node *syntax_literal(struct parser *p, size_t at, const char *text)
{
	struct node *n = parser_node(p, NODE_TEXT, at);

	if (!n)
		return NULL;
	if (strlen(text) > UINT8_MAX)
		return parser_wrong(p, "a string has 255 characters at most");
	n->text = strdup(text);
	if (!n->text) {
		fail(p->err, "out of memory");
		return NULL;
	}
	n->length = (uint16_t)strlen(text);
	n->type.base = C_TEXT;
	return n;
}

/*
 * $1, $2 ...: a number if it is one, else a text, with str() always; without an argument 0 or "".
 * $#: how many.
 */
static struct node *parameter(struct parser *p)
{
	const struct bt *b = p->t->source.front;
	const char *name = parser_text(p), *text;
	const bool count = name[1] == '#';
	const unsigned long i = count ? 0 : strtoul(name + 1, NULL, 10);
	struct node *n;
	uint64_t value;
	char *end = NULL;

	text = i && i <= b->n_arguments ? b->arguments[i - 1] : NULL;
	errno = 0;
	value = count ? b->n_arguments : text ? strtoull(text, &end, 0) : 0;
	if (!count && (within_str(p) || (text && (*end || errno)))) {
		n = syntax_literal(p, p->now.at, text ? text : "");
		return n && !parser_step(p) ? n : NULL;
	}
	n = parser_node(p, NODE_NUMBER, p->now.at);
	if (!n)
		return NULL;
	n->value = value;
	n->length = (uint16_t)p->now.length;
	n->type = c_integer(8, (int64_t)n->value >= 0 || (text && *text == '-'));
	return parser_step(p) ? NULL : n;
}

/* ---- statements within values ---- */

struct node *syntax_with_statements(struct parser *p, size_t at, enum syntax_value what,
				    struct syntax *list)
{
	struct node *n = syntax_value(p, what, at);

	if (n)
		n->own = list;
	return n;
}

/* A value whose statements `read` reads. */
static struct node *read_value(struct parser *p, enum syntax_value what,
			       int (*read)(struct parser *p, struct syntax **to))
{
	const size_t at = p->now.at;
	struct syntax *list = NULL;

	return read(p, &list) ? NULL : syntax_with_statements(p, at, what, list);
}

/* The token is the name of a variable or map: is ++ or -- behind it? */
static bool is_stepped(const struct parser *p)
{
	struct parser q;

	return syntax_behind_name(p, &q) && syntax_is_step(&q);
}

/* What the statement `$x++` or `@x++` steps. */
static struct node *stepped(struct parser *p, const struct syntax *s)
{
	return s->kind == SYNTAX_SET ? tree_copy(p->t, s->set.value->a) :
	       syntax_map_value(p, s->at, VALUE_MAP, s->store.map, s->store.keys);
}

/* OPERAND - 1 of OPERAND++, which has stepped already. */
static struct node *before_step(struct parser *p, struct node *read, bool up)
{
	return syntax_operation(p, read->at, up ? '-' : '+', read, syntax_one(p, read->at));
}

/* $x++ steps as a statement does, and then the value is that of $x, or of what it was before. */
static struct node *step(struct parser *p)
{
	const bool behind = !syntax_is_step(p);
	struct syntax *s = NULL;
	struct node *n, *read;

	if (syntax_simple(p, &s))
		return NULL;
	n = syntax_with_statements(p, s->at, VALUE_STEP, s);
	read = n ? stepped(p, s) : NULL;
	if (read && behind)
		read = before_step(p, read, (s->kind == SYNTAX_SET ? s->set.value->op :
					     s->store.op) == '+');
	if (!read) {
		fail(p->err, "out of memory");
		return NULL;
	}
	n->a = read;
	return n;
}

/* ---- tuples ---- */

/* Returns true if (NAME=VALUE is at the token. */
static bool is_record(const struct parser *p)
{
	const struct source *s = &p->t->source;
	struct token name, equals;

	return !token_next(s, p->now.at + 1, &name, NULL) && name.kind == TOKEN_NAME &&
	       !strchr("$@", s->text[name.at]) &&
	       !token_next(s, name.behind, &equals, NULL) &&
	       equals.kind == TOKEN_OPERATOR && equals.op == '=';
}

/* Reads NAME= of a record. */
static int part_name(struct parser *p, const struct node *record, const char **name)
{
	if (p->now.kind != TOKEN_NAME || strchr("$@", *parser_text(p)))
		return NOT_HERE(p, "all values of a record have names: (a=1, b=2)");
	if (bt_keep_name(p->t->source.front, name, parser_text(p), p->now.length, p->err))
		return -1;
	for (const struct node *other = record->b; other; other = other->b)
		if (syntax_part_name(other) == *name)
			return NOT_HERE(p, "this record has a %s already", *name);
	if (parser_step(p))
		return -1;
	return parser_is(p, '=') ? parser_step(p) :
	       NOT_HERE(p, "all values of a record have names: (a=1, b=2)");
}

/* (VALUE, VALUE ...) or (NAME=VALUE ...); (VALUE) is the value. */
static struct node *brackets(struct parser *p)
{
	const bool record = is_record(p);
	struct node *n = syntax_value(p, VALUE_TUPLE, p->now.at), **to;
	bool tuple = record;

	if (!n)
		return NULL;
	to = &n->b;
	do {
		const char *name = NULL;
		struct node *key;

		if (parser_step(p))
			return NULL;
		if (parser_is(p, ')') && n->b)
			break;
		if (record && part_name(p, n, &name))
			return NULL;
		key = syntax_key(p, &to);
		if (!key)
			return NULL;
		key->own = (void *)(uintptr_t)name;
		tuple |= parser_is(p, ',');
	} while (parser_is(p, ','));
	if (parser_expect(p, ')'))
		return NULL;
	return tuple ? n : n->b->a;
}

/* .N behind a value, as often as it is there. */
struct node *syntax_parts(struct parser *p, struct node *n)
{
	while (n && parser_is(p, '.') && isdigit((unsigned char)parser_text(p)[1])) {
		struct node *outer = syntax_value(p, VALUE_PART, p->now.at);
		char *end;

		if (!outer)
			return NULL;
		outer->a = n;
		outer->value = strtoul(parser_text(p) + 1, &end, 10);
		if (parser_begin(p, (size_t)(end - p->t->source.text)))
			return NULL;
		n = outer;
	}
	return n;
}

/* ---- types ---- */

/* typeof(VALUE) or typeof(TYPE); the token is its name. */
int syntax_typeof(struct parser *p, struct c_type *type)
{
	if (parser_step(p) || parser_expect(p, '('))
		return -1;
	if (parser_names_type(p))
		return parser_type(p, type) || parser_expect(p, ')') ? -1 : 0;
	*type = (struct c_type){ .base = C_TYPEOF, .of = parser_expression(p) };
	return type->of ? parser_expect(p, ')') : -1;
}

/* ---- names ---- */

int syntax_argument_number(const char *name, size_t length)
{
	if (length < 4 || length > 5 || memcmp(name, "arg", 3))
		return -1;
	for (size_t i = 3; i < length; i++)
		if (!isdigit((unsigned char)name[i]))
			return -1;
	return length == 4 ? name[3] - '0' : 10 * (name[3] - '0') + name[4] - '0';
}

int syntax_call_row(const struct parser *p)
{
	const struct bt_call_row *rows = syntax_builtins(p->t)->calls;

	return p->now.kind == TOKEN_NAME && syntax_has_bracket(p) ?
	       syntax_row(p, rows, sizeof(*rows)) : -1;
}

static bool is_builtin(const struct parser *p)
{
	const struct bt_name_row *rows = syntax_builtins(p->t)->names;

	return syntax_row(p, rows, sizeof(*rows)) >= 0 || parser_is_word(p, "retval") ||
	       syntax_argument_number(parser_text(p), p->now.length) >= 0;
}

/* The token is between the brackets of a name. n->op becomes the row's number plus 1. */
static int word_of_name(struct parser *p, struct node *n)
{
	const struct bt_word_row *words = syntax_builtins(p->t)->words;
	const char *name = p->t->source.text + n->at;
	char list[80];
	struct strbuf all = strbuf_over(list, sizeof(list));

	for (size_t i = 0; words[i].name; i++) {
		if (strlen(words[i].name) != n->length || memcmp(words[i].name, name, n->length))
			continue;
		if (parser_is_word(p, words[i].word)) {
			n->op = (uint8_t)(i + 1);
			return parser_step(p);
		}
		strbuf_between(&all, ", ");
		strbuf_addf(&all, "%s", words[i].word);
	}
	return *list ? NOT_HERE(p, "%.*s() takes one of these words: %s", n->length, name, list) :
	       NOT_HERE(p, "%.*s() takes no arguments here", n->length, name);
}

bool syntax_has_bracket(const struct parser *p)
{
	const char *behind = p->t->source.text + p->now.behind;

	return behind[strspn(behind, BT_BLANKS)] == '(';
}

/* pid(), which is pid. The token is the name. */
static struct node *name_with_brackets(struct parser *p)
{
	struct node *n = parser_node(p, NODE_NAME, p->now.at);

	if (!n)
		return NULL;
	n->length = (uint16_t)p->now.length;
	if (parser_step(p) || parser_expect(p, '(') ||
	    (!parser_is(p, ')') && word_of_name(p, n)))
		return NULL;
	return parser_expect(p, ')') ? NULL : n;
}

/* bpftrace's functions of values that this language has not yet, and what does instead. */
static const struct {
	const char *name, *instead;
} missing[] = {
	{ "skboutput", "tcpdump writes packets into files" },
	{ "config", "write the value of the setting" },
	{ "kfunc_exist", "a probe that is not there is left out" },
	{ "kfunc_allowed", "sonde calls no functions of the kernel" },
	{ "dw_ustack", "ustack with --unwind dwarf finds callers" },
	{ "socket_cookie", "the address of the socket tells sockets apart" },
};

/* The token is a name with a bracket behind it. */
static struct node *call(struct parser *p, bool *own)
{
	*own = true;
	if (is_builtin(p))
		return name_with_brackets(p);
	if (syntax_call_row(p) >= 0)
		return read_value(p, VALUE_CALL, syntax_call);
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (parser_is_word(p, missing[i].name)) {
			NOT_HERE(p, "%s() is not in sonde's language yet: %s", missing[i].name,
				 missing[i].instead);
			return NULL;
		}
	*own = false;
	return NULL;
}

bool syntax_is_function(const struct parser *p)
{
	static const char *const others[] = { "has_key", "len", "delete", "if", "getopt" };

	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (parser_is_word(p, missing[i].name))
			return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (parser_is_word(p, others[i]) && syntax_call_row(p) < 0)
			return true;
	for (const struct function *const *family = p->t->functions; *family; family++)
		if (syntax_row(p, *family, sizeof(**family)) >= 0)
			return true;
	return is_builtin(p) || syntax_macro(p);
}

/* The token is a name. */
static struct node *named(struct parser *p, bool *own)
{
	const char *text = parser_text(p);
	struct node *n;

	if (syntax_macro(p))
		return syntax_macro_value(p);
	if (strchr("@$", *text) && is_stepped(p))
		return step(p);
	if (*text == '@')
		return syntax_map_read(p);
	if (*text == '$' && (isdigit((unsigned char)text[1]) || text[1] == '#'))
		return parameter(p);
	if (parser_is_word(p, "if"))
		return read_value(p, VALUE_IF, syntax_if);
	if (parser_is_word(p, "getopt") && syntax_has_bracket(p))
		return syntax_option(p);
	if (parser_is_word(p, "kstack") || parser_is_word(p, "ustack"))
		return syntax_stack(p);
	n = syntax_map_function(p, own);
	return *own || !syntax_has_bracket(p) ? n : call(p, own);
}

struct node *syntax_primary(struct parser *p, bool *own)
{
	*own = true;
	if (p->now.kind == TOKEN_NAME)
		return named(p, own);
	if (p->now.kind == TOKEN_TREE)
		return syntax_argument(p);
	if (syntax_is_step(p))
		return step(p);
	if (parser_is(p, '{'))
		return read_value(p, VALUE_BLOCK, syntax_block);
	if (parser_is(p, '('))
		return brackets(p);
	*own = false;
	/* All literals have 64 bits. */
	if (p->now.kind == TOKEN_NUMBER && p->now.longs < 2)
		p->now.longs = 2;
	return NULL;
}
