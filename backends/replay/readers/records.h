/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORDS_H
#define SONDE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "backends/backend.h"
#include "backends/stream/stream.h"
#include "compat/recordings/recording.h"

#define RECORDS_CPUS 64

/* A file of records, and how far it was read. */
struct records {
	struct kernel *kernel;
	const struct plan *plan;
	struct stream *stream;		/* what is read goes there */
	FILE *file;			/* of text; NULL: a recording */
	char *path;			/* for messages */
	unsigned int line;
	uint64_t oldest, newest;	/* times of the lines read; oldest UINT64_MAX: none */
	/* events that were read run up to this time: of the last `run`; at the end, the newest */
	uint64_t until;
	bool read;			/* the whole file was read */
	struct wall wall;
	struct recorded_targets *recorded;	/* of a recording (recorded.h); NULL: text */
};

/*
 * Reads up to the next `run`, or to the end of the file. A signal ends the reading. Returns -1 and
 * sets err if the file can't be read, or if a line is wrong.
 */
int records_read(struct records *records, struct error *err);

#endif
