// SPDX-License-Identifier: GPL-2.0
/*
 * Work by requests of io_uring, by its system calls alone. The layouts are those of
 * <linux/io_uring.h>, which older headers lack.
 */
#include <sys/mman.h>

#include "../work.h"

#define ENTRIES		8
#define CQ_RING		0x8000000
#define SQES		0x10000000
#define ENTER_GETEVENTS	1
#define FSYNC_DATASYNC	1

enum op { OP_FSYNC = 3, OP_OPENAT = 18, OP_CLOSE, OP_STATX = 21, OP_READ, OP_WRITE, OP_OPENAT2 = 28,
	  OP_RENAMEAT = 35, OP_UNLINKAT };

/* A request. */
struct sqe {
	uint8_t opcode, flags;
	uint16_t priority;
	int32_t fd;
	uint64_t off, addr;
	uint32_t len, op_flags;
	uint64_t user_data;
	uint16_t buffer, personality;
	uint32_t slot;
	uint64_t rest[2];
};

struct cqe {
	uint64_t user_data;
	int32_t result;
	uint32_t flags;
};

/* What io_uring_setup() tells: numbers, and offsets in the two rings. */
struct params {
	uint32_t numbers[10];
	struct { uint32_t head, tail, mask, entries, flags, dropped, array, rest[3]; } sq;
	struct { uint32_t head, tail, mask, entries, overflow, cqes, flags, rest[3]; } cq;
};

static struct ring {
	int fd;
	struct params params;
	uint8_t *sq, *cq;
	struct sqe *sqes;
} ring;

static void *map(size_t size, off_t where)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, where);

	if (at == MAP_FAILED)
		die("the mapping of a ring");
	return at;
}

/* Returns false if the kernel has no rings, or does not allow them. */
static bool make_ring(void)
{
#ifdef SYS_io_uring_setup
	ring.fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &ring.params);
#else
	ring.fd = -1;
#endif
	if (ring.fd < 0)
		return false;
	ring.sq = map(ring.params.sq.array + ENTRIES * sizeof(uint32_t), 0);
	ring.cq = map(ring.params.cq.cqes + 2 * ENTRIES * sizeof(struct cqe), CQ_RING);
	ring.sqes = map(ENTRIES * sizeof(struct sqe), SQES);
	return true;
}

static uint32_t *word(uint8_t *of, uint32_t offset)
{
	return (uint32_t *)(void *)(of + offset);
}

/* One request, from its submission to its result. */
static int32_t request(const struct sqe *sqe)
{
	uint32_t tail = *word(ring.sq, ring.params.sq.tail), at = tail & (ENTRIES - 1);
	uint32_t *head = word(ring.cq, ring.params.cq.head);
	const struct cqe *cqe;
	int32_t result;

	ring.sqes[at] = *sqe;
	word(ring.sq, ring.params.sq.array)[at] = at;
	__atomic_store_n(word(ring.sq, ring.params.sq.tail), tail + 1, __ATOMIC_RELEASE);
#ifdef SYS_io_uring_enter
	if (syscall(SYS_io_uring_enter, ring.fd, 1, 1, ENTER_GETEVENTS, NULL, 0) != 1)
		die("io_uring_enter");
#endif
	while (__atomic_load_n(word(ring.cq, ring.params.cq.tail), __ATOMIC_ACQUIRE) == *head)
		usleep(100);
	cqe = (const struct cqe *)(void *)(ring.cq + ring.params.cq.cqes);
	result = cqe[*head & *word(ring.cq, ring.params.cq.mask)].result;
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return result;
}

/*
 * uring PID OP RESULT PATH PATH2. Of a request that this kernel does not know: nothing, and -EINVAL
 * is returned.
 */
static int32_t ask(const char *what, const struct sqe *sqe, const char *path, const char *path2)
{
	int32_t result = request(sqe);

	if (result == -EINVAL || result == -EOPNOTSUPP)
		return -EINVAL;
	say("uring\t%d\t%s\t%d\t%s\t%s\n", getpid(), what, result, path, path2);
	return result;
}

static uint64_t address(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

static int32_t open_file(const char *path, uint32_t flags)
{
	return ask("openat", &(struct sqe){ .opcode = OP_OPENAT, .fd = AT_FDCWD,
		   .addr = address(path), .len = 0600, .op_flags = flags }, path, "-");
}

/*
 * One round: a file is made, opened again, written, read, synchronized, looked at, renamed and
 * removed, and a missing one is looked for.
 */
static void round_of(const char *dir, long n)
{
	struct { uint64_t flags, mode, resolve; } how = { .flags = O_RDONLY };
	static char statx_buffer[256], bytes[16];
	char path[4096], other[4096], missing[4096];
	int32_t fd;

	snprintf(path, sizeof(path), "%s/ring-%ld", dir, n);
	snprintf(other, sizeof(other), "%s/turned-%ld", dir, n);
	snprintf(missing, sizeof(missing), "%s/missing/ring-%ld", dir, n);
	fd = open_file(path, O_RDWR | O_CREAT);
	if (fd < 0)
		return;
	ask("write", &(struct sqe){ .opcode = OP_WRITE, .fd = fd, .addr = address(bytes),
				    .len = sizeof(bytes) }, path, "-");
	ask("read", &(struct sqe){ .opcode = OP_READ, .fd = fd, .addr = address(bytes),
				   .len = sizeof(bytes) }, path, "-");
	ask("fsync", &(struct sqe){ .opcode = OP_FSYNC, .fd = fd }, path, "-");
	ask("fdatasync", &(struct sqe){ .opcode = OP_FSYNC, .fd = fd,
					.op_flags = FSYNC_DATASYNC }, path, "-");
	close(fd);
	fd = open_file(path, O_RDONLY);
	if (fd >= 0)
		close(fd);
	open_file(missing, O_RDONLY);
	fd = ask("openat2", &(struct sqe){ .opcode = OP_OPENAT2, .fd = AT_FDCWD,
		 .addr = address(path), .len = sizeof(how), .off = address(&how) }, path, "-");
	if (fd >= 0)
		close(fd);
	ask("statx", &(struct sqe){ .opcode = OP_STATX, .fd = AT_FDCWD, .addr = address(path),
				    .off = address(statx_buffer), .len = 0x7ff }, path, "-");
	if (ask("renameat", &(struct sqe){ .opcode = OP_RENAMEAT, .fd = AT_FDCWD,
		.addr = address(path), .off = address(other), .len = (uint32_t)AT_FDCWD },
		path, other) || ask("unlinkat", &(struct sqe){ .opcode = OP_UNLINKAT,
		.fd = AT_FDCWD, .addr = address(other) }, other, "-"))
		unlink(path);
}

/* uring N DIR: N rounds in this folder. */
static int job_uring(int argc, char **argv)
{
	long n = number(argv[1]);

	(void)argc;
	if (!make_ring()) {
		say("none\n");
		return 0;
	}
	for (long i = 0; i < n; i++)
		round_of(argv[2], i);
	return 0;
}

const struct job uring_jobs[] = {
	{ "uring", "N DIR", 2, job_uring, "uring PID OP RESULT PATH PATH2; none: no rings" },
	{ }
};
