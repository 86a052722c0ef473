// SPDX-License-Identifier: GPL-2.0
#include "src/commands/convert.h"

#include <string.h>
#include <unistd.h>

#include "src/commands/commands.h"
#include "src/commands/convert/perfetto.h"
#include "src/lib/output/sink.h"
#include "src/run/stop.h"
#include "src/run/tools.h"
#include "src/session/session.h"

/* A format: samples are what the tool `profile` makes of them, events have a writer. */
static const struct format_to {
	const char *name;
	const char *option;		/* of profile, which takes the file; NULL: rows are it */
	int (*events)(const char *file, FILE *to, struct error *err);	/* NULL: of samples */
} formats_to[] = {
	{ "pprof", "--pprof", NULL },
	{ "speedscope", "--speedscope", NULL },
	{ "folded", NULL, NULL },
	{ "perfetto", NULL, convert_perfetto },
};
#define FORMATS_TO (sizeof(formats_to) / sizeof(formats_to[0]))

struct asked {
	const char *file, *to, *output;
	const struct format_to *format;
};

static bool is_stream(const char *path)
{
	return !path || !strcmp(path, "-");
}

/* Its rows are the output, or they are of no use beside the file that its option writes. */
static int samples(const struct asked *a, struct error *err)
{
	const char *option = a->format->option;
	char *argv[] = { "profile", "--input", (char *)a->file, option ? (char *)option :
			 "--folded", option ? (char *)a->output : NULL, NULL };
	const char *rows = option ? "/dev/null" : a->output;

	if (option && is_stream(a->output))
		return fail(err, "convert: --to %s needs a file: -o FILE", a->format->name);
	if (!is_stream(rows) && sink_into(rows, err))
		return -1;
	return session_main(tool_named("profile"), option ? 5 : 4, argv);
}

static int events(const struct asked *a, struct error *err)
{
	FILE *to;

	if (!a->output && isatty(STDOUT_FILENO))
		return fail(err, "convert: --to %s would write bytes on a terminal: give a file, "
			    "-o FILE", a->format->name);
	to = is_stream(a->output) ? sink_rows() : sink_file("output", a->output, err);
	stop_on_signals();
	return !to || a->format->events(a->file, to, err) ? -1 : 0;
}

int convert_main(int argc, char **argv)
{
	struct asked a = { };
	const struct command_option options[] = {
		{ NULL, "--to", &a.to }, { "-o", "--output", &a.output }, { }
	};
	struct error err = { };
	int result;

	if (command_words(argc, argv, options, &a.file))
		return 2;
	for (size_t i = 0; a.to && i < FORMATS_TO; i++)
		if (!strcmp(formats_to[i].name, a.to))
			a.format = &formats_to[i];
	if (!a.format)
		return command_misused(argv[0]);
	result = (a.format->events ? events : samples)(&a, &err);
	return result < 0 ? command_failed(&err) : result;
}
