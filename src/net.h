/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NET_H
#define SONDE_NET_H

#include <string.h>
#include <sys/socket.h>

#include "src/output/output.h"

/* What tools about connections share. */

/* An address out of a record, where zeros stand for one that could not be had: a connection has no such end. */
static inline struct address net_address(unsigned int family, const uint8_t bytes[16])
{
	static const uint8_t none[16];
	struct address a = { .family = (uint16_t)family };

	if (!memcmp(bytes, none, sizeof(none)))
		return (struct address){ };
	memcpy(a.bytes, bytes, family == AF_INET ? 4 : 16);
	return a;
}

#endif
