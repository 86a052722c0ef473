/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_H
#define SONDE_STAT_H

/*
 * `sonde stat`: counts events by perf_event_open(2). It traces nothing and runs no program, so it
 * works without BPF, tracefs and kprobes. It is a command, not a tool with engines. It has no link
 * of its name, because stat is another program.
 */
#define STAT_USAGE "[-e EVENT,...] [-a] [-C CPU,...] [-p PID,...] [-t TID,...] [-I MS] " \
	"[-r N] [-A] [-d] [-x SEP] [--FORMAT] [-o FILE] [COMMAND...]"

/* Returns the exit status. */
int stat_main(int argc, char **argv);

#endif
