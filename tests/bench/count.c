// SPDX-License-Identifier: GPL-2.0
/*
 * count: @[comm] = count() at open.enter, as a tool of sonde would do it: a program through sonde's
 * own resolver, lowering and bpf engine. It says when it is attached, and ends with SIGINT.
 */
#include <signal.h>
#include <stdio.h>

#include "backends/backend.h"
#include "insns/hist.h"
#include "src/plan.h"

struct key {
	uint32_t epoch, pad;
	char comm[16];
};

static const struct map maps[] = {
	{ "counts", MAP_HASH, ROLE_RESULT, sizeof(struct key), 8, 4096 },
	{ }
};

struct frame {
	struct key key;
};

static const struct insn on_open[] = {
	SET_EPOCH(key.epoch),
	SET_IMM(key.pad, 0),
	SET_BYTES(key.comm, "comm"),
	COUNT("counts", key),				/* counts[comm]++ */
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("open.enter", on_open),
	{ }
};

static const struct program_set set = { programs, maps };

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	stop = number;
}

static void no_record(void *arg, unsigned int output, const void *record, uint32_t size)
{
	(void)arg;
	(void)output;
	(void)record;
	(void)size;
}

int main(void)
{
	static const struct constant options[1];
	struct filter filter = { };
	struct plan_request request = {
		.kernel = kernel_running(), .sets = { &set }, .options = options, .filter = &filter,
	};
	struct engine_options o = { };
	struct made_plan plan;
	struct error err = { };
	struct engine *e;

	if (plan_make(&request, &backend_bpf, &plan, &err) ||
	    !(e = backend_bpf.open(request.kernel, &plan.plan, &o, &err)) ||
	    backend_bpf.start(e, &err)) {
		fprintf(stderr, "count: %s\n", err.text);
		return 1;
	}
	sigaction(SIGINT, &(struct sigaction){ .sa_handler = on_signal }, NULL);
	puts("attached");
	fflush(stdout);
	while (!stop)
		backend_bpf.poll(e, 100, no_record, NULL, &err);
	backend_bpf.close(e);
	plan_free(&plan);
	kernel_free(request.kernel);
	return 0;
}
