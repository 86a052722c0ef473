// SPDX-License-Identifier: GPL-2.0
#include "backends/recorder/lives.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "compat/base/perf_event.h"

#define PAGES 64		/* a thousand new processes, each second read once */

struct lives_cpu {
	int fd;			/* -1: not open */
	struct perf_ring *ring;
};

struct lives {
	struct lives_cpu *cpus;
	unsigned int n;
	uint64_t *ids;
};

/* Fields of samples that no other record has are left out: they would only take memory. */
static struct perf_event_attr attr_like(const struct perf_event_attr *like)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
		.sample_type = like->sample_type & ~(uint64_t)(PERF_SAMPLE_RAW |
							       PERF_SAMPLE_CALLCHAIN),
		.read_format = PERF_FORMAT_ID, .disabled = 1, .sample_id_all = 1, .watermark = 1,
		.wakeup_watermark = (uint32_t)(perf_ring_size(PAGES) / 4),
		.comm = 1, .comm_exec = 1, .task = 1,
		.use_clockid = like->use_clockid, .clockid = like->clockid,
	};
}

static int open_on(struct lives *l, unsigned int i, unsigned int cpu,
		   const struct perf_event_attr *like, struct error *err)
{
	struct perf_event_attr attr = attr_like(like);
	struct lives_cpu *c = &l->cpus[i];
	uint64_t counts[2];

	c->fd = perf_event_open(&attr, ANY_TASK, (int)cpu);
	if (c->fd < 0)
		return perf_open_failed(errno, "dummy", err);
	if (read(c->fd, counts, sizeof(counts)) != sizeof(counts))
		return fail_with(err, errno, "can't read the id of a perf event: %m");
	l->ids[i] = counts[1];
	c->ring = perf_ring_map(c->fd, PAGES, err);
	return c->ring ? 0 : -1;
}

struct lives *lives_open(const struct perf_event_attr *like, const unsigned int *cpus,
			 unsigned int n, struct error *err)
{
	struct lives *l = calloc(1, sizeof(*l));

	if (l) {
		l->cpus = calloc(n, sizeof(*l->cpus));
		l->ids = calloc(n, sizeof(*l->ids));
	}
	if (!l || !l->cpus || !l->ids) {
		lives_close(l);
		fail(err, "out of memory");
		return NULL;
	}
	for (; l->n < n; l->n++) {
		l->cpus[l->n].fd = -1;
		if (open_on(l, l->n, cpus[l->n], like, err)) {
			l->n++;
			lives_close(l);
			return NULL;
		}
	}
	return l;
}

void lives_close(struct lives *l)
{
	if (!l)
		return;
	for (unsigned int i = 0; i < l->n; i++) {
		perf_ring_unmap(l->cpus[i].ring);
		if (l->cpus[i].fd >= 0)
			close(l->cpus[i].fd);
	}
	free(l->cpus);
	free(l->ids);
	free(l);
}

int lives_start(struct lives *l, struct error *err)
{
	for (unsigned int i = 0; i < l->n; i++)
		if (ioctl(l->cpus[i].fd, PERF_EVENT_IOC_ENABLE))
			return fail_with(err, errno, "can't follow the names of tasks: %m");
	return 0;
}

const uint64_t *lives_ids(const struct lives *l)
{
	return l->ids;
}

void lives_poll(const struct lives *l, struct pollfd *to)
{
	for (unsigned int i = 0; i < l->n; i++)
		to[i] = (struct pollfd){ l->cpus[i].fd, POLLIN, 0 };
}

void lives_read(struct lives *l, unsigned int n, perf_record_fn fn, void *arg)
{
	perf_ring_read(l->cpus[n].ring, fn, arg);
}
