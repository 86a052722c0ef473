/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NAMED_H
#define SONDE_NAMED_H

#include "insns/insn.h"

/* An array of a program file that was compiled with SONDE_REGISTER_NAMES. */
struct named_array {
	const char *file, *name;
	const struct insn *insns;
	unsigned int n;
};

#define NAMED_ARRAY(FILE, ARRAY) \
	{ (FILE), #ARRAY, (ARRAY), sizeof(ARRAY) / sizeof((ARRAY)[0]) }

#endif
