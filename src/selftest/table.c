// SPDX-License-Identifier: GPL-2.0
#include "src/selftest/selftest.h"

/* One row a check, a list an area; tools without one are listed as `no check`. */
#define FILES(CHECK) \
	CHECK(opensnoop) \
	CHECK(statsnoop) \
	CHECK(syncsnoop) \
	CHECK(mountsnoop) \
	CHECK(ext4slower) \
	CHECK(xfsslower) \
	CHECK(btrfsslower) \
	CHECK(zfsslower) \
	CHECK(nfsslower) \
	CHECK(f2fsslower) \
	CHECK(fsslower) \
	CHECK(fileslower) \
	CHECK(ext4dist) \
	CHECK(xfsdist) \
	CHECK(btrfsdist) \
	CHECK(zfsdist) \
	CHECK(nfsdist) \
	CHECK(f2fsdist) \
	CHECK(fsdist) \
	CHECK(vfsstat) \
	CHECK(filelife) \

#define PROCESSES(CHECK) \
	CHECK(execsnoop) \
	CHECK(exitsnoop) \
	CHECK(killsnoop) \
	CHECK(bashreadline) \
	CHECK(syscount) \
	CHECK(capable) \

#define DISKS(CHECK) \
	CHECK(biolatency) \
	CHECK(biosnoop) \
	CHECK(biotop) \
	CHECK(bitesize) \

#define NETWORK(CHECK) \
	CHECK(tcpconnect) \
	CHECK(tcpconnlat) \
	CHECK(tcpretrans) \
	CHECK(tcprtt) \
	CHECK(tcpsynbl) \
	CHECK(tcpaccept) \
	CHECK(tcplife) \
	CHECK(tcpstates) \
	CHECK(gethostlatency) \

#define CPU(CHECK) \
	CHECK(runqlat) \
	CHECK(cpudist) \
	CHECK(runqslower) \
	CHECK(runqlen) \
	CHECK(softirqs) \
	CHECK(hardirqs) \

#define MEMORY(CHECK) \
	CHECK(cachestat) \
	CHECK(oomkill) \

#define SELFTESTS(CHECK) FILES(CHECK) PROCESSES(CHECK) DISKS(CHECK) NETWORK(CHECK) CPU(CHECK) MEMORY(CHECK)

#define DECLARE(NAME) extern const struct selftest selftest_##NAME;
SELFTESTS(DECLARE)

#define ROW(NAME) &selftest_##NAME,
const struct selftest *const selftests[] = { SELFTESTS(ROW) NULL };
