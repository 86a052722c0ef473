/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONVERT_H
#define SONDE_CONVERT_H

#define CONVERT_USAGE "FILE --to pprof|speedscope|folded|perfetto|chrome|perf-script|debug-tar " \
	"[-o FILE] [--symfs DIR] [--kallsyms FILE]"

/* Writes a recording as a file of another program. Returns the exit status. */
int convert_main(int argc, char **argv);

#endif
