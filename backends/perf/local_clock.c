// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/local_clock.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/rings/perf_ring.h"
#include "compat/base/clock.h"
#include "compat/base/perf_event.h"

#define TRIES 5

struct fault {
	struct perf_event_header header;
	uint64_t time;
};

static void on_fault(void *arg, const struct perf_event_header *record)
{
	uint64_t *time = arg;

	if (record->type == PERF_RECORD_SAMPLE && record->size >= sizeof(struct fault))
		*time = ((const struct fault *)record)->time;
}

/*
 * Compares both clocks at one moment. `time`: the kernel's clock; `apart`: ns to add to it for
 * CLOCK_MONOTONIC; `doubt`: ns that the comparison took, for the moment is somewhere in this time.
 * Returns false if perf records no page fault.
 */
static bool compare(struct local_clock *c, uint64_t *time, int64_t *apart, uint64_t *doubt)
{
	uint64_t before, after;

	*time = 0;
	if (madvise((void *)c->page, c->page_size, MADV_DONTNEED))
		return false;
	before = monotonic_ns();
	*c->page = 1;
	after = monotonic_ns();
	if (perf_ring_read(c->ring, on_fault, time) < 0 || !*time)
		return false;
	*doubt = after - before;
	*apart = (int64_t)(before + *doubt / 2 - *time);
	return true;
}

/* Takes the comparison with the least doubt: the others were interrupted. */
static bool compare_well(struct local_clock *c, uint64_t *time, int64_t *apart)
{
	uint64_t least = UINT64_MAX, one, doubt;
	int64_t found;

	for (int i = 0; i < TRIES; i++)
		if (compare(c, &one, &found, &doubt) && doubt < least) {
			least = doubt;
			*time = one;
			*apart = found;
		}
	return least != UINT64_MAX;
}

static int set_up(struct local_clock *c, struct error *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS, .sample_period = 1,
		.sample_type = PERF_SAMPLE_TIME, .exclude_kernel = 1, .exclude_hv = 1,
	};

	c->page_size = (size_t)sysconf(_SC_PAGESIZE);
	c->page = mmap(NULL, c->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);
	c->faults = perf_event_open(&attr, 0, ANY_CPU);
	if (c->faults < 0)
		return perf_open_failed(errno, "page-faults", err);
	c->ring = perf_ring_map(c->faults, 1, err);
	if (!c->ring)
		return -1;
	if (c->page == MAP_FAILED || !compare_well(c, &c->since, &c->after))
		return fail(err, "perf tells nothing of a page fault of sonde's own");
	c->before = c->after;
	c->looked = monotonic_ns();
	return 0;
}

struct local_clock *local_clock_open(struct error *err)
{
	struct local_clock *c = calloc(1, sizeof(*c));

	if (!c) {
		fail(err, "out of memory");
		return NULL;
	}
	if (!set_up(c, err))
		return c;
	local_clock_close(c);
	return NULL;
}

void local_clock_close(struct local_clock *c)
{
	if (!c)
		return;
	perf_ring_unmap(c->ring);
	if (c->faults >= 0)
		close(c->faults);
	if (c->page != MAP_FAILED)
		munmap((void *)c->page, c->page_size);
	free(c);
}

int64_t local_clock_apart(void)
{
	struct error ignored = { };
	struct local_clock *c = local_clock_open(&ignored);
	const int64_t apart = c ? c->after : 0;

	local_clock_close(c);
	return apart;
}

void local_clock_look(struct local_clock *c)
{
	uint64_t now = monotonic_ns(), since;
	int64_t apart;

	if (!c || now - c->looked < NS_PER_SECOND || !compare_well(c, &since, &apart))
		return;
	c->looked = now;
	/* Times up to `since` keep the offset that this time has had until now. */
	c->before = (int64_t)(local_clock_ns(c, since) - since);
	c->since = since;
	c->after = apart;
}
