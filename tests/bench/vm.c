// SPDX-License-Identifier: GPL-2.0
/*
 * vm SNAPSHOT: millions of events a second that sonde's own machine runs from memory, on one CPU:
 * the programs of runqlat, lowered for the rings of the kernel in SNAPSHOT, over records made
 * beforehand. Prints medians of many short rounds, a line each:
 *
 *	switches	sched_switch alone, each a preemption: start[prev] = now, take start[next],
 *			hist[slot]++
 *	mixed		what a machine under load gives: a wakeup, then the switch to the woken task
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/vm/vm.h"
#include "insns/programs/runqlat.h"
#include "src/run/plan.h"

#define RECORDS 4096
#define TASKS 61		/* prime: pids of neighbouring records differ */
#define PASSES 50		/* over all records: a round takes about 10 ms */
#define ROUNDS 101

struct bench {
	struct made_plan plan;
	struct vm *vm;
	int wakeup, sched_switch;	/* programs */
	int programs[RECORDS];
	struct sample samples[RECORDS];
	uint8_t records[RECORDS][128];
};

static void no_output(void *arg, unsigned int output, const void *record, uint32_t size)
{
	(void)arg;
	(void)output;
	(void)record;
	(void)size;
}

static int stop(const char *what)
{
	fprintf(stderr, "vm: %s\n", what);
	exit(1);
}

static int load(struct bench *b, const char *name, const struct event **event)
{
	struct error err = { };

	for (unsigned int i = 0; i < b->plan.plan.n_attachments; i++) {
		const struct attachment *a = &b->plan.plan.attachments[i];
		int program;

		if (strcmp(a->event->name, name))
			continue;
		*event = a->event;
		program = vm_load(b->vm, a->program->code.insns, a->program->code.n, &err);
		return program < 0 ? stop(err.text) : program;
	}
	return stop("an event is missing");
}

static void put(uint8_t *record, const struct event *e, const char *name, int64_t value)
{
	const struct input *in = event_input(e, name);

	if (!in)
		stop("an input is missing");
	memcpy(record + in->offset, &value, in->size);	/* little-endian, as the snapshots are */
}

static void make_record(struct bench *b, unsigned int i, int program, const struct event *e)
{
	b->programs[i] = program;
	b->samples[i] = (struct sample){
		.time = 1000 * i, .tid = i, .tgid = i, .size = sizeof(b->records[i]),
		.record = b->records[i],
	};
	if (event_input(e, "next_pid")) {
		put(b->records[i], e, "prev_pid", 1000 + i % TASKS);
		put(b->records[i], e, "next_pid", 1000 + (i + 1) % TASKS);
	} else {
		put(b->records[i], e, "pid", 1000 + (i + 2) % TASKS);
	}
}

static int64_t cpu_ns(void)
{
	struct timespec t;

	/* what a core does for us; others may want it too */
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void measure(struct bench *b, const char *name)
{
	double rates[ROUNDS];
	uint64_t later = 0;

	for (unsigned int round = 0; round < ROUNDS; round++) {
		int64_t begin = cpu_ns();

		for (unsigned int pass = 0; pass < PASSES; pass++)
			for (unsigned int i = 0; i < RECORDS; i++) {
				struct sample s = b->samples[i];

				s.time += later;
				if (vm_run(b->vm, b->programs[i], &s, NULL, 0))
					stop("a record was refused");
				if (i == RECORDS - 1)
					later += 1000 * RECORDS;
			}
		rates[round] = (double)PASSES * RECORDS * 1e3 / (double)(cpu_ns() - begin);
	}
	qsort(rates, ROUNDS, sizeof(rates[0]), by_value);
	printf("%s %.2f\n", name, rates[ROUNDS / 2]);
}

int main(int argc, char **argv)
{
	static const struct constant options[] = {	/* as without any on the command line */
		{ "pid", 0 }, { "tid", 0 }, { "slower", 0 }, { "histogram", 1 },
		{ "milliseconds", 0 }, { "grouped", 0 }, { "pids", 0 }, { "needs_tgids", 0 },
		{ "filtered", 0 }, { },
	};
	static struct bench b;
	const struct event *wakeup, *sched_switch;
	struct filter filter = { };
	struct error err = { };
	struct plan_request request = {
		.kernel = argc > 1 ? kernel_snapshot(argv[1], &err) : NULL,
		.sets = { &runqlat_programs },
		.options = options, .filter = &filter,
	};

	if (!request.kernel)
		stop("usage: vm SNAPSHOT");
	if (plan_make(&request, &backend_ftrace, &b.plan, &err))
		stop(err.text);
	b.vm = vm_new(b.plan.plan.maps, b.plan.plan.n_maps, no_output, NULL, &err);
	if (!b.vm)
		stop(err.text);
	b.wakeup = load(&b, "sched_wakeup", &wakeup);
	b.sched_switch = load(&b, "sched_switch", &sched_switch);
	for (unsigned int i = 0; i < RECORDS; i++) {
		make_record(&b, i, b.sched_switch, sched_switch);
		put(b.records[i], sched_switch, "prev_state", 0);
	}
	measure(&b, "switches");
	for (unsigned int i = 0; i < RECORDS; i++) {
		memset(b.records[i], 0, sizeof(b.records[i]));
		make_record(&b, i, i % 2 ? b.sched_switch : b.wakeup,
			    i % 2 ? sched_switch : wakeup);
		if (i % 2)
			put(b.records[i], sched_switch, "prev_state", 1);
	}
	measure(&b, "mixed");
	vm_free(b.vm);
	plan_free(&b.plan);
	kernel_free(request.kernel);
	return 0;
}
