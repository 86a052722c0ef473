// SPDX-License-Identifier: GPL-2.0
#include "src/language/questions/question.h"

#include <stdio.h>
#include <string.h>

#include "insns/programs/trace.h"

#define WHOLE_MOST 256			/* bytes of a struct: the record is on a program's stack */

static size_t blanks(const char *text, size_t at)
{
	return at + strspn(text + at, " \t\n");
}

/* ---- reading ---- */

static int read_filter(struct question *q, size_t *at, struct error *err)
{
	struct tree *t = &q->on->probe.tree;
	const unsigned int word = q->on->probe.scope.word;

	*at = blanks(t->source.text, *at);
	if (t->source.text[*at] != '(')
		return 0;
	++*at;
	q->on->predicate = parse_expression(t, at, word, err);
	if (!q->on->predicate)
		return -1;
	if (t->source.text[*at] != ')')
		return source_error(&t->source, *at, err, "the filter's ')' is missing here");
	++*at;
	return bind_number(t, &q->on->probe.scope, &q->on->predicate, err);
}

static int read_value(struct question *q, unsigned int i, size_t *at, struct error *err)
{
	struct tree *t = &q->on->probe.tree;
	const struct conversion *c = &q->format.list[i];
	struct lang_value *v = &q->values[i];

	*at = blanks(t->source.text, *at);
	if (t->source.text[*at] != ',')
		return source_error(&t->source, c->at, err, "there is no value for this");
	++*at;
	v->node = parse_expression(t, at, q->on->probe.scope.word, err);
	if (!v->node)
		return -1;
	v->is_text = c->letter == 's';
	v->is_whole = c->letter == 'S';
	if (v->is_whole)
		return bind_whole(t, &q->on->probe.scope, v->node, WHOLE_MOST, &v->whole, err);
	return v->is_text ? bind_text(t, &q->on->probe.scope, v->node, &v->text, err) :
	       bind_as(t, &q->on->probe.scope, &v->node, &c->type, err);
}

static int read_action(struct question *q, size_t *at, struct error *err)
{
	struct tree *t = &q->on->probe.tree;
	const char *text = t->source.text;

	*at = blanks(text, *at);
	if (!text[*at])
		return 0;
	if (format_text_parse(t, at, q->on->probe.scope.word, &q->format, err))
		return -1;
	q->has_format = true;
	for (unsigned int i = 0; i < q->format.n; i++)
		if (read_value(q, i, at, err))
			return -1;
	*at = blanks(text, *at);
	if (text[*at])
		return source_error(&t->source, *at, err, text[*at] == ',' ?
				    "the format shows no more values" : "this belongs to nothing");
	return 0;
}

/* ---- the program ---- */

/* A script_probe's `begin`. */
static void begin(struct code *c, int bottom, void *arg)
{
	(void)arg;
	record_sequence_add(c, trace_begin, trace_begin_n, bottom);
}

static int make_program(struct question *q, const struct script *s, struct error *err)
{
	struct script_probe *on = q->on;

	if (q->statement->size > FRAME_BYTES)
		return fail(err, "%s: its values come to %u bytes, and a program has %d: show less "
			    "of strings (--string-size), or fewer", on->probe.spec,
			    q->statement->size, FRAME_BYTES);
	on->begin = begin;
	if (script_compile(s, on))
		return fail(err, "out of memory");
	if (on->code.full)
		return fail(err, "%s: its values come to %u bytes, and a program has %d: "
			    "show less of strings (--string-size), or fewer", on->probe.spec,
			    on->code.least, FRAME_BYTES);
	return 0;
}

int question_make(struct script *s, struct question *q, const char *text, unsigned int number,
		  struct error *err)
{
	struct lang_probe *p;
	char hook[16];
	size_t at = 0;

	snprintf(hook, sizeof(hook), "probe%u.hit", number + 1);
	q->on = script_probe(s, text, hook);
	if (!q->on)
		return fail(err, "out of memory");
	p = &q->on->probe;
	if (probe_find(s->kernel, p, &at, err) || read_filter(q, &at, err) ||
	    read_action(q, &at, err))
		return -1;
	q->statement = script_statement(s, q->on, &(struct statement){
		.kind = STATEMENT_PRINT, .map = "events", .values = q->values, .n = q->format.n,
		.number = number,
	});
	if (!q->statement)
		return fail(err, "out of memory");
	if (make_program(q, s, err))
		return -1;
	/* A filter that reads memory is for BPF alone. */
	q->own = p->scope.event.tracepoint && !q->has_format && !inputs_may_fail(&p->scope.needs);
	p->whole = q->own;
	p->filter = q->on->predicate;
	return script_add(s, q->on) ? fail(err, "out of memory") : 0;
}

void question_free(struct question *q)
{
	format_text_free(&q->format);
}
