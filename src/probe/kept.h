/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KEPT_H
#define SONDE_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/kernel/kernel.h"
#include "compat/kinds/syscall.h"
#include "src/patterns/patterns.h"

/*
 * A probe that stays: `sonde probe --add` makes an event of tracefs' main instance of it, which
 * anybody may use until it is removed. Nothing else that sonde makes stays. The user writes
 *
 *	[GROUP:]NAME=PLACE [ARGUMENT...]
 *
 * PLACE is [r:][FILE:]FUNCTION[+OFFSET][%return], FILE a library, a program or a path. ARGUMENT is
 * [NAME=]FETCH[:TYPE] as the kernel's documents have it, and comes out in words that the kernel at
 * hand knows: see arguments.c.
 */
#define KEPT_NAME 64			/* the kernel's limit, NUL included */
#define KEPT_GROUP "probes"		/* unless the user names another */

struct kept {
	char group[KEPT_NAME], name[KEPT_NAME];
	const char *list;		/* the file of tracefs that takes the definition */
	char *definition;		/* without a newline */
	char note[256];			/* lines: what is not as it was written; empty: all is */
	bool unfit;			/* the kernel has no such probes; else the text is wrong */
};

/* Makes nothing in the kernel. -1 and err; kept_free() in either case. */
int kept_parse(struct kernel *k, const char *text, struct kept *p, struct error *err);
void kept_free(struct kept *p);

/* Groups of running sondes, which nobody else may add to or remove from. */
bool kept_is_private(const char *group);

/* ---- between the files of this folder ---- */

/* Where a probe is. */
struct kept_place {
	char *text;			/* as a definition has it: FUNCTION+4, /PATH:0x1234 */
	bool returns;
	uint64_t offset;		/* behind the function's beginning */
	const struct arch_abi *abi;	/* of user space; NULL: it is in the kernel */
	bool unfit;			/* the kernel has no probes there */
	bool is_call;			/* of a system call, whose arguments are meant */
	struct syscall_function call;
};

/* `text` is what is behind the `=`. -1 and err. place->text is to be freed. */
int kept_place(struct kernel *k, const char *text, struct kept_place *place, char *note,
	       size_t size, struct error *err);

/*
 * The arguments, blanks between them, as this kernel takes them: " path=+0(%si):string". NULL and
 * err.
 */
char *kept_arguments(struct kernel *k, const struct kept_place *place, const char *text,
		     char *note, size_t size, struct error *err);

#endif
