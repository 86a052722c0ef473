// SPDX-License-Identifier: GPL-2.0
/*
 * hand NAME: a program by hand, as a tool of sonde would have it, through sonde's own resolver,
 * lowering and bpf engine. It says when it is attached, and ends with SIGINT.
 *
 *	count	@[comm] = count() at open.enter
 *	opens	what `trace 'do_sys_openat2 "%s", arg2'` is asked, or the tracepoint's
 *	reads	what `argdist -H 'r::vfs_read()'` is asked, or that of sys_read
 *	walks	nothing but the kernel's walks over both stacks, at a switch: what offcputime
 *		can't do without
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "backends/backend.h"
#include "compat/hooks/hooks_rows.h"
#include "compat/probing/running.h"
#include "insns/hist.h"
#include "src/run/plan.h"

struct key {
	uint32_t epoch, pad;
	char comm[16];
};

struct opened {
	uint64_t time, pid_tgid;
	char comm[16];
	int64_t length;
	char path[88];
};

static const struct map count_maps[] = {
	{ "counts", MAP_HASH, ROLE_RESULT, sizeof(struct key), 8, 4096, .run = "run" },
	{ "run", MAP_PERCPU_ARRAY, ROLE_TABLE, 4, sizeof(struct key) + 8, EPOCHS },
	{ }
};
static const struct map opens_maps[] = { { "events", MAP_OUTPUT }, { } };
static const struct map reads_maps[] = {
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, LOG2_SLOTS + 1 },
	{ }
};

static const struct map walks_maps[] = {
	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	{ }
};

struct frame {
	union {
		struct key key;
		struct opened opened;
		uint32_t slot;
	};
};

static const struct hook opens = HOOK("hand.open", "",
	ONE(KPROBE("do_sys_openat2", "path=+0($arg2):ustring/82")),
	ONE(TRACEPOINT("syscalls:sys_enter_openat", "path=filename:ustring/82")),
);
static const struct hook reads = HOOK("hand.read", "",
	ONE(KRETPROBE("vfs_read", "ret=$retval:s32")),
	ONE(TRACEPOINT("syscalls:sys_exit_read", "ret=ret:s32")),
);

static const struct insn on_open[] = {
	SET_EPOCH(key.epoch),
	SET_IMM(key.pad, 0),
	SET_BYTES(key.comm, "comm"),
	COUNT("counts", key),				/* counts[comm]++ */
	EXIT,
};

static const struct insn on_opens[] = {
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	ZERO_AT("opened.path", FRAME(opened.path), 88),
	SET(opened.pid_tgid, R6),
	SET_FIELD(opened.time, "time"),
	SET_BYTES(opened.comm, "comm"),
	STRING(R8, "path"),
	SET_USER_STRING(opened.path, R8),
	SET(opened.length, R0),
	OUTPUT("events", opened),
	EXIT,
};

static const struct insn on_reads[] = {
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	FIELD(R6, "ret"),
	BPF_MOV64_IMM(R7, LOG2_SLOTS),
	JSLT(R6, 0, "below"),
	LOG2(R7, R6),
	LABEL("below"),
	SET(slot, R7),
	COUNT("hist", slot),
	EXIT,
};

static const struct insn on_walks[] = {
	STACK(R6, "kernel_stack"),
	STACK(R6, "user_stack"),
	EXIT,
};

static const struct program count_programs[] = { PROGRAM("open.enter", on_open), { } };
static const struct program opens_programs[] = {
	PROGRAM("hand.open", on_opens, .built = &opens),
	{ }
};
static const struct program reads_programs[] = {
	PROGRAM("hand.read", on_reads, .built = &reads),
	{ }
};

static const struct program walks_programs[] = { PROGRAM("sched.switch", on_walks), { } };

static const struct {
	const char *name;
	struct program_set set;
} sets[] = {
	{ "count", { count_programs, count_maps } },
	{ "opens", { opens_programs, opens_maps } },
	{ "reads", { reads_programs, reads_maps } },
	{ "walks", { walks_programs, walks_maps } },
};

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

int main(int argc, char **argv)
{
	static const struct constant options[1];
	struct filter filter = { .self = 1 };
	struct plan_request request = {
		.kernel = kernel_running(), .options = options, .filter = &filter,
	};
	struct engine_options o = { };
	struct made_plan plan;
	struct error err = { };
	struct engine *e;

	for (size_t i = 0; argc == 2 && i < sizeof(sets) / sizeof(sets[0]); i++)
		if (!strcmp(sets[i].name, argv[1]))
			request.sets[0] = &sets[i].set;
	if (!request.sets[0]) {
		fprintf(stderr, "hand: count, opens, reads or walks is wanted\n");
		return 1;
	}
	if (plan_make(&request, &backend_bpf, &plan, &err) ||
	    !(e = backend_bpf.open(request.kernel, &plan.plan, &o, &err)) ||
	    backend_bpf.start(e, &err)) {
		fprintf(stderr, "hand: %s\n", err.text);
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
