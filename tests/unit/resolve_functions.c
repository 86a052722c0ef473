// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/resolve_rows.h"

/* As far as nothing else is named, it is vfs_read(). */
#define CALLS	"function.hit: kprobe vfs_read\n" "function.return: kretprobe vfs_read\n"

static const struct resolve_row whole[] = {
	{ "3.10", "funclatency", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "funclatency", BPF, .refused = NO_IDENTITY },
	{ "4.4", "funclatency", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12 4.19 " NEWER, "funclatency", BPF, CALLS },
	{ OLD NEWER, "funclatency", RING, CALLS },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "funclatency", BPF | RING, .without = "kprobes",
	  .refused = "this kernel has no kprobes, for vfs_read" },
	{ "6.1", "funclatency c:getaddrinfo", BPF | RING,
	  "function.hit: uprobe c:getaddrinfo\n" "function.return: uretprobe c:getaddrinfo\n" },
	{ "6.1", "funclatency c:getaddrinfo", BPF, .without = "bpf-uprobe",
	  .refused = NO_UPROBE_PROGRAMS },
	/* A place on the stack is in a register. */
	{ "3.10", "funclatency c:getaddrinfo", RING,
	  "function.hit: uprobe c:getaddrinfo\n" "function.return: uretprobe c:getaddrinfo\n" },
};

RESOLVE_ROWS(functions, whole, lacking);
