/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCP_H
#define SONDE_TCP_H

#include <sys/socket.h>

#include "insns/tcp.h"
#include "src/tools.h"

/* What tools share that show connections. */

#define OPTIONS_PORTS(LETTER, ...) \
	{ LETTER, "localport", "only these local ports", OPTION_LIST, "PORT,...", 1, 65535, \
	  ##__VA_ARGS__ }, \
	{ 'D', "remoteport", "only these remote ports", OPTION_LIST, "PORT,...", 1, 65535 }
#define OPTIONS_FAMILY \
	{ '4', "ipv4", "IPv4 only", OPTION_FLAG, .excludes = "ipv6" }, \
	{ '6', "ipv6", "IPv6 only", OPTION_FLAG, .excludes = "ipv4" }
#define OPTIONS_TIME \
	{ 'T', "time", "show the time of day", OPTION_FLAG }, \
	{ 't', "timestamp", "show the time, in seconds", OPTION_FLAG }
#define OPTIONS_TABLE \
	{ 'w', "wide", "columns that IPv6 addresses fit in", OPTION_FLAG }, \
	{ 's', "csv" }

/* The tables of people have it only where there is room. */
#define COLUMN_IP(AT) \
	{ "IP", "ip", COLUMN_INTEGER, -2, AT, .option = "wide", .readers = FOR_PEOPLE, \
	  .help = "4 or 6" }, \
	{ "IP", "ip", COLUMN_INTEGER, -2, AT, .readers = FOR_MACHINES }

/* For prepare(): the constants TCP_ENDS names. */
int tcp_prepare(struct run *r, struct error *err);
/* For started(): the ports that were asked for. */
int tcp_started(struct run *r, struct error *err);

/* The ends of a connection; `hook` says which addresses are told. */
struct address tcp_local(const struct run *r, const char *hook, const struct tcp_ends *e);
struct address tcp_remote(const struct run *r, const char *hook, const struct tcp_ends *e);

#endif
