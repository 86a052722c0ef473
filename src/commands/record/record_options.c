// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/record_options.h"

#include <getopt.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/scan.h"

static const struct option longs[] = {
	{ "output", required_argument, NULL, 'o' }, { "event", required_argument, NULL, 'e' },
	{ "call-graph", no_argument, NULL, 'g' }, { "duration", required_argument, NULL, 'd' },
	{ "freq", required_argument, NULL, 'F' }, { "script", required_argument, NULL, 's' },
	{ "buffer-pages", required_argument, NULL, 'm' }, { "verbose", no_argument, NULL, 'v' },
	{ "backend", required_argument, NULL, 'b' }, { "print-bootconfig", no_argument, NULL, 'B' },
	{ "help", no_argument, NULL, 'h' },
	FLIGHT_LONGS, { },
};

void record_help(FILE *file)
{
	fputs("record: write events of this kernel into a file, for --input, perf, trace-cmd\n"
	      "Usage: sonde record [options] TOOL [OPTION...] [, TOOL...]... [-- COMMAND...]\n"
	      "       sonde record [options] -e EVENT,...|-F HZ|-s FILE [--] [COMMAND [ARG...]]\n\n"
	      "  -o, --output FILE       the file (default: perf.data, or trace.dat of ftrace);\n"
	      "                          -: standard output, only of perf\n"
	      "  -e, --event EVENT,...   tracepoints, SYSTEM:NAME, with * and ?; repeatable\n"
	      "                          and probes: p:FUNCTION, r:FUNCTION, p:LIBRARY:FUNCTION\n"
	      "  -s, --script FILE       the events of a script, for `sonde bt FILE --input`\n"
	      "  -F, --freq HZ           samples of CPU time so often a second, with stacks\n"
	      "  -g, --call-graph        stacks of the kernel and of user space with each event\n"
	      "  -d, --duration SECONDS  end after this time (default: with COMMAND, when the\n"
	      "                          last TOOL would end, or by Ctrl-C)\n"
	      "  -m, --buffer-pages N    size of each CPU's ring (default: 512)\n"
	      "      --backend ENGINE    from rings of perf (a perf.data), or of ftrace (a\n"
	      "                          trace.dat of trace-cmd; default where perf is missing)\n"
	      "      --print-bootconfig  print how a kernel records these events from its start\n"
	      "                          on, for bootconfig(8) or its command line\n"
	      "  -v, --verbose           list the events\n"
	      "  -h, --help              this text\n\n"
	      FLIGHT_HELP
	      "With a TOOL, its events are recorded: `sonde TOOL --input FILE` shows them later,\n"
	      "here or elsewhere. perf or trace-cmd reads it, too. All CPUs are recorded.\n\n"
	      "Examples: sonde record -d 10 runqlat, biolatency\n"
	      "          sonde record -e 'sched:*' make\n"
	      "          sonde record --last 30s --when 'runqslower 50000' -o /var/stalls runqlat\n"
	      "          ssh board sonde record -o - exitsnoop | sonde exitsnoop --input -\n",
	      file);
}

static int number(const char *text, const char *what, uint64_t most, uint64_t *to,
		  struct error *err)
{
	const char *at = text;

	return scan_number(&at, most, to) && *to && !*at ? 0 :
	       fail(err, "--%s takes a number from 1 to %llu, not \"%s\"", what,
		    (unsigned long long)most, text);
}

static int add_events(struct record_options *o, char *list, struct error *err)
{
	char *word;

	while ((word = strsep(&list, ","))) {
		if (!strchr(word, ':'))
			return fail(err, "-e takes tracepoints, as sched:sched_switch, and probes, "
				    "as p:vfs_read, not \"%s\"", word);
		lines_add(&o->events, "%s", word);
	}
	return 0;
}

static int take(struct record_options *o, int letter, struct error *err)
{
	switch (letter) {
	case 'o':
		o->output = optarg;
		return 0;
	case 'e':
		return add_events(o, optarg, err);
	case 'g':
		o->stacks = true;
		return 0;
	case 'd':
		return number(optarg, "duration", INT32_MAX, &o->seconds, err);
	case 'F':
		return number(optarg, "freq", 100000, &o->frequency, err);
	case 'm':
		return number(optarg, "buffer-pages", 65536, &o->pages, err);
	case 'b':
		o->backend = optarg;
		return strcmp(optarg, "perf") && strcmp(optarg, "ftrace") ?
		       fail(err, "--backend takes perf or ftrace, not \"%s\"", optarg) : 0;
	case 's':
		o->script = optarg;
		return 0;
	case 'v':
		o->verbose = true;
		return 0;
	case 'B':
		o->bootconfig = true;
		return 0;
	case 'h':
		o->help = true;
		return 0;
	default:
		return flight_option(&o->flight, letter, optarg, err);
	}
}

static bool has_events(const struct record_options *o)
{
	return o->events.n || o->frequency || o->script;
}

/* Behind events, samples or a script there is a command; else tools, and a command behind `--`. */
static int take_words(struct record_options *o, char **words, struct error *err)
{
	if (has_events(o)) {
		o->command = words;
		return 0;
	}
	o->tools = words;
	for (; *words; words++) {
		if (strcmp(*words, "--"))
			continue;
		*words = NULL;
		o->command = words[1] ? words + 1 : NULL;
		return o->command ? 0 : fail(err, "a COMMAND is missing behind --");
	}
	return 0;
}

/* Nothing runs, and nothing is written but to standard output. */
static int check_bootconfig(const struct record_options *o, struct error *err)
{
	const char *other = o->output ? "-o" : o->seconds ? "-d" : o->stacks ? "-g" :
			    o->frequency ? "-F" : o->flight.last_ns ? "--last" :
			    o->backend ? "--backend" :
			    o->command ? "a COMMAND" : NULL;

	return other ? fail(err, "%s does not go with --print-bootconfig, which prints how a "
				 "kernel records its own start", other) : 0;
}

int record_options_read(struct record_options *o, int argc, char **argv, struct error *err)
{
	int letter;

	*o = (struct record_options){ };
	opterr = 0;
	/* `+`: options behind the first other word are the tool's, or the command's. */
	while ((letter = getopt_long(argc, argv, "+:o:e:F:gd:m:s:vh", longs, NULL)) != -1) {
		const char *word = argv[optind - 1];

		if (letter == ':')
			return fail(err, "the value of %s is missing", word);
		if (letter == '?')
			return fail(err, "there is no option %s", word);
		if (take(o, letter, err))
			return -1;
	}
	if (argv[optind] && take_words(o, argv + optind, err))
		return -1;
	if (o->bootconfig && check_bootconfig(o, err))
		return -1;
	if (!o->help && !o->bootconfig && !has_events(o) && !o->tools)
		return fail(err, "it needs a TOOL, or events (-e), or samples (-F), or a script "
			    "(-s)");
	if (!o->output && o->flight.last_ns)
		o->output = ".";
	return flight_options_end(&o->flight, err);
}

void record_options_free(struct record_options *o)
{
	flight_options_free(&o->flight);
	lines_free(&o->events);
}
