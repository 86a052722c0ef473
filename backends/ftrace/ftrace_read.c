// SPDX-License-Identifier: GPL-2.0
#include "backends/ftrace/ftrace_read.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/ftrace/ftrace_functions.h"
#include "backends/tracefs/tracefs.h"
#include "compat/base/array.h"
#include "compat/base/clock.h"
#include "compat/base/rare.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"

/*
 * Time to wait for an event's stacks. A task that is preempted right behind an event may continue
 * on another CPU, and its stack is lost there.
 */
#define HOLD_NS 1000000000ULL
/* Room for a record: newer kernels have arguments behind the addresses. */
#define FUNCTION_RECORD 128

int ftrace_targets_add(struct ftrace_targets *t, int id, const struct ftrace_target *wanted,
		       struct error *err)
{
	uint16_t *first, *link;

	if (id < 0 || id > UINT16_MAX || t->n_targets == UINT16_MAX)
		return fail(err, "ftrace's records have no room for the number %d of an event", id);
	if ((uint32_t)id >= t->n_ids) {
		first = realloc(t->first, (id + 1) * sizeof(*first));
		if (!first)
			return fail(err, "out of memory");
		memset(first + t->n_ids, 0, (id + 1 - t->n_ids) * sizeof(*first));
		t->first = first;
		t->n_ids = id + 1;
	}
	if (array_room(&t->targets, t->n_targets, sizeof(*t->targets)))
		return fail(err, "out of memory");
	t->targets[t->n_targets] = *wanted;
	t->targets[t->n_targets++].next = 0;
	link = &t->first[id];
	while (*link)
		link = &t->targets[*link - 1].next;
	*link = t->n_targets;
	return 0;
}

struct ftrace_stats ftrace_stats_parse(const char *text)
{
	static const char *const losses[] = {
		"overrun: ",		/* overwritten before they were read */
		"commit overrun: ",	/* interrupts filled the ring in the middle of an event */
		"dropped events: ",	/* the ring was full, and keeps the old ones */
	};
	static const char entries[] = "entries: ", taken[] = "read events: ";
	struct ftrace_stats stats = { 0 };
	const char *line;
	unsigned int i;

	for (line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		for (i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
			if (!strncmp(line, losses[i], strlen(losses[i])))
				stats.lost += strtoull(line + strlen(losses[i]), NULL, 10);
		/* A kernel that counts an overwritten event twice may have a count below 0. */
		if (!strncmp(line, entries, strlen(entries)) && line[strlen(entries)] != '-')
			stats.unread = strtoull(line + strlen(entries), NULL, 10);
		if (!strncmp(line, taken, strlen(taken)))
			stats.read = strtoull(line + strlen(taken), NULL, 10);
	}
	return stats;
}

static int compare_cpus(const void *a, const void *b)
{
	const struct ftrace_cpu *x = a, *y = b;

	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* Each possible CPU has a directory, so a CPU that comes online later is read like the others. */
static int list_cpus(struct ftrace_reader *r, struct error *err)
{
	char path[PATH_MAX];
	struct dirent *d;
	uint64_t cpu;
	int error;
	DIR *dir;

	text_all(path, sizeof(path), "%s/per_cpu", r->instance);
	dir = opendir(path);
	if (!dir)
		return tracefs_fail(err, errno, "can't read %s", path);
	for (errno = 0; (d = readdir(dir)); errno = 0) {
		const char *at = d->d_name;

		if (!scan_text(&at, "cpu") || !scan_number(&at, UINT_MAX, &cpu) || *at)
			continue;
		if (array_room(&r->cpus, r->n_cpus, sizeof(*r->cpus))) {
			closedir(dir);
			return fail(err, "out of memory");
		}
		r->cpus[r->n_cpus++] = (struct ftrace_cpu){
			.cpu = (unsigned int)cpu, .fd = -1, .stats = -1,
		};
	}
	error = errno;
	closedir(dir);
	if (error)
		return tracefs_fail(err, error, "can't read %s", path);
	if (!r->n_cpus)
		return fail(err, "%s has no CPUs", path);
	qsort(r->cpus, r->n_cpus, sizeof(*r->cpus), compare_cpus);
	return 0;
}

/*
 * Opening a file of tracefs takes a lock of the kernel. A process that makes or removes an instance
 * or an event holds this lock, for seconds, and rings that are not read meanwhile overflow. Reading
 * an open file takes no such lock. If few files may be open, none is opened here: the rings need
 * them.
 */
static void open_stats(const struct ftrace_reader *r)
{
	const long most = sysconf(_SC_OPEN_MAX);
	char path[PATH_MAX];

	for (unsigned int i = 0; i < r->n_cpus && (long)r->n_cpus <= most / 8; i++) {
		text_all(path, sizeof(path), "%s/per_cpu/cpu%u/stats", r->instance, r->cpus[i].cpu);
		r->cpus[i].stats = open(path, O_RDONLY | O_CLOEXEC);
	}
}

int ftrace_reader_open(struct ftrace_reader *r, struct error *err)
{
	char path[PATH_MAX];
	unsigned int i;

	r->page = malloc(r->layout.size);
	if (r->stacks.wanted)
		r->stacked = malloc(FTRACE_STACKED_MOST + r->layout.size);
	if (!r->page || (r->stacks.wanted && !r->stacked))
		return fail(err, "out of memory");
	if (list_cpus(r, err))
		return -1;
	for (i = 0; i < r->n_cpus; i++) {
		struct ftrace_cpu *c = &r->cpus[i];

		text_all(path, sizeof(path), "%s/per_cpu/cpu%u/trace_pipe_raw",
			 r->instance, c->cpu);
		c->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (c->fd < 0)
			return tracefs_fail(err, errno, "can't open %s", path);
	}
	open_stats(r);
	return r->cpus[r->n_cpus - 1].cpu + 1;
}

void ftrace_reader_close(struct ftrace_reader *r)
{
	unsigned int i;

	for (i = 0; i < r->n_cpus; i++) {
		if (r->cpus[i].fd >= 0)
			close(r->cpus[i].fd);
		if (r->cpus[i].stats >= 0)
			close(r->cpus[i].stats);
		ftrace_hold_free(&r->cpus[i].hold);
	}
	free(r->cpus);
	free(r->page);
	free(r->stacked);
	free(r->targets.first);
	free(r->targets.targets);
}

/* Lost events of the task table are not counted: users are told the tool's lost events. */
static void gap(struct ftrace_reader *r, const struct ftrace_cpu *c, uint64_t from, uint64_t to,
		uint64_t count)
{
	stream_gap_in(r->stream, r->share, c->cpu, from, to, r->share & STREAM_EVENTS ? count : 0);
}

int ftrace_stats_text(const struct ftrace_reader *r, const struct ftrace_cpu *c,
		      char text[FTRACE_STATS], struct error *err)
{
	char file[64];
	ssize_t n = c->stats < 0 ? 0 : pread(c->stats, text, FTRACE_STATS - 1, 0);

	snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", c->cpu);
	if (n > 0)
		text[n] = '\0';
	else
		n = tracefs_read(r->instance, file, text, FTRACE_STATS);
	return n < 0 ? tracefs_fail(err, (int)-n, "can't read %s/%s", r->instance, file) : 0;
}

static int read_stats(struct ftrace_reader *r, const struct ftrace_cpu *c,
		      struct ftrace_stats *stats, struct error *err)
{
	char text[FTRACE_STATS];

	if (ftrace_stats_text(r, c, text, err))
		return -1;
	*stats = ftrace_stats_parse(text);
	return 0;
}

/*
 * Tells the stream the losses on one CPU that it was not told yet. They were between these times.
 * `marked`: there are losses, even if the counts show none.
 */
static void add_losses(struct ftrace_reader *r, struct ftrace_cpu *c,
		       const struct ftrace_stats *stats, uint64_t from, uint64_t to, bool marked)
{
	if (!marked && stats->lost <= c->counted)
		return;
	gap(r, c, from, to, stats->lost > c->counted ? stats->lost - c->counted : 0);
	c->counted = stats->lost;
}

/*
 * Copies a record, with the function's number in the place of the address. Returns false if the
 * address is of no wanted function.
 */
static bool number_function(const struct ftrace_target *t, const uint8_t *record, uint32_t size,
			    uint8_t copy[FUNCTION_RECORD])
{
	uint64_t ip = 0, number;
	uint32_t short_ip;

	if (size > FUNCTION_RECORD || size < (uint32_t)t->ip_offset + t->ip_size)
		return false;
	memcpy(copy, record, size);
	if (t->ip_size == sizeof(short_ip)) {
		memcpy(&short_ip, record + t->ip_offset, sizeof(short_ip));
		ip = short_ip;
	} else {
		memcpy(&ip, record + t->ip_offset, sizeof(ip));
	}
	if (!ftrace_functions_find(t->functions, ip, &number))
		return false;
	short_ip = (uint32_t)number;
	memcpy(copy + t->ip_offset, t->ip_size == sizeof(short_ip) ? (void *)&short_ip :
	       (void *)&number, t->ip_size);
	return true;
}

/* The number + 1 of a record's first target; 0: the record is not wanted. */
static inline uint16_t first_target(const struct ftrace_targets *all, const uint8_t *record)
{
	uint16_t id;

	memcpy(&id, record, sizeof(id));
	return id < all->n_ids ? all->first[id] : 0;
}

/* A reader and one of its CPUs. */
struct place {
	struct ftrace_reader *r;
	struct ftrace_cpu *c;
};

/* Pushes an event whose stacks have come, or will not come, for the targets that want stacks. */
static RARE void push_held(void *arg, struct ftrace_held *held)
{
	const struct place *p = arg;
	const struct ftrace_targets *all = &p->r->targets;
	struct sample s = {
		.time = held->time, .cpu = p->c->cpu, .tgid = (uint32_t)-1, .record = p->r->stacked,
	};
	uint16_t at;

	for (at = first_target(all, held->record); at; at = all->targets[at - 1].next) {
		const struct ftrace_target *t = &all->targets[at - 1];

		if (!t->stacked || held->size < t->pid_offset + sizeof(s.tid))
			continue;
		memcpy(&s.tid, held->record + t->pid_offset, sizeof(s.tid));
		s.event = t->event;
		s.size = ftrace_held_put(held, t->kernel_stack, p->r->stacked);
		stream_push(p->r->stream, &s);
	}
}

/* Returns true if the record was a stack, and not an event. */
static RARE bool hold(struct ftrace_reader *r, struct ftrace_cpu *c,
		      const struct ftrace_record *record)
{
	struct place place = { r, c };

	if (ftrace_hold_stack(&c->hold, &r->stacks, record->data, record->size, push_held, &place))
		return true;
	if (ftrace_hold_event(&c->hold, &r->stacks, record->time, record->data, record->size,
			      push_held, &place))
		gap(r, c, record->time, record->time, 1);
	return false;
}

static RARE void push_function(struct ftrace_reader *r, const struct ftrace_target *t,
			       const struct sample *s)
{
	struct sample numbered = *s;
	uint8_t copy[FUNCTION_RECORD];

	if (!number_function(t, s->record, s->size, copy))
		return;
	numbered.record = copy;
	stream_push(r->stream, &numbered);
}

/* Pushes a record that does not simply go to the end of its queue. */
static RARE void push_anywhere(struct ftrace_reader *r, struct ftrace_cpu *c,
			       const struct ftrace_target *t, const struct ftrace_record *record,
			       uint32_t tid)
{
	const struct sample s = {
		.time = record->time, .cpu = c->cpu, .tid = tid, .tgid = (uint32_t)-1,
		.event = t->event, .size = record->size, .record = record->data,
	};

	if (t->functions)
		push_function(r, t, &s);
	else
		stream_push(r->stream, &s);	/* counts a record without room as lost */
}

/* Pushes a record for the targets without stacks. */
static inline __attribute__((always_inline)) void push(struct ftrace_reader *r,
						       struct ftrace_cpu *c,
						       const struct ftrace_record *record,
						       struct merge_queue *q)
{
	const struct ftrace_targets *all = &r->targets;
	const struct ftrace_target *t;
	uint16_t at;

	if (record->size < sizeof(uint16_t) || (r->stacks.wanted && hold(r, c, record)))
		return;
	for (at = first_target(all, record->data); at; at = t->next) {
		uint32_t tid;

		t = &all->targets[at - 1];
		if (t->stacked || record->size < t->pid_offset + sizeof(tid))
			continue;
		memcpy(&tid, record->data + t->pid_offset, sizeof(tid));
		if (t->functions || !stream_append(q, record->time, tid, t->event, record->data,
						   record->size))
			push_anywhere(r, c, t, record, tid);
	}
}

/*
 * Pushes held events that were read before `until`. Their missing stacks are lost, as all are at a
 * loss of records.
 */
static void give_up(struct ftrace_reader *r, struct ftrace_cpu *c, uint64_t until)
{
	struct place place = { r, c };

	ftrace_hold_give_up(&c->hold, until, push_held, &place);
}

/*
 * Only the CPU's stats tell exactly how many events were lost. They are read once a round, because
 * this costs as much as reading a page.
 */
static int read_page(struct ftrace_reader *r, struct ftrace_cpu *c, uint32_t size, bool *counted,
		     struct error *err)
{
	struct merge_queue *q = stream_queue(r->stream, r->share, c->cpu);
	struct ftrace_record record;
	struct ftrace_stats stats;
	struct ftrace_page p;
	uint64_t last = c->last;
	int more;

	if (ftrace_page_open(&p, &r->layout, r->page, size))
		return fail(err, "CPU %u: sonde can't read a page of the ring buffer (%u bytes)\n"
				 "it does not know this kernel's format: try --backend perf",
			    c->cpu, size);
	more = ftrace_page_next(&p, &record);
	if (p.missed) {
		uint64_t to = local_clock_ns(r->clock, more > 0 ? record.time : p.time);

		give_up(r, c, UINT64_MAX);
		if (*counted)
			gap(r, c, c->last, to, 0);
		else if (read_stats(r, c, &stats, err))
			return -1;
		else
			add_losses(r, c, &stats, c->last, to, true);
		*counted = true;
	}
	for (; more > 0; more = ftrace_page_next(&p, &record)) {
		record.time = local_clock_ns(r->clock, record.time);
		if (record.time > last)
			last = record.time;
		push(r, c, &record, q);
	}
	c->last = last;
	if (more < 0)
		return fail(err, "CPU %u: sonde can't read an event of the ring buffer (byte %u "
				 "of a page)\n"
				 "it does not know this kernel's format: try --backend perf",
			    c->cpu, p.at);
	return 0;
}

/*
 * The kernel's reader may skip events and report nothing. rb_get_reader_page() finds its page read
 * to the end. The writer adds to this page, and goes on to the next page. Then the reader sees that
 * it may go on as well. This happens if the reader runs on another CPU, and this CPU stops for a
 * moment between two instructions, as virtual CPUs do. Skipped events are in no page and in no
 * count of losses, but stay among the unread entries. `stats`: from before a read that found the
 * ring empty.
 */
static void count_skipped(struct ftrace_reader *r, struct ftrace_cpu *c,
			  const struct ftrace_stats *stats)
{
	if (stats->unread > c->skipped) {
		give_up(r, c, UINT64_MAX);
		gap(r, c, c->whole, c->last, stats->unread - c->skipped);
		c->skipped = stats->unread;
	}
	c->whole = c->last;
}

/* Reads one more page, if there is one. Returns the number of pages; -1 and sets err on failure. */
static int read_more(struct ftrace_reader *r, struct ftrace_cpu *c, bool *counted,
		     struct error *err)
{
	ssize_t n = read(c->fd, r->page, r->layout.size);

	if (n > 0)
		return read_page(r, c, n, counted, err) ? -1 : 1;
	return n && errno != EAGAIN ? 1 : 0;	/* the next round reports the error */
}

/*
 * After a round: finds the losses that the stats show and pages do not. New events look like
 * skipped events until the next read. If new events come all the time, a later round finds the
 * skipped events. An event that is just being written also looks skipped, because rb_commit()
 * counts it before readers get it: sonde waits for this event.
 */
static int look_at_stats(struct ftrace_reader *r, struct ftrace_cpu *c, bool *counted,
			 struct error *err)
{
	bool may_skip = c->drained && c->fresh;
	struct ftrace_stats stats;
	unsigned int look;
	int more;

	if (!may_skip && !r->unmarked)
		return 0;
	for (look = 0; ; look++) {
		if (read_stats(r, c, &stats, err))
			return -1;
		if (r->unmarked)
			add_losses(r, c, &stats, c->last, c->last, false);
		if (!may_skip)
			return 0;
		more = stats.unread > c->skipped ? read_more(r, c, counted, err) : 0;
		if (more)
			return more < 0 ? -1 : 0;
		if (stats.unread <= c->skipped || look)
			break;
		stream_wait_for_writers(r->stream);
	}
	c->fresh = false;
	count_skipped(r, c, &stats);
	return 0;
}

/*
 * Reads up to the time when the reading began, or up to the ring's end. Beyond this time a CPU that
 * goes on writing would hand out its newest page again and again, each time with a few new events.
 */
static int drain(struct ftrace_reader *r, struct ftrace_cpu *c, unsigned int pages,
		 struct error *err)
{
	bool counted = false;

	c->drained = false;
	while (pages-- && !c->read) {
		ssize_t n = read(c->fd, r->page, r->layout.size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return tracefs_fail(err, errno, "can't read the ring of CPU %u", c->cpu);
		if (n <= 0) {
			c->drained = true;
			break;
		}
		if (read_page(r, c, n, &counted, err))
			return -1;
		c->fresh = true;
		c->pages++;
		c->read = c->last >= r->began || c->pages >= r->most_pages;
	}
	c->read |= c->drained;
	if (look_at_stats(r, c, &counted, err))
		return -1;
	if (c->hold.n && c->drained)
		give_up(r, c, monotonic_ns() - HOLD_NS);
	if (c->last > r->newest)
		r->newest = c->last;
	return 0;
}

void ftrace_begin(struct ftrace_reader *r, bool writing)
{
	r->began = r->mono ? monotonic_ns() : UINT64_MAX;
	r->most_pages = writing ? r->ring_pages + 2 : UINT_MAX;
	for (unsigned int i = 0; i < r->n_cpus; i++) {
		r->cpus[i].pages = 0;
		r->cpus[i].read = false;
	}
}

/*
 * The time up to which this reading has read a CPU's ring; 0: it has not begun; UINT64_MAX: it is
 * done with the CPU.
 */
static uint64_t reached(const struct ftrace_cpu *c)
{
	return c->read ? UINT64_MAX : c->pages ? c->last : 0;
}

/* The time up to which this reading has read all rings; as reached(). */
static uint64_t reached_of_all(const struct ftrace_reader *r)
{
	uint64_t least = UINT64_MAX;

	for (unsigned int i = 0; i < r->n_cpus; i++)
		if (reached(&r->cpus[i]) < least)
			least = reached(&r->cpus[i]);
	return least;
}

/*
 * Reads only the CPUs that are behind: records of the other CPUs would only wait for theirs. If
 * user space can't read the trace clock, a round reads all that there is. Its newest time is the
 * time up to which events run in the next round.
 */
int ftrace_round(struct ftrace_reader *r, struct error *err)
{
	const unsigned int pages = r->mono && r->most_pages < UINT_MAX ?
		STREAM_ROUND_BYTES / r->layout.size + 1 : UINT_MAX;
	const uint64_t behind = reached_of_all(r);

	for (unsigned int i = 0; i < r->n_cpus; i++) {
		struct ftrace_cpu *c = &r->cpus[i];

		if (!c->read && reached(c) <= behind && drain(r, c, pages, err))
			return -1;
	}
	return reached_of_all(r) < UINT64_MAX;
}

uint64_t ftrace_complete(const struct ftrace_reader *r)
{
	uint64_t until = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < r->n_cpus; i++) {
		uint64_t held = ftrace_hold_oldest(&r->cpus[i].hold);

		if (!r->cpus[i].drained && r->cpus[i].last < until)
			until = r->cpus[i].last;
		if (r->cpus[i].hold.n && held <= until)
			until = held - 1;
	}
	return until;
}

int ftrace_last_losses(struct ftrace_reader *r, struct error *err)
{
	uint64_t to = r->mono ? monotonic_ns() : r->newest;
	struct ftrace_stats stats;
	unsigned int i;

	for (i = 0; i < r->n_cpus; i++) {
		struct ftrace_cpu *c = &r->cpus[i];

		if (read_stats(r, c, &stats, err))
			return -1;
		give_up(r, c, UINT64_MAX);
		add_losses(r, c, &stats, c->last, to, false);
		count_skipped(r, c, &stats);
	}
	return 0;
}
