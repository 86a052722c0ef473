// SPDX-License-Identifier: GPL-2.0
/* What is between probes: settings, declarations of maps, macros, functions. */
#include <ctype.h>
#include <string.h>

#include "compat/base/array.h"
#include "src/bt/bind/bind.h"
#include "src/bt/preamble/preamble.h"
#include "src/bt/text/text.h"

#define ENTRIES_MOST (1 << 24)

/* let @NAME = hash(NUMBER);  Maps here have one kind, so the function's name says nothing. */
static int map_declaration(struct parser *p)
{
	static const char *const kinds[] = { "hash", "lruhash", "percpuhash", "percpulruhash" };
	struct bt_map *m;
	struct node *keys = NULL;
	size_t i = 0;

	if (parser_step(p))
		return -1;
	if (p->now.kind != TOKEN_NAME || *parser_text(p) != '@')
		return NOT_HERE(p, "the name of a map belongs here: let @NAME = hash(ENTRIES);");
	if (syntax_map(p, &m, &keys) || parser_expect(p, '='))
		return -1;
	while (i < 4 && !parser_is_word(p, kinds[i]))
		i++;
	if (i == 4 || keys)
		return NOT_HERE(p, "a map is declared as let @NAME = hash(ENTRIES); also lruhash, "
				"percpuhash and percpulruhash");
	if (parser_step(p) || parser_expect(p, '('))
		return -1;
	if (p->now.kind != TOKEN_NUMBER || !p->now.value || p->now.value > ENTRIES_MOST)
		return NOT_HERE(p, "the largest number of entries belongs here");
	m->entries = (uint32_t)p->now.value;
	if (parser_step(p) || parser_expect(p, ')'))
		return -1;
	return parser_is(p, ';') ? parser_step(p) : 0;
}

int bt_macro_name(struct parser *p, char *to, bool parameter)
{
	const char first = *parser_text(p);

	if (p->now.kind != TOKEN_NAME || (!parameter && strchr("@$", first)))
		return NOT_HERE(p, parameter ? "a parameter is $NAME, @NAME or NAME" :
				"a macro is written as macro NAME(PARAMETER, ...) { ... }");
	if (p->now.length >= BT_NAME)
		return NOT_HERE(p, "a name has %d characters at most here", BT_NAME - 1);
	memcpy(to, parser_text(p), p->now.length);
	to[p->now.length] = '\0';
	return parser_step(p);
}

static int parameters(struct parser *p, struct bt_macro *m)
{
	if (parser_step(p))
		return -1;
	while (!parser_is(p, ')')) {
		if (m->n && parser_expect(p, ','))
			return -1;
		if (m->n == BT_PARAMETERS)
			return NOT_HERE(p, "a macro has %d parameters at most", BT_PARAMETERS);
		if (bt_macro_name(p, m->parameters[m->n++], true))
			return -1;
	}
	return parser_step(p);
}

int bt_macro_keep(struct parser *p, struct bt_macro *m, size_t begin)
{
	struct bt *b = bt_of(p->t);

	for (unsigned int i = 0; i < b->n_macros; i++)
		if (!strcmp(b->macros[i].name, m->name))
			return NOT_AT(p, begin, "there is a macro or fn %s already", m->name);
	if (!parser_is(p, '{'))
		return NOT_HERE(p, "'{' is missing here: the body of %s is between { and }",
				m->name);
	m->at = m->is_function ? m->at : p->now.at;
	if (syntax_to_closing(p, m->is_function ? "fn" : "macro"))
		return -1;
	m->end = p->now.at;
	if (array_room(&b->macros, b->n_macros, sizeof(*b->macros)))
		return fail(p->err, "out of memory");
	b->macros[b->n_macros++] = *m;
	return parser_step(p);
}

/* macro NAME(PARAMETER, ...) { BODY } */
static int macro(struct parser *p)
{
	const size_t begin = p->now.at;
	struct bt_macro m = { };

	return parser_step(p) || bt_macro_name(p, m.name, false) ||
	       (parser_is(p, '(') && parameters(p, &m)) || bt_macro_keep(p, &m, begin) ? -1 : 0;
}

static const struct item {
	const char *word;
	int (*read)(struct parser *p);
	bool stays;			/* in the text, which its calls read */
} items[] = {
	{ "config", bt_config, false }, { "let", map_declaration, false }, { "macro", macro, true },
	{ "fn", bt_function, true },
};
#define ITEMS (sizeof(items) / sizeof(items[0]))

/* The item that begins at p; NULL: a probe does. */
static const struct item *item_at(const char *p)
{
	for (size_t i = 0; i < ITEMS; i++) {
		const size_t n = strlen(items[i].word);

		if (!strncmp(p, items[i].word, n) &&
		    (isspace((unsigned char)p[n]) || p[n] == '=' || p[n] == '@'))
			return &items[i];
	}
	return NULL;
}

const char *bt_probe_end(const char *p)
{
	unsigned int depth = 0;

	while (*p) {
		if (*p == '"') {
			p = bt_text_end(p);
			continue;
		}
		depth += *p == '{';
		depth -= *p == '}' && depth;
		if (*p++ == '}' && !depth)
			break;
	}
	return p;
}

const char *bt_macro_end(const char *p)
{
	return item_at(p) ? bt_probe_end(p) : p;
}

int bt_items(struct bt *b, struct error *err)
{
	struct tree t = { .source = b->source };
	struct parser p = { .t = &t, .word = BT_WORD, .err = err };
	char *text = (char *)(uintptr_t)b->source.text;
	size_t at = strspn(text, BT_BLANKS);
	int result = 0;

	while (text[at] && !result) {
		const struct item *item = item_at(text + at);
		const size_t begin = at;

		if (!item) {
			at = (size_t)(bt_probe_end(text + at) - text);
		} else {
			result = parser_begin(&p, at) || item->read(&p);
			at = p.now.at;
			for (size_t i = begin; i < at && !result && !item->stays; i++)
				text[i] = text[i] == '\n' ? '\n' : ' ';
		}
		at += strspn(text + at, BT_BLANKS);
	}
	tree_free(&t);
	return result ? -1 : 0;
}
