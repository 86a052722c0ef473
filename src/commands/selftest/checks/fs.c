// SPDX-License-Identifier: GPL-2.0
/*
 * The tools for files of one file system: writes, a read, an open and an fsync of known sizes and
 * places, if the folder is on such a file system. fileslower sees reads and writes on any.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/commands/selftest/selftest.h"

#define NAME "a \"name\"\t\377"

static const struct type {
	const char *name;
	uint32_t magic;
} types[] = {
	{ "btrfs", 0x9123683e }, { "ext4", 0xef53 }, { "f2fs", 0xf2f52010 }, { "nfs", 0x6969 },
	{ "xfs", 0x58465342 },
	{ "zfs", 0x2fc12fc1 },
};
#define TYPES (sizeof(types) / sizeof(types[0]))

/* The file system of the folder; NULL: none of these. */
static const char *type_of(const struct work *w)
{
	struct statfs s;

	for (size_t i = 0; i < TYPES && !statfs(w->folder, &s); i++)
		if ((uint32_t)s.f_type == types[i].magic)
			return types[i].name;
	return NULL;
}

/* `name`: the required type; NULL: any of these. */
static int on_type(struct work *w, const char *name)
{
	const char *type = type_of(w);

	if (type && (!name || !strcmp(name, type))) {
		say_text(w, "type", type);
		return 0;
	}
	return not_here(w, "the folder is not on %s: TMPDIR chooses where it is",
			name ? name : "a file system it knows");
}

/* `hook`: the hook of this type that some kernels lack; NULL: none. */
static void want(struct work *w, const char *type, int64_t bytes, int64_t offset, bool with_offset,
		 const char *hook)
{
	const char *fs = type_of(w);
	char name[48];

	want_begin(w);
	if (hook && fs) {
		text_all(name, sizeof(name), "%s.%s", fs, hook);
		want_hook(w, name);
	}
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_text(w, "type", type, 1);
	want_integer(w, "bytes", bytes);
	if (with_offset)
		want_integer(w, "offset", offset);
	want_text(w, "file", NAME, strlen(NAME));
	want_integer(w, "errno", 0);
	want_end(w);
}

/* `all`: all operations have rows, not only reads and writes. */
static int operate(struct work *w, bool all)
{
	char path[4096], bytes[5000];
	int fd, failed;

	memset(bytes, 's', sizeof(bytes));
	text_all(path, sizeof(path), "%s/" NAME, w->folder);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return not_here(w, "can't make a file: %s", strerror(errno));
	failed = pwrite(fd, bytes, 5000, 20480) != 5000 || pwrite(fd, bytes, 100, 0) != 100 ||
		 pread(fd, bytes, 4096, 20480) != 4096 || fsync(fd) ? errno : 0;
	close(fd);
	if (failed)
		return not_here(w, "can't write to a file, or read it: %s", strerror(failed));
	if (all)
		want(w, "O", 0, 0, true, "open_enter");
	want(w, "W", 5000, 20480, all, NULL);
	want(w, "W", 100, 0, all, NULL);
	want(w, "R", 4096, 20480, all, all ? "read_enter" : NULL);
	if (all)
		want(w, "S", 0, 0, true, NULL);
	return 0;
}

static int work(struct work *w)
{
	return operate(w, true);
}

static int work_file(struct work *w)
{
	return operate(w, false);
}

static void check_dist(struct found *f)
{
	static const struct { const char *what; int64_t n; } wanted[] = {
		{ "read", 1 }, { "write", 2 }, { "open", 1 }, { "fsync", 1 },
	};
	char hook[48], type[16] = "";

	said_text(f, "type", type, sizeof(type));
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		text_all(hook, sizeof(hook), "%s.%s_enter", type, wanted[i].what);
		if (!found_missing(f, hook))
			found_between(f, wanted[i].what, wanted[i].n,
				      found_counted(f, "operation", wanted[i].what),
				      f->foreign ? INT64_MAX : wanted[i].n);
	}
}

#define SLOWER_OPTIONS(...) { "-m", "0", "--pid", "%pid", __VA_ARGS__ NULL }
#define SLOWER_FOREIGN(...) { "-m", "0", "--name", "%name", __VA_ARGS__ NULL }

static const char *const slower[] = SLOWER_OPTIONS();
static const char *const slower_foreign[] = SLOWER_FOREIGN();
static const char *const fsslower[] = SLOWER_OPTIONS("-t", "%type",);
static const char *const fsslower_foreign[] = SLOWER_FOREIGN("-t", "%type",);
static const char *const dist[] = { "--pid", "%pid", NULL };
static const char *const dist_foreign[] = { NULL };
static const char *const fsdist[] = { "--pid", "%pid", "-t", "%type", NULL };
static const char *const fsdist_foreign[] = { "-t", "%type", NULL };

/* pos? is shown as offset, name? as file. */
static const struct selftest_input inputs[] = { { "offset", "pos" }, { "file", "name" }, { } };

#define CHECKS(NAME, TYPE, SLOWER, DIST) \
	static int prepare_##NAME(struct work *w) { return on_type(w, TYPE); } \
	static const struct selftest_part slower_##NAME[] = { \
		{ NULL, SLOWER, SLOWER##_foreign, prepare_##NAME, work }, { } \
	}, dist_##NAME[] = { \
		{ NULL, DIST, DIST##_foreign, prepare_##NAME, work, check_dist }, { } \
	}

CHECKS(ext4, "ext4", slower, dist);
CHECKS(xfs, "xfs", slower, dist);
CHECKS(btrfs, "btrfs", slower, dist);
CHECKS(zfs, "zfs", slower, dist);
CHECKS(nfs, "nfs", slower, dist);
CHECKS(f2fs, "f2fs", slower, dist);
CHECKS(fs, NULL, fsslower, fsdist);

SELFTEST(ext4slower, slower_ext4, inputs);
SELFTEST(xfsslower, slower_xfs, inputs);
SELFTEST(btrfsslower, slower_btrfs, inputs);
SELFTEST(zfsslower, slower_zfs, inputs);
SELFTEST(nfsslower, slower_nfs, inputs);
SELFTEST(f2fsslower, slower_f2fs, inputs);
SELFTEST(fsslower, slower_fs, inputs);

SELFTEST(ext4dist, dist_ext4, .machine_wide = true);
SELFTEST(xfsdist, dist_xfs, .machine_wide = true);
SELFTEST(btrfsdist, dist_btrfs, .machine_wide = true);
SELFTEST(zfsdist, dist_zfs, .machine_wide = true);
SELFTEST(nfsdist, dist_nfs, .machine_wide = true);
SELFTEST(f2fsdist, dist_f2fs, .machine_wide = true);
SELFTEST(fsdist, dist_fs, .machine_wide = true);

static const struct selftest_part file_parts[] = {
	{ NULL, slower, slower_foreign, NULL, work_file }, { }
};
SELFTEST(fileslower, file_parts, inputs);
