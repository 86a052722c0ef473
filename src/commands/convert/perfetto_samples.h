/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERFETTO_SAMPLES_H
#define SONDE_PERFETTO_SAMPLES_H

#include "src/commands/convert/stacks.h"
#include "src/lib/output/timelines/packets.h"

/* Samples of a Perfetto trace. What their stacks share is told once, and has a number then. */
enum { INTERNED_FUNCTION, INTERNED_PATH, INTERNED_MAPPING, INTERNED_FRAME, INTERNED_STACK,
       INTERNED };

struct perfetto_samples {
	struct hash interned[INTERNED];	/* by what it is: its number, from 1 on */
	bool begun;
	bool failed;			/* there was no memory */
};

/* Writes the packet of a sample. */
void perfetto_sample(struct perfetto_samples *s, struct convert *c, const struct recorded *rec,
		     struct strbuf *to);
void perfetto_samples_free(struct perfetto_samples *s);

#endif
