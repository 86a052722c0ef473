// SPDX-License-Identifier: GPL-2.0
#include "src/language/questions/spec.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/language/expressions/bind/binder.h"
#include "src/language/types/types.h"

static size_t blanks(const char *text, size_t at)
{
	return at + strspn(text + at, " \t\n");
}

/* ---- reading ---- */

static bool take(const char *text, size_t *at, char letter)
{
	*at = blanks(text, *at);
	if (text[*at] != letter)
		return false;
	++*at;
	return true;
}

static char *slice(const char *text, size_t from, size_t to)
{
	from = blanks(text, from);
	while (to > from && strchr(" \t\n", text[to - 1]))
		to--;
	return strndup(text + from, to - from);
}

static int read_types(struct spec *s, size_t *at, struct error *err)
{
	struct tree *t = s->tree;

	do {
		struct c_type *type = &s->shown[s->n].type;

		if (s->n == SPEC_VALUES)
			return source_error(&t->source, *at, err, "there are %d values at most",
					    SPEC_VALUES);
		*at = blanks(t->source.text, *at);
		if (parse_type(t, at, s->on->probe.scope.word, type, err))
			return -1;
		if (!c_number(type))
			return source_error(&t->source, *at, err, "values are integers, pointers "
					    "and strings (char *)");
		s->values[s->n++].is_text = type->pointers == 1 && type->is_char;
	} while (take(t->source.text, at, ','));
	return 0;
}

#define START(MEMBER) (ARGDIST_START + (int)offsetof(struct argdist_start, MEMBER))

/* $latency and $entry need a probe on the call beside the one on the return. */
static int look_for_calls(struct script *script, struct spec *s, size_t from, struct error *err)
{
	const struct source *source = &s->tree->source;
	const char *text = source->text, *entry = strstr(text + from, "$entry"),
		   *latency = strstr(text + from, "$latency");
	struct error why = { };

	if (!latency && !entry)
		return 0;
	if (!s->on->probe.scope.called.returns)
		return source_error(source, (size_t)((entry ? entry : latency) - text), err, entry ?
				    "$entry is of argdist's returns: r:LIBRARY:FUNCTION" :
				    "only a return tells how long its call took: "
				    "r:LIBRARY:FUNCTION");
	s->calls = script_probe(script, text, s->calls_hook);
	if (!s->calls)
		return fail(err, "out of memory");
	s->kept = (struct kept_values){
		.calls = &s->calls->probe.scope, .list = s->entries, .most = ARGDIST_ENTRIES,
		.at = START(values),
	};
	s->on->probe.scope.frame.kept = &s->kept;
	s->on->probe.scope.frame.latency = START(time);
	s->on->probe.scope.frame.unknown = START(unknown);
	s->on->probe.more = " sp=$sp:uW popped=$popped thread=0";
	s->calls->probe.more = " sp=$sp:uW thread=0";
	return probe_calls(script->kernel, &s->on->probe, &s->calls->probe, &why) ?
	       source_cause(source, 0, err, &why) : 0;
}

static int read_value(struct spec *s, unsigned int i, size_t *at, struct error *err)
{
	struct tree *t = s->tree;
	struct scope *scope = &s->on->probe.scope;
	struct lang_value *v = &s->values[i];
	const size_t from = *at;

	v->node = parse_expression(t, at, scope->word, err);
	if (!v->node)
		return -1;
	s->shown[i].name = slice(t->source.text, from, *at);
	if (!s->shown[i].name)
		return fail(err, "out of memory");
	if (!v->is_text)
		return bind_as(t, scope, &v->node, &s->shown[i].type, err);
	/* The cast in (char *)VALUE only repeats the type. */
	if (v->node->kind == NODE_CAST && v->node->type.pointers == 1 && v->node->type.is_char)
		v->node = v->node->a;
	return bind_text(t, scope, v->node, &v->text, err);
}

static int read_filter(struct spec *s, size_t *at, struct error *err)
{
	const size_t from = *at;
	struct node *n = parse_expression(s->tree, at, s->on->probe.scope.word, err);

	if (!n)
		return -1;
	s->filter = slice(s->tree->source.text, from, *at);
	if (!s->filter)
		return fail(err, "out of memory");
	if (s->joined)
		return 0;
	s->on->predicate = n;
	return bind_number(s->tree, &s->on->probe.scope, &s->on->predicate, err);
}

static int read_values(struct spec *s, size_t *at, struct error *err)
{
	const struct source *source = &s->tree->source;

	if (!take(source->text, at, ':'))
		return source_error(source, *at, err, "the values are missing: TYPE:VALUE");
	for (unsigned int i = 0; i < s->n; i++) {
		if (i && !take(source->text, at, ','))
			return source_error(source, *at, err, "there are %u types: each has a "
					    "value", s->n);
		if (read_value(s, i, at, err))
			return -1;
	}
	return take(source->text, at, ':') ? read_filter(s, at, err) : 0;
}

/* The default: the value of a return, as an int. Other probes have no value, only a count. */
static int read_default(struct spec *s, struct error *err)
{
	struct tree *t = s->tree;
	struct binder b = { .t = t, .s = &s->on->probe.scope, .err = err };
	static const char name[] = "retval";
	struct node *n;

	if (!s->on->probe.scope.called.returns)
		return s->kind == ARGDIST_COUNTS ? 0 :
		       source_error(&t->source, 0, err, "%s of a value: PROBE():TYPE:VALUE",
				    s->kind == ARGDIST_HIST ? "a histogram is" : "sums are");
	n = tree_node(t, NODE_INPUT, 0);
	s->shown[0].name = strdup(name);
	if (!n || !s->shown[0].name)
		return fail(err, "out of memory");
	s->shown[0].type = c_integer(4, true);
	if (to_input(&b, n, s->shown[0].type, "$retval", ":s32"))
		return -1;
	s->values[0].node = n;
	s->n = 1;
	return 0;
}

/* Reads the text behind the probe, from `at` on. */
static int read_rest(struct spec *s, size_t at, struct error *err)
{
	const struct source *source = &s->tree->source;
	const char *text = source->text;
	size_t end;

	s->begin = at;
	if (take(text, &at, ':')) {
		if (read_types(s, &at, err) || read_values(s, &at, err))
			return -1;
	} else if (read_default(s, err)) {
		return -1;
	}
	if (s->kind == ARGDIST_HIST && (s->n != 1 || s->values[0].is_text))
		return source_error(source, 0, err, "a histogram is of one number");
	if (s->kind == ARGDIST_SUMS && s->values[0].is_text)
		return source_error(source, 0, err, "sums are of a number: the first value is "
				    "summed up, and those behind it are the key");
	end = at = blanks(text, at);
	if (take(text, &at, '#') || take(text, &at, ';'))
		s->label = slice(text, at, strlen(text));
	else if (text[at])
		return source_error(source, at, err, "this belongs to nothing; a spec is "
				    "PROBE(SIGNATURE):TYPE:VALUE:FILTER#LABEL");
	else
		s->label = slice(text, 0, end);
	return s->label ? 0 : fail(err, "out of memory");
}

/* ---- the program ---- */

/*
 * A script_probe's `begin`: filters by the task. On a return it also loads the values kept at the
 * call, and the time since the call.
 */
static void begin(struct code *c, int bottom, void *arg)
{
	const struct spec *s = arg;
	const int kept = 8 * (int)s->kept.n + 8;

	(void)bottom;
	CODE(c, FIELD(R6, "pid_tgid"));
	CODE(c, FILTER(R6));
	if (!s->calls)
		return;
	sequence_add(c, argdist_return, argdist_return_n, argdist_start.name, s->start_name);
	if (s->kept.n)
		CODE(c, COPY_AT("unknown", R10, START(unknown), R0,
				(int)offsetof(struct argdist_start, unknown), kept));
	sequence_add(c, argdist_forget, argdist_forget_n, argdist_start.name, s->start_name);
}

/* The same for the probe on the call. */
static void begin_call(struct code *c, int bottom, void *arg)
{
	const struct spec *s = arg;

	(void)bottom;
	sequence_add(c, argdist_enter, argdist_enter_n, argdist_start.name, s->start_name);
}

static int make_program(struct script *script, struct spec *s, struct error *err)
{
	struct script_probe *on = s->on;

	on->begin = begin;
	on->arg = s;
	if (script_compile(script, on) || (s->calls && script_compile(script, s->calls)))
		return fail(err, "out of memory");
	return !on->code.full && !(s->calls && s->calls->code.full) ? 0 :
	       fail(err, "%s: its values come to %u bytes, and a program has %d: count by less of "
		    "strings (--string-size), or by fewer", on->probe.spec, on->code.least,
		    FRAME_BYTES);
}

static int add_maps(struct script *script, struct spec *s)
{
	struct map start = argdist_start;

	start.name = s->start_name;
	start.value_size = (uint16_t)(offsetof(struct argdist_start, values) + 8 * s->kept.n);
	s->map = argdist_programs.maps[s->kind];
	s->map.name = s->map_name;
	if (s->kind != ARGDIST_HIST)
		s->map.key_size = (uint16_t)s->statement->key;
	if (s->kind == ARGDIST_SUMS && c_signed(&s->shown[0].type)) {
		s->map.combine[3] = COMBINE_MIN_SIGNED;
		s->map.combine[4] = COMBINE_MAX_SIGNED;
	}
	return (s->calls && script_map(script, &start)) || script_map(script, &s->map) ? -1 : 0;
}

static int add_statements(const struct script *script, struct spec *s)
{
	static const enum statement_kind kinds[] = {
		[ARGDIST_COUNTS] = STATEMENT_COUNT,
		[ARGDIST_HIST] = STATEMENT_HISTOGRAM,
		[ARGDIST_SUMS] = STATEMENT_SUMS,
	};

	s->first = s->kind == ARGDIST_SUMS;
	s->statement = script_statement(script, s->on, &(struct statement){
		.kind = kinds[s->kind], .map = s->map_name, .values = s->values + s->first,
		.n = s->n - s->first, .summed = s->values,
	});
	if (!s->calls)
		return s->statement ? 0 : -1;
	s->on->reserved = s->calls->reserved = ARGDIST_CALL;
	s->calls->begin = begin_call;
	s->calls->arg = s;
	return s->statement && script_statement(script, s->calls, &(struct statement){
		.kind = STATEMENT_KEEP, .map = s->start_name, .values = s->entries,
		.n = s->kept.n, .again = !s->on->probe.call,
	}) ? 0 : -1;
}

/* ---- specs of one probe ---- */

#define STATEMENTS 8			/* of a program: it may have 4096 instructions */
#define INSTRUCTIONS 1000

/* Returns true if the text has the same probe as the spec, written in the same way. */
static bool same_probe(const struct spec *s, const char *text)
{
	const char *behind;

	if (s->joined || s->calls || strncmp(s->tree->source.text, text, s->begin))
		return false;
	behind = text + blanks(text, s->begin);
	return !*behind || *behind == ':' || *behind == '#' || *behind == ';';
}

static bool same_filter(const struct spec *a, const struct spec *b)
{
	return a->filter && b->filter ? !strcmp(a->filter, b->filter) : a->filter == b->filter;
}

static void forget(struct spec *s)
{
	spec_free(s);
	memset(s->shown, 0, sizeof(s->shown));
	memset(s->values, 0, sizeof(s->values));
	s->label = s->filter = NULL;
	s->joined = false;
	s->on = NULL;
	s->n = 0;
}

/*
 * Makes the spec a statement of an earlier spec's probe. Returns false if this is impossible: the
 * spec then needs a probe of its own, or has a mistake.
 */
static bool join(const struct script *script, struct spec *s, const struct spec *to,
		 const char *text)
{
	struct script_probe *on = to->on;
	const struct scope scope = on->probe.scope;
	unsigned int n = 0;
	struct error why;

	for (const struct statement *t = on->statements; t; t = t->next)
		n++;
	if (n >= STATEMENTS)
		return false;
	s->joined = true;
	s->on = on;
	s->own = on->probe.tree;
	s->own.source.text = text;
	s->own.nodes = NULL;
	s->tree = &s->own;
	if (!read_rest(s, to->begin, &why) && same_filter(s, to) && !add_statements(script, s)) {
		if (!script_compile(script, on) && !on->code.full && on->code.n <= INSTRUCTIONS)
			return true;
		script_drop_statement(on);
	}
	on->probe.scope = scope;
	forget(s);
	return false;
}

static bool join_any(const struct script *script, struct spec *s, const char *text)
{
	for (const struct spec *to = s->before; to; to = to->before)
		if (same_probe(to, text) && join(script, s, to, text))
			return true;
	return false;
}

/* ---- */

static int make_probe(struct script *script, struct spec *s, const char *text,
		      unsigned int number, struct error *err)
{
	size_t at = 0;
	char hook[16];

	snprintf(hook, sizeof(hook), "spec%u.hit", number + 1);
	s->on = script_probe(script, text, hook);
	if (!s->on)
		return fail(err, "out of memory");
	s->tree = &s->on->probe.tree;
	s->on->probe.wants_signature = true;
	if (probe_find(script->kernel, &s->on->probe, &at, err) ||
	    look_for_calls(script, s, at, err) || read_rest(s, at, err))
		return -1;
	if (add_statements(script, s))
		return fail(err, "out of memory");
	/* A call that was kept is dropped at its return. So no return may be filtered. */
	s->on->probe.filter = s->calls ? NULL : s->on->predicate;
	return make_program(script, s, err);
}

int spec_make(struct script *script, struct spec *s, const char *text, unsigned int number,
	      struct error *err)
{
	snprintf(s->calls_hook, sizeof(s->calls_hook), "spec%u.enter", number + 1);
	text_all(s->map_name, sizeof(s->map_name), "%s%u", argdist_programs.maps[s->kind].name,
		 number + 1);
	snprintf(s->start_name, sizeof(s->start_name), "start%u", number + 1);
	if (!join_any(script, s, text) && make_probe(script, s, text, number, err))
		return -1;
	return add_maps(script, s) ? fail(err, "out of memory") : 0;
}

/* The program on calls comes first, so that it is attached before the program on returns. */
int spec_add(struct script *script, struct spec *s)
{
	if (s->joined)
		return 0;
	return (s->calls && script_add(script, s->calls)) || script_add(script, s->on) ? -1 : 0;
}

void spec_free(struct spec *s)
{
	tree_free(&s->own);
	free(s->label);
	free(s->filter);
	for (unsigned int i = 0; i < SPEC_VALUES; i++)
		free(s->shown[i].name);
}
