/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WORK_STRUCTS_H
#define SONDE_WORK_STRUCTS_H

/* What a program passes to its function; sonde reads this file by -I. */
enum color { RED = 3, GREEN, BLUE = -2 };
#define COLORS 3
#define FIRST (RED << 4 | 1)

typedef unsigned long long __attribute__((aligned(8))) wide_t;

struct inner {
	short low;
	wide_t high;
};

struct sample {
	struct sample *next;
	unsigned int a : 3, b : 9, c : 20;	/* one word */
	signed char tiny : 5;
	int s : 7;
	enum color color;
	char name[12];				/* full: no NUL */
	unsigned short row[COLORS + 1];
	int grid[2][3];
	union {
		unsigned long long all;
		struct {
			unsigned int first, second;
		};
	} u;
	struct inner inner, *outer;
	struct sample *list[COLORS];
	struct {
		char flag;
		unsigned long long far;
		unsigned int part : 17;
	} __attribute__((packed)) packed;
	_Bool yes : 1, no : 1;
};

#endif
