// SPDX-License-Identifier: GPL-2.0
#include "src/lib/output/timelines/packets.h"

#include "compat/base/escape.h"

enum { PACKET = 1, SEQUENCE = 1 };
enum { CLOCK = 1, CLOCK_NUMBER = 1, CLOCK_TIME };
/* Numbers of clocks. */
enum { REALTIME = 1, MONOTONIC = 3, BOOTTIME = 6 };

size_t packet_open(struct strbuf *to)
{
	const size_t at = proto_open(to, PACKET);

	proto_number(to, PACKET_SEQUENCE, SEQUENCE);
	return at;
}

size_t packet_open_at(struct strbuf *to, uint64_t time)
{
	const size_t at = packet_open(to);

	proto_number(to, PACKET_TIME, time);
	proto_number(to, PACKET_CLOCK, PACKET_OWN_CLOCK);
	return at;
}

void packet_close(struct strbuf *to, size_t at)
{
	proto_close(to, at);
}

static void put_clock(struct strbuf *to, unsigned int number, int64_t time)
{
	size_t at;

	if (time < 0)
		return;
	at = proto_open(to, CLOCK);
	proto_number(to, CLOCK_NUMBER, number);
	proto_number(to, CLOCK_TIME, (uint64_t)time);
	proto_close(to, at);
}

/* A reader shows times of BOOTTIME. Where that is unknown, they are those of sonde's clock. */
void packet_clocks(struct strbuf *to, const struct packet_clocks *clocks)
{
	const size_t packet = packet_open(to), at = proto_open(to, PACKET_CLOCKS);

	put_clock(to, PACKET_OWN_CLOCK, (int64_t)clocks->time);
	put_clock(to, BOOTTIME, clocks->boot < 0 ? (int64_t)clocks->time : clocks->boot);
	put_clock(to, MONOTONIC, clocks->monotonic);
	put_clock(to, REALTIME, clocks->wall);
	proto_close(to, at);
	packet_close(to, packet);
}

void packet_parent(struct strbuf *to, uint64_t pid, uint64_t ppid, const char *name, size_t n)
{
	const size_t packet = packet_open(to), tree = proto_open(to, PACKET_TREE),
		     process = proto_open(to, TREE_PROCESS);

	proto_number(to, TREE_PID, pid);
	proto_number(to, TREE_PPID, ppid);
	packet_text(to, TREE_COMMAND, name, n, false);
	proto_close(to, process);
	proto_close(to, tree);
	packet_close(to, packet);
}

static void put_escaped(void *to, const char *bytes, size_t n)
{
	strbuf_add(to, bytes, n);
}

void packet_text(struct strbuf *to, unsigned int field, const char *s, size_t n, bool cut)
{
	const size_t at = proto_open(to, field);

	escape(ESCAPE_TEXT, s, n, cut, put_escaped, to);
	proto_close(to, at);
}
