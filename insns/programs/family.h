/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FAMILY_H
#define SONDE_FAMILY_H

#include "insns/lower/lower.h"

/* Keeps MAP_FAMILY: the processes of a command and its children, by tgid. */
/*
 * The value of a process with one thread, to begin with. Where events are read later than they
 * happen, the event of the command's creation is yet to come, by a process that is not followed.
 */
#define FAMILY_MAKING (1ULL << 32)
#define FAMILY_FIRST (FAMILY_MAKING | 1)

extern const struct program_set family_programs;

#endif
