// SPDX-License-Identifier: GPL-2.0
#include "compat/base/memlock.h"

bool memlock_raise(struct memlock *m)
{
	struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };

	if (m->raised || getrlimit(RLIMIT_MEMLOCK, &m->before))
		return false;
	m->raised = true;
	if (!setrlimit(RLIMIT_MEMLOCK, &all))
		return true;
	/* Without CAP_SYS_RESOURCE the limit can be raised up to the hard limit. */
	all.rlim_cur = all.rlim_max = m->before.rlim_max;
	return m->before.rlim_cur != m->before.rlim_max && !setrlimit(RLIMIT_MEMLOCK, &all);
}

void memlock_restore(struct memlock *m)
{
	if (m->raised)
		setrlimit(RLIMIT_MEMLOCK, &m->before);
	m->raised = false;
}
