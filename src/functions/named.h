/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NAMED_H
#define SONDE_NAMED_H

#include "src/patterns/patterns.h"
#include "src/tool.h"

/*
 * For tools whose user names functions or tracepoints: a tool's programs on the hooks of what its
 * option `pattern` matches. They say "function.hit" and "function.return" (src/patterns/patterns.h
 * says what these tell); the constant `user_space` says where the functions are.
 */
struct named {
	struct patterns patterns;
	const char *text;		/* as the user wrote it */
	struct program *programs;
	struct program_set set;
};

#define OPTION_PATTERN(HELP) \
	{ 0, "pattern", HELP, OPTION_TEXT, "PATTERN", .positional = true }
#define OPTION_REGEXP \
	{ 'r', "regexp", "PATTERN is an extended regular expression", OPTION_FLAG }

/* For prepare(). -1 and err; named_free() in either case. */
int named_prepare(struct run *r, struct named *n, const struct program_set *set, struct error *err);
/* The same for tools that see calls and returns: the pattern names functions, not their returns. */
int named_calls(struct run *r, struct named *n, const struct program_set *set, struct error *err);
void named_free(struct named *n);
/* cleanup() of tools whose whole state is a struct named. */
void named_cleanup(struct run *r);

/*
 * For started(): text's first line, `Tracing 3 functions for "vfs_*"... Hit Ctrl-C to end.`, and
 * what can't be probed; or that alone.
 */
void named_banner(struct run *r, const struct named *n, const char *doing);
void named_notes(struct run *r, const struct named *n);

/* What has this number: a function, or SYSTEM:EVENT. */
const char *named_name(const struct named *n, uint64_t number);
struct text named_text(const struct named *n, uint64_t number);
bool named_in_user_space(const struct named *n);

#endif
