/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NOTES_H
#define SONDE_NOTES_H

/* Comments beside the instructions of one source file; ends with an empty row. See notes.awk. */
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
