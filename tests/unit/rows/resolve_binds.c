// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

#define CHECKED		"bind.enter: kprobe security_socket_bind\n"
/* To 4.12 one function serves the tasks of both widths. */
#define BINDS_ONE	CHECKED "bind.exit: kretprobe sys_bind\n" \
			"bind.exit: kretprobe sys_socketcall\n" \
			"bind.exit: kretprobe compat_sys_socketcall\n"
#define BINDS		CHECKED CALLED("bind.exit", "bind", "kretprobe", "__x64_sys_", \
				       "__ia32_sys_") \
	"bind.exit: kretprobe __x64_sys_socketcall\n" \
	"bind.exit: kretprobe __ia32_compat_sys_socketcall\n"
#define NO_SOCKET	"bind.enter.sk\n"
#define LISTENS		"listen.enter: kprobe inet_csk_listen_start\n" \
			"listen.exit: kretprobe inet_csk_listen_start\n"
#define STATES		"listen.enter: tracepoint sock:inet_sock_set_state\n" \
			"listen.exit: tracepoint syscalls:sys_exit_listen\n"

static const struct resolve_row whole[] = {
	{ "3.10", "bindsnoop", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "bindsnoop", BPF, .refused = NO_IDENTITY },
	{ "4.4", "bindsnoop", BPF, .refused = UNSAFE_HASH },
	{ TO_4_4, "bindsnoop", RING, BINDS_ONE, NO_SOCKET },
	{ "4.9 4.12", "bindsnoop", BPF | RING, BINDS_ONE, NO_SOCKET },
	/* Nobody has asked these kernels, but for 6.1, for the offsets of a socket. */
	{ "4.19 5.10 6.12 7.2", "bindsnoop", BPF | RING, BINDS, NO_SOCKET },
	{ "6.1", "bindsnoop", BPF | RING, BINDS },
	{ "3.10", "bindsnoop -l", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "bindsnoop -l", BPF, .refused = NO_IDENTITY },
	{ "4.4", "bindsnoop -l", BPF, .refused = UNSAFE_HASH },
	{ "3.10", "bindsnoop -l", RING, LISTENS,
	  "listen.enter.protocol\n" "listen.enter.saddr6\n" },
	{ "6.1", "bindsnoop -l", BPF | RING, LISTENS },
	{ "6.1", "bindsnoop -l -U", RING, LISTENS, "listen.exit.uid\n" },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "bindsnoop", BPF | RING, .without = "kprobes",
	  .refused = "bind.enter: this kernel has no kprobes, for security_socket_bind()" },
	{ "6.1", "bindsnoop -l", BPF | RING, .without = "kprobes",
	  .refused = "listen.enter: this kernel has no kprobes, for inet_csk_listen_start()" },
};

RESOLVE_ROWS(binds, whole, lacking);
