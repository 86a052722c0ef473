// SPDX-License-Identifier: GPL-2.0
/* A whole script: probes with their actions, and the programs made of them. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/expressions/expression.h"
#include "src/bt/emit.h"
#include "src/bt/emit_own.h"
#include "src/bt/parse.h"
#include "src/bt/preamble/preamble.h"
#include "src/bt/show/table.h"
#include "src/bt/text/text.h"

#define TEXT_SIZE 64			/* bytes of a text that are read */
#define CAT_BYTES 10240			/* of a file that cat() shows */
#define PROBES 1024

struct reader {
	struct bt *b;
	size_t at;
	unsigned int n;			/* number of probes */
	struct expression *filter;	/* of b->filter; NULL: there is none */
	struct error *err;
};

static char letter(const struct reader *in)
{
	return in->b->source.text[in->at];
}

static void skip_blanks(struct reader *in)
{
	while (isspace((unsigned char)letter(in)))
		in->at++;
}

/* ---- probes ---- */

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

static void free_statements(struct bt *b)
{
	while (b->statements) {
		struct bt_statement *s = b->statements;

		b->statements = s->all;
		free(s);
	}
	while (b->n_orders) {
		struct bt_order *o = b->orders[--b->n_orders];

		format_text_free(&o->format);
		free(o);
	}
}

static int read_predicate(struct parser *p, struct bt_probe *of)
{
	if (parser_step(p))
		return -1;
	of->scopes[of->n_scopes++] = 0;		/* what it assigns is not the action's own block */
	of->on->predicate = parser_expression(p);
	of->n_scopes = 0;
	if (!of->on->predicate || bt_bind_number(p, &of->on->predicate))
		return -1;
	if (!parser_is(p, BT_OP_CLOSE))
		return NOT_HERE(p, "the predicate's '/' is missing before the block");
	return parser_step(p);
}

/* Reads the action for one probe. */
static int read_action(struct reader *in, struct bt_probe *of)
{
	struct parser p = { .t = &of->on->probe.tree, .word = 8, .err = in->err };

	in->b->now = of;
	of->n_scopes = of->last_scope = 0;
	of->loops = 0;
	if (parser_begin(&p, of->action) || (parser_is(&p, '/') && read_predicate(&p, of)) ||
	    bt_block(&p, &of->statements))
		return -1;
	in->at = p.now.at;
	return 0;
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

/* Forgets what was read of the actions, but for what they tell of maps and variables. */
static void forget(struct bt *b)
{
	free_statements(b);
	b->unsettled = false;
	for (struct bt_probe *p = b->probes; p; p = p->next) {
		p->statements = NULL;
		p->on->predicate = NULL;
		tree_free(&p->on->probe.tree);
		p->on->probe.scope = p->clean;
		for (unsigned int i = 0; i < p->n_variables; i++) {
			struct bt_variable *v = &p->variables[i];

			v->assigned = v->open = false;
			v->once = v->sets == 1;
			v->sets = 0;
			v->is = NULL;
		}
	}
}

/*
 * Variables that get no value, or only what maps without values have, become numbers. Returns true
 * if there are such.
 */
static bool make_numbers(struct bt *b)
{
	bool found = false;

	for (struct bt_probe *p = b->probes; p; p = p->next)
		for (unsigned int i = 0; i < p->n_variables; i++) {
			struct bt_variable *v = &p->variables[i];

			if (!v->assigned || v->open || v->shape.kind != BT_UNSET)
				continue;
			v->shape.kind = BT_NUMBER;
			v->shape.is_signed = found = true;
		}
	return found;
}

/*
 * What a map or a variable holds may be settled only behind its first use. So the actions are read
 * again with what is known, until that tells nothing new. Each time kinds become known, or texts
 * longer, which ends.
 */
static int settle(struct reader *in)
{
	while (in->b->unsettled || make_numbers(in->b)) {
		forget(in->b);
		for (struct bt_probe *p = in->b->probes; p; p = p->next)
			if (read_action(in, p))
				return -1;
	}
	return 0;
}

/* Moves behind the action at `at`, which no probe has. */
static int skip_action(struct reader *in, size_t at)
{
	struct tree t = { .source = in->b->source };
	struct parser p = { .t = &t, .word = 8, .err = in->err };

	if (parser_begin(&p, at) || bt_to_closing(&p, "block"))
		return -1;
	in->at = p.now.at + p.now.length;
	return 0;
}

/* Keeps a message as a warning: of a probe that is left out too. */
static void warn(struct bt *b, const struct error *why)
{
	static const char error[] = ": ERROR: ", missing[] = "No matches for ";
	const char *at = strstr(why->text, error), *text = at ? at + strlen(error) : "", *detail;

	detail = strncmp(text, missing, strlen(missing)) ? NULL : strstr(text, ": ");
	if (detail)
		lines_add(&b->warnings, "%.*s: WARNING: %.*s. Skipping%s", (int)(at - why->text),
			  why->text, (int)(detail - text), text, detail);
	else if (at)
		lines_add(&b->warnings, "%.*s: WARNING: %s", (int)(at - why->text), why->text,
			  text);
}

static void remove_probe(struct bt *b, struct bt_probe *p)
{
	struct bt_probe **at = &b->probes;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	free(p);
}

/* Returns true if the action at `at` reads args: each tracepoint and function has its own. */
static bool reads_args(const struct reader *in, size_t at)
{
	struct tree t = { .source = in->b->source };
	struct error unread;
	struct parser p = { .t = &t, .word = 8, .err = &unread };
	unsigned int depth = 0;

	if (parser_begin(&p, at))
		return false;
	do {
		if (parser_is_word(&p, "args"))
			return true;
		depth += parser_is(&p, '{');
		if (parser_is(&p, '}') && --depth == 0)
			return false;
	} while (p.now.kind != TOKEN_END && !parser_step(&p));
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
					  .length = p->length,
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
static bool is_split(const struct reader *in, const struct bt_probe *p, size_t at)
{
	return is_several(p) &&
	       (reads_args(in, at) || (in->filter && wanted_names(in, p) < p->n_names));
}

/*
 * Finds what a list of probes names, and reads their action at `at`. What is not there is left out,
 * if the script's settings allow it.
 */
static int read_list(struct reader *in, struct bt_probe *p, size_t at, unsigned int *number)
{
	const enum bt_missing missing = (enum bt_missing)in->b->settings.missing_probes;
	const bool may_miss = missing == BT_MISSING_SOME ? p->next != NULL :
			      missing != BT_MISSING_ERROR;
	struct error first = { };
	bool found = false;

	for (struct bt_probe *next; p; p = next) {
		struct error why = { };

		next = p->next;
		p->action = at;
		if (!bt_attach(in->b, p, ++*number, &why)) {
			if (is_unwanted(in, p)) {
				drop_names(in->b, p);
				remove_probe(in->b, p);
				continue;
			}
			if (is_split(in, p, at)) {
				if (split(in, p))
					return -1;
				next = p->next;
				remove_probe(in->b, p);
				continue;
			}
			p->clean = p->on->probe.scope;
			if (read_action(in, p))
				return -1;
			found = true;
			continue;
		}
		if (!may_miss || !p->on || !p->on->probe.missing)
			return *in->err = why, -1;
		if (missing != BT_MISSING_IGNORE)
			warn(in->b, &why);
		first = *first.text ? first : why;
		remove_probe(in->b, p);
	}
	if (!found && *first.text && missing == BT_MISSING_SOME)
		return *in->err = first, -1;
	return found ? 0 : skip_action(in, at);
}

static int read_all(struct reader *in)
{
	unsigned int number = 0;

	for (skip_blanks(in); letter(in); skip_blanks(in)) {
		struct bt_probe *first;
		size_t at;

		if (refuse_others(in))
			return -1;
		first = read_probes(in);
		if (!first)
			return -1;
		at = in->at;
		if (read_list(in, first, at, &number))
			return -1;
	}
	if (in->b->probes)
		return settle(in);
	return number ? fail(in->err, "No probes to attach") :
	       BT_WRONG(in->b, 0, in->err, "the script has no probes: PROBE { STATEMENTS }");
}

/* ---- maps and programs ---- */

/* Keeps a warning about a place of the script. */
static void warn_of(struct bt *b, size_t at, const char *what, const char *name)
{
	struct error why = { };

	BT_WRONG(b, at, &why, "%s%s", what, name);
	warn(b, &why);
}

/* Maps that are declared and not used. */
static void drop_unused(struct bt *b)
{
	struct bt_map **at = &b->maps;

	while (*at) {
		struct bt_map *m = *at;

		if (m->used || !m->entries || m->kind != BT_UNKNOWN) {
			at = &m->next;
			continue;
		}
		warn_of(b, m->at, "Unused map: ", m->name);
		*at = m->next;
		free(m);
	}
}

/* Returns true if two probes may be at one place: fentry is where kprobe is. */
static bool is_same_place(const struct bt *b, const struct bt_probe *p, unsigned int name,
			  const struct bt_probe *other, unsigned int another)
{
	const char *x = strchr(b->names[name].probe, ':'),
		   *y = strchr(b->names[another].probe, ':');

	return p->on && other->on && p->on->probe.scope.returns == other->on->probe.scope.returns &&
	       x && y && !strcmp(x, y);
}

/*
 * Returns true if no other probe is on the same tracepoint or function: programs of different kinds
 * there would not run in the script's order.
 */
static bool is_alone(const struct bt *b, const struct bt_probe *p)
{
	for (const struct bt_probe *other = b->probes; other; other = other->next)
		for (unsigned int i = 0; other != p && i < other->n_names; i++)
			if (is_same_place(b, p, p->first_name, other, other->first_name + i))
				return false;
	return p->n_names == 1;
}

static int add_program(struct bt *b, struct bt_probe *p, struct error *err)
{
	struct script_probe *on = p->on;

	on->begin = bt_emit_begin;
	on->body = bt_emit;
	on->arg = p;
	if (p->n_variables)
		on->reserved = (unsigned int)-bt_variable_at(p, p->n_variables - 1);
	on->probe.filter = on->predicate;
	on->probe.without_record = is_alone(b, p);
	if (script_compile(&b->script, on))
		return fail(err, "out of memory");
	if (bt_check_size(b, p, &on->code, err))
		return -1;
	return script_add(&b->script, on) ? fail(err, "out of memory") : 0;
}

static int add_programs(struct bt *b, struct error *err)
{
	for (struct bt_probe *p = b->probes; p; p = p->next)
		if (p->when == BT_KERNEL && add_program(b, p, err))
			return -1;
	return 0;
}

static bool names_map(const struct code *c, const struct bt_map *m)
{
	for (unsigned int i = 0; i < c->n; i++)
		if (c->insns[i].name && !strcmp(c->insns[i].name, m->name))
			return true;
	return false;
}

/* What a probe asks of a map may be known, as sizeof() and is_str(): no engine has such a map. */
static void settle_places(struct bt *b)
{
	for (struct bt_map *m = b->maps; m; m = m->next) {
		const struct bt_probe *p = b->probes;

		while (p && !(p->when == BT_KERNEL && names_map(&p->on->code, m)))
			p = p->next;
		m->in_kernel = p != NULL;
	}
}

static int compile_filter(struct reader *in)
{
	struct error why = { };

	in->filter = expression_new(in->b->filter, &why);
	return in->filter ? 0 : fail(in->err, "ERROR: Invalid --probe-filter regex: %s", why.text);
}

int bt_make(struct bt *b, const char *name, const char *text, struct error *err)
{
	struct reader in = { .b = b, .err = err };
	int result;

	b->script.functions = bt_functions;
	b->script.may_be_long = true;
	b->settings = (struct bt_settings){ .max_strlen = TEXT_SIZE, .print_maps_on_exit = true,
					    .max_cat_bytes = CAT_BYTES };
	if (bt_imports(b, name, text, err) || bt_declarations(b, err) || bt_items(b, err) ||
	    bt_environment(b, err) || bt_expand(b, err))
		return -1;
	b->old |= b->settings.compat == BT_0_23;
	b->script.text_size = (unsigned int)(b->settings.max_strlen < BT_STRLEN_MOST ?
					     b->settings.max_strlen : BT_STRLEN_MOST);
	if (b->filter && compile_filter(&in))
		return -1;
	result = read_all(&in);
	expression_free(in.filter);
	if (result)
		return -1;
	bt_count_in_values(b);
	if (bt_check_lengths(b, err))
		return -1;
	drop_unused(b);
	if (bt_add_maps(b, err) || add_programs(b, err) || bt_own_programs(b, err))
		return -1;
	settle_places(b);
	return 0;
}

void bt_free(struct bt *b)
{
	while (b->probes) {
		struct bt_probe *p = b->probes;

		b->probes = p->next;
		free(p);
	}
	while (b->maps) {
		struct bt_map *m = b->maps;

		b->maps = m->next;
		bt_table_free(m->table);
		free(m);
	}
	bt_own_programs_free(b);
	free_statements(b);
	free(b->orders);
	for (unsigned int i = 0; i < b->n_names; i++) {
		free(b->names[i].probe);
		free(b->names[i].function);
	}
	free(b->names);
	free(b->macros);
	free(b->pieces);
	lines_free(&b->warnings);
	free(b->formats);
	free(b->words);
	script_free(&b->script);
}
