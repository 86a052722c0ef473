/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCP_H
#define SONDE_TCP_H

#include <sys/socket.h>

#include "insns/tcp.h"
#include "src/run/tools.h"

/* Options, columns and constants of the tools that show connections. */

#define OPTIONS_PORTS(LETTER, ...) \
	{ LETTER, "localport", "only these local ports", OPTION_LIST, "PORT,...", 1, 65535, \
	  ##__VA_ARGS__ }, \
	{ 'D', "remoteport", "only these remote ports", OPTION_LIST, "PORT,...", 1, 65535 }
#define OPTIONS_FAMILY \
	{ '4', "ipv4", "IPv4 only", OPTION_FLAG, .excludes = "ipv6" }, \
	{ '6', "ipv6", "IPv6 only", OPTION_FLAG, .excludes = "ipv4" }
#define OPTIONS_TIME \
	{ 'T', "time", "show the time of day", OPTION_FLAG }, \
	{ 't', "timestamp", "show seconds since the first line", OPTION_FLAG }
#define OPTIONS_TABLE \
	{ 'w', "wide", "wider columns, for IPv6 addresses", OPTION_FLAG }, \
	{ 's', "csv" }

/* The IP version. Text has it only if columns are wide. */
#define COLUMNS_IP \
	{ "IP", "ip", COLUMN_INTEGER, -2, .field = "ip", \
	  .option = "wide", .readers = FOR_PEOPLE, .help = "4 or 6" }, \
	{ "IP", "ip", COLUMN_INTEGER, -2, .field = "ip", .readers = FOR_MACHINES }

#define TCP_END_TEXT 64

/*
 * An end for people, written to `text`: 192.0.2.1:22, [2001:db8::1]:22; an unknown address is `-`,
 * an address of zeros `*`. `counted`: [192.0.2.1]#22.
 */
struct text tcp_end_text(char text[TCP_END_TEXT], const struct address *a, unsigned int port,
			 bool counted);
/* Sets the constant "family" as -4 or -6 asks; 0: both. */
void tcp_family(struct run *r);
/* For prepare(): sets the constants of TCP_ENDS. Returns -1 and sets err on failure. */
int tcp_prepare(struct run *r, struct error *err);
/* Puts an option's ports into this map. Returns -1 and sets err on failure. */
int tcp_set_ports(struct run *r, const struct option_list *ports, const char *map,
		  struct error *err);
/* For started(): fills the maps of ports from the options. Returns -1 and sets err on failure. */
int tcp_started(struct run *r, struct error *err);

#endif
