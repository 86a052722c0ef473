/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PATTERN_H
#define SONDE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "compat/base/error.h"
#include "compat/expressions/expression.h"

/*
 * A pattern, by which a user names one or more functions, as in bcc's tools:
 *
 *
 *	NAME, p:NAME, p::NAME		functions of the kernel
 *	r:NAME, r::NAME			their returns
 *	LIBRARY:NAME, p:LIBRARY:NAME	functions of a library, a program or a file (/PATH/FILE)
 *	r:LIBRARY:NAME			their returns
 *	t:SYSTEM:EVENT			tracepoints
 *	u:LIBRARY:PROBE			statically defined probes of a library, program or file
 *	u:LIBRARY:PROVIDER:PROBE	(USDT); with -p the library may be left out, u::PROBE
 *
 * NAME, PROVIDER and SYSTEM:EVENT may have `*`, `?` and `[...]` with a shell's meaning. Or NAME
 * and SYSTEM:EVENT are a POSIX extended regular expression, which must match from the beginning.
 */
enum pattern_kind { PATTERN_KERNEL, PATTERN_USER, PATTERN_TRACEPOINT, PATTERN_USDT };

struct pattern {
	enum pattern_kind kind;
	bool returns;
	bool one;		/* a plain name: nothing else matches */
	bool regex;
	/* PATTERN_USER, PATTERN_USDT: the library, program or file */
	char *file;
	char *provider;		/* PATTERN_USDT; NULL: any */
	struct expression *providers;	/* the same */
	char *name;
	struct expression *compiled;	/* NULL if `one` */
};

/* Parses a pattern. On failure returns -1 and sets err; there is nothing to free then. */
int pattern_parse(struct pattern *p, const char *text, bool regex, struct error *err);
/* Returns true if the name matches; for struct wanted_names. A USDT name is PROVIDER:PROBE. */
bool pattern_matches(void *pattern, const char *name);
/* A USDT name without its provider, NULL if that does not match; another name as it is. */
const char *pattern_name(const struct pattern *p, const char *name);
void pattern_free(struct pattern *p);

/* The number of characters before the first one with a special meaning. */
size_t pattern_plain(const struct pattern *p);

/*
 * How much the beginning of a name differs from the plain part of the pattern, in wrong, missing,
 * extra or swapped letters. Returns -1 if it differs too much.
 */
int pattern_distance(const struct pattern *p, const char *name);

#endif
