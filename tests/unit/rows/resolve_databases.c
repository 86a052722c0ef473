// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

#define POSTGRES \
	"query.told: usdt postgres:statement__status\n" \
	"query.begin: usdt postgres:query__start\n" "query.end: usdt postgres:query__done\n" \
	"query.runs: usdt postgres:query__execute__start\n" \
	"query.ran: usdt postgres:query__execute__done\n" \
	"task.exit: tracepoint sched:sched_process_exit\n"
#define COMMANDS(HOOK, KIND) \
	HOOK ": " KIND " mysql:_Z16dispatch_command19enum_server_commandP3THDPcjb\n" \
	HOOK ": " KIND " mysql:_Z16dispatch_commandP3THDPK8COM_DATA19enum_server_command\n"
#define MYSQL \
	COMMANDS("query.asked", "uprobe") COMMANDS("query.done", "uretprobe") \
	"task.exit: tracepoint sched:sched_process_exit\n"

static const struct resolve_row whole[] = {
	{ "3.10 4.1", "dbslower", BPF, .refused = NO_UPROBE_PROGRAMS },
	{ "4.4", "dbslower", BPF, .refused = UNSAFE_HASH },
	{ "3.10", "dbslower", RING, .refused = "can't read memory" },
	{ "4.1 4.4", "dbslower", RING, POSTGRES },
	{ "4.9 4.12 4.19 " NEWER, "dbslower", BPF | RING, POSTGRES },
	{ "3.10 4.1", "dbstat", BPF, .refused = NO_UPROBE_PROGRAMS },
	{ "4.4", "dbstat", BPF, .refused = UNSAFE_HASH },
	{ "3.10 4.1 4.4", "dbstat", RING, POSTGRES },	/* it reads no texts */
	{ "4.9 4.12 4.19 " NEWER, "dbstat", BPF | RING, POSTGRES },
	{ "4.9 6.1", "dbslower --database mysql", BPF | RING, MYSQL },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "dbslower", BPF | RING, .without = "uprobes",
	  .refused = "this kernel has no uprobes" },
};

RESOLVE_ROWS(databases, whole, lacking);
