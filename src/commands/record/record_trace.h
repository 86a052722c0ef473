/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORD_TRACE_H
#define SONDE_RECORD_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/recorder/trace_recorder.h"
#include "src/commands/record/record_events.h"
#include "src/run/child.h"

/* What is recorded from ftrace's rings, and for whom. */
struct trace_setup {
	struct kernel *kernel;
	const struct record_events *events;
	const char *output;
	unsigned int pages;		/* of each CPU's ring */
	uint64_t seconds;		/* 0: until a signal */
	char **command;			/* NULL: none */
	struct child *child;		/* of the command; the caller abandons it */
	const struct strbuf *probes;	/* the section about them; NULL: there are none */
	FILE *verbose;			/* NULL: nobody listens */
	void (*begun)(void *arg);	/* NULL: nobody waits for it */
	void *arg;
};

/*
 * Writes a trace.dat. Sets the exit status of the command. *recorder: the caller closes it, also
 * after a failure; NULL: there is none. Returns -1 and sets err on failure.
 */
int record_trace(const struct trace_setup *setup, struct trace_recorder **recorder, int *status,
		 struct error *err);

#endif
