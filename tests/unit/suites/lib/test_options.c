// SPDX-License-Identifier: GPL-2.0
/*
 * Command lines: every way to write an option, every message, and --help to the byte.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/run/options/common.h"
#include "src/run/options/tool_options.h"
#include "tests/unit/unit.h"

static const struct option_name open_flags[] = { { "O_WRONLY", 1 }, { "O_RDWR", 2 },
						 { "O_CREAT", 0100 }, { NULL, 0 } };

static const struct option event_options[] = {
	{ .letter = 'T', .name = "timestamp", .help = "seconds since the start" },
	{ .letter = 'x', .name = "failed", .help = "only what failed" },
	{ .letter = 'p', .name = "pid" },
	{ .letter = 't', .name = "tid" },
	{ .letter = 'u', .name = "uid" },
	{ .letter = 'd', .name = "duration" },
	{ .letter = 'n', .name = "name" },
	{ .letter = 'e', .name = "extended", .help = "more columns", .alias = "extended_fields" },
	{ .letter = 'f', .name = "flags", .help = "only opens with one of these flags",
	  .type = OPTION_FLAGS,
	  .arg = "FLAG,...", .names = open_flags },
	{ .name = "max-args", .help = "arguments shown", .type = OPTION_NUMBER, .arg = "N",
	  .min = 1, .max = 60,
	  .initial = 20 },
	{ .name = "offset", .help = "any number", .type = OPTION_NUMBER, .arg = "N",
	  .min = INT64_MIN + 1,
	  .max = INT64_MAX, .initial = -5 },
	{ 0 }
};

static const struct column event_columns[] = {
	{ .head = "TIME(s)", .name = "time_s", .type = COLUMN_SECONDS, .option = "timestamp",
	  .help = "since the start" },
	{ .head = "PID", .name = "pid", .help = "process" },
	{ .head = "COMM", .name = "comm", .type = COLUMN_TEXT },
	{ .head = "N", .name = "n", .option = "max-args", .help = "how many",
	  .role = IS_COUNT },
	{ 0 }
};

static const struct example examples[] = {
	{ "sonde events -x", "what failed" },
	{ "sonde events --exec ls /tmp", "what ls does" },
	{ NULL, NULL }
};

static const struct tool events = {
	.name = "events", .summary = "trace something", .options = event_options,
	.columns = event_columns,
	.notes = "A note.\nAnother one.", .examples = examples,
};

static const struct option interval_options[] = {
	{ .letter = 'm', .name = "milliseconds", .help = "in milliseconds" },
	{ .letter = 'T', .name = "timestamp", .help = "print the time" },
	{ .letter = 'D', .name = "disks", .help = "for each disk" },
	{ .letter = 'F', .name = "flags", .help = "for each set of flags", .excludes = "disks" },
	{ .letter = 'j', .name = "json" },
	{ .letter = 'v', .name = "version" },
	{ .letter = 'h', .name = "name", .help = "own meaning", .type = OPTION_TEXT, .arg = "X" },
	{ 0 }
};

static const struct tool intervals = {
	.name = "intervals", .summary = "count something", .shape = SHAPE_INTERVALS,
	.positionals = 2, .interval = 1,
	.options = interval_options,
};

/* An option with a letter whose value may be left out. */
static const struct option glued_options[] = {
	{ .letter = 'm', .name = "milliseconds", .help = "in milliseconds" },
	{ .letter = 'p', .name = "percentiles" },
	{ 0 }
};
static const struct tool glued = {
	.name = "glued", .shape = SHAPE_INTERVALS, .positionals = 2, .interval = 1,
	.options = glued_options,
};

/* Prints a table, or histograms with --dist. */
static const struct option both_options[] = { { .name = "dist", .help = "as a histogram" }, { 0 } };
static const struct tool both = {
	.name = "both", .summary = "count something", .shape = SHAPE_INTERVALS, .positionals = 2,
	.interval = 1,
	.options = both_options, .columns = event_columns, .distribution = "dist",
};
/* The same, a line an event; whose tasks have no names. */
static const struct column either_columns[] = { { .head = "N", .name = "n" }, { 0 } };
static const struct tool either = {
	.name = "either", .options = both_options, .columns = either_columns,
	.distribution = "dist",
};
static const struct tool table = { .name = "table", .shape = SHAPE_INTERVALS,
				   .columns = event_columns };

static const struct tool plain = { .name = "plain", .summary = "no options of its own",
				   .positionals = 1 };

static const struct option alone_options[] = {
	{ .name = "min-us", .help = "longer than this", .type = OPTION_NUMBER, .arg = "min_us",
	  .max = 100, .initial = 10,
	  .positional = true },
	{ .letter = 't', .name = "timestamp", .help = "print the time" },
	{ 0 }
}, seconds_options[] = {
	{ .name = "duration", .positional = true },
	{ 0 }
};
/* A word without its option's name, and a number with a fraction. */
static const struct option_name words[] = { { "one", 1 }, { "two", 2 }, { 0 } };
static const struct option bare_options[] = {
	{ .letter = 'l', .name = "language", .help = "which one", .type = OPTION_TEXT,
	  .names = words, .bare = true },
	{ .name = "limit", .help = "milliseconds", .type = OPTION_NUMBER, .arg = "MS",
	  .max = 1000, .initial = 1500, .parts = 1000, .positional = 1 },
	{ 0 }
};
static const struct tool bare = { .name = "bare", .options = bare_options };
static const struct tool alone = { .name = "alone", .summary = "a value that may be alone",
				   .options = alone_options };
static const struct tool seconds = { .name = "seconds", .summary = "a common one",
				     .options = seconds_options };

/* A number that it can't take means that it was not given. */
static const struct option unset_options[] = {
	{ .name = "cpu", .help = "this CPU only", .type = OPTION_NUMBER, .arg = "N", .max = 63,
	  .initial = -1 },
	{ 0 }
};
static const struct tool unset = { .name = "unset", .summary = "all unless told otherwise",
				   .options = unset_options };

#define MAX_ARGS 16

/* Splits a command line at blanks; '' is an empty argument. */
static int split(char *line, char **argv, const struct tool *t)
{
	int argc = 0;

	argv[argc++] = (char *)t->name;
	for (char *word = strtok(line, " "); word && argc < MAX_ARGS - 1; word = strtok(NULL, " "))
		argv[argc++] = strcmp(word, "''") ? word : word + 2;
	argv[argc] = NULL;
	return argc;
}

struct parsed {
	char line[256];
	char *argv[MAX_ARGS];
	struct options *options;
	enum options_action action;
	struct error err;
};

static void parse(struct parsed *p, const struct tool *t, const char *line)
{
	int argc;

	memset(p, 0, sizeof(*p));
	snprintf(p->line, sizeof(p->line), "%s", line);
	argc = split(p->line, p->argv, t);
	p->action = tool_options(t, argc, p->argv, &p->options, &p->err);
}

/* "name=number" of everything in `names`, to compare. */
static void numbers_of(const struct options *o, const char *names, char *out, size_t size)
{
	char list[512], *save;
	size_t used = 0;

	snprintf(list, sizeof(list), "%s", names);
	*out = '\0';
	for (char *n = strtok_r(list, " ", &save); n; n = strtok_r(NULL, " ", &save))
		used += snprintf(out + used, size - used, "%s%s=%lld%s", used ? " " : "", n,
				 (long long)option_number(o, n), option_given(o, n) ? "!" : "");
}

/* What the values are after a command line; `!` marks those that were given. */
static const struct {
	const struct tool *tool;
	const char *line, *expected;
} accepted[] = {
	{ &events, "", "timestamp=0 failed=0 max-args=20 offset=-5 duration=0 json=0" },
	{ &events, "-T", "timestamp=1! failed=0" },
	{ &events, "-Tx", "timestamp=1! failed=1! extended=0" },
	{ &events, "-T -x -e", "timestamp=1! failed=1! extended=1!" },
	{ &events, "-Txd5", "timestamp=1! failed=1! duration=5!" },
	{ &events, "-Txd 5", "timestamp=1! failed=1! duration=5!" },
	{ &events, "-d5", "duration=5!" },
	{ &events, "--duration=5", "duration=5!" },
	{ &events, "--duration 5 -T", "duration=5! timestamp=1!" },
	{ &events, "-d 5 -d 6", "duration=6!" },
	{ &intervals, "-i 3", "interval=3!" },
	{ &intervals, "--interval 3", "interval=3!" },
	{ &events, "--duration 2147483647", "duration=2147483647!" },
	{ &events, "--extended_fields", "extended=1!" },
	{ &events, "--max-args=60", "max-args=60!" },
	{ &events, "--max-args 1", "max-args=1!" },
	{ &events, "--offset -9223372036854775807", "offset=-9223372036854775807!" },
	{ &events, "--offset=9223372036854775807", "offset=9223372036854775807!" },
	{ &events, "--offset -0", "offset=0!" },
	{ &events, "-f O_CREAT -fO_RDWR", "flags=66!" },
	{ &events, "--flags O_CREAT,O_RDWR,O_CREAT", "flags=66!" },
	{ &events, "--csv --verbose", "csv=1! json=0 verbose=1!" },
	{ &events, "-v --json", "csv=0 json=1! verbose=1!" },
	{ &events, "--dump --snapshot d --pid 4194304", "dump=1! snapshot=1! pid=1!" },
	{ &events, "--buffer-pages 1 --", "buffer-pages=1!" },
	{ &events, "-u root -n sh", "uid=1! name=1! tid=0" },
	{ &intervals, "", "interval=1 count=0 flags=0" },
	{ &intervals, "5", "interval=5! count=0" },
	{ &intervals, "5 3", "interval=5! count=3!" },
	{ &intervals, "-mT 5 3", "interval=5! count=3! milliseconds=1! timestamp=1!" },
	{ &intervals, "5 -m 3 -T", "interval=5! count=3! milliseconds=1! timestamp=1!" },
	{ &intervals, "-D -- 5 3", "interval=5! count=3! disks=1!" },
	{ &intervals, "-j", "json=1!" },
	{ &intervals, "--heatmap", "heatmap=1! interval=1" },
	{ &intervals, "--heatmap 5 3", "heatmap=1! interval=5! count=3!" },
	{ &intervals, "--heatmap -m", "heatmap=1! milliseconds=1!" },
	{ &intervals, "--heatmap=x.svg 5", "heatmap=1! interval=5!" },
	{ &intervals, "--heatmap=x.svg --json", "heatmap=1! json=1!" },
	{ &intervals, "--csv --heatmap=x.svg", "heatmap=1! csv=1!" },
	{ &intervals, "--tee x.json --csv", "tee=1! csv=1!" },
	{ &intervals, "--heatmap --heatmap=.svg --json", "heatmap=1!" },
	{ &both, "--heatmap --dist", "heatmap=1! dist=1!" },
	{ &both, "--percentiles --dist", "percentiles=1! dist=1!" },
	{ &intervals, "--percentiles --heatmap=x.svg", "percentiles=1! heatmap=1!" },
	{ &either, "--heatmap --dist", "heatmap=1! dist=1!" },
	{ &glued, "-p", "percentiles=1! interval=1 count=0" },
	{ &glued, "-p 5 3", "percentiles=1! interval=5! count=3!" },
	{ &glued, "-mp 5", "percentiles=1! milliseconds=1! interval=5!" },
	{ &glued, "-p -m 5", "percentiles=1! milliseconds=1! interval=5!" },
	{ &glued, "-p99,99.9 5", "percentiles=1! interval=5!" },
	{ &plain, "7", "interval=7! count=0" },
	{ &plain, "", "interval=0" },
	{ &alone, "", "min-us=10 timestamp=0" },
	{ &alone, "7 -t", "min-us=7! timestamp=1!" },
	{ &alone, "-t --min-us 7", "min-us=7! timestamp=1!" },
	{ &alone, "0", "min-us=0!" },
	{ &seconds, "5", "duration=5!" },
	{ &both, "--percentiles=0,99.999,100.0 --dist", "percentiles=1! dist=1!" },
	{ &bare, "two 0.25", "language=1! limit=250!" },
	{ &bare, "1000 -l one", "language=1! limit=1000000!" },
	{ &bare, "--limit=7.125 one", "language=1! limit=7125!" },
	{ &bare, "", "language=0 limit=1500" },
};

START_TEST(accepts)
{
	char names[512] = "", found[512];
	struct parsed p;

	for (const char *c = accepted[_i].expected, *word = c; *word; word = *c ? c + 1 : c) {
		c = strchrnul(word, ' ');
		sprintf(names + strlen(names), "%.*s ", (int)strcspn(word, "="), word);
	}
	parse(&p, accepted[_i].tool, accepted[_i].line);
	ck_assert_msg(p.action == ACTION_RUN, "%s: %s", accepted[_i].line, p.err.text);
	numbers_of(p.options, names, found, sizeof(found));
	ck_assert_str_eq(found, accepted[_i].expected);
	options_free(p.options);
}
END_TEST

#define NO_HISTOGRAMS \
	" would do nothing: this tool prints no histograms; biolatency, runqlat and funclatency do"
#define NO_STACKS \
	" would do nothing: this tool shows no stacks; profile, offcputime and stackcount do"

static const struct {
	const struct tool *tool;
	const char *line, *message;
} refused[] = {
	{ &events, "--pdi 3", "there is no option --pdi; did you mean --pid?" },
	{ &events, "--time", "there is no option --time; did you mean --timestamp?" },
	{ &events, "--extended_feilds",
	  "there is no option --extended_feilds; did you mean --extended_fields?" },
	{ &events, "--buffer-page=3",
	  "there is no option --buffer-page; did you mean --buffer-pages?" },
	{ &events, "--evrsino", "there is no option --evrsino; did you mean --version?" },
	{ &events, "--xi", "there is no option --xi" },
	{ &events, "--quux", "there is no option --quux" },
	{ &events, "--q", "there is no option --q" },
	{ &events, "--interval 3", "there is no option --interval" },
	{ &intervals, "--count 3", "there is no option --count" },
	{ &intervals, "--intervals=3", "there is no option --intervals" },
	{ &events, "-q", "there is no option -q" },
	{ &events, "-Tq", "there is no option -q" },
	{ &events, "-X", "there is no option -X; -x is --failed" },
	{ &events, "-json", "there is no option -j in -json; did you mean --json?" },
	{ &events, "-d", "-d needs a value: -d SECONDS" },
	{ &events, "-Td", "-d needs a value: -d SECONDS" },
	{ &events, "--duration", "--duration needs a value: --duration SECONDS" },
	{ &events, "--duration=", "--duration: its value is empty" },
	{ &events, "--duration ''", "--duration: its value is empty" },
	{ &events, "--name ''", "--name: its value is empty" },
	{ &events, "-d 0", "-d takes a whole number from 1 to 2147483647, not \"0\"" },
	{ &events, "-d -1", "-d takes a whole number from 1 to 2147483647, not \"-1\"" },
	{ &events, "-d 5x", "-d takes a whole number from 1 to 2147483647, not \"5x\"" },
	{ &events, "-d 1.5", "-d takes a whole number from 1 to 2147483647, not \"1.5\"" },
	{ &events, "-d +5", "-d takes a whole number from 1 to 2147483647, not \"+5\"" },
	{ &events, "-d -", "-d takes a whole number from 1 to 2147483647, not \"-\"" },
	{ &events, "-d 18446744073709551617",
	  "-d takes a whole number from 1 to 2147483647, not \"18446744073709551617\"" },
	{ &events, "--max-args 61", "--max-args takes a whole number from 1 to 60, not \"61\"" },
	{ &events, "--offset 9223372036854775808",
	  "--offset takes a whole number from -9223372036854775807 to 9223372036854775807, "
	  "not \"9223372036854775808\"" },
	{ &events, "--offset=-9223372036854775808",
	  "--offset takes a whole number from -9223372036854775807 to 9223372036854775807, "
	  "not \"-9223372036854775808\"" },
	{ &events, "-p 1,x", "-p takes a whole number from 1 to 4194304, not \"x\"" },
	{ &events, "-p 1,,2", "-p: an item of the list \"1,,2\" is empty" },
	{ &events, "-p 1,", "-p: an item of the list \"1,\" is empty" },
	{ &events, "-f O_CREATE", "-f takes O_WRONLY, O_RDWR or O_CREAT, not \"O_CREATE\"" },
	{ &events, "--backend dtrace", "--backend takes bpf, perf or ftrace, not \"dtrace\"" },
	{ &events, "-u no-such-user-",
	  "-u: no user \"no-such-user-\" in /etc/passwd; give the number of the user" },
	{ &events, "-u 4294967295",
	  "-u takes user names or ids from 0 to 4294967294, not 4294967295" },
	{ &events, "-u -1", "-u takes user names or ids from 0 to 4294967294, not -1" },
	{ &events, "--json=1", "--json takes no value" },
	{ &events, "--json --csv", "--json and --csv exclude each other" },
	{ &events, "--csv --json", "--json and --csv exclude each other" },
	{ &events, "--exec", "--exec needs a command" },
	{ &events, "--exec --", "--exec needs a command" },
	{ &events, "--exec=", "--exec needs a command" },
	{ &events, "--exec ''", "--exec needs a command" },
	{ &events, "--snapshot d",
	  "--snapshot goes with --dump or --input: a program can't run on a kernel that is not "
	  "there" },
	{ &events, "-p 4194304", "process 4194304 does not exist" },
	{ &events, "-t 4194304", "thread 4194304 does not exist" },
	{ &events, "5", "it takes options only, not \"5\"" },
	{ &events, "-", "it takes options only, not \"-\"" },
	{ &events, "-- -T", "it takes options only, not \"-T\"" },
	{ &intervals, "0", "the interval takes a whole number from 1 to 2147483647, not \"0\"" },
	{ &intervals, "1 0", "the count takes a whole number from 1 to 2147483647, not \"0\"" },
	{ &intervals, "1 2 3", "it takes no more than an interval and a count, not \"3\" too" },
	{ &intervals, "-- -1",
	  "the interval takes a whole number from 1 to 2147483647, not \"-1\"" },
	{ &intervals, "-DF", "--disks and --flags exclude each other" },
	{ &intervals, "-V", "there is no option -V; -v is --version" },
	{ &intervals, "--heatmap=", "--heatmap: its value is empty" },
	{ &intervals, "--heatmap x.svg",
	  "--heatmap takes its value after `=`: --heatmap=x.svg" },
	{ &glued, "-p 50,99 1", "-p takes its value without a blank: -p50,99" },
	{ &glued, "--percentiles 50,99",
	  "--percentiles takes its value after `=`: --percentiles=50,99" },
	{ &glued, "-pm", "--percentiles takes up to 20 percentages, as in 50,99.9; not \"m\"" },
	{ &intervals, "--heatmap 5 x",
	  "the count takes a whole number from 1 to 2147483647, not \"x\"" },
	{ &intervals, "--heatmap 0",
	  "the interval takes a whole number from 1 to 2147483647, not \"0\"" },
	{ &intervals, "--heatmap=5",
	  "--heatmap writes SVG: the name of its file has to end with .svg, not \"5\"" },
	{ &intervals, "--heatmap=a.svg/b",
	  "--heatmap writes SVG: the name of its file has to end with .svg, not \"a.svg/b\"" },
	{ &intervals, "--tee= --json", "--tee: its value is empty" },
	{ &intervals, "--tee x.json --dump", "--dump and --tee exclude each other" },
	{ &intervals, "--heatmap --json",
	  "--heatmap would be drawn into the JSON: give it a file, --heatmap=FILE.svg" },
	{ &intervals, "--heatmap=a.svg --csv --heatmap",
	  "--heatmap would be drawn into the CSV: give it a file, --heatmap=FILE.svg" },
	{ &both, "--heatmap",
	  "--heatmap needs --dist: without this option there are no histograms" },
	{ &either, "--heatmap",
	  "--heatmap needs --dist: without this option there are no histograms" },
	{ &either, "--percentiles",
	  "--percentiles needs --dist: without this option there are no histograms" },
	{ &intervals, "--percentiles --heatmap",
	  "--percentiles and --heatmap exclude each other, unless the map goes into a file: "
	  "--heatmap=FILE.svg" },
	{ &table, "--percentiles", "--percentiles" NO_HISTOGRAMS },
	{ &either, "--name x",
	  "--name would do nothing: this tool's lines have no names of tasks: take --pid instead" },
	{ &table, "--heatmap", "--heatmap" NO_HISTOGRAMS },
	{ &table, "--top", "--top" NO_STACKS },
	{ &table, "--flame=x.svg", "--flame" NO_STACKS },
	{ &table, "--pprof=x.pb.gz", "--pprof" NO_STACKS },
	{ &events, "--speedscope=x.json", "--speedscope" NO_STACKS },
	{ &events, "--heatmap=x.svg", "--heatmap" NO_HISTOGRAMS },
	{ &plain, "1 2", "it takes no more than an interval, not \"2\" too" },
	{ &plain, "-p 1", "there is no option -p" },
	{ &alone, "101", "min_us takes a whole number from 0 to 100, not \"101\"" },
	{ &alone, "5 6", "it takes no more than min_us, not \"6\" too" },
#define NOT_PERCENTAGES "--percentiles takes up to 20 percentages, as in 50,99.9; not "
	{ &both, "--dist --percentiles=50,,9", NOT_PERCENTAGES "\"50,,9\"" },
	{ &both, "--dist --percentiles=100.001", NOT_PERCENTAGES "\"100.001\"" },
	{ &both, "--dist --percentiles=50.0001", NOT_PERCENTAGES "\"50.0001\"" },
	{ &both, "--dist --percentiles=50.", NOT_PERCENTAGES "\"50.\"" },
	{ &both, "--dist --percentiles=.5", NOT_PERCENTAGES "\".5\"" },
	{ &both, "--dist --percentiles=-1", NOT_PERCENTAGES "\"-1\"" },
	{ &both, "--dist --percentiles=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21",
	  NOT_PERCENTAGES "\"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21\"" },
	{ &bare, "three", "--language takes one or two, not \"three\"" },
#define PARTS	" takes a number (with up to three digits behind a point) from 0 to 1000, not "
	{ &bare, "0.0001", "MS" PARTS "\"0.0001\"" },
	{ &bare, "1000.001", "MS" PARTS "\"1000.001\"" },
	{ &bare, "1.", "MS" PARTS "\"1.\"" },
	{ &bare, "1.x", "MS" PARTS "\"1.x\"" },
	{ &bare, "--limit .5", "--limit" PARTS "\".5\"" },
	{ &bare, "--limit -1", "--limit" PARTS "\"-1\"" },
	{ &bare, "99999999999999999999", "MS" PARTS "\"99999999999999999999\"" },
	{ &seconds, "0", "SECONDS takes a whole number from 1 to 2147483647, not \"0\"" },
};

START_TEST(refuses)
{
	char expected[1024];
	struct parsed p;

	parse(&p, refused[_i].tool, refused[_i].line);
	ck_assert_int_eq(p.action, ACTION_USAGE_ERROR);
	ck_assert_ptr_null(p.options);
	snprintf(expected, sizeof(expected), "%s: %s\n`sonde help %s` lists its options",
		 refused[_i].tool->name,
		 refused[_i].message, refused[_i].tool->name);
	ck_assert_str_eq(p.err.text, expected);
	/* Who does not care for the text may pass no error. */
	parse(&p, refused[_i].tool, refused[_i].line);
	ck_assert_int_eq(tool_options(refused[_i].tool, 2, (char *[]){ "x", "--no-such", NULL },
				       &p.options, NULL),
			 ACTION_USAGE_ERROR);
}
END_TEST

static const struct {
	const struct tool *tool;
	const char *line;
	enum options_action action;
} actions[] = {
	{ &events, "-h", ACTION_HELP },
	{ &events, "--help", ACTION_HELP },
	{ &events, "-Th", ACTION_HELP },
	{ &events, "-hq", ACTION_HELP },
	{ &events, "--help --no-such", ACTION_HELP },
	{ &events, "-p 4194304 --json --csv --help", ACTION_HELP },
	{ &events, "--version", ACTION_VERSION },
	{ &intervals, "-v", ACTION_VERSION },
	{ &intervals, "--help", ACTION_HELP },
	{ &intervals, "-h x", ACTION_RUN },
};

START_TEST(acts)
{
	struct parsed p;

	parse(&p, actions[_i].tool, actions[_i].line);
	ck_assert_int_eq(p.action, actions[_i].action);
	ck_assert(!p.options == (p.action != ACTION_RUN));
	options_free(p.options);
}
END_TEST

START_TEST(lists)
{
	const int64_t *list;
	struct parsed p;
	unsigned int n;
	char line[128];

	snprintf(line, sizeof(line), "-p%d,1 --pid %d --uid=root,0,4294967294 --name=sh", getpid(),
		 getpid());
	parse(&p, &events, line);
	ck_assert_msg(p.action == ACTION_RUN, "%s", p.err.text);
	list = option_list(p.options, "pid", &n);
	ck_assert_uint_eq(n, 3);
	ck_assert_int_eq(list[0], getpid());
	ck_assert_int_eq(list[1], 1);
	ck_assert_int_eq(list[2], getpid());
	list = option_list(p.options, "uid", &n);
	ck_assert_uint_eq(n, 3);
	ck_assert_int_eq(list[0], 0);
	ck_assert_int_eq(list[1], 0);
	ck_assert_int_eq(list[2], 4294967294);
	ck_assert_ptr_null(option_list(p.options, "tid", &n));
	ck_assert_uint_eq(n, 0);
	ck_assert_ptr_null(option_list(p.options, "no-such", &n));
	ck_assert_uint_eq(n, 0);
	ck_assert_str_eq(option_text(p.options, "name"), "sh");
	ck_assert_ptr_null(option_text(p.options, "backend"));
	ck_assert_ptr_null(option_text(p.options, "no-such"));
	ck_assert_int_eq(option_number(p.options, "no-such"), 0);
	ck_assert(!option_given(p.options, "no-such"));
	options_free(p.options);
}
END_TEST

START_TEST(texts)
{
	struct parsed p;

	parse(&p, &intervals, "--heatmap --heatmap=x.svg");
	ck_assert_str_eq(option_text(p.options, "heatmap"), "x.svg");
	options_free(p.options);
	parse(&p, &intervals, "--heatmap=x.svg --heatmap");
	ck_assert_ptr_null(option_text(p.options, "heatmap"));
	options_free(p.options);
	parse(&p, &events, "--without bpf --without=kprobes,perf --without ringbuf --name a --name "
			   "b --backend perf");
	ck_assert_int_eq(p.action, ACTION_RUN);
	ck_assert_str_eq(option_text(p.options, "without"), "bpf,kprobes,perf,ringbuf");
	ck_assert_str_eq(option_text(p.options, "name"), "b");
	ck_assert_str_eq(option_text(p.options, "backend"), "perf");
	options_free(p.options);
}
END_TEST

/* --exec takes the rest as it is, options of sonde or not. */
static const struct {
	const char *line, *command;
} commands[] = {
	{ "-T --exec ls -x --json -- a", "ls -x --json -- a" },
	{ "-T --exec=ls -x", "ls -x" },
	{ "-T --exec -- ls -h", "ls -h" },
	{ "-T --exec ls", "ls" },
};

START_TEST(command)
{
	char found[256] = "";
	struct parsed p;

	parse(&p, &events, commands[_i].line);
	ck_assert_msg(p.action == ACTION_RUN, "%s", p.err.text);
	ck_assert(option_given(p.options, "exec") && option_given(p.options, "timestamp"));
	ck_assert(!option_given(p.options, "json") && !option_given(p.options, "failed"));
	for (char *const *arg = option_command(p.options); *arg; arg++)
		sprintf(found + strlen(found), "%s%s", *found ? " " : "", *arg);
	ck_assert_str_eq(found, commands[_i].command);
	options_free(p.options);
	parse(&p, &events, "-T");
	ck_assert_ptr_null(option_command(p.options));
	options_free(p.options);
}
END_TEST

/* A thread's id serves --tid and not --pid. */
static void *in_thread(void *text)
{
	struct parsed p;
	char line[64], expected[256];
	long tid = syscall(SYS_gettid);

	snprintf(line, sizeof(line), "-t %ld", tid);
	parse(&p, &events, line);
	if (p.action != ACTION_RUN)
		sprintf(text, "-t: %s", p.err.text);
	options_free(p.options);
	snprintf(line, sizeof(line), "-p %ld", tid);
	parse(&p, &events, line);
	snprintf(expected, sizeof(expected),
		 "events: %ld is a thread of process %d; --tid takes threads\n`sonde help events` "
		 "lists its options",
		 tid, getpid());
	if (strcmp(p.err.text, expected))
		sprintf(text, "-p: %s", p.err.text);
	options_free(p.options);
	return NULL;
}

START_TEST(threads)
{
	char text[sizeof(struct error) + 8] = "";
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, in_thread, text), 0);
	pthread_join(thread, NULL);
	ck_assert_str_eq(text, "");
}
END_TEST

/* Values as members of a tool's struct: those that are given, and those that are not. */
struct kinds {
	bool flag, number_given, text_given;
	int64_t number, flags, times;
	const char *text;
	struct option_list list, pid;
};
#define TO(MEMBER) .to = OPTION_MEMBER(struct kinds, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct kinds, MEMBER)

static const struct option kinds_options[] = {
	{ .letter = 'f', .name = "flag", .help = "a flag", TO(flag) },
	{ .letter = 'n', .name = "number", .help = "a number", .type = OPTION_NUMBER, .max = 99,
	  .initial = 7, TO(number), GIVEN(number_given) },
	{ .letter = 's', .name = "flags", .help = "a set", .type = OPTION_FLAGS,
	  .names = open_flags, TO(flags) },
	{ .letter = 't', .name = "times", .help = "how often", TO(times) },
	{ .letter = 'x', .name = "text", .help = "a text", .type = OPTION_TEXT, .optional = true,
	  TO(text), GIVEN(text_given) },
	{ .letter = 'l', .name = "list", .help = "a list", .type = OPTION_LIST, .max = 99,
	  TO(list) },
	{ .letter = 'p', .name = "pid", TO(pid) },
	{ 0 }
};
static const struct tool kinds = { .name = "kinds", .options = kinds_options,
				   .options_size = sizeof(struct kinds) };

START_TEST(members)
{
	const struct kinds *k;
	struct parsed p;

	parse(&p, &kinds, "");
	k = options_asked(p.options);
	ck_assert(!k->flag && !k->number_given && !k->text_given && !k->text);
	ck_assert(k->number == 7 && !k->flags && !k->times && !k->list.n && !k->pid.n);
	options_free(p.options);

	parse(&p, &kinds, "-f -n 7 -s O_CREAT,O_RDWR -ttt -xa.svg -l 3,4 -l 5 -p 1");
	ck_assert_msg(p.action == ACTION_RUN, "%s", p.err.text);
	k = options_asked(p.options);
	ck_assert(k->flag && k->number_given && k->number == 7 && k->flags == 0102);
	ck_assert(k->times == 3 && k->text_given);
	ck_assert_str_eq(k->text, "a.svg");
	ck_assert(k->list.n == 3 && k->list.values[2] == 5 && k->pid.n == 1);
	options_free(p.options);

	parse(&p, &kinds, "-xa.svg -x");
	k = options_asked(p.options);
	ck_assert(k->text_given && !k->text);
	options_free(p.options);
}
END_TEST

/* Values of options that some tools have, as members of the common struct; and of positionals. */
START_TEST(common_members)
{
	const struct common_options *c;
	struct parsed p;

	parse(&p, &events, "-T -p 7,8");
	c = common_of(p.options);
	ck_assert(c->timestamp && !c->by_cgroup && !c->interval && !c->cpu_given);
	ck_assert(c->pid.n == 2 && c->pid.values[1] == 8);
	options_free(p.options);

	parse(&p, &intervals, "");
	c = common_of(p.options);
	ck_assert(!c->timestamp && c->interval == 1 && !c->interval_given && !c->count);
	options_free(p.options);

	parse(&p, &intervals, "3 9");
	c = common_of(p.options);
	ck_assert(c->interval == 3 && c->interval_given && c->count == 9);
	options_free(p.options);

	parse(&p, &unset, "");
	c = common_of(p.options);
	ck_assert(c->cpu == -1 && !c->cpu_given);
	options_free(p.options);
}
END_TEST

START_TEST(first_of_some)
{
	static const char *const names[] = { "extended", "timestamp", "pid", NULL };
	struct parsed p;

	parse(&p, &events, "-x");
	ck_assert_ptr_null(option_first(p.options, names));
	options_free(p.options);

	parse(&p, &events, "-p 7 -T");
	ck_assert_str_eq(option_first(p.options, names), "timestamp");
	options_free(p.options);
}
END_TEST

START_TEST(constants)
{
	static const struct {
		const char *name;
		int64_t value;
	} expected[] = {
		{ "timestamp", 1 }, { "failed", 0 }, { "pid", 1 }, { "max-args", 20 },
		{ "duration", 9 },
		{ "flags", 0100 }, { "name", 1 }, { "tid", 0 }, { "offset", -5 },
	};
	const struct constant *c, *found;
	struct parsed p;

	parse(&p, &events, "-T -p 1 -d 9 -f O_CREAT -n x");
	ck_assert_msg(p.action == ACTION_RUN, "%s", p.err.text);
	c = options_constants(p.options);
	ck_assert_ptr_eq(c, options_constants(p.options));
	for (unsigned int i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		for (found = c; found->name && strcmp(found->name, expected[i].name); found++)
			;
		ck_assert_ptr_nonnull(found->name);
		ck_assert_msg(found->value == expected[i].value, "%s: %lld", found->name,
			      (long long)found->value);
	}
	options_free(p.options);

	parse(&p, &intervals, "5");
	for (found = options_constants(p.options); strcmp(found->name, "interval"); found++)
		;
	ck_assert_int_eq(found->value, 5);
	ck_assert_str_eq(found[1].name, "count");
	ck_assert_ptr_null(found[2].name);
	options_free(p.options);
}
END_TEST

static char *help(const struct tool *t);

/* A row of `formats` is all that an option, its help and its conflicts are made of. */
START_TEST(format_options)
{
	char line[128], message[256], *text = help(&events), *usage = formats_usage("[--FORMAT] x");
	struct parsed p;

	for (const struct output_format *f = formats + 1; f->writer; f++) {
		snprintf(line, sizeof(line), "  --%s", f->option);
		ck_assert_ptr_nonnull(strstr(text, line));
		snprintf(line, sizeof(line), "[--%s] ", f->option);
		ck_assert_ptr_nonnull(strstr(usage, line));
		snprintf(line, sizeof(line), "--%s", f->option);
		parse(&p, &events, line);
		ck_assert_int_eq(p.action, ACTION_RUN);
		ck_assert_ptr_eq(options_format(p.options), f);
		options_free(p.options);
		for (const struct output_format *other = f + 1; other->writer; other++) {
			snprintf(line, sizeof(line), "--%s --%s", other->option, f->option);
			parse(&p, &events, line);
			ck_assert_int_eq(p.action, ACTION_USAGE_ERROR);
			snprintf(message, sizeof(message), "--%s and --%s exclude each other",
				 f->option, other->option);
			ck_assert_ptr_nonnull(strstr(p.err.text, message));
		}
	}
	parse(&p, &events, "");
	ck_assert_ptr_eq(options_format(p.options), formats);
	options_free(p.options);
	free(text);
	free(usage);
}
END_TEST

static char *help(const struct tool *t)
{
	char *s = NULL;
	size_t size;
	FILE *file = open_memstream(&s, &size);

	options_help(t, file);
	fclose(file);
	return s;
}

static const struct {
	const struct tool *tool;
	const char *expected;
} helps[] = {
	/* Options with a letter have a line each; no room for blank lines. */
	{ &events,
	  "events: trace something\n"
	  "Usage: sonde events [options]\n"
	  "  -T, --timestamp         seconds since the start\n"
	  "  -x, --failed            only what failed\n"
	  "  -p, --pid PID,...       only these processes\n"
	  "  -t, --tid TID,...       only these threads\n"
	  "  -u, --uid USER,...      only tasks of these users\n"
	  "  -d, --duration SECONDS  end after this time\n"
	  "  -n, --name TEXT         only commands with TEXT in their name\n"
	  "  -e, --extended          more columns\n"
	  "  -f, --flags FLAG,...    only opens with one of these flags\n"
	  "      --max-args N        arguments shown (default 20)\n"
	  "      --offset N          any number (default -5)\n"
	  "Filters:  -c, --cgroup DIR  --container NAME,...  --pod NAME,...  --unit NAME,...  "
	  "--mntns PID,...\n"
	  "          --pidns PID,...  --cgroupmap FILE  --mntnsmap FILE  --exec CMD ARG...\n"
	  "Output:   -K, --container-names  --json  --csv  --tee FILE  -v, --verbose  -h, --help  "
	  "--version\n"
	  "Engine:   --backend bpf|perf|ftrace  --buffer-pages N  --without FEATURE,...  --dump  "
	  "--snapshot DIR\n          --input FILE\n"
	  "Columns:  TIME(s): since the start (-T). PID: process. COMM. N: how many (--max-args).\n"
	  "Roles:    identity: PID, COMM. count: N. time: TIME(s).\n"
	  "A note.\n"
	  "Another one.\n"
	  "Examples: sonde events -x              what failed\n"
	  "          sonde events --exec ls /tmp  what ls does\n" },
	{ &intervals,
	  "intervals: count something\n"
	  "Usage: sonde intervals [options] [interval [count]]\n"
	  "\n"
	  "  -m, --milliseconds  in milliseconds\n"
	  "  -T, --timestamp     print the time\n"
	  "  -D, --disks         for each disk\n"
	  "  -F, --flags         for each set of flags\n"
	  "  -j, --json          JSON, an object a line\n"
	  "  -v, --version       the version of sonde\n"
	  "  -h, --name X        own meaning\n"
	  "  interval, count     seconds between summaries, and how many of them (default 1)\n"
	  "\n"
	  "Filters:  --pid PID,...  --tid TID,...  --uid USER,...  -c, --cgroup DIR  "
	  "--container NAME,...\n"
	  "          --pod NAME,...  --unit NAME,...  --mntns PID,...  --pidns PID,...  "
	  "--cgroupmap FILE\n"
	  "          --mntnsmap FILE  --exec CMD ARG...\n"
	  "Output:   --duration SECONDS  --csv  --tee FILE  --perfetto FILE  "
	  "--chrome FILE.json\n          --heatmap[=FILE.svg]  --percentiles[=P,...]  "
	  "--verbose  --help\n"
	  "Engine:   --backend bpf|perf|ftrace  --buffer-pages N  --without FEATURE,...  --dump  "
	  "--snapshot DIR\n          --input FILE\n" },
	{ &plain,
	  "plain: no options of its own\n"
	  "Usage: sonde plain [options] [interval]\n"
	  "\n"
	  "  interval         seconds between summaries (default: one, at the end)\n"
	  "\n"
	  "Filters:  --pid PID,...  --tid TID,...  --uid USER,...  -c, --cgroup DIR  "
	  "--container NAME,...\n"
	  "          --pod NAME,...  --unit NAME,...  --mntns PID,...  --pidns PID,...  "
	  "--cgroupmap FILE\n"
	  "          --mntnsmap FILE  --name TEXT  --exec CMD ARG...\n"
	  "Output:   --duration SECONDS  --json  --csv  --tee FILE  -v, --verbose  -h, --help  "
	  "--version\n"
	  "Engine:   --backend bpf|perf|ftrace  --buffer-pages N  --without FEATURE,...  --dump  "
	  "--snapshot DIR\n          --input FILE\n" },
	{ &unset,
	  "unset: all unless told otherwise\n"
	  "Usage: sonde unset [options]\n"
	  "\n"
	  "      --cpu N  this CPU only\n"
	  "\n"
	  "Filters:  --pid PID,...  --tid TID,...  --uid USER,...  -c, --cgroup DIR  "
	  "--container NAME,...\n"
	  "          --pod NAME,...  --unit NAME,...  --mntns PID,...  --pidns PID,...  "
	  "--cgroupmap FILE\n"
	  "          --mntnsmap FILE  --name TEXT  --exec CMD ARG...\n"
	  "Output:   --duration SECONDS  --json  --csv  --tee FILE  -v, --verbose  -h, --help  "
	  "--version\n"
	  "Engine:   --backend bpf|perf|ftrace  --buffer-pages N  --without FEATURE,...  --dump  "
	  "--snapshot DIR\n          --input FILE\n" },
};

START_TEST(helps_to_the_byte)
{
	char *s = help(helps[_i].tool);

	ck_assert_str_eq(s, helps[_i].expected);
	free(s);
}
END_TEST

/*
 * A tool with much to say: its letters of common options move to the compact lines, and nothing is
 * too wide.
 */
START_TEST(help_of_many)
{
	struct option many[20] = { { 0 } };
	struct column wide[12] = { { 0 } };
	struct tool t = events;
	char *s;

	for (int i = 0; i < 12; i++)
		many[i] = event_options[i % 2 ? 1 : 0];
	many[12] = event_options[2];
	many[13] = (struct option){ .name = "an-option-whose-name-takes-all-the-room",
				    .help = "on the next line" };
	many[14] = (struct option){ .name = "long", .type = OPTION_TEXT, .arg = "X",
				    .help = "words words words words words words words words words "
					    "words words "
					    "words words words words" };
	for (int i = 0; i < 10; i++)
		wide[i] = (struct column){ .head = "COLUMN", .name = "column",
					   .help = "some words that say what it means",
					   .option = "pid" };
	t.options = many;
	t.columns = wide;
	t.notes = NULL;
	s = help(&t);
	ck_assert_ptr_nonnull(strstr(s, "\nFilters:  -p, --pid PID,...  --tid TID,...  --uid"));
	ck_assert_ptr_null(strstr(s, "only these processes"));
	ck_assert_ptr_nonnull(strstr(s, "\n      --an-option-whose-name-takes-all-the-room\n"
				     "                   on the next line\n"));
	ck_assert_ptr_nonnull(strstr(s, "\nColumns:  COLUMN: some words that say what it means "
					"(-p). COLUMN: some"));
	for (char *line = s; *line; line = strchr(line, '\n') + 1) {
		size_t length = strcspn(line, "\n");

		ck_assert_uint_gt(length, 0);
		ck_assert_uint_le(length, 100);
		ck_assert(line[length - 1] != ' ');
	}
	free(s);
}
END_TEST

/* Each head once a role, with the unit that it does not show; other forms are left out. */
START_TEST(help_of_roles)
{
	static const struct column columns[] = {
		{ .head = "LAT(ms)", .name = "lat_ms", .type = COLUMN_REAL },
		{ .head = "LAT(ms)", .name = "lat_ms", .type = COLUMN_REAL,
		  .readers = FOR_MACHINES },
		{ .head = "TYPE", .name = "type", .type = COLUMN_TEXT },
		{ .head = "TYPE", .name = "type", .type = COLUMN_TEXT, .option = "max-args" },
		{ .head = "HITS", .name = "hits", .unit = IN_PAGES },
		{ .head = "RATIO", .name = "hit_percent", .type = COLUMN_REAL },
		{ .head = "TID", .name = "tid", .readers = FOR_MACHINES },
		{ .head = "CALLS", .name = "calls", .role = IS_COUNT },
		{ .head = "END", .name = "end_us", .role = IS_TIME },
		{ 0 }
	};
	struct tool t = events;
	char *s;

	t.columns = columns;
	s = help(&t);
	ck_assert_ptr_nonnull(strstr(s, "\nRoles:    label: TYPE. count: CALLS. "
				     "value: LAT(ms), HITS (pages), RATIO (percent). "
				     "time: END (us).\n"));
	free(s);
	t.columns = NULL;
	s = help(&t);
	ck_assert_ptr_null(strstr(s, "Roles:"));
	free(s);
}
END_TEST

#define N(ARRAY) (int)(sizeof(ARRAY) / sizeof((ARRAY)[0]))

static void add_case(Suite *suite, const char *name, const TTest *test, int n)
{
	TCase *tcase = tcase_create(name);

	tcase_add_loop_test(tcase, test, 0, n);
	suite_add_tcase(suite, tcase);
}

Suite *suite_options(void)
{
	Suite *suite = suite_create("options");

	add_case(suite, "accepts", accepts, N(accepted));
	add_case(suite, "refuses", refuses, N(refused));
	add_case(suite, "acts", acts, N(actions));
	add_case(suite, "lists", lists, 1);
	add_case(suite, "texts", texts, 1);
	add_case(suite, "command", command, N(commands));
	add_case(suite, "threads", threads, 1);
	add_case(suite, "members", members, 1);
	add_case(suite, "common members", common_members, 1);
	add_case(suite, "first of some", first_of_some, 1);
	add_case(suite, "constants", constants, 1);
	add_case(suite, "format_options", format_options, 1);
	add_case(suite, "helps_to_the_byte", helps_to_the_byte, N(helps));
	add_case(suite, "help_of_many", help_of_many, 1);
	add_case(suite, "help_of_roles", help_of_roles, 1);
	return suite;
}
