// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/net/protocols.h"

#include <stdio.h>
#include <sys/socket.h>

#include "src/lib/output/records.h"

struct name {
	unsigned int number;
	const char *name;
};

/* The kernel's numbers; C libraries lack the newer ones. */
static const struct name protocols[] = {
	{ 1, "ICMP" }, { 2, "IGMP" }, { 6, "TCP" }, { 17, "UDP" }, { 33, "DCCP" }, { 46, "RSVP" },
	{ 47, "GRE" }, { 50, "ESP" }, { 51, "AH" }, { 58, "ICMPv6" }, { 89, "OSPF" },
	{ 115, "L2TP" }, { 132, "SCTP" }, { 136, "UDPLite" }, { 255, "RAW" }, { 256, "SMC" },
	{ 262, "MPTCP" },
};
static const struct name families[] = {
	{ 1, "UNIX" }, { 16, "NETLINK" }, { 17, "PACKET" }, { 29, "CAN" }, { 31, "BLUETOOTH" },
	{ 38, "ALG" }, { 40, "VSOCK" }, { 43, "SMC" }, { 44, "XDP" },
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *name_of(const struct name *names, size_t n, unsigned int number)
{
	for (size_t i = 0; i < n; i++)
		if (names[i].number == number)
			return names[i].name;
	return NULL;
}

struct text protocol_text(unsigned int family, unsigned int protocol, char number[PROTOCOL_TEXT])
{
	bool inet = family == AF_INET || family == AF_INET6;
	const char *name = inet ? name_of(protocols, COUNT(protocols), protocol) :
		name_of(families, COUNT(families), family);

	if (name)
		return text_of(name, PROTOCOL_TEXT);
	snprintf(number, PROTOCOL_TEXT, inet ? "%u" : "family %u", inet ? protocol : family);
	return text_of(number, PROTOCOL_TEXT);
}
