/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_SPEC_H
#define SONDE_LANG_SPEC_H

#include "insns/programs/argdist.h"
#include "src/lang/script.h"

/*
 * What argdist counts: PROBE(SIGNATURE)[:TYPE,...:VALUE,...[:FILTER]][#LABEL]. Its program adds to
 * a map of its own: counts by the values (struct argdist_key, then the values), or a histogram of
 * the one value.
 */
#define SPEC_VALUES 8

struct spec_value {
	char *name;			/* as it was written */
	struct c_type type;
};

struct spec {
	struct spec *before;		/* the spec that was made before this one; NULL: none was */
	/*
	 * The script's. Specs of the same probe and the same filter share it: one program counts
	 * for all.
	 */
	struct script_probe *on;
	bool joined;			/* an earlier spec made the probe */
	struct tree own;		/* of such a spec's expressions */
	struct tree *tree;		/* this one, or the probe's */
	size_t begin;			/* in the text: behind the probe */
	char *filter;			/* as it was written; NULL: none */
	const struct statement *statement;
	/* where $latency or $entry is asked for, a probe on the beginnings of calls; else NULL */
	struct script_probe *calls;
	struct lang_value entries[ARGDIST_ENTRIES];
	struct kept_values kept;	/* those entries that it keeps, beside the time */
	char calls_hook[16], map_name[16], start_name[16];
	bool histogram;
	char *label;			/* what it is called */
	unsigned int n;
	struct lang_value values[SPEC_VALUES];
	struct spec_value shown[SPEC_VALUES];
};

/*
 * Reads spec number `number`, and adds its probes and maps to the script. s->histogram and
 * s->before are set. The text and the spec have to live as long as the script. Returns -1 and sets
 * err if it can't be read or made; the caller calls spec_free() in either case.
 */
int spec_make(struct script *script, struct spec *s, const char *text, unsigned int number,
	      struct error *err);
/* Adds the spec's programs to the script, when all specs are made. -1: out of memory. */
int spec_add(struct script *script, struct spec *s);
void spec_free(struct spec *s);

#endif
