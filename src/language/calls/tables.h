/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CALLS_TABLES_H
#define SONDE_CALLS_TABLES_H

#include <stddef.h>
#include <stdint.h>

/* What src/language/calls/calls.awk makes of src/language/calls/calls.tbl. */

/* Names of calls, each with its NUL, and behind it the words of its arguments with their NUL. */
extern const char call_texts[];

/*
 * A table of calls: by number, places in call_texts[]; 0: no call. With `like` it is pairs of a
 * number and a place, in the order of numbers: what differs from that table.
 */
struct call_numbers {
	const char *name;		/* NULL: the end of call_tables[] */
	const char *like;		/* NULL: the table is whole */
	const uint16_t *places;
	uint16_t n;			/* elements of places[] */
};

/* Numbers of "x32" begin with 512, those of "common" with 424. */
extern const struct call_numbers call_tables[];

#endif
