// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/export_options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/argv.h"
#include "src/commands/export/address.h"
#include "src/commands/export/pages/remote_url.h"
#include "src/lib/output/sink.h"

static const struct option longs[] = {
	{ "file", required_argument, NULL, 'f' }, { "listen", required_argument, NULL, 'l' },
	{ "textfile", required_argument, NULL, 't' }, { "label", required_argument, NULL, 'L' },
	{ "remote-write", required_argument, NULL, 'r' },
	{ "external-label", required_argument, NULL, 'e' },
	{ "help", no_argument, NULL, 'h' }, { },
};

void export_help(FILE *file)
{
	fputs("export: run tools for ever, and give their counts to Prometheus and the like\n"
	      "Usage: sonde export [options] TOOL [OPTION...] [, TOOL...]...\n"
	      "       sonde export [options] -f FILE\n\n"
	      "  -f, --file FILE         a TOOL with its options on each line, # comments, and\n"
	      "                          lines with these options, as --listen; after SIGHUP\n"
	      "                          it is read anew, and tools with the same line go on\n"
	      "      --listen ADDRESS    give the metrics at http://ADDRESS/metrics: HOST:PORT,\n"
	      "                          :PORT of all addresses, unix:PATH, systemd; repeatable\n"
	      "                          (default: " EXPORT_ADDRESS ", unless --textfile or\n"
	      "                          --remote-write)\n"
	      "      --textfile DIR      write DIR/sonde.prom every 15 s, for node_exporter\n"
	      "      --remote-write URL  send them every 15 s to http://ADDRESS:PORT/PATH\n"
	      "      --external-label NAME=VALUE  a label of all that is sent there; repeatable\n"
	      "                          (default: instance, the name of this machine)\n"
	      "      --label NAME,...    these columns become labels, too: pid, comm, port ...\n"
	      "  -h, --help              this text\n\n"
	      "Counts become counters, times of events and histograms become histograms, with\n"
	      "labels as disk, syscall or error. sonde-export(8) has the names.\n\n"
	      "Examples: sonde export biolatency -D, runqlat, syscount, tcplife\n"
	      "          sonde export --textfile /var/lib/prometheus/node-exporter oomkill\n"
	      "          sonde export -f /etc/sonde/export.conf\n", file);
}

static int read_file(struct export_options *o, const char *path, struct error *err);

static int keep(char **to, const char *value, struct error *err)
{
	free(*to);
	*to = strdup(value);
	return *to ? 0 : fail(err, "out of memory");
}

static int take(struct export_options *o, int letter, const char *value, bool in_file,
		struct error *err)
{
	switch (letter) {
	case 'f':
		if (in_file)
			return fail(err, "a file can't name another one");
		return keep(&o->file, value, err) || read_file(o, value, err) ? -1 : 0;
	case 'l':
		lines_add(&o->listen, "%s", value);
		return export_address_check(value, err);
	case 't':
		return keep(&o->textfile, value, err);
	case 'r':
		return keep(&o->remote_write, value, err) ? -1 :
		       remote_url_read(o->remote_write, &(struct remote_url){ }, err);
	case 'e':
		return external_label(&o->external, value, err);
	case 'L':
		return keep(&o->labels, value, err);
	default:
		o->help = true;
		return 0;
	}
}

/* "--listen ADDRESS", "--listen=ADDRESS" */
static int take_line_option(struct export_options *o, char **words, unsigned int n,
			    struct error *err)
{
	char *value = strchr(words[0], '=');

	if (value)
		*value++ = '\0';
	else
		value = n == 2 ? words[1] : NULL;
	for (const struct option *l = longs; l->name; l++)
		if (!strcmp(words[0] + 2, l->name) && l->has_arg && value)
			return take(o, l->val, value, true, err);
	return fail(err, "there is no option %s, or its value is missing", words[0]);
}

static int take_line(struct export_options *o, char *text, struct error *err)
{
	char *words[EXPORT_WORDS], *word;
	unsigned int n = 0;

	while ((word = argv_word(&text))) {
		if (*word == '#' && !n)
			return 0;
		if (n + 1 == EXPORT_WORDS)
			return fail(err, "too many words");
		words[n++] = word;
	}
	words[n] = NULL;
	if (!n)
		return 0;
	return strncmp(words[0], "--", 2) ? export_lines_add(&o->tools, words, err) :
	       take_line_option(o, words, n, err);
}

static int read_file(struct export_options *o, const char *path, struct error *err)
{
	FILE *file = fopen(path, "re");
	unsigned int number = 0;
	char *text = NULL;
	size_t size = 0;
	int result = 0;

	if (!file)
		return fail_with(err, errno, "can't read %s: %m", path);
	while (!result && getline(&text, &size, file) > 0) {
		struct error why;

		number++;
		if (take_line(o, text, &why))
			result = fail(err, "line %u of %s: %s", number, path, why.text);
	}
	if (!result && ferror(file))
		result = fail_with(err, errno, "can't read %s: %m", path);
	free(text);
	fclose(file);
	return result;
}

/* As a scraper would, but by name: who is sent to does not see where it comes from. */
static void name_instance(struct export_options *o)
{
	char text[HOST_NAME_MAX + sizeof("instance=")] = "instance=";
	const size_t n = strlen(text);

	if (!gethostname(text + n, sizeof(text) - n - 1))
		external_label(&o->external, text, NULL);
}

int export_options_read(struct export_options *o, int argc, char **argv, struct error *err)
{
	int letter;

	*o = (struct export_options){ };
	name_instance(o);
	opterr = optind = 0;		/* getopt(3) begins anew */
	/* `+`: options behind the first other word are the tool's. */
	while ((letter = getopt_long(argc, argv, "+:f:h", longs, NULL)) != -1) {
		const char *word = argv[optind - 1];

		if (letter == ':')
			return fail(err, "the value of %s is missing", word);
		if (letter == '?')
			return fail(err, "there is no option %s", word);
		if (take(o, letter, optarg, false, err))
			return -1;
	}
	if (export_lines_add_all(&o->tools, argv + optind, err))
		return -1;
	if (!o->help && !o->tools.n)
		return fail(err, "it needs a TOOL, or a file with some (-f)");
	if (!o->listen.n && !o->textfile && !o->remote_write)
		lines_add(&o->listen, "%s", EXPORT_ADDRESS);
	return 0;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_lines(const struct lines *a, const struct lines *b)
{
	bool same = a->n == b->n;

	for (unsigned int i = 0; same && i < a->n; i++)
		same = !strcmp(a->list[i], b->list[i]);
	return same;
}

static bool same_external(const struct external_labels *a, const struct external_labels *b)
{
	bool same = a->n == b->n;

	for (unsigned int i = 0; same && i < a->n; i++)
		same = !strcmp(a->names[i], b->names[i]) && !strcmp(a->values[i], b->values[i]);
	return same;
}

void export_options_keep(const struct export_options *are, const struct export_options *wanted)
{
	const struct {
		const char *name;
		bool same;
	} kept[] = {
		{ "listen", same_lines(&are->listen, &wanted->listen) },
		{ "textfile", same_text(are->textfile, wanted->textfile) },
		{ "label", same_text(are->labels, wanted->labels) },
		{ "remote-write", same_text(are->remote_write, wanted->remote_write) },
		{ "external-label", same_external(&are->external, &wanted->external) },
	};

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (!kept[i].same)
			fprintf(sink_err(), "sonde: export: --%s stays as it was: a change of it "
					    "needs a restart\n", kept[i].name);
}

void export_options_free(struct export_options *o)
{
	export_lines_free(&o->tools);
	lines_free(&o->listen);
	free(o->textfile);
	free(o->labels);
	free(o->remote_write);
	free(o->file);
}
