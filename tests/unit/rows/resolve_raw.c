// SPDX-License-Identifier: GPL-2.0
/* Tools on raw and typed tracepoints, and on typed functions: the other rows do without these. */
#include "tests/unit/rows/resolve_rows.h"

#define RAW_TP(HOOK, NAME)	HOOK ": raw tracepoint " NAME "\n"
#define TYPED_TP(HOOK, NAME)	HOOK ": typed tracepoint " NAME "\n"
#define TP(HOOK, NAME)		HOOK ": tracepoint " NAME "\n"
#define TYPED_WAKEUPS \
	TYPED_TP("sched.wakeup", "sched:sched_wakeup") \
	TYPED_TP("sched.wakeup", "sched:sched_wakeup_new")
#define WAKEUPS \
	TP("sched.wakeup", "sched:sched_wakeup") TP("sched.wakeup", "sched:sched_wakeup_new")

#define SLOW(ENTRY, EXIT) \
	"vfs.enter: " ENTRY " vfs_read\n" "vfs.enter: " ENTRY " vfs_write\n" \
	"vfs.exit: " EXIT " vfs_read\n" "vfs.exit: " EXIT " vfs_write\n" \
	"vfs.vector_enter: " ENTRY " vfs_readv\n" "vfs.vector_enter: " ENTRY " vfs_writev\n" \
	"vfs.vector_exit: " EXIT " vfs_readv\n" "vfs.vector_exit: " EXIT " vfs_writev\n"

/*
 * The facts of 6.1 have the arguments of tracepoints and functions, and the offsets of what they
 * point to.
 */
#define RAW_BLOCK \
	RAW_TP("block.issue", "block:block_rq_issue") \
	RAW_TP("block.done", "block:block_rq_complete")
#define RAW_WAITING	RAW_TP("block.merge", "block:block_rq_merge")
#define RAW_REQUEUE	RAW_TP("block.requeue", "block:block_rq_requeue")
#define RAW_QUEUED(EVENT) \
	RAW_TP("block.queue", "block:" EVENT) RAW_WAITING RAW_REQUEUE RAW_BLOCK
#define RAW_REQUESTS(EVENT) \
	RAW_TP("block.request", "block:" EVENT) RAW_WAITING \
	RAW_TP("block.issue", "block:block_rq_issue") RAW_REQUEUE \
	RAW_TP("block.done", "block:block_rq_complete")
#define MADE_KEYS \
	TP("block.issue", "block:block_rq_issue") TP("block.requeue", "block:block_rq_requeue") \
	TP("block.done", "block:block_rq_complete")
#define MADE_REQUESTS(EVENT) \
	TP("block.request", "block:" EVENT) \
	TP("block.frontmerge", "block:block_bio_frontmerge") \
	TP("block.merge", "block:block_rq_merge") MADE_KEYS

static const struct resolve_row rows[] = {
	/* The request itself, and the task by its first I/O, or since 6.5 by the request. */
	{ "5.10", "biolatency", BPF, RAW_BLOCK },
	{ "6.1", "biolatency", BPF, RAW_BLOCK },
	{ "7.2", "biolatency", BPF, RAW_BLOCK },
	{ "5.10", "biolatency -D", BPF, RAW_BLOCK },
	{ "6.1", "biolatency -DQ", BPF, RAW_QUEUED("block_rq_insert") },
	{ "5.10", "biolatency -Q", BPF, RAW_QUEUED("block_rq_insert") },
	{ "7.2", "biolatency -Q", BPF, RAW_QUEUED("block_io_start") },
	{ "5.10", "biosnoop", BPF, RAW_REQUESTS("block_getrq") },
	{ "6.1", "biosnoop", BPF, RAW_REQUESTS("block_getrq") },
	{ "7.2", "biotop", BPF, RAW_REQUESTS("block_io_start") },
	{ "7.2", "biosnoop --pid 7", BPF, RAW_REQUESTS("block_io_start") },
	{ "6.1", "biosnoop", RING, MADE_REQUESTS("block_getrq") },
	/* Where something of it is not known, all programs have made keys. */
	{ "6.1", "biolatency", BPF, MADE_KEYS, .without = "raw-tracepoints" },
	{ "6.1", "biolatency", BPF, MADE_KEYS, .without = "member:request.cmd_flags" },
	{ "6.1", "biosnoop", BPF, MADE_REQUESTS("block_getrq"),
	  .without = "member:request_queue.disk" },
	{ "6.12", "biolatency", BPF, MADE_KEYS },
	{ "4.19", "biolatency", BPF, MADE_KEYS },
	/* Without the name of a queue's disk a kernel since 5.15 has no disk for --disks. */
	{ "6.1", "biolatency", BPF, RAW_BLOCK, .without = "member:request_queue.disk" },
	{ "6.1", "biolatency -D", BPF, MADE_KEYS, .without = "member:request_queue.disk" },
	{ "6.1", "hardirqs", BPF,
	  TYPED_TP("irq.entry", "irq:irq_handler_entry")
	  RAW_TP("irq.exit", "irq:irq_handler_exit") },
	{ "6.1", "runqlat", BPF, TYPED_WAKEUPS TYPED_TP("sched.switch", "sched:sched_switch") },
	{ "6.1", "runqlat", RING, WAKEUPS TP("sched.switch", "sched:sched_switch") },
	{ "6.1", "runqlat", BPF, WAKEUPS TP("sched.switch", "sched:sched_switch"),
	  .without = "tp_btf" },
	{ "6.1", "cpudist", BPF, TYPED_TP("sched.switch", "sched:sched_switch") },
	/* It hands out no state: that is a member of the task, with this name before 5.14. */
	{ "5.10", "cpudist -O", BPF, TYPED_TP("sched.switch", "sched:sched_switch") },
	{ "5.10", "cpudist -O", BPF, TP("sched.switch", "sched:sched_switch"),
	  .without = "member:task_struct.state" },
	/* Members that are not known: the hook that needs them has another alternative. */
	{ "6.1", "runqslower", BPF, TYPED_WAKEUPS TP("sched.switch", "sched:sched_switch"),
	  .without = "member:task_struct.comm" },
	{ "6.1", "runqlat", BPF, WAKEUPS TP("sched.switch", "sched:sched_switch"),
	  .without = "member:task_struct.pid" },
	/* Stacks of the kernel need another event. */
	{ "6.1", "offcputime -K", BPF, TP("sched.switch", "sched:sched_switch") },
	{ "6.1", "offcputime -U", BPF, TYPED_TP("sched.switch", "sched:sched_switch") },
	{ "6.1", "slabratetop", BPF,
	  RAW_TP("slab.cache", "kmem:kmem_cache_alloc") "slab.bulk: kprobe kmem_cache_alloc_bulk\n"
	  RAW_TP("slab.kmalloc", "kmem:kmalloc") },
	{ "6.1", "slabratetop", BPF,
	  RAW_TP("slab.cache", "kmem:kmem_cache_alloc") RAW_TP("slab.kmalloc", "kmem:kmalloc"),
	  "slab.bulk\n", .without = "kprobes,fentry" },
	{ "6.1", "slabratetop", BPF,
	  "slab.cache: kprobe kmem_cache_alloc\n" "slab.cache: kprobe kmem_cache_alloc_lru\n"
	  "slab.cache: kprobe kmem_cache_alloc_node\n" "slab.bulk: kprobe kmem_cache_alloc_bulk\n"
	  TP("slab.kmalloc", "kmem:kmalloc"), .without = "raw-whole,fentry" },
	/* The snapshot of 6.12 does not have the arguments. */
	{ "6.12", "cpudist", BPF, TP("sched.switch", "sched:sched_switch") },
	{ "6.1", "cpudist", BPF, TP("sched.switch", "sched:sched_switch"), .without = "btf" },
	{ "6.1", "cpudist", BPF, TP("sched.switch", "sched:sched_switch"), .without = "5.4" },
	{ "6.1", "softirqs", BPF,
	  RAW_TP("softirq.entry", "irq:softirq_entry") RAW_TP("softirq.exit", "irq:softirq_exit") },
	{ "6.1", "softirqs", RING,
	  TP("softirq.entry", "irq:softirq_entry") TP("softirq.exit", "irq:softirq_exit") },
	/* The snapshot has no arguments of it. */
	{ "6.1", "softirqs --min 1", BPF, TP("softirq.raise", "irq:softirq_raise")
	  RAW_TP("softirq.entry", "irq:softirq_entry") RAW_TP("softirq.exit", "irq:softirq_exit") },
	{ "6.1", "softirqslower", RING, TP("softirq.raise", "irq:softirq_raise")
	  TP("softirq.entry", "irq:softirq_entry") TP("softirq.exit", "irq:softirq_exit") },
	/* A row of a kprobe serves a function whose type is known. */
	{ "6.1", "fileslower", BPF, SLOW("fentry", "fexit") },
	{ "6.1", "fileslower", BPF, SLOW("kprobe", "kretprobe"), .without = "fentry" },
	{ "6.1", "fileslower", BPF, SLOW("kprobe", "kretprobe"), .without = "btf" },
	{ "6.1", "fileslower", BPF, SLOW("kprobe", "kretprobe"), .without = "5.4" },
	{ "6.1", "fileslower", BPF, SLOW("fentry", "fexit"), .without = "kprobes" },
	{ "6.1", "fileslower", RING, SLOW("kprobe", "kretprobe") },
	{ "5.10", "capable", BPF, "cap.check: fentry cap_capable\n" },
	{ "5.10", "capable", BPF, "cap.check: kprobe cap_capable\n", .without = "fentry" },
	{ "6.1", "tcpaccept", BPF, "tcp.accept: fexit inet_csk_accept\n" },
	{ "6.1", "tcpaccept", BPF, "tcp.accept: kretprobe inet_csk_accept\n",
	  .without = "fentry" },
	/*
	 * Where the kernel may skip events of it, it serves only what nothing else serves: a call
	 * has its tracepoint.
	 */
	{ "6.1", "opensnoop", BPF,
	  "open.enter: fentry do_sys_openat2\n" "open.name: fentry do_filp_open\n"
	  "open.exit: fexit do_sys_openat2\n", .without = "kprobes" },
	{ "6.1", "opensnoop", BPF,
	  TP("open.enter", "syscalls:sys_enter_openat") TP("open.enter", "syscalls:sys_enter_open")
	  TP("open.enter", "syscalls:sys_enter_creat") TP("open.exit", "syscalls:sys_exit_openat")
	  TP("open.exit", "syscalls:sys_exit_open") TP("open.exit", "syscalls:sys_exit_creat"),
	  .without = "fentry-whole,kprobes", .no_compat = true },
	{ "6.1", "fileslower", BPF, SLOW("kprobe", "kretprobe"), .without = "fentry-whole" },
	{ "6.1", "fileslower", BPF, SLOW("fentry", "fexit"), .without = "fentry-whole,kprobes" },
	{ "5.10", "capable", BPF, "cap.check: kprobe cap_capable\n", .without = "fentry-whole" },
	{ "5.10", "capable", BPF, "cap.check: fentry cap_capable\n",
	  .without = "fentry-whole,kprobes" },
	/* So it serves what the user names, if that is little. */
	{ "6.1", "funclatency vfs_read", BPF,
	  "function.hit: fentry vfs_read\n" "function.return: fexit vfs_read\n" },
	{ "6.1", "funclatency vfs_read", BPF,
	  "function.hit: kprobe vfs_read\n" "function.return: kretprobe vfs_read\n",
	  .without = "fentry-whole" },
	{ "6.1", "funclatency vfs_read", RING,
	  "function.hit: kprobe vfs_read\n" "function.return: kretprobe vfs_read\n" },
	{ "6.1", "funccount vfs_read", BPF, "function.hit: fentry vfs_read\n" },
	{ "6.1", "funccount vfs_g*", BPF,
	  "function.hit: kprobe.multi vfs_get_fsid and 7 more\n" },
	{ "6.1", "stackcount vfs_read", BPF, "function.hit: kprobe vfs_read\n" },
	{ "6.1", "trace vfs_read", BPF, "probe1.hit: kprobe vfs_read\n" },
	/* A member that is not known: that hook alone has another alternative. */
	{ "6.1", "hardirqs", BPF,
	  TP("irq.entry", "irq:irq_handler_entry") RAW_TP("irq.exit", "irq:irq_handler_exit"),
	  .without = "member:irqaction.name" },
	/* Other tasks can take the CPU where calls, begins and ends of tasks are traced. */
	{ "6.1", "syscount -L", BPF,
	  TYPED_TP("calls.enter", "raw_syscalls:sys_enter")
	  TYPED_TP("calls.exit", "raw_syscalls:sys_exit")
	  TP("task.exit", "sched:sched_process_exit") },
	{ "6.1", "syscount -L", BPF,
	  TP("calls.enter", "raw_syscalls:sys_enter") TP("calls.exit", "raw_syscalls:sys_exit")
	  TP("task.exit", "sched:sched_process_exit"), .without = "raw-whole" },
	/* The arguments of calls are in records only. */
	{ "6.1", "systrace", BPF,
	  TP("calls.enter", "raw_syscalls:sys_enter")
	  TYPED_TP("calls.exit", "raw_syscalls:sys_exit")
	  "exec.again: kprobe begin_new_exec\n" TP("exec.done", "sched:sched_process_exec")
	  TP("task.exit", "sched:sched_process_exit") },
	{ "6.1", "exitsnoop", BPF,
	  TP("task.new", "task:task_newtask") TP("task.exit", "sched:sched_process_exit")
	  TP("exit.code", "syscalls:sys_enter_exit")
	  TP("exit.group", "syscalls:sys_enter_exit_group")
	  TYPED_TP("exit.sent", "signal:signal_generate")
	  TYPED_TP("exit.signal", "signal:signal_deliver"),
	  "task.exit.own\n" "task.exit.all\n" "task.exit.flags\n" "task.exit.first\n",
	  .without = "kprobes,fentry" },
	{ "6.1", "cachestat", BPF,
	  "cache.access: fentry folio_mark_accessed\n" "cache.add: fentry filemap_add_folio\n"
	  RAW_TP("cache.dirty", "writeback:writeback_dirty_folio") },
	{ "5.10", "cachestat", BPF,
	  "cache.access: fentry mark_page_accessed\n" "cache.add: fentry add_to_page_cache_lru\n"
	  RAW_TP("cache.dirty", "writeback:writeback_dirty_page") },
	/* The snapshot of 6.12 does not have the arguments. */
	{ "6.12", "softirqs", BPF,
	  TP("softirq.entry", "irq:softirq_entry") TP("softirq.exit", "irq:softirq_exit") },
	{ "6.1", "softirqs", BPF,
	  TP("softirq.entry", "irq:softirq_entry") TP("softirq.exit", "irq:softirq_exit"),
	  .without = "btf" },
	{ "6.1", "softirqs", BPF,
	  TP("softirq.entry", "irq:softirq_entry") TP("softirq.exit", "irq:softirq_exit"),
	  .without = "4.12" },
};

const struct resolve_rows resolve_raw = { rows, sizeof(rows) / sizeof(rows[0]), NULL, 0 };
