/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLIGHT_FILES_H
#define SONDE_FLIGHT_FILES_H

#include <stdint.h>

#include "compat/base/error.h"

/* The numbered files of a folder: flight-0001, flight-0002. Only files that sonde made go. */
#define FLIGHT_NAME "flight-"
struct flight_files {
	int fd;				/* of the folder, locked; -1: none */
	const char *path;
	unsigned int most;		/* files; 0: any number */
	uint64_t bytes;			/* of all files together; 0: any number */
	unsigned int next;		/* the number of the next file */
	char part[4096];		/* the path of a file while it is written */
};

/*
 * Opens or makes the folder, for one sonde at a time. Numbers go on behind the largest one there.
 * Returns -1 and sets err on failure.
 */
int flight_files_open(struct flight_files *f, const char *path, struct error *err);
void flight_files_close(struct flight_files *f);
/* Removes the oldest files, so that one of so many bytes is within the limits. */
void flight_files_room(struct flight_files *f, uint64_t bytes);
/* The file at f->part is whole: gives it its name and number. Returns -1 and sets err. */
int flight_files_keep(struct flight_files *f, unsigned int *number, struct error *err);

#endif
