// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/functions/alike.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "src/toolkit/stacks/stacks.h"

static uint64_t hash(const void *key, size_t size)
{
	const uint8_t *bytes = key;
	uint64_t h = 14695981039346656037ULL;

	while (size--)
		h = (h ^ *bytes++) * 1099511628211ULL;
	return h;
}

/* Where the key is in the table, or belongs. */
static size_t *place(const struct alike *a, const void *key, size_t size)
{
	size_t i = hash(key, size) & (a->room - 1);

	for (; a->table[i]; i = (i + 1) & (a->room - 1)) {
		const struct alike_row *row = a->list[a->table[i] - 1];

		if (row->size == size && !memcmp(row->key, key, size))
			break;
	}
	return &a->table[i];
}

/* The table is never more than half full. */
static int grow(struct alike *a)
{
	size_t *more, room = a->room ? 2 * a->room : 64;

	if (a->n < a->room / 2)
		return 0;
	more = calloc(room, sizeof(*more));
	if (!more)
		return -1;
	free(a->table);
	a->table = more;
	a->room = room;
	for (size_t i = 0; i < a->n; i++)
		*place(a, a->list[i]->key, a->list[i]->size) = i + 1;
	return 0;
}

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
	if (!row)
		return;
	for (unsigned int i = 0; row->frames && i < row->n_kernel + row->n_user; i++) {
		free((char *)row->frames[i].name);
		free((char *)row->frames[i].module);
	}
	free(row->frames);
	free((char *)row->stacked.kernel.s);
	free((char *)row->stacked.user.s);
	free(row->row);
	free(row);
}

static struct text folded(const struct stack_frame *frames, unsigned int n,
			  const struct stack_style *style)
{
	char *text = stack_folded(frames, n, style);

	return (struct text){ .s = text, .length = text ? (uint32_t)strlen(text) : 0 };
}

static size_t append(char *to, size_t at, const struct text *t)
{
	if (t->s)
		memcpy(to + at, t->s, t->length);
	return at + t->length + 1;
}

/* A row that is known by the key, the text and the stacks. */
static struct alike_row *new_row(struct alike *a, const void *key, size_t size,
				 const struct text *text, const struct record_stacks *s)
{
	const struct stack_style style = stacks_style(run_options(a->run));
	const struct text kernel = folded(s->frames, s->n_kernel, &style),
			  user = folded(s->frames + s->n_kernel, s->n_user, &style);
	const size_t all = size + text->length + kernel.length + user.length + 3;
	struct alike_row *row = calloc(1, sizeof(*row) + all);

	if (!row) {
		free((char *)kernel.s);
		free((char *)user.s);
		return NULL;
	}
	memcpy(row->key, key, size);
	append(row->key, append(row->key, append(row->key, size, text), &kernel), &user);
	row->size = all;
	row->count = 1;
	row->stacked = (struct stacked){ kernel, user };
	return row;
}

struct alike_row *alike_add(struct alike *a, const void *key, size_t size,
			    const struct text *text, const struct record *record,
			    struct error *err)
{
	struct record_stacks s = { };
	struct alike_row *row;
	size_t *at;

	if (record && record_stacks_read(a->run, record, &s, err))
		return NULL;
	row = new_row(a, key, size, text, &s);
	if (!row || grow(a) || array_room(&a->list, a->n, sizeof(*a->list)))
		goto fail;
	at = place(a, row->key, row->size);
	if (*at) {
		free_row(row);
		row = a->list[*at - 1];
		row->count++;
	} else {
		if (keep_frames(row, &s))
			goto fail;
		row->number = a->n;
		a->list[a->n++] = row;
		*at = a->n;
	}
	free(s.frames);
	return row;
fail:
	fail(err, "out of memory");
	free_row(row);
	free(s.frames);
	return NULL;
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
	free(a->table);
	a->table = NULL;
	a->room = 0;
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
	free(a->table);
	*a = (struct alike){ };
}
