/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_H
#define SONDE_STAT_H

/*
 * `sonde stat`: counts events by perf_event_open(2). Nothing is traced, and no program runs: it
 * works without BPF, tracefs and kprobes, and is a command, not a tool with engines. Nor is there a
 * link of that name, which is another program's.
 */
#define STAT_USAGE "[-e EVENT,...] [-a] [-C CPU,...] [-p PID,...] [-t TID,...] [-I MS] " \
	"[-r N] [-A] [-d] [-x SEP] [--FORMAT] [-o FILE] [COMMAND...]"

int stat_main(int argc, char **argv);

#endif
