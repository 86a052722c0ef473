/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KALLSYMS_H
#define SONDE_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * /proc/kallsyms, line by line: an address, a letter, a name, and a module in brackets behind a
 * tab. The kernel takes longer to make a line than sonde to read it, so callers should stop early.
 */
struct kallsyms_line {
	uint64_t address;		/* 0: hidden from this user */
	char type;			/* as in nm(1); code is one of "tTwW" */
	/* without a NUL at the end; module: "" is the kernel itself */
	const char *name, *module;
	size_t length, module_length;
};

struct kallsyms_reader {
	int fd;
	size_t at, used;
	char buffer[65536];
};

/* Opens the file; path NULL: /proc/kallsyms. Returns -1 and sets errno on failure. */
int kallsyms_open(struct kallsyms_reader *r, const char *path);
/*
 * Reads the next valid line; it stays until the next call. Returns 1; 0 at the end; -1, and sets
 * errno, on failure.
 */
int kallsyms_next(struct kallsyms_reader *r, struct kallsyms_line *line);
void kallsyms_close(struct kallsyms_reader *r);

/*
 * Finds a symbol of the kernel, or of a module, by its whole name; the first one of several.
 * Returns 1, with its address, which is 0 if it is hidden from this user; 0: there is none; -1, and
 * sets errno, on failure.
 */
int kallsyms_find(const char *name, uint64_t *address);
/* The same in a copy of the file; path NULL: /proc/kallsyms. */
int kallsyms_find_in(const char *path, const char *name, uint64_t *address);

/* Returns true for a function. */
bool kallsyms_is_code(const struct kallsyms_line *line);
/* Returns true for code that BPF or ftrace generated. */
bool kallsyms_is_made(const struct kallsyms_line *line);

#endif
