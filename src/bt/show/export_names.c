// SPDX-License-Identifier: GPL-2.0
/* Names of metrics and labels, from those in the script. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/bt/show/exports.h"
#include "src/bt/syntax/syntax.h"
#include "src/lib/metrics/metric_names.h"

/* ---- labels ---- */

/* A cut name would be another one: there is none then. */
static void keep(char *to, const char *name, size_t n)
{
	if (n && *name == '$') {
		name++;
		n--;
	}
	*to = '\0';
	if (!n || n >= BT_NAME || isdigit((unsigned char)*name))
		return;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_')
			return;
	memcpy(to, name, n);
	to[n] = '\0';
}

/* comm, args.ret, $x, str(args.filename), (uint64)pid: one name; an empty one: it is no such. */
static void name_of(const struct bt *b, const struct node *n, char *to)
{
	while (n && (n->kind == NODE_CALL || n->kind == NODE_CAST))
		n = n->a;
	*to = '\0';
	if (n && (n->kind == NODE_NAME || n->kind == NODE_MEMBER))
		keep(to, n->text ? n->text : b->source.text + n->at,
		     n->text ? strlen(n->text) : n->length);
}

/* Statements that put something into the map under a key give its parts their names. */
static void name_parts(const struct bt *b, const struct bt_map *m, const struct syntax *s,
		       struct bt_label *labels, bool *named)
{
	const struct node *key = s->store.keys;

	for (unsigned int i = 0; i < m->n_keys; i++, key = key ? key->b : NULL) {
		char name[BT_NAME] = "";

		if (key)
			name_of(b, key->a, name);
		if (!*named)
			memcpy(labels[i].name, name, sizeof(name));
		else if (strcmp(labels[i].name, name))
			*labels[i].name = '\0';
	}
	/* A tuple has several parts, whose places are others then. */
	if (key)
		for (unsigned int i = 0; i < m->n_keys; i++)
			*labels[i].name = '\0';
	*named = true;
}

static bool is_taken(const struct bt_label *labels, unsigned int i)
{
	for (unsigned int other = 0; other < i; other++)
		if (!strcmp(labels[other].name, labels[i].name))
			return true;
	/* "le" is the bound of a bucket, and those of an engine begin with __. */
	return !*labels[i].name || !strcmp(labels[i].name, "le") ||
	       !strncmp(labels[i].name, "__", 2);
}

void bt_export_labels(const struct bt *b, const struct bt_map *m, struct bt_label labels[BT_KEYS])
{
	bool named = false;

	for (const struct syntax_action *a = b->syntax; a; a = a->next)
		for (const struct syntax *s = a->all; s; s = s->all)
			if ((s->kind == SYNTAX_STORE || s->kind == SYNTAX_AGGREGATE) &&
			    s->store.map == m)
				name_parts(b, m, s, labels, &named);
	for (unsigned int i = 0; i < m->n_keys; i++)
		if (!named || is_taken(labels, i))
			snprintf(labels[i].name, sizeof(labels[i].name), "key%u", i);
}

/* ---- families ---- */

/* How scripts name what they measure, and the house's word for it. */
static const struct {
	const char *name;
	enum column_unit unit;
} units[] = {
	{ "nsecs", IN_NS }, { "usecs", IN_US }, { "msecs", IN_MS }, { "seconds", IN_S },
	{ "secs", IN_S }, { "nanoseconds", IN_NS }, { "microseconds", IN_US },
	{ "milliseconds", IN_MS }, { "ns", IN_NS }, { "us", IN_US }, { "ms", IN_MS },
	{ "kbytes", IN_KB }, { "bytes", IN_BYTES }, { "kb", IN_KB }, { "mb", IN_MB },
	{ "sectors", IN_SECTORS }, { "pages", IN_PAGES },
};

/* Cuts the word off the end of a name; false: it does not end with it. */
static bool cut_word(char *name, const char *word)
{
	const size_t n = strlen(name), length = strlen(word);

	if (n < length || strcmp(name + n - length, word) ||
	    (n > length && name[n - length - 1] != '_'))
		return false;
	name[n > length ? n - length - 1 : 0] = '\0';
	return true;
}

void bt_export_name(const struct bt_map *m, const char *end, bool plain,
		    struct bt_family_name *to)
{
	struct metric_unit unit = { "", 1 };
	char name[BT_NAME], what[2 * BT_NAME];

	text_all(name, sizeof(name), "%s", m->name + 1);
	/* A counter's name ends with it. */
	cut_word(name, "total");
	for (size_t i = 0; !plain && i < sizeof(units) / sizeof(units[0]) && !*unit.name; i++)
		if (cut_word(name, units[i].name))
			metric_unit_of(units[i].unit, &unit);
	/* Of how many values there were, the unit says nothing. */
	if (*end)
		unit = (struct metric_unit){ "", 1 };
	text_all(what, sizeof(what), "bt%s%s%s", *name ? "_" : "", name, end);
	metric_name(what, "", &unit, to->name, sizeof(to->name));
	to->unit = unit.name;
	to->scale = unit.scale;
}
