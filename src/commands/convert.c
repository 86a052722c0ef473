// SPDX-License-Identifier: GPL-2.0
#include "src/commands/convert.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/escape.h"
#include "src/commands/commands.h"
#include "src/commands/convert/formats.h"
#include "src/lib/options/words.h"
#include "src/lib/output/sink.h"
#include "src/run/stop.h"
#include "src/run/tools.h"
#include "src/session/session.h"

/* A format: sums of samples are what the tool `profile` makes, all in time has a writer. */
static const struct format_to {
	const char *name;
	const char *option;		/* of profile, which takes the file; NULL: rows are it */
	const struct convert_writer *writer;	/* NULL: of sums */
	bool binary;
} formats_to[] = {
	{ "pprof", "--pprof", NULL, true },
	{ "speedscope", "--speedscope", NULL, false },
	{ "folded", NULL, NULL, false },
	{ "perfetto", NULL, &convert_perfetto, true },
	{ "chrome", NULL, &convert_chrome, false },
	{ "perf-script", NULL, &convert_perf_script, false },
	{ "debug-tar", NULL, &convert_debug_tar, true },
};
#define FORMATS_TO (sizeof(formats_to) / sizeof(formats_to[0]))

struct asked {
	struct convert_asked in;
	const char *to, *output;
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
	const char *rows = option ? "/dev/null" : a->output;
	char *argv[12] = { "profile", "--input", (char *)a->in.file };
	const char *const more[][2] = {
		{ option ? option : "--folded", option ? a->output : NULL },
		{ a->in.symfs ? "--symfs" : NULL, a->in.symfs },
		{ a->in.kallsyms ? "--kallsyms" : NULL, a->in.kallsyms },
	};
	int n = 3;

	if (option && is_stream(a->output))
		return fail(err, "convert: --to %s needs a file: -o FILE", a->format->name);
	if (!is_stream(rows) && sink_into("--output", rows, err))
		return -1;
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 2; j++)
			if (more[i][j])
				argv[n++] = (char *)more[i][j];
	return session_main(tool_named("profile"), n, argv);
}

/* They are opened when the first name is asked for: a mistake is told before. */
static int check_names(const struct format_to *format, const struct convert_asked *in,
		       struct error *err)
{
	const char *const paths[] = { in->symfs, in->kallsyms };

	if (!format->writer->stacks && (in->symfs || in->kallsyms))
		return fail(err, "convert: --to %s has no names from %s: leave that option away",
			    format->name, in->symfs ? "--symfs" : "--kallsyms");
	for (size_t i = 0; i < 2; i++)
		if (paths[i] && access(paths[i], R_OK))
			return fail_with(err, errno, "convert: can't read %s: %m", paths[i]);
	return 0;
}

static int events(const struct asked *a, struct error *err)
{
	FILE *to;

	if (check_names(a->format, &a->in, err))
		return -1;
	if (a->format->binary && !a->output && isatty(STDOUT_FILENO))
		return fail(err, "convert: --to %s would write bytes on a terminal: give a file, "
			    "-o FILE", a->format->name);
	to = is_stream(a->output) ? sink_rows() : sink_file("output", a->output, err);
	stop_on_signals();
	return !to || convert_events(&a->in, to, a->format->writer, err) ? -1 : 0;
}

/* What --to takes, and what the word is most like. */
static int no_such_format(const char *word)
{
	struct nearest n = { .word = word, .length = strlen(word) };

	fputs("sonde: convert: there is no format ", sink_err());
	escape_text(sink_err(), word, strlen(word));
	for (unsigned int i = 0; i < FORMATS_TO; i++)
		nearest_of(&n, formats_to[i].name);
	if (n.name)
		fprintf(sink_err(), "; did you mean %s?", n.name);
	fputs("\n--to takes", sink_err());
	for (unsigned int i = 0; i < FORMATS_TO; i++)
		fprintf(sink_err(), "%s %s", i ? "," : "", formats_to[i].name);
	fputc('\n', sink_err());
	return 2;
}

int convert_main(int argc, char **argv)
{
	struct asked a = { };
	const struct command_option options[] = {
		{ NULL, "--to", &a.to }, { "-o", "--output", &a.output },
		{ NULL, "--symfs", &a.in.symfs }, { NULL, "--kallsyms", &a.in.kallsyms }, { }
	};
	struct error err = { };
	int result;

	if (command_words(argc, argv, options, &a.in.file))
		return 2;
	for (size_t i = 0; a.to && i < FORMATS_TO; i++)
		if (!strcmp(formats_to[i].name, a.to))
			a.format = &formats_to[i];
	if (!a.to)
		return command_misused(argv[0]);
	if (!a.format)
		return no_such_format(a.to);
	result = (a.format->writer ? events : samples)(&a, &err);
	return result < 0 ? command_failed(&err) : result;
}
