// SPDX-License-Identifier: GPL-2.0
#include "src/commands/bootchart.h"

#include <string.h>

#include "compat/base/text.h"
#include "src/commands/boot/chart_events.h"
#include "src/commands/commands.h"
#include "src/lib/output/sink.h"
#include "src/run/stop.h"
#include "src/session/source.h"
#include "src/toolkit/picture.h"

struct drawn {
	const struct chart *chart;
	struct chart_look look;
};

static int draw(FILE *file, void *arg, struct error *err)
{
	const struct drawn *d = arg;

	return chart_svg(file, d->chart, &d->look, err);
}

static int put(const struct drawn *d, const char *output, struct error *err)
{
	struct picture *picture;
	int result;

	if (!output)
		return chart_print(sink_out(), d->chart, &d->look, err);
	if (!strcmp(output, "-"))
		return chart_svg(sink_out(), d->chart, &d->look, err);
	picture = picture_open("bootchart", "output", output, err);
	result = picture ? picture_save(picture, draw, (void *)d, err) : -1;
	picture_close(picture);
	return result;
}

static int chart(struct source *s, struct kernel *k, const char *output, struct error *err)
{
	const char *slash = strrchr(s->records, '/'), *release = kernel_release(k);
	struct drawn d = { .look.notes = recording_notes(s->recording) };
	struct chart_events events;
	struct chart *c = chart_new();
	char title[300];
	int result = c ? chart_events_read(s->recording, k, c, &events, err) :
		     fail(err, "out of memory");

	if (!result && chart_is_empty(c))
		result = fail(err, "%s has no events that a chart is made of", s->records);
	if (!result) {
		text_cut(title, sizeof(title), "%s: Linux %s on %s", slash ? slash + 1 : s->records,
			 *release ? release : "of an unknown release", kernel_arch(k)->name);
		d.chart = c;
		d.look.title = title;
		d.look.switches = events.switches;
		d.look.disks = events.disks;
		result = put(&d, output, err);
	}
	chart_free(c);
	return result;
}

static int show(const char *file, const char *output, struct error *err)
{
	struct source source;
	struct kernel *k = NULL;
	int result = source_open(&source, file, NULL, &stop_signal, err);

	if (!result) {
		k = source_kernel(&source, NULL, err);
		result = k ? chart(&source, k, output, err) : -1;
	}
	kernel_free(k);
	source_close(&source);
	return result;
}

int bootchart_main(int argc, char **argv)
{
	const char *file = NULL, *output = NULL;
	const struct command_option options[] = { { "-o", "--output", &output }, { } };
	struct error err = { };

	if (command_words(argc, argv, options, &file))
		return 2;
	stop_on_signals();
	return show(file, output, &err) ? command_failed(&err) : 0;
}
