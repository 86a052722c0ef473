/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DIFF_SIDE_H
#define SONDE_DIFF_SIDE_H

#include "compat/base/lines.h"
#include "src/commands/diff/reader.h"

/* One of the two files: a recording, or lines of JSON that the tool wrote. */
struct diff_file {
	const char *path;
	bool recording;
	double seconds;			/* its length */
	double events;			/* of a recording: from its first to its last event */
	/* of a recording: the machine, "" or 0 if it is unknown; events that the recorder lost */
	char release[80], machine[32];
	unsigned int cpus;
	uint64_t lost;
	char sampling[96];		/* how samples were taken; "": there are none */
	struct lines notes;		/* what else is to be known of the recording */
};

/*
 * Finds out what the file is, and its length; of lines of JSON it reads the last one. Reading ends
 * at a signal (stop_signal). Returns -1 and sets err on failure. The caller calls diff_file_free()
 * in any case.
 */
int diff_file_open(struct diff_file *f, enum diff_side side, struct diff_reader *r,
		   struct error *err);
void diff_file_free(struct diff_file *f);
/*
 * For how long the tool ran, as its last line says: its options may end it before the end of the
 * recording, whose length that is then.
 */
void diff_file_ran(struct diff_file *f, double seconds);
/*
 * The tool's option for the number of rows in each table, the largest ones; a recording is read
 * with all of them. NULL: it shows all anyway.
 */
const struct option *diff_limit(const struct tool *t);
/*
 * Reads all lines of both: of a recording a sonde in a child process shows them, with these words,
 * which end with NULL, behind its tool. Sets *status to the exit status of one that failed, and
 * prints what it said, behind the name of the file. Returns -1 and sets err on failure.
 */
int diff_files_read(struct diff_file files[DIFF_SIDES], struct diff_reader *r, char *const *words,
		    int *status, struct error *err);

#endif
