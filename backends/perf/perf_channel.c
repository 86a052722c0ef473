// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/perf_channel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "backends/perf/perf_tasks.h"
#include "compat/base/perf_event.h"
#include "compat/base/rare.h"
#include "compat/kinds/kinds.h"

#define LARGE_RING (1U << 20)
#define TRIES 5			/* attempts to list all threads while some begin and end */

/*
 * Samples with the fields that open_source() requests. The kernel's other records end with the same
 * time.
 */
struct sample_record {
	struct perf_event_header header;
	uint64_t time;
	uint32_t size;
	uint8_t raw[];
} __attribute__((packed));

/*
 * A record of a group with stacks. Behind the addresses are the size of raw (u32), raw, and the
 * other fields that a source wants. The raw of a timed sample is a 0 of 4 bytes.
 */
struct stacked_record {
	struct perf_event_header header;
	uint32_t pid, tid;	/* of sonde's own pid namespace */
	uint64_t time;
	/* the event's number, if the group is numbered; ns, if it counts these; n; n addresses */
	uint64_t rest[];
};

/* Ends with its time (u64), and if the group is numbered, behind it the event's number (u64). */
struct lost_record {
	struct perf_event_header header;
	uint64_t id;
	uint64_t lost;
	uint64_t rest[];
};

/* The record of every tracepoint begins with these fields. */
struct common_fields {
	uint16_t type;		/* the event's number */
	uint8_t flags, preempt_count;
	uint32_t pid;		/* of the initial pid namespace, unlike PERF_SAMPLE_TID */
};

int perf_group_index(struct perf_group *g, struct error *err)
{
	for (unsigned int i = 0; i < g->n_sources; i++)
		if (g->sources[i].id <= UINT16_MAX && g->sources[i].id >= (int)g->n_by_id)
			g->n_by_id = (unsigned int)g->sources[i].id + 1;
	g->by_id = calloc(g->n_by_id + 1, sizeof(*g->by_id));
	if (!g->by_id)
		return fail(err, "out of memory");
	for (unsigned int i = g->n_sources; i-- > 0;)
		if (g->sources[i].id <= UINT16_MAX)
			g->by_id[g->sources[i].id] = &g->sources[i];
	return 0;
}

void perf_group_free(struct perf_group *g)
{
	for (unsigned int i = 0; i < g->n_sources; i++) {
		free(g->sources[i].events);
		if (!g->sources[i].is_twin)
			free(g->sources[i].filter.text);
	}
	free(g->sources);
	free(g->by_id);
}

static const struct perf_source *source_of(const struct perf_group *g, uint16_t type)
{
	return type < g->n_by_id ? g->by_id[type] : NULL;
}

/* In a numbered group read(2) returns an event's count, and the number that its records have. */
static bool read_number(struct perf_channel *c, unsigned int fd)
{
	uint64_t read_format[2];

	if (read(c->fds[fd], read_format, sizeof(read_format)) != sizeof(read_format))
		return false;
	c->numbers[fd] = read_format[1];
	return true;
}

/* The source has no stacks, because its twin has them. */
static bool is_bare(const struct perf_channel *c, const struct perf_source *source)
{
	return source->twinned && c->width > 1;
}

/*
 * The room that is left at the wakeup has to last until sonde runs. In a large ring half of the
 * room is enough.
 */
static uint32_t wakeup_bytes(const struct perf_group *g)
{
	uint64_t size = perf_ring_size(g->pages);

	return (uint32_t)(size < LARGE_RING ? size / 4 : size / 2);
}

/* Sends the records of an opened event to the channel's ring, and sets the event's filter. */
static int direct(struct perf_channel *c, const struct perf_source *source, int fd,
		  struct error *err)
{
	const struct perf_group *g = c->group;
	const char *filter = event_filter(&source->filter);

	if (!c->ring) {
		c->ring = perf_ring_map(fd, g->pages, err);
		if (!c->ring)
			return -1;
	} else if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, c->fds[0])) {
		return fail_with(err, errno,
				 "can't send the perf event %s to the ring of CPU %u: %m",
				 source->name, c->cpu);
	}
	/*
	 * The filter leaves out events that the program would drop. Without the filter the output
	 * is the same, but costs more.
	 */
	if (filter && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) && g->verbose)
		fprintf(g->verbose, "perf: the kernel refused the filter `%s` on %s: %s\n",
			filter, source->name, strerror(errno));
	return 0;
}

/* Returns true if this event, beside events for each task, keeps the breakpoints (keep_probe()). */
static bool keeps(const struct perf_channel *c, unsigned int fd)
{
	return c->width > 1 && fd % c->width == c->width - 1;
}

/*
 * The kernel puts a breakpoint into a process that has an event for it, and removes the breakpoint
 * when this event ends. But tasks with equal events swap their events when one task follows the
 * other on a CPU. So an event that ends may be the event of another task, which still runs. An
 * event of all tasks keeps the breakpoints. It is never enabled, and writes no records.
 */
static int keep_probe(const struct perf_channel *c, const struct perf_source *source,
		      struct perf_event_attr *attr, int *fd, struct error *err)
{
	attr->inherit = 0;
	*fd = perf_event_open(attr, ANY_TASK, (int)c->cpu);
	return *fd < 0 ? perf_open_failed(errno, source->name, err) : 0;
}

/*
 * Opens a source's event for one task and the tasks that it makes later, or for ANY_TASK. The last
 * of several places has the event that keeps the breakpoints.
 */
static int open_source(struct perf_channel *c, unsigned int i, unsigned int place, pid_t task,
		       struct error *err)
{
	const struct perf_group *g = c->group;
	const struct perf_source *source = &g->sources[i];
	int *fd = &c->fds[i * c->width + place];
	const bool bare = is_bare(c, source);
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.config = (uint64_t)source->id,
		.freq = !source->id && !source->period,
		.sample_period = source->id ? 1 :
			source->period ? source->period : source->frequency,
		.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW |
			(source->abi ? PERF_SAMPLE_REGS_USER : 0) |
			(g->stacked ? PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN : 0) |
			(g->numbered ? PERF_SAMPLE_ID : 0) |
			(source->counts_ns ? PERF_SAMPLE_PERIOD : 0) |
			(g->cgroups ? PERF_SAMPLE_CGROUP : 0),
		.read_format = g->numbered ? PERF_FORMAT_ID : 0,
		.exclude_callchain_kernel = !source->kernel_stack || bare,
		.exclude_callchain_user = !source->user_stack || bare,
		/* one register, no matter which: the record has the ABI before it */
		.sample_regs_user = source->abi,
		.sample_id_all = 1,
		.inherit = task != ANY_TASK,
		.disabled = 1,
		.watermark = 1,
		.wakeup_watermark = wakeup_bytes(g),
		.use_clockid = g->clockid,
		.clockid = g->clockid ? CLOCK_MONOTONIC : 0,
	};

	if (g->unwinder && source->user_stack && !bare) {
		attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr.sample_regs_user = g->unwinder->registers;
		attr.sample_stack_user = g->unwinder->stack;
	}
	if (!source->id)
		sampled_attr(source->by, source->address, source->frequency, &attr);
	if (keeps(c, (unsigned int)(fd - c->fds)))
		return keep_probe(c, source, &attr, fd, err);
	*fd = perf_event_open(&attr, task, (int)c->cpu);
	if (*fd < 0)
		return errno == ENODEV ? 1 : perf_open_failed(errno, source->name, err);
	if (g->numbered && !read_number(c, (unsigned int)(fd - c->fds)))
		return fail_with(err, errno, "the perf event %s has no number: %m", source->name);
	return direct(c, source, *fd, err);
}

/* Opens the events of one source. */
static int open_events(struct perf_channel *c, unsigned int i, const struct perf_tasks *tasks,
		       struct error *err)
{
	const struct perf_source *source = &c->group->sources[i];
	const bool each = tasks->n && (source->of_tasks || source->is_twin);
	const unsigned int n = each ? tasks->n + source->breakpoint : !source->is_twin;
	int result = 0;

	for (unsigned int j = 0; j < n && !result; j++)
		result = open_source(c, i, j, each && j < tasks->n ? tasks->list[j] : ANY_TASK,
				     err);
	return result;
}

/*
 * Opens the events of all sources. Those with of_tasks get an event for each of these tasks; all
 * others, and all if the list is empty, get an event of all tasks.
 */
static int open_for(struct perf_channel *c, const struct perf_tasks *tasks, struct error *err)
{
	const struct perf_group *g = c->group;
	int result = 0;

	c->width = tasks->n + 1;
	c->fds = malloc((size_t)g->n_sources * c->width * sizeof(*c->fds));
	c->numbers = calloc((size_t)g->n_sources * c->width, sizeof(*c->numbers));
	if (!c->fds || !c->numbers) {
		free(c->fds);
		free(c->numbers);
		c->fds = NULL;
		c->numbers = NULL;
		return fail(err, "out of memory");
	}
	for (unsigned int i = 0; i < g->n_sources * c->width; i++)
		c->fds[i] = -1;
	for (unsigned int i = 0; i < g->n_sources && !result; i++)
		result = open_events(c, i, tasks, err);
	if (result)
		perf_channel_close(c);
	return result;
}

/*
 * Opens events for the tasks that the plan wants. Returns false, and leaves nothing open, if the
 * group wants all tasks, or if no attempt found and opened the complete list.
 */
static bool open_for_tasks(struct perf_channel *c)
{
	const struct plan *wants = c->group->wants;
	struct perf_tasks tasks = { };
	struct error err = { };
	bool done = false;

	for (int again = 0; wants && !done && again < TRIES; again++) {
		if (perf_tasks_find(&tasks, wants) && !open_for(c, &tasks, &err)) {
			done = perf_tasks_hold(&tasks, wants);
			if (!done)
				perf_channel_close(c);
		}
		perf_tasks_free(&tasks);
	}
	return done;
}

int perf_channel_open(struct perf_channel *c, const struct perf_group *g, struct stream *stream,
		      unsigned int cpu, struct error *err)
{
	memset(c, 0, sizeof(*c));
	c->group = g;
	c->stream = stream;
	c->cpu = cpu;
	return open_for_tasks(c) ? 0 : open_for(c, &(struct perf_tasks){ }, err);
}

/*
 * The event that keeps the breakpoints is closed after the tasks' events. Before 4.17 the kernel
 * looks at the task of an event that is closed, unless an event of all tasks is open; the task may
 * have ended.
 */
void perf_channel_close(struct perf_channel *c)
{
	perf_ring_unmap(c->ring);
	for (unsigned int i = 0; c->fds && i < c->group->n_sources * c->width; i++)
		if (c->fds[i] >= 0)
			close(c->fds[i]);
	free(c->fds);
	free(c->numbers);
	free(c->unwound.bytes);
	free(c->tailed);
	c->tailed = NULL;
	c->tailed_size = 0;
	c->unwound = (struct perf_unwound){ };
	c->fds = NULL;
	c->numbers = NULL;
	c->ring = NULL;
}

bool perf_channel_is_open(const struct perf_channel *c)
{
	return c->fds != NULL;
}

int perf_channel_fd(const struct perf_channel *c)
{
	return c->fds[0];
}

int perf_channel_enable(struct perf_channel *c, uint64_t now, struct error *err)
{
	c->last = now;
	for (unsigned int i = 0; i < c->group->n_sources * c->width; i++)
		if (c->fds[i] >= 0 && !keeps(c, i) && ioctl(c->fds[i], PERF_EVENT_IOC_ENABLE, 0))
			return fail_with(err, errno, "can't enable the perf event %s on CPU %u: %m",
					 c->group->sources[i / c->width].name, c->cpu);
	return 0;
}

void perf_channel_disable(struct perf_channel *c)
{
	for (unsigned int i = 0; i < c->group->n_sources * c->width; i++)
		if (c->fds[i] >= 0)
			ioctl(c->fds[i], PERF_EVENT_IOC_DISABLE, 0);
}

/* Lost events of the task table are no lost rows or counts. Only the table has to know of them. */
static RARE void tell(struct perf_channel *c, uint64_t to, uint64_t count)
{
	stream_gap_in(c->stream, c->group->share, c->cpu, c->last, to,
		    c->group->share == STREAM_TASKS ? 0 : count);
	c->told += count;
}

/*
 * A record came. The lost records were before this record, which may be older than the kernel's
 * report of the loss.
 */
static void on_time(struct perf_channel *c, uint32_t size, uint64_t time)
{
	if (c->lost) {
		tell(c, time < c->lost_to ? time : c->lost_to, c->lost);
		c->lost = 0;
	}
	c->last = time;
	if (size > c->largest)
		c->largest = size;
}

/*
 * The kernel puts the cgroup's id at the record's end. The stream gets it right behind the sample,
 * without the fields in between.
 */
static RARE void push_tailed(struct perf_channel *c, const struct sample *s, const uint8_t *end)
{
	const uint32_t size = s->size + (uint32_t)sizeof(uint64_t);
	struct sample tailed = *s;

	if (size > c->tailed_size) {
		uint8_t *larger = realloc(c->tailed, 2 * size);

		if (!larger) {
			stream_gap_in(c->stream, c->group->share, c->cpu, s->time, s->time, 1);
			return;
		}
		c->tailed = larger;
		c->tailed_size = 2 * size;
	}
	memcpy(c->tailed, s->record, s->size);
	memcpy(c->tailed + s->size, end - sizeof(uint64_t), sizeof(uint64_t));
	tailed.record = c->tailed;
	tailed.size = size;
	stream_push(c->stream, &tailed);
}

/* `end`: the end of the kernel's record. The stream counts the records that it has no room for. */
static void push(struct perf_channel *c, const struct sample *s, const uint8_t *end)
{
	if (c->group->cgroups)
		push_tailed(c, s, end);
	else
		stream_push(c->stream, s);
}

/* Pushes a record with stacks. Events without stacks get `bare`. */
static void push_stacked(struct perf_channel *c, const struct perf_source *source,
			 const struct sample *s, const struct sample *bare,
			 const uint8_t *end)
{
	c->samples += source->id && !source->counts_ns;
	c->tidied += source->tidies;
	for (unsigned int i = 0; i < source->n_events; i++) {
		struct sample one = *s;

		one.event = source->events[i].event;
		if (!source->events[i].stacked) {
			one.record = bare->record;
			one.size = bare->size;
		}
		push(c, &one, end);
	}
}

/* A channel, and the stream's queue for its samples. */
struct pushing {
	struct perf_channel *channel;
	struct merge_queue *queue;
};

/* Pushes a sample that does not simply go, as one event, to the end of its queue. */
static RARE void push_anywhere(struct perf_channel *c, const struct perf_source *source,
			       uint32_t tid, uint64_t time, const struct sample_record *record,
			       uint32_t size)
{
	struct sample s = {
		.time = time, .cpu = c->cpu, .tid = tid, .tgid = (uint32_t)-1,
		.size = size, .record = record->raw,
	};

	for (unsigned int i = 0; i < source->n_events; i++) {
		s.event = source->events[i].event;
		push(c, &s, (const uint8_t *)record + record->header.size);
	}
}

/* Inlined, like its caller, because it runs for every event. */
static inline __attribute__((always_inline)) void on_sample(const struct pushing *p,
							     const struct sample_record *record)
{
	uint32_t room = record->header.size - sizeof(*record), size = record->size;
	struct perf_channel *c = p->channel;
	const uint64_t time = local_clock_ns(c->group->clock, record->time);
	const struct perf_source *source;
	struct common_fields common;

	on_time(c, record->header.size, time);
	if (size > room || size < sizeof(common))
		return;
	memcpy(&common, record->raw, sizeof(common));
	source = source_of(c->group, common.type);
	if (!source)
		return;
	if (source->abi && size + sizeof(uint64_t) <= room)
		size += sizeof(uint64_t);
	c->samples++;
	c->tidied += source->tidies;
	if (source->n_events > 1 || c->group->cgroups ||
	    !stream_append(p->queue, time, common.pid, source->events->event, record->raw, size))
		push_anywhere(c, source, common.pid, time, record, size);
}

/* Returns the source with this number; NULL: there is none. */
static const struct perf_source *source_numbered(const struct perf_channel *c, uint64_t number)
{
	for (unsigned int i = 0; i < c->group->n_sources * c->width; i++)
		if (c->numbers[i] == number)
			return &c->group->sources[i / c->width];
	return NULL;
}

/*
 * Returns true if the hit of this record came through the source's twin already. The next hit with
 * an equal record is a later one: a CPU does not switch between the same two tasks twice in a row.
 */
static bool came_as_twin(struct perf_channel *c, const struct perf_source *source,
			 const void *raw, uint32_t size)
{
	const bool same = size && size == c->twin_size && !memcmp(c->twin, raw, size);

	c->twin_size = 0;
	if (source->is_twin && size <= sizeof(c->twin)) {
		memcpy(c->twin, raw, size);
		c->twin_size = size;
	}
	return same && !source->is_twin;
}

/* The sample gets the unwinder's addresses, if it finds some. */
static void unwind(struct perf_channel *c, const struct perf_stacked *from, uint32_t pid,
		   struct sample *s)
{
	const uint32_t size = perf_unwind(c->group->unwinder, from, pid, s->time, &c->unwound);

	if (!size)
		return;
	s->record = c->unwound.bytes;
	s->size = size;
}

/*
 * The stream gets stacks and raw in the form that they have in the record. From a source without
 * stacks it gets raw alone.
 */
static void on_stacked(struct perf_channel *c, const struct stacked_record *record)
{
	const uint8_t *end = (const uint8_t *)record + record->header.size, *raw, *copies;
	const struct perf_source *source = c->group->numbered &&
		record->header.size >= sizeof(*record) + sizeof(record->rest[0]) ?
		source_numbered(c, record->rest[0]) : NULL;
	const bool counts_ns = source && source->counts_ns;
	const uint64_t *n = record->rest + c->group->numbered + counts_ns;
	struct common_fields common = { .pid = record->tid };
	struct sample s = {
		.time = local_clock_ns(c->group->clock, record->time),
		.cpu = c->cpu, .tgid = (uint32_t)-1, .record = n,
	};
	uint32_t size;

	on_time(c, record->header.size, s.time);
	if (end < (const uint8_t *)(n + 1) ||
	    *n > (size_t)(end - (const uint8_t *)(n + 1)) / sizeof(*n))
		return;
	raw = (const uint8_t *)(n + 1 + *n);
	if ((size_t)(end - raw) < sizeof(size))
		return;
	memcpy(&size, raw, sizeof(size));
	raw += sizeof(size);
	if (size > (size_t)(end - raw))
		return;
	if (size >= sizeof(common))
		memcpy(&common, raw, sizeof(common));
	if (!c->group->numbered)
		source = source_of(c->group, common.type);
	if (!source)
		return;
	if (counts_ns)
		c->ns += n[-1];
	if ((source->is_twin || source->twinned) && came_as_twin(c, source, raw, size)) {
		c->samples++;
		return;
	}
	s.tid = common.pid;
	copies = raw + size;
	if (source->abi && size + sizeof(uint64_t) <= (size_t)(end - raw))
		size += sizeof(uint64_t);
	if (!source->kernel_stack && !source->user_stack)
		s.record = raw;
	s.size = (uint32_t)(raw + size - (const uint8_t *)s.record);
	if (c->group->unwinder && source->user_stack)
		unwind(c, &(struct perf_stacked){
			.n = *n, .addresses = (const uint8_t *)(n + 1),
			.raw = raw, .size = size, .copies = copies, .end = end,
		}, record->pid, &s);
	push_stacked(c, source, &s, &(struct sample){ .record = raw, .size = size }, end);
}

static RARE void on_lost(struct perf_channel *c, const struct perf_event_header *header)
{
	const struct lost_record *lost = (const struct lost_record *)header;

	if (header->type != PERF_RECORD_LOST ||
	    header->size < sizeof(*lost) + sizeof(c->lost_to))
		return;
	c->crowded = true;
	c->lost += lost->lost;
	memcpy(&c->lost_to, (const uint8_t *)header + header->size - sizeof(c->lost_to) -
	       (c->group->numbered ? sizeof(uint64_t) : 0), sizeof(c->lost_to));
	c->lost_to = local_clock_ns(c->group->clock, c->lost_to);
}

static void on_record(void *arg, const struct perf_event_header *header)
{
	const struct pushing *p = arg;

	if (header->type != PERF_RECORD_SAMPLE)
		on_lost(p->channel, header);
	else if (header->size >= sizeof(struct sample_record))
		on_sample(p, (const struct sample_record *)header);
}

static void on_stacked_record(void *arg, const struct perf_event_header *header)
{
	struct perf_channel *c = arg;

	if (header->type != PERF_RECORD_SAMPLE)
		on_lost(c, header);
	else if (header->size >= sizeof(struct stacked_record))
		on_stacked(c, (const struct stacked_record *)header);
}

/* Returns like perf_ring_read_by(). */
static int read_ring(struct perf_channel *c, uint64_t most)
{
	struct pushing pushing = {
		.channel = c, .queue = stream_queue(c->stream, c->group->share, c->cpu),
	};

	return c->group->stacked ? perf_ring_read_by(c->ring, most, on_stacked_record, c) :
		perf_ring_read_by(c->ring, most, on_record, &pushing);
}

void perf_channel_begin(struct perf_channel *c)
{
	c->goal = perf_ring_head(c->ring);
	c->reached = 0;
	c->read = false;
}

int perf_channel_drain(struct perf_channel *c, uint64_t most, uint64_t now)
{
	int n = read_ring(c, most);
	uint64_t largest = c->largest > 256 ? c->largest : 256;

	if (c->lost) {
		tell(c, c->lost_to, c->lost);
		c->lost = 0;
	}
	/*
	 * The ring was so full that another record may not have fitted. The kernel reports such a
	 * loss only with the next record that it writes on this CPU. This may be long after sonde
	 * has run the events of the other CPUs.
	 */
	if (n < 0 || perf_ring_peak(c->ring) + 2 * largest > perf_ring_bytes(c->ring))
		c->crowded = c->was_full = true;
	c->reached = c->last;
	c->read = n < 0 || perf_ring_is_past(c->ring, c->goal);
	if (c->read && c->was_full) {
		tell(c, now, 0);
		c->was_full = false;
	}
	return n < 0 ? -1 : 0;
}

/*
 * The perf event of a tracepoint counts each hit that passes its filter, and then writes the hit's
 * record. So a hit that was counted but not read is lost, on every kernel, also if no record
 * reports the loss. Timed samples are left out: their events count time, or other things. Some
 * kernels count hits in interrupts of the idle task, and write no sample of them, however empty the
 * ring is. If no record reported losses, each source's losses are known, and sources that tidy are
 * left out. Of sources that count ns it is known only whether hits are lost: one at least.
 */
uint64_t perf_channel_settle(struct perf_channel *c, uint64_t now)
{
	ssize_t size = (c->group->numbered ? 2 : 1) * sizeof(uint64_t);
	const uint64_t known = c->samples + c->told - (c->told ? 0 : c->tidied);
	uint64_t total = 0, ns = 0, counts[2], lost;

	for (unsigned int i = 0; i < c->group->n_sources * c->width; i++) {
		const struct perf_source *source = &c->group->sources[i / c->width];

		if (source->id && c->fds[i] >= 0 && (c->told || !source->tidies) &&
		    read(c->fds[i], counts, (size_t)size) == size)
			*(source->counts_ns ? &ns : &total) += counts[0];
	}
	lost = total > known ? total - known : 0;
	if (!lost && !c->told && ns > c->ns)
		lost = 1;
	if (!lost)
		return 0;
	tell(c, now, lost);
	return c->crowded || c->group->share == STREAM_TASKS ? 0 : lost;
}
