/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RARE_H
#define SONDE_RARE_H

/* Never inlined: keeps callers short that need the function only for few of millions of events. */
#define RARE __attribute__((noinline))

#endif
