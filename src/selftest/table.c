// SPDX-License-Identifier: GPL-2.0
#include "src/selftest/selftest.h"

/* One row a check; tools without one are listed as `no check`. */
#define SELFTESTS(CHECK) \
	CHECK(opensnoop) \
	CHECK(statsnoop) \
	CHECK(syncsnoop) \
	CHECK(execsnoop) \
	CHECK(exitsnoop) \
	CHECK(killsnoop) \
	CHECK(biolatency) \
	CHECK(bitesize) \
	CHECK(tcpconnect) \
	CHECK(runqlat) \
	CHECK(cpudist) \
	CHECK(runqslower) \
	CHECK(softirqs) \
	CHECK(hardirqs) \
	CHECK(cachestat)

#define DECLARE(NAME) extern const struct selftest selftest_##NAME;
SELFTESTS(DECLARE)

#define ROW(NAME) &selftest_##NAME,
const struct selftest *const selftests[] = { SELFTESTS(ROW) NULL };
