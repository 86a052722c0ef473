// SPDX-License-Identifier: GPL-2.0
#include "backends/bpf/bpf_ringbuf.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * The kernel maps two pages and the data. sonde writes to the first page how far it has read. The
 * kernel writes to the second page how far programs have written. The data is mapped twice in a
 * row, so that each record is in one piece.
 */
struct bpf_ringbuf {
	void *consumer;
	uint8_t *producer;	/* the second page, with the data behind it */
	uint64_t page, size;
	uint64_t position;	/* the value that sonde wrote to *consumer */
	bool wide;		/* the kernel's unsigned long has 64 bits, and so have positions */
};

struct bpf_ringbuf *bpf_ringbuf_map(int fd, uint64_t bytes, unsigned int word, struct error *err)
{
	struct bpf_ringbuf *r = calloc(1, sizeof(*r));

	if (!r) {
		fail(err, "out of memory");
		return NULL;
	}
	r->page = (uint64_t)sysconf(_SC_PAGESIZE);
	r->size = bytes;
	r->wide = word == 8;
	r->consumer = mmap(NULL, r->page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	r->producer = MAP_FAILED;
	if (r->consumer != MAP_FAILED)
		r->producer =
			mmap(NULL, r->page + 2 * bytes, PROT_READ, MAP_SHARED, fd, (off_t)r->page);
	if (r->producer == MAP_FAILED) {
		fail_with(err, errno, "can't map a BPF ring buffer of %llu KB: %m\n"
			  "use a smaller --buffer-pages", (unsigned long long)bytes / 1024);
		if (r->consumer != MAP_FAILED)
			munmap(r->consumer, r->page);
		free(r);
		return NULL;
	}
	return r;
}

void bpf_ringbuf_unmap(struct bpf_ringbuf *r)
{
	if (!r)
		return;
	munmap(r->consumer, r->page);
	munmap(r->producer, r->page + 2 * r->size);
	free(r);
}

static uint64_t written(const struct bpf_ringbuf *r)
{
	if (r->wide)
		return __atomic_load_n((const uint64_t *)(const void *)r->producer,
				       __ATOMIC_ACQUIRE);
	/* 32 bits wrap, but programs are never ahead of sonde by more than the ring's size. */
	return r->position + (uint32_t)(__atomic_load_n((const uint32_t *)(const void *)r->producer,
							__ATOMIC_ACQUIRE) -
					(uint32_t)r->position);
}

static void give_back(struct bpf_ringbuf *r, uint64_t position)
{
	r->position = position;
	if (r->wide)
		__atomic_store_n((uint64_t *)r->consumer, position, __ATOMIC_RELEASE);
	else
		__atomic_store_n((uint32_t *)r->consumer, (uint32_t)position, __ATOMIC_RELEASE);
}

int bpf_ringbuf_read(struct bpf_ringbuf *r,
		     void (*fn)(void *arg, const void *record, uint32_t size), void *arg,
		     bool *busy)
{
	const uint8_t *data = r->producer + r->page;
	uint64_t position = r->position, end = written(r);
	int n = 0;

	while (position < end) {
		const uint32_t *header =
			(const uint32_t *)(const void *)(data + (position & (r->size - 1)));
		uint32_t length = __atomic_load_n(header, __ATOMIC_ACQUIRE);
		uint32_t size = length & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

		if (length & BPF_RINGBUF_BUSY_BIT) {
			*busy = true;
			break;
		}
		if (size > r->size || size + BPF_RINGBUF_HDR_SZ > end - position) {
			give_back(r, end);
			return -1;
		}
		if (!(length & BPF_RINGBUF_DISCARD_BIT)) {
			fn(arg, (const uint8_t *)header + BPF_RINGBUF_HDR_SZ, size);
			n++;
		}
		position += ((uint64_t)size + BPF_RINGBUF_HDR_SZ + 7) & ~7ULL;
		/* Not after each record: each write takes the cache line from the programs. */
		if (position - r->position > r->size / 8)
			give_back(r, position);
	}
	give_back(r, position);
	return n;
}
