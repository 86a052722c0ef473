// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/heat.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/lib/output/heatmap.h"
#include "src/lib/output/terminal.h"
#include "src/run/options/common.h"
#include "src/toolkit/picture.h"

#define FILE_COLUMNS 600		/* then they are merged in pairs */
#define SCREEN_COLUMNS 512		/* then the oldest are dropped */
#define SAVE_NS 10000000000LL		/* a SIGKILL loses no more than this ... */
#define SAVE_SHARE 50		/* ... unless writing took more than this part of the time */
#define SECOND_UNIT "msecs"		/* of HEAT_SLOT_MS */

struct heat {
	struct heatmap *map;
	struct picture *file;		/* NULL: it goes to the terminal */
	bool live;			/* on the alternate screen; otherwise line by line */
	bool on;			/* heat_begin() was called, heat_end() was not */
	struct heatmap_lines lines;
	int64_t start;			/* of the interval, ns since the epoch */
	int64_t save_again;		/* CLOCK_MONOTONIC */
	uint64_t lost;			/* up to the last column */
	char *command, host[65];	/* for the picture's title */
};

static int draw(FILE *file, void *map, struct error *err)
{
	(void)err;
	heatmap_svg(file, map);
	return 0;
}

static int save(struct heat *h, struct error *err)
{
	int64_t begin = clock_ns(CLOCK_MONOTONIC), took;

	if (picture_save(h->file, draw, h->map, err))
		return -1;
	took = SAVE_SHARE * (clock_ns(CLOCK_MONOTONIC) - begin);
	h->save_again = begin + (took > SAVE_NS ? took : SAVE_NS);
	return 0;
}

static int heat_open(struct run *r, void **state, struct error *err)
{
	const char *path = common_of(r->options)->heatmap;
	struct heat *h;

	if (!common_of(r->options)->heatmap_given)
		return 0;
	*state = h = calloc(1, sizeof(*h));
	if (!h)
		return fail(err, "out of memory");
	h->live = !path && isatty(STDOUT_FILENO) &&
		terminal_colours(getenv("TERM"), getenv("COLORTERM"), getenv("NO_COLOR"));
	h->map = heatmap_new(r->tool->name, path ? FILE_COLUMNS : SCREEN_COLUMNS, path);
	h->command = picture_command(r);
	if (!h->map || !h->command)
		return fail(err, "out of memory");
	if (r->tool->seconds) {
		h->map->slots = HEAT_SLOTS;
		h->map->step = HEAT_SLOT_MS;
	}
	h->map->command = h->command;
	h->map->zone = r->time.zone;
	h->map->host = gethostname(h->host, sizeof(h->host) - 1) ? NULL : h->host;
	if (path)
		h->file = picture_open(r->tool->name, "heatmap", path, err);
	return path && !h->file ? -1 : 0;
}

/* A picture is written in one piece: half a picture on a terminal flickers. */
static void show(struct run *r, bool live)
{
	struct heat *h = run_listener_state(r, &heat_listener);
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

static void heat_begin(struct run *r)
{
	struct heat *h = run_listener_state(r, &heat_listener);

	h->on = true;
	h->start = clock_ns(CLOCK_REALTIME);
	h->save_again = clock_ns(CLOCK_MONOTONIC) + SAVE_NS;
	output_map(r->output, h->map, !h->file);
	if (h->live) {
		terminal_enter(STDOUT_FILENO);
		show(r, true);
	}
}

/* counts: those of a second; NULL: the tool's histograms had them. */
static void end_column(struct run *r, int64_t start, int64_t end, const uint64_t *counts)
{
	struct heat *h = run_listener_state(r, &heat_listener);
	/* The time of a loss is not known more exactly. */
	const struct heatmap_column column = { start, end, run_newly_lost(r, &h->lost) };

	heatmap_end_column(h->map, &column);
	output_map_column(r->output, &column, counts ? SECOND_UNIT : NULL, counts);
	/* If it can't be written now, perhaps it can at the end, where an error is reported. */
	if (h->file && clock_ns(CLOCK_MONOTONIC) >= h->save_again)
		save(h, NULL);
	else if (!h->file)
		show(r, true);
}

static int heat_interval(struct run *r, struct error *err)
{
	struct heat *h = run_listener_state(r, &heat_listener);

	(void)err;
	if (!h->on || r->tool->seconds)
		return 0;
	end_column(r, h->start, run_interval_clock(r), NULL);
	h->start = run_interval_clock(r);
	return 0;
}

void heat_second(struct run *r, int64_t start, const uint64_t counts[HEAT_SLOTS])
{
	struct heat *h = run_listener_state(r, &heat_listener);
	struct hist hist = { };

	memcpy(hist.slots, counts, HEAT_SLOTS * sizeof(*counts));
	heatmap_add(h->map, SECOND_UNIT, NULL, &hist);
	end_column(r, start, start + NS_PER_SECOND, counts);
}

/* The size of the window may have changed. */
static int heat_poll(struct run *r, struct error *err)
{
	const struct heat *h = run_listener_state(r, &heat_listener);

	(void)err;
	if (h->live && terminal_changed())
		show(r, true);
	return 0;
}

/* Writes the picture and restores the terminal. */
static int heat_end(struct run *r, struct error *err)
{
	struct heat *h = run_listener_state(r, &heat_listener);

	if (!h->on)
		return 0;
	h->on = false;
	if (h->live) {
		terminal_leave();
		show(r, false);
	}
	output_map(r->output, NULL, false);
	if (h->file && save(h, err))
		return -1;
	return h->map->failed ? fail(err, "%s: out of memory: the heat map is not complete",
				     r->tool->name) : 0;
}

static void heat_free(void *state)
{
	struct heat *h = state;

	heatmap_free(h->map);
	picture_close(h->file);
	free(h->command);
	free(h);
}

/* A map of one column is none. */
static int64_t heat_every(const struct run *r, int64_t ns)
{
	(void)r;
	return ns ? ns : NS_PER_SECOND;
}

const struct run_listener heat_listener = {
	.open = heat_open, .every = heat_every, .begin = heat_begin, .poll = heat_poll,
	.interval = heat_interval, .end = heat_end, .free = heat_free,
};
