// SPDX-License-Identifier: GPL-2.0
#include "src/lang/question.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define HEAD sizeof(struct trace_record)
#define AT(OFFSET) ((int16_t)(bottom + (int)(OFFSET)))

static size_t blanks(const char *text, size_t at)
{
	return at + strspn(text + at, " \t\n");
}

/* ---- reading ---- */

static int read_filter(struct question *q, size_t *at, struct error *err)
{
	struct tree *t = &q->probe.tree;
	const unsigned int word = q->probe.scope.word;

	*at = blanks(t->source.text, *at);
	if (t->source.text[*at] != '(')
		return 0;
	++*at;
	q->filter = parse_expression(t, at, word, err);
	if (!q->filter)
		return -1;
	if (t->source.text[*at] != ')')
		return source_error(&t->source, *at, err, "the filter's ')' is missing here");
	++*at;
	return bind_number(t, &q->probe.scope, &q->filter, err);
}

static int read_value(struct question *q, unsigned int i, size_t *at, struct error *err)
{
	struct tree *t = &q->probe.tree;
	const struct conversion *c = &q->format.list[i];
	struct lang_value *v = &q->values[i];

	*at = blanks(t->source.text, *at);
	if (t->source.text[*at] != ',')
		return source_error(&t->source, c->at, err, "there is no value for this");
	++*at;
	v->node = parse_expression(t, at, q->probe.scope.word, err);
	if (!v->node)
		return -1;
	v->is_text = c->letter == 's';
	return v->is_text ? bind_text(t, &q->probe.scope, v->node, &v->text, err) :
	       bind_as(t, &q->probe.scope, &v->node, &c->type, err);
}

static int read_action(struct question *q, size_t *at, struct error *err)
{
	struct tree *t = &q->probe.tree;
	const char *text = t->source.text;

	*at = blanks(text, *at);
	if (!text[*at])
		return 0;
	if (format_text_parse(t, at, q->probe.scope.word, &q->format, err))
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

/* Adds a sequence of insns/programs/trace.c, with its record at `bottom`. */
static void add_sequence(struct code *c, const struct insn *list, unsigned int n, int bottom)
{
	for (unsigned int i = 0; i < n; i++) {
		struct insn insn = list[i];
		const int class = BPF_CLASS(insn.bpf.code);
		const uint16_t line = insn.line;

		if (insn.symbol == SYM_BYTES || (insn.symbol == PLAIN && insn.bpf.dst_reg == R10 &&
						 (class == BPF_ST || class == BPF_STX)))
			insn.bpf.off = (int16_t)(insn.bpf.off + bottom + (int)HEAD);
		code_add(c, insn);
		if (!c->failed)
			c->insns[c->n - 1].line = line;
	}
}

static int make_program(struct question *q, bool big_endian, unsigned int number,
			unsigned int size, struct error *err)
{
	struct code *c = &q->code;
	const int bottom = -(int)size;
	const char *out;

	if (size > FRAME_BYTES)
		return fail(err, "%s: its values come to %u bytes, and a program has %d: show less "
			    "of texts (--string-size), or fewer", q->probe.spec, size, FRAME_BYTES);
	c->scope = &q->probe.scope;
	c->big_endian = big_endian;
	code_room(c, size);
	out = code_label(c);
	add_sequence(c, trace_begin, trace_begin_n, bottom);
	if (q->filter) {
		code_value(c, q->filter, q->filter->faults ? out : NULL);
		CODE(c, JEQ(R6, 0, out));
	}
	add_sequence(c, trace_fill, trace_fill_n, bottom);
	CODE(c, BPF_ST_MEM(BPF_W, R10, AT(offsetof(struct trace_record, probe)), (int)number));
	for (unsigned int i = 0; i < q->format.n; i++)
		values_add(c, q->values, i, bottom,
			   AT(offsetof(struct trace_record, unknown)));
	CODE(c, OUTPUT_AT("events", (int16_t)bottom, (int)size));
	CODE(c, LABEL(out));
	CODE(c, BPF_MOV64_IMM(R0, 1));
	CODE(c, BPF_EXIT_INSN());
	if (c->failed)
		return fail(err, "out of memory");
	if (c->full)
		return fail(err, "%s: what it computes comes to %u bytes, and a program has %d: "
			    "show less of texts (--string-size), or fewer", q->probe.spec, c->least,
			    FRAME_BYTES);
	return 0;
}

int question_make(struct kernel *k, struct question *q, const char *text, unsigned int number,
		  unsigned int text_size, struct error *err)
{
	size_t at = 0;

	q->probe.tree.source.text = text;
	q->probe.scope.text_size = text_size;
	snprintf(q->name, sizeof(q->name), "probe%u.hit", number + 1);
	if (probe_find(k, &q->probe, &at, err) || read_filter(q, &at, err) ||
	    read_action(q, &at, err))
		return -1;
	q->size = values_lay_out(q->values, q->format.n, HEAD, text_size);
	if (make_program(q, kernel_arch(k)->big_endian, number, q->size, err))
		return -1;
	/* A filter that reads memory is for BPF alone, as is one by cgroup. */
	q->own = q->probe.scope.tracepoint && !q->has_format && !q->probe.in_cgroup &&
		 !inputs_may_fail(&q->probe.scope);
	q->probe.whole = q->own;
	q->probe.filter = q->filter;
	return probe_hook(&q->probe, q->name) ? fail(err, "out of memory") : 0;
}

void question_free(struct question *q)
{
	probe_free(&q->probe);
	format_text_free(&q->format);
	code_free(&q->code);
}
