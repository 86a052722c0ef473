/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMBERS_H
#define SONDE_MEMBERS_H

#include "src/lang/types/header.h"

enum type_source { TYPES_UNKNOWN, TYPES_HEADER };

#endif
