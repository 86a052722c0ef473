// SPDX-License-Identifier: GPL-2.0
#include "src/commands/diff/options.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/scan.h"
#include "src/run/other_names.h"
#include "src/run/tool.h"

static const struct {
	const char *name;
	char letter;			/* 0: none */
	bool value;
} names[] = {
	{ "top", 'n', true }, { "by", 0, true }, { "flame", 0, true }, { "help", 'h', false },
};
enum { TOP, BY, FLAME, HELP, NAMES };

void diff_help(FILE *file)
{
	fprintf(file,
		"diff: two recordings through the same tool, beside each other; the largest "
		"change is first\n"
		"Usage: sonde diff [options] OLD NEW TOOL [OPTION...]\n\n"
		"  -n, --top N           rows of each table; 0: all (default %d; JSON and CSV: "
		"all)\n"
		"      --by COLUMN,...   matches rows by these (default: names; no ids, no "
		"addresses);\n"
		"                        of stacks: function, stack, comm, pid, tid, cgroup\n"
		"      --flame FILE.svg  stacks: also a flame graph of the difference\n",
		DIFF_TOP);
	for (const struct output_format *f = formats; f->writer; f++)
		if (f->option)
			fprintf(file, "      --%-16s%s\n", f->option, f->help);
	fputs("  -h, --help            this text\n\n"
	      "OLD and NEW are recordings (sonde record, perf record, trace-cmd record), or the "
	      "lines that\n"
	      "TOOL wrote live (--json, --tee FILE). Options behind TOOL are those of the tool, "
	      "for both.\n"
	      "Values per second are compared, because two runs have different lengths.\n\n"
	      "Examples: sonde diff monday tuesday execsnoop\n"
	      "          sonde diff old.data new.data runqlat -P\n"
	      "          sonde diff --flame change.svg old.data new.data profile\n",
	      file);
}

static int take_by(struct diff_options *o, const char *list, struct error *err)
{
	char *rest, *word;

	free(o->by_words);
	rest = o->by_words = strdup(list);
	o->n_by = 0;
	if (!rest)
		return fail(err, "out of memory");
	while ((word = strsep(&rest, ","))) {
		if (!*word || o->n_by == DIFF_BY)
			return fail(err, "--by takes names of columns, at most %d, with commas "
					 "between them, not \"%s\"", DIFF_BY, list);
		o->by[o->n_by++] = word;
	}
	return 0;
}

static int take(struct diff_options *o, int option, const char *value, struct error *err)
{
	const char *at = value;

	switch (option) {
	case TOP:
		return scan_number(&at, INT32_MAX, &o->top) && !*at ? 0 :
		       fail(err, "--top takes a number of rows, not \"%s\"", value);
	case BY:
		return take_by(o, value, err);
	case FLAME:
		o->flame = value;
		return 0;
	default:
		o->help = true;
		return 0;
	}
}

static const struct output_format *format_named(const char *word)
{
	for (const struct output_format *f = formats; f->writer; f++)
		if (f->option && !strncmp(word, "--", 2) && !strcmp(word + 2, f->option))
			return f;
	return NULL;
}

/*
 * Words of the tool, without the formats: these are the difference's. Both runs would write the
 * same file, or go on without an end.
 */
static int tool_words(struct diff_options *o, char **words, struct error *err)
{
	static const char *const not[] = { "--input", "--tee", "--flame", "--pprof",
					   "--speedscope", "--perf-script", "--heatmap",
					   "--snapshot", "--dump", "--help", "--version" };
	char **to = words;

	for (char **word = words; *word; word++) {
		const size_t n = strcspn(*word, "=");

		for (size_t i = 0; i < sizeof(not) / sizeof(not[0]); i++)
			if (strlen(not[i]) == n && !memcmp(*word, not[i], n))
				return fail(err, "%s is no option for a tool that is compared; "
						 "those of diff are before OLD", not[i]);
		if (format_named(*word))
			o->format = format_named(*word);
		else
			*to++ = *word;
	}
	*to = NULL;
	o->words = words;
	return 0;
}

static int read_words(struct diff_options *o, char **argv, struct error *err)
{
	unsigned int n = 0;

	while (argv[n])
		n++;
	if (n < 3)
		return fail(err, "it needs two files and a TOOL: sonde diff OLD NEW TOOL");
	o->paths[DIFF_OLD] = argv[0];
	o->paths[DIFF_NEW] = argv[1];
	o->tool = tool_asked(argv[2], err);
	if (!o->tool)
		return -1;
	if (o->tool->list)
		return fail(err, "%s is a list, and reads no recording", argv[2]);
	if (o->tool->stacks && o->tool->stacks->state)
		return fail(err, "%s shows the memory that is left, which is no rate to compare"
				 , argv[2]);
	return tool_words(o, argv + 3, err);
}

/* The option that a word spells; NAMES: none. *rest is behind it: "" or its value. */
static int option_of(const char *word, const char **rest)
{
	int i;

	for (i = 0; i < NAMES; i++) {
		const size_t n = strlen(names[i].name);

		if (names[i].letter && word[0] == '-' && word[1] == names[i].letter) {
			*rest = word + 2;
			break;
		}
		if (!strncmp(word, "--", 2) && !strncmp(word + 2, names[i].name, n) &&
		    (!word[2 + n] || word[2 + n] == '=')) {
			*rest = word + 2 + n + (word[2 + n] == '=');
			break;
		}
	}
	return i;
}

/* Options before the first other word; later ones may be the tool's. */
static char **take_options(struct diff_options *o, char **argv, struct error *err)
{
	for (; *argv && **argv == '-' && (*argv)[1]; argv++) {
		const char *rest = "", *word = *argv;
		const int option = option_of(word, &rest);

		if (format_named(word)) {
			o->format = format_named(word);
			continue;
		}
		if (!strcmp(word, "--"))
			return argv + 1;
		if (option == NAMES || (!names[option].value && *rest)) {
			fail(err, "there is no option %s", word);
			return NULL;
		}
		if (names[option].value && !*rest && !(rest = *++argv)) {
			fail(err, "the value of %s is missing", word);
			return NULL;
		}
		if (take(o, option, rest, err))
			return NULL;
	}
	return argv;
}

int diff_options_read(struct diff_options *o, char **argv, struct error *err)
{
	*o = (struct diff_options){ .format = formats, .top = UINT64_MAX };
	argv = take_options(o, argv + 1, err);
	if (!argv)
		return -1;
	if (o->help)
		return 0;
	if (read_words(o, argv, err))
		return -1;
	if (o->top == UINT64_MAX)
		o->top = o->format->people ? DIFF_TOP : 0;
	return 0;
}

void diff_options_free(struct diff_options *o)
{
	free(o->by_words);
}
