// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/heat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/output/heatmap.h"
#include "src/output/terminal.h"

#define FILE_COLUMNS 600		/* then they are merged in pairs */
#define SCREEN_COLUMNS 512		/* then the oldest are dropped */
#define SAVE_NS 10000000000LL		/* a SIGKILL loses no more than this ... */
#define SAVE_SHARE 50		/* ... unless writing took more than this part of the time */

struct heat {
	struct heatmap *map;
	const char *path;		/* NULL: it goes to the terminal */
	/* of the file, even if its path changes; -1: none */
	int folder;
	const char *name;		/* of the file in the folder */
	char *temporary;		/* in the folder; it becomes the file */
	bool live;			/* on the alternate screen; otherwise line by line */
	bool on;			/* heat_begin() was called, heat_end() was not */
	struct heatmap_lines lines;
	int64_t start;			/* of the interval, ns since the epoch */
	int64_t save_again;		/* CLOCK_MONOTONIC */
	uint64_t lost;			/* up to the last column */
	char *command, host[65];	/* for the picture's title */
};

/* The command line; words with blanks are in quotes. */
static char *command_line(const struct run *r)
{
	char *line = NULL;
	size_t size;
	FILE *file = open_memstream(&line, &size);

	if (!file)
		return NULL;
	fprintf(file, "sonde %s", r->tool->name);
	for (char *const *word = r->argv + 1; *word; word++)
		fprintf(file, strpbrk(*word, " \t") ? " '%s'" : " %s", *word);
	fclose(file);
	return line;
}

static int can_not_write(const struct run *r, struct error *err)
{
	return fail(err, "%s: can't write %s: %s\ngive --heatmap a file in a directory you may "
			 "write to", r->tool->name,
		    r->heat->path, strerror(errno));
}

/* A new file of our own, even if others have put one there. */
static FILE *open_temporary(const struct heat *h)
{
	int fd = openat(h->folder, h->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC |
			O_NOFOLLOW, 0666);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (fd >= 0 && !file)
		close(fd);
	return file;
}

static int save(struct run *r, struct error *err)
{
	struct heat *h = r->heat;
	int64_t begin = clock_ns(CLOCK_MONOTONIC), took;
	FILE *file = open_temporary(h);
	bool failed;

	if (!file)
		return can_not_write(r, err);
	heatmap_svg(file, h->map);
	failed = ferror(file);
	/* The error of a full disk may come with the close. */
	if ((fclose(file) | failed) || renameat(h->folder, h->temporary, h->folder, h->name)) {
		can_not_write(r, err);
		unlinkat(h->folder, h->temporary, 0);
		return -1;
	}
	took = SAVE_SHARE * (clock_ns(CLOCK_MONOTONIC) - begin);
	h->save_again = begin + (took > SAVE_NS ? took : SAVE_NS);
	return 0;
}

/* A picture that exists stays until the new one is complete. */
static int try_path(struct run *r, struct error *err)
{
	struct heat *h = r->heat;
	const char *slash = strrchr(h->path, '/');
	char *folder = slash ? strndup(h->path, (size_t)(slash - h->path) + 1) : strdup(".");
	struct stat s;
	FILE *file;

	h->name = slash ? slash + 1 : h->path;
	if (!folder || asprintf(&h->temporary, "%s.%d.new", h->name, (int)getpid()) < 0) {
		h->temporary = NULL;
		free(folder);
		return fail(err, "out of memory");
	}
	h->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	if (h->folder < 0)
		return can_not_write(r, err);
	if (!fstatat(h->folder, h->name, &s, AT_SYMLINK_NOFOLLOW) && !S_ISREG(s.st_mode))
		return fail(err, "%s: %s is no regular file, and would be replaced\ngive --heatmap "
				 "another name",
			    r->tool->name, h->path);
	file = open_temporary(h);
	if (!file)
		return can_not_write(r, err);
	fclose(file);
	unlinkat(h->folder, h->temporary, 0);
	return 0;
}

int heat_open(struct run *r, struct error *err)
{
	struct heat *h;

	if (!option_given(r->options, "heatmap"))
		return 0;
	r->heat = h = calloc(1, sizeof(*h));
	if (!h)
		return fail(err, "out of memory");
	h->folder = -1;
	h->path = option_text(r->options, "heatmap");
	h->live = !h->path && isatty(STDOUT_FILENO) &&
		terminal_colours(getenv("TERM"), getenv("COLORTERM"), getenv("NO_COLOR"));
	h->map = heatmap_new(r->tool->name, h->path ? FILE_COLUMNS : SCREEN_COLUMNS, h->path);
	h->command = command_line(r);
	if (!h->map || !h->command)
		return fail(err, "out of memory");
	h->map->command = h->command;
	h->map->zone = r->zone;
	h->map->host = gethostname(h->host, sizeof(h->host) - 1) ? NULL : h->host;
	return h->path ? try_path(r, err) : 0;
}

/* A picture is written in one piece: half a picture on a terminal flickers. */
static void show(struct run *r, bool live)
{
	struct heat *h = r->heat;
	struct heatmap_look look = {
		.colours = terminal_colours(getenv("TERM"), getenv("COLORTERM"),
					    getenv("NO_COLOR")),
		.blocks = terminal_utf8(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG")),
	};
	char *picture = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&picture, &size);

	if (!file)
		return;
	terminal_size(STDOUT_FILENO, &look.width, &look.height);
	if (h->live)
		heatmap_draw(file, h->map, &look, live);
	else
		heatmap_print(file, h->map, look.width, &h->lines);
	if (!fclose(file))
		output_picture(r->output, picture, size);
	free(picture);
}

void heat_begin(struct run *r)
{
	struct heat *h = r->heat;

	if (!h)
		return;
	h->on = true;
	h->start = clock_ns(CLOCK_REALTIME);
	h->save_again = clock_ns(CLOCK_MONOTONIC) + SAVE_NS;
	output_map(r->output, h->map, !h->path);
	if (h->live) {
		terminal_enter(STDOUT_FILENO);
		show(r, true);
	}
}

/* What was lost since the last column: the time is not known more exactly. */
static uint64_t newly_lost(struct run *r)
{
	struct engine_stats s = { };
	uint64_t lost, before = r->heat->lost;

	r->backend->stats(r->engine, &s);
	lost = s.lost + s.late + s.full + s.missed;
	r->heat->lost = lost > before ? lost : before;
	return lost > before ? lost - before : 0;
}

void heat_interval(struct run *r)
{
	struct heat *h = r->heat;
	struct heatmap_column column;

	if (!h || !h->on)
		return;
	column = (struct heatmap_column){ h->start, r->interval_clock, newly_lost(r) };
	heatmap_end_column(h->map, &column);
	h->start = r->interval_clock;
	/* If it can't be written now, perhaps it can at the end, where an error is reported. */
	if (h->path && clock_ns(CLOCK_MONOTONIC) >= h->save_again)
		save(r, NULL);
	else if (!h->path)
		show(r, true);
}

void heat_poll(struct run *r)
{
	if (r->heat && r->heat->live && terminal_changed())
		show(r, true);
}

int heat_end(struct run *r, struct error *err)
{
	struct heat *h = r->heat;

	if (!h || !h->on)
		return 0;
	h->on = false;
	if (h->live) {
		terminal_leave();
		show(r, false);
	}
	output_map(r->output, NULL, false);
	if (h->path && save(r, err))
		return -1;
	return h->map->failed ? fail(err, "%s: out of memory: the heat map is not complete",
				     r->tool->name) : 0;
}

void heat_free(struct run *r)
{
	if (!r->heat)
		return;
	heatmap_free(r->heat->map);
	if (r->heat->folder >= 0)
		close(r->heat->folder);
	free(r->heat->temporary);
	free(r->heat->command);
	free(r->heat);
	r->heat = NULL;
}
