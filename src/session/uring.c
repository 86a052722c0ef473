// SPDX-License-Identifier: GPL-2.0
#include "src/session/uring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "insns/programs/uring.h"
#include "src/lib/output/sink.h"
#include "src/run/run.h"

#define OPCODES 64

/* The program on this run's own hook, and what it counted. */
struct uring {
	char filter[OPCODES * sizeof(" || opcode == 63")];
	struct probe probes[2];
	struct alternative alternatives[2];
	struct hook hook;
	struct program programs[2];
	struct program_set set;
	int64_t count;
};

/* "opcode == 18 || opcode == 28": rings get no records of all other requests. */
static void filter_text(uint64_t opcodes, char *to, size_t size)
{
	struct strbuf filter = strbuf_over(to, size);

	for (unsigned int i = 0; i < OPCODES; i++) {
		if (!(opcodes >> i & 1))
			continue;
		strbuf_between(&filter, " || ");
		strbuf_addf(&filter, "opcode == %u", i);
	}
}

static void make_hook(struct uring *u)
{
	static const char *const names[] = {
		"io_uring:io_uring_submit_req",			/* 6.3 */
		"io_uring:io_uring_submit_sqe",			/* 5.6, with the opcode */
	};

	for (unsigned int i = 0; i < 2; i++) {
		u->probes[i] = (struct probe){
			.kind = PROBE_TRACEPOINT, .name = names[i], .inputs = "opcode=opcode",
			.filter = u->filter,
		};
		u->alternatives[i] = (struct alternative){ .probes = &u->probes[i], .n_probes = 1 };
	}
	u->hook = (struct hook){
		.name = URING_HOOK, .what = "a request of io_uring begins",
		.alternatives = u->alternatives, .n_alternatives = 2,
	};
	u->programs[0] = uring_program;
	u->programs[0].built = &u->hook;
	u->set = (struct program_set){ u->programs, uring_maps };
}

static int uring_open(struct run *r, void **state, struct error *err)
{
	const struct tool_requests *of = &r->tool->requests;
	struct uring *u;

	if (!of->opcodes || (of->option && !option_given(r->options, of->option)))
		return 0;
	*state = u = calloc(1, sizeof(*u));
	if (!u)
		return fail(err, "out of memory");
	filter_text(of->opcodes, u->filter, sizeof(u->filter));
	make_hook(u);
	run_constant(r, URING_OPCODES, (int64_t)of->opcodes);
	return 0;
}

static void uring_request(const struct run *r, struct plan_request *request)
{
	struct uring *u = run_listener_state(r, &uring_listener);

	if (u)
		request->sets[PLAN_SETS - 1] = &u->set;
}

bool uring_shown(const struct tool *t, const struct resolution *res)
{
	for (unsigned int i = 0; t->requests.hook && i < res->n; i++)
		if (res->events[i].requests && !strcmp(res->events[i].hook, t->requests.hook))
			return true;
	return false;
}

static int uring_interval(struct run *r, struct error *err)
{
	struct uring *u = run_listener_state(r, &uring_listener);
	int64_t n = 0;

	if (!run_map(r, URING_COUNT) || uring_shown(r->tool, &r->plan.resolution))
		return 0;
	if (run_take_counts(r, URING_COUNT, &n, 1, err))
		return -1;
	u->count += n;
	return 0;
}

static void uring_losses(const struct run *r, struct output_end *end)
{
	const struct uring *u = run_listener_state(r, &uring_listener);

	end->requests = (uint64_t)u->count;
}

static void uring_report(struct run *r)
{
	const struct uring *u = run_listener_state(r, &uring_listener);

	if (u->count)
		fprintf(sink_err(), "sonde: %s: %lld %s by io_uring are not shown: here it sees "
				    "only those by system calls\n", r->tool->name,
			(long long)u->count, r->tool->requests.what);
}

const struct run_listener uring_listener = {
	.request = uring_request, .open = uring_open, .interval = uring_interval,
	.losses = uring_losses, .report = uring_report, .free = free,
};
