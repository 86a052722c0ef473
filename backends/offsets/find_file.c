// SPDX-License-Identifier: GPL-2.0
/*
 * Two files of sonde's own, in memory. No other file has their names, positions and sizes. The
 * first file can only be read. A read hands struct file and struct kiocb to functions. A second
 * round reads the structs that struct file points to, and the superblocks that syncfs(2) hands to
 * functions: the superblock of the files, and the superblock of pipes.
 */
#include "backends/offsets/find_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "backends/tracefs/own_folder.h"

#define FILE_BYTES 512
#define POINTED 256
#define SUPER_BYTES 256
#define POINTERS 40
#define NOEXEC_SEAL 8u
/* FMODE_READ, FMODE_LSEEK, FMODE_PREAD, FMODE_PWRITE: all files in memory have them. */
#define READABLE 0x1d
#define WRITABLE 0x1f		/* with FMODE_WRITE */

/* The kernel's name of the file is memfd:NAME. A name below 32 bytes is in the dentry itself. */
#define KERNELS_WORD "memfd:"
static const struct own {
	const char *name, *whole;
	uint64_t position, size;
	int flags;
} own[2] = {
	{ "sonde-one-file", KERNELS_WORD "sonde-one-file", 0x31d6e5c4bULL, 0x15a3c97e1ULL,
	  O_APPEND | O_NOATIME },
	{ "sonde-another-one", KERNELS_WORD "sonde-another-one", 0x2a5937f61ULL, 0x17c2d4b93ULL,
	  O_NONBLOCK | O_NOATIME },
};

struct round {
	const char *function;	/* its first argument is the file */
	int fds[2];
	int sync_fds[2];	/* a file in each of two file systems: the files', and pipes' */
	uint64_t magics[2];	/* of these file systems */
	const char *names[2];	/* the kernel's names of the files */
	bool read_only;		/* the first file can only be read */
	struct tap *tap;
	struct specimen *samples;
};

/* Makes the file if memfd_create(2) is unavailable (before 3.17) or forbidden. */
static int file_in_folder(int *folder, const struct own *o, struct error *err)
{
	int fd;

	if (*folder < 0)
		*folder = own_folder(err);
	if (*folder < 0)
		return -1;
	fd = openat(*folder, o->name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	return fd < 0 ? fail_with(err, errno, "can't make a file in memory: %m") : fd;
}

static int open_file(int *folder, const struct own *o, const char **name, struct error *err)
{
	struct rlimit limit;
	int fd;

	/* Since 6.3 the kernel warns without this flag, or requires it (vm.memfd_noexec). */
	fd = (int)syscall(SYS_memfd_create, o->name, NOEXEC_SEAL);
	if (fd < 0 && errno == EINVAL)
		fd = (int)syscall(SYS_memfd_create, o->name, 0);
	*name = fd < 0 ? o->name : o->whole;
	if (fd < 0)
		fd = file_in_folder(folder, o, err);
	if (fd < 0)
		return -1;
	/* If the file exceeded the limit, a signal would kill sonde. */
	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur < o->size ||
	    ftruncate(fd, (off_t)o->size) ||
	    lseek(fd, (off_t)o->position, SEEK_SET) != (off_t)o->position) {
		close(fd);
		return fail(err, "can't make a file large enough (ulimit -f)");
	}
	/* If this fails, only f_flags is not found. */
	fcntl(fd, F_SETFL, o->flags);
	return fd;
}

/* Opens the same file once more, for reading only. */
static bool open_to_read(int *fd, const struct own *o)
{
	char path[40];
	int other;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", *fd);
	other = open(path, O_RDONLY | O_CLOEXEC);
	if (other < 0)
		return false;
	if (lseek(other, (off_t)o->position, SEEK_SET) != (off_t)o->position) {
		close(other);
		return false;
	}
	fcntl(other, F_SETFL, o->flags);
	close(*fd);
	*fd = other;
	return true;
}

/* Seeks to the present position, and reads behind the file's end: nothing changes. */
static int read_file(void *arg, struct error *err)
{
	int fd = *(int *)arg;
	char byte;

	return lseek(fd, 0, SEEK_CUR) >= 0 && read(fd, &byte, 1) == 0 ? 0 :
	       fail_with(err, errno, "can't read a file of sonde's own: %m");
}

static int first_round(struct kernel *k, struct round *r, struct error *err)
{
	static const char *const readers[] = {
		/* until 3.15: the last one */
		"shmem_file_read_iter", "generic_file_read_iter", "shmem_file_aio_read", NULL
	};
	const struct arch *a = kernel_arch(k);
	int file = tap_add(r->tap, r->function, 1, -1, FILE_BYTES, err), iocb;

	if (file < 0)
		return -1;
	iocb = find_add(k, r->tap, readers, 64, NULL);
	for (int i = 0; i < 2; i++) {
		const struct memory *m = tap_memory(r->tap, file);

		if (tap_fire(r->tap, read_file, &r->fds[i], err) ||
		    find_keep(&r->samples[i], DUMP_FILE, m, m->base, err))
			return -1;
		specimen_know_number(&r->samples[i], a, KNOWN_POSITION, own[i].position, 8);
		specimen_know_number(&r->samples[i], a, KNOWN_FLAGS,
				   (uint64_t)fcntl(r->fds[i], F_GETFL), 4);
		specimen_know_number(&r->samples[i], a, KNOWN_FILE, m->base, a->word);
		if (r->read_only)
			specimen_know_number(&r->samples[i], a, KNOWN_MODE,
					   i ? WRITABLE : READABLE, 4);
		m = iocb < 0 ? NULL : tap_memory(r->tap, iocb);
		if (m && m->size)
			find_keep(&r->samples[i], DUMP_KIOCB, m, m->base, NULL);
	}
	return 0;
}

struct pointers {
	unsigned int n;
	int pieces[POINTERS];
	uint32_t offsets[POINTERS];
};

/* Adds a piece for each offset at which the structs of both files may have a pointer. */
static int add_pointers(struct kernel *k, struct round *r, struct pointers *p, struct error *err)
{
	const struct arch *a = kernel_arch(k);

	for (uint32_t at = 0; at < FILE_BYTES && p->n < POINTERS; at += a->word) {
		if (!memory_pointer(&r->samples[0].dumps[DUMP_FILE], a, at) ||
		    !memory_pointer(&r->samples[1].dumps[DUMP_FILE], a, at))
			continue;
		p->offsets[p->n] = at;
		p->pieces[p->n] = tap_add(r->tap, r->function, 1, (int32_t)at, POINTED, err);
		if (p->pieces[p->n++] < 0)
			return -1;
	}
	return 0;
}

/* The only address so far; 0: there is none yet; UINT64_MAX: there are several. */
static uint64_t the_one(uint64_t so_far, uint64_t address)
{
	return !so_far || so_far == address ? address : UINT64_MAX;
}

static int look_at(struct kernel *k, struct round *r, const struct pointers *p, int number,
		   struct error *err)
{
	const struct arch *a = kernel_arch(k);
	struct specimen *s = &r->samples[number];
	uint64_t dentry = 0, inode = 0, name = 0;

	for (unsigned int i = 0; i < p->n; i++) {
		struct memory m = *tap_memory(r->tap, p->pieces[i]);
		uint64_t text;

		m.base = memory_pointer(&s->dumps[DUMP_FILE], a, p->offsets[i]);
		text = memory_own_text(&m, a, r->names[number]);
		/*
		 * The first match is the file's dentry. A later dump may be of a neighbour, and
		 * reach into this dentry.
		 */
		if (text && !dentry) {
			dentry = m.base;
			name = text;
			if (find_keep(s, DUMP_DENTRY, &m, m.base, err))
				return -1;
		}
		if (memory_has(&m, a, own[number].size, 8)) {
			inode = the_one(inode, m.base);
			find_keep(s, DUMP_INODE, &m, m.base, NULL);
		}
	}
	if (inode && inode != UINT64_MAX)
		specimen_know_number(s, a, KNOWN_INODE, inode, a->word);
	else
		s->dumps[DUMP_INODE].size = 0;
	if (!dentry)
		return 0;
	specimen_know_number(s, a, KNOWN_DENTRY, dentry, a->word);
	specimen_know_number(s, a, KNOWN_NAME, name, a->word);
	specimen_know_number(s, a, KNOWN_NAME_LENGTH, strlen(r->names[number]), 4);
	return 0;
}

struct reading {
	int file, sync_fd;
};

/* A failure of syncfs(2) does not matter: keep_super() sees whether its functions ran. */
static int read_and_sync(void *arg, struct error *err)
{
	struct reading *reading = arg;

	if (read_file(&reading->file, err))
		return -1;
	syscall(SYS_syncfs, reading->sync_fd);
	return 0;
}

/* Both functions get a superblock. A compiler may have inlined one of them in part. */
static const char *const syncers[] = { "sync_filesystem", "sync_inodes_sb" };
#define SYNCERS (sizeof(syncers) / sizeof(syncers[0]))

static void keep_super(struct kernel *k, struct round *r, const int pieces[SYNCERS], int number)
{
	const struct arch *a = kernel_arch(k);
	struct specimen *s = &r->samples[number];

	for (size_t i = 0; i < SYNCERS; i++) {
		const struct memory *m = pieces[i] < 0 ? NULL : tap_memory(r->tap, pieces[i]);

		if (!m || !m->size || find_keep(s, DUMP_SUPER, m, m->base, NULL))
			continue;
		specimen_know_number(s, a, KNOWN_MAGIC, r->magics[number], a->word);
		break;
	}
	/* Both files are in the first file system. */
	if (r->samples[0].dumps[DUMP_SUPER].size)
		specimen_know_number(s, a, KNOWN_SUPER, r->samples[0].dumps[DUMP_SUPER].base,
				   a->word);
}

static int second_round(struct kernel *k, struct round *r, struct error *err)
{
	struct pointers p = { };
	int pieces[SYNCERS];

	if (add_pointers(k, r, &p, err))
		return -1;
	for (size_t i = 0; i < SYNCERS; i++)
		pieces[i] = kernel_function(k, syncers[i]) ?
			    tap_add(r->tap, syncers[i], 1, -1, SUPER_BYTES, NULL) : -1;
	for (int i = 0; i < 2; i++) {
		struct reading both = { r->fds[i], r->sync_fds[i] };

		if (tap_fire(r->tap, read_and_sync, &both, err) || look_at(k, r, &p, i, err))
			return -1;
		keep_super(k, r, pieces, i);
	}
	return 0;
}

static int both_rounds(struct kernel *k, struct round *r, struct error *err)
{
	static int (*const rounds[])(struct kernel *, struct round *,
				     struct error *) = { first_round, second_round };
	int result = 0;

	for (int i = 0; i < 2 && !result; i++) {
		r->tap = tap_new(k, err);
		result = r->tap ? rounds[i](k, r, err) : -1;
		tap_free(r->tap);
	}
	return result;
}

int find_file(struct kernel *k, struct specimen samples[2], struct error *err)
{
	/* If a compiler inlined vfs_read(), the second function runs: it is called by address. */
	static const char *const functions[] = { "vfs_read", "shmem_file_llseek" };
	struct round r = { .fds = { -1, -1 }, .sync_fds = { -1, -1 }, .samples = samples };
	int pipes[2] = { -1, -1 }, folder = -1, result = -1;
	bool opened = true;

	for (int i = 0; i < 2 && opened; i++) {
		r.fds[i] = open_file(&folder, &own[i], &r.names[i], err);
		opened = r.fds[i] >= 0;
	}
	r.read_only = opened && open_to_read(&r.fds[0], &own[0]);
	if (opened && !pipe2(pipes, O_CLOEXEC))
		for (int i = 0; i < 2; i++) {
			struct statfs s = { };

			r.sync_fds[i] = i ? pipes[0] : r.fds[0];
			fstatfs(r.sync_fds[i], &s);
			r.magics[i] = (uint32_t)s.f_type;
		}
	for (int i = 0; i < 2 && opened && result; i++) {
		r.function = functions[i];
		result = both_rounds(k, &r, err);
	}
	if (folder >= 0)
		close(folder);
	for (int i = 0; i < 2; i++) {
		if (r.fds[i] >= 0)
			close(r.fds[i]);
		if (pipes[i] >= 0)
			close(pipes[i]);
	}
	return result;
}
