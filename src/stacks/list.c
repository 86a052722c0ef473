// SPDX-License-Identifier: GPL-2.0
/* From what programs counted to what is printed: names, a row for all with the same ones, order. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "insns/stack_mark.h"
#include "src/stacks/graph.h"
#include "src/stacks/stacks_internal.h"

static void add_mark(struct stack_row *row, const char *text)
{
	row->frames[row->n_kernel + row->n_user] = (struct stack_frame){
		.kind = FRAME_MARK, .name = text,
	};
}

static void add_stack(struct stack_list *l, struct stack_row *row, int32_t number, bool user)
{
	uint64_t addresses[STACK_DEPTH];
	unsigned int *n = user ? &row->n_user : &row->n_kernel, i;

	if (number == -EFAULT)		/* there is none */
		return;
	if (number < 0 || run_get(l->run, l->map, &number, addresses)) {
		l->run->stacks->lost++;
		/* BPF's table has one place for each stack, by its hash. */
		add_mark(row, number == -EEXIST ? "[lost: collision]" : "[lost: table full]");
		++*n;
		return;
	}
	for (i = 0; i < STACK_DEPTH && addresses[i]; i++, ++*n) {
		const char *mark = stack_mark_text(addresses[i]);

		if (mark) {
			l->run->stacks->unrecorded += addresses[i] == STACK_MARK(LOST);
			add_mark(row, mark);
			continue;
		}
		row->frames[row->n_kernel + row->n_user] = (struct stack_frame){
			.kind = user ? FRAME_USER : FRAME_KERNEL, .address = addresses[i],
		};
	}
	if (i == STACK_DEPTH) {
		add_mark(row, "[cut at 127]");
		++*n;
	}
}

/* A process, or the name of a task, that the key does not have or does not know is not there. */
static void add_task(const struct stack_list *l, struct stack_row *row, const void *key)
{
	uint64_t tgid = l->tgid ? field_number(l->tgid, key) : 0;

	row->pid = l->tgid && !(l->tgid->has_unknown && tgid == l->tgid->unknown) ?
		   (int64_t)tgid : NOTHING;
	if (l->comm)
		memcpy(row->comm, (const char *)key + l->comm->offset, sizeof(row->comm) - 1);
	if (row->pid != NOTHING)
		row->n_times = lives_times(&l->run->stacks->lives, (uint32_t)tgid, row->comm,
					   row->times);
}

/* Where most stacks have one function, the kernel did not find their callers. */
static void weigh(struct stacks *s, const struct stack_row *row)
{
	if (!row->n_user || row->frames[row->n_kernel].kind == FRAME_MARK)
		return;
	s->user += row->values[0];
	if (row->n_user == 1)
		s->lonely += row->values[0];
}

void stack_list_add(void *list, const void *key, const void *value)
{
	struct stack_list *l = list;
	struct stack_row *row;
	size_t size;

	if (l->failed || array_room(&l->rows, l->n, sizeof(*l->rows))) {
		l->failed = true;
		return;
	}
	row = &l->rows[l->n];
	*row = (struct stack_row){ .frames = l->frames };
	for (unsigned int i = 0; i < l->n_values; i++) {
		row->values[i] = field_number(l->values[i], value);
		if (l->of->values[i].divisor)
			row->values[i] /= l->of->values[i].divisor;
	}
	add_task(l, row, key);
	if (l->kernel)
		add_stack(l, row, (int32_t)field_number(l->kernel, key), false);
	if (l->user)
		add_stack(l, row, (int32_t)field_number(l->user, key), true);
	weigh(l->run->stacks, row);
	size = (row->n_kernel + row->n_user) * sizeof(*row->frames);
	row->frames = malloc(size + 1);
	l->failed = !row->frames;
	if (row->frames) {
		memcpy(row->frames, l->frames, size);
		l->n++;
	}
}

/* ---- order ---- */

static int compare_text(const char *a, const char *b)
{
	if (a == b)
		return 0;
	return !a ? -1 : !b ? 1 : strcmp(a, b);
}

/* Addresses within one function are the same, unless people see them. */
static int compare_frames(const struct stack_frame *a, const struct stack_frame *b, bool exact)
{
	int order = compare_text(a->name, b->name);

	if (!order)
		order = compare_text(a->module, b->module);
	if (!order && exact)
		order = (a->address > b->address) - (a->address < b->address);
	return order;
}

static int by_stack(const void *a, const void *b, void *exact)
{
	const struct stack_row *x = a, *y = b;
	int order = (x->pid > y->pid) - (x->pid < y->pid);

	if (!order)
		order = strcmp(x->comm, y->comm);
	if (!order)
		order = (int)x->n_kernel - (int)y->n_kernel;
	if (!order)
		order = (int)x->n_user - (int)y->n_user;
	for (unsigned int i = 0; !order && i < x->n_kernel + x->n_user; i++)
		order = compare_frames(&x->frames[i], &y->frames[i], *(bool *)exact);
	return order;
}

static int by_value(const void *a, const void *b, void *exact)
{
	const struct stack_row *x = a, *y = b;

	return x->values[0] != y->values[0] ? (x->values[0] > y->values[0]) -
	       (x->values[0] < y->values[0]) : by_stack(a, b, exact);
}

/* Stacks with the same names are one row; those with the most come last. */
static void fold(struct stack_list *l)
{
	const struct options *o = l->run->options;
	bool exact = option_number(o, "offsets") || option_number(o, "addresses");
	unsigned int kept = 0;

	if (!l->n)
		return;
	qsort_r(l->rows, l->n, sizeof(*l->rows), by_stack, &exact);
	for (unsigned int i = 1; i < l->n; i++) {
		if (by_stack(&l->rows[kept], &l->rows[i], &exact)) {
			l->rows[++kept] = l->rows[i];
			continue;
		}
		for (unsigned int j = 0; j < l->n_values; j++)
			l->rows[kept].values[j] += l->rows[i].values[j];
		free(l->rows[i].frames);
	}
	l->n = kept + 1;
	qsort_r(l->rows, l->n, sizeof(*l->rows), by_value, &exact);
}

static int print(const struct stack_list *l, struct error *err)
{
	const struct options *o = l->run->options;
	const struct stack_style style = {
		.folded = option_number(o, "folded"),
		.delimited = option_number(o, "delimited"),
		.annotated = option_number(o, "annotations"),
		.offsets = option_number(o, "offsets"),
		.addresses = option_number(o, "addresses"),
	};
	struct stack_value values[STACK_VALUES];
	struct stack_shown shown = {
		.name = l->run->tool->name, .style = &style,
		.values = values, .n_values = l->n_values,
		.clock_ns = option_number(o, "interval") ? run_interval_clock(l->run) : NOTHING,
	};

	for (unsigned int i = 0; i < l->n; i++) {
		const struct stack_row *row = &l->rows[i];

		shown.pid = row->pid;
		shown.comm = (struct text){ .s = row->comm[0] ? row->comm : NULL,
					    .length = (uint32_t)strlen(row->comm) };
		shown.kernel = row->frames;
		shown.n_kernel = row->n_kernel;
		shown.user = row->frames + row->n_kernel;
		shown.n_user = row->n_user;
		for (unsigned int j = 0; j < l->n_values; j++)
			values[j] = (struct stack_value){ l->of->values[j].unit, row->values[j] };
		output_stack(l->run->output, &shown);
		if (graph_add(l->run, &shown, err))
			return -1;
	}
	return 0;
}

/* The value of a map that does not say what is in it is one number. */
static const struct record_field one_number = { .type = FIELD_UNSIGNED, .size = 8 };

static const struct map *map_named(const struct run *r, const char *name)
{
	const struct map *m = r->programs->maps;

	while (strcmp(m->name, name))
		m++;
	return m;
}

static const char *map_of_stacks(const struct run *r)
{
	const struct map *m = r->programs->maps;

	while (m->kind != MAP_STACKS)
		m++;
	return m->name;
}

struct stack_list *stack_list_new(struct run *r, const struct tool_stacks *of)
{
	const struct map *map = map_named(r, of->map);
	struct stack_list *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->run = r;
	l->of = of;
	l->map = map_of_stacks(r);
	for (unsigned int i = 0; i < r->plan.plan.n_attachments; i++)
		l->sampled |= event_traits(r->plan.plan.attachments[i].event->kind)->timed;
	l->tgid = layout_field(map->key, "tgid");
	l->comm = layout_field(map->key, "comm");
	l->kernel = layout_field(map->key, "kernel_stack");
	l->user = layout_field(map->key, "user_stack");
	for (; l->n_values < STACK_VALUES && of->values[l->n_values].unit; l->n_values++)
		l->values[l->n_values] = of->values[l->n_values].field ?
			layout_field(map->value, of->values[l->n_values].field) : &one_number;
	return l;
}

void stack_list_free(struct stack_list *l)
{
	for (unsigned int i = 0; l && i < l->n; i++)
		free(l->rows[i].frames);
	free(l ? l->rows : NULL);
	free(l ? l->wanted : NULL);
	free(l);
}

int stack_list_print(struct stack_list *l, struct error *err)
{
	if (l->failed)
		return fail(err, "out of memory");
	if (stack_list_name(l, err))
		return -1;
	fold(l);
	return print(l, err);
}

int stacks_show(struct run *r, const struct tool_stacks *of, struct error *err)
{
	struct stack_list *l = stack_list_new(r, of);
	int result;

	if (!l)
		return fail(err, "out of memory");
	result = stacks_now(r, err);
	if (!result)
		result = run_take(r, of->map, stack_list_add, l, err);
	if (!result)
		result = stack_list_print(l, err);
	stack_list_free(l);
	lives_forget(&r->stacks->lives, 0);
	return result;
}
