// SPDX-License-Identifier: GPL-2.0
#include "backends/rings/perf_ring.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "compat/base/file.h"

static unsigned int data_pages(unsigned int pages)
{
	unsigned int n = 1;

	while (n < pages && n < 1U << 24)
		n *= 2;
	return n;
}

uint64_t perf_ring_size(unsigned int pages)
{
	return data_pages(pages) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static int map_failed(int error, uint64_t bytes, struct error *err)
{
	char limit[32];

	/* Beyond perf_event_mlock_kb for each CPU, CAP_IPC_LOCK or RLIMIT_MEMLOCK is required. */
	if (error == EPERM && !file_line("/proc/sys/kernel/perf_event_mlock_kb", limit,
					 sizeof(limit)))
		strcpy(limit, "unknown");
	if (error == EPERM)
		return fail(err, "can't map a perf ring buffer of %llu KB: it may not be locked "
				 "in memory\n"
			    "kernel.perf_event_mlock_kb is %s: use a smaller --buffer-pages, raise "
			    "that sysctl,\n"
			    "or run as root", (unsigned long long)bytes / 1024, limit);
	if (error == ENOMEM)
		return fail(err, "can't map a perf ring buffer of %llu KB: out of memory\n"
			    "use a smaller --buffer-pages", (unsigned long long)bytes / 1024);
	return fail_with(err, error, "can't map a perf ring buffer of %llu KB: %m",
			 (unsigned long long)bytes / 1024);
}

static struct perf_ring *map(int fd, unsigned int pages, int access, struct error *err)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct perf_ring *ring = calloc(1, sizeof(*ring));

	if (!ring) {
		fail(err, "out of memory");
		return NULL;
	}
	ring->size = perf_ring_size(pages);
	ring->mapped = ring->size + page;
	ring->control = mmap(NULL, ring->mapped, access, MAP_SHARED, fd, 0);
	if (ring->control == MAP_FAILED) {
		map_failed(errno, ring->size, err);
		free(ring);
		return NULL;
	}
	/* The data begins behind one page. The control page has this offset only since 4.1. */
	ring->data = (const uint8_t *)ring->control + page;
	return ring;
}

struct perf_ring *perf_ring_map(int fd, unsigned int pages, struct error *err)
{
	return map(fd, pages, PROT_READ | PROT_WRITE, err);
}

/* The kernel overwrites what nobody can tell it to have read: a mapping for reading alone. */
struct perf_ring *perf_ring_map_backward(int fd, unsigned int pages, struct error *err)
{
	return map(fd, pages, PROT_READ, err);
}

void perf_ring_unmap(struct perf_ring *ring)
{
	if (!ring)
		return;
	munmap(ring->control, ring->mapped);
	free(ring->bounce);
	free(ring);
}

uint64_t perf_ring_bytes(const struct perf_ring *ring)
{
	return ring->size;
}

uint64_t perf_ring_head(const struct perf_ring *ring)
{
	return __atomic_load_n(&ring->control->data_head, __ATOMIC_ACQUIRE);
}

bool perf_ring_is_past(const struct perf_ring *ring, uint64_t head)
{
	return (int64_t)(ring->control->data_tail - head) >= 0;
}

uint64_t perf_ring_unread(const struct perf_ring *ring)
{
	return perf_ring_head(ring) - ring->control->data_tail;
}

uint64_t perf_ring_peak(const struct perf_ring *ring)
{
	return ring->peak;
}

/*
 * Copies a record that wraps around the end of the ring into one piece. Returns 1, or -1 if there
 * is no memory.
 */
static int unwrap(struct perf_ring *ring, uint64_t offset, uint32_t size, struct perf_piece *piece)
{
	uint64_t first = ring->size - offset;

	if (size > ring->bounce_size) {
		uint8_t *bounce = realloc(ring->bounce, size);

		if (!bounce)
			return -1;
		ring->bounce = bounce;
		ring->bounce_size = size;
	}
	memcpy(ring->bounce, ring->data + offset, first);
	memcpy(ring->bounce + first, ring->data, size - first);
	*piece = (struct perf_piece){
		.at = ring->bounce, .pause = ring->bounce + size, .end = ring->bounce + size,
	};
	return 1;
}

int perf_ring_piece(struct perf_ring *ring, uint64_t tail, uint64_t head, struct perf_piece *piece)
{
	const uint64_t offset = tail & (ring->size - 1), unread = head - tail;
	const uint64_t to_end = ring->size - offset, whole = unread < to_end ? unread : to_end;
	const uint8_t *at = ring->data + offset;
	uint32_t first;

	if (!unread)
		return 0;
	first = unread > ring->size ? 0 : perf_record_bytes(at, unread);
	if (!first)
		return -1;
	if (first > whole)
		return unwrap(ring, offset, first, piece);
	*piece = (struct perf_piece){
		.at = at, .pause = at + (whole < ring->size / 8 ? whole : ring->size / 8),
		.end = at + whole,
	};
	return 1;
}

int perf_ring_read(struct perf_ring *ring, perf_record_fn fn, void *arg)
{
	return perf_ring_read_by(ring, UINT64_MAX, fn, arg);
}

unsigned int perf_ring_unread_pieces(const struct perf_ring *ring, struct iovec pieces[2])
{
	const uint64_t tail = ring->control->data_tail, unread = perf_ring_head(ring) - tail;
	const uint64_t offset = tail & (ring->size - 1), to_end = ring->size - offset;
	const uint64_t first = unread < to_end ? unread : to_end;

	pieces[0] = (struct iovec){ (void *)(ring->data + offset), first };
	pieces[1] = (struct iovec){ (void *)ring->data, unread - first };
	return (first > 0) + (unread > first);
}

void perf_ring_passed(struct perf_ring *ring, const struct iovec *pieces, unsigned int n)
{
	uint64_t tail = ring->control->data_tail;

	while (n--)
		tail += pieces++->iov_len;
	__atomic_store_n(&ring->control->data_tail, tail, __ATOMIC_RELEASE);
}

static int not_permitted(int error, const char *what, struct error *err)
{
	char paranoid[32], lockdown[64];

	if (file_line("/sys/kernel/security/lockdown", lockdown, sizeof(lockdown)) &&
	    strstr(lockdown, "[confidentiality]"))
		return fail_with(err, error, "can't open the perf event %s: %m\n"
				 "the kernel is locked down (confidentiality), which forbids "
				 "tracing;\n"
				 "only booting with another setting (lockdown=) lifts that", what);
	if (!file_line("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof(paranoid)))
		strcpy(paranoid, "unknown");
	return fail(err, "can't open the perf event %s: %s\n"
		    "kernel.perf_event_paranoid is %s: run sonde as root, or with CAP_PERFMON "
		    "(before 5.8:\n"
		    "CAP_SYS_ADMIN); in a container, a seccomp filter may forbid "
		    "perf_event_open(2) as well", what, strerror(error), paranoid);
}

int perf_open_failed(int error, const char *what, struct error *err)
{
	struct rlimit files = { 0 };

	switch (error) {
	case EACCES:
	case EPERM:
		return not_permitted(error, what, err);
	case EMFILE:
		getrlimit(RLIMIT_NOFILE, &files);
		return fail_with(err, error, "can't open the perf event %s: %m\neach event needs "
				 "an open file for each CPU, and RLIMIT_NOFILE is %llu", what,
				 (unsigned long long)files.rlim_cur);
	case ENFILE:
		return fail(err, "can't open the perf event %s: the system has too many open "
				 "files\nraise fs.file-max", what);
	case ENOSYS:
		return fail(err, "can't open the perf event %s: this kernel was built without "
				 "perf events", what);
	case ENOENT:
	case ENODEV:
		return fail_with(err, error,
				 "can't open the perf event %s: this kernel does not have it (%m)",
				 what);
	default:
		return fail_with(err, error, "can't open the perf event %s: %m", what);
	}
}
