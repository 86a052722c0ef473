/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BINARIES_INTERNAL_H
#define SONDE_BINARIES_INTERNAL_H

#include <signal.h>

#include "compat/base/lines.h"
#include "compat/user/binaries.h"
#include "compat/user/elf.h"

/*
 * Limits: anybody can map thousands of files under the name of a library, and put thousands of
 * functions of one name into one. Each place is an event that takes a tenth of a second to go, and
 * what is left out is said.
 */
#define FILES_MOST	32		/* of one library */
#define PLACES_MOST	64		/* of one function */
/* Of a function in one file: versions; where there are more, none is probed. */
#define COPIES_MOST	4

#define LIBRARY_FILES 4

/*
 * What a library's files are called; `*` stands for anything. Those that are programs are looked
 * for in $PATH.
 */
struct library {
	const char *name;
	const char *files[LIBRARY_FILES];
	bool program;
};

struct identity {
	uint64_t dev, ino;
};

struct file {
	struct file *next;
	struct binary binary;
	const struct library *library;
	int fd;
	/* as /proc/PID/maps has it, and stat(2): not the same on some file systems */
	struct identity mapped, own;
};

#define LINES_MOST 8		/* of what is left out, and of what is too much */

/* What one that looks through the processes' files is to know, and what it found. */
struct search {
	struct kernel *k;
	const struct library *library;
	const struct file *files;	/* those that are known */
	/* the only ones wanted, if one of them has mapped the library */
	const uint32_t *processes;
	unsigned int n_processes;
	const volatile sig_atomic_t *stop;
	void (*found)(struct search *s, int fd, const char *path, const struct elf_kind *kind,
		      const struct identity *own,
		      const struct identity *mapped);
	struct lines *left_out;		/* files that can't be probed, and why */
	struct lines *limits;		/* what was not looked at */
	void *arg;
};

/* -1 and err if it was interrupted, or could not be done. */
int search_files(struct search *s, struct error *err);

/*
 * Opens what is a file, and nothing else: opening others may wait, or do something. -1 and errno.
 */
int open_file(const char *path);

const struct arch_abi *binary_abi(struct kernel *k, const struct elf_kind *kind);

#endif
