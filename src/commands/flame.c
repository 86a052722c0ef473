// SPDX-License-Identifier: GPL-2.0
#include "src/commands/flame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/error.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "src/lib/flame/flame.h"
#include "src/lib/flame/folded.h"
#include "src/lib/output/sink.h"

#define WIDTH_LEAST 400
#define WIDTH_MOST 100000

struct command_line {
	const char *path, *old;		/* "-": standard input */
	const char *title;
	struct folded_how how;
	struct flame_look look;
	bool help;
};

static int usage(const char *format, const char *what)
{
	fputs("sonde: flame: ", sink_err());
	fprintf(sink_err(), format, what);
	fputs("\n`sonde help flame` lists its options\n", sink_err());
	return 2;
}

static void print_help(FILE *file)
{
	fprintf(file,
		"flame: a flame graph of folded stacks, as one SVG file that needs nothing else\n"
		"Usage: sonde flame [options] FILE >PICTURE.svg\n\n"
		"      --diff FILE        compare with the stacks in this FILE: red frames have a "
		"larger own share\n"
		"                         than there, blue ones a smaller\n"
		"      --title TEXT       the title of the picture (default: the names of the "
		"files)\n"
		"      --unit WORD        the unit of the counts (default samples)\n"
		"      --colors kinds     a colour for each kind: user, kernel, library, JIT ... "
		"(default)\n"
		"      --colors off-cpu   blue: for time that is not spent on a CPU\n"
		"      --width PX         of the picture (default %d)\n"
		"      --min-width PX     leave out narrower frames, and say how many (default "
		"%g); or a share,\n"
		"                         as 0.5%%\n"
		"      --reverse          merge stacks from their other end: callers of a "
		"function\n"
		"      --inverted         the first caller is on top, as in every high picture\n"
		"  -h, --help             this text\n\n"
		"FILE has a stack a line; - is standard input. A line has frames with semicolons "
		"between them,\n"
		"the first caller first, and a count after a blank, as stackcollapse-perf.pl "
		"writes them.\n"
		"Names that end with _[k] are of the kernel, with _[j] JIT, _[i] inlined, _[w] "
		"a waker.\n\n"
		"In a browser, a click magnifies a frame, Esc goes back, Ctrl-F searches.\n\n"
		"Examples: perf script | stackcollapse-perf.pl | sonde flame - >cpu.svg\n"
		"          sonde flame --diff before.folded after.folded >change.svg\n",
		FLAME_WIDTH, FLAME_NARROWEST);
}

/*
 * The value of an option, behind = or the next argument; NULL: this is not the option, or it has no
 * value.
 */
static const char *value_of(char **argv, int *i, const char *name)
{
	size_t n = strlen(name);

	if (!strncmp(argv[*i], name, n) && argv[*i][n] == '=')
		return argv[*i] + n + 1;
	return !strcmp(argv[*i], name) && argv[*i + 1] ? argv[++*i] : NULL;
}

static int parse_width(const char *s, struct flame_look *look)
{
	const char *at = s;
	uint64_t width;

	if (!scan_number(&at, WIDTH_MOST, &width) || *at || width < WIDTH_LEAST)
		return usage("--width is a number of pixels from 400 to 100000, not \"%s\"", s);
	look->width = (unsigned int)width;
	return 0;
}

#define NARROWEST "--min-width is a number of pixels, as 0.5, or a share, as 0.1%%, not \"%s\""

static int parse_narrowest(const char *s, struct flame_look *look)
{
	const uint64_t one = 1000000000000;	/* twelve places are as many as are drawn */
	const char *at = s;
	uint64_t n;

	if (!scan_decimal(&at, 12, WIDTH_MOST * one, &n))
		return usage(NARROWEST, s);
	look->narrowest = (double)n / (double)one;
	look->narrowest_is_share = *at == '%';
	if (at[look->narrowest_is_share] || (look->narrowest_is_share && look->narrowest > 100))
		return usage(NARROWEST, s);
	return 0;
}

static int parse_colours(const char *s, struct folded_how *how)
{
	how->off_cpu = !strcmp(s, "off-cpu");
	return how->off_cpu || !strcmp(s, "kinds") ? 0 :
		usage("--colors is kinds or off-cpu, not \"%s\"", s);
}

static int parse_path(const char *s, struct command_line *c)
{
	if (*s == '-' && s[1])
		return usage("there is no option %s, or its value is missing", s);
	if (c->path)
		return usage("%s: only one FILE is drawn; --diff takes the file to compare with",
			     s);
	c->path = s;
	return 0;
}

/* 0, or the exit status. */
static int parse(int argc, char **argv, struct command_line *c)
{
	int status = 0;

	for (int i = 1; i < argc && !status; i++) {
		const char *value;

		if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help"))
			c->help = true;
		else if (!strcmp(argv[i], "--reverse"))
			c->how.reverse = true;
		else if (!strcmp(argv[i], "--inverted"))
			c->look.inverted = true;
		else if ((value = value_of(argv, &i, "--diff")))
			c->old = value;
		else if ((value = value_of(argv, &i, "--title")))
			c->title = value;
		else if ((value = value_of(argv, &i, "--unit")))
			c->look.unit = value;
		else if ((value = value_of(argv, &i, "--colors")))
			status = parse_colours(value, &c->how);
		else if ((value = value_of(argv, &i, "--width")))
			status = parse_width(value, &c->look);
		else if ((value = value_of(argv, &i, "--min-width")))
			status = parse_narrowest(value, &c->look);
		else
			status = parse_path(argv[i], c);
	}
	return status;
}

static bool is_stdin(const char *path)
{
	return path && !strcmp(path, "-");
}

static const char *name_of(const char *path)
{
	return is_stdin(path) ? "standard input" : path;
}

/* 0, or the exit status. */
static int check(const struct command_line *c)
{
	if (!c->path)
		return usage("%s", "a FILE with folded stacks is missing; - is standard input");
	if (is_stdin(c->path) && is_stdin(c->old))
		return usage("%s", "only one of the two files can be standard input");
	if (c->look.unit[strcspn(c->look.unit, " \t()")] || !*c->look.unit)
		return usage("--unit is one word, not \"%s\"", c->look.unit);
	if (isatty(STDOUT_FILENO))
		return usage("%s", "the picture goes to standard output, which is a terminal; add "
			     ">PICTURE.svg");
	return 0;
}

static void say_broken(const char *path, const struct folded_lines *lines)
{
	if (lines->broken)
		fprintf(sink_err(), "sonde: flame: %s: %llu of %llu lines left out; the first is "
				    "line %llu: %s\n"
				    "a line is FRAME;FRAME;FRAME COUNT\n",
			name_of(path), (unsigned long long)lines->broken,
			(unsigned long long)(lines->broken + lines->stacks),
			(unsigned long long)lines->first,
			lines->why);
	if (lines->stacks > 1 && lines->doubles == lines->stacks)
		fprintf(sink_err(), "sonde: flame: %s: all lines end with two numbers, and the "
				    "first of them is taken for a part of the name\n"
				    "for a difference, give both files: sonde flame --diff OLD "
				    "NEW\n", name_of(path));
}

static int none_here(const char *path, const struct folded_lines *lines, struct error *err)
{
	if (lines->broken)
		return fail(err, "%s has no folded stacks: line %llu: %s\na line is "
				 "FRAME;FRAME;FRAME COUNT; stackcollapse-perf.pl makes such lines "
				 "of perf script's output",
			    name_of(path), (unsigned long long)lines->first, lines->why);
	return fail(err, lines->stacks ? "%s: all counts are 0, there is nothing to draw" :
		    "%s is empty, there is nothing to draw", name_of(path));
}

/* -1: can't be read, or has nothing. */
static int read_stacks(const char *path, enum flame_side side, const struct command_line *c,
		       struct flame *f, struct folded_lines *lines, struct error *err)
{
	FILE *file = is_stdin(path) ? stdin : fopen(path, "re");
	struct error why = { };
	int status;

	if (!file)
		return fail_with(err, errno, "can't read %s: %m", path);
	status = folded_read(file, f, side, &c->how, lines, &why);
	if (status)
		fail(err, "can't read %s: %s", name_of(path), why.text);
	else if (!flame_total(f, side))
		status = none_here(path, lines, err);
	else
		say_broken(path, lines);
	if (file != stdin)
		fclose(file);
	return status;
}

static char *title_of(const struct command_line *c)
{
	char *title;

	if (c->title)
		return strdup(c->title);
	if (asprintf(&title, c->old ? "%s compared with %s" : "%s", name_of(c->path),
		     c->old ? name_of(c->old) : NULL) < 0)
		return NULL;
	return title;
}

/* What is wrong with the input is wrong with the picture. */
static void note_broken(char *note, size_t size, const struct folded_lines lines[FLAME_SIDES])
{
	uint64_t broken = lines[FLAME_NEW].broken + lines[FLAME_OLD].broken;

	if (broken)
		text_cut(note, size, "%llu %s of the input left out: no stack, or no count",
			 (unsigned long long)broken, broken == 1 ? "line" : "lines");
}

static int make(struct command_line *c, struct flame *f, struct error *err)
{
	struct folded_lines lines[FLAME_SIDES] = { };
	char note[128] = "", *title;
	int status;

	if (c->old && read_stacks(c->old, FLAME_OLD, c, f, &lines[FLAME_OLD], err))
		return -1;
	if (read_stacks(c->path, FLAME_NEW, c, f, &lines[FLAME_NEW], err))
		return -1;
	title = title_of(c);
	if (!title)
		return fail(err, "out of memory");
	note_broken(note, sizeof(note), lines);
	c->look.title = title;
	c->look.note = *note ? note : NULL;
	c->look.old = c->old ? name_of(c->old) : NULL;
	status = flame_svg(sink_out(), f, &c->look, err);
	free(title);
	return status;
}

int flame_main(int argc, char **argv)
{
	struct command_line c = { .look = { .unit = "samples", .width = FLAME_WIDTH,
					    .narrowest = FLAME_NARROWEST } };
	struct error err = { };
	struct flame *f;
	int status = parse(argc, argv, &c);

	if (!status && c.help) {
		print_help(sink_out());
		return 0;
	}
	status = status ? status : check(&c);
	if (status)
		return status;
	f = flame_new();
	if (!f)
		status = fail(&err, "out of memory");
	else
		status = make(&c, f, &err);
	flame_free(f);
	if (status)
		fprintf(sink_err(), "sonde: flame: %s\n", err.text);
	return status ? 1 : 0;
}
