// SPDX-License-Identifier: GPL-2.0
#include "src/lang/spec.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/lang/types/types.h"

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
	struct tree *t = &s->probe.tree;

	do {
		struct c_type *type = &s->shown[s->n].type;

		if (s->n == SPEC_VALUES)
			return source_error(&t->source, *at, err, "there are %d values at most",
					    SPEC_VALUES);
		*at = blanks(t->source.text, *at);
		if (parse_type(t, at, s->probe.scope.word, type, err))
			return -1;
		if (!c_number(type))
			return source_error(&t->source, *at, err, "values are integers, pointers "
					    "and texts (char *)");
		s->values[s->n++].is_text = type->pointers == 1 && type->is_char;
	} while (take(t->source.text, at, ','));
	return 0;
}

#define START(MEMBER) (ARGDIST_START + (int)offsetof(struct argdist_start, MEMBER))

/* $latency and $entry are of a call and its return together. */
static int look_for_calls(struct kernel *k, struct spec *s, size_t from, struct error *err)
{
	const struct source *source = &s->probe.tree.source;
	const char *text = source->text, *entry = strstr(text + from, "$entry"),
		   *latency = strstr(text + from, "$latency");
	struct error why = { };

	if (!latency && !entry)
		return 0;
	if (!s->probe.scope.returns)
		return source_error(source, (size_t)((entry ? entry : latency) - text), err, entry ?
				    "$entry is of argdist's returns: r:LIBRARY:FUNCTION" :
				    "only a return tells how long its call took: "
				    "r:LIBRARY:FUNCTION");
	s->timed = true;
	s->probe.scope.latency = START(time);
	s->probe.scope.unknown = START(unknown);
	s->probe.more = " sp=$sp:uW popped=$popped thread=0";
	s->calls.more = " sp=$sp:uW thread=0";
	return probe_calls(k, &s->probe, &s->calls, &why) ?
	       source_error(source, 0, err, "%s", why.text) : 0;
}

/* A text is read where it is used: only its address, or another number, is kept. */
static int check_entry(const struct tree *t, const struct node *n, struct error *err)
{
	const char *name = t->source.text + n->at;
	const bool comm = n->kind == NODE_NAME && n->length == 5 &&
			  (!strncmp(name, "$comm", 5) || !strncmp(name, "$COMM", 5));

	if (!comm && n->kind != NODE_TEXT)
		return 0;
	return source_error(&t->source, n->at, err, "$entry keeps numbers and addresses: %s",
			    comm ? "$COMM is the same text without it" :
			    "this text is known without it");
}

/* Each $entry(...) becomes what the call's beginning has kept. */
static int take_entries(struct spec *s, struct error *err)
{
	struct tree *t = &s->probe.tree;

	/* Nodes that are made here come before those that are looked at. */
	for (struct node *n = t->nodes; n; n = n->next) {
		struct lang_value *v = &s->entries[s->n_entries];

		if (n->kind != NODE_ENTRY)
			continue;
		if (s->n_entries == ARGDIST_ENTRIES)
			return source_error(&t->source, n->at, err, "there are %d $entry at most",
					    ARGDIST_ENTRIES);
		if (check_entry(t, n->a, err) || bind_number(t, &s->calls.scope, &n->a, err))
			return -1;
		v->node = n->a;
		v->offset = (uint16_t)(8 * s->n_entries);
		n->kind = NODE_SLOT;
		n->type = n->a->type;
		n->faults = n->a->faults;
		n->op = (uint8_t)s->n_entries++;
		n->value = (uint64_t)(int64_t)(START(values) + v->offset);
		n->a = NULL;
	}
	return 0;
}

static int read_value(struct spec *s, unsigned int i, size_t *at, struct error *err)
{
	struct tree *t = &s->probe.tree;
	struct scope *scope = &s->probe.scope;
	struct lang_value *v = &s->values[i];
	const size_t from = *at;

	v->node = parse_expression(t, at, scope->word, err);
	if (!v->node || take_entries(s, err))
		return -1;
	s->shown[i].name = slice(t->source.text, from, *at);
	if (!s->shown[i].name)
		return fail(err, "out of memory");
	if (!v->is_text)
		return bind_as(t, scope, &v->node, &s->shown[i].type, err);
	/* (char *)VALUE says again what the type says. */
	if (v->node->kind == NODE_CAST && v->node->type.pointers == 1 && v->node->type.is_char)
		v->node = v->node->a;
	return bind_text(t, scope, v->node, &v->text, err);
}

static int read_values(struct spec *s, size_t *at, struct error *err)
{
	const struct source *source = &s->probe.tree.source;

	if (!take(source->text, at, ':'))
		return source_error(source, *at, err, "the values are missing: TYPE:VALUE");
	for (unsigned int i = 0; i < s->n; i++) {
		if (i && !take(source->text, at, ','))
			return source_error(source, *at, err, "there are %u types: each has a "
					    "value", s->n);
		if (read_value(s, i, at, err))
			return -1;
	}
	if (!take(source->text, at, ':'))
		return 0;
	s->filter = parse_expression(&s->probe.tree, at, s->probe.scope.word, err);
	if (!s->filter || take_entries(s, err))
		return -1;
	return bind_number(&s->probe.tree, &s->probe.scope, &s->filter, err);
}

/* Of a return its value, as an int; else there is only how often. */
static int read_default(struct spec *s, struct error *err)
{
	struct tree *t = &s->probe.tree;
	static const char name[] = "retval";
	struct node *n;

	if (!s->probe.scope.returns)
		return !s->histogram ? 0 :
		       source_error(&t->source, 0, err, "a histogram is of a value: "
				    "PROBE():TYPE:VALUE");
	n = tree_node(t, NODE_INPUT, 0);
	s->shown[0].name = strdup(name);
	if (!n || !s->shown[0].name)
		return fail(err, "out of memory");
	s->shown[0].type = c_integer(4, true);
	s->probe.scope.inputs[0] = (struct lang_input){ .name = "a0", .fetch = "$retval",
							.type = ":s32" };
	s->probe.scope.n_inputs = 1;
	n->type = s->shown[0].type;
	s->values[0].node = n;
	s->n = 1;
	return 0;
}

static int read_spec(struct kernel *k, struct spec *s, struct error *err)
{
	const struct source *source = &s->probe.tree.source;
	const char *text = source->text;
	size_t at = 0, end;

	if (probe_find(k, &s->probe, &at, err) || look_for_calls(k, s, at, err))
		return -1;
	if (take(text, &at, ':')) {
		if (read_types(s, &at, err) || read_values(s, &at, err))
			return -1;
	} else if (read_default(s, err)) {
		return -1;
	}
	if (s->histogram && (s->n != 1 || s->values[0].is_text))
		return source_error(source, 0, err, "a histogram is of one number");
	end = at = blanks(text, at);
	if (take(text, &at, '#'))
		s->label = slice(text, at, strlen(text));
	else if (text[at])
		return source_error(source, at, err, "this belongs to nothing; a spec is "
				    "PROBE(SIGNATURE):TYPE:VALUE:FILTER#LABEL");
	else
		s->label = slice(text, 0, end);
	return s->label ? 0 : fail(err, "out of memory");
}

/* ---- the program ---- */

#define AT(MEMBER) ((int16_t)(bottom + (int)offsetof(struct argdist_key, MEMBER)))

static void add_count(struct spec *s, int bottom)
{
	struct code *c = &s->code;

	CODE(c, BPF_ST_MEM(BPF_W, R10, AT(unknown), 0));
	for (unsigned int i = 0; i < s->n; i++)
		values_add(c, s->values, i, bottom, AT(unknown));
	CODE(c, EPOCH(R0));
	CODE(c, BPF_STX_MEM(BPF_W, R10, R0, AT(epoch)));
	CODE(c, ADD_AT(s->map_name, (int16_t)bottom, R0));
}

static void add_histogram(struct spec *s, int bottom, const char *out)
{
	struct code *c = &s->code;
	const struct node *n = s->values[0].node;
	const char *counted = code_label(c), *positive = code_label(c);

	code_value(c, n, n->faults ? out : NULL);
	if (c_signed(&s->shown[0].type)) {
		CODE(c, JSGE(R6, 0, positive));
		CODE(c, BPF_MOV64_IMM(R7, ARGDIST_NEGATIVE));
		CODE(c, JUMP(counted));
		CODE(c, LABEL(positive));
	}
	CODE(c, LOG2(R7, R6));
	CODE(c, LABEL(counted));
	CODE(c, BPF_STX_MEM(BPF_W, R10, R7, (int16_t)bottom));
	CODE(c, ADD_AT(s->map_name, (int16_t)bottom, R0));
}

/* A sequence of insns/programs/argdist.c, with the spec's own map. */
static void add_sequence(struct spec *s, struct code *c, const struct insn *list, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct insn insn = list[i];

		if (insn.name && !strcmp(insn.name, argdist_start.name))
			insn.name = s->start_name;
		code_add(c, insn);
	}
}

/* The program on the call: what $entry asks for is kept beside its time. */
static void add_enter(struct spec *s, bool big_endian)
{
	struct code *c = &s->enter;

	c->scope = &s->calls.scope;
	c->big_endian = big_endian;
	code_room(c, ARGDIST_CALL);
	add_sequence(s, c, argdist_enter, argdist_enter_n);
	for (unsigned int i = 0; i < s->n_entries; i++)
		values_add(c, s->entries, i, START(values), START(unknown));
	if (!s->probe.call)
		add_sequence(s, c, argdist_again, argdist_again_n);
	add_sequence(s, c, argdist_keep, argdist_keep_n);
}

/* The return: the values come with the call's time. */
static void add_return(struct spec *s)
{
	const int kept = 8 * (int)s->n_entries + 8;

	add_sequence(s, &s->code, argdist_return, argdist_return_n);
	if (s->n_entries)
		CODE(&s->code, COPY_AT("unknown", R10, START(unknown), R0,
				       (int)offsetof(struct argdist_start, unknown), kept));
	add_sequence(s, &s->code, argdist_forget, argdist_forget_n);
}

static int make_program(struct spec *s, bool big_endian, struct error *err)
{
	const int bottom = -(int)s->key_size - (s->timed ? ARGDIST_CALL : 0);
	struct code *c = &s->code;
	const char *out;

	c->scope = &s->probe.scope;
	c->big_endian = big_endian;
	code_room(c, (unsigned int)-bottom);
	out = code_label(c);
	CODE(c, FIELD(R6, "pid_tgid"));
	CODE(c, FILTER(R6));
	if (s->timed) {
		add_return(s);
		add_enter(s, big_endian);
	}
	if (s->filter) {
		code_value(c, s->filter, s->filter->faults ? out : NULL);
		CODE(c, JEQ(R6, 0, out));
	}
	if (s->histogram)
		add_histogram(s, bottom, out);
	else
		add_count(s, bottom);
	CODE(c, LABEL(out));
	CODE(c, LABEL("out"));
	CODE(c, BPF_MOV64_IMM(R0, 1));
	CODE(c, BPF_EXIT_INSN());
	if (c->failed || s->enter.failed)
		return fail(err, "out of memory");
	return !c->full && !s->enter.full ? 0 :
	       fail(err, "%s: its values come to %u bytes, and a program has %d: count by less of "
		    "texts (--string-size), or by fewer", s->probe.spec, c->least, FRAME_BYTES);
}

int spec_make(struct kernel *k, struct spec *s, const char *text, unsigned int number,
	      unsigned int text_size, struct error *err)
{
	s->probe.tree.source.text = text;
	s->probe.wants_signature = true;
	s->probe.scope.text_size = text_size;
	snprintf(s->hook, sizeof(s->hook), "spec%u.hit", number + 1);
	snprintf(s->map_name, sizeof(s->map_name), "%s%u", s->histogram ? "hist" : "counts",
		 number + 1);
	snprintf(s->calls_hook, sizeof(s->calls_hook), "spec%u.enter", number + 1);
	snprintf(s->start_name, sizeof(s->start_name), "start%u", number + 1);
	s->start = argdist_start;
	s->start.name = s->start_name;
	if (read_spec(k, s, err))
		return -1;
	s->start.value_size = (uint16_t)(offsetof(struct argdist_start, values) +
					 8 * s->n_entries);
	s->key_size = s->histogram ? 8 : values_lay_out(s->values, s->n,
							sizeof(struct argdist_key), text_size);
	s->map = argdist_programs.maps[s->histogram];
	s->map.name = s->map_name;
	if (!s->histogram)
		s->map.key_size = (uint16_t)s->key_size;
	if (make_program(s, kernel_arch(k)->big_endian, err))
		return -1;
	/* The return of a call whose beginning is kept is wanted, so that it is forgotten. */
	s->probe.filter = s->timed ? NULL : s->filter;
	if (probe_hook(&s->probe, s->hook) ||
	    (s->timed && probe_hook(&s->calls, s->calls_hook)))
		return fail(err, "out of memory");
	return 0;
}

void spec_free(struct spec *s)
{
	probe_free(&s->probe);
	probe_free(&s->calls);
	code_free(&s->code);
	code_free(&s->enter);
	free(s->label);
	for (unsigned int i = 0; i < SPEC_VALUES; i++)
		free(s->shown[i].name);
}
