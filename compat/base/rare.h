/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RARE_H
#define SONDE_RARE_H

/* Stays a function of its own, so that what calls it for few of millions of events is short. */
#define RARE __attribute__((noinline))

#endif
