/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_ATTACH_H
#define SONDE_BT_ATTACH_H

#include "src/bt/bind/bind.h"

/*
 * Where a probe is: attach.c has the providers that patterns and sonde's own events serve, events.c
 * those of the kernel's counters and of raw tracepoints, iterators.c iter.
 */
#define BT_PARTS 4

/* A probe's text, cut at its colons. */
struct attaching {
	struct bt *b;
	struct bt_probe *p;
	char *text;			/* the whole text, with parameters */
	char *words;			/* a copy, in parts */
	char *parts[BT_PARTS];
	unsigned int n;
	struct error *err;
};

struct provider {
	const char *name, *alias;
	/* the pattern's beginning, "r:" */
	const char *pattern;
	int (*attach)(struct attaching *w, const struct provider *row);
	const char *form;		/* for messages */
	enum bt_when when;
	const char *shown;		/* the newest name; NULL: `name` */
	bool typed;			/* results have the type that the kernel tells */
};

/*
 * Finds what the probe at p->at names, and makes its tree and scope. Positional parameters are
 * replaced. Returns -1 and sets err if it finds nothing.
 */
int bt_attach(struct bt *b, struct bt_probe *p, unsigned int number, struct error *err);

/* Set err to a message about the probe. Return -1. */
int bt_wrong_probe(const struct attaching *w, const char *why);
int bt_wrong_form(const struct attaching *w, const struct provider *row);
/* The same of something that is not there. */
int bt_no_matches(const struct attaching *w, const char *why);
/*
 * The event is of no function: it has the machine's calling convention, and one name, the second
 * one its own text. Return -1, with err set, if there is no memory.
 */
int bt_only_name(struct attaching *w, const char *name);
int bt_alone(struct attaching *w);

/* ---- events.c ---- */

/* A sample of each CPU each so many counts. */
int bt_sampled(struct attaching *w, const char *name, uint64_t period);

/* Each finds what its probe names, as bt_attach() does. */
int bt_attach_software(struct attaching *w, const struct provider *row);
int bt_attach_hardware(struct attaching *w, const struct provider *row);
int bt_attach_watchpoint(struct attaching *w, const struct provider *row);
int bt_attach_raw(struct attaching *w, const struct provider *row);

/* ---- iterators.c ---- */

/* The same of iter. */
int bt_attach_iterator(struct attaching *w, const struct provider *row);

#endif
