/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PICTURE_H
#define SONDE_PICTURE_H

#include "src/run.h"

/*
 * The file of a picture, which an option names: written as a whole or not at all. What was there
 * before stays until there is a better one.
 */
struct picture;

/*
 * A file that can't be written is an error now, not after an hour. `option` is the one that names
 * it.
 */
struct picture *picture_open(const struct run *r, const char *option, struct error *err);
/* draw: -1 and err if it could not; whether the file took it is seen here. */
int picture_save(struct picture *p, int (*draw)(FILE *file, void *arg, struct error *err),
		 void *arg, struct error *err);
void picture_close(struct picture *p);

/* The command line, for its title: as it could be typed again. NULL: out of memory. */
char *picture_command(const struct run *r);

#endif
