// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

/* To 4.12 one function serves the tasks of both widths. */
#define ONE_FOR_BOTH(HOOK, KIND, CALL)	"gone." HOOK ": " KIND " sys_" CALL "\n"
#define BOTH(HOOK, KIND, CALL)	CALLED("gone." HOOK, CALL, KIND, "__x64_sys_", "__ia32_sys_")

#define CALLS(ONE, HOOK, KIND, RENAMEAT2) \
	ONE(HOOK, KIND, "unlinkat") RENAMEAT2 ONE(HOOK, KIND, "renameat") \
	ONE(HOOK, KIND, "unlink") ONE(HOOK, KIND, "rmdir") ONE(HOOK, KIND, "rename")
#define IN_3_10 \
	CALLS(ONE_FOR_BOTH, "enter", "kprobe", ) CALLS(ONE_FOR_BOTH, "exit", "kretprobe", )
/* 3.15 */
#define WITH_RENAMEAT2(ONE) \
	CALLS(ONE, "enter", "kprobe", ONE("enter", "kprobe", "renameat2")) \
	CALLS(ONE, "exit", "kretprobe", ONE("exit", "kretprobe", "renameat2"))

/* The functions that io_uring calls, too. */
#define BELOW(UNLINK, RMDIR, RENAME) \
	"gone.enter: kprobe " UNLINK "\n" "gone.enter: kprobe " RMDIR "\n" \
	"gone.enter: kprobe " RENAME "\n" \
	"gone.exit: kretprobe " UNLINK "\n" "gone.exit: kretprobe " RMDIR "\n" \
	"gone.exit: kretprobe " RENAME "\n"

static const struct resolve_row whole[] = {
	{ "3.10", "filegone", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "filegone", BPF, .refused = NO_IDENTITY },
	{ "4.4", "filegone", BPF, .refused = UNSAFE_HASH },
	{ "3.10", "filegone", RING, IN_3_10 },
	{ "4.1 4.4", "filegone", RING, WITH_RENAMEAT2(ONE_FOR_BOTH) },
	{ "4.9 4.12", "filegone", BPF | RING, WITH_RENAMEAT2(ONE_FOR_BOTH) },
	{ "4.19 5.10", "filegone", BPF | RING, WITH_RENAMEAT2(BOTH) },
	{ "6.1", "filegone", BPF | RING, BELOW("do_unlinkat", "do_rmdir", "do_renameat2") },
	{ "6.12", "filegone", RING, BELOW("do_unlinkat", "do_rmdir", "do_renameat2") },
	/* its snapshot does not tell where a program's path is in the kernel's copy */
	{ "6.12", "filegone", BPF, WITH_RENAMEAT2(BOTH) },
	{ "7.2", "filegone", BPF | RING,
	  BELOW("filename_unlinkat", "filename_rmdir", "filename_renameat2") },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "filegone", RING, .without = "kprobes",
	  .refused = "gone.enter: this kernel has no kprobes, for unlinkat()" },
};

RESOLVE_ROWS(gone, whole, lacking);
