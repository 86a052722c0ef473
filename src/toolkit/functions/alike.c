// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/functions/alike.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/strbuf.h"
#include "src/toolkit/stacks/stacks.h"

static char *copy(const char *text, bool *failed)
{
	char *to = text ? strdup(text) : NULL;

	*failed |= text && !to;
	return to;
}

/* Names are those of now: the process may be another program later. */
static int keep_frames(struct alike_row *row, const struct record_stacks *s)
{
	const unsigned int n = s->n_kernel + s->n_user;
	bool failed = false;

	row->frames = calloc(n + 1, sizeof(*row->frames));
	if (!row->frames)
		return -1;
	row->n_kernel = s->n_kernel;
	row->n_user = s->n_user;
	for (unsigned int i = 0; i < n; i++) {
		row->frames[i] = s->frames[i];
		row->frames[i].name = copy(s->frames[i].name, &failed);
		row->frames[i].module = copy(s->frames[i].module, &failed);
	}
	return failed ? -1 : 0;
}

static void free_row(struct alike_row *row)
{
	for (unsigned int i = 0; row->frames && i < row->n_kernel + row->n_user; i++) {
		free((char *)row->frames[i].name);
		free((char *)row->frames[i].module);
	}
	free(row->frames);
	free((char *)row->stacked.kernel.s);
	free((char *)row->stacked.user.s);
	free(row->row);
}

static struct text folded(const struct stack_frame *frames, unsigned int n,
			  const struct stack_style *style)
{
	char *text = stack_folded(frames, n, style);

	return (struct text){ .s = text, .length = text ? (uint32_t)strlen(text) : 0 };
}

static void append(struct strbuf *key, const struct text *t)
{
	if (t->s)
		strbuf_add(key, t->s, t->length);
	strbuf_add(key, "", 1);
}

/* The row of a key, which counts once more. `s`: the stacks of a new one, `stacked` the same. */
static struct alike_row *count_row(struct alike *a, const struct strbuf *key,
				   const struct record_stacks *s, struct stacked *stacked)
{
	struct alike_row *row = key->cut ? NULL : hash_find(&a->rows, key->s, key->n);

	if (key->cut || row) {
		if (row)
			row->count++;
		return row;
	}
	a->rows.value_size = sizeof(*row);
	if (array_room(&a->list, a->n, sizeof(*a->list)) ||
	    !(row = hash_add(&a->rows, key->s, key->n)))
		return NULL;
	if (keep_frames(row, s)) {
		free_row(row);
		hash_remove(&a->rows, key->s, key->n);
		return NULL;
	}
	row->count = 1;
	row->number = a->n;
	row->stacked = *stacked;
	*stacked = (struct stacked){ };
	a->list[a->n++] = row;
	return row;
}

struct alike_row *alike_add(struct alike *a, const void *key, size_t size,
			    const struct text *text, const struct record *record,
			    struct error *err)
{
	const struct stack_style style = stacks_style(run_options(a->run));
	struct record_stacks s = { };
	struct stacked stacked;
	struct strbuf whole = { };
	struct alike_row *row;

	if (record && record_stacks_read(a->run, record, &s, err))
		return NULL;
	stacked.kernel = folded(s.frames, s.n_kernel, &style);
	stacked.user = folded(s.frames + s.n_kernel, s.n_user, &style);
	strbuf_add(&whole, key, size);
	append(&whole, text);
	append(&whole, &stacked.kernel);
	append(&whole, &stacked.user);
	row = count_row(a, &whole, &s, &stacked);
	free((char *)stacked.kernel.s);
	free((char *)stacked.user.s);
	free(whole.s);
	free(s.frames);
	if (!row)
		fail(err, "out of memory");
	return row;
}

static int by_count(const void *a, const void *b)
{
	const struct alike_row *const *x = a, *const *y = b;

	if ((*x)->count != (*y)->count)
		return (*x)->count > (*y)->count ? -1 : 1;
	return (*x)->number < (*y)->number ? -1 : 1;
}

void alike_sort(struct alike *a)
{
	if (a->n)
		qsort(a->list, a->n, sizeof(*a->list), by_count);
}

void alike_show(const struct alike *a, const struct alike_row *alike, const void *row)
{
	const struct stack_style style = stacks_style(run_options(a->run));
	const struct stack_shown shown = {
		.style = &style, .kernel = alike->frames, .n_kernel = alike->n_kernel,
		.user = alike->frames + alike->n_kernel, .n_user = alike->n_user,
	};

	output_row(run_output(a->run), row);
	if (shown.n_kernel || shown.n_user)
		output_frames(run_output(a->run), &shown);
}

void alike_free(struct alike *a)
{
	for (size_t i = 0; i < a->n; i++)
		free_row(a->list[i]);
	free(a->list);
	hash_clear(&a->rows);
	*a = (struct alike){ };
}
