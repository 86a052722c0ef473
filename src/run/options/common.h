/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMMON_OPTIONS_H
#define SONDE_COMMON_OPTIONS_H

#include "src/lib/options/options.h"
#include "src/lib/options/options_rows.h"

/*
 * What of the common options' values functions read; the table in common.c names the members. An
 * option of a tool that has the name and the type of a common one is here, too. The second half has
 * options that not all tools have, for what reads them of any tool.
 */
struct common_options {
	bool verbose, dump;
	bool folded, delimited, annotations, offsets, addresses, mangled;	/* stacks */
	bool inverted, top_given, heatmap_given, percentiles_given;
	int64_t top, duration, buffer_pages;
	const char *name, *flame, *heatmap, *percentiles, *unwind, *pprof, *speedscope;
	const char *perf_script;
	const char *container, *pod, *unit;
	bool container_names;
	const char *backend, *without, *snapshot, *input, *kallsyms, *symfs;
	struct option_list pid, tid, uid;

	bool timestamp, by_cgroup, stacks, include_self, interval_given, cpu_given;
	bool noclear, nosummary, maxrows_given;			/* tables */
	bool pids, pidnss, user_threads_only, kernel_threads_only;
	bool regexp, ipv4, ipv6;
	int64_t interval, count, cpu, maxrows;
	const char *pattern, *disk, *annotate;
	struct option_list localport, remoteport;
};

/* Where the values of the second half come from; ends with an empty row. */
extern const struct option_place common_places[];

/* The values of a command line's common options; owned by o. */
static inline const struct common_options *common_of(const struct options *o)
{
	return options_common(o);
}

#endif
