/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PATTERN_H
#define SONDE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "compat/base/error.h"
#include "compat/expressions/expression.h"

/*
 * What a user writes to name one function or many, as bcc's tools have it:
 *
 *	NAME, p:NAME, p::NAME		functions of the kernel
 *	r:NAME, r::NAME			their returns
 *	LIBRARY:NAME, p:LIBRARY:NAME	functions of a library, a program or a file (/PATH/FILE)
 *	r:LIBRARY:NAME			their returns
 *	t:SYSTEM:EVENT			tracepoints
 *	u:LIBRARY:PROBE			statically defined probes of a library, program or file
 *	u:LIBRARY:PROVIDER:PROBE	(USDT); with -p the library may be left out, u::PROBE
 *
 * NAME and SYSTEM:EVENT have `*`, `?` and `[...]` as file names in a shell have them; or they are a
 * POSIX extended regular expression, which names match from their beginning.
 */
enum pattern_kind { PATTERN_KERNEL, PATTERN_USER, PATTERN_TRACEPOINT, PATTERN_USDT };

struct pattern {
	enum pattern_kind kind;
	bool returns;
	bool one;		/* it is a name: nothing else matches */
	bool regex;
	/* PATTERN_USER, PATTERN_USDT: the library, program or file */
	char *file;
	char *provider;		/* PATTERN_USDT; NULL: any */
	char *name;
	struct expression *compiled;	/* NULL: `one` */
};

/* -1 and err: nothing is to be freed. */
int pattern_parse(struct pattern *p, const char *text, bool regex, struct error *err);
/* For struct wanted_names. Of USDT the name is PROVIDER:PROBE. */
bool pattern_matches(void *pattern, const char *name);
void pattern_free(struct pattern *p);

/* How many characters before the first that means several. */
size_t pattern_plain(const struct pattern *p);

/*
 * Is the name, or as much of its beginning, nearly the plain part of the pattern? How far it is, in
 * letters that are wrong, missing, too many or swapped; -1: too far.
 */
int pattern_distance(const struct pattern *p, const char *name);

#endif
