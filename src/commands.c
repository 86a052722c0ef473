// SPDX-License-Identifier: GPL-2.0
#include "src/commands.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/find.h"
#include "compat/offsets.h"
#include "compat/report.h"
#include "compat/snapshot_write.h"
#include "src/checklist.h"
#include "src/selftest/selftest.h"
#include "src/session.h"

static int complain(const struct error *err)
{
	fprintf(stderr, "sonde: %s\n", err->text);
	return 1;
}

static int usage(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			fprintf(stderr, "usage: sonde %s %s\n", c->name, c->usage);
	return 2;
}

struct verdicts {
	struct kernel *kernel;
	bool json, offsets;
};

/* Lines of text as an array of JSON strings. */
static void json_lines(FILE *out, const char *lines)
{
	bool first = true;

	putc('[', out);
	while (lines && *lines) {
		size_t n = strcspn(lines, "\n");
		char *line = strndup(lines, n);

		if (!first)
			fputs(", ", out);
		json_string(out, line ? line : "");
		free(line);
		first = false;
		lines += n + (lines[n] == '\n');
	}
	putc(']', out);
}

static void print_lines(FILE *out, const char *head, const char *lines)
{
	while (lines && *lines) {
		size_t n = strcspn(lines, "\n");

		fprintf(out, "%-13s%.*s\n", head, (int)n, lines);
		lines += n + (lines[n] == '\n');
	}
}

static void json_verdict(FILE *out, const struct tool *t, const struct tool_verdict *v)
{
	fputs("{\"tool\": ", out);
	json_string(out, t->name);
	fputs(", \"engine\": ", out);
	if (v->engine)
		json_string(out, v->engine);
	else
		fputs("null", out);
	fputs(", \"hooks\": ", out);
	json_lines(out, v->hooks);
	fputs(", \"missing\": ", out);
	json_lines(out, v->missing);
	fputs(", \"not\": ", out);
	json_lines(out, v->why);
	fprintf(out, ", \"sees_32_bit\": %s}", v->no_compat ? "false" : "true");
}

static void text_verdict(FILE *out, const struct tool *t, const struct tool_verdict *v)
{
	fprintf(out, "%-12s %s\n", t->name, v->engine ? v->engine : "can't run here");
	print_lines(out, "", v->hooks);
	print_lines(out, "  without", v->missing);
	if (v->no_compat)
		fprintf(out, "%-13s%s\n", "  without", "32-bit processes");
	print_lines(out, "  not", v->why);
}

/* The part of the report that is about tools: which engine each would use here, and why not another. */
static void print_verdicts(void *arg, FILE *out)
{
	const struct verdicts *all = arg;

	if (all->offsets)
		offsets_print(all->kernel, all->json, out);
	fputs(all->json ? ", \"tools\": [" : "\ntools\n", out);
	for (const struct tool *const *t = tools; *t; t++) {
		struct tool_verdict v;

		if (session_verdict(*t, all->kernel, &v))
			continue;
		if (all->json && t != tools)
			fputs(", ", out);
		(all->json ? json_verdict : text_verdict)(out, *t, &v);
		tool_verdict_free(&v);
	}
	if (all->json)
		putc(']', out);
}

static int features(int argc, char **argv)
{
	struct verdicts v = { };
	const char *snapshot = NULL, *without = NULL;
	struct error err = { };
	int status = 0;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--json"))
			v.json = true;
		else if (!strcmp(argv[i], "--offsets"))
			v.offsets = true;
		else if (!strcmp(argv[i], "--snapshot") && argv[i + 1])
			snapshot = argv[++i];
		else if (!strcmp(argv[i], "--without") && argv[i + 1])
			without = argv[++i];
		else
			return usage(argv[0]);
	}
	v.kernel = snapshot ? kernel_snapshot(snapshot, &err) : kernel_running();
	if (v.kernel)
		kernel_set_finder(v.kernel, snapshot ? NULL : find_offsets);
	if (!v.kernel)
		status = complain(&err);
	else if (without && kernel_without(v.kernel, without, &err))
		status = complain(&err) + 1;	/* of usage */
	else if (features_print(v.kernel, v.json, stdout, print_verdicts, &v) && errno != EPIPE)
		status = 1;
	kernel_free(v.kernel);
	return status;
}

static int snapshot(int argc, char **argv)
{
	struct error err = { };
	struct kernel *k;
	int status = 0;

	if (argc != 2 || argv[1][0] == '-')
		return usage(argv[0]);
	k = kernel_running();
	if (k)
		kernel_set_finder(k, find_offsets);
	if (!k || snapshot_write(k, argv[1], &err))
		status = complain(&err);
	kernel_free(k);
	return status;
}

/* A link for each tool; one that stands already for this very file is as good as made. */
static int install_links(int argc, char **argv)
{
	char self[PATH_MAX];
	struct error err = { };
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int status = 0;

	if (argc != 2 || argv[1][0] == '-')
		return usage(argv[0]);
	if (n < 0) {
		fail(&err, "/proc/self/exe can't be read: %s\nmount /proc", strerror(errno));
		return complain(&err);
	}
	self[n] = '\0';
	for (const struct tool *const *t = tools; *t; t++) {
		char path[PATH_MAX], old[PATH_MAX];

		snprintf(path, sizeof(path), "%s/%s", argv[1], (*t)->name);
		n = readlink(path, old, sizeof(old) - 1);
		if (n > 0 && (size_t)n == strlen(self) && !memcmp(old, self, (size_t)n))
			continue;
		if (symlink(self, path)) {
			fail(&err, "%s can't be made: %s", path, strerror(errno));
			status = complain(&err);
		}
	}
	return status;
}

const struct command commands[] = {
	{ "checklist", "[SECONDS] [--without FEATURE,...]", "a first look at a machine: ten tools at once", checklist_main },
	{ "features", "[--json] [--offsets] [--snapshot DIR] [--without FEATURE,...]", "what this kernel has, and what each tool would use",
	  features },
	{ "selftest", "[TOOL...] [--backend NAME] [--without FEATURE,...] [--json]",
	  "run the tools on a small known workload here, and compare", selftest_main },
	{ "snapshot", "DIR", "write this kernel's facts into a folder, for features and --dump elsewhere", snapshot },
	{ "install-links", "DIR", "make a symbolic link to sonde for each tool", install_links },
	{ }
};
