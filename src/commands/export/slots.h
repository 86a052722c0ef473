/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_SLOTS_H
#define SONDE_EXPORT_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/commands/export/export_lines.h"
#include "src/commands/export/worker.h"

/*
 * Places for tools, each with a socket to the server that lasts as long as the exporter: tools come
 * and go, and the server, which can't be given sockets later, has all from the beginning.
 */
struct slot {
	struct export_line line;	/* words NULL: the place is free */
	/* Begins here when the line has ended, and the server knows; words NULL: none does. */
	struct export_line next;
	bool ends;			/* the file does not have the line any more */
	int64_t kill_at;		/* of one that ends, CLOCK_MONOTONIC, ms */
	bool untold;			/* the server was not told yet that the tool is down */
	struct worker worker;
	int pair[2];			/* of sockets; [0] is the server's */
};

/* How many lines stay as they are, begin, and end. */
struct slots_change {
	unsigned int stay, begin, end;
};

/*
 * The lines are those that shall run from now on; they become the slots'. One that is there stays
 * untouched. A changed one waits in its tool's slot: two of one name would add to the same metrics.
 */
struct slots_change slots_take(struct slot slots[EXPORT_TOOLS], struct export_lines *lines);
/* The line of a slot that ends has ended: the next one takes its place. */
void slot_next(struct slot *s);
void slots_free(struct slot slots[EXPORT_TOOLS]);

#endif
