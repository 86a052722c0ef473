/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FAMILY_H
#define SONDE_FAMILY_H

#include "insns/lower/lower.h"

/*
 * Programs that keep MAP_FAMILY: the processes of a command and its children, by tgid. The session
 * enters the command itself as FAMILY_FIRST, a process with one thread. FAMILY_MAKING: events may
 * be read later than they happen, so the event of the command's creation is still to come, from a
 * process that is not followed.
 */
#define FAMILY_MAKING (1ULL << 32)
#define FAMILY_FIRST (FAMILY_MAKING | 1)

extern const struct program_set family_programs;

#endif
