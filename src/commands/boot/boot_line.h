/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BOOT_LINE_H
#define SONDE_BOOT_LINE_H

#include <stdint.h>

#include "compat/base/error.h"
#include "compat/base/lines.h"

/* What the kernel's command line asks of `init=/sonde-init`. */
struct boot_line {
	char *init;			/* the real init; NULL: the first that there is */
	char *output;			/* NULL: the first of the usual places */
	char *duration;			/* seconds, as text */
	char **record;			/* words for `sonde record`; NULL: what a chart needs */
	struct lines mistakes;		/* of parameters: they are left out, and the boot goes on */
};

/*
 * Reads the parameters `sonde.*` of a command line as in /proc/cmdline. Returns -1 and sets err if
 * there is no memory. boot_line_free() in any case.
 */
int boot_line_read(struct boot_line *l, const char *text, struct error *err);
void boot_line_free(struct boot_line *l);

#endif
