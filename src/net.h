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

/* The same where those of IPv4 stand as ::ffff:192.0.2.1. */
static inline struct address net_end(const uint8_t bytes[16])
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	uint8_t inet[16] = { };

	if (memcmp(bytes, mapped, sizeof(mapped)))
		return net_address(AF_INET6, bytes);
	memcpy(inet, bytes + sizeof(mapped), 4);
	return net_address(AF_INET, inet);
}

#endif
