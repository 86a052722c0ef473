// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/flight/flight_dump.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"

#define NO_ROOM "out of memory\nrings are smaller with --buffer-pages"
#define CHUNK (256U << 10)
#define ROUND_BYTES (4U << 20)	/* a reader of the file keeps two rounds in memory */

static int make_room(struct flight_rings *rings, const struct recorder *from)
{
	unsigned int cpu;

	for (unsigned int i = 0; i < rings->n; i++)
		if (backward_room(perf_ring_bytes(recorder_ring(from, i, &cpu)), &rings->list[i]))
			return -1;
	return 0;
}

static void copy(const struct perf_ring *ring, struct backward *to)
{
	const uint64_t size = perf_ring_bytes(ring), before = perf_ring_head(ring);

	backward_copy(ring->data, size, before, to);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	backward_cut(to, size, before, perf_ring_head(ring));
}

/*
 * Events go on meanwhile, over the oldest ones. Where they take much of the ring, it is paused, and
 * what is lost then the kernel tells.
 */
static int copy_all(struct flight_rings *rings, struct recorder *from, struct error *err)
{
	rings->end = monotonic_ns();
	for (unsigned int i = 0; i < rings->n; i++) {
		unsigned int cpu;
		const struct perf_ring *ring = recorder_ring(from, i, &cpu);
		struct backward *to = &rings->list[i];

		copy(ring, to);
		if (!to->overwritten || to->size >= perf_ring_bytes(ring) / 2)
			continue;
		if (recorder_pause(from, i, true, err))
			return -1;
		copy(ring, to);
		if (recorder_pause(from, i, false, err))
			return -1;
	}
	return 0;
}

/* The oldest record of a ring that was overwritten: older ones of this CPU are missing. */
static int parse_all(struct flight_rings *rings, const struct recorder *from)
{
	for (unsigned int i = 0; i < rings->n; i++) {
		struct backward *b = &rings->list[i];
		unsigned int cpu;
		uint64_t oldest;

		if (backward_parse(b, &rings->times))
			return -1;
		oldest = b->n && b->list[0].time < rings->end ? b->list[0].time : rings->end;
		if (!b->overwritten || oldest <= rings->reach)
			continue;
		recorder_ring(from, i, &cpu);
		rings->reach = oldest;
		rings->shortest = cpu;
	}
	return 0;
}

int flight_rings_take(struct flight_rings *rings, struct recorder *from, uint64_t began,
		      struct error *err)
{
	rings->n = recorder_cpus(from);
	rings->reach = began;
	rings->list = calloc(rings->n, sizeof(*rings->list));
	if (!rings->list || make_room(rings, from))
		return fail(err, NO_ROOM);
	if (copy_all(rings, from, err))
		return -1;
	return parse_all(rings, from) ? fail(err, NO_ROOM) : 0;
}

void flight_rings_free(struct flight_rings *rings)
{
	for (unsigned int i = 0; rings->list && i < rings->n; i++)
		backward_free(&rings->list[i]);
	free(rings->list);
	*rings = (struct flight_rings){ };
}

/* ---- writing ---- */

/* Where the writing of a CPU's records is. */
struct at_cpu {
	size_t record;			/* of the ring */
	const uint8_t *log;		/* of names */
	size_t left;
};

struct flight_output {
	const struct flight_rings *rings;
	struct perf_writer *writer;
	struct flight_written *written;
	struct at_cpu *cpus;
	uint8_t *chunk;
	size_t n;
	struct error *err;
};

static int flush(struct flight_output *o)
{
	const struct iovec piece = { o->chunk, o->n };

	if (o->n && perf_writer_records(o->writer, &piece, 1, o->err))
		return -1;
	o->n = 0;
	return 0;
}

static int put(struct flight_output *o, const uint8_t *record, size_t size)
{
	if (o->n + size > CHUNK && flush(o))
		return -1;
	memcpy(o->chunk + o->n, record, size);
	o->n += size;
	return 0;
}

/* The next record about a task. Returns its size, or 0: there is none until that time. */
static size_t next_name(const struct flight_output *o, const struct at_cpu *c, uint64_t until,
			uint64_t *time)
{
	struct perf_event_header header;

	if (c->left < sizeof(header))
		return 0;
	memcpy(&header, c->log, sizeof(header));
	memcpy(time, c->log + header.size - o->rings->times.of_other, sizeof(*time));
	return *time < until ? header.size : 0;
}

/* The records of a CPU up to a time, those of its ring and those about tasks. */
static int put_cpu(struct flight_output *o, unsigned int i, uint64_t until)
{
	const struct backward *b = &o->rings->list[i];
	struct at_cpu *c = &o->cpus[i];

	for (;;) {
		const struct backward_record *event = c->record < b->n &&
						      b->list[c->record].time < until ?
						      &b->list[c->record] : NULL;
		uint64_t time = 0;
		const size_t size = next_name(o, c, until, &time);

		if (event && (!size || event->time <= time)) {
			o->written->events += event->event;
			if (put(o, b->bytes + event->at, event->size))
				return -1;
			c->record++;
		} else if (size) {
			if (put(o, c->log, size))
				return -1;
			c->log += size;
			c->left -= size;
		} else {
			return 0;
		}
	}
}

/* Parts of the time one after the other, each with the records of all CPUs. */
static int put_rounds(struct flight_output *o)
{
	const struct flight_written *w = o->written;
	uint64_t bytes = 0, rounds, step;

	for (unsigned int i = 0; i < o->rings->n; i++)
		bytes += o->rings->list[i].size;
	rounds = bytes / ROUND_BYTES + 1;
	step = (w->to - w->from) / rounds + 1;
	for (uint64_t until = w->from + step; ; until += step) {
		const bool last = until > w->to;

		for (unsigned int i = 0; i < o->rings->n; i++)
			if (put_cpu(o, i, last ? w->to + 1 : until))
				return -1;
		if (flush(o) || perf_writer_round(o->writer, o->err))
			return -1;
		if (last)
			return 0;
	}
}

static int put_tasks(struct perf_writer *w, const struct flight_names *names, struct error *err)
{
	const struct flight_task *t;
	uint32_t at = 0, tid;

	while ((t = flight_names_next(names, &at, &tid)))
		if (perf_writer_name(w, tid, t->tgid, t->comm, err))
			return -1;
	return 0;
}

/* From the first record on that is not older than the file. */
static void begin(struct flight_output *o, const struct flight_names *names)
{
	for (unsigned int i = 0; i < o->rings->n; i++) {
		const struct backward *b = &o->rings->list[i];
		struct at_cpu *c = &o->cpus[i];

		while (c->record < b->n && b->list[c->record].time < o->written->from)
			c->record++;
		c->log = flight_names_log(names, i, &c->left);
	}
}

int flight_write(const struct flight_rings *rings, const struct flight_names *names,
		 struct perf_writer *w, struct flight_written *written, struct error *err)
{
	struct flight_output o = {
		.rings = rings, .writer = w, .written = written, .err = err,
		.cpus = calloc(rings->n, sizeof(*o.cpus)), .chunk = malloc(CHUNK),
	};
	int result;

	if (!o.cpus || !o.chunk) {
		result = fail(err, "out of memory");
	} else {
		begin(&o, names);
		result = put_tasks(w, names, err) || put_rounds(&o) ? -1 : 0;
	}
	free(o.cpus);
	free(o.chunk);
	return result;
}
