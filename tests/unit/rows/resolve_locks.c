// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

#define CONTENTION \
	"lock.end: tracepoint lock:contention_end\n" \
	"lock.begin: tracepoint lock:contention_begin\n"

#define BEGIN(NAME)	"lock.begin: kprobe " NAME "\n"
#define END(NAME)	"lock.end: kretprobe " NAME "\n"
#define MUTEXES(WHAT) \
	WHAT("__mutex_lock_slowpath") WHAT("__mutex_lock_killable_slowpath") \
	WHAT("__mutex_lock_interruptible_slowpath")
#define WW(WHAT) \
	WHAT("__ww_mutex_lock_slowpath") WHAT("__ww_mutex_lock_interruptible_slowpath")
#define RT(WHAT)	WHAT("rt_mutex_slowlock")
#define READ_FAILED(WHAT)	WHAT("rwsem_down_read_failed")
#define WRITE_FAILED(WHAT)	WHAT("rwsem_down_write_failed")
#define KILLABLE_WRITE(WHAT)	WHAT("rwsem_down_write_failed_killable")
#define KILLABLE_READ(WHAT)	WHAT("rwsem_down_read_failed_killable")
#define SLOWPATHS(WHAT)	WHAT("rwsem_down_read_slowpath") WHAT("rwsem_down_write_slowpath")

#define V3(WHAT)	MUTEXES(WHAT) RT(WHAT) READ_FAILED(WHAT) WRITE_FAILED(WHAT)
#define V4_1(WHAT)	MUTEXES(WHAT) WW(WHAT) RT(WHAT) READ_FAILED(WHAT) WRITE_FAILED(WHAT)
#define V4_9(WHAT)	V4_1(WHAT) KILLABLE_WRITE(WHAT)
#define V4_19(WHAT) \
	MUTEXES(WHAT) WW(WHAT) RT(WHAT) READ_FAILED(WHAT) KILLABLE_READ(WHAT) \
	WRITE_FAILED(WHAT) KILLABLE_WRITE(WHAT)
#define V5_10(WHAT)	MUTEXES(WHAT) WW(WHAT) RT(WHAT) SLOWPATHS(WHAT)
#define BOTH(OF)	OF(END) OF(BEGIN)

#define ASK(NAME)	"hold.ask: kprobe " NAME "\n"
#define HAS(NAME)	"hold.begin: kretprobe " NAME "\n"
#define LOCKS(WHAT) \
	WHAT("mutex_lock") WHAT("mutex_lock_interruptible") WHAT("mutex_lock_killable") \
	WHAT("mutex_trylock")
#define HOLDS	"hold.end: kprobe mutex_unlock\n" LOCKS(HAS) LOCKS(ASK)

#define SYS	"__x64_sys_"
#define IA32	"__ia32_sys_"
#define CALL(NAME)	"futex.enter: kprobe " NAME "\n"
#define RETURN(NAME)	"futex.exit: kretprobe " NAME "\n"
#define FUTEX_OLD(WHAT)		WHAT("sys_futex") WHAT("compat_sys_futex")
#define FUTEX_4_19(WHAT)	WHAT(SYS "futex") WHAT("__ia32_compat_sys_futex")
#define FUTEX_5_10(WHAT) \
	WHAT(SYS "futex") WHAT(SYS "futex_time32") WHAT(IA32 "futex") WHAT(IA32 "futex_time32")
#define FUTEX_6_1(WHAT)	\
	FUTEX_5_10(WHAT) WHAT(SYS "futex_waitv") WHAT(IA32 "futex_waitv")
#define FUTEX_7_2(WHAT) \
	FUTEX_6_1(WHAT) WHAT(SYS "futex_wait") WHAT(IA32 "futex_wait")
#define CALLS(OF)	OF(CALL) OF(RETURN)
#define NO_WORDS	"futex.enter.word\n" "futex.enter.owner\n"
#define EVENTS \
	"futex.enter: tracepoint syscalls:sys_enter_futex\n" \
	"futex.exit: tracepoint syscalls:sys_exit_futex\n"

static const struct resolve_row whole[] = {
	{ "3.10", "lockstat", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.1 4.4", "lockstat", BPF, .refused = "no BPF maps of stacks (since 4.6)" },
	{ "4.9 4.12", "lockstat", BPF, BOTH(V4_9) },
	{ "4.19", "lockstat", BPF, BOTH(V4_19) },
	{ "5.10", "lockstat", BPF | RING, BOTH(V5_10) },
	{ "6.1 6.12 7.2", "lockstat", BPF | RING, CONTENTION },
	{ "3.10 4.1 4.4 4.9 4.12 4.19 5.10 6.1 6.12 7.2", "lockstat --hold", RING, HOLDS },
	{ "4.9 4.12 4.19 5.10 6.1 6.12 7.2", "lockstat --hold", BPF, HOLDS },
	{ "3.10", "lockstat", RING, BOTH(V3) },
	{ "4.1 4.4", "lockstat", RING, BOTH(V4_1) },
	{ "4.9 4.12", "lockstat", RING, BOTH(V4_9) },
	{ "4.19", "lockstat", RING, BOTH(V4_19) },
	{ "3.10", "futexctn", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1 4.4", "futexctn", BPF, .refused = "no BPF maps of stacks (since 4.6)" },
	{ "4.9 4.12", "futexctn", BPF, CALLS(FUTEX_OLD) },
	{ "4.19", "futexctn", BPF, CALLS(FUTEX_4_19) },
	{ "5.10", "futexctn -o", BPF | RING, CALLS(FUTEX_5_10) },
	{ "5.10", "futexctn", BPF | RING, CALLS(FUTEX_5_10) },
	{ "6.1", "futexctn", BPF | RING, CALLS(FUTEX_6_1) },
	{ "6.12 7.2", "futexctn", BPF | RING, CALLS(FUTEX_7_2) },
	{ "3.10 4.1 4.4 4.9 4.12", "futexctn", RING, CALLS(FUTEX_OLD) },
	{ "4.19", "futexctn", RING, CALLS(FUTEX_4_19) },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "lockstat", BPF | RING, CONTENTION, .without = "kprobes" },
	{ "6.1", "futexctn -o", RING, EVENTS, NO_WORDS, .without = "kprobes", .no_compat = true },
	{ "6.1", "futexctn", BPF, EVENTS, .without = "kprobes", .no_compat = true },
	{ "5.10", "lockstat", BPF | RING, .without = "kprobes",
	  .refused = "this kernel has no tracepoint lock:contention_end" },
};

RESOLVE_ROWS(locks, whole, lacking);
