// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/export_lines.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/argv.h"
#include "src/lib/options/options.h"
#include "src/run/options/tool_options.h"
#include "src/run/tool.h"

static const struct tool *tool_of(const char *name, struct error *err)
{
	const struct tool *t = tool_named(name);

	if (!t && !strcmp(name, "stat"))
		fail(err, "stat can't be exported: it is a command of its own, and no tool. A "
			  "script counts the same events: bt -e 'software:page-faults:1 { @faults "
			  "= count(); }'");
	else if (!t)
		fail(err, "there is no tool %s: `sonde` lists them", name);
	else if (t->list)
		fail(err, "%s can't be exported: it is a list, and counts nothing", name);
	else if (t->stacks)
		fail(err, "%s can't be exported: stacks are no metrics", name);
	else
		return t;
	return NULL;
}

/* Options that a tool without an end can't have, or that leave out some of what it counts. */
static const struct {
	const char *name;
	bool lifted;			/* it limits rows of JSON, too, unless it is given */
} limits[] = {
	{ "top", true }, { "maxrows" }, { "count" }, { "duration" }, { "exec" }, { "input" },
	{ "dump" }, { "command" }, { "probes" }, { "list" }, { "info" }, { "dry-run" }, { "debug" },
	{ "output" }, { "cumulative" }, { "largest" },
};

/* A tool that shows 10 rows of 100 shows all. Returns -1 and sets err. */
static int lift(struct export_line *line, const char *name, struct error *err)
{
	char **more = realloc(line->words, ((size_t)line->n + 2) * sizeof(*more));

	if (!more)
		return fail(err, "out of memory");
	line->words = more;
	more[line->n + 1] = NULL;
	if (asprintf(&more[line->n], "--%s=%d", name, INT32_MAX) < 0) {
		more[line->n] = NULL;
		return fail(err, "out of memory");
	}
	line->n++;
	return 0;
}

static int check_limits(struct export_line *line, const struct options *o, struct error *err)
{
	unsigned int n;
	const struct option_row *rows = options_rows(o, &n);

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		const char *name = limits[i].name;
		const struct option_row *row = option_by_name(rows, n, name, strlen(name));

		if (!row)
			continue;
		if (option_first(o, (const char *const []){ name, NULL }))
			return fail(err, "%s can't be exported with %s%s: an exported tool runs "
					 "for ever, and counts all", line->tool->name,
				    row->positional ? "" : "--", name);
		if (limits[i].lifted && row->option.initial && lift(line, name, err))
			return -1;
	}
	return 0;
}

/* The tool reads its own words: a mistake is told now, and not when it starts. */
static int check_words(struct export_line *line, struct error *err)
{
	char **words = argv_copy(line->words);
	struct options *options = NULL;
	enum options_action action = ACTION_USAGE_ERROR;
	int result = -1;

	if (words)
		action = tool_options(line->tool, line->n, words, &options, err);
	else
		fail(err, "out of memory");
	if (action == ACTION_RUN)
		result = check_limits(line, options, err);
	else if (action != ACTION_USAGE_ERROR)
		fail(err, "%s: --help and --version are no options of an exported tool",
		     line->tool->name);
	options_free(options);
	argv_free(words);
	return result;
}

int export_lines_add(struct export_lines *to, char *const *words, struct error *err)
{
	struct export_line *line = &to->list[to->n];

	if (to->n == EXPORT_TOOLS)
		return fail(err, "more than %d tools are too many for one exporter", EXPORT_TOOLS);
	*line = (struct export_line){ .tool = tool_of(words[0], err) };
	if (!line->tool)
		return -1;
	/* Both would add to the same metrics. */
	for (unsigned int i = 0; i < to->n; i++)
		if (to->list[i].tool == line->tool)
			return fail(err, "%s is there twice: its metrics would be added up",
				    words[0]);
	line->words = argv_copy(words);
	if (!line->words)
		return fail(err, "out of memory");
	to->n++;
	while (line->words[line->n])
		line->n++;
	return check_words(line, err);
}

/* Tools with commas between them: a comma is a word, or at the end of one. */
int export_lines_add_all(struct export_lines *to, char **words, struct error *err)
{
	while (*words) {
		char *line[EXPORT_WORDS];
		unsigned int n = 0;
		bool ends = false;

		for (; *words && !ends; words++) {
			const size_t length = strlen(*words);

			ends = length && (*words)[length - 1] == ',';
			if (ends)
				(*words)[length - 1] = '\0';
			if (**words || !ends)
				line[n++] = *words;
			if (n == EXPORT_WORDS)
				return fail(err, "a tool has too many words");
		}
		line[n] = NULL;
		if (!n)
			return fail(err, "a TOOL is missing before a comma");
		if (export_lines_add(to, line, err))
			return -1;
	}
	return 0;
}

void export_lines_free(struct export_lines *l)
{
	for (unsigned int i = 0; i < l->n; i++)
		argv_free(l->list[i].words);
	l->n = 0;
}
