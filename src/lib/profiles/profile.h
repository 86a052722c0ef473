/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROFILE_H
#define SONDE_PROFILE_H

#include <stdint.h>
#include <stdio.h>

#include "compat/base/error.h"
#include "compat/base/hash.h"

/*
 * Stacks with values, for files of other programs. A function and a stack are there once: values of
 * equal stacks are added.
 */
#define PROFILE_VALUES 4

struct profile_frame {
	const char *name;		/* NULL: unknown */
	const char *module;		/* the file or kernel module; NULL: unknown */
};

/* A stack of a process: numbers of frames, the newest function first. */
struct profile_stack {
	uint64_t values[PROFILE_VALUES];
	uint32_t comm;			/* the number of the string */
	int64_t pid;			/* -1: unknown */
	uint32_t n;
	uint32_t *frames;
};

struct profile {
	const char *units[PROFILE_VALUES];	/* "samples", "us"; NULL: there is no such value */
	const char *name;		/* what is sampled or summed up: the tool's name */
	int64_t began;			/* ns since 1970; 0: unknown */
	uint64_t duration;		/* ns */
	/* Each once, in the order of their addition; string number 0 is "". */
	struct hash strings;		/* struct profile_number */
	struct hash frames;		/* the same, by the numbers of two strings: name, module */
	struct hash stacks;		/* struct profile_stack */
};
struct profile_number {
	uint32_t number;
	uint32_t length;		/* bytes of the key */
};

/* Makes one without stacks. Returns NULL if there is no memory. */
struct profile *profile_new(void);
void profile_free(struct profile *p);
/* How many there are. */
static inline uint32_t profile_strings(const struct profile *p)
{
	return p->strings.index.n;
}

/*
 * Adds a stack of n frames, the newest first; pid -1: unknown; `values` are PROFILE_VALUES. Strings
 * are copied. Returns -1 and sets err if there is no memory.
 */
int profile_add(struct profile *p, const char *comm, size_t comm_length, int64_t pid,
		const struct profile_frame *frames, uint32_t n, const uint64_t *values,
		struct error *err);
/* Calls `each` with every string, in the order of their addition. */
void profile_each_string(const struct profile *p,
			 void (*each)(void *arg, const char *s, size_t n), void *arg);
/* The same of frames: the numbers of their strings. */
void profile_each_frame(const struct profile *p,
			void (*each)(void *arg, uint32_t name, uint32_t module), void *arg);
/* The same of stacks. */
void profile_each_stack(const struct profile *p,
			void (*each)(void *arg, const struct profile_stack *s), void *arg);

/* What both formats call a unit of time or size; NULL: values of this unit are counts. */
const char *profile_unit(const char *unit);

/*
 * Write a file: pprof's, which `go tool pprof`, Pyroscope, Parca and Grafana read; speedscope.app's
 * JSON; the text of `perf script`. Return -1 and set err if there is no memory; errors of writing
 * stay with the file.
 */
int profile_pprof(FILE *file, const struct profile *p, struct error *err);
int profile_speedscope(FILE *file, const struct profile *p, struct error *err);
int profile_perf_script(FILE *file, const struct profile *p, struct error *err);

#endif
