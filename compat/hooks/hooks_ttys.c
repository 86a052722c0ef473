// SPDX-License-Identifier: GPL-2.0
/*
 * Terminals, in the line discipline N_TTY. Its functions are called by their addresses, so no call
 * goes around them, and their arguments stayed: the terminal comes first. A write comes in buffers
 * of the kernel's own, of 1 or 2 KB, from whatever system call.
 */
#include "compat/hooks/hooks_rows.h"

/* A multiple of 128 is never beyond the end of such a buffer. */
#define DATA(N)		" data" #N "=+" #N "($arg3):c128"
#define WRITE(DATA)	KPROBE("n_tty_write", "tty=$arg1:uW nr=$arg4:uW" DATA)

const struct hook hooks_ttys[] = {
	/* Three, as a probe of the rings has at most 128 arguments, before 4.20 of 8 bytes each. */
	HOOK("tty.write", "a task writes to a terminal",
		ONE(WRITE(DATA(0) DATA(128) DATA(256) DATA(384) DATA(512) DATA(640) DATA(768))),
	),
	HOOK("tty.more", "the same; bytes behind the first 896",
		ONE(WRITE(DATA(896) DATA(1024) DATA(1152) DATA(1280) DATA(1408)),
		    .filter = "nr > 896"),
	),
	HOOK("tty.most", "the same; bytes behind the first 1536",
		ONE(WRITE(DATA(1536) DATA(1664) DATA(1792) DATA(1920)), .filter = "nr > 1536"),
	),
	HOOK("tty.wrote", "the terminal has taken so many bytes",
		ONE(KRETPROBE("n_tty_write", "ret=$retval:sW")),
	),
	/* (tty, command, argument); up to 5.16 (tty, file, command, argument). */
	HOOK("tty.asked", "a task asks a terminal for its state",
		ONE(KPROBE("n_tty_ioctl", "tty=$arg1:uW third=$arg3:uW fourth?=$arg4:uW")),
	),
	HOOK("tty.closed", "a terminal is closed, or hung up",
		ONE(KPROBE("n_tty_close", "tty=$arg1:uW")),
	),
	{ }
};
