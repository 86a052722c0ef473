/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_SPIN_H
#define SONDE_SELFTEST_SPIN_H

#include "src/commands/selftest/selftest.h"

/* work() of a check: uses a second of CPU time, however long that takes. */
int spin_work(struct work *w);

#endif
