/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NOTES_H
#define SONDE_NOTES_H

/* Comments at lines of one source file, made by notes.awk; ends with an empty row. */
struct note {
	unsigned int line;
	const char *text;
};

struct note_file {
	const char *file;
	const struct note *notes;
};

/* Ends with an empty row. */
extern const struct note_file note_files[];

#endif
