// SPDX-License-Identifier: GPL-2.0
/* What a file is: its form, its machine, its length. */
#include "src/commands/diff/side.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "compat/kernel/kernel.h"
#include "compat/kinds/recorded_sample.h"
#include "compat/recordings/recording.h"
#include "src/run/stop.h"
#include "src/session/source.h"

#define END_MOST (1 << 20)		/* bytes of the last line, and of the text that it is in */

/* ---- recordings ---- */

static void note_sampling(struct diff_file *f, const struct recording *recording)
{
	struct strbuf text = strbuf_over(f->sampling, sizeof(f->sampling));
	unsigned int n;
	const struct recorded_event *e = recording_events(recording, &n);

	for (unsigned int i = 0; i < n; i++)
		if (!e[i].name)
			strbuf_addf(&text, "%s%s %s %llu", text.n ? ", " : "",
				    recorded_counter(&e[i]), e[i].by_frequency ? "at" : "each",
				    (unsigned long long)e[i].rate);
}

struct range {
	uint64_t first, last;
};

static void widen(struct range *to, uint64_t time)
{
	to->first = time < to->first ? time : to->first;
	to->last = time > to->last ? time : to->last;
}

static double length(const struct range *of)
{
	return of->last > of->first ? (double)(of->last - of->first) / NS_PER_SECOND : 0;
}

/* Tasks and losses have times, too: the recorder was there. */
static int read_through(struct diff_file *f, struct recording *recording, struct error *err)
{
	struct range all = { UINT64_MAX, 0 }, events = { UINT64_MAX, 0 };
	struct recorded rec;
	int result;

	while ((result = recording_next(recording, &rec, err)) > 0) {
		if (rec.kind == RECORDED_LOST)
			f->lost += rec.lost.count;
		if (rec.kind == RECORDED_EVENT)
			widen(&events, rec.time);
		if (rec.kind != RECORDED_ROUND && rec.time)
			widen(&all, rec.time);
	}
	f->seconds = length(&all);
	f->events = length(&events);
	return result;
}

static int open_recording(struct diff_file *f, struct error *err)
{
	struct source source = { };
	struct kernel *k = NULL;
	const struct lines *notes;
	int result = source_open(&source, f->path, NULL, &stop_signal, err);

	f->recording = true;
	if (!result) {
		k = source_kernel(&source, NULL, err);
		result = k ? read_through(f, source.recording, err) : -1;
	}
	if (k) {
		text_cut(f->release, sizeof(f->release), "%s", kernel_release(k));
		text_cut(f->machine, sizeof(f->machine), "%s", kernel_arch(k)->name);
		f->cpus = recording_cpus(source.recording);
		note_sampling(f, source.recording);
		notes = recording_notes(source.recording);
		for (unsigned int i = 0; i < notes->n; i++)
			lines_add(&f->notes, "%s", notes->list[i]);
	}
	kernel_free(k);
	source_close(&source);
	return result;
}

/* ---- lines ---- */

/* The last line of a file, from where it begins in `text`. */
static int read_end(FILE *file, char *text, size_t *n)
{
	long size, from;

	if (fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0)
		return -1;
	from = size > END_MOST ? size - END_MOST : 0;
	if (fseek(file, from, SEEK_SET))
		return -1;
	*n = fread(text, 1, END_MOST, file);
	return ferror(file) ? -1 : 0;
}

static int open_lines(struct diff_file *f, FILE *file, enum diff_side side, struct diff_reader *r,
		      struct error *err)
{
	char *text = malloc(END_MOST), *begin;
	size_t n;
	int result;

	if (!text)
		return fail(err, "out of memory");
	if (read_end(file, text, &n)) {
		free(text);
		return fail_with(err, errno, "it can't be read: %m");
	}
	n -= n && text[n - 1] == '\n';
	begin = n ? memrchr(text, '\n', n) : NULL;
	begin = begin ? begin + 1 : text;
	result = diff_read_end(r, side, begin, n - (size_t)(begin - text));
	free(text);
	f->seconds = r->ends[side].seconds;
	if (!result && !f->seconds)
		return fail(err, "it does not tell how long the run was: its last line has no "
				 "ran_ms, which sonde writes since it has diff");
	return result;
}

int diff_file_open(struct diff_file *f, enum diff_side side, struct diff_reader *r,
		   struct error *err)
{
	FILE *file;
	int c, result;

	if (!strcmp(f->path, "-"))
		return fail(err, "a pipe can't be read twice, as diff does: write a file");
	if (recording_is(f->path)) {
		if (open_recording(f, err))
			return -1;
		return f->seconds > 0 ? 0 :
		       fail(err, "it has fewer than two events: without a length there are no "
				 "rates to compare");
	}
	file = fopen(f->path, "re");
	if (!file)
		return fail_with(err, errno, "it can't be read: %m");
	c = fgetc(file);
	if (c == '{')
		result = open_lines(f, file, side, r, err);
	else if (ferror(file))
		result = fail_with(err, errno, "it can't be read: %m");
	else
		result = fail(err, "it is neither a recording (sonde record, perf record, "
				   "trace-cmd record) nor the JSON of a tool (--json, --tee)");
	fclose(file);
	return result;
}

/* The tool runs from the first event to the last one; its time has whole ms. */
void diff_file_ran(struct diff_file *f, double seconds)
{
	if (!f->recording || seconds <= 0 || seconds + 0.1 > f->events)
		return;
	f->seconds = seconds;
	lines_add(&f->notes, "the tool ended after %.3f s of it", seconds);
}

void diff_file_free(struct diff_file *f)
{
	lines_free(&f->notes);
}
