// SPDX-License-Identifier: GPL-2.0
/* The texts that numbers of stacks become. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/escape.h"
#include "src/bt/run/run.h"
#include "src/lib/output/records.h"
#include "src/toolkit/stacks/stacks.h"

/* ---- texts ---- */

/* `value` is not aligned. */
static struct stack_asked asked_of(const struct bt_shape *shape, const void *value)
{
	struct bt_user_stack s = { };

	assert(shape->kind == BT_STACK);
	memcpy(&s, value, shape->size);
	return (struct stack_asked){
		.number = s.number, .user = shape->stack.user, .value = 1,
		.caller = shape->stack.way == BT_STACK_SYMBOL ? 0 : s.caller,
		.address = shape->stack.way == BT_STACK_SYMBOL ? s.caller : 0,
		.pid = s.tgid == UINT32_MAX ? NOTHING : s.tgid,
		.comm = shape->stack.user ?
			(const char *)value + offsetof(struct bt_user_stack, comm) : NULL,
	};
}

static void put_frame(FILE *to, const struct stack_frame *f, const struct bt_shape *shape)
{
	static const char *const indents[] = { "        ", "\t", "" };

	fputs(f->kind == FRAME_MARK ? indents[0] : indents[shape->stack.way], to);
	if (f->kind != FRAME_MARK && shape->stack.way != BT_STACK_NAMES)
		fprintf(to, "%" PRIx64, f->address);
	if (f->kind == FRAME_MARK) {
		fputs(f->name, to);
	} else if (shape->stack.way != BT_STACK_RAW) {
		fputs(shape->stack.way == BT_STACK_PERF ? " " : "", to);
		if (f->name) {
			escape_text(to, f->name, strlen(f->name));
			fprintf(to, "+%" PRIu64, f->offset);
		} else {
			fprintf(to, "0x%" PRIx64, f->address);
		}
		if (shape->stack.way == BT_STACK_PERF && shape->stack.user && f->module) {
			fputs(" (", to);
			escape_text(to, f->module, strlen(f->module));
			fputs(")", to);
		}
	}
	fputc('\n', to);
}

static void put_frames(FILE *to, const struct stack_asked *a, const struct bt_shape *shape)
{
	fputc('\n', to);
	for (unsigned int i = 0; i < a->n && i < shape->stack.most; i++)
		put_frame(to, &a->frames[i], shape);
}

static void put_symbol(FILE *to, const struct stack_asked *a)
{
	if (a->n && a->frames->name)
		escape_text(to, a->frames->name, strlen(a->frames->name));
	else
		fprintf(to, "0x%" PRIx64, a->address);
}

/* How many functions are shown, and the mark of a stack that goes on, or was lost. */
static void put_length(FILE *to, const struct stack_asked *a, const struct bt_shape *shape)
{
	const struct stack_frame *last = a->n ? &a->frames[a->n - 1] : NULL;
	const unsigned int most = shape->stack.most;
	const bool cut = last && last->kind == FRAME_MARK && a->n <= most;

	fprintf(to, "%u", (a->n < most ? a->n : most) - (unsigned int)cut);
	if (cut)
		fprintf(to, " %s", last->name);
}

/* The text of a stack that was named; it stays to the end of the run. NULL: no memory. */
static const char *text_of_frames(struct bt_run *r, const struct stack_asked *a,
				  const struct bt_shape *shape)
{
	char *text = NULL;
	const char *kept;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	if (shape->stack.way == BT_STACK_SYMBOL)
		put_symbol(to, a);
	else if (shape->stack.way == BT_STACK_LENGTH)
		put_length(to, a, shape);
	else
		put_frames(to, a, shape);
	if (fclose(to)) {
		free(text);
		return NULL;
	}
	kept = pool_find(&r->stacks, text);
	kept = kept ? kept : pool_add(&r->stacks, text, text);
	free(text);
	return kept;
}

struct text bt_stack_text(struct bt_run *r, const struct bt_order *o, const struct bt_shape *shape,
			  const void *value, uint64_t time)
{
	const struct stacks_when when = { .time = time, .sampled = o->sampled };
	struct stack_asked asked = asked_of(shape, value);
	struct error err = { };
	const char *text;

	if (stacks_name(r->run, &asked, 1, &when, &err)) {
		run_fail(r->run, &err);
		return (struct text){ };
	}
	text = text_of_frames(r, &asked, shape);
	free(asked.frames);
	if (!text)
		bt_no_memory(r);
	return (struct text){ .s = text, .length = text ? (uint32_t)strlen(text) : 0 };
}

/* ---- keys ---- */

/* All maps with stacks were taken since then. What is kept in a map is of any time. */
static uint64_t taken_first(const struct bt_run *r)
{
	uint64_t first = UINT64_MAX;

	for (const struct bt_map *m = r->bt->maps; m; m = m->next) {
		if (bt_has_stacks(m) && m->table->taken < first)
			first = m->table->taken;
		if (bt_keeps_stacks(m))
			first = 0;
	}
	return first;
}

/* Calls `each` for each stack in the keys of rows from number `from` on. */
struct stack_walk {
	struct bt_run *r;
	const struct bt_map *m;
	struct stack_asked *list;
	size_t n;
	bool failed;
};
typedef void each_fn(struct stack_walk *w, const struct bt_row *row, const struct bt_shape *shape,
		     uint8_t *part);

static void each_stack(struct stack_walk *w, size_t from, each_fn *each)
{
	const struct bt_map *m = w->m;

	w->n = 0;
	for (size_t i = from; i < m->table->n; i++) {
		const struct bt_row *row = &m->table->rows[i];

		for (unsigned int k = 0; k < m->n_keys; k++)
			if (m->keys[k].kind == BT_STACK)
				each(w, row, &m->keys[k], row->key + bt_key_offset(m, k));
		if (bt_keeps_stacks(m))
			each(w, row, &m->value, (uint8_t *)row->text);
	}
}

static void ask(struct stack_walk *w, const struct bt_row *row, const struct bt_shape *shape,
		uint8_t *part)
{
	struct stack_asked *a = &w->list[w->n++];

	*a = asked_of(shape, part);
	a->value = bt_is_sums(w->m->kind) ? row->amount.sums.count : row->amount.number;
}

/* The address of the text is the part of the key from now on: equal texts are one entry. */
static void put_text(struct stack_walk *w, const struct bt_row *row, const struct bt_shape *shape,
		     uint8_t *part)
{
	const char *text = text_of_frames(w->r, &w->list[w->n++], shape);
	const uint64_t bits = (uintptr_t)text;

	(void)row;
	w->failed |= !text;
	memset(part, 0, shape->size);
	memcpy(part, &bits, sizeof(bits));
}

int bt_stacks_taken(struct bt_run *r, const struct bt_map *m, size_t from, uint64_t now)
{
	const struct stacks_when when = {
		.since = taken_first(r) ? m->table->taken : 0, .sampled = !m->at_events,
	};
	struct stack_walk w = { .r = r, .m = m };
	struct error err = { };
	int result = -1;

	w.list = calloc((m->table->n - from) * (m->n_keys + 1) + 1, sizeof(*w.list));
	if (!w.list) {
		bt_no_memory(r);
		return -1;
	}
	each_stack(&w, from, ask);
	if (stacks_name(r->run, w.list, (unsigned int)w.n, &when, &err))
		run_fail(r->run, &err);
	else
		result = 0;
	if (!result)
		each_stack(&w, from, put_text);
	for (size_t i = 0; i < w.n; i++)
		free(w.list[i].frames);
	free(w.list);
	m->table->taken = now;
	stacks_forget(r->run, taken_first(r));
	if (w.failed)
		bt_no_memory(r);
	return w.failed ? -1 : result;
}
