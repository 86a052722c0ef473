/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KINDS_FIND_H
#define SONDE_KINDS_FIND_H

#include "compat/kinds/builder.h"
#include "compat/kinds/kinds.h"

/* Finds the event of this kernel that a row of the hook tables names. */
struct probe_finder {
	enum event_kind event;
	/* Makes b->main the event of b->probe. Returns -1, and the reason, if there is none. */
	int (*find)(struct builder *b);
	/*
	 * User space: lists the places of the probe; each becomes an event. Returns their number.
	 * Returns -1, and the reason, if there is none, or if this kernel can't probe it. NULL: a
	 * probe of the kernel.
	 */
	int (*places)(struct kernel *k, enum target target, const struct probe *p,
		      const struct demand *d, const struct place **places,
		      struct refusal *refusal);
	/*
	 * serves the same probes at a lower cost, where the kernel has it; first only with
	 * FEATURE_FENTRY_WHOLE. NULL: none does
	 */
	const struct probe_finder *cheaper;
	bool bypassed;		/* calls may bypass the function (compat/resolve/bypass.h) */
	bool compat;		/* if it is not found, calls of 32-bit tasks are missed */
};

/* The finder for a probe's kind. */
const struct probe_finder *probe_finder(const struct probe *p);
extern const struct probe_finder fentry_finder, fexit_finder;

/* Returns true if functions of the kernel can be probed by their names. */
bool kernel_function_probed(struct kernel *k, enum target target);

#define NO_RECORDED "the recording has no probe of %s()"

/* Sets the refusal: this kernel has no such function. Returns -1. */
int no_function(struct builder *b);

/* find() for kprobes: look_up() returns the function; NULL: there is none. */
int find_function(struct builder *b, const char *(*look_up)(struct builder *b));

/*
 * Finds the tracepoint that the probe names, SYSTEM:EVENT: sets the event's system and name.
 * Returns its format; NULL, and the reason, if the kernel has none.
 */
const struct format *find_tracepoint(struct builder *b);

/* Refuses the probe: the kernel takes no BPF programs on tracepoints of any kind. Returns -1. */
int no_tracepoint_programs(struct builder *b);

/* Checks that returns of the place's file can be probed. Returns -1 and the reason if not. */
int find_returns(struct builder *b);

/* find() and places() of uprobes. */
int find_place(struct builder *b);
int find_places(struct kernel *k, enum target target, const struct probe *p,
		const struct demand *d, const struct place **places, struct refusal *refusal);

#endif
