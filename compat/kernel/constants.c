// SPDX-License-Identifier: GPL-2.0
#include "compat/kernel/constants.h"

#include <string.h>

/* The value is 1 if programs must shift sched_switch's prev_state down by a bit. */
static int states_shifted(struct kernel *k, int64_t *value, struct error *err)
{
	(void)err;
	*value = !kernel_has(k, FEATURE_SWITCH_STATES);
	return 1;
}

/*
 * The bits of sched_switch's prev_state, after the shift, that mark a sleeping task of any kind.
 * They are all bits below the bit of a preempted task: with that bit, preempted tasks would look
 * asleep. Where states are shifted, idle kernel threads have the same bit, and look preempted.
 */
static int sleeping_states(struct kernel *k, int64_t *value, struct error *err)
{
	const struct format *f = kernel_format(k, "sched", "sched_switch");
	uint64_t preempted = f ? format_preempted_bit(f) : 0;

	*value = (int64_t)(preempted >> !kernel_has(k, FEATURE_SWITCH_STATES)) - 1;
	return preempted ? 1 : fail(err, "sched_switch does not tell its flag for preempted tasks");
}

/* The value is 1 if the kernel's records of requests call it a write when zeroes are written. */
static int zeroes_are_writes(struct kernel *k, int64_t *value, struct error *err)
{
	(void)err;
	*value = kernel_has(k, FEATURE_WRITTEN_ZEROES);
	return 1;
}

static const struct {
	const char *name;
	int (*find)(struct kernel *k, int64_t *value, struct error *err);
} constants[] = {
	{ "sleeping_states", sleeping_states },
	{ "states_shifted", states_shifted },
	{ "zeroes_are_writes", zeroes_are_writes },
};

int kernel_constant(struct kernel *k, const char *name, int64_t *value, struct error *err)
{
	for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++)
		if (!strcmp(constants[i].name, name))
			return constants[i].find(k, value, err);
	return 0;
}
