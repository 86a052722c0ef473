/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LACKS_H
#define SONDE_LACKS_H

#include "compat/base/lines.h"

/* Which names are unknown, and why. All zero: none. */
struct lacks {
	struct lines all;
	/* one of them, for an error of the moment (error_passes()); files that are gone are many */
	struct lines unread;
};

/* Adds a line. `number`: errno; 0: none. */
void lacks_add(struct lacks *l, int number, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void lacks_free(struct lacks *l);

#endif
