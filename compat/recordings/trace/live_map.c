// SPDX-License-Identifier: GPL-2.0
/*
 * Pages of a ring that stay in it. The kernel (6.10 or later) maps all pages of a CPU's ring, in no
 * order; one without records has the length 0. A writer may begin a page anew while it is copied:
 * its time is then another one behind the copy, and its old records are gone.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compat/recordings/trace/live.h"

#define PAGES_MOST (1U << 24)	/* of a CPU */

/* The beginning of struct trace_buffer_meta of linux/trace_mmap.h. */
struct meta {
	uint32_t size, length;		/* of this page; of this struct */
	uint32_t page_size, pages;	/* of the ring */
	struct {
		uint64_t lost;
		uint32_t page, read;	/* the bytes of this page that were read */
	} reader;
	uint64_t flags, entries, overrun, read;
};

struct mapped {
	uint64_t time;
	const uint8_t *bytes;
};

static int by_time(const void *a, const void *b)
{
	const struct mapped *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

static uint64_t time_of(const uint8_t *page)
{
	uint64_t time;

	atomic_thread_fence(memory_order_seq_cst);
	memcpy(&time, page, sizeof(time));
	return time;
}

/* Returns false if a writer has begun the page anew meanwhile. */
static bool copy(const struct mapped *page, uint8_t *to, size_t size)
{
	memcpy(to, page->bytes, size);
	return time_of(page->bytes) == page->time && time_of(to) == page->time;
}

static int pass(const struct mapped *list, size_t n, const struct ftrace_layout *l,
		live_page_fn each, void *arg)
{
	uint8_t *page = malloc(l->size);
	int result = page ? 0 : -1;

	for (size_t i = 0; i < n && !result; i++)
		result = each(arg, copy(&list[i], page, l->size) ? page : NULL);
	free(page);
	return result;
}

/* Passes the pages with records. */
static int order(const uint8_t *data, const struct meta *meta, const struct ftrace_layout *l,
		 live_page_fn each, void *arg)
{
	struct mapped *list = calloc(meta->pages, sizeof(*list));
	size_t n = 0;
	int result = list ? 0 : -1;

	for (uint32_t i = 0; i < meta->pages && !result; i++) {
		const uint8_t *page = data + (size_t)i * l->size;
		struct ftrace_page opened;
		struct ftrace_record record;

		if (!ftrace_page_open(&opened, l, page, l->size) &&
		    ftrace_page_next(&opened, &record) > 0)
			list[n++] = (struct mapped){ time_of(page), page };
	}
	if (!result) {
		qsort(list, n, sizeof(*list), by_time);
		result = pass(list, n, l, each, arg);
	}
	free(list);
	return result;
}

/* A ring of which records were taken out begins within a page: it is not mapped. */
static bool known(const struct meta *meta, const struct ftrace_layout *l)
{
	return meta->length >= sizeof(*meta) && meta->page_size == l->size && meta->pages &&
	       meta->pages <= PAGES_MOST && !meta->read && !meta->reader.read &&
	       !l->swapped;
}

int live_pages_map(int fd, const struct ftrace_layout *layout, live_page_fn each, void *arg)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct meta *meta = mmap(NULL, page, PROT_READ, MAP_SHARED, fd, 0);
	size_t size;
	uint8_t *data;
	int result = 1;

	if (meta == MAP_FAILED)
		return 1;
	if (known(meta, layout)) {
		size = (size_t)meta->pages * layout->size;
		data = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, meta->size);
		if (data != MAP_FAILED) {
			result = order(data, meta, layout, each, arg);
			munmap(data, size);
		}
	}
	munmap(meta, page);
	return result;
}
