// SPDX-License-Identifier: GPL-2.0
/* The passes that read lists of probes with their actions, and find what the probes name. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compat/expressions/expression.h"
#include "src/bt/builtins.h"
#include "src/bt/passes.h"
#include "src/bt/preamble/preamble.h"
#include "src/bt/probes/attach.h"
#include "src/bt/syntax/syntax.h"
#include "src/bt/text/text.h"

#define PROBES 1024

struct reader {
	struct bt *b;
	size_t at;
	unsigned int n;			/* number of probes */
	struct expression *filter;	/* of b->filter; NULL: there is none */
	struct error *err;
};

/* ---- reading ---- */

static char letter(const struct reader *in)
{
	return in->b->source.text[in->at];
}

static void skip_blanks(struct reader *in)
{
	while (isspace((unsigned char)letter(in)))
		in->at++;
}

static struct bt_probe *new_probe(struct reader *in)
{
	struct bt_probe *p = calloc(1, sizeof(*p)), **end = &in->b->probes;

	if (!p) {
		fail(in->err, "out of memory");
		return NULL;
	}
	while (*end)
		end = &(*end)->next;
	p->bt = in->b;
	p->at = in->at;
	return *end = p;
}

/* Reads `PROBE, PROBE ...` up to the predicate or the block. Returns the first one. */
static struct bt_probe *read_probes(struct reader *in)
{
	struct bt_probe *first = NULL, *p;

	do {
		p = new_probe(in);
		if (!p)
			return NULL;
		first = first ? first : p;
		p->length = bt_probe_length(in->b->source.text + in->at);
		in->at += p->length;
		if (!p->length) {
			BT_WRONG(in->b, in->at, in->err, "a probe belongs here: PROBE { STATEMENTS "
				 "}");
			return NULL;
		}
		if (in->n++ == PROBES) {
			BT_WRONG(in->b, p->at, in->err, "a script has %d probes at most", PROBES);
			return NULL;
		}
		skip_blanks(in);
		if (letter(in) != ',')
			break;
		in->at++;
		skip_blanks(in);
	} while (letter(in) && letter(in) != '/' && letter(in) != '{');
	return first;
}

#define TOO_LATE "C declarations come before all else"

/* What else may be where a probe is in bpftrace's language, and what does instead. */
static const char *const others[][2] = {
	{ "#", TOO_LATE }, { "struct", TOO_LATE }, { "union", TOO_LATE }, { "enum", TOO_LATE },
	{ "typedef", TOO_LATE },
	{ "import", "import \"FILE.bt\"; comes before macros, maps and probes" },
};

static bool begins_with(const char *text, const char *word)
{
	const size_t n = strlen(word);
	const char behind = strncmp(text, word, n) ? 'x' : text[n];

	return (*word == '#' && *text == '#') ||
	       !(isalnum((unsigned char)behind) || behind == '_' || behind == ':');
}

static int refuse_others(const struct reader *in)
{
	const char *text = in->b->source.text + in->at;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (begins_with(text, others[i][0]))
			return BT_WRONG(in->b, in->at, in->err, "%s", others[i][1]);
	return 0;
}

int bt_parse(struct bt *b, struct error *err)
{
	struct reader in = { .b = b, .err = err };

	for (skip_blanks(&in); letter(&in); skip_blanks(&in)) {
		const char *text = b->source.text, *behind = bt_macro_end(text + in.at);
		struct bt_probe *first;
		const struct syntax_action *action;

		if (behind > text + in.at) {
			in.at = (size_t)(behind - text);
			continue;
		}
		if (refuse_others(&in))
			return -1;
		first = read_probes(&in);
		action = first ? syntax_action(b, &in.at, err) : NULL;
		if (!action)
			return -1;
		for (struct bt_probe *p = first; p; p = p->next)
			p->action = action;
	}
	return b->probes ? syntax_unknown_option(b, err) :
	       BT_WRONG(b, 0, err, "the script has no probes: PROBE { STATEMENTS }");
}

/* ---- attaching ---- */

static void remove_probe(struct bt *b, struct bt_probe *p)
{
	struct bt_probe **at = &b->probes;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	free(p);
}

/* Returns true if the action reads args: each tracepoint and function has its own. */
static bool reads_args(const struct syntax_action *a)
{
	const struct binder b = { .t = &(struct tree){ .source = a->tree.source } };

	for (const struct node *n = a->tree.nodes; n; n = n->next)
		if (n->kind == NODE_NAME && is_name(&b, n, "args"))
			return true;
	return false;
}

/* Returns true if the probe is on several tracepoints or functions. */
static bool is_several(const struct bt_probe *p)
{
	return p->when == BT_KERNEL && !p->on->probe.call && p->on->probe.patterns.n > 1;
}

/* Forgets the names of the probe, which is the last one that has some. */
static void drop_names(struct bt *b, const struct bt_probe *p)
{
	while (b->n_names > p->first_name) {
		free(b->names[--b->n_names].probe);
		free(b->names[b->n_names].function);
	}
}

/* Adds a probe for each name that the pattern of p matches, behind p. */
static int split(struct reader *in, struct bt_probe *p)
{
	const struct patterns *found = &p->on->probe.patterns;
	struct bt_probe **to = &p->next;

	in->n += found->n - 1;
	if (in->n > PROBES)
		return BT_WRONG(in->b, p->at, in->err, "args are different for each of %u probes, "
				"and a script has %d at most", found->n, PROBES);
	for (unsigned int i = 0; i < found->n; i++, to = &(*to)->next) {
		struct bt_probe *one = calloc(1, sizeof(*one));
		char *match = one ? strdup(in->b->names[p->first_name + i].probe) : NULL;

		if (!match) {
			free(one);
			return fail(in->err, "out of memory");
		}
		*one = (struct bt_probe){ .next = *to, .bt = in->b, .at = p->at,
					  .length = p->length, .action = p->action,
					  .match = script_keep(&in->b->script, match) };
		*to = one;
		if (!one->match)
			return fail(in->err, "out of memory");
	}
	drop_names(in->b, p);
	return 0;
}

/* How many of the probe's names --probe-filter takes. */
static unsigned int wanted_names(const struct reader *in, const struct bt_probe *p)
{
	unsigned int n = 0;

	for (unsigned int i = p->first_name; i < p->first_name + p->n_names; i++)
		n += expression_matches(in->filter, in->b->names[i].probe);
	return n;
}

/* Returns true if the probe is one that --probe-filter leaves out. */
static bool is_unwanted(const struct reader *in, const struct bt_probe *p)
{
	return in->filter && p->when != BT_BEGIN && p->when != BT_END && !wanted_names(in, p);
}

/* Returns true if each name that the probe's pattern matches becomes a probe of its own. */
static bool is_split(const struct reader *in, const struct bt_probe *p)
{
	return is_several(p) &&
	       (reads_args(p->action) || (in->filter && wanted_names(in, p) < p->n_names));
}

/*
 * Finds what a list of probes with one action names. What is not there is left out, if the script's
 * settings allow it. *list becomes the first probe behind the list.
 */
static int attach_list(struct reader *in, struct bt_probe **list, unsigned int *number)
{
	const struct syntax_action *action = (*list)->action;
	const enum bt_missing missing = (enum bt_missing)in->b->settings.missing_probes;
	struct bt_probe *p = *list;
	const bool several = p->next && p->next->action == action,
		   may_miss = missing == BT_MISSING_SOME ? several : missing != BT_MISSING_ERROR;
	struct error first = { };
	bool found = false;

	for (struct bt_probe *next; p && p->action == action; p = next) {
		struct error why = { };

		next = p->next;
		if (!bt_attach(in->b, p, ++*number, &why)) {
			if (is_unwanted(in, p)) {
				drop_names(in->b, p);
				remove_probe(in->b, p);
				continue;
			}
			if (is_split(in, p)) {
				if (split(in, p))
					return -1;
				next = p->next;
				remove_probe(in->b, p);
				continue;
			}
			p->clean = p->on->probe.scope;
			found = true;
			continue;
		}
		if (!may_miss || !p->on || !p->on->probe.missing)
			return *in->err = why, -1;
		if (missing != BT_MISSING_IGNORE)
			bt_warn(in->b, &why);
		first = *first.text ? first : why;
		remove_probe(in->b, p);
	}
	*list = p;
	return !found && *first.text && missing == BT_MISSING_SOME ? *in->err = first, -1 : 0;
}

static int attach_all(struct reader *in)
{
	unsigned int number = 0;

	for (const struct bt_probe *p = in->b->probes; p; p = p->next)
		in->n++;
	for (struct bt_probe *p = in->b->probes; p;)
		if (attach_list(in, &p, &number))
			return -1;
	return in->b->probes ? 0 : fail(in->err, "No probes to attach");
}

int bt_find_probes(struct bt *b, struct error *err)
{
	struct reader in = { .b = b, .err = err };
	struct error why = { };
	int result;

	if (b->filter) {
		in.filter = expression_new(b->filter, &why);
		if (!in.filter)
			return fail(err, "ERROR: Invalid --probe-filter regex: %s", why.text);
	}
	result = attach_all(&in);
	expression_free(in.filter);
	return result;
}
