// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/resolve_rows.h"

#define SCHED \
	"sched.wakeup: tracepoint sched:sched_wakeup\n" "sched.wakeup: tracepoint sched:sched_wakeup_new\n" \
	"sched.switch: tracepoint sched:sched_switch\n"
#define SWITCHES	"sched.switch: tracepoint sched:sched_switch\n"
#define IRQS(NAME, EVENT) \
	NAME ".entry: tracepoint irq:" EVENT "_entry\n" NAME ".exit: tracepoint irq:" EVENT "_exit\n"

static const struct resolve_row whole[] = {
	{ TO_4_4, "runqlat", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "runqlat", BPF, SCHED },
	{ OLD NEWER, "runqlat", RING, SCHED },
	{ TO_4_4, "runqlat -P", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "runqlat -P", BPF, SCHED NEW_TASK },
	{ OLD NEWER, "runqlat -P", RING, SCHED NEW_TASK },
	{ TO_4_4, "runqlat -p 7", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "runqlat -p 7", BPF, SCHED NEW_TASK },
	{ OLD NEWER, "runqlat -p 7", RING, SCHED NEW_TASK },
	{ TO_4_4, "cpudist", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "cpudist", BPF, SWITCHES },
	{ OLD NEWER, "cpudist", RING, SWITCHES },
	{ "4.9 4.12 4.19 " NEWER, "cpudist -O", BPF, SWITCHES },
	{ OLD NEWER, "cpudist -O", RING, SWITCHES },
	{ TO_4_4, "runqslower", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "runqslower", BPF, SCHED },
	{ OLD NEWER, "runqslower", RING, SCHED },
	{ "4.9 4.12 4.19 " NEWER, "runqslower -p 7", BPF, SCHED NEW_TASK },
	{ OLD NEWER, "runqslower -t 7", RING, SCHED },
	{ TO_4_4, "softirqs", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "softirqs", BPF, IRQS("softirq", "softirq") },
	{ OLD NEWER, "softirqs", RING, IRQS("softirq", "softirq") },
	{ OLD NEWER, "softirqs -C", RING, "softirq.entry: tracepoint irq:softirq_entry\n" },
	{ TO_4_4, "hardirqs", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "hardirqs", BPF, IRQS("irq", "irq_handler") },
	{ OLD NEWER, "hardirqs", RING, IRQS("irq", "irq_handler") },
};

static const struct resolve_row lacking[] = {

};

RESOLVE_ROWS(cpu, whole, lacking);
