// SPDX-License-Identifier: GPL-2.0
#include "backends/bpf/bpf_output.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "backends/bpf/bpf_ringbuf.h"
#include "backends/perf/cpu_follow.h"
#include "backends/rings/perf_ring.h"
#include "compat/base/cpus.h"
#include "compat/base/perf_event.h"
#include "compat/base/text.h"
#include "compat/probing/bpf_permission.h"

#define RING_BYTES (256 * 1024)		/* for each CPU, unless --buffer-pages sets another size */
#define RINGBUF_LEAST (512 * 1024)
#define RINGBUF_MOST (16 * 1024 * 1024)
/* More than any record of a program takes: programs make records on their stack of 512 bytes. */
#define RECORD_MOST 1024

/* The ring of one CPU, of a perf event array. */
struct cpu_ring {
	int fd;			/* -1: the CPU is offline, or has no ring buffer */
	struct perf_ring *ring;
	bool brim;		/* was so full that the kernel may have lost a record since */
	bool refused;		/* it could not be opened, as -v has reported */
};

struct bpf_output {
	int map;
	int epoll;
	const char *name;
	unsigned int number;
	FILE *verbose;
	struct bpf_ringbuf *ringbuf;	/* NULL: a perf event array */
	uint64_t ringbuf_bytes;
	bool lost_told_late;	/* losses are reported only to the reader, with the next record */
	unsigned int pages;
	unsigned int n_cpus;
	struct cpu_ring *cpus;
	struct cpu_follow follow;
	char follow_name[64];
	uint64_t lost, dropped;
	struct bpf_order *order;	/* during bpf_output_read() */
};

int bpf_output_map(const struct bpf_output *o)
{
	return o->map;
}

uint64_t bpf_output_lost(const struct bpf_output *o)
{
	return o->lost;
}

uint64_t bpf_output_dropped(const struct bpf_output *o)
{
	return o->dropped;
}

uint64_t bpf_output_bytes(const struct bpf_output *o)
{
	uint64_t bytes = o->ringbuf_bytes;

	for (unsigned int cpu = 0; cpu < o->n_cpus; cpu++)
		if (o->cpus[cpu].ring)
			bytes += perf_ring_bytes(o->cpus[cpu].ring);
	return bytes;
}

static void keep_record(void *arg, const void *record, uint32_t size)
{
	struct bpf_output *o = arg;

	if (bpf_order_push(o->order, o->number, record, size))
		o->dropped++;
}

static int map_failed(const struct bpf_output_setup *s, int error, const char *kind,
		      struct error *err)
{
	if (error == EPERM)
		return fail_with(err, error, "can't create the %s for records: %m\n%s", kind,
				 bpf_not_permitted(s->kernel));
	return fail_with(err, error, "can't create the %s for records: %m%s", kind,
			 error == ENOMEM || error == E2BIG ? "\nuse a smaller --buffer-pages" : "");
}

static int create_map(struct bpf_output *o, const struct bpf_output_setup *s,
		      struct bpf_map_shape *map, const char *kind, struct error *err)
{
	map->name = kernel_has(s->kernel, FEATURE_BPF_NAMES) ? s->name : NULL;
	o->map = bpf_map_make(map, s->memlock);
	return o->map < 0 ? map_failed(s, -o->map, kind, err) : 0;
}

static const char *possible_cpus(struct kernel *k)
{
	return kernel_text(k, CPUS_POSSIBLE);
}

/* The size of the ring for all CPUs: a power of two, in whole pages. */
static uint64_t ringbuf_bytes(struct kernel *k, unsigned int pages)
{
	unsigned int count = cpu_list_count(possible_cpus(k));
	uint64_t cpus = count ? count : (uint64_t)sysconf(_SC_NPROCESSORS_CONF);
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t wanted = cpus * (pages ? pages * page : RING_BYTES);
	uint64_t size = page;

	if (!pages && wanted < RINGBUF_LEAST)
		wanted = RINGBUF_LEAST;
	if (!pages && wanted > RINGBUF_MOST)
		wanted = RINGBUF_MOST;
	while (size < wanted && size < 1ULL << 30)
		size *= 2;
	return size;
}

uint64_t bpf_output_wakeup_bytes(struct kernel *k, unsigned int pages)
{
	return ringbuf_bytes(k, pages) / 4;
}

static int watch(const struct bpf_output *o, int fd)
{
	/*
	 * Edge-triggered, because a ring buffer is ready as long as it has a record: sonde would
	 * never sleep. So sonde wakes up only if a program forces it, or if a perf ring reaches its
	 * watermark; other records wait for the timeout.
	 */
	struct epoll_event event = { .events = EPOLLIN | EPOLLET, .data = { .fd = fd } };

	return epoll_ctl(o->epoll, EPOLL_CTL_ADD, fd, &event);
}

static int open_ringbuf(struct bpf_output *o, const struct bpf_output_setup *s, struct error *err)
{
	struct bpf_map_shape map = {
		.type = BPF_MAP_TYPE_RINGBUF,
		.entries = (uint32_t)ringbuf_bytes(s->kernel, s->pages),
	};

	if (create_map(o, s, &map, "BPF ring buffer", err))
		return -1;
	o->ringbuf = bpf_ringbuf_map(o->map, map.entries, kernel_arch(s->kernel)->word, err);
	if (!o->ringbuf)
		return -1;
	o->ringbuf_bytes = map.entries;
	if (watch(o, o->map))
		return fail_with(err, errno, "can't wait for the BPF ring buffer: %m");
	if (s->verbose)
		fprintf(s->verbose, "bpf: %s: ring buffer of %llu KB\n", s->name,
			(unsigned long long)o->ringbuf_bytes / 1024);
	return 0;
}

static void close_ring(struct bpf_output *o, unsigned int cpu)
{
	struct cpu_ring *c = &o->cpus[cpu];

	if (c->fd < 0)
		return;
	bpf_map_delete_elem(o->map, &cpu);
	perf_ring_unmap(c->ring);
	close(c->fd);
	*c = (struct cpu_ring){ .fd = -1 };
}

/* Returns 1 if the CPU is offline. */
static int open_ring(struct bpf_output *o, unsigned int cpu, struct error *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = PERF_SAMPLE_RAW,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)(perf_ring_size(o->pages) / 4),
	};
	struct cpu_ring *c = &o->cpus[cpu];
	int result;

	c->fd = perf_event_open(&attr, ANY_TASK, (int)cpu);
	if (c->fd < 0)
		return errno == ENODEV ? 1 :
		       perf_open_failed(errno, "for the output of BPF programs", err);
	c->ring = perf_ring_map(c->fd, o->pages, err);
	if (!c->ring)
		return -1;
	result = bpf_map_update_elem(o->map, &cpu, &c->fd, BPF_ANY);
	if (!result && watch(o, c->fd))
		result = -errno;
	return !result ? 0 : fail_with(err, -result,
				       "can't use the ring buffer of CPU %u for BPF programs: %m",
				       cpu);
}

/* Programs count each output as failed on a CPU that has no ring yet. */
static int open_cpu(void *arg, unsigned int cpu, struct error *err)
{
	struct bpf_output *o = arg;
	int result = open_ring(o, cpu, err);
	bool again = o->cpus[cpu].refused;

	if (result)
		close_ring(o, cpu);
	if (result < 0 && o->verbose && !again)
		fprintf(o->verbose, "bpf: %s: CPU %u has no ring buffer: %s\n", o->name, cpu,
			err->text);
	o->cpus[cpu].refused = result < 0;
	return result;
}

static int close_cpu(void *arg, unsigned int cpu, struct error *err)
{
	(void)err;
	close_ring(arg, cpu);
	return 0;
}

static const struct cpu_owner owner = { open_cpu, close_cpu, NULL };

static int open_array(struct bpf_output *o, const struct bpf_output_setup *s, struct error *err)
{
	unsigned int possible = cpu_list_limit(possible_cpus(s->kernel));
	unsigned int limit = possible ? possible : (unsigned int)sysconf(_SC_NPROCESSORS_CONF);
	struct bpf_map_shape map = {
		.type = BPF_MAP_TYPE_PERF_EVENT_ARRAY,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(int),
		.entries = limit,
	};
	unsigned int page = (unsigned int)sysconf(_SC_PAGESIZE);

	o->lost_told_late = !kernel_has(s->kernel, FEATURE_BPF_FULL);
	o->pages = s->pages ? s->pages : (RING_BYTES + page - 1) / page;
	o->cpus = calloc(limit, sizeof(*o->cpus));
	if (!o->cpus)
		return fail(err, "out of memory");
	o->n_cpus = limit;
	for (unsigned int cpu = 0; cpu < limit; cpu++)
		o->cpus[cpu] = (struct cpu_ring){ .fd = -1 };
	if (create_map(o, s, &map, "perf event array", err))
		return -1;
	text_all(o->follow_name, sizeof(o->follow_name), "bpf: %s", s->name);
	o->follow = (struct cpu_follow){
		.owner = &owner,
		.arg = o,
		.list = CPUS_ONLINE,
		.n = limit,
		.name = o->follow_name,
		.verbose = s->verbose,
	};
	if (cpu_follow_begin(&o->follow, err))
		return -1;
	if (s->verbose)
		fprintf(s->verbose, "bpf: %s: perf event array, %llu KB on each of %u CPUs\n",
			s->name, (unsigned long long)perf_ring_size(o->pages) / 1024,
			o->follow.n_open);
	return 0;
}

struct bpf_output *bpf_output_new(const struct bpf_output_setup *s, struct error *err)
{
	struct bpf_output *o = calloc(1, sizeof(*o));
	int result;

	if (!o) {
		fail(err, "out of memory");
		return NULL;
	}
	o->map = -1;
	o->epoll = s->epoll;
	o->name = s->name;
	o->number = s->number;
	o->verbose = s->verbose;
	if (kernel_has(s->kernel, FEATURE_BPF_RINGBUF))
		result = open_ringbuf(o, s, err);
	else if (kernel_has(s->kernel, FEATURE_BPF_OUTPUT))
		result = open_array(o, s, err);
	else
		result = fail(err, "BPF programs of this kernel can't hand over records (since "
				   "4.4)\nuse --backend perf or --backend ftrace");
	if (result) {
		bpf_output_free(o);
		return NULL;
	}
	return o;
}

void bpf_output_free(struct bpf_output *o)
{
	if (!o)
		return;
	for (unsigned int cpu = 0; cpu < o->n_cpus; cpu++)
		close_ring(o, cpu);
	cpu_follow_free(&o->follow);
	free(o->cpus);
	bpf_ringbuf_unmap(o->ringbuf);
	if (o->map >= 0)
		close(o->map);
	free(o);
}

static void perf_record(void *arg, const struct perf_event_header *record)
{
	const uint8_t *body = (const uint8_t *)(record + 1);
	struct bpf_output *o = arg;
	uint64_t lost;
	uint32_t size;

	switch (record->type) {
	/* u32 size; the bytes, and up to 7 of padding in size too */
	case PERF_RECORD_SAMPLE:
		if (record->size < sizeof(*record) + sizeof(size))
			return;
		memcpy(&size, body, sizeof(size));
		if (size <= record->size - sizeof(*record) - sizeof(size))
			keep_record(o, body + sizeof(size), size);
		return;
	case PERF_RECORD_LOST:		/* u64 id; u64 lost */
		if (record->size < sizeof(*record) + 2 * sizeof(lost))
			return;
		memcpy(&lost, body + sizeof(uint64_t), sizeof(lost));
		o->lost += lost;
		return;
	}
}

static int broken(const struct bpf_output *o, struct error *err)
{
	return fail(err, "the ring buffer of %s is broken: records are lost and not counted\n"
		    "this is a bug of sonde or of the kernel; try --backend perf", o->name);
}

int bpf_output_read(struct bpf_output *o, struct bpf_order *order, bool *busy, struct error *err)
{
	struct error unopened;		/* programs count their losses on a CPU without a ring */
	int result = 0;

	o->order = order;
	if (o->ringbuf)
		return bpf_ringbuf_read(o->ringbuf, keep_record, o, busy) < 0 ? broken(o, err) : 0;
	for (unsigned int cpu = 0; cpu < o->n_cpus; cpu++) {
		struct cpu_ring *c = &o->cpus[cpu];
		uint64_t unread;

		if (!c->ring)
			continue;
		unread = perf_ring_unread(c->ring);
		if (unread)	/* the first record reports the losses before it */
			c->brim = unread + RECORD_MOST > perf_ring_bytes(c->ring);
		if (perf_ring_read(c->ring, perf_record, o) < 0)
			result = broken(o, err);
	}
	cpu_follow(&o->follow, &unopened);
	return result;
}

/*
 * Makes the kernel write a record of its own into the ring of the CPU on which sonde runs: sonde
 * gives itself the name that it has already.
 */
static void write_something(int ring_fd, unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.comm = 1,
	};
	int fd = perf_event_open(&attr, ANY_TASK, (int)cpu);
	char name[16];

	if (fd < 0)
		return;
	if (!ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring_fd) && !prctl(PR_GET_NAME, name))
		prctl(PR_SET_NAME, name);
	close(fd);
}

bool bpf_output_flush(struct bpf_output *o)
{
	cpu_set_t *before = CPU_ALLOC(o->n_cpus), *one = CPU_ALLOC(o->n_cpus);
	size_t size = CPU_ALLOC_SIZE(o->n_cpus);
	bool known = o->lost_told_late && before && one && !sched_getaffinity(0, size, before);
	bool more = false;

	for (unsigned int cpu = 0; known && cpu < o->n_cpus; cpu++) {
		if (!o->cpus[cpu].brim)
			continue;
		CPU_ZERO_S(size, one);
		CPU_SET_S(cpu, size, one);
		if (!sched_setaffinity(0, size, one))
			write_something(o->cpus[cpu].fd, cpu);
		more = true;
	}
	if (known)
		sched_setaffinity(0, size, before);
	CPU_FREE(before);
	CPU_FREE(one);
	return more;
}
