// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/strbuf.h"

struct picture {
	const char *who, *option, *path;
	/* of the file, even if its path changes; -1: none */
	int folder;
	const char *name;		/* of the file in the folder */
	char *temporary;		/* in the folder; it becomes the file */
};

/* The command line; words with blanks are in quotes. */
char *picture_command(const struct run *r)
{
	struct strbuf line = { };

	strbuf_addf(&line, "sonde %s", r->tool->name);
	for (char *const *word = options_words(r->options) + 1; *word; word++)
		strbuf_addf(&line, strpbrk(*word, " \t") ? " '%s'" : " %s", *word);
	return strbuf_take(&line);
}

static int can_not_write(const struct picture *p, struct error *err)
{
	return fail_with(err, errno, "%s: can't write %s: %m\ngive --%s a file in a directory you "
			 "may write to", p->who, p->path, p->option);
}

/* A new file of our own, even if others have put one there. */
static FILE *open_temporary(const struct picture *p)
{
	int fd = openat(p->folder, p->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC |
			O_NOFOLLOW, 0666);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (fd >= 0 && !file)
		close(fd);
	return file;
}

int picture_save(struct picture *p, int (*draw)(FILE *file, void *arg, struct error *err),
		 void *arg, struct error *err)
{
	FILE *file = open_temporary(p);
	int drawn;
	bool failed;

	if (!file)
		return can_not_write(p, err);
	drawn = draw(file, arg, err);
	failed = ferror(file);
	/* The error of a full disk may come with the close. */
	failed |= fclose(file);
	if (!drawn && !failed && !renameat(p->folder, p->temporary, p->folder, p->name))
		return 0;
	if (!drawn)
		can_not_write(p, err);
	unlinkat(p->folder, p->temporary, 0);
	return -1;
}

/* A picture that exists stays until the new one is complete. */
static int try_path(struct picture *p, struct error *err)
{
	const char *slash = strrchr(p->path, '/');
	char *folder = slash ? strndup(p->path, (size_t)(slash - p->path) + 1) : strdup(".");
	struct stat s;
	FILE *file;

	p->name = slash ? slash + 1 : p->path;
	if (!folder || asprintf(&p->temporary, "%s.%d.new", p->name, (int)getpid()) < 0) {
		p->temporary = NULL;
		free(folder);
		return fail(err, "out of memory");
	}
	p->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	if (p->folder < 0)
		return can_not_write(p, err);
	if (!fstatat(p->folder, p->name, &s, AT_SYMLINK_NOFOLLOW) && !S_ISREG(s.st_mode))
		return fail(err, "%s: %s is not a regular file, and would be replaced\ngive --%s "
				 "another name",
			    p->who, p->path, p->option);
	file = open_temporary(p);
	if (!file)
		return can_not_write(p, err);
	fclose(file);
	unlinkat(p->folder, p->temporary, 0);
	return 0;
}

struct picture *picture_open(const char *who, const char *option, const char *path,
			     struct error *err)
{
	struct picture *p = calloc(1, sizeof(*p));

	if (!p) {
		fail(err, "out of memory");
		return NULL;
	}
	p->who = who;
	p->option = option;
	p->path = path;
	p->folder = -1;
	if (!try_path(p, err))
		return p;
	picture_close(p);
	return NULL;
}

void picture_close(struct picture *p)
{
	if (!p)
		return;
	if (p->folder >= 0)
		close(p->folder);
	free(p->temporary);
	free(p);
}
