/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KALLSYMS_H
#define SONDE_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * /proc/kallsyms, line by line: an address, a letter, a name, and a module in brackets behind a
 * tab. To make a line takes the kernel longer than to read it takes us: stop when you have what you
 * need.
 */
struct kallsyms_line {
	uint64_t address;		/* 0 if we may not see it */
	char type;			/* as in nm(1); code is one of "tTwW" */
	const char *name, *module;	/* no NUL at their ends; module: "" is the kernel itself */
	size_t length, module_length;
};

struct kallsyms_reader {
	int fd;
	size_t at, used;
	char buffer[65536];
};

/* NULL: /proc/kallsyms. -1 and errno. */
int kallsyms_open(struct kallsyms_reader *r, const char *path);
/* The next well-formed line, valid until the next call. 1; 0 at the end; -1 and errno. */
int kallsyms_next(struct kallsyms_reader *r, struct kallsyms_line *line);
void kallsyms_close(struct kallsyms_reader *r);

bool kallsyms_is_code(const struct kallsyms_line *line);
/* BPF or ftrace made it at run time. */
bool kallsyms_is_made(const struct kallsyms_line *line);

#endif
