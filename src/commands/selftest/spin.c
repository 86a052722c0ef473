// SPDX-License-Identifier: GPL-2.0
#include "src/commands/selftest/spin.h"

#include <time.h>

#include "compat/base/clock.h"

int spin_work(struct work *w)
{
	(void)w;
	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < 1000000000)
		;
	return 0;
}
