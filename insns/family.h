/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FAMILY_H
#define SONDE_FAMILY_H

#include "insns/lower.h"

/* Keeps MAP_FAMILY: the processes of a command and its children, by tgid. */
extern const struct program_set family_programs;

#endif
