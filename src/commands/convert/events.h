/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONVERT_EVENTS_H
#define SONDE_CONVERT_EVENTS_H

#include <stdio.h>

#include "compat/base/hash.h"
#include "compat/kernel/format.h"
#include "compat/recordings/recording.h"

/*
 * A recording as events in the order of time, for writers of other formats. Tasks and names are
 * those that the recording tells.
 */

struct convert_event {
	const char *name;		/* SYSTEM:EVENT, or what triggered the samples */
	const struct format *format;	/* NULL: of samples, or the recording lacks it */
	bool sampled;
};

struct convert_task {
	uint32_t pid;
	char comm[16];			/* "": unknown */
	bool ended;
	bool told;			/* the writer's own */
};

/* What is read, and where names of functions are looked for: as of a tool. */
struct convert_asked {
	const char *file;
	const char *symfs, *kallsyms;	/* NULL: not given */
};

struct convert {
	const struct convert_writer *writer;
	FILE *to;
	struct recording *recording;
	struct kernel *kernel;
	struct convert_event *events;	/* as recording_events() */
	unsigned int n_events;
	struct convert_stacks *stacks;	/* NULL: the writer has none */
	struct hash tasks;		/* by thread: struct convert_task */
	uint64_t samples, lost;		/* counts */
	void *own;			/* the writer's, zero at first */
};

/* A format. NULL: it has nothing to do there. */
struct convert_writer {
	size_t own;			/* bytes of convert.own */
	bool stacks;			/* it asks for convert_stack() */
	/* Return -1 and set err on failure. */
	int (*begin)(struct convert *c, struct error *err);
	/* After some events and at the end: writes what is kept back. */
	int (*hand_over)(struct convert *c, bool end, struct error *err);
	/* A thread has another process or name. */
	void (*task)(struct convert *c, uint32_t tid, struct convert_task *task);
	/* rec is a RECORDED_EVENT, or a RECORDED_LOST. */
	void (*event)(struct convert *c, const struct recorded *rec);
	void (*lost)(struct convert *c, const struct recorded *rec);
	/* Tells on stderr what the output lacks of the recording. */
	void (*report)(struct convert *c);
	void (*free)(struct convert *c);
};

/* Returns -1 and sets err on failure; errors of writing stay with the file. */
int convert_events(const struct convert_asked *asked, FILE *to,
		   const struct convert_writer *writer, struct error *err);

/* The thread as the recording tells it. Returns NULL if it does not. */
struct convert_task *convert_task(struct convert *c, uint32_t tid);

/* Returns true if the event's own field number i is to be shown. */
static inline bool convert_shows(const struct field *f)
{
	return f->name[0] != 'c' || __builtin_strncmp(f->name, "common_", 7);
}

#endif
