// SPDX-License-Identifier: GPL-2.0
#include "src/lib/memory/mappings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "src/lib/output/records.h"

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

static uint64_t page(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + page() - 1) & ~(page() - 1);
}

static bool failed(uint64_t result)
{
	/* of programs with 32 bits, too */
	return result == UINT64_MAX || result == UINT32_MAX;
}

static bool add(struct mappings *m, const struct mapping *one)
{
	if (array_room(&m->list, m->n, sizeof(*m->list)))
		return false;
	m->list[m->n++] = *one;
	return true;
}

/* Leaves the others in their order. */
static void drop(struct mappings *m, bool (*goes)(const struct mapping *one, const void *arg),
		 const void *arg)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->n; i++)
		if (!goes(&m->list[i], arg))
			m->list[kept++] = m->list[i];
	m->n = kept;
}

/* What the process unmaps that was there at `time`: whole mappings, ends of some, middles. */
static bool unmap(struct mappings *m, uint32_t tgid, uint64_t start, uint64_t end, uint64_t time)
{
	size_t n = m->n, kept = 0;
	bool done = true;

	for (size_t i = 0; i < n; i++) {
		struct mapping one = m->list[i], tail = one;
		bool hit = one.tgid == tgid && one.held.time < time && one.start < end &&
			   start < one.end;

		if (!hit) {
			m->list[kept++] = one;
			continue;
		}
		if (one.start < start) {
			m->list[kept] = one;
			m->list[kept++].end = start;
			tail.start = end;
			if (end < one.end)
				done = add(m, &tail) && done;
		} else if (end < one.end) {
			m->list[kept] = one;
			m->list[kept++].start = end;
		}
	}
	if (n < m->n)		/* the list may be NULL */
		memmove(m->list + kept, m->list + n, (m->n - n) * sizeof(*m->list));
	m->n -= n - kept;
	return done;
}

bool mappings_call(struct mappings *m, const struct memleak_record *call, bool wanted)
{
	uint32_t tgid = (uint32_t)tgid_of(call->pid_tgid);
	struct mapping one = {
		.start = call->result, .tgid = tgid,
		.held = { .time = call->time, .kernel_stack = -EFAULT,
			  .user_stack = call->user_stack },
	};
	uint64_t size = call->kind == MEMLEAK_MREMAP ? call->length : call->size;
	bool done = true;

	memcpy(one.held.comm, call->comm, sizeof(one.held.comm));
	one.end = one.start + whole_pages(size);
	/* munmap returns an int: 0, or -1. */
	if (call->kind == MEMLEAK_MUNMAP)
		return (uint32_t)call->result ||
		       unmap(m, tgid, call->address, call->address + whole_pages(call->size),
			     call->begin);
	if (failed(call->result))
		return true;
	/* An old size of 0 makes another mapping of the same memory. */
	if (call->kind == MEMLEAK_MREMAP && !(call->flags & MREMAP_DONTUNMAP))
		done = unmap(m, tgid, call->address, call->address + whole_pages(call->size),
			     call->begin);
	/* What was there has been replaced (MAP_FIXED). */
	done = unmap(m, tgid, one.start, one.end, call->begin) && done;
	return (!wanted || add(m, &one)) && done;
}

struct moment {
	uint32_t tgid;			/* 0: any */
	uint64_t time;
};

static bool is_before(const struct mapping *one, const void *arg)
{
	const struct moment *moment = arg;

	return (!moment->tgid || one->tgid == moment->tgid) && one->held.time < moment->time;
}

void mappings_exec(struct mappings *m, uint32_t tgid, uint64_t time)
{
	drop(m, is_before, &(struct moment){ tgid, time });
}

void mappings_forget(struct mappings *m, uint64_t time)
{
	drop(m, is_before, &(struct moment){ 0, time });
}

void mappings_free(struct mappings *m)
{
	free(m->list);
	*m = (struct mappings){ };
}
