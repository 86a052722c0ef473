/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PICTURE_H
#define SONDE_PICTURE_H

#include "src/run/run.h"

/*
 * The file of a picture, which an option names. It is written as a whole or not at all: an older
 * file stays until the new one is complete.
 */
struct picture;

/*
 * Checks that the file can be written, so that this error comes before the run. `who` is the tool
 * and `option` the name of the option with the path, for messages. Returns NULL and sets err on
 * failure.
 */
struct picture *picture_open(const char *who, const char *option, const char *path,
			     struct error *err);
/*
 * Calls `draw` to write the picture; draw() returns -1 and sets err if it can't draw. Errors of
 * writing to the file are found here. Returns -1 and sets err on failure.
 */
int picture_save(struct picture *p, int (*draw)(FILE *file, void *arg, struct error *err),
		 void *arg, struct error *err);
void picture_close(struct picture *p);

/*
 * The command line for the picture's title, quoted so that it could be typed again. The caller
 * frees. Returns NULL if there is no memory.
 */
char *picture_command(const struct run *r);

#endif
