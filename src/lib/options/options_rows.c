// SPDX-License-Identifier: GPL-2.0
/*
 * The options every tool takes, and how they meet a tool's own table.
 */
#include "src/lib/options/options_rows.h"

#include <stdlib.h>
#include <string.h>

#define PIDS 4194304			/* the kernel's PID_MAX_LIMIT on 64-bit machines */

static const struct option_name engines[] = { { "bpf", 0 }, { "perf", 0 }, { "ftrace", 0 },
					      { NULL, 0 } };
static const struct option_name unwinding[] = { { "frames", 0 }, { "dwarf", 0 }, { NULL, 0 } };

static const struct {
	enum option_group group;
	struct option option;
	bool formats;			/* instead of an option: those of the formats are here */
} common[] = {
	{ GROUP_FILTERS, { .name = "pid", .type = OPTION_LIST, .arg = "PID,...", .min = 1,
			   .max = PIDS,
			  .help = "only these processes" } },
	{ GROUP_FILTERS, { .name = "tid", .type = OPTION_LIST, .arg = "TID,...", .min = 1,
			   .max = PIDS,
			  .help = "only these threads" } },
	{ GROUP_FILTERS, { .name = "uid", .type = OPTION_USERS, .arg = "USER,...",
			  .help = "only tasks of these users" } },
	{ GROUP_FILTERS, { .name = "name", .type = OPTION_TEXT, .arg = "TEXT",
			  .help = "only commands with TEXT in their name" } },
	{ GROUP_FILTERS, { .name = "exec", .type = OPTION_COMMAND, .arg = "CMD ARG...",
			  .help = "run a command; trace it and its children" } },
	{ GROUP_OUTPUT, { .name = "duration", .type = OPTION_NUMBER, .arg = "SECONDS", .min = 1,
			  .max = INT32_MAX,
			  .help = "end after this time" } },
	{ GROUP_OUTPUT, .formats = true },
	{ GROUP_OUTPUT, { .name = "heatmap", .type = OPTION_TEXT, .arg = "FILE.svg",
			  .optional = true,
			  .help =
			  "a heat map, a column for each interval, in the terminal or a file" } },
	{ GROUP_OUTPUT, { .name = "flame", .type = OPTION_TEXT, .arg = "FILE.svg",
			  .help = "also write a flame graph of all stacks" } },
	{ GROUP_OUTPUT, { .name = "top", .type = OPTION_NUMBER, .arg = "SECONDS", .min = 1,
			  .max = 86400, .optional = true,
			  .help = "live: the hottest functions and stacks of each second" } },
	{ GROUP_OUTPUT, { .name = "folded", .type = OPTION_FLAG,
			  .help = "a line for each stack, for flame graphs" } },
	{ GROUP_OUTPUT, { .name = "delimited", .type = OPTION_FLAG,
			  .help = "a mark between the stacks of the kernel and of user space" } },
	{ GROUP_OUTPUT, { .name = "annotations", .type = OPTION_FLAG,
			  .help = "_[k] after names of the kernel" } },
	{ GROUP_OUTPUT, { .name = "offsets", .type = OPTION_FLAG,
			  .help = "each address's offset in its function" } },
	{ GROUP_OUTPUT, { .name = "addresses", .type = OPTION_FLAG,
			  .help = "addresses, not names" } },
	{ GROUP_OUTPUT, { .name = "mangled", .type = OPTION_FLAG,
			  .help = "names of C++ and Rust as the linker has them" } },
	{ GROUP_ENGINE, { .name = STACK_STORAGE, .type = OPTION_NUMBER, .arg = "N", .min = 1,
			  .max = 1 << 20, .initial = 16384,
			  .help = "room for so many different stacks" } },
	{ GROUP_ENGINE, { .name = "unwind", .type = OPTION_TEXT, .arg = "frames|dwarf",
			  .names = unwinding,
			  .help = "how callers in user space are found" } },
	{ GROUP_OUTPUT, { .name = "verbose", .type = OPTION_FLAG,
			  .help = "say which engine and probes were chosen, and why" } },
	{ GROUP_OUTPUT, { .name = "help", .type = OPTION_FLAG, .help = "this text" } },
	{ GROUP_OUTPUT, { .name = "version", .type = OPTION_FLAG,
			  .help = "the version of sonde" } },
	{ GROUP_ENGINE, { .name = "backend", .type = OPTION_TEXT, .arg = "bpf|perf|ftrace",
			  .names = engines,
			  .help = "take this engine" } },
	{ GROUP_ENGINE, { .name = "buffer-pages", .type = OPTION_NUMBER, .arg = "N", .min = 1,
			  .max = 65536,
			  .help = "size of each CPU's ring" } },
	{ GROUP_ENGINE, { .name = "without", .type = OPTION_TEXT, .arg = "FEATURE,...",
			  .joins = ',',
			  .help = "behave as on a kernel without these; 4.9: as on Linux 4.9" } },
	{ GROUP_ENGINE, { .name = "dump", .type = OPTION_FLAG,
			  .help = "print the programs, do not run them" } },
	{ GROUP_ENGINE, { .name = "snapshot", .type = OPTION_TEXT, .arg = "DIR",
			  .help = "with --dump: for the kernel of this snapshot" } },
};
#define N_COMMON (sizeof(common) / sizeof(common[0]))

static const char *const positionals[] = { "interval", "count" };
#define N_POSITIONALS 2

static struct option_row *row_named(struct option_row *rows, unsigned int n, const char *name)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!strcmp(rows[i].option.name, name))
			return &rows[i];
	return NULL;
}

/* The rows of a tool; the first `own` are those of its table. */
struct table {
	struct option_row *rows;
	unsigned int own, n;
};

/* A common option, or what it completes; NULL: the tool has one of that name that means another. */
static struct option_row *add(struct table *t, enum option_group group, const struct option *option)
{
	struct option_row *row = row_named(t->rows, t->own, option->name);
	struct option given;

	if (row && row->option.help)
		return NULL;
	if (!row)
		row = &t->rows[t->n++];
	given = row->option;
	row->option = *option;
	row->option.letter = given.letter;
	row->option.alias = given.alias;
	row->option.positional = given.positional;
	if (given.excludes)
		row->option.excludes = given.excludes;
	row->group = group;
	return row;
}

static void add_formats(struct table *t, enum option_group group)
{
	for (const struct output_format *f = formats; f->writer; f++) {
		const struct option option = {
			.name = f->option, .type = OPTION_FLAG, .help = f->help,
		};
		struct option_row *row = f->option ? add(t, group, &option) : NULL;

		if (row)
			row->format = f;
	}
}

static void add_common(struct table *t)
{
	for (unsigned int i = 0; i < N_COMMON; i++) {
		if (common[i].formats)
			add_formats(t, common[i].group);
		else
			add(t, common[i].group, &common[i].option);
	}
}

static unsigned int count_formats(void)
{
	unsigned int n = 0;

	while (formats[n].writer)
		n++;
	return n;
}

static void default_letter(struct option_row *rows, unsigned int n, char letter, const char *name)
{
	struct option_row *row = row_named(rows, n, name);

	if (!row->option.letter && !option_by_letter(rows, n, letter))
		row->option.letter = letter;
}

struct option_row *option_rows(const struct tool *t, unsigned int *n)
{
	struct option_row *rows;
	struct table table = { };
	unsigned int own = 0, i;

	while (t->options && t->options[own].name)
		own++;
	rows = calloc(own + N_COMMON + count_formats() + N_POSITIONALS, sizeof(*rows));
	if (!rows)
		return NULL;
	for (i = 0; i < own; i++)
		rows[i] = (struct option_row){ .option = t->options[i], .own = true };
	table = (struct table){ rows, own, own };
	add_common(&table);
	*n = table.n;
	default_letter(rows, *n, 'h', "help");
	default_letter(rows, *n, 'v', "verbose");
	for (i = 0; i < t->positionals && i < N_POSITIONALS; i++)
		rows[(*n)++] = (struct option_row){
			.option = { .name = positionals[i], .type = OPTION_NUMBER, .min = 1,
				    .max = INT32_MAX,
				    .initial = i ? 0 : t->interval },
			.positional = true,
		};
	return rows;
}

static bool has_filter(const struct program_set *set)
{
	for (const struct program *p = set ? set->programs : NULL; p && p->hook; p++)
		for (unsigned int i = 0; i < p->n_insns; i++)
			if (p->insns[i].symbol == SYM_FILTER)
				return true;
	return !set;
}

bool tool_has_stacks(const struct tool *t)
{
	for (const struct map *m = t->programs ? t->programs->maps : NULL; m && m->name; m++)
		if (m->kind == MAP_STACKS)
			return true;
	return false;
}

bool option_of_stacks(const char *option)
{
	static const char *const names[] = {
		"flame", "top", "folded", "delimited", "annotations", "offsets", "addresses",
		"mangled",
		STACK_STORAGE, "unwind",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], option))
			return true;
	return false;
}

/* A line an event, with the name of a task. */
static bool shows_names(const struct tool *t)
{
	const struct column *c = t->columns;

	while (c && c->head && strcmp(c->name, "comm"))
		c++;
	return t->shape == SHAPE_EVENTS && (!c || c->head);
}

static bool lists_with(const struct option_row *row)
{
	return row->own || row->format || !strcmp(row->option.name, "help") ||
	       !strcmp(row->option.name, "version");
}

bool option_served(const struct tool *t, const struct option_row *row)
{
	if (t->list)
		return lists_with(row);
	/* A tool's own option may have the name of a common one: syscount's --top is bcc's. */
	if (row->own && (option_of_stacks(row->option.name) ||
			 !strcmp(row->option.name, "heatmap")))
		return true;
	if (!strcmp(row->option.name, "heatmap"))
		return t->distribution || (t->shape == SHAPE_INTERVALS && !t->columns &&
					   !tool_has_stacks(t));
	/* Pictures and tables are of sums. */
	if ((!strcmp(row->option.name, "flame") || !strcmp(row->option.name, "top")) &&
	    t->shape == SHAPE_EVENTS)
		return false;
	if (option_of_stacks(row->option.name))
		return tool_has_stacks(t);
	if (row->group != GROUP_FILTERS || (row->own && row->option.type != OPTION_LIST &&
					    row->option.type != OPTION_USERS))
		return true;
	return !strcmp(row->option.name, "name") ? shows_names(t) : has_filter(t->programs);
}

const struct option_row *option_by_letter(const struct option_row *rows, unsigned int n,
					  char letter)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (letter && rows[i].option.letter == letter)
			return &rows[i];
	return NULL;
}

static bool is_word(const char *word, const char *s, size_t length)
{
	return word && strlen(word) == length && !memcmp(word, s, length);
}

const struct option_row *option_by_name(const struct option_row *rows, unsigned int n,
					const char *name,
					size_t length)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!rows[i].positional && (is_word(rows[i].option.name, name, length) ||
					    is_word(rows[i].option.alias, name, length)))
			return &rows[i];
	return NULL;
}

const struct option_row *option_positional(const struct option_row *rows, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (rows[i].option.positional)
			return &rows[i];
	return NULL;
}

#define WORD 32
#define NEAR 2				/* letters that may differ */

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

unsigned int word_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
	unsigned int d[WORD + 1][WORD + 1], i, j;

	if (n_a > WORD || n_b > WORD)
		return WORD;
	for (i = 0; i <= n_a; i++) {
		for (j = 0; j <= n_b; j++) {
			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			d[i][j] = least(d[i - 1][j], d[i][j - 1]) + 1;
			d[i][j] = least(d[i][j], d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[n_a][n_b];
}

void nearest_of(struct nearest *n, const char *word)
{
	size_t length = strlen(word);
	unsigned int d = word_distance(n->word, n->length, word, length);

	/* The beginning of a word is near it; but two letters that both differ are not. */
	if (n->length > 1 && n->length < length && !memcmp(n->word, word, n->length))
		d = 1;
	if (d >= n->length || (n->name ? d >= n->distance : d > NEAR))
		return;
	n->distance = d;
	n->name = word;
}

const char *option_nearest(const struct option_row *rows, unsigned int n, const char *name,
			   size_t length)
{
	struct nearest nearest = { .word = name, .length = length };

	for (unsigned int i = 0; i < n; i++) {
		if (rows[i].positional)
			continue;
		nearest_of(&nearest, rows[i].option.name);
		if (rows[i].option.alias)
			nearest_of(&nearest, rows[i].option.alias);
	}
	return nearest.name;
}
