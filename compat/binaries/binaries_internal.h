/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BINARIES_INTERNAL_H
#define SONDE_BINARIES_INTERNAL_H

#include <signal.h>

#include "compat/base/lines.h"
#include "compat/binaries/binaries.h"
#include "compat/user/elf.h"

/*
 * Limits: anybody can map thousands of files with the name of a library, and put thousands of
 * functions with one name into a file. Each place is an event, and takes a tenth of a second to
 * remove. Users are told what is left out.
 */
#define FILES_MOST	32		/* of one library */
#define PLACES_MOST	64		/* of one function */
/* Versions of a function in one file; if there are more, none is probed. */
#define COPIES_MOST	4

#define LIBRARY_FILES 7

/* All files that the processes of -p have mapped, and no others. */
#define USER_ANY_FILE "*"

/* Names of a library's files; `*` matches anything. Programs are searched for in $PATH. */
struct library {
	const char *name;
	const char *files[LIBRARY_FILES];
	bool program;
	const char *called;		/* name for people; NULL: `name` */
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
	/* by /proc/PID/maps and by stat(2): on some file systems they differ */
	struct identity mapped, own;
};

/* A library that the user named, as a row of the table of libraries. */
struct named {
	struct named *next;
	struct library library;
	char files[2][80], name[];
};

#define LIBRARIES 13		/* of the table in binaries.c */

/* The places of "LIBRARY:FUNCTION". */
struct places {
	struct places *next;
	unsigned int n;
	struct place *places;
	char name[];
};

/* Frees one entry of binaries.places, with its symbols. The caller has taken it off the list. */
void binaries_free_places(struct places *p);

struct binaries {
	struct file *files;
	bool searched[LIBRARIES];	/* it was searched for, or the user named its files */
	struct places *places;
	struct named *named;
	struct lines left_out, limits;
};

/* The kernel's binaries. Returns NULL if there is no memory; only the first call can fail. */
struct binaries *binaries_of(struct kernel *k);
/* Returns true if only the processes of kernel_set_processes() are traced. */
bool of_some_processes(const struct kernel *k);
/* A row of the table of libraries. Returns NULL if there is none of that name. */
const struct library *binaries_library(const char *name, size_t length);
/* The member of binaries.searched for a row of that table. */
bool *binaries_searched(struct kernel *k, const struct library *library);
/* Searches for the library's files, and keeps them. Returns -1 and sets err on failure. */
int binaries_search(struct kernel *k, const struct library *library, struct error *err);
/*
 * Reads the code at this place of the file, so that its page is in memory when the kernel sets the
 * probe: 6.18's ext4 logs a warning if the kernel must read it. Returns false if there is no code.
 * If it can't be read now, there may be some: the kernel says why when it sets the probe.
 */
bool file_touch(const struct file *file, uint64_t position);

/* Keeps an open file. Closes it and returns NULL if there is no memory. */
struct file *binaries_keep(struct kernel *k, const struct library *library, int fd,
			   const char *path, const struct elf_kind *kind,
			   const struct identity *own);

/*
 * Keeps a file that the user named by its path. It must have one of these functions (the list ends
 * with NULL; an empty list requires none). Returns -1 and sets err on failure.
 */
int binaries_add(struct kernel *k, const struct library *l, const char *path,
		 const char *const *symbols, struct error *err);

/* limit for reading one file, or the list of one process's mappings */
#define SILENCE_MS 5000
/* The text behind "FILE has no function NAME". */
#define NO_SYMBOLS \
	"the file was built without the function, or its symbols were removed; name another file"

#define LINES_MOST 8		/* for files left out, and for limits that were reached */

/* A search through the processes' files. */
struct search {
	struct kernel *k;
	const struct library *library;
	const struct file *files;	/* known files */
	/* the only wanted processes; NULL: all */
	const uint32_t *processes;
	unsigned int n_processes;
	const volatile sig_atomic_t *stop;
	/* called for each file that is found */
	void (*found)(struct search *s, int fd, const char *path, const struct elf_kind *kind,
		      const struct identity *own, const struct identity *mapped);
	struct lines *left_out;		/* files that can't be probed, and why */
	struct lines *limits;		/* what was not searched */
	void *arg;
};

/*
 * Opens the file that a process has mapped and that was replaced at its path by the open file `fd`.
 * Returns -1 if the process has not mapped such a file. May block: to be called in a process of its
 * own.
 */
int open_replaced(uint32_t pid, int fd);
/* Runs the search. Returns -1 and sets err if it was interrupted, or impossible. */
int search_files(struct search *s, struct error *err);

/* Of a recording: finds the places of a hook table's name. Returns -1 if there is no memory. */
int recorded_find(struct kernel *k, const struct library *library, struct places *out);
/* Restricts the library to the files of this path. Returns -1 and sets err if there is none. */
int recorded_named(struct kernel *k, const struct library *library, const char *path,
		   struct error *err);

/* The calling convention of a file's programs. Returns NULL if the kernel does not run them. */
const struct arch_abi *binary_abi(struct kernel *k, const struct elf_kind *kind);

#endif
