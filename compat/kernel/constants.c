// SPDX-License-Identifier: GPL-2.0
#include "compat/kernel/constants.h"

#include <string.h>

/* Without the bit a preempted task looks like one that sleeps: the numbers would be wrong. */
static int preempted_bit(struct kernel *k, int64_t *value, struct error *err)
{
	const struct format *f = kernel_format(k, "sched", "sched_switch");

	*value = f ? (int64_t)format_preempted_bit(f) : 0;
	return *value ? 1 : fail(err, "sched_switch does not tell its flag for preempted tasks");
}

static const struct {
	const char *name;
	int (*find)(struct kernel *k, int64_t *value, struct error *err);
} constants[] = {
	{ "preempted_bit", preempted_bit },	/* of sched_switch's prev_state */
};

int kernel_constant(struct kernel *k, const char *name, int64_t *value, struct error *err)
{
	for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++)
		if (!strcmp(constants[i].name, name))
			return constants[i].find(k, value, err);
	return 0;
}
