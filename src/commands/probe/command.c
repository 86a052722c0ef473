// SPDX-License-Identifier: GPL-2.0
#include "src/commands/probe/command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/tracefs/holder.h"
#include "backends/tracefs/tracefs.h"
#include "compat/base/jsonw.h"
#include "compat/base/text.h"
#include "compat/expressions/expression.h"
#include "compat/kernel/format.h"
#include "compat/kinds/kinds.h"
#include "compat/probing/running.h"
#include "src/commands/commands.h"
#include "src/commands/probe/clean.h"
#include "src/commands/probe/made.h"
#include "src/lib/output/sink.h"

#define SPECS_MOST 64

struct command_line {
	const char *add[SPECS_MOST], *del[SPECS_MOST];
	unsigned int n_add, n_del;
	const char *snapshot, *without;
	bool list, json, force, dump, clean, quiet, verbose, help;
	bool wrong;			/* what was written can't be; else the kernel refuses it */
};

static int usage(const char *format, const char *what)
{
	fputs("sonde: probe: ", sink_err());
	fprintf(sink_err(), format, what);
	fputs("\n`sonde help probe` lists its options\n", sink_err());
	return 2;
}

static void print_help(FILE *file)
{
	fputs("probe: probes that stay, for trace, stat, perf and trace-cmd\n"
	      "Usage: sonde probe --add 'NAME=FUNCTION ARGUMENT...' [--force] [--dump]\n"
	      "       sonde probe --list [--json]\n"
	      "       sonde probe --del NAME\n"
	      "       sonde probe --clean [-q|-v]\n\n"
	      "      --add SPEC         make a probe; repeatable\n"
	      "      --force            in the place of one that has this name\n"
	      "      --list             the probes that are there, those of others too\n"
	      "      --json             the same as JSON, an object a line\n"
	      "      --del NAME         remove a probe; NAME may have * and ?; all: all of group "
	      KEPT_GROUP "\n"
	      "      --clean            remove remains of killed runs of sonde in tracefs\n"
	      "  -q, --quiet            with --clean: list only remains that stay\n"
	      "  -v, --verbose          with --clean: list probes of running sondes too\n"
	      "      --dump             print the definition for this kernel, and add nothing\n"
	      "      --snapshot DIR     with --dump: for the kernel of this snapshot\n"
	      "      --without FEATURE,...  as if this kernel had none of these\n"
	      "  -h, --help             this text\n\n"
	      "SPEC is [GROUP:]NAME=FUNCTION[+OFFSET] ARGUMENT..., of the kernel, or\n"
	      "NAME=FILE:FUNCTION[+OFFSET] of a library (c:malloc), a program or a file "
	      "(/usr/bin/x:main);\n"
	      "r:FUNCTION or FUNCTION%return is where it returns. Groups are " KEPT_GROUP
	      " unless named.\n"
	      "ARGUMENT is [NAME=]FETCH[:TYPE] as the kernel's documents have it, for any "
	      "kernel:\n"
	      "$arg2, $retval, %di, +16($arg1), +0($arg2):ustring, $arg3:s32.\n\n"
	      "The events are of tracefs' main instance, and disabled until somebody uses them.\n\n"
	      "Examples: sonde probe --add 'myopen=do_sys_openat2 path=+0($arg2):ustring'\n"
	      "          sonde trace 't:" KEPT_GROUP ":myopen \"%s\", args->path'\n"
	      "          sonde probe --del myopen\n", file);
}

/* The value of an option, behind = or the next argument; NULL: it is another option. */
static const char *value_of(char **argv, int *i, const char *name)
{
	size_t n = strlen(name);

	if (!strncmp(argv[*i], name, n) && argv[*i][n] == '=')
		return argv[*i] + n + 1;
	return !strcmp(argv[*i], name) && argv[*i + 1] ? argv[++*i] : NULL;
}

static int parse(int argc, char **argv, struct command_line *c)
{
	const struct {
		const char *name;
		bool *flag;
	} flags[] = {
		{ "--list", &c->list }, { "--json", &c->json }, { "--force", &c->force },
		{ "--dump", &c->dump }, { "--clean", &c->clean },
		{ "--quiet", &c->quiet }, { "-q", &c->quiet },
		{ "--verbose", &c->verbose }, { "-v", &c->verbose },
		{ "--help", &c->help }, { "-h", &c->help },
	};
	const unsigned int n = sizeof(flags) / sizeof(flags[0]);

	for (int i = 1; i < argc; i++) {
		const char *value;
		unsigned int f;

		for (f = 0; f < n && strcmp(argv[i], flags[f].name); f++)
			;
		if (f < n)
			*flags[f].flag = true;
		else if (c->n_add == SPECS_MOST || c->n_del == SPECS_MOST)
			return usage("%s: one command does not take so many probes", argv[i]);
		else if ((value = value_of(argv, &i, "--add")))
			c->add[c->n_add++] = value;
		else if ((value = value_of(argv, &i, "--del")))
			c->del[c->n_del++] = value;
		else if ((value = value_of(argv, &i, "--snapshot")))
			c->snapshot = value;
		else if ((value = value_of(argv, &i, "--without")))
			c->without = value;
		else if (*argv[i] == '-')
			return usage("there is no option %s, or its value is missing", argv[i]);
		else
			return usage("%s: each value needs an option; a probe and its arguments "
				     "are one word: put quotes around them", argv[i]);
	}
	return 0;
}

static int check(const struct command_line *c)
{
	if (!c->n_add + !c->n_del + !c->list + !c->clean != 3)
		return usage("%s", "give --add, --list, --del or --clean");
	if (c->json && !c->list)
		return usage("%s", "--json is for --list");
	if ((c->force || c->dump) && !c->n_add)
		return usage("%s", c->force ? "--force is for --add" : "--dump is for --add");
	if ((c->quiet || c->verbose) && !c->clean)
		return usage("%s", "--quiet and --verbose are for --clean");
	if (c->snapshot && !c->dump)
		return usage("%s", "--snapshot is of another kernel: add --dump, which prints the "
				   "definition for it");
	return 0;
}

/* ---- adding ---- */

static void say_added(const struct kept *p)
{
	const bool own = !strcmp(p->group, KEPT_GROUP);

	fprintf(sink_out(), "%s:%s: %s\n", p->group, p->name, p->definition);
	fprintf(sink_err(), "sonde: trace it by sonde trace t:%s:%s, or perf record -e %s:%s; "
			    "sonde probe --del %s%s%s removes it\n", p->group, p->name, p->group,
		p->name, own ? "" : p->group, own ? "" : ":", p->name);
}

/*
 * The first releases of 5.3 and 5.4 do not say that a `ustring` is a text: who prints by the
 * event's format has none.
 */
static void say_unprinted(struct kernel *k, const struct kept *p)
{
	const struct format *f = kernel_format(k, p->group, p->name);
	char text[80];

	for (unsigned int i = 0; f && f->print && i < f->n_fields; i++) {
		const struct field *field = &f->fields[i];

		text_cut(text, sizeof(text), "__get_str(%s)", field->name);
		if (field->is_data_loc && !strcmp(field->type, "char") && !strstr(f->print, text))
			fprintf(sink_err(), "sonde: perf and trace-cmd show %s as an empty "
					    "string, because this kernel's format does not mark it "
					    "as a string; sonde trace shows it\n", field->name);
	}
}

/* What users of the probe should know. */
static void say_notes(struct kernel *k, struct kept *p, bool made)
{
	const char *risk = *p->definition == 'r' && *p->list == 'u' ?
		event_kind_risk(k, EVENT_URETPROBE) : NULL;
	char *rest;

	for (const char *line = strtok_r(p->note, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		fprintf(sink_err(), "sonde: %s\n", line);
	if (risk)
		fprintf(sink_err(), "sonde: %s\n", risk);
	if (*p->list == 'u' && !kernel_has(k, FEATURE_UPROBE_MOUNT))
		fprintf(sink_err(), "sonde: remove %s:%s before the file system of its file is "
				    "unmounted: this kernel crashes when the probe is removed "
				    "later\n",
			p->group, p->name);
	if (made)
		say_unprinted(k, p);
}

static int add_one(struct kernel *k, struct command_line *c, const char *spec, struct error *err)
{
	struct kept p;
	int result = kept_parse(k, spec, &p, err);
	const char *tracefs = result || c->dump ? NULL : kernel_tracefs(k);

	c->wrong = result && !p.unfit;
	if (!result && !c->dump)
		result = tracefs ? made_add(tracefs, &p, c->force, err) : tracefs_missing(err);
	if (!result && c->dump)
		fprintf(sink_out(), "%s: %s\n", p.list, p.definition);
	else if (!result)
		say_added(&p);
	if (!result)
		say_notes(k, &p, !c->dump);
	kept_free(&p);
	return result;
}

static int add_all(struct kernel *k, struct command_line *c, struct error *err)
{
	for (unsigned int i = 0; i < c->n_add; i++)
		if (add_one(k, c, c->add[i], err))
			return -1;
	return 0;
}

/* ---- listing ---- */

static void json_probe(FILE *out, const struct made_probe *p)
{
	struct jsonw w = { .to = out };
	char event[2 * KEPT_NAME];

	text_all(event, sizeof(event), "%s:%s", p->group, p->name);
	jsonw_open(&w, NULL, '{');
	jsonw_text(&w, "event", event);
	jsonw_text(&w, "group", p->group);
	jsonw_text(&w, "name", p->name);
	jsonw_text(&w, "kind", p->kind);
	jsonw_text(&w, "by", p->by);
	jsonw_text(&w, "definition", p->line);
	jsonw_bool(&w, "enabled", p->enabled);
	jsonw_end(&w);
}

static void print_probe(FILE *out, const struct made_probe *p, int width)
{
	char event[2 * KEPT_NAME];

	text_all(event, sizeof(event), "%s:%s", p->group, p->name);
	fprintf(out, "%-*s %-9s %-9s %-7s %s\n", width, event, p->kind, p->by ? p->by : "-",
		p->enabled ? "yes" : "no", p->place);
}

static int list(const struct command_line *c, const char *tracefs, struct error *err)
{
	struct made_probes all;
	int result = made_read(tracefs, &all, err), width = 5;

	for (unsigned int i = 0; i < all.n; i++) {
		const int n = (int)(strlen(all.list[i].group) + 1 + strlen(all.list[i].name));

		width = n > width ? n : width;
	}
	if (!result && !c->json)
		fprintf(sink_out(), "%-*s %-9s %-9s %-7s %s\n", width, "EVENT", "KIND", "BY",
			"ENABLED", "PLACE");
	for (unsigned int i = 0; !result && i < all.n; i++) {
		if (c->json)
			json_probe(sink_out(), &all.list[i]);
		else
			print_probe(sink_out(), &all.list[i], width);
	}
	made_free(&all);
	return result;
}

/* ---- removing ---- */

/* Several probes may share one event: they go together. */
static bool is_repeated(const struct made_probes *all, unsigned int i)
{
	return i && !strcmp(all->list[i].group, all->list[i - 1].group) &&
	       !strcmp(all->list[i].name, all->list[i - 1].name);
}

static int remove_matching(const char *tracefs, const struct made_probes *all, const char *group,
			   struct expression *names, unsigned int *n, struct error *err)
{
	int result = 0;

	for (unsigned int i = 0; i < all->n; i++) {
		const struct made_probe *p = &all->list[i];
		struct error why;

		if (strcmp(p->group, group) || is_repeated(all, i) ||
		    !expression_matches(names, p->name))
			continue;
		++*n;
		if (!made_remove(tracefs, p, &why)) {
			fprintf(sink_out(), "%s:%s removed\n", p->group, p->name);
			continue;
		}
		/* The others go all the same. */
		if (result)
			fprintf(sink_err(), "sonde: %s\n", err->text);
		*err = why;
		result = -1;
	}
	return result;
}

/* Its owner removes it, unless it was killed. */
static int del_private(struct kernel *k, const char *what, const char *group, struct error *err)
{
	const char *tracefs = kernel_tracefs(k);
	char path[PATH_MAX];
	int lock;

	if (snprintf(path, sizeof(path), "%s/events/%s", tracefs, group) >= (int)sizeof(path))
		return fail(err, "'%s' is no name of a probe", what);
	lock = tracefs_lock(path);
	if (lock == -EWOULDBLOCK)
		return fail(err, "%s belongs to a running sonde, which removes it", what);
	if (lock < 0)
		return fail(err, "there is no probe %s\n`sonde probe --list` shows all probes",
			    what);
	close(lock);
	tracefs_sweep_at(tracefs, holder_uprobes(k, NULL));
	if (!access(path, F_OK) && !kernel_has(k, FEATURE_UPROBE_MOUNT) &&
	    tracefs_has_uprobes(tracefs, group))
		return fail(err, "%s belongs to a run of sonde that was killed, and stays: this "
				 "kernel crashes when it removes a uprobe whose file system was "
				 "unmounted, so only a process that has the file open removes the "
				 "probe", what);
	if (!access(path, F_OK))
		return fail(err, "%s belongs to a run of sonde that was killed; it is in use and "
				 "stays: the next run of sonde tries again to remove it", what);
	fprintf(sink_out(), "%s removed, with all else that killed runs of sonde left\n", what);
	return 0;
}

static int del_one(struct kernel *k, const char *what, struct error *err)
{
	const char *tracefs = kernel_tracefs(k);
	const char *colon = strchr(what, ':'), *name = colon ? colon + 1 : what;
	char group[KEPT_NAME] = KEPT_GROUP;
	struct made_probes all = { };
	struct expression *names;
	unsigned int n = 0;
	int result;

	if (colon && !text_all(group, sizeof(group), "%.*s", (int)(colon - what), what))
		return fail(err, "there is no group of probes with so long a name: %s", what);
	if (kept_is_private(group))
		return del_private(k, what, group, err);
	names = expression_of_glob(strcmp(what, "all") ? name : "*", err);
	if (!names)
		return -1;
	result = made_read(tracefs, &all, err);
	if (!result)
		result = remove_matching(tracefs, &all, group, names, &n, err);
	if (!result && !n && strcmp(what, "all"))
		result = fail(err, "there is no probe %s:%s\n`sonde probe --list` shows all "
				   "probes", group, name);
	expression_free(names);
	made_free(&all);
	return result;
}

static int del_all(struct kernel *k, const struct command_line *c, struct error *err)
{
	for (unsigned int i = 0; i < c->n_del; i++)
		if (del_one(k, c->del[i], err))
			return -1;
	return 0;
}

/* ---- the command ---- */

static int run(struct kernel *k, struct command_line *c, struct error *err)
{
	const char *tracefs;

	if (c->n_add)
		return add_all(k, c, err);
	tracefs = kernel_tracefs(k);
	if (!tracefs)
		return tracefs_missing(err);
	if (c->clean)
		return probe_clean(k, tracefs, c->verbose - c->quiet, err);
	return c->list ? list(c, tracefs, err) : del_all(k, c, err);
}

int probe_main(int argc, char **argv)
{
	struct command_line c = { };
	struct error err = { };
	int status = parse(argc, argv, &c);
	struct kernel *k;

	if (!status && c.help) {
		print_help(sink_out());
		return 0;
	}
	status = status ? status : check(&c);
	if (status)
		return status;
	k = c.snapshot ? kernel_snapshot(c.snapshot, &err) : kernel_running();
	if (!k && !*err.text)
		fail(&err, "out of memory");
	if (!k || (c.without && kernel_without(k, c.without, &err)) || run(k, &c, &err))
		status = 1;
	kernel_free(k);
	if (status)
		fprintf(sink_err(), "sonde: probe: %s\n", err.text);
	return c.wrong ? 2 : status;
}
