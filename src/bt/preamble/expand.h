/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_EXPAND_H
#define SONDE_BT_EXPAND_H

#include "src/bt/bt.h"

/*
 * Writing the script anew, with macros (expand.c) and options (options.c) replaced. Functions that
 * return int return -1 and set w->err on failure.
 */
struct range {
	const char *at, *end;
};

struct writer {
	struct bt *b;
	struct source source;		/* for messages: places are those of the script */
	const char *script;		/* without comments */
	char *to;			/* BT_SCRIPT_MOST letters */
	size_t n;
	const char *fixed;		/* what is written is of this place; NULL: of its own */
	unsigned int calls;
	bool has_options;		/* getopt() */
	uint64_t known;			/* bits of arguments that are options of the script */
	struct lines options;		/* of getopt(): --NAME: DESCRIPTION */
	struct error *err;
};

/* Set err to a message about the place P of the script. Return -1. */
#define AT(W, P, ...) \
	source_error(&(W)->source, (size_t)((P) - (W)->script), (W)->err, __VA_ARGS__)

/* Writes n letters of the script. */
int expand_put(struct writer *w, const char *p, size_t n);
/* Writes letters that the script does not have, for what it has at `at`. */
int expand_own(struct writer *w, const char *s, const char *at);

/* Behind the name at p. */
const char *range_name_end(const char *p);
/* Skips blanks. */
const char *range_blanks(const char *p, const char *end);
bool range_is(const char *p, const char *end, const char *name);
/* The place, outside of brackets and quotes, of one of these letters; the range's end: none. */
const char *range_find(struct range text, const char *letters);
/* The same range without blanks around it. */
struct range range_trimmed(struct range r);
/* Returns true for one name, number or text in quotes. */
bool range_is_single(struct range r);

/*
 * The call of getopt() from the name at p on. Returns 1 if it is one, and moves *end behind it; 0:
 * the name is another one.
 */
int option_call(struct writer *w, const char *p, const char **end, const char *limit);
/* An option that the script has not is an error. */
int options_unknown(struct writer *w);

#endif
