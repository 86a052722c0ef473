/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NEVERS_H
#define SONDE_NEVERS_H

/*
 * Answers to JUMP_UNLESS that no run has: a tool gives both. The suite `registers` leaves out ways
 * that need them; the suite `constants` tests that no options of a tool give them.
 */
struct never {
	const char *file;		/* of the program */
	const char *asked[2];
	int answers[2];
};

extern const struct never nevers[];	/* ends with an empty row */

#endif
