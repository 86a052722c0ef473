// SPDX-License-Identifier: GPL-2.0
/* Stacks as text: bcc's layout, and folded ones, which everybody's flame graphs are made of. */
#include "src/lib/output/writer.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void output_stack(struct output *o, const struct stack_shown *s)
{
	for_each_listener(l, o) {
		assert(!l->ended);
		if (l->writer->stack)
			l->writer->stack(l, s);
		put_end(l);
	}
}

/* A semicolon is what comes between two functions of a folded stack. */
static void write_part(FILE *line, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fputc(s[i] == ';' ? ':' : s[i], line);
}

/* Of a function without a name, what is known of it. */
static void write_name(FILE *line, const struct stack_frame *f, const struct stack_style *style)
{
	if (style->addresses && f->kind != FRAME_MARK)
		fprintf(line, "0x%llx", (unsigned long long)f->address);
	else if (f->name && style->folded)
		write_part(line, f->name, strlen(f->name));
	else if (f->name)
		fputs(f->name, line);
	else if (!f->module || !style->folded)
		fputs("[unknown]", line);
	else
		fprintf(line, "[%s]", f->module);
	if (style->annotated && f->kind == FRAME_KERNEL)
		fputs("_[k]", line);
	else if (style->annotated && f->kind == FRAME_JIT)
		fputs("_[j]", line);
}

static void write_known(FILE *line, const struct text *t)
{
	if (t->s)
		write_part(line, t->s, t->length);
	else
		fputc('-', line);
}

static void write_comm(FILE *line, const struct stack_shown *s)
{
	if (s->grouped) {
		write_known(line, &s->group);
		fputc(';', line);
	}
	write_known(line, &s->comm);
}

static void write_stacks(FILE *line, const struct stack_shown *s, const struct stack_style *style)
{
	for (unsigned int i = s->n_user; i-- > 0;) {
		fputc(';', line);
		write_name(line, &s->user[i], style);
	}
	if (style->delimited && s->n_user && s->n_kernel)
		fputs(";-", line);
	for (unsigned int i = s->n_kernel; i-- > 0;) {
		fputc(';', line);
		write_name(line, &s->kernel[i], style);
	}
}

/* Turned round: on top of the sleeper's newest function is the one that woke it. */
static void write_waker(FILE *line, const struct stack_shown *s, const struct stack_style *style)
{
	fputs(";--", line);
	for (unsigned int i = 0; i < s->n_kernel; i++) {
		fputc(';', line);
		write_name(line, &s->kernel[i], style);
	}
	if (style->delimited && s->n_user && s->n_kernel)
		fputs(";-", line);
	for (unsigned int i = 0; i < s->n_user; i++) {
		fputc(';', line);
		write_name(line, &s->user[i], style);
	}
	fputc(';', line);
	write_comm(line, s);
}

static bool is_bare(const struct stack_shown *s)
{
	return s->waker && !s->kernel && !s->user;
}

static void write_folded(FILE *line, const struct stack_shown *s, const struct stack_style *style)
{
	if (is_bare(s)) {
		write_comm(line, s->waker);
		write_stacks(line, s->waker, style);
		fputc(';', line);
		write_comm(line, s);
		return;
	}
	write_comm(line, s);
	write_stacks(line, s, style);
	if (s->waker)
		write_waker(line, s->waker, style);
}

void put_folded(struct output *o, const struct stack_shown *s)
{
	struct stack_style style = *s->style;
	char *text = NULL;
	size_t size;
	FILE *line = open_memstream(&text, &size);

	style.folded = true;
	if (line)
		write_folded(line, s, &style);
	if (!line || fclose(line))
		o->error = ENOMEM;
	else
		put_text(o, &(struct text){ .s = text, .length = (uint32_t)size });
	free(text);
}

static void write_frame(FILE *line, const struct stack_frame *f, const struct stack_style *style)
{
	write_name(line, f, style);
	if (f->kind == FRAME_MARK)
		return;
	if (style->offsets && (f->name || f->module))
		fprintf(line, "+0x%llx", (unsigned long long)f->offset);
	if (f->module)
		fprintf(line, " [%s]", f->module);
}

static void put_frame(struct output *o, const struct stack_frame *frame,
		      const struct stack_style *style)
{
	char *text = NULL;
	size_t size;
	FILE *line = open_memstream(&text, &size);

	if (line)
		write_frame(line, frame, style);
	if (!line || fclose(line)) {
		o->error = ENOMEM;
		free(text);
		return;
	}
	put_string(o, "    ");
	put_text(o, &(struct text){ .s = text, .length = (uint32_t)size });
	put(o, "\n", 1);
	put_end(o);
	free(text);
}

static void put_frames(struct output *o, const struct stack_frame *frames, unsigned int n,
		       const struct stack_style *style)
{
	for (unsigned int i = 0; i < n; i++)
		put_frame(o, &frames[i], style);
}

static void put_stacks(struct output *o, const struct stack_shown *s,
		       const struct stack_style *style)
{
	put_frames(o, s->kernel, s->n_kernel, style);
	if (style->delimited && s->n_kernel && s->n_user)
		put_string(o, "    --\n");
	put_frames(o, s->user, s->n_user, style);
}

/* The oldest function first. */
static void put_stacks_turned(struct output *o, const struct stack_shown *s,
			      const struct stack_style *style)
{
	for (unsigned int i = s->n_user; i-- > 0;)
		put_frame(o, &s->user[i], style);
	if (style->delimited && s->n_kernel && s->n_user)
		put_string(o, "    -\n");
	for (unsigned int i = s->n_kernel; i-- > 0;)
		put_frame(o, &s->kernel[i], style);
}

static void put_task(struct output *o, const char *head, const struct stack_shown *s)
{
	put_string(o, head);
	put_text(o, s->comm.s ? &s->comm : &text_nothing);
	if (s->tid || s->pid != NOTHING) {
		put_string(o, " (");
		put_decimal(o, (uint64_t)(s->tid ? s->tid : s->pid), true);
		put(o, ")", 1);
	}
	put(o, "\n", 1);
}

/* What a number alone is of is said at the beginning. */
static void put_values(struct output *o, const struct stack_shown *s)
{
	for (unsigned int i = 0; i < s->n_values; i++) {
		put_string(o, i ? ", " : "        ");
		put_decimal(o, s->values[i].value, false);
		if (s->n_values > 1) {
			put(o, " ", 1);
			put_string(o, s->values[i].unit);
		}
	}
	put_string(o, "\n\n");
}

static void put_bare(struct output *o, const struct stack_shown *s)
{
	put_task(o, "    target:          ", s);
	put_stacks(o, s->waker, s->style);
	put_task(o, "    waker:           ", s->waker);
}

static void put_woken(struct output *o, const struct stack_shown *s)
{
	put_task(o, "    waker:           ", s->waker);
	put_stacks_turned(o, s->waker, s->style);
	put_string(o, "    --               --\n");
	put_stacks(o, s, s->style);
	put_task(o, "    target:          ", s);
}

void put_text_stack(struct output *o, const struct stack_shown *s)
{
	if (s->style->folded) {
		put_folded(o, s);
		put(o, " ", 1);
		put_decimal(o, s->values[0].value, false);
		put(o, "\n", 1);
		return;
	}
	if (is_bare(s)) {
		put_bare(o, s);
	} else if (s->waker) {
		put_woken(o, s);
	} else {
		put_stacks(o, s, s->style);
		/* Of several tasks nothing is known. */
		if (s->comm.s || s->tid || s->pid != NOTHING)
			put_task(o, "    -                ", s);
	}
	if (s->grouped) {
		put_string(o, "    cgroup:          ");
		put_text(o, s->group.s ? &s->group : &text_nothing);
		put(o, "\n", 1);
	}
	put_values(o, s);
}

void output_frames(struct output *o, const struct stack_shown *s)
{
	if (!o->format->people || o->deaf)
		return;
	if (s->style->folded) {
		put_folded(o, s);
		put(o, "\n", 1);
	} else {
		put_frames(o, s->kernel, s->n_kernel, s->style);
		if (s->style->delimited && s->n_kernel && s->n_user)
			put_string(o, "    --\n");
		put_frames(o, s->user, s->n_user, s->style);
		put(o, "\n", 1);
	}
	put_end(o);
}

char *stack_folded(const struct stack_frame *frames, unsigned int n,
		   const struct stack_style *style)
{
	struct stack_style folded = *style;
	char *text = NULL;
	size_t size;
	FILE *line = n ? open_memstream(&text, &size) : NULL;

	if (!line)
		return NULL;
	folded.folded = true;
	for (unsigned int i = n; i-- > 0;) {
		write_name(line, &frames[i], &folded);
		if (i)
			fputc(';', line);
	}
	return fclose(line) ? NULL : text;
}
