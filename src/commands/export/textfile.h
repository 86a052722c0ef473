/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_TEXTFILE_H
#define SONDE_EXPORT_TEXTFILE_H

#include <stdbool.h>

#include "compat/base/error.h"
#include "src/commands/export/pages/page.h"

/*
 * DIR/sonde.prom, for the textfile collector of node_exporter: it is there whole or not at all.
 */
struct textfile {
	const char *path;		/* of the folder */
	int folder;
	struct page_reader reader;	/* pages come from the server */
	int error;			/* errno of the last page; 0: it was written */
};

/* Returns -1 and sets err if no file can be made there. */
int textfile_open(struct textfile *t, const char *path, struct error *err);
/* Takes what has come, and writes the page if it is whole. Says on stderr if that fails. */
void textfile_take(struct textfile *t);
/* Removes the file: what it says is not so any more. */
void textfile_close(struct textfile *t);

#endif
