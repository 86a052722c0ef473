// SPDX-License-Identifier: GPL-2.0
/* Hooks of a pattern's matches. Their alternatives are the ways to probe many functions. */
#include "src/toolkit/patterns/found.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"

#define SP "sp=$sp:uW "
#define ARG_INPUTS \
	"arg1=$arg1:uW arg2=$arg2:uW arg3=$arg3:uW arg4=$arg4:uW arg5=$arg5:uW arg6=$arg6:uW"
#define RETVAL_INPUT "retval=$retval:sW"

/* Kinds of probes for each kind of pattern: at the entry, and at the return. */
static const uint8_t kinds[][2] = {
	[PATTERN_KERNEL] = { PROBE_KPROBE, PROBE_KRETPROBE },
	[PATTERN_USER] = { PROBE_UPROBE, PROBE_URETPROBE },
	[PATTERN_TRACEPOINT] = { PROBE_TRACEPOINT },
	[PATTERN_USDT] = { PROBE_USDT },
};

/* Inputs beside the function's number. Each USDT probe has arguments of its own. */
static const char *const inputs[][2] = {
	[PATTERN_KERNEL] = { SP ARG_INPUTS, SP "popped=$popped " RETVAL_INPUT },
	[PATTERN_USER] = { SP ARG_INPUTS, SP "popped=$popped " RETVAL_INPUT },
	[PATTERN_TRACEPOINT] = { NULL, NULL },
	[PATTERN_USDT] = { NULL, NULL },
};

/* With the kernel's function tracer the stack pointer means nothing at returns: there is no sp. */
static const char *const inputs_at_once[][2] = {
	[PATTERN_KERNEL] = { ARG_INPUTS, RETVAL_INPUT },
	[PATTERN_USER] = { SP ARG_INPUTS, SP "popped=$popped " RETVAL_INPUT },
	[PATTERN_TRACEPOINT] = { NULL, NULL },
	[PATTERN_USDT] = { NULL, NULL },
};

static const uint8_t kinds_at_once[][2] = {
	[PATTERN_KERNEL] = { PROBE_KMULTI, PROBE_KRETMULTI },
	[PATTERN_USER] = { PROBE_UMULTI, PROBE_URETMULTI },
	[PATTERN_TRACEPOINT] = { PROBE_NONE },
	[PATTERN_USDT] = { PROBE_NONE },
};

/* ---- one by one ---- */

/*
 * Makes probes for the functions that are identified by their name or place. Returns their number.
 */
static unsigned int singles(const struct patterns *p, bool returns, struct probe *probes)
{
	const struct found *f = p->found;
	const struct listing *l = &f->listing;
	unsigned int n = 0;

	for (unsigned int i = 0; i < l->n; i++)
		if (!l->list[i].shared)
			probes[n++] = (struct probe){
				.kind = kinds[p->pattern.kind][returns],
				.name = l->list[i].name,
				.inputs = f->inputs[f->numbers[i]], .named = true,
				/* a single probe is not optional: the user is told why it fails */
				.optional = l->n > 1,
				.place = f->places ? &f->places[i] : NULL,
			};
	return n;
}

/* Returns true for tracepoints of system calls: they show no calls of 32-bit tasks. */
static bool misses_compat(const struct patterns *p)
{
	const struct listing *l = &p->found->listing;
	static const char system[] = "syscalls:";

	for (unsigned int i = 0; p->pattern.kind == PATTERN_TRACEPOINT && i < l->n; i++)
		if (!strncmp(l->list[i].name, system, sizeof(system) - 1))
			return true;
	return false;
}

/* A probe for each function. Any kernel can make them, if they are not too many. */
static int add_singles(const struct patterns *p, struct built *b, bool returns)
{
	struct alternative *way = &b->ways[b->hook.n_alternatives++];

	way->family = "one by one";
	way->no_compat = misses_compat(p);
	way->inputs = inputs[p->pattern.kind][returns];
	if (p->found->listing.n > SINGLES_MOST) {
		way->never = p->found->too_many;
		return 0;
	}
	b->singles = calloc(p->found->listing.n, sizeof(*b->singles));
	if (!b->singles)
		return -1;
	way->probes = b->singles;
	way->n_probes = singles(p, returns, b->singles);
	if (!way->n_probes)
		way->never = "several functions have this name, and this kernel's probes can't "
			     "tell them apart";
	return 0;
}

/* ---- many at once ---- */

static int by_file(const void *a, const void *b, void *arg)
{
	const struct listed *list = arg;
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	if (list[x].binary != list[y].binary)
		return list[x].binary < list[y].binary ? -1 : 1;
	if (list[x].address != list[y].address)
		return list[x].address < list[y].address ? -1 : 1;
	return x < y ? -1 : 1;
}

/* Orders the matches by file. All functions of the kernel count as one file. */
static int order_by_file(struct found *f, unsigned int *order)
{
	const struct listing *l = &f->listing;

	f->addresses = calloc(l->n, sizeof(*f->addresses));
	f->cookies = calloc(l->n, sizeof(*f->cookies));
	f->symbols = calloc(l->n, sizeof(*f->symbols));
	f->lines = calloc(l->n, sizeof(*f->lines));
	f->many = calloc(l->n, sizeof(*f->many));
	f->many_places = calloc(l->n, sizeof(*f->many_places));
	if (!f->addresses || !f->cookies || !f->symbols || !f->lines || !f->many || !f->many_places)
		return -1;
	for (unsigned int i = 0; i < l->n; i++)
		order[i] = i;
	qsort_r(order, l->n, sizeof(*order), by_file, l->list);
	return 0;
}

static int make_many(struct found *f)
{
	const struct listing *l = &f->listing;
	unsigned int *order = calloc(l->n, sizeof(*order));
	struct many *m = NULL;

	if (!order || order_by_file(f, order)) {
		free(order);
		return -1;
	}
	for (unsigned int i = 0; i < l->n; i++) {
		const struct listed *one = &l->list[order[i]];

		if (!i || one->binary != l->list[order[i - 1]].binary) {
			m = &f->many[f->n_many];
			*m = (struct many){ 0, f->addresses + i, f->cookies + i, f->symbols + i,
					    f->lines + i };
			f->many_places[f->n_many++] = (struct place){
				.binary = one->binary, .symbol = one->name,
				.address = one->address,
			};
		}
		f->addresses[i] = one->address;
		f->cookies[i] = f->numbers[order[i]];
		f->symbols[i] = one->name;
		f->lines[i] = one->line;
		m->n++;
	}
	free(order);
	return 0;
}

/*
 * Returns true if one link of a BPF program, or the function tracer, can be on all matches. The
 * kernel's function tracer must see all of its functions, and their addresses must be known.
 */
static bool all_at_once(const struct patterns *p)
{
	const struct listing *l = &p->found->listing;

	if (p->pattern.kind == PATTERN_TRACEPOINT || p->pattern.kind == PATTERN_USDT)
		return false;
	for (unsigned int i = 0; i < l->n && p->pattern.kind == PATTERN_KERNEL; i++)
		if (!l->list[i].traced)
			return false;
	return true;
}

static int add_at_once(const struct patterns *p, struct built *b, bool returns)
{
	struct alternative *way = &b->ways[b->hook.n_alternatives];
	const struct found *f = p->found;

	if (!f->n_many)
		return 0;
	b->at_once = calloc(f->n_many, sizeof(*b->at_once));
	if (!b->at_once)
		return -1;
	for (unsigned int i = 0; i < f->n_many; i++)
		b->at_once[i] = (struct probe){
			.kind = kinds_at_once[p->pattern.kind][returns],
			.name = f->many_places[i].symbol, .inputs = "",
			.many = &f->many[i],
			.place = &f->many_places[i],
		};
	*way = (struct alternative){
		.family = "at once", .targets = FOR_BPF,
		.inputs = inputs_at_once[p->pattern.kind][returns],
		.probes = b->at_once, .n_probes = f->n_many,
	};
	b->hook.n_alternatives++;
	return 0;
}

/*
 * By the functions' types (fentry, fexit): a program is loaded for each function, so they must be
 * few.
 */
static int add_typed(const struct patterns *p, struct built *b, bool returns)
{
	static const enum feature whole = FEATURE_FENTRY_WHOLE;
	struct alternative *way = &b->ways[b->hook.n_alternatives];
	const struct listing *l = &p->found->listing;

	if (p->pattern.kind != PATTERN_KERNEL || l->n > TYPED_MOST)
		return 0;
	b->typed = calloc(l->n, sizeof(*b->typed));
	if (!b->typed)
		return -1;
	for (unsigned int i = 0; i < l->n; i++) {
		if (l->list[i].shared)
			return 0;
		b->typed[i] = (struct probe){
			.kind = returns ? PROBE_FEXIT : PROBE_FENTRY, .name = l->list[i].name,
			.inputs = p->found->inputs[p->found->numbers[i]], .named = true,
		};
	}
	*way = (struct alternative){
		.family = "by type", .targets = FOR_BPF, .feature = &whole, .spare = true,
		.inputs = inputs[p->pattern.kind][returns],
		.probes = b->typed, .n_probes = l->n,
	};
	b->hook.n_alternatives++;
	return 0;
}

/* For the engine ftrace: calls of the kernel's functions, without arguments. */
static int add_traced(const struct patterns *p, struct built *b, bool returns)
{
	struct alternative *way = &b->ways[b->hook.n_alternatives];
	const struct found *f = p->found;

	if (!f->n_many || returns || p->pattern.kind != PATTERN_KERNEL)
		return 0;
	b->traced = calloc(1, sizeof(*b->traced));
	if (!b->traced)
		return -1;
	b->traced[0] = (struct probe){
		.kind = PROBE_TRACED, .name = f->many_places[0].symbol, .inputs = "",
		.many = &f->many[0],
	};
	*way = (struct alternative){
		.family = "function tracer", .targets = FOR_RING,
		.probes = b->traced, .n_probes = 1,
	};
	b->hook.n_alternatives++;
	return 0;
}

static int build(const struct patterns *p, struct built *b, bool returns, const char *name,
		 const char *what)
{
	b->hook = (struct hook){ .name = name, .what = what, .alternatives = b->ways };
	return (p->typed && add_typed(p, b, returns)) || add_at_once(p, b, returns) ||
	       add_traced(p, b, returns) || add_singles(p, b, returns) ? -1 : 0;
}

int patterns_hooks(struct patterns *p)
{
	struct found *f = p->found;

	if (all_at_once(p) && make_many(f))
		return -1;
	text_cut(f->too_many, sizeof(f->too_many),
		 "%u %s match, and this kernel needs a probe for each: no more than %d are made; "
		 "name fewer", f->listing.n, patterns_what(p, f->listing.n), SINGLES_MOST);
	if (build(p, &f->hit, p->pattern.returns, "function.hit", "a named place is hit"))
		return -1;
	p->hook = &f->hit.hook;
	if (p->pattern.kind == PATTERN_TRACEPOINT || p->pattern.kind == PATTERN_USDT)
		return 0;
	if (build(p, &f->returns, true, "function.return", "a named function returns"))
		return -1;
	p->returns = &f->returns.hook;
	return 0;
}

static int make_graph(struct built *b, const struct many *many, const char *record,
		      const char *inputs)
{
	free(b->traced);
	b->traced = calloc(1, sizeof(*b->traced));
	if (!b->traced)
		return -1;
	b->traced[0] = (struct probe){
		.kind = PROBE_GRAPH, .name = record, .inputs = inputs, .many = many,
	};
	b->ways[0] = (struct alternative){
		.family = "function graph tracer", .probes = b->traced, .n_probes = 1,
	};
	b->hook.n_alternatives = 1;
	return 0;
}

int patterns_graph(struct patterns *p, uint32_t depth, bool awake)
{
	struct found *f = p->found;

	f->graph = (struct many){ .n = p->n, .names = p->names, .depth = depth, .awake = awake };
	return make_graph(&f->hit, &f->graph, "funcgraph_entry", "func=func depth=depth") ||
	       make_graph(&f->returns, &f->graph, "funcgraph_exit",
			  "func=func depth=depth calltime=calltime rettime=rettime") ? -1 : 0;
}

void patterns_hooks_free(struct found *f)
{
	free(f->hit.singles);
	free(f->hit.at_once);
	free(f->hit.traced);
	free(f->hit.typed);
	free(f->returns.singles);
	free(f->returns.at_once);
	free(f->returns.traced);
	free(f->returns.typed);
	free(f->addresses);
	free(f->cookies);
	free(f->symbols);
	free(f->lines);
	free(f->many);
	free(f->many_places);
}
