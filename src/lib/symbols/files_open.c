// SPDX-License-Identifier: GPL-2.0
/*
 * Files that processes have mapped are opened in a process of its own: a file may be on a server
 * that does not answer.
 */
#include "src/lib/symbols/files_internal.h"

#include <errno.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/user/guard.h"
#include "compat/user/open_file.h"
#include "src/lib/symbols/readers/elf_symbols.h"
#include "src/lib/symbols/recorded/recorded_files.h"

#define SILENCE_MS 5000
#define HANGS_MOST 3		/* files that hang, before the rest is given up */
#define OVERLAY_INODE ((uint64_t)-1 >> 8)

struct opening {
	struct files *files;
	uint32_t from, to;		/* files with smaller indices were tried; the end */
};

struct opened {
	uint32_t index;
	bool found;			/* false: the process only begins to open it */
	bool identified;
	uint8_t build_id[BUILD_ID];
};

/*
 * Overlayfs with xino=on puts the number of the layer's file system into the upper bits of st_ino.
 * Events and maps of older kernels, such as 6.1, show the layer's own inode number.
 */
static bool is_inode(const struct stat *st, uint64_t inode)
{
	return st->st_ino == inode || (!major(st->st_dev) && (st->st_ino & OVERLAY_INODE) == inode);
}

/*
 * Returns true if the open file is the mapped file. Inode numbers are reused, so the generation is
 * compared too. Btrfs shows another device in stat(2) than in maps, with major number 0: such
 * devices are not compared.
 */
static bool is_right(int fd, const struct file *file, bool own_root)
{
	int generation[2] = { };
	struct stat st;

	if (fstat(fd, &st) || (file->key.inode && !is_inode(&st, file->key.inode)))
		return false;
	if (own_root && file->key.inode && major(st.st_dev) &&
	    st.st_dev != makedev(file->key.major, file->key.minor))
		return false;
	return !file->key.inode || !file->key.generation ||
		ioctl(fd, FS_IOC_GETVERSION, generation) ||
		(uint32_t)generation[0] == (uint32_t)file->key.generation;
}

static int open_right(const char *path, const struct file *file, bool own_root)
{
	int fd = open_file(path);

	if (fd >= 0 && !(file->key.identified ? recorded_file_is(fd, file->key.build_id) :
			 is_right(fd, file, own_root))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/*
 * Tries four paths. The first is the mapped file itself: only root can open it, and before 4.3 only
 * if the kernel was built with CONFIG_CHECKPOINT_RESTORE. Then come the program that the process
 * runs, the file's path in the root of the process, and the path in sonde's own root.
 */
static int open_mapped(const struct files *f, const struct file *file)
{
	char path[PATH_MAX];
	int fd = -1;

	if (f->recording && !f->proc)
		return recorded_file_open(f->symfs, file->path, file->key.build_id);
	if (f->proc) {
		snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", file->by.pid,
			 (unsigned long long)file->by.start, (unsigned long long)file->by.end);
		fd = open_right(path, file, false);
		if (fd >= 0)
			return fd;
		snprintf(path, sizeof(path), "/proc/%u/exe", file->by.pid);
		fd = open_right(path, file, true);
		if (fd >= 0)
			return fd;
		if (snprintf(path, sizeof(path), "/proc/%u/root%s", file->by.pid, file->path) <
		    PATH_MAX)
			fd = open_right(path, file, false);
	}
	return fd >= 0 ? fd : open_right(file->path, file, true);
}

static void open_all(void *arg, int to)
{
	const struct opening *o = arg;

	for (uint32_t i = o->from; i < o->to; i++) {
		struct opened said = { .index = i };
		int fd;

		guard_send(to, &said, sizeof(said), -1);
		fd = open_mapped(o->files, &o->files->files[i]);
		if (fd < 0)
			continue;
		said.found = true;
		said.identified = o->files->identify && !symbols_build_id(fd, said.build_id);
		guard_send(to, &said, sizeof(said), fd);
		close(fd);
	}
}

static struct image *image_like(struct files *f, const struct stat *st)
{
	for (uint32_t i = 0; i < f->n_images; i++) {
		struct image *m = &f->images[i];

		if (m->ino == st->st_ino && m->dev == st->st_dev && m->size == st->st_size &&
		    m->changed.tv_sec == st->st_mtim.tv_sec &&
		    m->changed.tv_nsec == st->st_mtim.tv_nsec)
			return m;
	}
	return NULL;
}

/* Takes over fd. It is closed if there is no room for the file, or if the file is known already. */
static void keep_image(struct files *f, uint32_t index, int fd)
{
	struct image *m;
	struct stat st;

	if (fstat(fd, &st)) {
		lacks_add(&f->lacks, errno, "%s: %s", f->files[index].path, strerror(errno));
		close(fd);
		return;
	}
	m = image_like(f, &st);
	if (m || f->n_open == f->open_most ||
	    array_room(&f->images, f->n_images, sizeof(*f->images))) {
		close(fd);
		if (!m)
			lacks_add(&f->lacks, 0, "more than %u files are mapped: the symbols of "
						"further files are unknown", f->open_most);
		f->files[index].image = m ? (int32_t)(m - f->images) : -1;
		return;
	}
	f->n_open++;
	f->images[f->n_images] = (struct image){
		.dev = st.st_dev, .ino = st.st_ino, .size = st.st_size, .changed = st.st_mtim,
		.fd = fd, .number = FILES_FIRST + index,
	};
	f->files[index].image = (int32_t)f->n_images++;
}

static void take_opened(void *arg, const void *message, size_t size, int fd)
{
	struct opening *o = arg;
	const struct opened *said = message;

	if (size != sizeof(*said) || said->index >= o->files->n ||
	    (said->found && (fd < 0 || o->files->files[said->index].image >= 0))) {
		if (fd >= 0)
			close(fd);
		return;
	}
	o->from = said->index + 1;
	if (!said->found)
		return;
	o->files->files[said->index].identified = said->identified;
	memcpy(o->files->files[said->index].build_id, said->build_id, BUILD_ID);
	keep_image(o->files, said->index, fd);
}

void files_open_range(struct files *f, uint32_t from, uint32_t to)
{
	struct opening o = { .files = f, .from = from, .to = to };
	const struct guarded g = { .work = open_all, .take = take_opened, .arg = &o,
				   .opens = true, .stop = f->stop, .ms = SILENCE_MS };
	enum guard_end end = GUARD_HANGS;

	for (unsigned int i = 0; o.from < to && end == GUARD_HANGS && i < HANGS_MOST; i++) {
		const uint32_t before = o.from;

		end = guard_run(&g);
		if (end == GUARD_HANGS && o.from > before)
			lacks_add(&f->lacks, 0, "%s: it can't be opened within %d s",
				  f->files[o.from - 1].path, SILENCE_MS / 1000);
	}
	if (o.from < to && (end == GUARD_HANGS || end == GUARD_FAILED))
		lacks_add(&f->lacks, end == GUARD_FAILED ? errno : 0,
			  "%u files could not be opened: their symbols are unknown%s%s",
			  to - o.from, end == GUARD_FAILED ? ": " : "",
			  end == GUARD_FAILED ? strerror(errno) : "");
}

void files_open(struct files *f)
{
	if (f->recording)
		return;		/* they are opened when they are asked for */
	files_open_range(f, f->opened, f->n);
	f->opened = f->n;
}
