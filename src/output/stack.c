// SPDX-License-Identifier: GPL-2.0
/* Stacks as text: bcc's layout, and folded ones, which everybody's flame graphs are made of. */
#include "src/output/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void output_stack(struct output *o, const struct stack_shown *s)
{
	o->writer->stack(o, s);
	put_end(o);
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

static void write_folded(FILE *line, const struct stack_shown *s, const struct stack_style *style)
{
	if (s->comm.s)
		write_part(line, s->comm.s, s->comm.length);
	else
		fputc('-', line);
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

static void put_frames(struct output *o, const struct stack_frame *frames, unsigned int n,
		       const struct stack_style *style)
{
	for (unsigned int i = 0; i < n; i++) {
		char *text = NULL;
		size_t size;
		FILE *line = open_memstream(&text, &size);

		if (line)
			write_frame(line, &frames[i], style);
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
}

/* What a number alone is of is said at the beginning. */
static void put_values(struct output *o, const struct stack_shown *s)
{
	for (unsigned int i = 0; i < s->n_values; i++) {
		put_string(o, i ? ", " : "\n        ");
		put_decimal(o, s->values[i].value, false);
		if (s->n_values > 1) {
			put(o, " ", 1);
			put_string(o, s->values[i].unit);
		}
	}
	put_string(o, "\n\n");
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
	put_frames(o, s->kernel, s->n_kernel, s->style);
	if (s->style->delimited && s->n_kernel && s->n_user)
		put_string(o, "    --\n");
	put_frames(o, s->user, s->n_user, s->style);
	put_string(o, "    -                ");
	put_text(o, s->comm.s ? &s->comm : &text_nothing);
	if (s->pid != NOTHING) {
		put_string(o, " (");
		put_decimal(o, (uint64_t)s->pid, true);
		put(o, ")", 1);
	}
	put_values(o, s);
}
