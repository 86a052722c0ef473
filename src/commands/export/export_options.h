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
	struct lines listen;		/* addresses; none only if it goes elsewhere */
	char *textfile;			/* a folder; NULL: none */
	char *labels;			/* with commas; NULL: none */
	char *remote_write;		/* a URL that remote_url_read() takes; NULL: none */
	struct external_labels external;	/* of what is sent there */
	char *file;			/* that was read; NULL: none */
	struct export_lines tools;
	bool help;
};

/*
 * Reads the command line, and the file that it names; checks each tool's own line. It may be called
 * again. Returns -1 and sets err after a mistake. The caller calls export_options_free() in any
 * case.
 */
int export_options_read(struct export_options *o, int argc, char **argv, struct error *err);
/* Says on stderr which of the wanted options stay as they are: processes that go on have them. */
void export_options_keep(const struct export_options *are, const struct export_options *wanted);
void export_options_free(struct export_options *o);
void export_help(FILE *file);

#endif
