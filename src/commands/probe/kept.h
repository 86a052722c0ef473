/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KEPT_H
#define SONDE_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/kernel/kernel.h"
#include "compat/kinds/syscall.h"
#include "src/toolkit/patterns/patterns.h"

/*
 * A probe that stays: `sonde probe --add` makes an event of it in tracefs' main instance. Any
 * program may use the event until it is removed. Nothing else that sonde makes stays. The user
 * writes
 *
 *	[GROUP:]NAME=PLACE [ARGUMENT...]
 *
 * PLACE is [r:][FILE:]FUNCTION[+OFFSET][%return]; FILE is a library, a program or a path. ARGUMENT
 * is [NAME=]FETCH[:TYPE] as in the kernel's documentation. arguments.c writes it in the notation of
 * the running kernel.
 */
#define KEPT_NAME 64			/* the kernel's limit in bytes, with the NUL */
#define KEPT_GROUP "probes"		/* the group if the user names none */

struct kept {
	char group[KEPT_NAME], name[KEPT_NAME];
	const char *list;		/* the file of tracefs that takes the definition */
	char *definition;		/* without a newline */
	char note[256];			/* lines: what differs from the user's text; or empty */
	/* on error: the kernel lacks such probes; else a syntax error */
	bool unfit;
};

/*
 * Parses a probe; makes nothing in the kernel. Returns -1 and sets err on failure; kept_free() is
 * called in either case.
 */
int kept_parse(struct kernel *k, const char *text, struct kept *p, struct error *err);
void kept_free(struct kept *p);

/* Returns true for groups of running sondes: only the sonde that made one may change it. */
bool kept_is_private(const char *group);

/* ---- between the files of this folder ---- */

/* The place of a probe. */
struct kept_place {
	char *text;			/* as definitions have it: FUNCTION+4, /PATH:0x1234 */
	bool returns;
	uint64_t offset;		/* from the beginning of the function */
	const struct arch_abi *abi;	/* of user space; NULL: the place is in the kernel */
	bool unfit;			/* on error: the kernel has no probes there */
	bool is_call;			/* a system call's function: arguments are the call's */
	struct syscall_function call;
};

/*
 * Parses the text behind the `=`. The caller frees place->text. Returns -1 and sets err on failure.
 */
int kept_place(struct kernel *k, const char *text, struct kept_place *place, char *note,
	       size_t size, struct error *err);

/*
 * The arguments in the notation of this kernel, with blanks between them: " path=+0(%si):string".
 * The caller frees. Returns NULL and sets err on failure.
 */
char *kept_arguments(struct kernel *k, const struct kept_place *place, const char *text,
		     char *note, size_t size, struct error *err);

#endif
