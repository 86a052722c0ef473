// SPDX-License-Identifier: GPL-2.0
/* Jobs that open files. */
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>

#include "work.h"

struct open_how_0 {		/* struct open_how as of 5.6, which older headers lack */
	uint64_t flags, mode, resolve;
};
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

enum call { OPEN, CREAT, OPENAT, OPENAT2, CALLS };
static const char *const call_names[] = { "open", "creat", "openat", "openat2" };

/* What this machine has; the C library would make openat of all. */
static long call_open(enum call c, int dir, const char *path, int flags)
{
	struct open_how_0 how = { .flags = flags, .mode = flags & O_CREAT ? 0600 : 0 };

	switch (c) {
#ifdef SYS_open
	case OPEN:
		return syscall(SYS_open, path, flags, 0600);
	case CREAT:
		return syscall(SYS_creat, path, 0600);
#endif
	case OPENAT:
		return syscall(SYS_openat, dir, path, flags, 0600);
	case OPENAT2:
		return syscall(SYS_openat2, dir, path, &how, sizeof(how));
	default:
		errno = ENOSYS;
		return -1;
	}
}

/*
 * open PID TID COMM CALL RESULT FLAGS PATH FULL: RESULT is the descriptor or -errno, FLAGS octal as
 * passed (creat's own, for creat), PATH as passed, FULL the same from the root. Nothing if the
 * kernel does not know the call.
 */
static int open_and_say(enum call c, int dir, const char *path, int flags, const char *full)
{
	long fd = call_open(c, dir, path, flags);
	long result = fd < 0 ? -errno : fd;

	if (result == -ENOSYS)
		return -1;
	if (c == CREAT)
		flags = O_CREAT | O_WRONLY | O_TRUNC;
	say("open\t%d\t%d\t", getpid(), thread_id());
	say_comm();
	say("%s\t%ld\t%o\t", call_names[c], result, flags);
	say_bytes(path, strlen(path));
	say("\t");
	say_bytes(full, strlen(full));
	say("\n");
	return fd;
}

static void open_one(enum call c, int dir, const char *path, int flags, const char *full)
{
	int fd = open_and_say(c, dir, path, flags, full);

	if (fd >= 0)
		close(fd);
}

/* DIR/NAME, owned by the caller until the next call. */
static const char *join(const char *dir, const char *name)
{
	static char path[8192];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

/*
 * N rounds of each call on a file that exists or is made, and of each on one that does not exist.
 */
static int job_opens(int argc, char **argv)
{
	long n = number(argv[1]);

	(void)argc;
	for (long i = 0; i < n; i++) {
		for (enum call c = OPEN; c < CALLS; c++) {
			char name[64];
			const char *path;

			snprintf(name, sizeof(name), "%s-%ld", call_names[c], i);
			path = join(argv[2], name);
			open_one(c, AT_FDCWD, path, O_RDWR | O_CREAT, path);
			open_one(c, AT_FDCWD, path, O_RDONLY, path);
			snprintf(name, sizeof(name), "missing/%s-%ld", call_names[c], i);
			path = join(argv[2], name);
			open_one(c, AT_FDCWD, path, O_RDONLY, path);
		}
	}
	return 0;
}

/* Relative to the working directory, and to a directory's descriptor. */
static int job_relative(int argc, char **argv)
{
	char full[4096];
	int dir;

	(void)argc;
	if (!realpath(argv[1], full) || chdir(full))
		die(argv[1]);
	if (mkdir("sub", 0700) && errno != EEXIST)
		die("sub");
	dir = open_and_say(OPENAT, AT_FDCWD, "sub", O_RDONLY | O_DIRECTORY, join(full, "sub"));
	if (dir < 0)
		die("sub");
	open_one(OPEN, AT_FDCWD, "in-cwd", O_RDWR | O_CREAT, join(full, "in-cwd"));
	open_one(OPENAT, AT_FDCWD, "in-cwd", O_RDWR | O_CREAT, join(full, "in-cwd"));
	open_one(OPENAT, AT_FDCWD, "sub/../in-cwd", O_RDONLY, join(full, "sub/../in-cwd"));
	open_one(OPENAT, dir, "in-sub", O_RDWR | O_CREAT, join(full, "sub/in-sub"));
	open_one(OPENAT2, dir, "in-sub", O_RDONLY, join(full, "sub/in-sub"));
	open_one(OPENAT, dir, join(full, "in-cwd"), O_RDONLY, join(full, "in-cwd"));
	return 0;
}

/* Names no terminal, no JSON reader and no CSV reader should meet unescaped. */
static const char *const odd_names[] = {
	"plain",
	"two words",
	"tab\there",
	"new\nline",
	"return\rhere",
	"\033[31mred\033[0m",
	"\033]0;title\007",
	"quote\"quote",
	"apostrophe'",
	"back\\slash",
	"comma,semi;colon",
	"=1+1",
	"\303\251t\303\251",		/* valid UTF-8 */
	"\346\227\245\346\234\254",	/* two columns a character */
	"bad\377utf8",
	"cut\303",
	"\355\240\200",			/* a surrogate */
	"\300\257",			/* an overlong slash */
	"\302\233csi",			/* a C1 control */
	"\342\200\256rtl",		/* turns the writing around */
	"\177del\001one",
	"percent%s%n",
	NULL
};

/*
 * Names, then the longest path there is (4095 bytes) in two lengths, and a file name of 255 bytes.
 */
static int job_names(int argc, char **argv)
{
	char path[4096], name[256];
	size_t length = strlen(argv[1]);

	(void)argc;
	for (int i = 0; odd_names[i]; i++) {
		const char *odd = join(argv[1], odd_names[i]);

		open_one(OPENAT, AT_FDCWD, odd, O_RDWR | O_CREAT, odd);
	}
	memset(name, 'n', 255);
	name[255] = 0;
	open_one(OPENAT, AT_FDCWD, join(argv[1], name), O_RDWR | O_CREAT, join(argv[1], name));
	for (int size = 2000; size <= 4095; size += 2095) {
		if (length + 8 > (size_t)size)
			continue;
		strcpy(path, argv[1]);
		for (size_t at = length; at < (size_t)size; at++)
			path[at] = (at - length) % 2 ? '.' : '/';
		memcpy(path + size - 5, "/long", 5);
		if (path[size - 6] == '/')
			path[size - 6] = '.', path[size - 7] = '/';
		path[size] = 0;
		open_one(OPENAT, AT_FDCWD, path, O_RDWR | O_CREAT, path);
	}
	return 0;
}

/*
 * N opens by a name on a page that is not in memory yet: the kernel itself has to fetch it first.
 */
static int job_cold_opens(int argc, char **argv)
{
	long n = number(argv[1]);
	const char *file = join(argv[2], "cold");
	int fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);

	(void)argc;
	if (fd < 0 || pwrite(fd, file, strlen(file) + 1, 0) < 0)
		die(file);
	for (long i = 0; i < n; i++) {
		char *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

		if (page == MAP_FAILED)
			die("mmap");
		open_one(OPENAT, AT_FDCWD, page, O_RDONLY, file);
		munmap(page, 4096);
	}
	close(fd);
	return 0;
}

enum stat_call { STAT, LSTAT, FSTATAT, STATX, STATFS, STAT_CALLS };

/* What this machine has; its buffers are larger than any of the structs. */
static long call_stat(enum stat_call c, const char *path, int flags)
{
	static char buffer[512];

	(void)flags;
	switch (c) {
#if defined(SYS_stat64) && defined(SYS_lstat64)
	case STAT:
		return syscall(SYS_stat64, path, buffer);
	case LSTAT:
		return syscall(SYS_lstat64, path, buffer);
#elif defined(SYS_stat) && defined(SYS_lstat)
	case STAT:
		return syscall(SYS_stat, path, buffer);
	case LSTAT:
		return syscall(SYS_lstat, path, buffer);
#endif
	case FSTATAT:
#ifdef SYS_newfstatat
		return syscall(SYS_newfstatat, AT_FDCWD, path, buffer, flags);
#elif defined(SYS_fstatat64)
		return syscall(SYS_fstatat64, AT_FDCWD, path, buffer, flags);
#endif
#ifdef SYS_statx
	case STATX:
		return syscall(SYS_statx, AT_FDCWD, path, flags, 0x7ff, buffer);
#endif
	case STATFS:
#if defined(SYS_statfs64) && __SIZEOF_LONG__ == 4
		/* the size of struct statfs64 */
		return syscall(SYS_statfs64, path, 84, buffer);
#else
		return syscall(SYS_statfs, path, buffer);
#endif
	default:
		errno = ENOSYS;
		return -1;
	}
}

/*
 * stat PID COMM RESULT PATH: RESULT is 0 or -errno. Nothing if the kernel does not know the call.
 */
static void stat_one(enum stat_call c, const char *path)
{
	long result = call_stat(c, path, 0) ? -errno : 0;

	if (result == -ENOSYS)
		return;
	say("stat\t%d\t", getpid());
	say_comm();
	say("%ld\t", result);
	say_bytes(path, strlen(path));
	say("\n");
}

/*
 * N rounds of each call on what is there and what is not; and of each on an open file, which nobody
 * should see.
 */
static int job_stats(int argc, char **argv)
{
	long n = number(argv[1]);
	char path[4096];
	int fd = open(argv[2], O_RDONLY);

	(void)argc;
	if (fd < 0)
		die(argv[2]);
	for (long i = 0; i < n; i++) {
		for (enum stat_call c = STAT; c < STAT_CALLS; c++) {
			stat_one(c, argv[2]);
			snprintf(path, sizeof(path), "%s/missing-%d \"%ld\"\377", argv[2], c, i);
			stat_one(c, path);
			stat_one(c, "");
			stat_one(c, ".");
		}
		memset(path, '/', 500);
		snprintf(path + 500, sizeof(path) - 500, "%s", argv[2]);
		stat_one(FSTATAT, path);
#ifdef SYS_newfstatat
		syscall(SYS_newfstatat, fd, "", path, 0x1000);		/* AT_EMPTY_PATH */
#endif
#ifdef SYS_statx
		syscall(SYS_statx, fd, "", 0x1000, 0x7ff, path);
#endif
	}
	close(fd);
	return 0;
}

/* sync PID COMM CALL: N of each call that writes back, on a file of DIR. */
static int job_syncs(int argc, char **argv)
{
	static const char *const names[] = { "sync()", "syncfs()", "fsync()", "fdatasync()",
					     "msync()" };
	long n = number(argv[1]);
	int fd = open(join(argv[2], "synced"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *page;

	(void)argc;
	if (fd < 0 || ftruncate(fd, 4096))
		die(argv[2]);
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		die("mmap");
	for (long i = 0; i < n; i++) {
		syscall(SYS_sync);
		syscall(SYS_syncfs, fd);
		syscall(SYS_fsync, fd);
		syscall(SYS_fdatasync, fd);
		syscall(SYS_msync, page, 4096, MS_SYNC);
		for (int c = 0; c < 5; c++) {
			say("sync\t%d\t", getpid());
			say_comm();
			say("%s\n", names[c]);
		}
	}
	return 0;
}

/*
 * fileop PID COMM TYPE RESULT OFFSET FILE: OFFSET is - where the kernel looks for the end of the
 * file.
 */
static void say_fileop(char type, long result, long offset, const char *file)
{
	say("fileop\t%d\t", getpid());
	say_comm();
	say("%c\t%ld\t", type, result);
	if (offset < 0)
		say("-\t");
	else
		say("%ld\t", offset);
	say_bytes(file, strlen(file));
	say("\n");
}

static int open_op(const char *dir, const char *file, int flags)
{
	int fd = open(join(dir, file), flags, 0600);

	if (fd < 0)
		die(file);
	say_fileop('O', 0, 0, file);
	return fd;
}

static void write_op(int fd, const char *file, size_t size, off_t offset)
{
	static const char bytes[65536];
	long result = offset < 0 ? write(fd, bytes, size) : pwrite(fd, bytes, size, offset);

	if (result != (long)size)
		die(file);
	say_fileop('W', result, offset, file);
}

static void read_op(int fd, const char *file, size_t size, off_t offset)
{
	char bytes[16384];
	struct iovec halves[2] = { { bytes, size / 2 }, { bytes + size / 2, size - size / 2 } };
	long result = offset % 2 ? preadv(fd, halves, 2, offset) : pread(fd, bytes, size, offset);

	if (result < 0)
		die(file);
	say_fileop('R', result, offset, file);
}

static void fsync_op(int fd, const char *file, bool data)
{
	if (data ? fdatasync(fd) : fsync(fd))
		die(file);
	say_fileop('S', 0, 0, file);
}

/*
 * N rounds of operations on files of DIR: what file systems trace, but for stat. With `splice` one
 * read for sendfile(2), and one that goes by the file system's own.
 */
static int job_fileops(int argc, char **argv)
{
	bool splice = argc > 3 && !strcmp(argv[3], "splice");
	long n = number(argv[1]);
	const char *dir = argv[2];
	char name[256], longest[256];

	memset(longest, 'n', 255);
	longest[255] = 0;
	for (long i = 0; i < n; i++) {
		int fd;

		snprintf(name, sizeof(name), "file \"%ld\"\377", i);
		fd = open_op(dir, name, O_RDWR | O_CREAT);
		write_op(fd, name, 10000, 0);
		write_op(fd, name, 5000, 20480);
		fsync_op(fd, name, false);
		read_op(fd, name, 4096, 20480);
		read_op(fd, name, 10000, 3);
		read_op(fd, name, 100, 30000);		/* behind the end */
		write_op(fd, name, 1, 1);
		fsync_op(fd, name, true);
		if (splice) {
			int null = open("/dev/null", O_WRONLY);
			off_t at = 4096;

			if (sendfile(null, fd, &at, 4096) != 4096)
				die("sendfile");
			say_fileop('R', 4096, 4096, name);
			close(null);
		}
		close(fd);
		fd = open_op(dir, name, O_WRONLY | O_APPEND);
		write_op(fd, name, 100, -1);
		close(fd);
		fd = open_op(dir, longest, O_WRONLY | O_CREAT | O_SYNC);
		write_op(fd, longest, 512, 0);		/* an fsync is part of it */
		close(fd);
	}
	return 0;
}

/* vfs N READS WRITES FSYNCS OPENS CREATES UNLINKS MKDIRS RMDIRS: what N rounds in DIR come to. */
static int job_vfs(int argc, char **argv)
{
	long n = number(argv[1]);
	char byte = 'v';
	const struct iovec one = { .iov_base = &byte, .iov_len = 1 };

	(void)argc;
	for (long i = 0; i < n; i++) {
		const char *file = join(argv[2], "file");

		/* makes the file, and opens it again */
		for (int again = 0; again < 2; again++) {
			int fd = open(file, O_RDWR | O_CREAT, 0600);

			if (fd < 0 || pwrite(fd, &byte, 1, 0) != 1 || read(fd, &byte, 1) != 1 ||
			    pread(fd, &byte, 1, 0) != 1 || pwritev(fd, &one, 1, 0) != 1 ||
			    preadv(fd, &one, 1, 0) != 1 || fsync(fd))
				die(file);
			close(fd);
		}
		if (unlink(file) || !unlink(file) || mkdir(file, 0700) || rmdir(file))
			die(file);
	}
	say("vfs\t%ld\t%ld\t%ld\t%ld\t%ld\t%ld\t%ld\t%ld\t%ld\n", 6 * n, 4 * n, 2 * n, 2 * n,
	    n, n, n, n, 2 * n);
	return 0;
}

static void sleep_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL);
}

static void make(const char *file)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_EXCL, 0600);

	if (fd < 0)
		die(file);
	close(fd);
}

/* life PID COMM MS NAME: the file lived so long, or a bit longer. */
static void say_life(const char *file, long ms)
{
	const char *name = strrchr(file, '/') + 1;

	say("life\t%d\t", getpid());
	say_comm();
	say("%ld\t", ms);
	say_bytes(name, strlen(name));
	say("\n");
}

static void unlink_and_say(const char *file, long ms)
{
	if (unlink(file))
		die(file);
	say_life(file, ms);
}

/*
 * Files that are made in DIR and removed: at once, later, under another name, of an odd and of a
 * long name, and by a file that takes the name. None is a file that was there before, opened as if
 * to make it ("old", "older": not in the kernel's memory if DIR was mounted just now); a link to an
 * old file, a folder.
 */
static int job_lives(int argc, char **argv)
{
	char path[4096], other[4096], name[256];
	int fd;

	(void)argc;
	snprintf(path, sizeof(path), "%s/old", argv[1]);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || unlink(path))
		die(path);
	close(fd);
	snprintf(path, sizeof(path), "%s/at once", argv[1]);
	make(path);
	unlink_and_say(path, 0);
	make(path);
	sleep_ms(300);
	unlink_and_say(path, 300);
	make(path);
	sleep_ms(200);
	snprintf(other, sizeof(other), "%s/renamed\033", argv[1]);
	if (rename(path, other) || !unlink(path))
		die(other);
	unlink_and_say(other, 200);
	/* The name stays, the file goes. What comes next gets its place and number. */
	make(path);
	snprintf(other, sizeof(other), "%s/over", argv[1]);
	make(other);
	sleep_ms(100);
	if (rename(other, path))
		die(other);
	say_life(path, 100);
	if (symlink("nowhere", other) || unlink(other) ||
	    mknod(other, S_IFIFO | 0600, 0) ||
	    unlink(other) || mkdir(other, 0700) || rmdir(other))
		die(other);
	unlink_and_say(path, 100);
	snprintf(path, sizeof(path), "%s/older", argv[1]);
	if (link(path, other) || unlink(other) || unlink(path))
		die(path);
	memset(name, 'n', 255);
	name[255] = 0;
	snprintf(path, sizeof(path), "%s/%s", argv[1], name);
	make(path);
	unlink_and_say(path, 0);
	return 0;
}

/* Reads and writes of files, of known sizes, by all calls that move bytes of files. */

#define BLOCK 4096

static char blocks[4 * BLOCK];

static int file(const char *dir, const char *name, int flags)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, flags | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		die(path);
	return fd;
}

/* moved PID READS WRITES READ-BYTES WRITTEN-BYTES FILE: what a file should have. */
static void say_moved(const char *dir, const char *name, long reads, long writes, long in,
		      long out)
{
	say("moved\t%d\t%ld\t%ld\t%ld\t%ld\t", getpid(), reads, writes, in, out);
	say_bytes(dir, strlen(dir));
	say("/");
	say_bytes(name, strlen(name));
	say("\n");
}

static void must(ssize_t got, ssize_t wanted, const char *what)
{
	if (got != wanted)
		die(what);
}

/* Asks for more than there is, reads at the end, and fails once: only what was moved counts. */
static void plain(const char *dir, const char *name, long n)
{
	int fd = file(dir, name, O_RDWR), none = open("/dev/null", O_RDONLY | O_CLOEXEC);

	for (long i = 0; i < n; i++)
		must(write(fd, blocks, 1000), 1000, "write");
	must(pread(fd, blocks, sizeof(blocks), 0), n * 1000 > (long)sizeof(blocks) ?
	     (long)sizeof(blocks) : n * 1000, "pread");
	must(read(fd, blocks, sizeof(blocks)), 0, "read at the end");
	must(write(none, blocks, 1), -1, "write to a file that is read");
	must(pread(fd, blocks, sizeof(blocks), -1), -1, "pread of nowhere");
	close(fd);
	close(none);
	say_moved(dir, name, 2, n, n * 1000 > (long)sizeof(blocks) ? (long)sizeof(blocks) :
		  n * 1000, n * 1000);
}

static void vectors(const char *dir, long n)
{
	struct iovec parts[2] = { { blocks, BLOCK }, { blocks + BLOCK, BLOCK / 2 } };
	int fd = file(dir, "vector", O_RDWR);

	for (long i = 0; i < n; i++) {
		must(writev(fd, parts, 2), BLOCK + BLOCK / 2, "writev");
		must(preadv(fd, parts, 2, 0), BLOCK + BLOCK / 2, "preadv");
	}
	close(fd);
	say_moved(dir, "vector", n, n, n * (BLOCK + BLOCK / 2), n * (BLOCK + BLOCK / 2));
}

/* From one file to another, inside of the kernel. */
static void between(const char *dir, long n)
{
	int from = file(dir, "from", O_RDWR), to = file(dir, "to", O_RDWR);
	off_t at;

	must(write(from, blocks, 2 * BLOCK), 2 * BLOCK, "write");
	for (long i = 0; i < n; i++) {
		at = 0;
		must(sendfile(to, from, &at, 2 * BLOCK), 2 * BLOCK, "sendfile");
	}
	close(from);
	close(to);
	say_moved(dir, "from", n, 1, n * 2 * BLOCK, 2 * BLOCK);
	say_moved(dir, "to", 0, n, 0, n * 2 * BLOCK);
}

static void through_pipe(const char *dir, long n)
{
	int fd = file(dir, "spliced", O_RDWR), out = file(dir, "joined", O_RDWR), pipes[2];
	long sent = 0;
	loff_t at;

	if (pipe(pipes))
		die("pipe");
	must(write(fd, blocks, BLOCK), BLOCK, "write");
	for (long i = 0; i < n; i++) {
		at = 0;
		must(splice(fd, &at, pipes[1], NULL, BLOCK, 0), BLOCK, "splice");
		must(splice(pipes[0], NULL, out, NULL, BLOCK, 0), BLOCK, "splice");
		at = 0;
		/* 5.10 and 5.11 can't. */
		if (sendfile(pipes[1], fd, &at, BLOCK) != BLOCK)
			continue;
		must(read(pipes[0], blocks, BLOCK), BLOCK, "read");
		sent++;
	}
	close(fd);
	close(out);
	close(pipes[0]);
	close(pipes[1]);
	say_moved(dir, "spliced", n + sent, 1, (n + sent) * BLOCK, BLOCK);
	say_moved(dir, "joined", 0, n, 0, n * BLOCK);
}

static int job_moves(int argc, char **argv)
{
	const char *dir = argv[2];
	char sub[4096];
	long n = number(argv[1]);

	(void)argc;
	snprintf(sub, sizeof(sub), "%s/a\nb", dir);
	mkdir(sub, 0700);
	plain(dir, "plain", n);
	plain(sub, "plain", 2 * n);	/* two files of one name */
	vectors(dir, n);
	between(dir, n);
	through_pipe(dir, n);
	return 0;
}

/*
 * On tmpfs, which forgets names that do not exist: looks up N names of each kind, relative to DIR.
 * In DIR's own path are names that are found.
 */
static int job_lookups(int argc, char **argv)
{
	long n = number(argv[1]), path = 0;
	int dir = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd;
	struct stat status;
	char name[32];

	(void)argc;
	if (dir < 0)
		die(argv[2]);
	for (const char *s = argv[2]; *s; s++)
		path += s[0] != '/' && (s[1] == '/' || !s[1]);
	fd = openat(dir, "there", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		die("there");
	close(fd);
	for (long i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "none-%ld", i);
		must(fstatat(dir, "there", &status, 0), 0, "stat of a file");
		must(faccessat(dir, "there", F_OK, 0), 0, "access to a file");
		must(mkdirat(dir, "there", 0700), -1, "mkdir where a file is");
		must(fstatat(dir, name, &status, 0), -1, "stat of no file");
		must(openat(dir, name, O_RDONLY), -1, "open of no file");
		must(unlinkat(dir, name, 0), -1, "unlink of no file");
	}
	say("lookups\t%ld\t%ld\t%ld\n", path + 1 + 6 * n, 1 + 4 * n, 1 + 3 * n);
	return 0;
}

/* N files of one byte each. */
static int job_many(int argc, char **argv)
{
	long n = number(argv[1]);
	char name[32];

	(void)argc;
	for (long i = 0; i < n; i++) {
		int fd;

		snprintf(name, sizeof(name), "many-%ld", i);
		fd = file(argv[2], name, O_WRONLY);
		must(write(fd, blocks, 1), 1, "write");
		close(fd);
	}
	say("many\t%d\t%ld\n", getpid(), n);
	return 0;
}

const struct job file_jobs[] = {
	{ "moves", "N DIR", 2, job_moves,
	  "moved PID READS WRITES READ-BYTES WRITTEN-BYTES FILE: by read, write, readv, writev, "
	  "sendfile and splice" },
	{ "lookups", "N DIR", 2, job_lookups, "lookups REFS SLOW MISSES" },
	{ "many", "N DIR", 2, job_many, "many PID N: N files, a byte is written to each" },
	{ "fileops", "N DIR [splice]", 2, job_fileops, "fileop PID COMM TYPE RESULT OFFSET FILE" },
	{ "vfs", "N DIR", 2, job_vfs,
	  "vfs READS WRITES FSYNCS OPENS CREATES UNLINKS MKDIRS RMDIRS VECTORS: reads, and as many "
	  "writes" },
	{ "lives", "DIR", 1, job_lives, "life PID COMM MS NAME" },
	{ "syncs", "N DIR", 2, job_syncs, "sync PID COMM CALL" },
	{ "opens", "N DIR", 2, job_opens, "open PID TID COMM CALL RESULT FLAGS PATH FULL" },
	{ "stats", "N DIR", 2, job_stats, "stat PID COMM RESULT PATH" },
	{ "relative", "DIR", 1, job_relative, "the same, with relative paths" },
	{ "cold-opens", "N DIR", 2, job_cold_opens,
	  "the same, by a name on a page not in memory yet" },
	{ "names", "DIR", 1, job_names, "the same, with odd and long names" },
	{ 0 }
};
