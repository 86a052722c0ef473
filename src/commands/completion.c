// SPDX-License-Identifier: GPL-2.0
/*
 * What a word of a command line can become. A shell's script asks with what is there so far, so
 * there is nothing to keep up to date but the tables that command lines are parsed by anyway.
 */
#include "src/commands/completion.h"

#include <ctype.h>
#include <dirent.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/file.h"
#include "compat/base/text.h"
#include "compat/kernel/kernel.h"
#include "compat/listing/listing.h"
#include "compat/probing/running.h"
#include "src/commands/commands.h"
#include "src/commands/names.h"
#include "src/lib/output/formats/formats.h"
#include "src/lib/output/sink.h"
#include "src/run/options/tool_options.h"

/* What is asked: where the answer goes, and how it has to begin. */
struct question {
	FILE *out;
	const char *begin;		/* of the last word, or of its part that is looked at */
	/* what is before that part and stays: "--without=bpf," */
	const char *keep;
	size_t n_keep;
};

static void offer(const struct question *q, const char *word, const char *text)
{
	if (strncmp(word, q->begin, strlen(q->begin)))
		return;
	fprintf(q->out, "%.*s%s%s%s\n", (int)q->n_keep, q->keep ? q->keep : "", word, text &&
		*text ? "\t" : "",
		text ? text : "");
}

static void offer_tools(const struct question *q)
{
	for (const struct tool *const *t = tools; *t; t++)
		offer(q, (*t)->name, (*t)->summary);
}

static void offer_commands(const struct question *q)
{
	for (const struct command *c = commands; c->name; c++)
		offer(q, c->name, c->summary);
}

/* Other names of tools, as far as a command line stands for them. */
static void offer_names(const struct question *q)
{
	for (const struct other_name *o = other_names; o->names; o++)
		if (o->command)
			offer(q, o->names, o->command);
}

static void offer_files(const struct question *q)
{
	fputs(":files\n", q->out);
}

static void offer_directories(const struct question *q)
{
	fputs(":directories\n", q->out);
}

/* A process's name without its line end. */
static void offer_process(const struct question *q, const char *pid)
{
	char path[64], name[65];

	text_all(path, sizeof(path), "/proc/%.20s/comm", pid);
	file_line(path, name, sizeof(name));
	for (char *c = name; *c; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
	offer(q, pid, name);
}

static void each_entry(const struct question *q, const char *folder,
		       void (*each)(const struct question *q, const char *s))
{
	DIR *dir = opendir(folder);
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		each(q, e->d_name);
	if (dir)
		closedir(dir);
}

static void process_entry(const struct question *q, const char *name)
{
	if (isdigit((unsigned char)*name))
		offer_process(q, name);
}

static void offer_processes(const struct question *q)
{
	each_entry(q, "/proc", process_entry);
}

static void disk_entry(const struct question *q, const char *name)
{
	if (*name != '.')
		offer(q, name, NULL);
}

static void offer_disks(const struct question *q)
{
	each_entry(q, "/sys/class/block", disk_entry);
}

/* As option values are read: of the file, which is all that a static program knows of users. */
static void offer_users(const struct question *q)
{
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd *entry;

	while (file && (entry = fgetpwent(file)))
		offer(q, entry->pw_name, NULL);
	if (file)
		fclose(file);
}

static void offer_features(const struct question *q)
{
	for (enum feature f = 0; f < FEATURES; f++)
		offer(q, feature_name(f), feature_text(f));
}

static bool begins(void *arg, const char *name)
{
	const char *begin = arg;

	return !strncmp(name, begin, strlen(begin));
}

static void offer_tracepoints(const struct question *of)
{
	const size_t mark = tracepoint_mark(of->begin);
	const struct question q = { of->out, of->begin + mark, of->begin, mark };
	const struct wanted_names w = { begins, (void *)q.begin, NULL };
	struct kernel *k = kernel_running();
	struct listing l = { };
	struct error err;

	if (k && !list_tracepoints(k, &w, &l, &err))
		for (unsigned int i = 0; i < l.n; i++)
			offer(&q, l.list[i].name, NULL);
	listing_free(&l);
	kernel_free(k);
}

/* By the name of the value in --help and in a command's usage. */
static const struct {
	const char *arg;
	void (*offer)(const struct question *q);
} kinds[] = {
	{ "PID", offer_processes }, { "PPID", offer_processes }, { "TID", offer_processes },
	{ "USER", offer_users },
	{ "DISK", offer_disks }, { "FEATURE", offer_features }, { "FILE", offer_files },
	{ "PATH", offer_files }, { "OLD", offer_files },
	{ "NEW", offer_files }, { "FILTER", offer_tracepoints },
	{ "DIR", offer_directories }, { "TOOL", offer_tools }, { "COMMAND", offer_commands },
};

/* PID,..., FILE.svg, TOOL|COMMAND: what such words mean; bpf|perf|ftrace: those words. */
static void offer_kind(const struct question *q, const char *arg)
{
	bool several = strchr(arg, '|') != NULL;
	char word[64];

	for (size_t length; *arg; arg += length + (arg[length] == '|')) {
		size_t capitals = strspn(arg, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), i;

		length = strcspn(arg, "|");
		text_all(word, sizeof(word), "%.*s", (int)(capitals ? capitals : length), arg);
		for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && strcmp(kinds[i].arg, word); i++)
			;
		if (i < sizeof(kinds) / sizeof(kinds[0]))
			kinds[i].offer(q);
		else if (several)
			offer(q, word, NULL);
	}
}

/* Of a list by commas only the last is looked at. */
static void offer_value(const struct question *of, const struct option *o)
{
	const char *comma = strrchr(of->begin, ',');
	bool several = o->type == OPTION_LIST || o->type == OPTION_USERS ||
		o->type == OPTION_FLAGS || o->joins == ',';
	struct question q = *of;
	char keep[1024];

	if (several && comma) {
		if (!text_all(keep, sizeof(keep), "%.*s%.*s", (int)of->n_keep,
			      of->keep ? of->keep : "", (int)(comma + 1 - of->begin), of->begin))
			return;
		q = (struct question){ of->out, comma + 1, keep, strlen(keep) };
	}
	for (const struct option_name *name = o->names; name && name->name; name++)
		offer(&q, name->name, NULL);
	if (!o->names && o->arg)
		offer_kind(&q, o->arg);
}

static bool given_already(char **words, unsigned int n, const struct option *o)
{
	size_t length = strlen(o->name);

	if (o->joins == ',' || o->type == OPTION_LIST || o->type == OPTION_USERS ||
	    o->type == OPTION_FLAGS)
		return false;
	for (unsigned int i = 1; i + 1 < n; i++)
		if (!strncmp(words[i], "--", 2) && !strncmp(words[i] + 2, o->name, length) &&
		    (!words[i][2 + length] || words[i][2 + length] == '='))
			return true;
	return false;
}

/* The option a word spells; where letters are joined, the last of them. */
static const struct option_row *row_of(const struct option_row *rows, unsigned int n,
				       const char *word)
{
	if (word[0] != '-' || !word[1])
		return NULL;
	if (word[1] == '-')
		return option_by_name(rows, n, word + 2, strlen(word + 2));
	return option_by_letter(rows, n, word[strlen(word) - 1]);
}

static void offer_options(const struct question *q, const struct tool *t,
			  const struct option_row *rows,
			  unsigned int n_rows, char **words, unsigned int n)
{
	for (unsigned int i = 0; i < n_rows; i++) {
		const struct option *o = &rows[i].option;
		char word[80];

		if (rows[i].positional == 1 || !option_served(t, &rows[i]) ||
		    given_already(words, n, o))
			continue;
		text_all(word, sizeof(word), "--%s", o->name);
		offer(q, word, o->help);
	}
}

static bool takes_value(const struct option_row *row)
{
	return row && row->option.type != OPTION_FLAG && row->option.type != OPTION_COMMAND &&
		!row->option.optional;
}

/* bash hands over --name=value as three words, and wants back the value only. */
static void complete_tool(FILE *out, const struct tool *t, char **words, unsigned int n)
{
	char *last = words[n - 1], *equals = strncmp(last, "--", 2) ? NULL : strchr(last, '=');
	struct question q = { .out = out, .begin = last };
	const struct option_row *row = NULL;
	unsigned int n_rows;
	struct option_row *rows = tool_option_rows(t, &n_rows);

	if (!rows)
		return;
	for (unsigned int i = 1; i + 1 < n; i++) {
		row = row_of(rows, n_rows, words[i]);
		if (row && row->option.type == OPTION_COMMAND) {
			fputs(i + 2 == n ? ":command\n" : ":files\n", out);
			goto out;
		}
	}
	if (equals) {
		row = option_by_name(rows, n_rows, last + 2, (size_t)(equals - last - 2));
		q = (struct question){ out, equals + 1, last, (size_t)(equals + 1 - last) };
	} else if (n > 2 && !strcmp(last, "=")) {
		row = row_of(rows, n_rows, words[n - 2]);
		q.begin = "";
	} else if (n > 3 && !strcmp(words[n - 2], "=")) {
		row = row_of(rows, n_rows, words[n - 3]);
	} else {
		row = n > 2 ? row_of(rows, n_rows, words[n - 2]) : NULL;
		if (!takes_value(row) && *last && *last != '-') {
			row = option_positional(rows, n_rows, 1);
			if (tracepoint_mark(last)) {
				offer_tracepoints(&q);
				goto out;
			}
		} else if (!takes_value(row)) {
			offer_options(&q, t, rows, n_rows, words, n);
			goto out;
		}
	}
	if (row)
		offer_value(&q, &row->option);
out:
	free(rows);
}

/* A piece of a command's usage: [--json], [--snapshot DIR] or TOOL... */
struct usage_item {
	const char *option, *arg;	/* NULL: has none */
};
#define ITEMS 16

/* `usage` is cut up for it. */
static unsigned int usage_items(char *usage, struct usage_item items[ITEMS])
{
	unsigned int n = 0;
	bool open = false;
	char *word;

	while (n < ITEMS && (word = strsep(&usage, " "))) {
		bool closed = strchr(word, ']') != NULL;

		word += strspn(word, "[");
		word[strcspn(word, "]")] = '\0';
		if (*word == '-')
			items[n++] = (struct usage_item){ .option = word };
		else if (open)
			items[n - 1].arg = word;
		else if (*word)
			items[n++] = (struct usage_item){ .arg = word };
		open = *word == '-' && !closed;
	}
	return n;
}

static void complete_command(FILE *out, const struct command *c, char **words, unsigned int n)
{
	const struct question q = { .out = out, .begin = words[n - 1] };
	struct usage_item items[ITEMS];
	char *usage = formats_usage(c->usage);
	unsigned int n_items = usage ? usage_items(usage, items) : 0, i;

	for (i = 0; i < n_items; i++) {
		const struct option value = { .arg = items[i].arg, .joins = ',' };

		if (items[i].option && items[i].arg && n > 2 &&
		    !strcmp(words[n - 2], items[i].option)) {
			offer_value(&q, &value);
			goto out;
		}
	}
	for (i = 0; i < n_items; i++) {
		if (items[i].option)
			offer(&q, items[i].option, NULL);
		else
			offer_kind(&q, items[i].arg);
	}
out:
	free(usage);
}

void complete_words(FILE *out, char **words, unsigned int n)
{
	const struct question q = { .out = out, .begin = n ? words[0] : "" };
	const struct other_name *other;
	const struct tool *tool;
	const struct command *command;
	const char *name;
	char word[OTHER_WORD];

	if (n < 2) {
		offer_tools(&q);
		offer_commands(&q);
		offer_names(&q);
		return;
	}
	other = other_named(words[0]);
	name = other && other->command ? other_word(other, word) : words[0];
	tool = tool_named(name);
	command = command_named(name);
	if (tool)
		complete_tool(out, tool, words, n);
	else if (command)
		complete_command(out, command, words, n);
}

int completion_main(int argc, char **argv)
{
	static const struct {
		const char *shell, *text;
	} scripts[] = {
		{ "bash", completion_bash }, { "zsh", completion_zsh }, { "fish", completion_fish },
	};

	if (argc > 1 && !strcmp(argv[1], "--")) {
		complete_words(sink_out(), argv + 2, (unsigned int)argc - 2);
		return 0;
	}
	for (size_t i = 0; argc == 2 && i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		if (strcmp(argv[1], scripts[i].shell))
			continue;
		fputs(scripts[i].text, sink_out());
		return 0;
	}
	return command_misused(argv[0]);
}
