/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PACKETS_H
#define SONDE_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/protobuf.h"

/* Packets of a Perfetto trace: their fields, and what all writers of packets share. */

enum {
	PACKET_FTRACE = 1, PACKET_TREE, PACKET_CLOCKS = 6, PACKET_TIME = 8, PACKET_SEQUENCE = 10,
	PACKET_EVENT, PACKET_INTERNED, PACKET_FLAGS, PACKET_CLOCK = 58, PACKET_TRACK = 60,
	PACKET_SAMPLE = 66,
};
enum { TREE_PROCESS = 1, TREE_THREAD, TREE_PID = 1, TREE_PPID, TREE_COMMAND };
enum {
	TRACK_UUID = 1, TRACK_NAME, TRACK_PROCESS_OF, TRACK_THREAD_OF, TRACK_PARENT,
	TRACK_COUNTER = 8,
};
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID, THREAD_NAME = 5 };
enum { COUNTER_UNIT = 6 };
enum {
	EVENT_ARGUMENT = 4, EVENT_TYPE = 9, EVENT_TRACK = 11, EVENT_CATEGORY = 22, EVENT_NAME,
	EVENT_VALUE = 30, EVENT_DOUBLE = 44,
};
enum { EVENT_BEGIN = 1, EVENT_END, EVENT_INSTANT, EVENT_COUNTER };
enum { ARGUMENT_NUMBER = 4, ARGUMENT_DOUBLE, ARGUMENT_STRING, ARGUMENT_NAME = 10 };

/* The clock of sonde's times: a number that Perfetto gives to none. */
#define PACKET_OWN_CLOCK 128

/* A packet without a time, and one at a time of sonde's clock. Return what packet_close() gets. */
size_t packet_open(struct strbuf *to);
size_t packet_open_at(struct strbuf *to, uint64_t time);
void packet_close(struct strbuf *to, size_t at);

/* One moment by several clocks, in ns; negative: unknown. */
struct packet_clocks {
	uint64_t time;			/* of sonde's clock */
	int64_t monotonic, boot, wall;
};
void packet_clocks(struct strbuf *to, const struct packet_clocks *clocks);
/* Whose child a process is. Readers want a command line, for which its name does. */
void packet_parent(struct strbuf *to, uint64_t pid, uint64_t ppid, const char *name, size_t n);
/* A string of any bytes, escaped as text. */
void packet_text(struct strbuf *to, unsigned int field, const char *s, size_t n, bool cut);

#endif
