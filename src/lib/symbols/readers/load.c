// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/readers/load.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "compat/user/guard.h"
#include "src/lib/symbols/readers/elf_symbols.h"

#define SILENCE_MS 5000			/* for one file */
#define VDSO_MOST (64 << 10)		/* bytes of the image */

struct loading {
	load_fn make;
	const void *arg;
	struct table_taker taker;
};

static void work(void *arg, int to)
{
	const struct loading *l = arg;
	struct table_maker maker = { };
	struct error err = { };

	if (!l->make(&maker, l->arg, &err))
		err = (struct error){ };
	table_send(&maker, to, &err);
}

static void take(void *arg, const void *message, size_t size, int fd)
{
	struct loading *l = arg;

	if (fd >= 0)
		close(fd);
	table_take(&l->taker, message, size);
}

bool load_table(load_fn make, const void *arg, int fd, const volatile sig_atomic_t *stop,
		struct table *table, struct error *why)
{
	struct loading l = { .make = make, .arg = arg };
	const struct guarded g = { .work = work, .take = take, .arg = &l, .opens = true,
				   .file = &fd, .stop = stop, .ms = SILENCE_MS };
	const enum guard_end end = guard_run(&g);
	const int error = errno;
	const bool taken = table_taken(&l.taker, table);

	*why = l.taker.why;
	if (taken && end == GUARD_DONE)
		return true;
	if (taken)
		table_free(table);
	if (end == GUARD_HANGS)
		fail(why, "it can't be read within %d s", SILENCE_MS / 1000);
	else if (end == GUARD_STOPPED)
		fail(why, "interrupted");
	else if (end == GUARD_FAILED && !l.taker.begun)
		fail_with(why, error, "the process that reads it failed, or it is out of memory: "
				      "%m");
	else if (!*why->text)
		fail(why, "reading it ended too early");
	return false;
}

int load_elf(struct table_maker *m, const void *arg, struct error *err)
{
	const struct elf_source *source = arg;

	if (table_want(m, source->wanted, source->n_wanted))
		return fail(err, "out of memory");
	return elf_symbols(m, source, err);
}

static int load_image(struct table_maker *m, const void *from, size_t n, struct error *err)
{
	void *image = malloc(n);
	int result;

	if (!image)
		return fail(err, "out of memory");
	memcpy(image, from, n);
	result = elf_image_symbols(m, image, n, err);
	free(image);
	return result;
}

static int load_from_process(struct table_maker *m, const struct vdso_source *v,
			     struct error *err)
{
	char path[48], image[VDSO_MOST];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)v->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail_with(err, errno, "the process ended, or can't be read: %m");
	n = pread(fd, image, v->size < sizeof(image) ? (size_t)v->size : sizeof(image),
		  (off_t)v->start);
	close(fd);
	return n > 0 ? load_image(m, image, (size_t)n, err) :
		fail(err, "the process ended, or can't be read");
}

/* The least size of the image: up to the end of its section headers. 0: it is too large. */
static size_t own_size(const ElfW(Ehdr) *head)
{
	const size_t n = head->e_shoff + (size_t)head->e_shnum * head->e_shentsize;

	return n < VDSO_MOST ? n : 0;
}

int load_vdso(struct table_maker *m, const void *arg, struct error *err)
{
	const struct vdso_source *v = arg;
	const ElfW(Ehdr) *own = (const void *)getauxval(AT_SYSINFO_EHDR);

	if (v->pid)
		return load_from_process(m, v, err);
	if (!own || !own_size(own))
		return fail(err, "this kernel has none");
	return load_image(m, own, own_size(own), err);
}
