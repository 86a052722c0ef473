/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_SPEC_H
#define SONDE_LANG_SPEC_H

#include "insns/programs/argdist.h"
#include "src/lang/probe.h"
#include "src/lang/values.h"

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
	struct lang_probe probe;
	bool timed;			/* $latency or $entry is asked for: */
	struct lang_probe calls;	/* the beginnings of calls, */
	struct map start;		/* when they began, and */
	struct lang_value entries[ARGDIST_ENTRIES];	/* values of then, */
	unsigned int n_entries;
	struct code enter;		/* and what keeps that */
	char hook[16], calls_hook[16], map_name[16], start_name[16];
	bool histogram;
	char *label;			/* what it is called */
	struct node *filter;		/* NULL: none */
	unsigned int n;
	struct lang_value values[SPEC_VALUES];
	struct spec_value shown[SPEC_VALUES];
	unsigned int key_size;
	struct map map;
	struct code code;
};

/* -1 and err; spec_free() in either case. */
int spec_make(struct kernel *k, struct spec *s, const char *text, unsigned int number,
	      unsigned int text_size, struct error *err);
void spec_free(struct spec *s);

#endif
