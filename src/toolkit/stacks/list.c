// SPDX-License-Identifier: GPL-2.0
/* From counts of programs to printed rows: stacks are named, and equal stacks are one row. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/kinds/kinds.h"
#include "insns/stack_mark.h"
#include "src/lib/output/records.h"
#include "src/run/options/common.h"
#include "src/toolkit/stacks/exports.h"
#include "src/toolkit/stacks/graph.h"
#include "src/toolkit/stacks/hottest.h"
#include "src/toolkit/stacks/stacks_internal.h"

static void add_mark(struct stack_side *side, const char *text)
{
	side->frames[side->n_kernel + side->n_user] = (struct stack_frame){
		.kind = FRAME_MARK, .name = text,
	};
}

const struct stack_absence *stack_absence(int32_t number)
{
	static const struct stack_absence absences[] = {
		{ STACK_BEFORE, "[asleep before the trace]", ABSENCE_KNOWN },
		{ STACK_PREEMPTED, "[preempted]", ABSENCE_KNOWN },
		{ STACK_NOT_WOKEN, "[not woken]", ABSENCE_KNOWN },
		{ STACK_NOT_SEEN, "[waker not seen]", ABSENCE_KNOWN },
		/* BPF's table has one place for each stack, by its hash. */
		{ -EEXIST, "[lost: collision]", ABSENCE_LOST },
		{ -ENOMEM, "[lost: table full]", ABSENCE_LOST },
		{ -EBUSY, "[lost: table is emptied]", ABSENCE_LOST },
		{ 0, "[lost: not recorded]", ABSENCE_UNRECORDED },
	};
	const struct stack_absence *a = absences;

	/* A table lacks the stack of a number that it gave only while it is emptied. */
	if (number >= 0)
		number = -EBUSY;
	while (a->number && a->number != number)
		a++;
	return a;
}

/* Adds a frame that says why there is no stack. */
static void add_absence(struct stack_list *l, struct stack_side *side, int32_t number)
{
	const struct stack_absence *a = stack_absence(number);

	l->absences |= 1U << a->kind;
	add_mark(side, a->text);
}

static bool unsaved(const uint64_t *addresses, unsigned int i)
{
	return i == STACK_SAVED && addresses[i + 1] &&
		(!addresses[i] || addresses[i] == STACK_MARK(CALLER));
}

unsigned int stack_depth(uint64_t *addresses, bool user, bool twice)
{
	unsigned int n = STACK_DEPTH;

	if (!user) {
		while (n && !addresses[n - 1])
			n--;
		return n;
	}
	for (n = 0; n < STACK_DEPTH && (addresses[n] || unsaved(addresses, n)); n++) {
		if (!unsaved(addresses, n))
			continue;
		if (!twice)
			break;
		addresses[n] = 0;
	}
	return n;
}

/*
 * POWER's kernel writes a 0 in place of an address that is not a caller, and perf's mark of the
 * kernel below an interrupt. Neither is a function, and the stack goes on behind them.
 */
static bool skipped(uint64_t address)
{
	return !address || address >= (uint64_t)PERF_CONTEXT_MAX;
}

static void add_stack(struct stack_list *l, struct stack_side *side, int32_t number, bool user)
{
	uint64_t addresses[STACK_DEPTH] = { };	/* a MAP_WALKED has fewer */
	unsigned int *n = user ? &side->n_user : &side->n_kernel, depth;

	/* There is no stack. For an idle CPU some kernels return another error than EFAULT. */
	if (number == -EFAULT || (number < 0 && user && !side->pid))
		return;
	if (number < 0 || run_get(l->run, l->map, &number, addresses)) {
		add_absence(l, side, number);
		++*n;
		return;
	}
	depth = stack_depth(addresses, user, kernel_arch(l->run->kernel)->callers_twice);
	for (unsigned int i = 0; i < depth; i++) {
		const char *mark = stack_mark_text(addresses[i]);

		if (skipped(addresses[i])) {
			side->unsaved |= user;
			continue;
		}
		if (addresses[i] == STACK_MARK(TOLD)) {
			side->told = side->anywhere = true;
			continue;
		}
		if (mark) {
			if (addresses[i] == STACK_MARK(LOST))
				l->absences |= 1U << ABSENCE_UNRECORDED;
			add_mark(side, mark);
			++*n;
			continue;
		}
		side->frames[side->n_kernel + side->n_user] = (struct stack_frame){
			.kind = user ? FRAME_USER : FRAME_KERNEL, .address = addresses[i],
		};
		++*n;
	}
	if (depth == STACK_DEPTH) {
		add_mark(side, "[cut at 127]");
		++*n;
	}
}

/* Sets the process and the name that the key has. Otherwise they are NOTHING and "". */
static void add_task(const struct stack_list *l, const struct stack_fields *f,
		     struct stack_side *side, const void *key)
{
	uint64_t tgid = f->tgid ? field_number(f->tgid, key) : 0;

	side->pid = f->tgid && !(f->tgid->has_unknown && tgid == f->tgid->unknown) ?
		    (int64_t)tgid : NOTHING;
	if (f->comm)
		memcpy(side->comm, (const char *)key + f->comm->offset, sizeof(side->comm) - 1);
	if (side->pid != NOTHING && l->time) {
		side->times[0] = field_number(l->time, key);
		side->n_times = 1;
	}
}

static int add_side(struct stack_list *l, const struct stack_fields *f, struct stack_side *side,
		    const void *key)
{
	size_t size;

	*side = (struct stack_side){ .frames = l->frames };
	add_task(l, f, side, key);
	if (f->kernel)
		add_stack(l, side, (int32_t)field_number(f->kernel, key), false);
	if (f->user)
		add_stack(l, side, (int32_t)field_number(f->user, key), true);
	if (f->caller)
		side_put_caller(side, field_number(f->caller, key));
	size = (side->n_kernel + side->n_user) * sizeof(*side->frames);
	side->frames = malloc(size + 1);
	if (!side->frames)
		return -1;
	memcpy(side->frames, l->frames, size);
	return 0;
}

/* Returns false for an address outside of code: it was read from no real frame. */
static bool is_function(const struct stack_frame *f)
{
	return f->kind != FRAME_MARK && (f->name || f->module || f->kind == FRAME_JIT);
}

void stacks_weigh(struct stacks *s, const struct stack_side *side, uint64_t value)
{
	const struct stack_frame *f = side->frames + side->n_kernel;
	unsigned int n = 0;

	if (!side->n_user || !is_function(f))
		return;
	for (unsigned int i = 0; i < side->n_user; i++)
		n += is_function(&f[i]);
	s->user += value;
	if (n - side->told == 1)
		s->lonely += value;
}

/* Counts values, not rows: a row may have the values of many events. */
static void count_absences(struct stack_list *l, uint64_t value)
{
	for (unsigned int i = 0; i < ABSENCES; i++)
		if (l->absences & 1U << i)
			l->absent[i] += value;
}

/* Adds the list's absences to the run's. A list of a state (`state`) has all of them each time. */
static void keep_absences(const struct stack_list *l)
{
	uint64_t *absent = stacks_of(l->run)->absent;

	for (unsigned int i = 0; i < ABSENCES; i++)
		absent[i] = l->absent[i] + (l->of && l->of->state ? 0 : absent[i]);
}

static void free_row(struct stack_row *row)
{
	for (unsigned int i = 0; i < STACK_SIDES; i++)
		free(row->sides[i].frames);
}

void stack_list_add(void *list, const void *key, const void *value)
{
	struct stack_list *l = list;
	struct stack_row *row;

	if (l->failed || array_room(&l->rows, l->n, sizeof(*l->rows))) {
		l->failed = true;
		return;
	}
	row = &l->rows[l->n++];
	*row = (struct stack_row){ .tid = l->tid ? (int64_t)field_number(l->tid, key) : 0 };
	if (l->owner)
		row->group = groups_find(l->run, &l->groups, (int64_t)field_number(l->owner, key));
	for (unsigned int i = 0; i < l->n_values; i++)
		row->values[i] = field_number(l->values[i], value);
	l->absences = 0;
	for (unsigned int i = 0; !l->failed && i < l->n_sides; i++)
		l->failed = add_side(l, &l->sides[i], &row->sides[i], key);
	count_absences(l, row->values[0]);
}

/* ---- order ---- */

static int compare_text(const char *a, const char *b)
{
	if (a == b)
		return 0;
	return !a ? -1 : !b ? 1 : strcmp(a, b);
}

/* Addresses within one function are equal, unless they are shown (`exact`). */
static int compare_frames(const struct stack_frame *a, const struct stack_frame *b, bool exact)
{
	int order = compare_text(a->name, b->name);

	if (!order)
		order = compare_text(a->module, b->module);
	if (!order && exact)
		order = (a->address > b->address) - (a->address < b->address);
	return order;
}

static int compare_sides(const struct stack_side *x, const struct stack_side *y, bool exact)
{
	int order = (x->pid > y->pid) - (x->pid < y->pid);

	if (!order)
		order = strcmp(x->comm, y->comm);
	if (!order)
		order = (int)x->n_kernel - (int)y->n_kernel;
	if (!order)
		order = (int)x->n_user - (int)y->n_user;
	for (unsigned int i = 0; !order && i < x->n_kernel + x->n_user; i++)
		order = compare_frames(&x->frames[i], &y->frames[i], exact);
	return order;
}

static int by_stack(const void *a, const void *b, void *exact)
{
	const struct stack_row *x = a, *y = b;
	int order = compare_text(x->group, y->group);

	if (!order)
		order = compare_sides(&x->sides[STACK_TASK], &y->sides[STACK_TASK],
				      *(bool *)exact);
	if (!order)
		order = (x->tid > y->tid) - (x->tid < y->tid);
	return order ? order :
	       compare_sides(&x->sides[STACK_WAKER], &y->sides[STACK_WAKER], *(bool *)exact);
}

static int by_value(const void *a, const void *b, void *exact)
{
	const struct stack_row *x = a, *y = b;

	return x->values[0] != y->values[0] ? (x->values[0] > y->values[0]) -
	       (x->values[0] < y->values[0]) : by_stack(a, b, exact);
}

/* Makes one row of stacks with the same names. Rows with the largest values come last. */
static void fold(struct stack_list *l)
{
	const struct common_options *o = common_of(l->run->options);
	bool exact = o->offsets || o->addresses || o->annotate;
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
		free_row(&l->rows[i]);
	}
	l->n = kept + 1;
	qsort_r(l->rows, l->n, sizeof(*l->rows), by_value, &exact);
}

static void show_side(const struct stack_fields *f, const struct stack_side *side,
		      struct stack_shown *shown)
{
	bool stacks = f->kernel || f->user;

	shown->pid = side->pid;
	shown->comm = (struct text){ .s = side->comm[0] ? side->comm : NULL,
				     .length = (uint32_t)strlen(side->comm) };
	shown->kernel = stacks ? side->frames : NULL;
	shown->n_kernel = side->n_kernel;
	shown->user = stacks ? side->frames + side->n_kernel : NULL;
	shown->n_user = side->n_user;
}

struct stack_style stacks_style(const struct options *o)
{
	return (struct stack_style){
		.folded = common_of(o)->folded,
		.delimited = common_of(o)->delimited,
		.annotated = common_of(o)->annotations,
		.offsets = common_of(o)->offsets,
		.addresses = common_of(o)->addresses,
	};
}

/* The index of the first row that is shown. Rows with the largest values are the last. */
static unsigned int first_shown(const struct stack_list *l)
{
	int64_t most = l->of->most ? option_number(l->run->options, l->of->most) : 0;

	return most && l->n > most ? l->n - (unsigned int)most : 0;
}

static void show(const struct stack_list *l, struct stack_shown s, const char *group)
{
	for (unsigned int turn = 0; output_turn(l->run->output, &turn);) {
		s.group = group_text(l->run, group);
		output_stack(l->run->output, &s);
	}
}

/* The flame graph, and files of other programs. */
static int add_to_files(struct run *r, const struct stack_shown *shown, struct error *err)
{
	return graph_add(r, shown, err) || exports_add(r, shown, err) ? -1 : 0;
}

static int print(const struct stack_list *l, struct error *err)
{
	const struct stack_style style = stacks_style(l->run->options);
	struct stack_value values[STACK_VALUES];
	struct stack_shown waker = { }, shown = {
		.name = l->run->tool->name, .style = &style,
		.values = values, .n_values = l->n_values,
		.clock_ns = common_of(l->run->options)->interval ?
			    run_interval_clock(l->run) : NOTHING,
		.grouped = l->owner,
		.waker = l->n_sides > STACK_WAKER ? &waker : NULL,
	};

	for (unsigned int i = first_shown(l); i < l->n; i++) {
		const struct stack_row *row = &l->rows[i];

		show_side(&l->sides[STACK_TASK], &row->sides[STACK_TASK], &shown);
		if (shown.waker)
			show_side(&l->sides[STACK_WAKER], &row->sides[STACK_WAKER], &waker);
		shown.tid = row->tid;
		shown.group = group_text(l->run, row->group);
		for (unsigned int j = 0; j < l->n_values; j++) {
			uint32_t divisor = l->of->values[j].divisor;

			values[j] = (struct stack_value){
				l->of->values[j].unit, row->values[j] / (divisor ? divisor : 1),
			};
		}
		if (hottest_shown(l->run))
			hottest_add(l->run, &shown, l->n - 1 - i);
		else
			show(l, shown, row->group);
		if ((!l->of->state || l->run->time.stopped) && add_to_files(l->run, &shown, err))
			return -1;
	}
	return hottest_shown(l->run) ? hottest_show(l->run, err) : 0;
}

/* A map's value without a layout is one number. */
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

/* Makes a list for keys or records with this layout. Returns NULL if there is no memory. */
static struct stack_list *list_of(struct run *r, const struct record_layout *layout)
{
	struct stack_list *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->run = r;
	l->map = map_of_stacks(r);
	for (unsigned int i = 0; i < r->plan.plan.n_attachments; i++) {
		const struct event *e = r->plan.plan.attachments[i].event;
		const struct input *caller = event_input(e, "caller");

		l->sampled |= event_traits(e->kind)->timed;
		l->leaves |= caller && caller->place == PLACE_CALLER;
	}
	for (unsigned int i = 0; i < r->plan.plan.n_maps; i++)
		l->walked |= r->plan.plan.maps[i].kind == MAP_WALKED;
	l->tid = layout_field(layout, "tid");
	if (common_of(r->options)->by_cgroup)
		l->owner = layout_field(layout, "owner");
	l->sides[STACK_TASK] = (struct stack_fields){
		layout_field(layout, "tgid"), layout_field(layout, "comm"),
		layout_field(layout, "kernel_stack"), layout_field(layout, "user_stack"),
		layout_field(layout, "caller"),
	};
	l->sides[STACK_WAKER] = (struct stack_fields){
		layout_field(layout, "waker_tgid"), layout_field(layout, "waker_comm"),
		layout_field(layout, "waker_kernel_stack"),
		layout_field(layout, "waker_user_stack"), layout_field(layout, "waker_caller"),
	};
	l->n_sides = l->sides[STACK_WAKER].comm ? STACK_SIDES : STACK_WAKER;
	return l;
}

struct stack_list *stack_list_new(struct run *r, const struct tool_stacks *of)
{
	const struct map *map = map_named(r, of->map);
	struct stack_list *l = list_of(r, of->key ? of->key : map->key);
	const struct record_layout *value = of->value ? of->value : map->value;

	if (!l)
		return NULL;
	l->of = of;
	l->time = of->key ? layout_field(of->key, "time") : NULL;
	l->timed = l->time;
	l->since = stacks_of(r)->since;
	l->taken = run_now(r);
	for (; l->n_values < STACK_VALUES && of->values[l->n_values].unit; l->n_values++)
		l->values[l->n_values] = of->values[l->n_values].field ?
			layout_field(value, of->values[l->n_values].field) : &one_number;
	return l;
}

void stack_list_free(struct stack_list *l)
{
	for (unsigned int i = 0; l && i < l->n; i++)
		free_row(&l->rows[i]);
	if (!l)
		return;
	groups_free(&l->groups);
	free(l->rows);
	free(l->wanted);
	free(l);
}

/*
 * The side band is read after all counts were taken, because the programs counted up to that
 * moment.
 */
int stack_list_print(struct stack_list *l, struct error *err)
{
	struct stacks *s = stacks_of(l->run);

	if (l->failed)
		return fail(err, "out of memory");
	keep_absences(l);
	if (stacks_now(l->run, err) || stack_list_name(l, err))
		return -1;
	lives_forget(&s->lives, l->taken);
	s->since = l->taken;
	for (unsigned int i = 0; i < l->n * l->n_sides; i++)
		stacks_weigh(s, &l->rows[i / l->n_sides].sides[i % l->n_sides],
			     l->rows[i / l->n_sides].values[0]);
	fold(l);
	return print(l, err);
}

int stacks_show(struct run *r, const struct tool_stacks *of, struct error *err)
{
	struct stack_list *l = stack_list_new(r, of);
	int result;

	if (!l)
		return fail(err, "out of memory");
	result = run_take(r, of->map, stack_list_add, l, err);
	if (!result)
		result = stack_list_print(l, err);
	stack_list_free(l);
	return result;
}

/* ---- one record ---- */

/* A record tells its task and its time, so one time in one program is known. */
static void add_record(struct stack_list *l, const struct record *record)
{
	const struct stack_fields *f = &l->sides[STACK_TASK];
	struct stack_side *side;

	l->failed = array_room(&l->rows, 0, sizeof(*l->rows));
	if (l->failed)
		return;
	*l->rows = (struct stack_row){ .values = { 1 } };
	l->n = 1;
	side = &l->rows->sides[STACK_TASK];
	l->failed = add_side(l, f, side, record->bytes);
	count_absences(l, 1);
	keep_absences(l);
	side->pid = tgid_of(field_number(f->tgid, record->bytes));
	memcpy(&side->times[0], record->bytes, sizeof(side->times[0]));
	side->n_times = 1;
}

int record_stacks_read(struct run *r, const struct record *record, struct record_stacks *s,
		       struct error *err)
{
	struct stack_list *l = list_of(r, record->layout);
	struct stack_side *side;
	uint64_t time;
	int result = -1;

	*s = (struct record_stacks){ };
	if (!l)
		return fail(err, "out of memory");
	memcpy(&time, record->bytes, sizeof(time));
	l->one_of_many = l->timed = true;
	if (!stacks_at(r, time, err)) {
		add_record(l, record);
		result = l->failed ? fail(err, "out of memory") : stack_list_name(l, err);
	}
	if (!result) {
		side = &l->rows->sides[STACK_TASK];
		stacks_weigh(stacks_of(r), side, 1);
		*s = (struct record_stacks){ side->frames, side->n_kernel, side->n_user };
		side->frames = NULL;
	}
	stack_list_free(l);
	return result;
}

/* ---- stacks among other values ---- */

struct asked_key {
	uint32_t tgid;
	int32_t kernel_stack, user_stack;
	uint32_t none;
	u64 caller;
	char comm[16];
};

RECORD_LAYOUT(asked_key,
	FIELD_OF(asked_key, tgid, NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_OF(asked_key, kernel_stack, STACK),
	FIELD_OF(asked_key, user_stack, STACK),
	FIELD_OF(asked_key, caller, NUMBER),
	FIELD_OF(asked_key, comm, COMM));

/* There is no stack. */
static void add_address(struct stack_list *l, struct stack_side *side, uint64_t address)
{
	free(side->frames);
	side->frames = malloc(sizeof(*side->frames));
	l->failed = !side->frames;
	if (l->failed)
		return;
	*side->frames = (struct stack_frame){ .kind = FRAME_USER, .address = address };
	side->n_user = 1;
}

static void add_asked(struct stack_list *l, const struct stack_asked *a, uint64_t time)
{
	struct asked_key key = {
		.tgid = a->pid == NOTHING ? UINT32_MAX : (uint32_t)a->pid,
		.kernel_stack = a->user ? -EFAULT : a->number,
		.user_stack = a->user ? a->number : -EFAULT,
		.caller = a->user ? a->caller : 0,
	};
	struct stack_side *side;

	if (a->comm)
		memcpy(key.comm, a->comm, sizeof(key.comm));
	if (l->failed || array_room(&l->rows, l->n, sizeof(*l->rows))) {
		l->failed = true;
		return;
	}
	l->rows[l->n] = (struct stack_row){ .values = { a->value } };
	side = &l->rows[l->n++].sides[STACK_TASK];
	l->absences = 0;
	l->failed = add_side(l, &l->sides[STACK_TASK], side, &key);
	count_absences(l, a->value);
	if (a->address && !l->failed)
		add_address(l, side, a->address);
	side->times[0] = time;
	side->n_times = time && side->pid != NOTHING;
}

static int name_asked(struct run *r, struct stack_list *l, const struct stacks_when *when,
		      struct error *err)
{
	if (l->failed)
		return fail(err, "out of memory");
	l->sampled = when->sampled;
	l->timed = l->one_of_many = when->time;
	l->since = when->since ? when->since : stacks_of(r)->since;
	keep_absences(l);
	if (when->time ? stacks_reach(r, when->time, err) : stacks_now(r, err))
		return -1;
	return stack_list_name(l, err);
}

int stacks_name(struct run *r, struct stack_asked *list, unsigned int n,
		const struct stacks_when *when, struct error *err)
{
	struct stack_list *l = list_of(r, &asked_key_layout);
	int result;

	for (unsigned int i = 0; i < n; i++)
		list[i].frames = NULL;
	if (!l)
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < n; i++)
		add_asked(l, &list[i], when->time);
	result = name_asked(r, l, when, err);
	for (unsigned int i = 0; !result && i < n; i++) {
		struct stack_side *side = &l->rows[i].sides[STACK_TASK];

		if (!list[i].address)
			stacks_weigh(stacks_of(r), side, list[i].value);
		list[i].frames = side->frames;
		list[i].n = side->n_kernel + side->n_user;
		side->frames = NULL;
	}
	stack_list_free(l);
	return result;
}
