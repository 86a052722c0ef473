/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_OPTIONS_H
#define SONDE_EXPORT_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "compat/base/error.h"
#include "compat/base/lines.h"
#include "src/commands/export/export_lines.h"
#include "src/lib/metrics/metrics_remote.h"

struct export_options {
	/* addresses; none: the usual one, unless it goes elsewhere */
	struct lines listen;
	char *textfile;			/* a folder; NULL: none */
	char *labels;			/* with commas; NULL: none */
	char *remote_write;		/* a URL that remote_url_read() takes; NULL: none */
	struct external_labels external;	/* of what is sent there */
	struct export_lines tools;
	bool help;
};

/*
 * Reads the command line, and the file that it names; checks each tool's own line. Returns -1 and
 * sets err after a mistake. The caller calls export_options_free() in any case.
 */
int export_options_read(struct export_options *o, int argc, char **argv, struct error *err);
void export_options_free(struct export_options *o);
void export_help(FILE *file);

#endif
