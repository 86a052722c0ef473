/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KINDS_FIND_H
#define SONDE_KINDS_FIND_H

#include "compat/kinds/builder.h"
#include "compat/kinds/kinds.h"

/* Makes an event of this kernel of what a row of the hook tables names. */
struct probe_finder {
	enum event_kind event;
	/* Makes b->main the event that b->probe names; -1 and the reason if there is none. */
	int (*find)(struct builder *b);
	/*
	 * Of user space: the places of the probe, each of which becomes an event; -1 and the reason
	 * if there is none, or if this kernel can't probe it. NULL: a probe of the kernel.
	 */
	int (*places)(struct kernel *k, enum target target, const struct probe *p,
		      const struct demand *d, const struct place **places,
		      struct refusal *refusal);
	bool bypassed;		/* calls may go around it (compat/resolve/bypass.h) */
	bool compat;		/* where it is not found, calls of 32-bit tasks are missed */
};

const struct probe_finder *probe_finder(const struct probe *p);

/* find() of kprobes: `look_up` tells the function; NULL: it is not there. */
int find_function(struct builder *b, const char *(*look_up)(struct builder *b));

/* The files of user space whose returns can't be probed: 0, or -1 and the reason. */
int find_returns(struct builder *b);

/* find() and places() of uprobes. */
int find_place(struct builder *b);
int find_places(struct kernel *k, enum target target, const struct probe *p,
		const struct demand *d, const struct place **places, struct refusal *refusal);

#endif
