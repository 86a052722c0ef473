// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

/* As far as nothing else is named, it is vfs_read(). */
#define CALLS	"function.hit: kprobe vfs_read\n" "function.return: kretprobe vfs_read\n"
#define SLOW_CALLS "function.return: kretprobe vfs_read\n" "function.hit: kprobe vfs_read\n"

#define NO_GRAPH "only the engine ftrace has the kernel's function graph tracer"
#define NO_STACKS "this kernel has no BPF maps of stacks"

static const struct resolve_row whole[] = {
	{ "3.10", "funclatency", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "funclatency", BPF, .refused = NO_IDENTITY },
	{ "4.4", "funclatency", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12 4.19 " NEWER, "funclatency", BPF, CALLS },
	{ OLD NEWER, "funclatency", RING, CALLS },
	{ "3.10", "funccount", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "funccount", BPF, .refused = NO_IDENTITY },
	{ "4.4 4.9 4.12 4.19 " NEWER, "funccount", BPF, "function.hit: kprobe vfs_read\n" },
	{ OLD NEWER, "funccount", RING, "function.hit: kprobe vfs_read\n" },
	{ "3.10", "funcslower", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "funcslower", BPF, .refused = NO_IDENTITY },
	{ "4.4", "funcslower", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12 4.19 " NEWER, "funcslower", BPF, SLOW_CALLS },
	{ OLD NEWER, "funcslower", RING, SLOW_CALLS },
	{ OLD NEWER, "funcgraph", BPF, .refused = NO_GRAPH },
	{ OLD NEWER, "funcgraph", RING, .refused = NO_GRAPH },
	{ "3.10", "stackcount", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1 4.4", "stackcount", BPF, .refused = NO_STACKS },
	{ "4.9 4.12 4.19 " NEWER, "stackcount", BPF, "function.hit: kprobe vfs_read\n" },
	{ OLD NEWER, "stackcount", RING, "function.hit: kprobe vfs_read\n" },
	{ "3.10", "stacksnoop", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1 4.4", "stacksnoop", BPF, .refused = NO_STACKS },
	{ "4.9 4.12 4.19 " NEWER, "stacksnoop", BPF, "function.hit: kprobe vfs_read\n" },
	{ OLD NEWER, "stacksnoop", RING, "function.hit: kprobe vfs_read\n" },
	{ "3.10", "trace", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "trace", BPF, .refused = NO_IDENTITY },
	{ "4.4 4.9 4.12 4.19 " NEWER, "trace", BPF, "probe1.hit: kprobe vfs_read\n" },
	{ OLD NEWER, "trace", RING, "probe1.hit: kprobe vfs_read\n" },
	{ "3.10", "bt", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "bt", BPF, .refused = NO_IDENTITY },
	{ "4.4 4.9 4.12 4.19 " NEWER, "bt", BPF, "probe1.hit: kprobe vfs_read\n" },
	{ OLD NEWER, "bt", RING, "probe1.hit: kprobe vfs_read\n" },
	{ "6.1", "bt -e t:sched:sched_switch,profile:hz:99{@=count()}", BPF,
	  "probe1.hit: tracepoint sched:sched_switch\n"
	  "probe2.hit: sample hz-99\n" },
	{ "3.10", "argdist", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "argdist", BPF, .refused = NO_IDENTITY },
	{ "4.4", "argdist", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12 4.19 " NEWER, "argdist", BPF, "spec1.hit: kprobe vfs_read\n" },
	{ OLD NEWER, "argdist", RING, "spec1.hit: kprobe vfs_read\n" },
	{ "6.1", "argdist -H r::vfs_read():u64:$latency/1000", BPF | RING,
	  "spec1.enter: kprobe vfs_read\nspec1.hit: kretprobe vfs_read\n" },
#define SWITCH(FIELD)	"t:sched:sched_switch\t\"%d\",args->" FIELD
#define TWO_ON_SWITCH	"trace " SWITCH("next_pid") " " SWITCH("prev_pid")
	/* A tracepoint takes one program there, a function as many as it has probes. */
	{ "4.12", TWO_ON_SWITCH, BPF,
	  .refused = "tracepoints of this kernel take one BPF program, and this asks for two on "
		     "sched:sched_switch" },
	{ "4.19", TWO_ON_SWITCH, BPF,
	  "probe1.hit: tracepoint sched:sched_switch\n"
	  "probe2.hit: tracepoint sched:sched_switch\n" },
	{ "4.12", "trace vfs_read vfs_read", BPF,
	  "probe1.hit: kprobe vfs_read\nprobe2.hit: kprobe vfs_read\n" },
	{ "3.10 4.12", "trace sys_read", RING, "probe1.hit: kprobe sys_read\n" },
	{ "6.1", "trace sys_read", BPF | RING, "probe1.hit: kprobe __x64_sys_read\n"
	  "probe1.hit: kprobe __ia32_sys_read\n" },
	{ "6.1", "trace r:__x64_sys_read", BPF | RING, "probe1.hit: kretprobe __x64_sys_read\n"
	  "probe1.hit: kretprobe __ia32_sys_read\n" },
	{ "3.10 4.19", "trace do_sys_open", RING, "probe1.hit: kprobe do_sys_open\n" },
	{ "6.1", "trace do_sys_open", BPF | RING, "probe1.hit: kprobe do_sys_openat2\n" },
	{ "6.1", "trace SyS_nanosleep(struct\ttimespec*ts)\t\"%lld\",ts->tv_nsec", BPF,
	  "probe1.hit: kprobe __x64_sys_nanosleep\n", .no_compat = true },
	{ "6.1", "trace sys_read\t(arg3>20000)\t\"%d\",arg3", BPF | RING,
	  "probe1.hit: tracepoint syscalls:sys_enter_read\n", .without = "kprobes",
	  .no_compat = true },
	{ "6.1", "argdist -H r::sys_read():u64:$latency", BPF | RING,
	  "spec1.enter: tracepoint syscalls:sys_enter_read\n"
	  "spec1.hit: tracepoint syscalls:sys_exit_read\n", .without = "kprobes",
	  .no_compat = true },
	{ "6.1", "trace r::do_sys_open\t\"%d\",retval", BPF | RING,
	  "probe1.hit: tracepoint syscalls:sys_exit_openat\n"
	  "probe1.hit: tracepoint syscalls:sys_exit_open\n"
	  "probe1.hit: tracepoint syscalls:sys_exit_creat\n", .without = "kprobes",
	  .no_compat = true },
	{ "6.1", "trace vfs_read\t\"%d\",*(u32*)(arg1+16)", RING,
	  .refused = "it reads memory through a pointer, and since 4.20 only BPF programs" },
	{ "4.19", "trace vfs_read\t\"%d\",*(u32*)(arg1+16)", RING,
	  "probe1.hit: kprobe vfs_read\n" },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "funclatency", BPF | RING, .without = "kprobes",
	  .refused = "this kernel has no kprobes, for vfs_read" },
	{ "6.1", "funclatency c:getaddrinfo", BPF | RING,
	  "function.hit: uprobe c:getaddrinfo\n" "function.return: uretprobe c:getaddrinfo\n" },
	{ "6.1", "funclatency c:getaddrinfo", BPF, .without = "bpf-uprobe",
	  .refused = NO_UPROBE_PROGRAMS },
	{ "6.1", "stackcount t:sched:sched_switch", BPF | RING,
	  "function.hit: tracepoint sched:sched_switch\n" },
	{ "6.1", "stackcount r:vfs_read", BPF | RING, "function.hit: kretprobe vfs_read\n" },
	/* A place on the stack is in a register. */
	{ "3.10", "funclatency c:getaddrinfo", RING,
	  "function.hit: uprobe c:getaddrinfo\n" "function.return: uretprobe c:getaddrinfo\n" },
	{ "6.1", "funccount", BPF | RING, .without = "kprobes",
	  .refused = "this kernel has no kprobes, for vfs_read" },
	{ "6.1", "funccount vfs_rea*", BPF, "function.hit: kprobe.multi vfs_read and 2 more\n" },
	{ "6.1", "funccount r::vfs_rea*", BPF,
	  "function.hit: kretprobe.multi vfs_read and 2 more\n" },
	{ "6.1", "funccount vfs_rea*", RING,
	  "function.hit: kprobe vfs_read\n" "function.hit: kprobe vfs_readlink\n"
	  "function.hit: kprobe vfs_readv\n" },
	{ "6.1", "funccount vfs_rea*", BPF,
	  "function.hit: kprobe vfs_read\n" "function.hit: kprobe vfs_readlink\n"
	  "function.hit: kprobe vfs_readv\n", .without = "kprobe-multi" },
	{ "6.1", "funccount *", RING,
	  .refused = "match, and this kernel needs a probe for each: no more than 1000 are made" },
	{ "6.1", "funccount t:task:*", BPF | RING,
	  "function.hit: tracepoint task:task_newtask\n"
	  "function.hit: tracepoint task:task_rename\n" },
};

RESOLVE_ROWS(functions, whole, lacking);
