/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROTOCOLS_H
#define SONDE_PROTOCOLS_H

#include <stddef.h>

#include "src/lib/output/output.h"

#define PROTOCOL_TEXT 16

/*
 * What a socket of this address family and protocol speaks: "TCP", "UDP", "UNIX". A protocol that
 * has no name here is a number; it is written to `number`.
 */
struct text protocol_text(unsigned int family, unsigned int protocol, char number[PROTOCOL_TEXT]);

#endif
