/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RANDOM_H
#define SONDE_RANDOM_H

#include <stdint.h>

/*
 * A number of the kernel's generator; where that can't be read, one made of the time. It is no
 * secret: getrandom(2) is there only since 3.17, and may wait while the machine starts.
 */
uint64_t random_number(void);

#endif
