// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcpdrop.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "src/language/event_text/number_names.h"
#include "src/toolkit/functions/stacked.h"
#include "src/toolkit/net/protocols.h"
#include "src/toolkit/stacks/stacks.h"
#include "src/toolkit/tcp.h"
#include "src/toolkit/top.h"

struct tcpdrop {
	struct number_names drops, resets;	/* the kernel's names of reasons */
};

/* A packet; or, with --count, how many there were of a reason and a place. */
struct row {
	struct tcpdrop_record record;
	int64_t pid, ip, sport, dport, count;
	struct text source, destination, to, state, state_flags, flags, reason, place, protocol;
	struct stacked stacks;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time", .unless = "count",
	  .help = "time of day" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .unless = "count",
	  .help = "always -: packets are of no task" },
	{ "IP", "ip", COLUMN_INTEGER, -2, AT(ip), .unless = "count",
	  .help = "4 or 6; -: another protocol" },
	{ "PROTO", "proto", COLUMN_TEXT, -6, AT(protocol), .option = "all", .unless = "count",
	  .help = "protocol above IP" },
	{ "SADDR:SPORT", "source", COLUMN_TEXT, -20, AT(source), .role = IS_IDENTITY,
	  .unless = "count", .readers = FOR_PEOPLE, .help = "where the packet comes from" },
	{ ">", "", COLUMN_TEXT, -1, AT(to), .unless = "count", .readers = FOR_PEOPLE },
	{ "DADDR:DPORT", "destination", COLUMN_TEXT, -20, AT(destination), .role = IS_IDENTITY,
	  .unless = "count", .readers = FOR_PEOPLE, .help = "where it goes" },
	{ "SADDR", "saddr", COLUMN_ADDRESS, 0, .field = "saddr", .unless = "count",
	  .readers = FOR_MACHINES },
	{ "SPORT", "sport", COLUMN_INTEGER, 0, AT(sport), .unless = "count",
	  .readers = FOR_MACHINES },
	{ "DADDR", "daddr", COLUMN_ADDRESS, 0, .field = "daddr", .unless = "count",
	  .readers = FOR_MACHINES },
	{ "DPORT", "dport", COLUMN_INTEGER, 0, AT(dport), .unless = "count",
	  .readers = FOR_MACHINES },
	{ "RESET", "reset", COLUMN_TEXT, -8, .field = "what", .option = "resets",
	  .help = "sent by this machine, or received" },
	{ "STATE (FLAGS)", "state_flags", COLUMN_TEXT, -20, AT(state_flags), .option = "drops",
	  .unless = "count", .readers = FOR_PEOPLE,
	  .help = "state of the socket, and flags of the packet" },
	{ "STATE", "state", COLUMN_TEXT, -12, AT(state), .option = "resets",
	  .readers = FOR_PEOPLE, .help = "state of the socket" },
	{ "STATE", "state", COLUMN_TEXT, 0, AT(state), .unless = "count", .readers = FOR_MACHINES },
	{ "FLAGS", "flags", COLUMN_TEXT, 0, AT(flags), .option = "drops", .unless = "count",
	  .readers = FOR_MACHINES },
	{ "REASON", "reason", COLUMN_TEXT, -20, AT(reason), .role = IS_IDENTITY,
	  .help = "why, as the kernel calls it; -: it gives none" },
	{ "LOCATION", "location", COLUMN_TEXT, 0, AT(place), .role = IS_IDENTITY, .option = "drops",
	  .unless = "count", .help = "function of the kernel that drops it" },
	{ "LOCATION", "location", COLUMN_TEXT, -36, AT(place), .role = IS_IDENTITY,
	  .option = "count" },
	{ "COUNT", "count", COLUMN_INTEGER, 8, AT(count), .option = "count",
	  .help = "how many packets" },
	{ "KERNEL_STACK", "kernel_stack", COLUMN_TEXT, 0, AT(stacks.kernel),
	  .readers = FOR_MACHINES, .option = "kernel-stacks",
	  .help = "the functions of the kernel, the oldest first; in JSON and CSV" },
	{ }
};

static const struct part parts[] = {
	{ &tcpdrop_record_layout, AT(record) },
	{ }
};

/* What the functions below read of the options. */
struct tcpdrop_options {
	bool resets, all, addresses, offsets, kernel_stacks, count, pid_netns_given;
	int64_t netns_id, pid_netns;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct tcpdrop_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct tcpdrop_options, MEMBER)

static const struct option options[] = {
	OPTIONS_FAMILY,
	{ 'a', "all", "not only TCP, and also packets that are freed without a reason, or by "
	  "a socket that closes",
	  OPTION_FLAG, .excludes = "resets", TO(all) },
	{ 'c', "count", "count by reason and place instead, until the end", OPTION_FLAG,
	  .excludes = "resets", TO(count) },
	{ 'K', "kernel-stacks", "show the kernel's stack of each packet", OPTION_FLAG,
	  .excludes = "count", TO(kernel_stacks) },
	{ 0, "resets", "show resets (RST) and their senders instead", OPTION_FLAG, TO(resets) },
	{ 0, "netns-id", "only this network namespace, by its inode number", OPTION_NUMBER, "N", 1,
	  UINT32_MAX, .local = true, .excludes = "resets", TO(netns_id) },
	{ 0, "pid-netns", "only the network namespace of this process", OPTION_NUMBER, "PID", 1,
	  4194304, .local = true, .excludes = "netns-id", TO(pid_netns), GIVEN(pid_netns_given) },
	{ 's', "offsets", TO(offsets) },
	{ 'A', "addresses", TO(addresses) },
	{ }
};

static const struct example examples[] = {
	{ "sonde tcpdrop", "which TCP packets are dropped, and why" },
	{ "sonde tcpdrop -a -c", "all packets: reasons and places" },
	{ }
};

static int read_names(struct run *r, struct error *err)
{
	struct tcpdrop *t = run_state(r);
	struct kernel *k = run_kernel(r);
	const struct format *drop = kernel_format(k, "skb", "kfree_skb");
	const struct format *reset = kernel_format(k, "tcp", "tcp_send_reset");

	if ((drop && number_names_read(&t->drops, drop, "reason")) ||
	    (reset && number_names_read(&t->resets, reset, "reason")))
		return fail(err, "out of memory");
	return 0;
}

/* The network namespace's number; 0: any. */
static int netns(struct run *r, int64_t *number, struct error *err)
{
	const struct tcpdrop_options *o = run_asked(r);
	struct stat st;
	char path[64];

	*number = o->netns_id;
	if (!o->pid_netns_given)
		return 0;
	snprintf(path, sizeof(path), "/proc/%lld/ns/net", (long long)o->pid_netns);
	if (stat(path, &st))
		return fail_with(err, errno, "--pid-netns: %s: %m", path);
	*number = (int64_t)st.st_ino;
	return 0;
}

/* 0: this kernel has no such reason. */
static int64_t number_of(const struct tcpdrop *t, const char *reason)
{
	return (int64_t)number_names_number(&t->drops, reason, 0);
}

static int prepare(struct run *r, struct error *err)
{
	const struct tcpdrop_options *o = run_asked(r);
	const struct tcpdrop *t = run_state(r);
	bool resets = o->resets, all = o->all;
	int64_t number;

	if (read_names(r, err) || netns(r, &number, err))
		return -1;
	tcp_family(r);
	run_constant(r, "drops", !resets);
	run_constant(r, "unspecified", all ? 0 : number_of(t, "NOT_SPECIFIED"));
	/* Each connection that ends well has one: its FIN. */
	run_constant(r, "purge", all ? 0 : number_of(t, "QUEUE_PURGE"));
	/* the third quarter of ::ffff:192.0.2.1 */
	run_constant(r, "mapped", htonl(0xffff));
	run_constant(r, "net_ns", number);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct tcpdrop_options *o = run_asked(r);
	const struct tcpdrop *t = run_state(r);

	(void)err;
	if (o->resets)
		return 0;
	if (run_has_hook(r, "skb.drop") && !o->all)
		run_note(r, "protocols above IP can't be told here, nor addresses: packets of all "
			 "IP protocols are shown");
	if (!t->drops.n)
		run_note(r, "this kernel gives no reasons (since 5.17): packets that it frees for "
			 "other reasons than a drop are shown too");
	return 0;
}

static const char *const flag_names[] = { "FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR" };

#define FLAGS_TEXT 48

static struct text flags_text(char text[FLAGS_TEXT], uint8_t flags)
{
	struct strbuf names = strbuf_over(text, FLAGS_TEXT);

	for (unsigned int i = 0; i < 8; i++)
		if (flags >> i & 1)
			strbuf_addf(&names, "%s%s", names.n ? "|" : "", flag_names[i]);
	return names.n ? text_of(text, FLAGS_TEXT) : (struct text){ };
}

#define NUMBER_TEXT 48

static struct text state_text(char text[NUMBER_TEXT], uint32_t state)
{
	if (!state)
		return (struct text){ };
	if (state < sizeof(tcp_state_names) / sizeof(tcp_state_names[0]) && tcp_state_names[state])
		return text_of(tcp_state_names[state], NUMBER_TEXT);
	snprintf(text, NUMBER_TEXT, "%u", state);
	return text_of(text, NUMBER_TEXT);
}

/* Since 6.4 the upper half of a number says whose reason it is; the event names only the core's. */
static struct text reason_text(const struct number_names *names, char text[NUMBER_TEXT],
			       uint32_t reason)
{
	const char *name = number_names_name(names, reason);

	if (!names->n || (name && !strcmp(name, "NOT_SPECIFIED")))
		return (struct text){ };
	if (name)
		return text_of(name, strlen(name));
	snprintf(text, NUMBER_TEXT, reason >> 16 ? "subsystem %u: %u" : "%u",
		 reason >> 16 ? reason >> 16 : reason, reason & 0xffff);
	return text_of(text, NUMBER_TEXT);
}

#define PLACE_TEXT 160

/* The address is that behind the call which drops the packet. */
static struct text place_text(struct run *r, char text[PLACE_TEXT], uint64_t address, uint64_t time)
{
	const struct tcpdrop_options *o = run_asked(r);
	struct error err = { };
	struct stack_frame f;

	if (!address)
		return (struct text){ };
	if (record_function(r, time, NOTHING, address - 1, false, &f, &err)) {
		run_fail(r, &err);
		return (struct text){ };
	}
	if (f.name && !o->addresses)
		text_cut(text, PLACE_TEXT, o->offsets ? "%s+0x%llx" :
			 "%s", f.name, (unsigned long long)f.offset + 1);
	else
		snprintf(text, PLACE_TEXT, "0x%llx", (unsigned long long)address);
	return text_of(text, PLACE_TEXT);
}

static void dropped(struct run *r, const struct record *record)
{
	const struct tcpdrop_options *o = run_asked(r);
	const struct tcpdrop *t = run_state(r);
	char source[TCP_END_TEXT], destination[TCP_END_TEXT], flags[FLAGS_TEXT];
	char state[NUMBER_TEXT], reason[NUMBER_TEXT], place[PLACE_TEXT], both[96];
	char number[PROTOCOL_TEXT];
	struct address saddr, daddr;
	struct row row = { .pid = NOTHING, .to = text_of(">", 1) };
	const struct tcpdrop_record *rec = &row.record;

	memcpy(&row.record, record->bytes, sizeof(row.record));
	saddr = net_end(rec->saddr.bytes);
	daddr = net_end(rec->daddr.bytes);
	row.ip = rec->ethertype == 0x0800 || saddr.family == AF_INET ? 4 :
		rec->ethertype == 0x86dd || saddr.family == AF_INET6 ? 6 : NOTHING;
	row.sport = rec->sport ? rec->sport : NOTHING;
	row.dport = rec->dport ? rec->dport : NOTHING;
	if (saddr.family)
		row.source = tcp_end_text(source, &saddr, rec->sport, false);
	if (daddr.family)
		row.destination = tcp_end_text(destination, &daddr, rec->dport, false);
	if (rec->protocol)
		row.protocol = protocol_text(AF_INET, rec->protocol, number);
	row.state = state_text(state, rec->state);
	row.flags = flags_text(flags, rec->flags);
	text_cut(both, sizeof(both), "%.*s (%.*s)", row.state.s ? (int)row.state.length : 1,
		 row.state.s ? row.state.s : "-", row.flags.s ? (int)row.flags.length : 1,
		 row.flags.s ? row.flags.s : "-");
	row.state_flags = text_of(both, sizeof(both));
	row.reason = reason_text(rec->what == TCPDROP_DROPPED ? &t->drops : &t->resets, reason,
				 rec->reason);
	row.place = place_text(r, place, rec->location, rec->time);
	if (o->kernel_stacks)
		stacked_show(r, record, &row, &row.stacks);
	else
		output_row(run_output(r), &row);
}

static void add_count(void *arg, const void *key, const void *value)
{
	const struct tcpdrop_key *k = key;
	struct row *row = top_row(arg);

	if (!row)
		return;
	row->record.reason = k->reason;
	row->record.location = k->location;
	memcpy(&row->count, value, sizeof(row->count));
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	if (x->record.reason != y->record.reason)
		return x->record.reason < y->record.reason ? -1 : 1;
	return (x->record.location > y->record.location) -
	       (x->record.location < y->record.location);
}

static int count_end(struct run *r, struct error *err)
{
	const struct tcpdrop_options *o = run_asked(r);
	const struct tcpdrop *t = run_state(r);
	struct top top = { .size = sizeof(struct row) };
	int result;

	if (!o->count)
		return 0;
	result = top_take(r, "drops", add_count, &top, err);
	if (!result)
		top_sort(&top, most_first);
	for (size_t i = 0; !result && i < top.n; i++) {
		char reason[NUMBER_TEXT], place[PLACE_TEXT];
		struct row *row = (struct row *)top.rows + i;

		row->reason = reason_text(&t->drops, reason, row->record.reason);
		row->place = place_text(r, place, row->record.location, run_now(r));
		output_row(run_output(r), row);
	}
	top_free(&top);
	return result;
}

static void cleanup(struct run *r)
{
	struct tcpdrop *t = run_state(r);

	number_names_free(&t->drops);
	number_names_free(&t->resets);
}

/* support: bpf, with BTF: full (5.17); [23] (4.7) | bpf, with BTF: full (5.17); [23] (4.7) |
 *	    perf, ftrace: [23] | perf, ftrace: [23] */
TOOL(tcpdrop, "network", "trace TCP packets that the kernel drops: why, and where",
	.shape = SHAPE_EVENTS,
	.programs = &tcpdrop_programs,
	.options = options,
	.options_size = sizeof(struct tcpdrop_options),
	.columns = columns,
	.parts = parts,
	.notes = "A packet that no socket wants is dropped, too. Before 5.17 the kernel gives no "
		 "reasons.",
	.examples = examples,
	.state_size = sizeof(struct tcpdrop),
	.prepare = prepare,
	.started = started,
	.record = dropped,
	.interval_end = count_end,
	.cleanup = cleanup,
);
