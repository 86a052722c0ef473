// SPDX-License-Identifier: GPL-2.0
#include "src/commands/convert/stacks.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "compat/recordings/recording_changes.h"
#include "src/lib/output/sink.h"
#include "src/run/stop.h"

#define KNOWN_BITS 12

struct known {
	struct convert_frame frame;
	uint32_t pid;			/* 0: of the kernel */
	bool caller;
	uint64_t changes;		/* how many were known when it was looked up, and one */
};

struct convert_stacks {
	struct recording *recording;
	struct symbols *symbols;
	uint64_t changes;
	/* stacks have the same addresses again and again */
	struct known known[1 << KNOWN_BITS];
};

struct convert_stacks *convert_stacks_new(struct recording *recording,
					  const struct convert_asked *asked)
{
	const struct symbols_setup setup = {
		.foreign = true, .elsewhere = true, .recording = recording, .stop = &stop_signal,
		.kallsyms = asked->kallsyms, .symfs = asked->symfs,
	};
	struct convert_stacks *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->recording = recording;
	s->symbols = symbols_new(&setup);
	if (!s->symbols) {
		free(s);
		return NULL;
	}
	recording_follow(recording);
	return s;
}

void convert_stacks_free(struct convert_stacks *s)
{
	if (!s)
		return;
	symbols_free(s->symbols);
	free(s);
}

void convert_stacks_until(struct convert_stacks *s, uint64_t time)
{
	const struct recorded_change *c;

	while ((c = recording_change(s->recording, time))) {
		symbols_changed(s->symbols, c);
		s->changes += c->kind != CHANGE_NAME;
	}
}

static void find_kernel(struct convert_stacks *s, struct convert_frame *f, bool caller)
{
	symbols_kernel(s->symbols, f->address, false, &f->symbol);
	if (caller && !symbol_is_returned_to(&f->symbol))
		symbols_kernel(s->symbols, f->address, true, &f->symbol);
}

static void find_user(struct convert_stacks *s, struct convert_frame *f, uint32_t pid,
		      uint64_t time, bool caller)
{
	symbols_user(s->symbols, pid, time, f->address, caller, &f->symbol);
	f->path = symbols_path(s->symbols, pid, time, f->address - caller, &f->position);
	f->position += caller;
}

static const struct convert_frame *find(struct convert_stacks *s, const struct recorded *rec,
					uint64_t address, bool kernel, bool caller)
{
	const uint32_t pid = kernel ? 0 : rec->pid;
	const uint64_t hash = (address * 2 + caller + ((uint64_t)pid << 32)) *
			      0x9e3779b97f4a7c15ULL;
	struct known *k = &s->known[hash >> (64 - KNOWN_BITS)];
	const bool same = k->frame.address == address && k->frame.kernel == kernel &&
			  k->pid == pid && k->caller == caller;

	if (same && k->changes && (kernel || k->changes == s->changes + 1))
		return &k->frame;
	*k = (struct known){
		.frame = { .address = address, .kernel = kernel }, .pid = pid, .caller = caller,
		.changes = s->changes + 1,
	};
	if (kernel)
		find_kernel(s, &k->frame, caller);
	else
		find_user(s, &k->frame, pid, rec->time, caller);
	return &k->frame;
}

void convert_stack(struct convert *c, const struct recorded *rec,
		   void (*each)(void *arg, const struct convert_frame *f), void *arg)
{
	const uint8_t *at = rec->event.stack;
	const struct convert_frame *f;
	bool user = false, caller = false;
	uint64_t n = 0, address;

	if (at)
		memcpy(&n, at, sizeof(n));
	for (; n; n--) {
		at += sizeof(address);
		memcpy(&address, at, sizeof(address));
		/* The saved frame pointer of code without one may be anything: -1 is no mark. */
		if (address > (uint64_t)PERF_CONTEXT_HV)
			return;
		if (address >= (uint64_t)PERF_CONTEXT_MAX) {
			user = address == (uint64_t)PERF_CONTEXT_USER;
			caller = false;
			continue;
		}
		f = find(c->stacks, rec, address, !user, caller);
		each(arg, f);
		caller = user || !symbol_interrupts(f->symbol.name);
	}
}

const char *convert_function(struct convert_stacks *s, uint64_t address, uint64_t *begin)
{
	struct symbol symbol;

	symbols_kernel(s->symbols, address, false, &symbol);
	*begin = address - symbol.offset;
	return symbol.name;
}

int convert_stacks_check(struct convert_stacks *s, struct error *err)
{
	return symbols_check(s->symbols, err);
}

void convert_stacks_report(struct convert_stacks *s)
{
	const char *lack = symbols_kernel_lack(s->symbols);

	if (lack)
		fprintf(sink_err(), "sonde: convert: functions of the kernel have no names: %s\n",
			lack);
	lack = symbols_files_lack(s->symbols);
	if (lack)
		fprintf(sink_err(), "sonde: convert: some functions of user space have no names: "
				    "%s\n", lack);
	lack = symbols_unread(s->symbols);
	if (lack)
		fprintf(sink_err(), "sonde: convert: names of functions are missing: %s\n", lack);
}
