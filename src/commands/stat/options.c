// SPDX-License-Identifier: GPL-2.0
#include "src/commands/stat/options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/cpus.h"
#include "compat/base/scan.h"
#include "src/commands/stat/names.h"

enum kind { FLAG, NUMBER, TEXT, LIST, REPEATED, FORMAT };

/* A value is in struct stat_options, at `offset`. */
struct row {
	char letter;
	const char *name, *alias;
	enum kind kind;
	size_t offset;
	const char *arg, *help;
	uint64_t least, most, factor;	/* factor 0: 1 */
	const struct output_format *format;	/* FORMAT */
};

static const struct row rows[] = {
#define AT(MEMBER) offsetof(struct stat_options, MEMBER)
	{ 'e', "event", NULL, LIST, AT(events), "EVENT,...", "count these" },
	{ 'd', "detailed", NULL, REPEATED, AT(detail), NULL,
	  "count caches too; -dd and -ddd count more of them" },
	{ 'a', "all-cpus", NULL, FLAG, AT(system_wide), NULL,
	  "all CPUs and all tasks; the default without a COMMAND" },
	{ 'C', "cpu", NULL, TEXT, AT(cpus), "CPU,...", "only these CPUs, as 0-3,5" },
	{ 'p', "pid", NULL, LIST, AT(pids), "PID,...",
	  "all threads of these processes, and their children" },
	{ 't', "tid", NULL, LIST, AT(tids), "TID,...", "these threads, and their children" },
	{ 'i', "no-inherit", NULL, FLAG, AT(no_inherit), NULL,
	  "only tasks that exist at the beginning, without their children" },
	{ 'I', "interval-print", NULL, NUMBER, AT(interval_ms), "MS",
	  "print the counts of each interval of so many ms", 1, UINT32_MAX },
	{ 0, "interval-count", "count", NUMBER, AT(count), "N", "end after so many intervals", 1,
	  UINT32_MAX },
	{ 0, "timeout", NULL, NUMBER, AT(timeout_ms), "MS", "end after so many ms", 1, UINT32_MAX },
	{ 0, "duration", NULL, NUMBER, AT(timeout_ms), "SECONDS", "end after this time", 1,
	  INT32_MAX, 1000 },
	{ 'r', "repeat", NULL, NUMBER, AT(runs), "N",
	  "run COMMAND so many times: the mean, and the deviation", 1, 100000 },
	{ 'A', "no-aggr", "per-cpu", FLAG, AT(per_cpu), NULL, "a line for each CPU" },
	{ 'x', "field-separator", NULL, TEXT, AT(separator), "SEP",
	  "a line an event with SEP between fields, as perf stat -x has them" },
	{ 'j', "json", NULL, FORMAT },		/* all formats; one has this letter */
	{ 'o', "output", NULL, TEXT, AT(output), "FILE", "write the counts into a file" },
	{ 'v', "verbose", NULL, FLAG, AT(verbose), NULL, "say which counters were opened, and why "
							 "others were not" },
	{ 'h', "help", NULL, FLAG, AT(help), NULL, "this text" },
	{ 0, "version", NULL, FLAG, AT(version), NULL, "the version of sonde" },
};
#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

#define ROWS_MOST 64
struct all_rows {
	struct row list[ROWS_MOST];
	size_t n;
};

/* The rows above, and a row for each format. */
static void rows_make(struct all_rows *all)
{
	all->n = 0;
	for (size_t i = 0; i < N_ROWS; i++) {
		if (rows[i].kind != FORMAT)
			all->list[all->n++] = rows[i];
		for (const struct output_format *f = formats;
		     rows[i].kind == FORMAT && f->writer && all->n < ROWS_MOST - N_ROWS; f++)
			if (f->option)
				all->list[all->n++] = (struct row){
					.letter = strcmp(f->option, rows[i].name) ? 0 :
						  rows[i].letter,
					.name = f->option, .kind = FORMAT, .help = f->help,
					.format = f,
				};
	}
}

static bool takes_value(const struct row *row)
{
	return row->kind != FLAG && row->kind != REPEATED && row->kind != FORMAT;
}

static int set(struct stat_options *o, const struct row *row, const char *value,
	       struct error *err)
{
	char *at = (char *)o + row->offset;
	uint64_t number;
	const char *end = value;

	switch (row->kind) {
	case FLAG:
		*(bool *)at = true;
		return 0;
	case REPEATED:
		++*(unsigned int *)at;
		return 0;
	case TEXT:
		*(const char **)at = value;
		return 0;
	case LIST:
		lines_add((struct lines *)at, "%s", value);
		return 0;
	case FORMAT:
		o->formats_differ |= o->format && o->format != row->format;
		o->format = row->format;
		return 0;
	case NUMBER:
		break;
	}
	if (!scan_number(&end, row->most, &number) || *end || number < row->least)
		return fail(err, "--%s takes a whole number from %llu to %llu, not \"%s\"",
			    row->name, (unsigned long long)row->least,
			    (unsigned long long)row->most, value);
	*(uint64_t *)at = number * (row->factor ? row->factor : 1);
	return 0;
}

static bool is_word(const char *name, const char *word, size_t n)
{
	return name && strlen(name) == n && !memcmp(name, word, n);
}

/* --NAME, --NAME=VALUE or --NAME VALUE */
static int long_option(const struct all_rows *all, struct stat_options *o, char ***next,
		       struct error *err)
{
	const struct row *row = all->list;
	char *word = *(*next)++ + 2, *value = strchr(word, '=');
	size_t n = value ? (size_t)(value - word) : strlen(word);

	for (; row < all->list + all->n; row++) {
		if (!is_word(row->name, word, n) && !is_word(row->alias, word, n))
			continue;
		if (!takes_value(row))
			return value ? fail(err, "--%s takes no value", row->name) :
				set(o, row, NULL, err);
		value = value ? value + 1 : *(*next) ? *(*next)++ : NULL;
		return value ? set(o, row, value, err) :
			fail(err, "--%s: its value is missing, %s", row->name, row->arg);
	}
	return fail(err, "there is no option --%.*s", (int)n, word);
}

/* -aA, -I1000, -I 1000 */
static int letters(const struct all_rows *all, struct stat_options *o, char ***next,
		   struct error *err)
{
	for (char *at = *(*next)++ + 1; *at; at++) {
		const struct row *row = all->list, *end = all->list + all->n;

		while (row < end && row->letter != *at)
			row++;
		if (row == end)
			return fail(err, "there is no option -%c", *at);
		if (takes_value(row)) {
			char *value = at[1] ? at + 1 : *(*next) ? *(*next)++ : NULL;

			return value ? set(o, row, value, err) :
				fail(err, "-%c: its value is missing, %s", *at, row->arg);
		}
		if (set(o, row, NULL, err))
			return -1;
	}
	return 0;
}

static bool is_cpu_list(const char *text)
{
	unsigned int first, last;

	while (cpu_list_range(&text, &first, &last))
		if (last > 65535)
			return false;
	return !*text;
}

/* Lists "12,15" of processes or threads. */
static int check_tasks(const struct lines *lists, const char *name, struct error *err)
{
	for (unsigned int i = 0; i < lists->n; i++) {
		const char *at = lists->list[i];
		uint64_t id;

		do
			if (!scan_number(&at, INT32_MAX, &id) || !id || (*at && *at != ','))
				return fail(err, "--%s takes numbers with commas between them, "
					    "not \"%s\"", name, lists->list[i]);
		while (*at++);
	}
	return 0;
}

static int check(const struct stat_options *o, struct error *err)
{
	bool tasks = o->pids.n || o->tids.n, cpus = o->system_wide || o->cpus;
	char list[256];

	if (check_tasks(&o->pids, "pid", err) || check_tasks(&o->tids, "tid", err))
		return -1;
	if (tasks && cpus)
		return fail(err, "--%s and --%s exclude each other", o->pids.n ? "pid" : "tid",
			    o->cpus ? "cpu" : "all-cpus");
	if (o->cpus && (!*o->cpus || !is_cpu_list(o->cpus)))
		return fail(err, "--cpu takes numbers of CPUs, as 0-3,5, not \"%s\"", o->cpus);
	if (o->per_cpu && (tasks || (o->command && !cpus)))
		return fail(err, "--no-aggr goes with whole CPUs: add -a or -C");
	if (o->runs && !o->command)
		return fail(err, "--repeat runs a COMMAND: add one");
	if (o->runs > 1 && o->interval_ms)
		return fail(err, "--repeat and --interval-print exclude each other");
	if (o->count && !o->interval_ms)
		return fail(err, "--interval-count counts intervals: add -I MS");
	if (o->formats_differ || (o->separator && o->format)) {
		formats_list(list, sizeof(list), "-x");
		return fail(err, "%s exclude each other", list);
	}
	if (o->separator && !*o->separator)
		return fail(err, "-x takes the separator of fields, as in -x,");
	return 0;
}

int stat_options(int argc, char **argv, struct stat_options *o, struct error *err)
{
	char **next = argv + (argc > 0);
	struct all_rows all;
	int status = 0;

	rows_make(&all);

	while (!status && *next && **next == '-' && (*next)[1]) {
		if (!strcmp(*next, "--")) {
			next++;
			break;
		}
		status = (*next)[1] == '-' ? long_option(&all, o, &next, err) :
			 letters(&all, o, &next, err);
		if (o->help || o->version)
			return 0;
	}
	o->command = *next ? next : NULL;
	return status ? status : check(o, err);
}

void stat_options_free(struct stat_options *o)
{
	lines_free(&o->events);
	lines_free(&o->pids);
	lines_free(&o->tids);
}

static void help_line(FILE *file, const struct row *row)
{
	char left[64];
	int n = snprintf(left, sizeof(left), "  %c%c%c --%s%s%s", row->letter ? '-' : ' ',
			 row->letter ? row->letter : ' ', row->letter ? ',' : ' ', row->name,
			 row->arg ? " " : "", row->arg ? row->arg : "");

	fprintf(file, n > 31 ? "%s\n%33s%s\n" : "%-33s%s%s\n", left, n > 31 ? "" : row->help,
		n > 31 ? row->help : "");
}

void stat_help(FILE *file)
{
	struct all_rows all;

	rows_make(&all);
	fputs("stat: count events of hardware, kernel and tracepoints, as perf stat does\n"
	      "Usage: sonde stat [options] [-a | -C CPU,... | -p PID,... | -t TID,...] "
	      "[COMMAND [ARG...]]\n\n", file);
	for (size_t i = 0; i < all.n; i++)
		help_line(file, &all.list[i]);
	fputs("\nEvents\n", file);
	stat_names_print(file);
	fputs("Others: a tracepoint, sched:sched_switch or syscalls:sys_enter_*; an event of a "
	      "PMU,\n"
	      "  msr/tsc/ or cpu/event=0x3c,umask=1/; r1a8, as the CPU's manual numbers it\n"
	      "Behind it: :u in user mode, :k in the kernel's, :h, :G, :H, :I, :p, :D, :e\n"
	      "{branches,branch-misses}: counted at the same times\n\n"
	      "The counts go to standard output; those of a COMMAND to standard error, because\n"
	      "standard output is the COMMAND's. Its exit status is handed through. With -a, -C, "
	      "-p or -t\n"
	      "the COMMAND says how long is counted, and is not counted itself.\n\n"
	      "Examples: sonde stat make            its counts, when it has ended\n"
	      "          sonde stat -I 1000 -e page-faults,context-switches,"
	      "syscalls:sys_enter_read\n", file);
}
