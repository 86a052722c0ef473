// SPDX-License-Identifier: GPL-2.0
/* Lowering: what names of constants mean, also those that are no option. */
#include <string.h>

#include "compat/kinds/kinds.h"
#include "insns/lower/lower_internal.h"

#define ON_BPF "target:bpf"

/* Constants of an input, PREFIX INPUT: 1 if the event has the input, at this place. */
static const struct {
	char prefix[10];
	uint8_t anywhere;
	uint8_t place;			/* enum input_place */
} of_inputs[] = {
	{ "input:", .anywhere = true },
	{ "argument:", .place = PLACE_REGISTER },
	{ "constant:", .place = PLACE_CONSTANT },
	{ "row:", .place = PLACE_ROW },
};

static bool on_bpf(const struct lowering *l)
{
	return l->target == TARGET_BPF;
}

static bool returns_untold(const struct lowering *l)
{
	const struct event_traits *t = event_traits(l->kind);

	return t->begins && !t->user && !t->numbered && !l->returns_told &&
		!kernel_has(l->kernel, FEATURE_KRETPROBE_MISSED);
}

static bool has_cmpxchg(const struct lowering *l)
{
	return on_bpf(l) && kernel_has(l->kernel, FEATURE_BPF_CMPXCHG);
}

/* The kernel is tried for some of these: each is looked up only for programs that need it. */
static const struct {
	const char *name;
	bool (*holds)(const struct lowering *l);
} of_kernels[] = {
	{ ON_BPF, on_bpf },
	{ "returns:untold", returns_untold },
	{ "cmpxchg", has_cmpxchg },
};

static bool find_constant(const struct constant *c, const char *name, int64_t *value)
{
	for (; c && c->name; c++)
		if (!strcmp(c->name, name)) {
			*value = c->value;
			return true;
		}
	return false;
}

bool lo_constant(const struct lowering *l, const char *name, int64_t *value)
{
	for (size_t i = 0; i < sizeof(of_inputs) / sizeof(of_inputs[0]); i++) {
		const size_t n = strlen(of_inputs[i].prefix);
		const struct input *in;

		if (strncmp(name, of_inputs[i].prefix, n))
			continue;
		in = layout_input(l->layout, name + n);
		*value = in && (of_inputs[i].anywhere || in->place == of_inputs[i].place);
		return true;
	}
	for (size_t i = 0; i < sizeof(of_kernels) / sizeof(of_kernels[0]); i++)
		if (!strcmp(name, of_kernels[i].name)) {
			*value = of_kernels[i].holds(l);
			return true;
		}
	return find_constant(l->options, name, value) || find_constant(l->facts, name, value);
}

bool lo_constant_now(const struct constant *options, enum target target, const char *name,
		     int64_t *value)
{
	if (strcmp(name, ON_BPF))
		return find_constant(options, name, value);
	*value = target == TARGET_BPF;
	return true;
}
