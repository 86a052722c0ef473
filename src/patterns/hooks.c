// SPDX-License-Identifier: GPL-2.0
/* Hooks of what a pattern found: their alternatives are the ways to be on many functions. */
#include "src/patterns/found.h"

#include <stdio.h>
#include <stdlib.h>

#define CALL_INPUTS \
	"sp=$sp:uW arg1=$arg1:uW arg2=$arg2:uW arg3=$arg3:uW arg4=$arg4:uW arg5=$arg5:uW " \
	"arg6=$arg6:uW"
#define RETURN_INPUTS "sp=$sp:uW popped=$popped retval=$retval:sW"

/* The kinds of probes by what the pattern names, at the entry and at the return. */
static const uint8_t kinds[][2] = {
	[PATTERN_KERNEL] = { PROBE_KPROBE, PROBE_KRETPROBE },
	[PATTERN_USER] = { PROBE_UPROBE, PROBE_URETPROBE },
	[PATTERN_TRACEPOINT] = { PROBE_TRACEPOINT },
};

/* What functions tell beside their numbers. */
static const char *const inputs[][2] = {
	[PATTERN_KERNEL] = { CALL_INPUTS, RETURN_INPUTS },
	[PATTERN_USER] = { CALL_INPUTS, RETURN_INPUTS },
	[PATTERN_TRACEPOINT] = { NULL, NULL },
};

static struct probe *singles(const struct patterns *p, bool returns)
{
	const struct found *f = p->found;
	const struct listing *l = &f->listing;
	struct probe *probes = calloc(l->n, sizeof(*probes));

	for (unsigned int i = 0; probes && i < l->n; i++)
		probes[i] = (struct probe){
			.kind = kinds[p->pattern.kind][returns], .name = l->list[i].name,
			.inputs = f->inputs[f->numbers[i]], .named = true,
			/* the only one is not optional: its reason is the user's */
			.optional = l->n > 1,
			.place = f->places ? &f->places[i] : NULL,
		};
	return probes;
}

/* One probe for each: any kernel can do it, if there are not too many. */
static int add_singles(const struct patterns *p, struct built *b, bool returns)
{
	struct alternative *way = &b->ways[b->hook.n_alternatives++];

	way->family = "one by one";
	way->inputs = inputs[p->pattern.kind][returns];
	if (p->found->listing.n > SINGLES_MOST) {
		way->never = p->found->too_many;
		return 0;
	}
	b->singles = singles(p, returns);
	way->probes = b->singles;
	way->n_probes = p->found->listing.n;
	return b->singles ? 0 : -1;
}

static int build(const struct patterns *p, struct built *b, bool returns, const char *name,
		 const char *what)
{
	b->hook = (struct hook){ .name = name, .what = what, .alternatives = b->ways };
	return add_singles(p, b, returns);
}

int patterns_hooks(struct patterns *p)
{
	struct found *f = p->found;

	snprintf(f->too_many, sizeof(f->too_many),
		 "%u %s match, and this kernel needs a probe for each: no more than %d are made; "
		 "name fewer", f->listing.n, patterns_what(p), SINGLES_MOST);
	if (build(p, &f->hit, p->pattern.returns, "function.hit", "what was named is hit"))
		return -1;
	p->hook = &f->hit.hook;
	if (p->pattern.kind == PATTERN_TRACEPOINT)
		return 0;
	if (build(p, &f->returns, true, "function.return", "what was named returns"))
		return -1;
	p->returns = &f->returns.hook;
	return 0;
}

void patterns_hooks_free(struct found *f)
{
	free(f->hit.singles);
	free(f->returns.singles);
}
