// SPDX-License-Identifier: GPL-2.0
#include "backends/recorder/recorder.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "backends/perf/local_clock.h"
#include "backends/rings/perf_ring.h"
#include "compat/base/cpus.h"
#include "compat/base/perf_event.h"

/*
 * What kernels learned one after the other; a kernel gets the newest form that it takes.
 * FORM_BUILD_ID: build ids of mapped files (5.12), which only stacks need. FORM_CLOCK:
 * CLOCK_MONOTONIC (4.1). FORM_EXEC: mappings with their files, and marked execs (3.16).
 * FORM_FIRST: ids at a fixed place (3.12). FORM_OLD: before that.
 */
enum form { FORM_BUILD_ID, FORM_CLOCK, FORM_EXEC, FORM_FIRST, FORM_OLD, FORMS };

struct recorder_cpu {
	unsigned int cpu;
	int *fds;			/* of each event; -1: not open */
	struct perf_ring *ring;
};

struct recorder {
	struct perf_written *events;
	unsigned int n_events;
	struct recorder_options options;
	bool has_samples;
	enum form form;
	bool form_known;
	struct recorder_cpu *cpus;
	unsigned int n_cpus;
	uint64_t *ids;			/* by event, then by CPU */
	struct pollfd *polls;
	struct recorder_counts counts;
};

/* A bit of the flags, which older headers lack. Big-endian machines have it at the other end. */
static void ask_build_ids(struct perf_event_attr *attr)
{
	const unsigned int bit = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 63 - 34 : 34;
	uint8_t *flags = (uint8_t *)attr + offsetof(struct perf_event_attr, read_format) + 8;
	uint64_t word;

	memcpy(&word, flags, sizeof(word));
	word |= 1ULL << bit;
	memcpy(flags, &word, sizeof(word));
}

static void set_form(struct perf_event_attr *attr, enum form form)
{
	attr->use_clockid = form <= FORM_CLOCK;
	attr->clockid = form <= FORM_CLOCK ? CLOCK_MONOTONIC : 0;
	if (attr->mmap && form == FORM_BUILD_ID)
		ask_build_ids(attr);
	attr->sample_type |= form == FORM_OLD ? PERF_SAMPLE_ID : PERF_SAMPLE_IDENTIFIER;
	if (attr->mmap && form <= FORM_EXEC)
		attr->mmap2 = attr->comm_exec = 1;
}

/*
 * A small record is a fast one: perf's own have the address and the period of the event beside.
 * Beside samples all have the address: perf script asks for it, and before 3.12 ids are behind it.
 * The first event also tells the lives of tasks and their mappings. format NULL: samples.
 */
static struct perf_event_attr attr_of(const struct recorder *r, unsigned int event,
				      const struct format *format)
{
	const uint64_t ring = perf_ring_size(r->options.pages);
	const struct perf_event_attr *samples = &r->events[event].attr;
	struct perf_event_attr attr = {
		.type = format ? PERF_TYPE_TRACEPOINT : samples->type,
		.size = sizeof(attr),
		.config = format ? (uint64_t)format->id : samples->config,
		.sample_period = format ? 1 : samples->sample_period,
		.freq = !format && samples->freq,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       (format ? PERF_SAMPLE_RAW : PERF_SAMPLE_CALLCHAIN) |
			       (r->options.stacks ? PERF_SAMPLE_CALLCHAIN : 0) |
			       (r->has_samples ? PERF_SAMPLE_IP : 0),
		.read_format = PERF_FORMAT_ID,
		.disabled = 1,
		.sample_id_all = 1,
		.watermark = 1,
		.wakeup_watermark = r->options.backward ? UINT32_MAX : (uint32_t)(ring / 4),
		.write_backward = r->options.backward,
	};

	if (format && perf_event_counts_ns(r->events[event].system, r->events[event].name))
		attr.sample_type |= PERF_SAMPLE_PERIOD;
	attr.comm = attr.task = attr.mmap = !event && !r->options.backward;
	set_form(&attr, r->form);
	return attr;
}

/*
 * The first event is on before the others, for the lives of tasks. Its own records would lack those
 * of the others, as a call without its return: until then it waits for more hits than there can be.
 * One that counts ns can't wait: PERF_SAMPLE_PERIOD makes each hit a record, whatever the period.
 */
#define QUIET_PERIOD (1ULL << 62)

static bool is_quiet(const struct recorder *r, unsigned int event)
{
	const struct perf_written *e = &r->events[event];

	return !event && *e->system && !perf_event_counts_ns(e->system, e->name);
}

static int open_event(struct recorder *r, struct recorder_cpu *c, unsigned int event,
		      struct perf_event_attr *attr)
{
	struct perf_event_attr as = *attr;
	int fd;
	uint64_t *id = &r->ids[event * r->n_cpus + (unsigned int)(c - r->cpus)];
	uint64_t counts[2];

	if (is_quiet(r, event))
		as.sample_period = QUIET_PERIOD;
	fd = perf_event_open(&as, ANY_TASK, (int)c->cpu);
	c->fds[event] = fd;
	if (fd < 0)
		return -1;
	if (read(fd, counts, sizeof(counts)) != sizeof(counts))
		return -1;
	*id = counts[1];
	return 0;
}

/* The kernel refuses what it does not know: an older form of the first event is tried then. */
static int open_first(struct recorder *r, struct recorder_cpu *c, const struct format *format)
{
	struct perf_event_attr attr = attr_of(r, 0, format);

	while (open_event(r, c, 0, &attr)) {
		if (errno != EINVAL || r->form_known || r->options.backward ||
		    r->form + 1 == FORMS)
			return -1;
		r->form++;
		attr = attr_of(r, 0, format);
	}
	r->form_known = true;
	r->events[0].attr = attr;
	return 0;
}

static int open_on(struct recorder *r, struct kernel *k, struct recorder_cpu *c, struct error *err)
{
	for (unsigned int i = 0; i < r->n_events; i++) {
		struct perf_written *e = &r->events[i];
		const struct format *format = *e->system ? kernel_format(k, e->system, e->name) :
					      NULL;

		if (i)
			e->attr = attr_of(r, i, format);
		if (i ? open_event(r, c, i, &e->attr) : open_first(r, c, format))
			return errno == ENODEV ? 1 : perf_open_failed(errno, e->name, err);
		if (!i) {
			c->ring = r->options.backward ?
				  perf_ring_map_backward(c->fds[0], r->options.pages, err) :
				  perf_ring_map(c->fds[0], r->options.pages, err);
			if (!c->ring)
				return -1;
		} else if (ioctl(c->fds[i], PERF_EVENT_IOC_SET_OUTPUT, c->fds[0])) {
			return fail_with(err, errno, "can't send the perf event %s to the ring of "
					 "CPU %u: %m", e->name, c->cpu);
		}
	}
	return 0;
}

static int add_cpu(struct recorder *r, unsigned int cpu)
{
	struct recorder_cpu *c = &r->cpus[r->n_cpus];

	c->cpu = cpu;
	c->fds = malloc(r->n_events * sizeof(*c->fds));
	for (unsigned int i = 0; c->fds && i < r->n_events; i++)
		c->fds[i] = -1;
	r->n_cpus += c->fds != NULL;
	return c->fds ? 0 : -1;
}

static int find_cpus(struct recorder *r, struct kernel *k, struct error *err)
{
	const char *online = kernel_text(k, CPUS_ONLINE);
	const unsigned int most = cpu_list_count(online);
	unsigned int first, last;

	if (!most)
		return fail(err, "can't record: the online CPUs are unknown (" CPUS_ONLINE ")");
	r->cpus = calloc(most, sizeof(*r->cpus));
	r->polls = calloc(most, sizeof(*r->polls));
	r->ids = calloc((size_t)most * r->n_events, sizeof(*r->ids));
	if (!r->cpus || !r->polls || !r->ids)
		return fail(err, "out of memory");
	while (cpu_list_range(&online, &first, &last))
		for (unsigned int cpu = first; cpu <= last; cpu++)
			if (add_cpu(r, cpu))
				return fail(err, "out of memory");
	return 0;
}

/* A CPU that has gone offline meanwhile would be a gap that the file does not tell of: an error. */
static int open_all(struct recorder *r, struct kernel *k, struct error *err)
{
	for (unsigned int i = 0; i < r->n_cpus; i++) {
		const int result = open_on(r, k, &r->cpus[i], err);

		if (result < 0)
			return -1;
		if (result)
			return fail(err, "CPU %u has gone offline: try again", r->cpus[i].cpu);
		r->polls[i] = (struct pollfd){ r->cpus[i].fds[0], POLLIN, 0 };
	}
	for (unsigned int i = 0; i < r->n_events; i++) {
		r->events[i].ids = &r->ids[i * r->n_cpus];
		r->events[i].n_ids = r->n_cpus;
	}
	return 0;
}

struct recorder *recorder_open(struct kernel *k, struct perf_written *events, unsigned int n,
			       const struct recorder_options *o, struct error *err)
{
	struct recorder *r = calloc(1, sizeof(*r));

	if (!r) {
		fail(err, "out of memory");
		return NULL;
	}
	*r = (struct recorder){ .events = events, .n_events = n, .options = *o };
	for (unsigned int i = 0; i < n; i++)
		r->has_samples |= !*events[i].system;
	r->form = o->stacks || r->has_samples ? FORM_BUILD_ID : FORM_CLOCK;
	if (find_cpus(r, k, err) || open_all(r, k, err)) {
		recorder_close(r);
		return NULL;
	}
	return r;
}

void recorder_close(struct recorder *r)
{
	for (unsigned int i = 0; i < r->n_cpus; i++) {
		if (r->cpus[i].ring)
			perf_ring_unmap(r->cpus[i].ring);
		for (unsigned int j = 0; j < r->n_events; j++)
			if (r->cpus[i].fds[j] >= 0)
				close(r->cpus[i].fds[j]);
		free(r->cpus[i].fds);
	}
	free(r->cpus);
	free(r->polls);
	free(r->ids);
	free(r);
}

unsigned int recorder_cpus(const struct recorder *r)
{
	return r->n_cpus;
}

bool recorder_clocked(const struct recorder *r)
{
	return r->form <= FORM_CLOCK;
}

int64_t recorder_apart(const struct recorder *r)
{
	return recorder_clocked(r) ? 0 : local_clock_apart();
}

static int enable(struct recorder *r, unsigned int from, unsigned int to, struct error *err)
{
	for (unsigned int i = 0; i < r->n_cpus; i++)
		for (unsigned int j = from; j < to; j++)
			if (ioctl(r->cpus[i].fds[j], PERF_EVENT_IOC_ENABLE))
				return fail_with(err, errno, "can't switch the perf event %s on: "
						 "%m", r->events[j].name);
	return 0;
}

int recorder_follow(struct recorder *r, struct error *err)
{
	return enable(r, 0, 1, err);
}

int recorder_start(struct recorder *r, struct error *err)
{
	uint64_t each = 1;

	for (unsigned int i = 0; i < r->n_cpus && is_quiet(r, 0); i++)
		if (ioctl(r->cpus[i].fds[0], PERF_EVENT_IOC_PERIOD, &each))
			return fail_with(err, errno, "can't switch the perf event %s on: %m",
					 r->events[0].name);
	return enable(r, 1, r->n_events, err);
}

/* A task that names itself is a record on its CPU. */
static void name_on_all(const struct recorder *r)
{
	cpu_set_t before, *one = CPU_ALLOC(CPUS_MOST);
	const size_t size = CPU_ALLOC_SIZE(CPUS_MOST);
	char name[16] = "";

	if (!one || sched_getaffinity(0, sizeof(before), &before) || prctl(PR_GET_NAME, name)) {
		CPU_FREE(one);
		return;
	}
	for (unsigned int i = 0; i < r->n_cpus; i++) {
		CPU_ZERO_S(size, one);
		CPU_SET_S(r->cpus[i].cpu, size, one);
		if (!sched_setaffinity(0, size, one))
			prctl(PR_SET_NAME, name);
	}
	sched_setaffinity(0, sizeof(before), &before);
	CPU_FREE(one);
}

void recorder_stop(struct recorder *r)
{
	name_on_all(r);
	for (unsigned int i = 0; i < r->n_cpus; i++)
		for (unsigned int j = 0; j < r->n_events; j++)
			ioctl(r->cpus[i].fds[j], PERF_EVENT_IOC_DISABLE);
}

void recorder_wait(const struct recorder *r, int ms)
{
	poll(r->polls, r->n_cpus, ms);
}

/* A word of the records, whose second piece continues the first. */
static uint64_t word_at(const struct iovec *pieces, uint64_t at)
{
	const bool second = at >= pieces[0].iov_len;
	uint64_t word;

	memcpy(&word, (const uint8_t *)pieces[second].iov_base +
	       (second ? at - pieces[0].iov_len : at), sizeof(word));
	return word;
}

/* Records are multiples of 8 bytes, and so are pieces: no word is in both. */
static void count_records(struct recorder *r, const struct iovec *pieces)
{
	const uint64_t size = pieces[0].iov_len + pieces[1].iov_len;
	struct perf_event_header header;

	for (uint64_t at = 0; size - at >= sizeof(header); at += header.size) {
		const uint64_t word = word_at(pieces, at);

		memcpy(&header, &word, sizeof(header));
		if (header.size < sizeof(header) || header.size % 8 || header.size > size - at)
			return;		/* the kernel writes no such record */
		if (header.type == PERF_RECORD_SAMPLE)
			r->counts.events++;
		else if (header.type == PERF_RECORD_LOST && header.size >= 24)
			r->counts.lost += word_at(pieces, at + 16);
	}
}

int recorder_read(struct recorder *r,
		  int (*write)(void *arg, const struct iovec *pieces, int n, struct error *err),
		  void *arg, struct error *err)
{
	int all = 0;

	for (unsigned int i = 0; i < r->n_cpus; i++) {
		struct perf_ring *ring = r->cpus[i].ring;
		struct iovec pieces[2];
		const unsigned int n = perf_ring_unread_pieces(ring, pieces);

		if (!n)
			continue;
		count_records(r, pieces);
		if (write(arg, pieces, (int)n, err))
			return -1;
		perf_ring_passed(ring, pieces, n);
		all += (int)n;
	}
	return all;
}

/* All events of a CPU write into the ring of the first one. */
int recorder_pause(struct recorder *r, unsigned int n, bool paused, struct error *err)
{
	return ioctl(r->cpus[n].fds[0], PERF_EVENT_IOC_PAUSE_OUTPUT, paused) ?
	       fail_with(err, errno, "can't %s the ring of CPU %u: %m",
			 paused ? "pause" : "resume", r->cpus[n].cpu) : 0;
}

const struct perf_ring *recorder_ring(const struct recorder *r, unsigned int n, unsigned int *cpu)
{
	*cpu = r->cpus[n].cpu;
	return r->cpus[n].ring;
}

struct recorder_counts recorder_counts(const struct recorder *r)
{
	return r->counts;
}
