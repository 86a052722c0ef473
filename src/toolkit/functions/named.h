/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NAMED_H
#define SONDE_NAMED_H

#include "src/run/tool.h"
#include "src/toolkit/patterns/patterns.h"

/*
 * For tools whose user names functions or tracepoints by the option `pattern`: the tool's programs,
 * on hooks for everything that matches. The programs name the hooks "function.hit" and
 * "function.return" (src/toolkit/patterns/patterns.h lists their inputs). The constant `user_space`
 * is 1 if the functions are in user space.
 */
struct named {
	struct patterns patterns;
	const char *text;		/* the pattern as the user wrote it */
	char *several;			/* one pattern made of several; NULL: there is one */
	struct program *programs;
	struct program_set set;
};

#define OPTION_PATTERN(HELP) \
	{ 0, "pattern", HELP, OPTION_TEXT, "PATTERN", .positional = true }
#define OPTION_PATTERNS(HELP) \
	{ 0, "pattern", HELP, OPTION_TEXT, "PATTERN...", .positional = true, .joins = '\n' }
#define OPTION_REGEXP \
	{ 'r', "regexp", "PATTERN is an extended regular expression", OPTION_FLAG }

/* For prepare(). Returns -1 and sets err on failure; named_free() is called in either case. */
int named_prepare(struct run *r, struct named *n, const struct program_set *set, struct error *err);
/* The same for tools that trace calls and their returns: the pattern must not name returns. */
int named_calls(struct run *r, struct named *n, const struct program_set *set, struct error *err);
/* The same for calls and all that they call: patterns_graph(), of functions of the kernel. */
int named_graph(struct run *r, struct named *n, const struct program_set *set, uint32_t depth,
		bool awake, struct error *err);
void named_free(struct named *n);
/* cleanup() of tools whose whole state is a struct named. */
void named_cleanup(struct run *r);

/*
 * For started(). named_banner() prints the first line of text, `Tracing 3 functions for
 * "vfs_*"... Hit Ctrl-C to end.`, and the notes. named_notes() prints only what can't be probed.
 */
void named_banner(struct run *r, const struct named *n, const char *doing);
void named_notes(struct run *r, const struct named *n);

/* The name of input `function`: a function, or SYSTEM:EVENT. */
const char *named_name(const struct named *n, uint64_t number);
struct text named_text(const struct named *n, uint64_t number);
/* Returns true if the pattern is of user space. */
bool named_in_user_space(const struct named *n);

#endif
