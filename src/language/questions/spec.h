/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_SPEC_H
#define SONDE_LANG_SPEC_H

#include "insns/programs/argdist.h"
#include "src/language/questions/script.h"

/*
 * What argdist counts: PROBE(SIGNATURE)[:TYPE,...:VALUE,...[:FILTER]][#LABEL]. Its program adds to
 * a map of its own: counts by the values (the key is a struct argdist_key, followed by the values),
 * a histogram of the one value, or sums of the first value by the others.
 */
#define SPEC_VALUES 8

struct spec_value {
	char *name;			/* as written */
	struct c_type type;
};

struct spec {
	struct spec *before;		/* the spec made before this one; NULL: none */
	/*
	 * Owned by the script. Specs with the same probe and the same filter share it: one program
	 * counts for all.
	 */
	struct script_probe *on;
	bool joined;			/* an earlier spec made the probe */
	struct tree own;		/* if joined: the tree of this spec's expressions */
	struct tree *tree;		/* `own`, or the probe's */
	size_t begin;			/* in the text: behind the probe */
	char *filter;			/* as written; NULL: none */
	const struct statement *statement;
	/* for $latency and $entry: a probe on the beginnings of calls; NULL: not used */
	struct script_probe *calls;
	struct lang_value entries[ARGDIST_ENTRIES];
	/* values that `calls` keeps in `entries`, besides the time */
	struct kept_values kept;
	char calls_hook[16], map_name[16], start_name[16];
	enum argdist_map kind;		/* set by the caller */
	struct map map;
	unsigned int first;		/* first value of the key: 1 with sums, else 0 */
	char *label;			/* shown above the result */
	unsigned int n;
	struct lang_value values[SPEC_VALUES];
	struct spec_value shown[SPEC_VALUES];
};

/*
 * Parses spec number `number`, and adds its probes and maps to the script. The caller has set
 * s->kind and s->before. The text and the spec must stay as long as the script. Returns -1 and
 * sets err on failure; spec_free() is called in either case.
 */
int spec_make(struct script *script, struct spec *s, const char *text, unsigned int number,
	      struct error *err);
/* Adds the spec's programs, after all specs are made. Returns -1 if there is no memory. */
int spec_add(struct script *script, struct spec *s);
void spec_free(struct spec *s);

#endif
