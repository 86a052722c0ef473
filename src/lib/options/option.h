/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPTION_H
#define SONDE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/lib/output/formats/formats.h"

enum option_type {
	OPTION_FLAG,		/* takes no value */
	OPTION_NUMBER,		/* an integer between min and max */
	OPTION_TEXT,		/* one of `names` if the row has any, else any text */
	OPTION_LIST,		/* numbers between min and max, separated by commas or repeated */
	OPTION_USERS,		/* user names or ids, as a list */
	/* names out of `names`, repeatable; the value is the bitwise or of their values */
	OPTION_FLAGS,
	OPTION_COMMAND,		/* the rest of the command line */
	OPTION_REFUSED,		/* bcc's; not offered: `help` says why, and what to do */
};

struct option_name {
	const char *name;
	int64_t value;
};

/* The values of OPTION_LIST and OPTION_USERS. */
struct option_list {
	const int64_t *values;
	unsigned int n;
};

/*
 * A member of the struct that a tool keeps the values of its options in: the value is written there
 * as the member's type says. bool: the option is given. int64_t: its number, or how often a flag is
 * given. const char *, struct option_list: its text, its list; NULL and empty if it is not given.
 */
enum member_type { MEMBER_NONE, MEMBER_BOOL, MEMBER_NUMBER, MEMBER_TEXT, MEMBER_LIST };
struct option_member {
	uint16_t offset : 13;
	uint16_t type : 3;		/* enum member_type */
};
#define OPTION_MEMBER(STRUCT, MEMBER) \
	{ offsetof(STRUCT, MEMBER), _Generic(((STRUCT *)0)->MEMBER, \
	  bool: MEMBER_BOOL, int64_t: MEMBER_NUMBER, const char *: MEMBER_TEXT, \
	  struct option_list: MEMBER_LIST) }
/* The place of a bool behind its offset, so that 0 is none. */
#define OPTION_GIVEN(STRUCT, MEMBER) \
	(offsetof(STRUCT, MEMBER) + _Generic(((STRUCT *)0)->MEMBER, bool: 1))

/*
 * One option. A long name means the same in all tools: a row without `help` takes type, argument
 * and help from the common row of that name (src/run/options/common.c), and may add a letter.
 * Programs use the long name as a constant (CONST, JUMP_UNLESS): it is the option's number, or 1 if
 * an option without a number was given.
 */
struct option {
	char letter;			/* 0: the option has only the long name */
	const char *name;		/* the long name: "failed" */
	const char *help;
	enum option_type type;
	const char *arg;		/* the name of its value in --help: "N", "PID" */
	int64_t min, max, initial;	/* OPTION_NUMBER: limits; the value if it is not given */
	const struct option_name *names;	/* possible values; ends with an empty row */
	const char *alias;		/* a second long name, bcc's */
	const char *excludes;		/* name of an option that can't be given with this one */
	/*
	 * OPTION_TEXT: how a second value joins the first: appended, behind this letter. 0: a
	 * second value replaces the first.
	 */
	char joins;
	char other_letter;		/* a second letter, bcc's; 0: none */
	/* its value may be left out; it is given as --NAME=VALUE or -LVALUE only */
	bool optional : 1;
	/* it means this machine's kernel, tasks, disks or files: records of a file have none */
	bool local : 1;
	/* its value may be given without the name, if it does not begin with a digit: ugc java */
	bool bare : 1;
	/*
	 * Its value may be given without the name: runqslower 1000; for tools without intervals. 1:
	 * the first such value, 2: the second; 0: none.
	 */
	uint8_t positional : 2;
	/* OPTION_GIVEN(): a bool, is it given? For numbers, and values that may be left out */
	uint8_t given;
	struct option_member to;	/* where its value goes; none: no function reads it */
	/*
	 * OPTION_NUMBER: a fraction may follow, and the number that is read is in parts of so many,
	 * 1000: 0.5 is 500; min and max are whole ones, `initial` is in parts. 0: whole numbers
	 */
	uint16_t parts;
};

struct options;				/* values of a command line: options.h */

/* The argv of OPTION_COMMAND, which ends with NULL. Returns NULL if it was not given. */
char *const *option_command(const struct options *o);
/*
 * The first of these options that is on the command line; NULL: none. The list ends with NULL; the
 * command line takes all that it names.
 */
const char *option_first(const struct options *o, const char *const *names);
/* The format that an option asks for, or the first of `formats`. Never NULL. */
const struct output_format *options_format(const struct options *o);

#endif
