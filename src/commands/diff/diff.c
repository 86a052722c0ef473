// SPDX-License-Identifier: GPL-2.0
/*
 * `sonde diff`: what two recordings have of the same tool. A tool learns nothing of it: sondes in
 * child processes run it, and their lines are added up here.
 */
#include "src/commands/diff/diff.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/commands/diff/options.h"
#include "src/commands/diff/report.h"
#include "src/commands/diff/side.h"
#include "src/lib/output/sink.h"
#include "src/run/stop.h"
#include "src/toolkit/picture.h"

struct diff {
	struct diff_options options;
	struct diff_file files[DIFF_SIDES];
	struct diff_reader reader;
	struct picture *picture;
	struct flame_look look;
	int status;			/* of a tool that failed, and has told why */
	bool misused;
};

static int open_files(struct diff *d, struct error *err)
{
	bool lines = false;

	for (unsigned int i = 0; i < DIFF_SIDES; i++) {
		struct error why = { };

		d->files[i].path = d->options.paths[i];
		d->reader.err = &why;
		if (diff_file_open(&d->files[i], (enum diff_side)i, &d->reader, &why))
			return fail(err, "%s: %s", d->files[i].path, why.text);
		lines |= !d->files[i].recording;
	}
	if (stop_signal)
		return fail(err, "a signal ended it before both files were read: nothing is "
				 "compared");
	if (!lines || !*d->options.words)
		return 0;
	d->misused = true;
	return fail(err, "options of %s do nothing: lines that a tool wrote are compared as they "
			 "are", d->options.tool->name);
}

/* Rows of two option lists have different columns; no key of one is in the other then. */
static int check_columns(const struct diff *d, struct error *err)
{
	const struct diff_reader *r = &d->reader;

	for (unsigned int i = 0; i < r->n_by; i++) {
		bool heard = !r->lines[DIFF_OLD] && !r->lines[DIFF_NEW];

		for (unsigned int j = 0; j < r->n_members; j++)
			heard |= r->members[j].heard && !strcmp(r->members[j].name, r->by[i]);
		if (!heard)
			return fail(err, "--by: no row of %s has a column %s; --json shows the "
					 "names", d->options.tool->name, r->by[i]);
	}
	for (unsigned int i = 0; i < r->n_members; i++) {
		const struct diff_member *m = &r->members[i];

		if (m->use == USE_KEY && m->sides[DIFF_OLD] != m->sides[DIFF_NEW] &&
		    r->table.n_measures && r->lines[DIFF_OLD] && r->lines[DIFF_NEW] &&
		    (m->sides[DIFF_OLD] || m->sides[DIFF_NEW]))
			return fail(err, "only rows of %s have a column %s: both runs need the "
					 "same options", d->files[m->sides[DIFF_NEW]].path,
				    m->name);
	}
	return 0;
}

/* ---- the picture ---- */

static int open_picture(struct diff *d, struct error *err)
{
	if (!d->options.flame)
		return 0;
	d->reader.flame = flame_new();
	if (!d->reader.flame)
		return fail(err, "out of memory");
	d->picture = picture_open(d->options.tool->name, "flame", d->options.flame, err);
	return d->picture ? 0 : -1;
}

static int draw(FILE *file, void *arg, struct error *err)
{
	struct diff *d = arg;

	return flame_svg(file, d->reader.flame, &d->look, err);
}

static int save_picture(struct diff *d, struct error *err)
{
	char title[256];

	if (!d->picture)
		return 0;
	if (!d->reader.stacks[DIFF_OLD] && !d->reader.stacks[DIFF_NEW])
		return fail(err, "--flame: %s showed no stacks", d->options.tool->name);
	if (!flame_total(d->reader.flame, FLAME_NEW))
		return fail(err, "--flame: there is nothing to draw: only %s has stacks",
			    d->files[DIFF_OLD].path);
	text_cut(title, sizeof(title), "%s: %s", d->options.tool->name,
		 d->files[DIFF_NEW].path);
	d->look = (struct flame_look){
		.title = title, .unit = d->reader.unit, .old = d->files[DIFF_OLD].path,
		.width = FLAME_WIDTH, .narrowest = FLAME_NARROWEST,
		.seconds = { [FLAME_NEW] = d->files[DIFF_NEW].seconds,
			     [FLAME_OLD] = d->files[DIFF_OLD].seconds },
	};
	return picture_save(d->picture, draw, d, err);
}

/* ---- all ---- */

static int compare(struct diff *d, struct error *err)
{
	d->reader.tool = d->options.tool;
	d->reader.n_by = d->options.n_by;
	memcpy(d->reader.by, d->options.by, sizeof(d->reader.by));
	diff_reader_init(&d->reader);
	stop_on_signals();
	signal(SIGPIPE, SIG_IGN);
	if (open_picture(d, err) || open_files(d, err) ||
	    diff_files_read(d->files, &d->reader, d->options.words, &d->status, err))
		return -1;
	for (unsigned int i = 0; i < DIFF_SIDES; i++)
		diff_file_ran(&d->files[i], d->reader.ends[i].seconds);
	return check_columns(d, err) ||
	       diff_report(sink_rows(), &d->options, d->files, &d->reader, err) ||
	       save_picture(d, err) ? -1 : 0;
}

static int run(struct diff *d, char **argv, struct error *err)
{
	if (diff_options_read(&d->options, argv, err)) {
		d->misused = true;
		return -1;
	}
	if (d->options.help) {
		diff_help(sink_out());
		return 0;
	}
	return compare(d, err);
}

int diff_main(int argc, char **argv)
{
	struct diff *d = calloc(1, sizeof(*d));
	struct error err = { };
	int status;

	if (!d)
		return 1;
	(void)argc;
	status = run(d, argv, &err) ? 1 : 0;
	if (*err.text) {
		sink_complain("sonde: diff: ", &err);
		if (d->misused)
			fputs("`sonde help diff` lists its options\n", sink_err());
		status = d->misused ? 2 : 1;
	} else if (status) {
		status = d->status ? d->status : 1;
	}
	picture_close(d->picture);
	flame_free(d->reader.flame);
	diff_reader_free(&d->reader);
	for (unsigned int i = 0; i < DIFF_SIDES; i++)
		diff_file_free(&d->files[i]);
	diff_options_free(&d->options);
	free(d);
	return status;
}
