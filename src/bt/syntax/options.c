// SPDX-License-Identifier: GPL-2.0
/* getopt(): options of the script, among the arguments, become literals. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "src/bt/syntax/syntax.h"
#include "src/language/types/types.h"

#define FORM "an option is read as getopt(\"NAME\", DEFAULT, \"DESCRIPTION\"); the default is " \
	"true, false, a number or a string in quotes"

/* The value of the argument --NAME=VALUE or --NAME, then ""; NULL: there is none. */
static const char *option(struct bt *b, const char *name)
{
	const size_t n = strlen(name);
	const char *found = NULL;

	for (unsigned int i = 0; i < b->n_options; i++) {
		const char *at = b->arguments[b->n_arguments + i];

		if (strncmp(at + 2, name, n) || (at[n + 2] && at[n + 2] != '='))
			continue;
		b->known_options |= 1ULL << (i % 64);
		found = at + n + 2 + (at[n + 2] == '=');
	}
	return found;
}

static bool is_number(const char *s)
{
	char *end;

	strtoll(s, &end, 0);
	return (isdigit((unsigned char)*s) || *s == '-') && !*end;
}

/* In upper or lower case. */
static bool is_truth(const char *value, const char *word)
{
	while (*word && tolower((unsigned char)*value) == *word) {
		value++;
		word++;
	}
	return !*value && !*word;
}

static struct node *number(struct parser *p, size_t at, uint64_t value, struct c_type type)
{
	struct node *n = parser_node(p, NODE_NUMBER, at);

	if (n) {
		n->value = value;
		n->type = type;
	}
	return n;
}

static struct node *wrong(struct parser *p, const char *name, const char *what, const char *value)
{
	fail(p->err, "ERROR: program command line option --%s %s (value: %.40s)", name, what,
	     value);
	return NULL;
}

/* The value of an option that is true or false. */
static struct node *flag_value(struct parser *p, size_t at, const char *name, bool missing)
{
	const char *value = option(p->t->source.front, name);

	if (value && *value && !is_truth(value, "true") && !is_truth(value, "false"))
		return wrong(p, name, "is true or false", value);
	return number(p, at, value ? !is_truth(value, "false") : missing, c_bool());
}

/* The value of another one. */
static struct node *other_value(struct parser *p, size_t at, const char *name,
				struct node *missing)
{
	const char *value = option(p->t->source.front, name);

	if (!value)
		return missing;
	if (missing->kind == NODE_TEXT)
		return syntax_literal(p, at, value);
	return is_number(value) ?
	       number(p, at, strtoull(value, NULL, 0), c_integer(8, true)) :
	       wrong(p, name, "invalid integer", value);
}

/* Reads a text in quotes. NULL: there is none. */
static const char *text(struct parser *p)
{
	const struct node *n = p->now.kind == TOKEN_TEXT ? parser_literal(p) : NULL;

	return n ? n->text : NULL;
}

struct node *syntax_option(struct parser *p)
{
	struct bt *b = p->t->source.front;
	const size_t at = p->now.at;
	const char *name = parser_step(p) || parser_expect(p, '(') ? NULL : text(p), *about = NULL;
	bool good = name, is_flag = true, is = false;
	struct node *missing = NULL;

	if (good && parser_is(p, ',')) {
		good = !parser_step(p);
		is = parser_is_word(p, "true");
		is_flag = is || parser_is_word(p, "false");
		missing = good ? parser_operand(p) : NULL;
		good = missing;
	}
	if (good && parser_is(p, ','))
		good = !parser_step(p) && (about = text(p)) != NULL;
	if (!good || parser_expect(p, ')')) {
		NOT_AT(p, at, FORM);
		return NULL;
	}
	lines_add(&b->options, "--%s%s%s", name, about && *about ? ": " : "", about ? about : "");
	return is_flag ? flag_value(p, at, name, is) : other_value(p, at, name, missing);
}

/* The script's options in lines of their own, or behind each other without what they mean. */
static int tell_options(const struct lines *l, const char *unknown, struct error *err)
{
	const bool lines = !unknown;
	char list[1024];
	struct strbuf all = strbuf_over(list, sizeof(list));

	for (unsigned int i = 0; i < l->n; i++)
		strbuf_addf(&all, "%s%.*s", lines ? "\n" : i ? ", " : " ", lines ? 200 :
			    (int)strcspn(l->list[i], ":"), l->list[i]);
	return lines ? fail(err, "HINT: expected program options:%s", list) :
	       fail(err, "ERROR: unexpected program command line options: %s\n"
		    "HINT: expected program options:%s", unknown, list);
}

int syntax_unknown_option(const struct bt *b, struct error *err)
{
	char *const *options = b->arguments + b->n_arguments;

	for (unsigned int i = 0; b->options.n && i < b->n_options; i++)
		if (!(b->known_options >> (i % 64) & 1))
			return tell_options(&b->options, strcmp(options[i], "--help") ? options[i] :
					    NULL, err);
	return 0;
}
