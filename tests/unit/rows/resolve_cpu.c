// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

#define SCHED \
	"sched.wakeup: tracepoint sched:sched_wakeup\n" \
	"sched.wakeup: tracepoint sched:sched_wakeup_new\n" \
	"sched.switch: tracepoint sched:sched_switch\n"
#define SWITCHES	"sched.switch: tracepoint sched:sched_switch\n"
#define WAKINGS		"sched.waking: tracepoint sched:sched_waking\n"
#define IRQS(NAME, EVENT) \
	NAME ".entry: tracepoint irq:" EVENT "_entry\n" NAME ".exit: tracepoint irq:" EVENT \
	"_exit\n"

#define FREQUENCIES \
	"cpu.frequency: tracepoint power:cpu_frequency\ncpu.sample: sample frequency\n"
#define CACHES "cache.reference: sample cache-references\ncache.miss: sample cache-misses\n"

#define WORKS \
	"work.queue: tracepoint workqueue:workqueue_queue_work\n" \
	"work.start: tracepoint workqueue:workqueue_execute_start\n" \
	"work.end: tracepoint workqueue:workqueue_execute_end\n"

#define GUESTS "kvm.exit: tracepoint kvm:kvm_exit\nkvm.entry: tracepoint kvm:kvm_entry\n"
#define NO_GUESTS "this kernel has no tracepoint kvm:kvm_exit: module kvm is not loaded"

#define MOVES(REASONS) "sched.migrate: tracepoint sched:sched_migrate_task\n" REASONS TASKS_LINES
#define NUMA_MOVES \
	"numa.move: tracepoint sched:sched_move_numa\n" \
	"numa.swap: tracepoint sched:sched_swap_numa\n" \
	"numa.stick: tracepoint sched:sched_stick_numa\n"

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
	{ TO_4_4, "schedlat", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "schedlat", BPF, SCHED },
	{ OLD NEWER, "schedlat", RING, SCHED },
	{ OLD NEWER, "schedlat --timehist -p 5", RING, SCHED },
	{ TO_4_4, "wqlat", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "wqlat", BPF, WORKS },
	{ OLD NEWER, "wqlat", RING, WORKS },
	{ TO_4_4, "kvmexit", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 ", "kvmexit", BPF, .refused = NO_GUESTS },
	{ OLD, "kvmexit", RING, .refused = NO_GUESTS },
	{ NEWER, "kvmexit", BPF | RING, GUESTS },
	{ NEWER, "kvmexit -v 1", BPF | RING, GUESTS },
	{ TO_4_4, "runqslower", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "runqslower", BPF, SCHED },
	{ OLD NEWER, "runqslower", RING, SCHED },
	{ TO_4_4, "numasched", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "numasched", BPF, MOVES(NUMA_MOVES) },
	{ "3.10", "numasched", RING, MOVES(""), .missing = "numa.move\nnuma.swap\nnuma.stick\n" },
	{ "4.1 4.4 4.9 4.12 4.19 " NEWER, "numasched", RING, MOVES(NUMA_MOVES) },
	{ "4.9 4.12 4.19 " NEWER, "runqslower -p 7", BPF, SCHED NEW_TASK },
	{ OLD NEWER, "runqslower -t 7", RING, SCHED },
	{ TO_4_4, "runqlen", BPF,
	  .refused = "runq.sample: this kernel takes no BPF programs on samples (since 4.9)" },
	{ "4.9 4.12 4.19 5.10 6.12 7.2", "runqlen", BPF,
	  .refused = "frequency has no running: offset of task_struct.se.cfs_rq is not known" },
	{ "6.1", "runqlen", BPF, "runq.sample: sample frequency\n" },
	{ OLD NEWER, "runqlen", RING,
	  .refused = "only BPF programs can read the kernel's memory, for " },
	{ TO_4_4, "cpuunclaimed", BPF,
	  .refused = "runq.sample: this kernel takes no BPF programs on samples (since 4.9)" },
	{ "4.9 4.12 4.19 5.10 6.12 7.2", "cpuunclaimed", BPF,
	  .refused = "frequency has no running: offset of task_struct.se.cfs_rq is not known" },
	{ "6.1", "cpuunclaimed", BPF, "runq.sample: sample frequency\n" },
	{ OLD NEWER, "cpuunclaimed", RING,
	  .refused = "only BPF programs can read the kernel's memory, for " },
	{ TO_4_4, "profile", BPF,
	  .refused = "cpu.sample: this kernel takes no BPF programs on samples (since 4.9)" },
	{ "4.9 4.12 4.19 " NEWER, "profile", BPF, "cpu.sample: sample frequency\n" },
	{ OLD NEWER, "profile", RING, "cpu.sample: sample frequency\n" },
	{ TO_4_4, "cpufreq", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "cpufreq", BPF, FREQUENCIES },
	{ OLD NEWER, "cpufreq", RING, FREQUENCIES },
	{ TO_4_4, "llcstat", BPF,
	  .refused = "cache.reference: this kernel takes no BPF programs on samples (since 4.9)" },
	{ "4.9 4.12 4.19 " NEWER, "llcstat", BPF, CACHES },
	{ OLD NEWER, "llcstat", RING, CACHES },
	{ TO_4_4, "offcputime", BPF, .refused = "this kernel" },
	{ TO_4_4, "wakeuptime", BPF, .refused = "this kernel" },
	{ TO_4_4, "offwaketime", BPF, .refused = "this kernel" },
	{ "4.9 4.12 4.19 " NEWER, "offcputime", BPF, SWITCHES },
	{ OLD NEWER, "offcputime", RING, SWITCHES },
	{ "4.9 4.12 4.19 " NEWER, "offcputime -u", BPF, SWITCHES NEW_TASK },
	{ OLD NEWER, "offcputime -k", RING, SWITCHES NEW_TASK },
	{ "4.9 4.12 4.19 " NEWER, "wakeuptime", BPF, SWITCHES WAKINGS },
	{ "4.4 4.9 4.12 4.19 " NEWER, "wakeuptime", RING, SWITCHES WAKINGS },
	{ "3.10 4.1", "wakeuptime", RING, SWITCHES
	  "sched.waking: tracepoint sched:sched_wakeup\n" },
	{ "4.9 4.12 4.19 " NEWER, "offwaketime", BPF, SWITCHES WAKINGS },
	{ "4.4 4.9 4.12 4.19 " NEWER, "offwaketime", RING, SWITCHES WAKINGS },
	{ "3.10 4.1", "offwaketime", RING, SWITCHES
	  "sched.waking: tracepoint sched:sched_wakeup\n" },
	{ TO_4_4, "softirqs", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "softirqs", BPF, IRQS("softirq", "softirq") },
	{ OLD NEWER, "softirqs", RING, IRQS("softirq", "softirq") },
	{ TO_4_4, "softirqslower", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "softirqslower", BPF,
	  "softirq.raise: tracepoint irq:softirq_raise\n" IRQS("softirq", "softirq") },
	{ OLD NEWER, "softirqslower", RING,
	  "softirq.raise: tracepoint irq:softirq_raise\n" IRQS("softirq", "softirq") },
	{ OLD NEWER, "softirqs -C", RING, "softirq.entry: tracepoint irq:softirq_entry\n" },
	{ TO_4_4, "hardirqs", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "hardirqs", BPF, IRQS("irq", "irq_handler") },
	{ OLD NEWER, "hardirqs", RING, IRQS("irq", "irq_handler") },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "llcstat", BPF | RING, .without = "pmu-cache",
	  .refused = "cache.reference: it needs pmu-cache: --without" },
	{ "6.1", "cpufreq", BPF | RING, .without = "cpu-frequency",
	  .refused = "cpu.frequency: it needs cpu-frequency: --without" },
	{ "6.1", "runqlen", BPF, .without = "bpf-sample",
	  .refused = "this kernel takes no BPF programs on samples" },
};

RESOLVE_ROWS(cpu, whole, lacking);
