// SPDX-License-Identifier: GPL-2.0
/* From a tool's programs to a plan: demands, events that serve them, lowered code, maps. */
#include "src/run/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/kernel/doubt.h"
#include "compat/kinds/kinds.h"
#include "compat/resolve/identity.h"
#include "insns/lower/whose.h"
#include "src/run/plan_memory.h"

struct maker {
	const struct plan_request *request;
	const struct backend *backend;
	struct made_plan *out;
	struct error *err;
	const struct program **programs;
	struct demand *demands;
	unsigned int n;			/* of programs and demands */
	struct resolution first;	/* without the programs that make up for what it lacks */
	struct constant *facts;		/* ends with an empty row; their names are owned */
	unsigned int n_facts;
};

static bool asked(const struct plan_request *request, const char *option)
{
	for (const struct constant *c = request->options; c && c->name; c++)
		if (!strcmp(c->name, option))
			return c->value;
	return false;
}

/* By the options, and by what is unavailable without it. */
static bool left_in(const struct maker *m, const struct program *p)
{
	if (p->option && !strncmp(p->option, "lacks:", 6))
		return resolution_lacks(&m->first, p->option + 6);
	return !p->option || asked(m->request, p->option);
}

/* Only ids of version 2 have a helper (4.18). Elsewhere the thread tells where to look. */
static enum identity_id whose_of(const struct plan_request *request, const struct backend *b)
{
	if (!asked(request, "by-cgroup"))
		return IDENTITY_TGID;
	return b->target == TARGET_BPF && !asked(request, "cgroup1") &&
	       kernel_has(request->kernel, FEATURE_BPF_CGROUP) ? IDENTITY_CGROUP : IDENTITY_TID;
}

/* The inputs of one demand as they come up. */
struct wanting {
	struct demand *d;
	bool failed;			/* out of memory */
};

static void want(void *arg, const char *name, enum input_kind kind)
{
	struct wanting *w = arg;
	struct demand *d = w->d;

	for (unsigned int i = 0; i < d->n_inputs; i++)
		if (!strcmp(d->inputs[i].name, name))
			return;
	if (array_room(&d->inputs, d->n_inputs, sizeof(*d->inputs))) {
		w->failed = true;
		return;
	}
	d->inputs[d->n_inputs++] = (struct wanted_input){ name, kind };
}

static void forget_demands(struct maker *m)
{
	for (unsigned int i = 0; i < m->n; i++)
		free(m->demands[i].inputs);
	free(m->demands);
	free(m->programs);
	m->demands = NULL;
	m->programs = NULL;
	m->n = 0;
}

static int demand(struct maker *m, const struct program *p)
{
	struct demand *d = &m->demands[m->n];
	struct wanting w = { .d = d };

	d->hook = p->built ? p->built : hook_by_name(p->hook);
	if (!d->hook)
		return fail(m->err, "%s: there is no such hook", p->hook);
	d->optional = p->optional || p->spare;
	d->spare = p->spare;
	d->tracer = m->backend->tracer;
	m->programs[m->n++] = p;
	program_inputs(p, m->request->options, m->request->filter, m->backend->target, want, &w);
	return w.failed ? fail(m->err, "out of memory") : 0;
}

static const struct program *programs_of(const struct plan_request *request, int set)
{
	static const struct program none = { };

	return request->sets[set] ? request->sets[set]->programs : &none;
}

static unsigned int count_programs(const struct plan_request *request)
{
	unsigned int n = 0;

	for (int set = 0; set < PLAN_SETS; set++)
		for (const struct program *p = programs_of(request, set); p->hook; p++)
			n++;
	return n;
}

/* One demand a program that is left in. */
static int collect_demands(struct maker *m)
{
	unsigned int n = count_programs(m->request) + 1;

	forget_demands(m);
	m->demands = calloc(n, sizeof(*m->demands));
	m->programs = calloc(n, sizeof(*m->programs));
	if (!m->demands || !m->programs)
		return fail(m->err, "out of memory");
	for (int set = 0; set < PLAN_SETS; set++)
		for (const struct program *p = programs_of(m->request, set); p->hook; p++)
			if (left_in(m, p) && demand(m, p))
				return -1;
	return 0;
}

static bool any_layout(const struct maker *m, bool (*has)(const struct layout *l))
{
	for (unsigned int i = 0; i < m->out->resolution.n; i++)
		if (has(m->out->resolution.events[i].event->layout))
			return true;
	return false;
}

/* Events that harm other programs on this kernel require that the user named the engine. */
static int check_risks(struct maker *m)
{
	for (unsigned int i = 0; i < m->out->resolution.n && !m->request->forced; i++) {
		const struct event *e = m->out->resolution.events[i].event;
		const char *risk = event_kind_risk(m->request->kernel, e->kind);

		if (risk)
			return fail(m->err, "%s; --backend NAME takes the risk", risk);
	}
	return 0;
}

static int add_map(struct plan *p, const struct map *map)
{
	if (array_room(&p->maps, p->n_maps, sizeof(*p->maps)))
		return -1;
	p->maps[p->n_maps++] = *map;
	return 0;
}

/* Where BPF has no such maps programs walk the frames. */
static void set_walked(struct maker *m)
{
	const struct plan *p = &m->out->plan;

	if (p->target == TARGET_RING || kernel_has(m->request->kernel, FEATURE_BPF_STACK))
		return;
	for (unsigned int i = 0; i < p->n_maps; i++)
		if (p->maps[i].kind == MAP_STACKS) {
			p->maps[i].kind = MAP_WALKED;
			p->maps[i].value_size = sizeof(struct walked_stack);
		}
}

/* How many stacks there is room for, the user may have said. */
static void set_storage(struct maker *m)
{
	const struct plan *p = &m->out->plan;

	for (const struct constant *c = m->request->options; c && c->name; c++)
		for (unsigned int i = 0; !strcmp(c->name, STACK_STORAGE) && i < p->n_maps; i++)
			if (p->maps[i].kind == MAP_STACKS)
				p->maps[i].entries = (uint32_t)c->value;
}

static bool power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

/*
 * BPF's table of stacks has as many places as the next power of two: room for one stack more than
 * such a power, and half of the collisions are gone. What has no place there goes to two tables of
 * a quarter, which together take nearly all of it (docs/limits.md).
 */
static int add_stack_tables(struct maker *m)
{
	static const char *const names[STACK_TABLES] = { NULL, "stacks_2", "stacks_3" };
	struct plan *p = &m->out->plan;
	unsigned int stacks = 0;
	struct map map;

	while (stacks < p->n_maps && p->maps[stacks].kind != MAP_STACKS)
		stacks++;
	if (stacks == p->n_maps || p->target != TARGET_BPF)
		return 0;
	map = p->maps[stacks];
	p->maps[stacks].entries += power_of_two(map.entries);
	map.entries /= 4;
	map.entries += power_of_two(map.entries);
	for (unsigned int i = 1; i < STACK_TABLES && map.entries; i++) {
		map.name = names[i];
		if (add_map(p, &map))
			return -1;
	}
	return 0;
}

static int add_filter_map(struct maker *m, const struct asked_filter *a)
{
	struct map map;

	return filter_map(a, m->backend->target, &map) ? add_map(&m->out->plan, &map) : 0;
}

/* Not where a BPF program is not told ids of groups, or all tasks are in one (version 1). */
static bool tells_whose(const struct maker *m)
{
	return asked(m->request, "container-names") &&
	       (m->backend->target == TARGET_RING ||
		(!asked(m->request, "cgroup1") &&
		 kernel_has(m->request->kernel, FEATURE_BPF_CGROUP)));
}

static int add_maps(struct maker *m)
{
	static const struct map state = { MAP_STATE, MAP_ARRAY, ROLE_TABLE, 4, 8, STATE_SLOTS };
	static const struct map epoch = { MAP_EPOCH, MAP_ARRAY, ROLE_TABLE, 4, 8, 1 };
	static const struct map whose = {
		MAP_WHOSE, MAP_OUTPUT, ROLE_TABLE, .value = &whose_record_layout,
	};
	static const struct map callers = { MAP_CALLERS, MAP_ARRAY, ROLE_TABLE, 4, 8, CALLERS };
	int failed = add_map(&m->out->plan, &state) || add_map(&m->out->plan, &epoch);

	/* Before the tool's: of records with the same time those of the first output come first. */
	if (tells_whose(m))
		failed |= add_map(&m->out->plan, &whose);
	for (int set = 0; set < PLAN_SETS; set++) {
		const struct program_set *s = m->request->sets[set];

		for (const struct map *map = s ? s->maps : NULL; map && map->name; map++)
			failed |= add_map(&m->out->plan, map);
	}
	for (unsigned int i = 0; i < m->request->filter->n; i++)
		failed |= add_filter_map(m, &m->request->filter->asked[i]);
	failed |= add_map(&m->out->plan, &callers);
	set_storage(m);
	set_walked(m);
	failed |= add_stack_tables(m);
	return failed ? fail(m->err, "out of memory") : 0;
}

static int add_fact(struct maker *m, const char *prefix, const char *name, int64_t value)
{
	struct constant *more = realloc(m->facts, (m->n_facts + 2) * sizeof(*more));
	char *text;

	if (!more)
		return fail(m->err, "out of memory");
	m->facts = more;
	more[m->n_facts] = (struct constant){ };
	if (asprintf(&text, "%s%s", prefix, name) < 0)
		return fail(m->err, "out of memory");
	more[m->n_facts++] = (struct constant){ text, value };
	more[m->n_facts] = (struct constant){ };
	return 0;
}

static bool served(const struct maker *m, unsigned int demand)
{
	for (unsigned int i = 0; i < m->out->resolution.n; i++)
		if (m->out->resolution.events[i].demand == demand)
			return true;
	return false;
}

/* What programs may ask of the plan and its engine by CONST and JUMP_UNLESS, beside the options. */
static int collect_facts(struct maker *m)
{
	for (unsigned int i = 0; i < m->n; i++)
		if (add_fact(m, "hook:", m->programs[i]->hook, served(m, i)))
			return -1;
	/* A program may name a hook whose program is left out. */
	for (int set = 0; set < PLAN_SETS; set++)
		for (const struct program *p = programs_of(m->request, set); p->hook; p++)
			if (!left_in(m, p) && add_fact(m, "hook:", p->hook, 0))
				return -1;
	if (!m->backend->wakeup_bytes)
		return 0;
	return add_fact(m, "", "ring_wakeup",
			(int64_t)m->backend->wakeup_bytes(m->request->kernel,
							  m->request->buffer_pages));
}

/*
 * How often a sample is taken, by the constant it is named for, or by `period`; and by what, if
 * `cycles` will do. Those of a counter have a period.
 */
static int set_frequency(struct maker *m, struct event *event)
{
	bool cycles = false, counter = event->by != BY_CLOCK;

	if (event->period)		/* a counter's, which its probe tells */
		return 0;
	for (const struct constant *c = m->request->options; c && c->name; c++) {
		if (!strcmp(c->name, counter ? COUNTER_PERIOD : event->name))
			event->frequency = (uint32_t)c->value;
		else if (!strcmp(c->name, "period"))
			event->period = (uint32_t)c->value;
		else if (!strcmp(c->name, "cycles"))
			cycles = c->value;
	}
	if (counter)
		event->period = event->frequency;
	else if (cycles && !event->period && kernel_has(m->request->kernel, FEATURE_PMU))
		event->by = BY_CYCLES;
	return event->frequency ? 0 : fail(m->err, "no constant %s says how often to sample",
					   counter ? COUNTER_PERIOD : event->name);
}

/* Is the plan's program `p` that of event number i, with the same inputs, also in its parts? */
static bool runs_on(const struct maker *m, const struct plan_program *p, unsigned int first,
		    unsigned int i)
{
	const struct resolved *a = &m->out->resolution.events[first];
	const struct resolved *b = &m->out->resolution.events[i];
	const struct resolved *parts_a = resolved_parts(a), *parts_b = resolved_parts(b);

	if (p->program != m->programs[b->demand] || a->event->kind != b->event->kind ||
	    !event_same_prototype(a->event, b->event) || a->n_parts != b->n_parts)
		return false;
	for (unsigned int part = 0; part <= a->n_parts; part++)
		if (parts_a[part].event->layout != parts_b[part].event->layout)
			return false;
	return true;
}

/*
 * Returns true if functions are followed to their returns by fexit alone, whose missed runs the
 * kernel counts.
 */
static bool returns_told(const struct maker *m)
{
	bool told = false;

	for (unsigned int i = 0; i < m->out->resolution.n; i++) {
		const struct event_traits *t =
			event_traits(m->out->resolution.events[i].event->kind);

		if (t->slots)
			return false;
		told |= t->returns && t->typed_function;
	}
	return told;
}

static int lower_program(struct maker *m, struct plan_program *p, unsigned int i)
{
	const struct resolved *e = &m->out->resolution.events[i];
	const struct layout *parts[LAYOUT_INPUTS];
	struct lowering l = {
		.target = m->backend->target,
		.kernel = m->request->kernel,
		.kind = e->event->kind,
		.layout = e->event->layout,
		.returns_told = returns_told(m),
		.whose = m->out->whose,
		.filter = m->request->filter,
		.options = m->request->options,
		.facts = m->facts,
		.maps = m->out->plan.maps,
		.n_maps = m->out->plan.n_maps,
		.n_parts = e->n_parts,
		.parts = parts,
	};

	for (unsigned int part = 0; part < e->n_parts; part++)
		parts[part] = resolved_parts(e)[part].event->layout;
	*p = (struct plan_program){ .program = m->programs[e->demand], .event = e->event };
	return lower(p->program, &l, &p->code, m->err);
}

/*
 * The number of the plan's program for event number i, lowered if there is none yet; -1: it can't
 * be.
 */
static int program_for(struct maker *m, unsigned int *firsts, unsigned int i)
{
	struct plan *plan = &m->out->plan;

	for (unsigned int p = plan->n_programs; p-- > 0;)
		if (runs_on(m, &plan->programs[p], firsts[p], i))
			return (int)p;
	if (array_room(&plan->programs, plan->n_programs, sizeof(*plan->programs)))
		return fail(m->err, "out of memory");
	if (lower_program(m, &plan->programs[plan->n_programs], i))
		return -1;
	firsts[plan->n_programs] = i;
	return (int)plan->n_programs++;
}

static bool reads_memory(const struct bpf_insn *insn)
{
	static const int32_t readers[] = {
		BPF_FUNC_probe_read, BPF_FUNC_probe_read_str, BPF_FUNC_probe_read_user,
		BPF_FUNC_probe_read_user_str, BPF_FUNC_probe_read_kernel,
		BPF_FUNC_probe_read_kernel_str, BPF_FUNC_get_stackid,
	};

	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		if (insn->code == (BPF_JMP | BPF_CALL) && insn->imm == readers[i])
			return true;
	return false;
}

/* BPF reads memory in the program, the rings in what is fetched; both walk stacks. */
static bool may_fault(const struct event *e, const struct lowered *code, enum target target)
{
	if (target == TARGET_RING)
		return layout_wants_stack(e->layout) ||
		       (e->layout->fetch && strchr(e->layout->fetch, '('));
	for (unsigned int i = 0; code && i < code->n; i++)
		if (reads_memory(&code->insns[i]))
			return true;
	return false;
}

static bool has_filter(const struct program *p)
{
	for (unsigned int i = 0; p && i < p->n_insns; i++)
		if (p->insns[i].symbol == SYM_FILTER)
			return true;
	return false;
}

/* Of each event its program; the plan's programs stay where they are only when all are there. */
static int attach(struct maker *m, int *programs, unsigned int *firsts)
{
	struct resolution *res = &m->out->resolution;
	struct plan *plan = &m->out->plan;

	for (unsigned int i = 0; i < res->n; i++) {
		struct event *e = res->events[i].event;

		if (event_traits(e->kind)->timed && set_frequency(m, e))
			return -1;
		programs[i] = e->is_part ? -1 : program_for(m, firsts, i);
		if (!e->is_part && programs[i] < 0)
			return -1;
	}
	for (unsigned int i = 0; i < res->n; i++) {
		const struct plan_program *p = programs[i] < 0 ? NULL :
					       &plan->programs[programs[i]];
		const unsigned int n_parts = res->events[i].n_parts;
		struct event *e = res->events[i].event;

		plan->attachments[i] = (struct attachment){
			.program = p, .event = e, .n_parts = n_parts,
		};
		e->may_fault = may_fault(e, p ? &p->code : NULL, plan->target);
		for (unsigned int part = i - n_parts; n_parts && part <= i; part++)
			res->events[part].event->group = i;
		for (unsigned int part = i - n_parts; p && part <= i; part++)
			plan->attachments[part].filtered = has_filter(p->program);
	}
	plan->n_attachments = res->n;
	return 0;
}

static int lower_programs(struct maker *m)
{
	unsigned int n = m->out->resolution.n;
	unsigned int *firsts = calloc(n + 1, sizeof(*firsts));
	int *programs = calloc(n + 1, sizeof(*programs)), result = -1;

	m->out->plan.attachments = calloc(n + 1, sizeof(*m->out->plan.attachments));
	if (firsts && programs && m->out->plan.attachments)
		result = attach(m, programs, firsts);
	else
		fail(m->err, "out of memory");
	free(firsts);
	free(programs);
	return result;
}

/* Maps that only programs left out would have used cost memory and time for nothing. */
static int drop_idle_maps(struct maker *m)
{
	struct plan *plan = &m->out->plan;
	int *number = calloc(plan->n_maps, sizeof(*number));	/* new one + 1; 0: nobody uses it */
	unsigned int kept = 0;

	if (!number)
		return fail(m->err, "out of memory");
	number[plan_map(plan, MAP_STATE)] = 1;
	if (plan_map(plan, MAP_WHOSE) >= 0)
		number[plan_map(plan, MAP_WHOSE)] = 1;	/* ring engines fill it themselves */
	for (unsigned int i = 0; i < plan->n_programs; i++)
		for (unsigned int j = 0; j < plan->programs[i].code.n; j++)
			if (insn_map(&plan->programs[i].code.insns[j]) >= 0)
				number[insn_map(&plan->programs[i].code.insns[j])] = 1;
	for (unsigned int i = 0; i < plan->n_maps; i++)
		if (number[i]) {
			plan->maps[kept] = plan->maps[i];
			number[i] = (int)++kept;
		}
	plan->n_maps = kept;
	for (unsigned int i = 0; i < plan->n_programs; i++)
		for (unsigned int j = 0; j < plan->programs[i].code.n; j++) {
			struct bpf_insn *insn = &plan->programs[i].code.insns[j];

			if (insn_map(insn) >= 0)
				insn_set_map(insn, (unsigned int)number[insn_map(insn)] - 1);
		}
	free(number);
	return 0;
}

static int resolve_demands(struct maker *m)
{
	return resolve(m->request->kernel, m->backend->target, m->demands, m->n,
		       &m->out->resolution, m->err);
}

/* What is unavailable may have programs that make up for it: then once more, with these. */
static int resolve_programs(struct maker *m)
{
	struct resolution *res = &m->out->resolution;
	unsigned int before;

	if (collect_demands(m) || resolve_demands(m))
		return -1;
	m->first = *res;
	*res = (struct resolution){ };
	before = m->n;
	if (collect_demands(m))
		return -1;
	if (m->n == before) {
		*res = m->first;
		m->first = (struct resolution){ };
		return 0;
	}
	return resolve_demands(m);
}

static const char *filter_missing(const struct maker *m, const struct asked_filter *a)
{
	const enum target target = m->backend->target;
	const struct filter_row *row = a->row;

	if (a->refused[target] || filter_followed(a, target))
		return a->refused[target];
	if (row->input)
		return identity_missing(identity_named(row->input), m->request->kernel, target,
					EVENT_KPROBE);
	return kernel_has(m->request->kernel, row->bpf) ? NULL : row->no_bpf;
}

/* What the user's filters ask of the engine. */
static int check_filter(struct maker *m)
{
	for (unsigned int i = 0; i < m->request->filter->n; i++) {
		const struct asked_filter *a = &m->request->filter->asked[i];
		const char *why = filter_missing(m, a);

		if (why)
			return fail(m->err, "%s, which --%s needs", why, a->row->option);
	}
	return 0;
}

/* A script may have events of sonde's own alone. */
static bool has_programs(const struct plan_request *request)
{
	for (size_t i = 0; i < sizeof(request->sets) / sizeof(request->sets[0]); i++)
		if (request->sets[i] && request->sets[i]->programs->hook)
			return true;
	return false;
}

/* As plan_make(), of these programs only. */
static int make_of(const struct plan_request *request, const struct backend *b,
		   struct made_plan *out, struct error *err)
{
	struct maker m = { .request = request, .backend = b, .out = out, .err = err };
	int result = -1;

	memset(out, 0, sizeof(*out));
	out->whose = whose_of(request, b);
	out->plan.target = b->target;
	out->plan.forced = request->forced;
	out->plan.unwound = request->unwound;
	out->plan.command = filter_asked(request->filter, "exec");
	out->plan.scope = request->filter->scope;
	if (!out->plan.command) {
		out->plan.processes = request->filter->processes;
		out->plan.n_processes = request->filter->n_processes;
	}
	if (check_filter(&m) || resolve_programs(&m))
		goto out;
	if (!out->resolution.n && has_programs(request)) {
		kernel_lacks(request->kernel, err, "this kernel has none of its events");
		goto out;
	}
	if (check_risks(&m) || add_maps(&m) || collect_facts(&m))
		goto out;
	if (lower_programs(&m) || drop_idle_maps(&m))
		goto out;
	if (request->memory && b->target == TARGET_BPF)
		out->smaller = plan_fit(&out->plan, request->memory);
	out->plan.needs_tasks = any_layout(&m, layout_of_process);
	result = b->refuse ? b->refuse(request->kernel, &out->plan, err) : 0;
out:
	forget_demands(&m);
	for (unsigned int i = 0; i < m.n_facts; i++)
		free((char *)m.facts[i].name);
	free(m.facts);
	resolution_free(&m.first);
	return result;
}

int plan_make(const struct plan_request *request, const struct backend *b, struct made_plan *out,
	      struct error *err)
{
	struct plan_request of = *request;
	const struct program_set *first = of.sets[0];

	if (first && first->needs && !kernel_has(of.kernel, *first->needs))
		of.sets[0] = first->otherwise;
	while (make_of(&of, b, out, err)) {
		if (!of.sets[0] || !of.sets[0]->otherwise || kernel_stopped(of.kernel, NULL))
			return -1;
		of.sets[0] = of.sets[0]->otherwise;
		plan_free(out);
	}
	return 0;
}

void plan_free(struct made_plan *p)
{
	for (unsigned int i = 0; i < p->plan.n_programs; i++)
		lowered_free(&p->plan.programs[i].code);
	free(p->plan.programs);
	free(p->plan.attachments);
	free(p->plan.maps);
	resolution_free(&p->resolution);
	memset(p, 0, sizeof(*p));
}

int plan_map(const struct plan *p, const char *name)
{
	for (unsigned int i = 0; i < p->n_maps; i++)
		if (!strcmp(p->maps[i].name, name))
			return (int)i;
	return -1;
}

bool plan_waits_for_returns(const struct plan *p)
{
	for (unsigned int i = 0; i < p->n_attachments; i++)
		if (event_traits(p->attachments[i].event->kind)->slots)
			return true;
	return false;
}
