// SPDX-License-Identifier: GPL-2.0
/* Reading maps with their keys, functions of maps, and stacks. */
#include <stdlib.h>
#include <string.h>

#include "insns/programs/argdist.h"
#include "src/bt/syntax/syntax.h"

/* [KEY, KEY ...] as a list of NODE_KEY. */
static int keys(struct parser *p, struct node **to)
{
	unsigned int n = 0;

	if (parser_step(p))
		return -1;
	do {
		if (n && parser_step(p))
			return -1;
		if (n++ == BT_KEYS)
			return NOT_HERE(p, "a key has %d parts at most", BT_KEYS);
		if (!syntax_key(p, &to))
			return -1;
	} while (parser_is(p, ','));
	return parser_expect(p, ']');
}

/* The map of this name; it is added if it is new. NULL: there is no memory. */
static struct bt_map *map_named(struct bt *b, const char *name, size_t length, size_t at)
{
	struct bt_map **m = &b->maps;

	for (; *m; m = &(*m)->next)
		if (strlen((*m)->name) == length && !memcmp((*m)->name, name, length))
			return *m;
	*m = calloc(1, sizeof(**m));
	if (!*m)
		return NULL;
	memcpy((*m)->name, name, length);
	(*m)->at = at;
	return *m;
}

int syntax_map(struct parser *p, struct bt_map **m, struct node **list)
{
	if (p->now.length >= BT_NAME)
		return NOT_HERE(p, "a map's name has %d characters at most", BT_NAME - 2);
	*m = map_named(p->t->source.front, parser_text(p), p->now.length, p->now.at);
	if (!*m)
		return fail(p->err, "out of memory");
	*list = NULL;
	return parser_step(p) || (parser_is(p, '[') && keys(p, list)) ? -1 : 0;
}

struct node *syntax_map_value(struct parser *p, size_t at, enum syntax_value what,
			      struct bt_map *m, struct node *list)
{
	struct node *n = syntax_value(p, what, at);

	if (!n)
		return NULL;
	n->own = m;
	n->length = (uint16_t)strlen(m->name);
	n->b = list;
	return n;
}

struct node *syntax_map_read(struct parser *p)
{
	const size_t at = p->now.at;
	struct bt_map *m;
	struct node *list;

	return syntax_map(p, &m, &list) ? NULL : syntax_map_value(p, at, VALUE_MAP, m, list);
}

/* @map[key] or @map, key */
static int entry(struct parser *p, struct bt_map **m, struct node **list, const char *form)
{
	if (p->now.kind != TOKEN_NAME || *parser_text(p) != '@')
		return NOT_HERE(p, "an entry of a map belongs here: %s", form);
	if (syntax_map(p, m, list))
		return -1;
	if (!parser_is(p, ',') || *list)
		return 0;
	*list = parser_node(p, NODE_KEY, p->now.at);
	return *list && !parser_step(p) ? syntax_expression(p, &(*list)->a) : -1;
}

/* len() of a variable or an entry, which keeps a stack. */
static struct node *length_of_kept(struct parser *p, size_t at, struct node *kept)
{
	struct node *n = kept ? syntax_value(p, VALUE_KEPT_LENGTH, at) : NULL;

	if (!n)
		return NULL;
	n->length = 3;
	n->a = kept;
	return n;
}

/* What is between the brackets of len(). */
static struct node *length(struct parser *p, size_t at)
{
	struct bt_map *m;
	struct node *list, *n;

	if (parser_is_word(p, "kstack") || parser_is_word(p, "ustack")) {
		n = syntax_stack(p);
		if (n)
			n->op = BT_STACK_LENGTH;
		return n;
	}
	if (*parser_text(p) == '$')
		return length_of_kept(p, at, parser_expression(p));
	if (entry(p, &m, &list, "len(@map), len(kstack)"))
		return NULL;
	return list ? length_of_kept(p, at, syntax_map_value(p, at, VALUE_MAP, m, list)) :
	       syntax_map_value(p, at, VALUE_LENGTH, m, NULL);
}

struct node *syntax_map_function(struct parser *p, bool *is)
{
	const bool is_len = parser_is_word(p, "len"), is_delete = parser_is_word(p, "delete");
	const size_t at = p->now.at;
	struct node *n, *list;
	struct bt_map *m;

	*is = is_len || is_delete || parser_is_word(p, "has_key");
	if (!*is || parser_step(p) || parser_expect(p, '('))
		return NULL;
	if (is_len)
		n = length(p, at);
	else
		n = entry(p, &m, &list, "has_key(@map, key)") ? NULL :
		    syntax_map_value(p, at, is_delete ? VALUE_DELETED : VALUE_HAS_KEY, m, list);
	return n && !parser_expect(p, ')') ? n : NULL;
}

/* ---- stacks ---- */

static const char *const ways[] = {
	[BT_STACK_NAMES] = "bpftrace", [BT_STACK_PERF] = "perf", [BT_STACK_RAW] = "raw",
};
#define WAYS (sizeof(ways) / sizeof(ways[0]))

static int argument(struct parser *p, struct node *n)
{
	const size_t at = p->now.at;
	const struct node *most;

	for (uint8_t i = 0; i < WAYS; i++)
		if (parser_is_word(p, ways[i])) {
			n->op = i;
			return parser_step(p);
		}
	most = parser_operand(p);
	if (!most || most->kind != NODE_NUMBER || !most->value || most->value > STACK_DEPTH)
		return NOT_AT(p, at, "kstack and ustack take a form (bpftrace, perf or raw), and "
			      "how many functions they show, up to %d: kstack(perf, 5)",
			      STACK_DEPTH);
	n->value = most->value;
	return 0;
}

struct node *syntax_stack(struct parser *p)
{
	const struct bt *b = p->t->source.front;
	struct node *n = parser_node(p, NODE_NAME, p->now.at);

	if (!n)
		return NULL;
	n->length = (uint16_t)p->now.length;
	n->value = STACK_DEPTH;
	n->op = (uint8_t)b->settings.stack_mode;
	if (parser_step(p))
		return NULL;
	if (!parser_is(p, '('))
		return n;
	do {
		if (parser_step(p) || (!parser_is(p, ')') && argument(p, n)))
			return NULL;
	} while (parser_is(p, ','));
	return parser_expect(p, ')') ? NULL : n;
}
