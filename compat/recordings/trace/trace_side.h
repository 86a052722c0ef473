/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACE_SIDE_H
#define SONDE_TRACE_SIDE_H

#include "compat/base/strbuf.h"
#include "compat/recordings/recording.h"

/*
 * What sonde adds to a trace.dat, in options that others pass over: the section of probes
 * (recorded_probes.h), and lines of words behind the line TRACE_SIDE_HEAD:
 *
 *	wall NS NS			a time of CLOCK_REALTIME, and of the recording's clock
 *	unread CPU N			events that the kernel never handed out
 *	parent PID PPID			of a process that was there before the first event
 *	task TID PID NAME		a task that was there before the first event
 *
 * NAME is written as the words of recorded_probes.h. Lines that begin with another word are passed
 * over. With these lines a file has the formats of the events that were recorded, and no others.
 */
#define TRACE_SIDE_HEAD "sonde trace 1\n"

enum { TRACE_OPTION_PROBES = 200, TRACE_OPTION_SIDE = 201 };

/* Add lines. */
void trace_side_wall(struct strbuf *to, int64_t wall, int64_t clock);
void trace_side_unread(struct strbuf *to, unsigned int cpu, uint64_t n);
void trace_side_parent(struct strbuf *to, uint32_t pid, uint32_t ppid, uint64_t began);
void trace_side_task(struct strbuf *to, uint32_t tid, uint32_t pid, const char *name);

/* Keeps an option, n bytes. Returns -1 and sets err if there is no memory. */
int trace_side_keep(struct recording *r, uint16_t option, const void *bytes, size_t n,
		    struct error *err);
/*
 * Reads what was kept, all but tasks. The events of the recording are known. Returns -1 and sets
 * err if it is damaged, or of a later version of sonde.
 */
int trace_side_read(struct recording *r, struct error *err);
/* The next task. Returns false if there are no more. */
bool trace_side_next(struct recording *r, struct recorded *to);

#endif
