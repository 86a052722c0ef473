// SPDX-License-Identifier: GPL-2.0
/* Addresses that sockets are bound to, and sockets that begin to listen. */
#include "compat/hooks/hooks_sock.h"

/*
 * The address. The first byte of a UNIX socket's path is 0 if the path is a name beside the file
 * system; the name follows it.
 */
#define ADDRESS(USER, P, TEXT) \
	" family=+" USER "0(" P "):u16 port=+" USER "2(" P "):be16 " \
	"address=+" USER "4(" P "):c4 address6=+" USER "8(" P "):c16 " \
	"path?=+" USER "2(" P "):" TEXT " name?=+" USER "3(" P "):" TEXT
#define NETNS(SK)	" netns?=+{net.ns.inum}(+{sock_common.skc_net.net}(" SK ")):u32"
/*
 * What the socket has, for kernels with type information. The bits of `reuse` have been at the same
 * place since 3.10, those of `inet` in a word of their own since 6.6; before, they are behind
 * `pmtudisc`.
 */
#define SK		"+{socket.sk}($arg1)"
#define OF_SOCKET(PROTOCOL) \
	" sk=" SK ":u64 own_family=+16(" SK "):u16 reuse=+19(" SK "):u8 device=+20(" SK "):s32 " \
	"protocol=+{sock.sk_protocol}(" SK "):" PROTOCOL NETNS(SK)
#define WORD		" words=1 inet=+{inet_sock.inet_flags}(" SK "):u32"
#define BITS		" words=0 inet=+{inet_sock.pmtudisc}(" SK "):u32"
#define NO_SOCKET	" own_family=0 reuse=0 device=0 protocol=0 words=0 inet=0"
/* The kernel's copy of the address. */
#define CHECKED(INPUTS, ...) \
	ONE(KPROBE("security_socket_bind", \
		   "checked=1 size=$arg3:s32" ADDRESS("", "$arg2", "entry") INPUTS), \
	    .family = "functions", ##__VA_ARGS__)

#define UNCHECKED(SIZE, P) \
	"size=" SIZE ADDRESS("u", P, "ustring/110") NO_SOCKET

/* A socket that begins to listen, and how many connections may wait there. */
#define LISTENER(ENDS)	"sk=$arg1 newstate=10 family=+16($arg1):u16 " ENDS("$arg1") NETNS("$arg1")
#define LISTENS(INPUTS, ...) \
	ONE(KPROBE("inet_csk_listen_start", INPUTS), .family = "functions", \
	    .with = "listen.exit", ##__VA_ARGS__)
#define PROTOCOL(SK)	" protocol?=+{sock.sk_protocol}(" SK "):u16"
/* Since 5.16 the limit is no argument any more; since 5.4 it is set before. */
#define GIVEN		" limit=$arg2:u32"
#define LIMIT(SK)	" limit?=+{sock.sk_max_ack_backlog}(" SK "):u32"
#define OLD_ENDS6(SK)	SOCK_ENDS(SK) " saddr6=+{tcp6_sock.inet6.saddr}(" SK "):c16"
#define LISTEN_STATE	"sk=skaddr newstate=newstate family=family protocol=protocol " \
			"lport=sport saddr=saddr saddr6=saddr_v6" NETNS("skaddr")

const struct hook hooks_binds[] = {
	/*
	 * Security modules are asked whether a bind may be done, with CONFIG_SECURITY_NETWORK. Only
	 * BPF knows whether it could read user memory.
	 */
	HOOK("bind.enter", "a socket is to be bound to an address",
		CHECKED(OF_SOCKET("u16") WORD),				/* 6.6 */
		CHECKED(OF_SOCKET("u8") BITS, .until = "openat2"),
		CHECKED(OF_SOCKET("u16") BITS),				/* 5.6 */
		CHECKED(NO_SOCKET),
		{ .family = "functions", .targets = FOR_BPF, PROBES(
			SYSCALL("bind", UNCHECKED("$sys3:s32", "$sys2")),
			COMPAT_SAME("bind", UNCHECKED("$sys3:s32", "$sys2"))) },
		ONE(TRACEPOINT("syscalls:sys_enter_bind", UNCHECKED("addrlen", "umyaddr")),
		    .family = "syscalls", .targets = FOR_BPF, .no_compat = true),
	),
	HOOK("bind.exit", "a bind returns",
		{ .family = "functions", PROBES(
			SYSRET("bind", RET), COMPATRET("bind", RET),
			SYSRET("socketcall", RET, OPTIONAL), COMPATRET("socketcall", RET)) },
		ONE(TRACEPOINT("syscalls:sys_exit_bind", "ret=ret"), .family = "syscalls"),
	),

	HOOK("listen.enter", "a socket begins to listen",
		LISTENS(LISTENER(SOCK_ENDS6) GIVEN, .until = "openat2"),
		LISTENS(LISTENER(OLD_ENDS6) GIVEN, TO_3_12),
		/* 5.6 */
		LISTENS(LISTENER(SOCK_ENDS6) GIVEN PROTOCOL("$arg1"), .until = "futex_waitv"),
		LISTENS(LISTENER(SOCK_ENDS6) LIMIT("$arg1") PROTOCOL("$arg1")),	/* 5.16 */
		/* 5.19 */
		ONE(TRACEPOINT("sock:inet_sock_set_state", LISTEN_STATE LIMIT("skaddr"),
			       .filter = "newstate == 10"), .family = "state",
		    .targets = FOR_BPF, .no_compat = true, .needs = "skb_attempt_defer_free"),
		ONE(TRACEPOINT("sock:inet_sock_set_state", LISTEN_STATE,
			       .filter = "newstate == 10"),	/* 4.16 */
		    .family = "state", .no_compat = true),
		/* if the place of a socket's IPv6 address is unknown */
		LISTENS(LISTENER(SOCK_ENDS) GIVEN, .until = "openat2"),
		LISTENS(LISTENER(SOCK_ENDS) GIVEN, .until = "futex_waitv"),
		LISTENS(LISTENER(SOCK_ENDS)),
	),
	HOOK("listen.exit", "the socket listens, or could not",
		ONE(KRETPROBE("inet_csk_listen_start", RET), .family = "functions",
		    .with = "listen.enter"),
		ONE(TRACEPOINT("syscalls:sys_exit_listen", "ret=ret"), .family = "state"),
	),
	{ }
};
