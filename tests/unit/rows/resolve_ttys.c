// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

#define TTYS(BEGIN, END) \
	"tty.asked: " BEGIN " n_tty_ioctl\n" "tty.closed: " BEGIN " n_tty_close\n" \
	"tty.write: " BEGIN " n_tty_write\n" "tty.more: " BEGIN " n_tty_write\n" \
	"tty.most: " BEGIN " n_tty_write\n" "tty.wrote: " END " n_tty_write\n"

static const struct resolve_row whole[] = {
	{ "3.10", "ttysnoop", BPF, .refused = "takes no BPF programs on kprobes" },
	{ "4.1", "ttysnoop", BPF, .refused = "can't tell which task is current" },
	{ "4.4", "ttysnoop", BPF, .refused = UNSAFE_HASH },
	{ OLD NEWER, "ttysnoop", RING, TTYS("kprobe", "kretprobe") },
	{ "4.9 4.12 4.19 " NEWER, "ttysnoop", BPF, TTYS("kprobe", "kretprobe") },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "ttysnoop", RING, .without = "kprobes", .refused = "this kernel has no kprobes" },
};

RESOLVE_ROWS(ttys, whole, lacking);
