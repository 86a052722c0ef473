/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONVERT_STACKS_H
#define SONDE_CONVERT_STACKS_H

#include "src/commands/convert/events.h"
#include "src/lib/symbols/symbols.h"

/* Functions of recorded stacks. */
struct convert_stacks;

/* Returns NULL if there is no memory. To be called before the recording is read. */
struct convert_stacks *convert_stacks_new(struct recording *recording,
					  const struct convert_asked *asked);
void convert_stacks_free(struct convert_stacks *s);
/* The events from now on are not older than `time`. */
void convert_stacks_until(struct convert_stacks *s, uint64_t time);

struct convert_frame {
	uint64_t address;		/* as recorded: of a caller, behind its call */
	bool kernel;
	struct symbol symbol;
	/* of a function of user space; NULL: unknown */
	const char *path;
	uint64_t position;		/* of the address in that file */
};

/* Calls `each` for the functions of an event's stack, the newest first; for none without one. */
void convert_stack(struct convert *c, const struct recorded *rec,
		   void (*each)(void *arg, const struct convert_frame *f), void *arg);
/* The function of the kernel at an address. Returns NULL if it is unknown. */
const char *convert_function(struct convert_stacks *s, uint64_t address, uint64_t *begin);
/* At the end: returns -1 and sets err if --kallsyms was of another kernel. */
int convert_stacks_check(struct convert_stacks *s, struct error *err);
/* Tells on stderr which names are missing. */
void convert_stacks_report(struct convert_stacks *s);

#endif
