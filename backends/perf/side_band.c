// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/side_band.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/perf/cpu_follow.h"
#include "backends/rings/perf_ring.h"
#include "backends/stream/merge.h"
#include "compat/base/clock.h"
#include "compat/base/cpus.h"
#include "compat/base/perf_event.h"

#define RING_BYTES (512U << 10)

/*
 * FORM_NEW: records since 3.16, which tell more of mappings. The kernel's form is found when the
 * first CPU is opened.
 */
enum form { FORM_NEW, FORM_OLD };

static const char *const subjects[] = {
	[SIDE_BAND_OF_MAPPINGS] = "mappings", [SIDE_BAND_OF_TASKS] = "tasks",
	[SIDE_BAND_OF_NAMESPACES] = "namespaces",
	[SIDE_BAND_OF_CGROUPS] = "control groups",
};

struct side_band {
	struct cpu_follow follow;
	enum side_band_subject subject;
	enum form form;
	bool form_known;
	bool clock;		/* records have times of CLOCK_MONOTONIC */
	const struct local_clock *local;	/* converts other times; NULL: they are not used */
	unsigned int pages;
	int *fds;
	struct perf_ring **rings;
	struct merge *merge;
	unsigned int reading;	/* the CPU whose ring is read */
	uint64_t losses;
};

/* ---- Records ---- */

struct mapped {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, length, offset;
};

struct mapped_file {		/* behind struct mapped in PERF_RECORD_MMAP2 */
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t protection, flags;
};

struct named {
	struct perf_event_header header;
	uint32_t pid, tid;
	char name[];
};

struct born {			/* PERF_RECORD_FORK; PERF_RECORD_EXIT has the same members */
	struct perf_event_header header;
	uint32_t pid, parent;
	uint32_t tid, parent_tid;
	uint64_t time;
};

struct joined {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t n;
	struct {
		uint64_t device, number;
	} namespaces[];
};

/* The text ends before the ids and the time at the record's end: u32 pid, tid; u64 time. */
#define TRAILER 16

static const char *text_at(const struct perf_event_header *record, size_t at)
{
	const char *text = (const char *)record + at;

	if (at + TRAILER >= record->size || !memchr(text, 0, record->size - TRAILER - at))
		return NULL;
	return text;
}

static bool map_event(const struct perf_event_header *record, struct side_band_event *e)
{
	const struct mapped *m = (const struct mapped *)record;
	const struct mapped_file *file = (const struct mapped_file *)(m + 1);
	bool has_file = record->type == PERF_RECORD_MMAP2;

	e->path = text_at(record, sizeof(*m) + (has_file ? sizeof(*file) : 0));
	if (!e->path)
		return false;
	e->kind = SIDE_BAND_MAP;
	e->pid = m->pid;
	e->start = m->start;
	e->end = m->start + m->length;
	e->offset = m->offset;
	if (has_file) {
		e->major = file->major;
		e->minor = file->minor;
		e->inode = file->inode;
		e->generation = file->generation;
	}
	return e->end > e->start;
}

/*
 * Before 3.16 an exec is not marked. The first thread's new name may be of an exec, or one that the
 * thread gave itself.
 */
static bool name_event(const struct perf_event_header *record, struct side_band_event *e)
{
	const struct named *n = (const struct named *)record;

	if (record->size < sizeof(*n) + TRAILER)
		return false;
	e->path = text_at(record, sizeof(*n));
	e->kind = record->misc & PERF_RECORD_MISC_COMM_EXEC ? SIDE_BAND_EXEC : SIDE_BAND_NAME;
	e->pid = n->pid;
	e->tid = n->tid;
	return e->path;
}

static bool life_event(const struct perf_event_header *record, struct side_band_event *e)
{
	const struct born *b = (const struct born *)record;
	bool fork = record->type == PERF_RECORD_FORK;

	if (record->size < sizeof(*b) + TRAILER)
		return false;
	if (b->pid != b->tid || (fork && b->pid == b->parent))
		e->kind = fork ? SIDE_BAND_THREAD : SIDE_BAND_LEFT;
	else
		e->kind = fork ? SIDE_BAND_FORK : SIDE_BAND_EXIT;
	e->pid = b->pid;
	e->tid = b->tid;
	e->parent = b->parent;
	e->maker = fork ? b->parent_tid : 0;
	return true;
}

static uint32_t number_of(const struct joined *j, unsigned int type)
{
	return type < j->n ? (uint32_t)j->namespaces[type].number : 0;
}

static bool namespaces_event(const struct perf_event_header *record, struct side_band_event *e)
{
	const struct joined *j = (const struct joined *)record;

	if (record->size < sizeof(*j) + TRAILER ||
	    j->n > (record->size - sizeof(*j) - TRAILER) / sizeof(j->namespaces[0]))
		return false;
	e->kind = SIDE_BAND_NAMESPACES;
	e->pid = j->pid;
	e->tid = j->tid;
	e->mntns = number_of(j, MNT_NS_INDEX);
	e->pidns = number_of(j, PID_NS_INDEX);
	return true;
}

struct made {
	struct perf_event_header header;
	uint64_t id;
	char path[];
};

static bool cgroup_event(const struct perf_event_header *record, struct side_band_event *e)
{
	e->kind = SIDE_BAND_CGROUP;
	e->id = ((const struct made *)record)->id;
	e->path = text_at(record, sizeof(struct made));
	return e->path;
}

bool side_band_event(const struct perf_event_header *record, struct side_band_event *e)
{
	static const struct {
		uint32_t type;
		bool (*read)(const struct perf_event_header *record, struct side_band_event *e);
	} records[] = {
		{ PERF_RECORD_MMAP, map_event },
		{ PERF_RECORD_MMAP2, map_event },
		{ PERF_RECORD_COMM, name_event },
		{ PERF_RECORD_FORK, life_event },
		{ PERF_RECORD_EXIT, life_event },
		{ PERF_RECORD_NAMESPACES, namespaces_event },
		{ PERF_RECORD_CGROUP, cgroup_event },
	};

	*e = (struct side_band_event){ 0 };
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
		if (records[i].type == record->type) {
			memcpy(&e->time, (const char *)record + record->size - sizeof(e->time),
			       sizeof(e->time));
			return records[i].read(record, e);
		}
	return false;
}

/* ---- CPUs ---- */

static int open_form(struct side_band *s, unsigned int cpu, enum form form)
{
	const bool mappings = s->subject == SIDE_BAND_OF_MAPPINGS;
	const bool lives = mappings || s->subject == SIDE_BAND_OF_TASKS;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		/* neither event samples; PERF_COUNT_SW_DUMMY (3.12) does not count either */
		.config = form == FORM_NEW ? PERF_COUNT_SW_DUMMY : PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.mmap = mappings,
		.mmap2 = mappings && form == FORM_NEW,
		/* the kernel gives no namespaces to an event that requests only namespaces */
		.comm = 1,
		.comm_exec = lives && form == FORM_NEW,
		.task = lives,
		.namespaces = s->subject == SIDE_BAND_OF_NAMESPACES,
		.cgroup = s->subject == SIDE_BAND_OF_CGROUPS,
		.watermark = 1,
		.wakeup_watermark = perf_ring_size(s->pages) / 2,
		.use_clockid = s->clock,
		.clockid = s->clock ? CLOCK_MONOTONIC : 0,
	};

	return perf_event_open(&attr, ANY_TASK, (int)cpu);
}

static int open_cpu(void *arg, unsigned int cpu, struct error *err)
{
	struct side_band *s = arg;

	s->fds[cpu] = open_form(s, cpu, s->form);
	if (s->fds[cpu] < 0 && errno == EINVAL && !s->form_known) {
		s->form = FORM_OLD;
		s->fds[cpu] = open_form(s, cpu, s->form);
	}
	if (s->fds[cpu] < 0)
		return errno == ENODEV ? 1 : perf_open_failed(errno, subjects[s->subject], err);
	s->form_known = true;
	s->rings[cpu] = perf_ring_map(s->fds[cpu], s->pages, err);
	if (s->rings[cpu])
		return 0;
	close(s->fds[cpu]);
	s->fds[cpu] = -1;
	return -1;
}

static uint64_t time_of(const struct side_band *s, const struct side_band_event *e)
{
	if (s->clock)
		return e->time;
	return s->local ? local_clock_ns(s->local, e->time) : monotonic_ns();
}

/* Copies the record. A record without memory for its copy is lost. */
static void on_record(void *arg, const struct perf_event_header *record)
{
	struct side_band_event event;
	struct side_band *s = arg;
	struct merge_entry *e;

	if (record->type == PERF_RECORD_LOST) {
		s->losses++;
		return;
	}
	if (!side_band_event(record, &event) ||
	    (s->subject != SIDE_BAND_OF_TASKS &&
	     (event.kind == SIDE_BAND_THREAD || event.kind == SIDE_BAND_LEFT)))
		return;
	e = merge_push(s->merge, s->reading, time_of(s, &event), record->size);
	if (e)
		memcpy(e->data, record, record->size);
	else
		s->losses++;
}

static int read_cpu(struct side_band *s, unsigned int cpu, struct error *err)
{
	s->reading = cpu;
	if (perf_ring_read(s->rings[cpu], on_record, s) < 0)
		return fail(err, "the perf ring of CPU %u with %s holds a record that no "
				 "kernel writes, or memory ran out", cpu, subjects[s->subject]);
	return 0;
}

static int close_cpu(void *arg, unsigned int cpu, struct error *err)
{
	struct side_band *s = arg;
	int result = read_cpu(s, cpu, err);

	perf_ring_unmap(s->rings[cpu]);
	close(s->fds[cpu]);
	s->rings[cpu] = NULL;
	s->fds[cpu] = -1;
	return result;
}

/* A CPU went offline or came online: its events may have been lost while the CPU was not open. */
static void unseen(void *arg, unsigned int cpu, uint64_t since)
{
	struct side_band *s = arg;

	(void)cpu;
	(void)since;
	s->losses++;
}

static const struct cpu_owner owner = { open_cpu, close_cpu, unseen };

struct side_band *side_band_open(struct kernel *k, enum side_band_subject subject,
				 const struct local_clock *clock, FILE *verbose, struct error *err)
{
	unsigned int possible = cpu_list_limit(kernel_text(k, CPUS_POSSIBLE));
	unsigned int n = possible ? possible : (unsigned int)sysconf(_SC_NPROCESSORS_CONF);
	unsigned int page = (unsigned int)sysconf(_SC_PAGESIZE);
	struct side_band *s = calloc(1, sizeof(*s));

	if (!s) {
		fail(err, "out of memory");
		return NULL;
	}
	s->subject = subject;
	s->clock = kernel_has(k, FEATURE_PERF_CLOCKID);
	s->local = clock;
	s->pages = (RING_BYTES + page - 1) / page;
	s->merge = merge_new(n);
	for (unsigned int i = 0; s->merge && i < n; i++)
		s->merge->queues[i].owner = i;
	s->rings = calloc(n, sizeof(*s->rings));
	s->fds = malloc(n * sizeof(*s->fds));
	for (unsigned int i = 0; s->fds && i < n; i++)
		s->fds[i] = -1;
	s->follow = (struct cpu_follow){
		.owner = &owner, .arg = s, .list = CPUS_ONLINE, .n = n, .name = subjects[subject],
		.verbose = verbose,
	};
	if (!s->merge || !s->rings || !s->fds)
		fail(err, "out of memory");
	else if (!cpu_follow_begin(&s->follow, err))
		return s;
	side_band_close(s);
	return NULL;
}

void side_band_close(struct side_band *s)
{
	if (!s)
		return;
	for (unsigned int i = 0; s->rings && s->fds && i < s->follow.n; i++) {
		perf_ring_unmap(s->rings[i]);
		if (s->fds[i] >= 0)
			close(s->fds[i]);
	}
	cpu_follow_free(&s->follow);
	merge_free(s->merge);
	free(s->rings);
	free(s->fds);
	free(s);
}

int side_band_read(struct side_band *s, uint64_t until, side_band_fn fn, void *arg,
		   struct error *err)
{
	const struct merge_entry *entry;
	struct side_band_event e;

	if (cpu_follow(&s->follow, err))
		return -1;
	for (unsigned int i = 0; i < s->follow.n; i++)
		if (s->rings[i] && read_cpu(s, i, err))
			return -1;
	while ((entry = merge_next(s->merge, until))) {
		side_band_event((const struct perf_event_header *)entry->data, &e);
		e.time = entry->time;
		e.cpu = s->merge->taken->owner;
		fn(arg, &e);
	}
	return 0;
}

uint64_t side_band_losses(const struct side_band *s)
{
	return s->losses;
}
