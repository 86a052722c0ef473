/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BINARIES_INTERNAL_H
#define SONDE_BINARIES_INTERNAL_H

#include <signal.h>

#include "compat/base/lines.h"
#include "compat/binaries/binaries.h"
#include "compat/user/elf.h"

/*
 * Limits: anybody can map thousands of files that are called like a library, and put thousands of
 * functions of one name into a file. Each place is an event that takes a tenth of a second to
 * remove. Users are told what is left out.
 */
#define FILES_MOST	32		/* of one library */
#define PLACES_MOST	64		/* of one function */
/* Versions of a function in one file; where there are more, none is probed. */
#define COPIES_MOST	4

#define LIBRARY_FILES 7

/* All files that the processes of -p have mapped, and no others. */
#define USER_ANY_FILE "*"

/* What a library's files are called; `*` matches anything. Programs are looked for in $PATH. */
struct library {
	const char *name;
	const char *files[LIBRARY_FILES];
	bool program;
	const char *called;		/* by people; NULL: by its name */
};

struct identity {
	uint64_t dev, ino;
};

enum stacks { STACKS_UNKNOWN, STACKS_STAY, STACKS_MOVE };

struct file {
	struct file *next;
	struct binary binary;
	const struct library *library;
	int fd;
	enum stacks stacks;
	/* of /proc/PID/maps and of stat(2): on some file systems they differ */
	struct identity mapped, own;
};

/* A library that the user named, as a row of the table. */
struct named {
	struct named *next;
	struct library library;
	char files[2][80], name[];
};

#define LIBRARIES 5		/* of the table in binaries.c */

/* Where the functions of a name are: "LIBRARY:FUNCTION". */
struct places {
	struct places *next;
	unsigned int n;
	struct place *places;
	char name[];
};

struct binaries {
	struct file *files;
	bool searched[LIBRARIES];	/* or the user named the files */
	struct places *places;
	struct named *named;
	struct lines left_out, limits;
};

/* The kernel's; NULL: out of memory, which only the first call meets. */
struct binaries *binaries_of(struct kernel *k);
/* Are only some processes traced, those of kernel_set_processes()? */
bool of_some_processes(const struct kernel *k);
/* A row of the table of libraries; NULL: there is none of that name. */
const struct library *binaries_library(const char *name, size_t length);
/* Was the library searched for, or did the user name its files? Of a row of that table. */
bool *binaries_searched(struct kernel *k, const struct library *library);
/* Keeps the files that are the library. -1 and err. */
int binaries_search(struct kernel *k, const struct library *library, struct error *err);
/*
 * Reads the code at this place of the file, so that its page is in memory when the kernel sets the
 * probe: 6.18's ext4 warns in the log if that has to read it. False: there is nothing to read.
 */
bool file_touch(const struct file *file, uint64_t position);

/* Keeps an open file; if out of memory, closes it and returns NULL. */
struct file *binaries_keep(struct kernel *k, const struct library *library, int fd,
			   const char *path, const struct elf_kind *kind,
			   const struct identity *own);

/*
 * Keeps the file of this path, which the user named: it has one of these functions, or any if the
 * list is empty (it ends with NULL). -1 and err.
 */
int binaries_add(struct kernel *k, const struct library *l, const char *path,
		 const char *const *symbols, struct error *err);

/* for what is read of one file, or the list of one process's mappings */
#define SILENCE_MS 5000
/* Behind "FILE has no function NAME". */
#define NO_SYMBOLS "it was built without it, or its symbols were removed; another file can be named"

#define LINES_MOST 8		/* of files left out, and of limits that were reached */

/* What a search through the processes' files has to know, and who takes what it finds. */
struct search {
	struct kernel *k;
	const struct library *library;
	const struct file *files;	/* those that are known */
	/* the only ones wanted; NULL: all */
	const uint32_t *processes;
	unsigned int n_processes;
	const volatile sig_atomic_t *stop;
	void (*found)(struct search *s, int fd, const char *path, const struct elf_kind *kind,
		      const struct identity *own, const struct identity *mapped);
	struct lines *left_out;		/* files that can't be probed, and why */
	struct lines *limits;		/* what was not looked at */
	void *arg;
};

/*
 * The process has mapped what was at the path of this file before it was replaced; -1: it has not.
 * To be called in a process that may be held up.
 */
int open_replaced(uint32_t pid, int fd);
/* -1 and err if it was interrupted, or could not be done. */
int search_files(struct search *s, struct error *err);

const struct arch_abi *binary_abi(struct kernel *k, const struct elf_kind *kind);

#endif
