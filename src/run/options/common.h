/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMMON_OPTIONS_H
#define SONDE_COMMON_OPTIONS_H

#include "src/lib/options/options.h"

/*
 * What of the common options' values functions read; the table in common.c names the members. An
 * option of a tool that has the name and the type of a common one is here, too.
 */
struct common_options {
	bool verbose, dump;
	bool folded, delimited, annotations, offsets, addresses, mangled;	/* stacks */
	bool inverted, top_given, heatmap_given, percentiles_given;
	int64_t top, duration, buffer_pages;
	const char *name, *flame, *heatmap, *percentiles, *unwind;
	const char *backend, *without, *snapshot, *input;
	struct option_list tid, uid;
};

/* The values of a command line's common options; owned by o. */
static inline const struct common_options *common_of(const struct options *o)
{
	return options_common(o);
}

#endif
