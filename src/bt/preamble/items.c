// SPDX-License-Identifier: GPL-2.0
/* What is between probes: settings and declarations of maps. */
#include <ctype.h>
#include <string.h>

#include "src/bt/parse.h"
#include "src/bt/preamble/preamble.h"
#include "src/bt/text.h"

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
	if (bt_map(p, &m, &keys) || parser_expect(p, '='))
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

static const struct item {
	const char *word;
	int (*read)(struct parser *p);
} items[] = {
	{ "config", bt_config }, { "let", map_declaration },
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

/* Behind the block of the probe that begins at p. */
static const char *probe_end(const char *p)
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

int bt_items(struct bt *b, struct error *err)
{
	struct tree t = { .source = b->source };
	struct parser p = { .t = &t, .word = 8, .err = err };
	char *text = (char *)(uintptr_t)b->source.text;
	size_t at = strspn(text, " \t\v\f\r\n");
	int result = 0;

	while (text[at] && !result) {
		const struct item *item = item_at(text + at);
		const size_t begin = at;

		if (!item) {
			at = (size_t)(probe_end(text + at) - text);
		} else {
			result = parser_begin(&p, at) || item->read(&p);
			at = p.now.at;
			for (size_t i = begin; i < at && !result; i++)
				text[i] = text[i] == '\n' ? '\n' : ' ';
		}
		at += strspn(text + at, " \t\v\f\r\n");
	}
	tree_free(&t);
	return result ? -1 : 0;
}
