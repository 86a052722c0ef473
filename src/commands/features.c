// SPDX-License-Identifier: GPL-2.0
/*
 * What people run first: a line for each tool. With tools' names what each would be attached to and
 * why not otherwise; with --verbose all that is known of the kernel, and all tools so.
 */
#include "src/commands/features.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/offsets/find.h"
#include "backends/tracefs/try.h"
#include "compat/base/text.h"
#include "compat/hooks/hooks.h"
#include "compat/kernel/doubt.h"
#include "compat/kinds/kinds.h"
#include "compat/probing/running.h"
#include "compat/report/report.h"
#include "compat/types/offsets.h"
#include "src/commands/commands.h"
#include "src/lib/output/sink.h"
#include "src/session/choice.h"
#include "src/session/reasons.h"
#include "src/session/uring.h"
#include "src/session/wording.h"

struct request {
	struct source source;
	struct kernel *kernel;
	bool json, offsets, verbose;
	const char *snapshot, *without;
	const struct tool **tools;	/* those named; none: all */
	unsigned int n_tools;
	unsigned int full, part, none;	/* tools that were counted */
	struct lines told;		/* "TOOL\nREASON": why a tool can't run */
};

static bool wanted(const struct request *r, const struct tool *t)
{
	for (unsigned int i = 0; i < r->n_tools; i++)
		if (r->tools[i] == t)
			return true;
	return !r->n_tools;
}

static void json_list(struct jsonw *w, const char *name, const struct lines *lines)
{
	jsonw_open(w, name, '[');
	for (unsigned int i = 0; i < lines->n; i++)
		jsonw_text(w, NULL, lines->list[i]);
	jsonw_close(w, ']');
}

/* Uses the lines up. */
static void json_lines(struct jsonw *w, const char *name, struct lines lines)
{
	json_list(w, name, &lines);
	lines_free(&lines);
}

/* The engines that were not chosen, each with all that was said of it. */
static void json_not(struct jsonw *w, const struct reasons *not)
{
	jsonw_open(w, "not", '[');
	for (unsigned int i = 0; i < not->n; i++) {
		jsonw_open(w, NULL, '{');
		jsonw_text(w, "engine", not->list[i].engine);
		json_list(w, "why", &not->list[i].all);
		jsonw_close(w, '}');
	}
	jsonw_close(w, ']');
}

/* The probes, each with its kind. */
static void json_probes(struct jsonw *w, const struct resolution *resolution)
{
	char place[EVENT_PLACE];

	jsonw_open(w, "probes", '[');
	for (unsigned int i = 0; i < resolution->n; i++) {
		const struct event *e = resolution->events[i].event;

		if (e->is_part)
			continue;
		event_place(e, place, sizeof(place));
		jsonw_open(w, NULL, '{');
		jsonw_text(w, "hook", resolution->events[i].hook);
		jsonw_text(w, "kind", event_traits(e->kind)->title);
		jsonw_text(w, "probe", place);
		jsonw_close(w, '}');
	}
	jsonw_close(w, ']');
}

static void json_verdict(struct jsonw *w, const struct tool *t, const struct tool_verdict *v)
{
	jsonw_open(w, NULL, '{');
	jsonw_text(w, "tool", t->name);
	jsonw_words(w, "engine", v->engine);
	jsonw_words(w, "only", v->only);
	json_lines(w, "hooks", chosen_lines(&v->resolution));
	json_probes(w, &v->resolution);
	json_lines(w, "others_pay", cost_lines(&v->resolution));
	json_lines(w, "missing", missing_lines(&v->resolution));
	json_not(w, &v->why);
	jsonw_bool(w, "sees_32_bit", !v->resolution.no_compat);
	jsonw_close(w, '}');
}

static void print_each(FILE *out, const char *head, struct lines lines)
{
	for (unsigned int i = 0; i < lines.n; i++)
		fprintf(out, "%-13s%s\n", head, lines.list[i]);
	lines_free(&lines);
}

/*
 * Hooks and inputs in words, by the end of their names; of others the hook's text or the input's
 * name is told.
 */
static const struct {
	const char *name, *what;
} words[] = {
	{ "cache.access", "hits" }, { "cache.dirty", "dirtied pages" },
	{ "cache.buffer", "dirtied buffers" },
	{ "cache.add.gfp", "misses and hits while pages become dirty" },
	{ "uring.open_exit.result", "results of opens by io_uring" },
	{ "replaced.enter", "files that a rename replaces" },
	{ "replaced.exit", "files that a rename replaces" },
	{ "tcp.accept", "PID and COMM of some accepted connections" },
	{ "task.new", "ages of processes" },
	{ ".read_enter", "reads" }, { ".read_exit", "reads" }, { ".open_enter", "opens" },
	{ ".open_exit", "opens" },
	{ ".getattr_enter", "getattr" }, { ".getattr_exit", "getattr" },
	{ ".vector_enter", "readv and writev" }, { ".vector_exit", "readv and writev" },
	{ ".uid", "user ids" }, { ".saddr6", "local IPv6 addresses" },
	{ ".daddr6", "remote IPv6 addresses" },
	{ ".laddr6", "local IPv6 addresses" }, { ".raddr6", "remote IPv6 addresses" },
	{ ".saddr", "local addresses" }, { ".sport", "local ports" }, { ".tx", "bytes sent" },
	{ ".rx", "bytes received" },
	{ "aligned.call", "allocations of posix_memalign()" },
	{ "aligned.return", "allocations of posix_memalign()" },
	{ "maps.call", "mappings" }, { "maps.return", "mappings" }, { "pages.alloc", "pages" },
	{ "slab.bulk", "objects that are allocated many at once" },
	{ "oom.kill", "PAGES" }, { ".seq", "sequence numbers" },
	{ ".mnt_ns", "MNT_NS of processes that have ended" }, { ".pages", "PAGES" },
	{ ".number", "numbers of sockets and pipes" }, { ".dev", "where files are mounted" },
	{ ".name", "names of files" }, { ".pos", "offsets in files" }, { ".code", "exit codes" },
	{ "cap.check.opts", "AUDIT and INSETID" },
	{ "bind.enter.sk", "PROTO, OPTS and IF" }, { "listen.enter.limit", "BACKLOG" },
	{ "listen.enter.protocol", "PROTO" }, { ".order", "sizes of folios" },
};

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), length = strlen(end);

	return n >= length && !strcmp(s + n - length, end);
}

/* What is missing, for users who know neither hooks nor inputs. */
static void missing_text(const struct lack *lack, char *to, size_t size)
{
	char name[128];
	const struct hook *h;

	text_all(name, sizeof(name), "%s%s%s", lack->hook, *lack->input ? "." : "", lack->input);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (ends_with(name, words[i].name)) {
			text_cut(to, size, "no %s", words[i].what);
			return;
		}
	}
	h = *lack->input ? NULL : hook_by_name(lack->hook);
	if (h)
		text_cut(to, size, "not when %s", h->what);
	else
		text_cut(to, size, "no %s", *lack->input ? lack->input : lack->hook);
}

/* What the tool shows may also be asked of io_uring, and it would not see that. */
static bool missing_requests(const struct tool *t, struct kernel *k,
			     const struct resolution *resolution)
{
	return t->requests.opcodes && !t->requests.option && !uring_shown(t, resolution) &&
	       (kernel_format(k, "io_uring", "io_uring_submit_req") ||
		kernel_format(k, "io_uring", "io_uring_submit_sqe"));
}

/* A reason is told once: the tools after the first one name that tool. */
static void print_once(struct request *r, FILE *out, const struct tool *t, const char *why)
{
	for (unsigned int i = 0; i < r->told.n; i++) {
		const char *tool = r->told.list[i];
		const size_t n = strcspn(tool, "\n");

		if (!strcmp(tool + n + 1, why)) {
			fprintf(out, "as %.*s\n", (int)n, tool);
			return;
		}
	}
	lines_add(&r->told, "%s\n%s", t->name, why);
	fprintf(out, "%s\n", why);
}

/* What the tool does not show, each thing once. What could not be read may be there. */
static void print_missing(struct request *r, FILE *out, const struct tool *t,
			  const struct resolution *resolution)
{
	char all[1024] = "", text[200];
	struct error doubt;

	if (resolution->no_compat)
		snprintf(all, sizeof(all), "no calls of 32-bit programs");
	if (missing_requests(t, r->kernel, resolution))
		sprintf(all + strlen(all), "%sno %s by io_uring", *all ? ", " : "",
			t->requests.what);
	for (unsigned int i = 0; i < resolution->n_lacks; i++) {
		missing_text(&resolution->lacks[i], text, sizeof(text));
		if (!strstr(all, text) && strlen(all) + strlen(text) + 3 < sizeof(all))
			sprintf(all + strlen(all), "%s%s", *all ? ", " : "", text);
	}
	if (*all && kernel_doubted(r->kernel, &doubt)) {
		text_cut(all, sizeof(all), "not examined: %.300s", doubt.text);
		print_once(r, out, t, all);
	} else {
		fprintf(out, "%s\n", *all ? all : "in full");
	}
}

static void print_line(struct request *r, FILE *out, const struct tool *t,
		       const struct tool_verdict *v)
{
	if (t->list) {
		r->full++;
		fprintf(out, "%-14s %-7s in full\n", t->name, "-");
		return;
	}
	if (*v->only) {
		r->part++;
		fprintf(out, "%-14s %-7s only %s: %s\n", t->name, "part", v->only, v->brief);
		return;
	}
	fprintf(out, "%-14s %-7s ", t->name, v->engine ? v->engine : "none");
	if (!v->engine) {
		r->none++;
		print_once(r, out, t, v->brief);
		return;
	}
	if (v->resolution.no_compat || v->resolution.n_lacks ||
	    missing_requests(t, r->kernel, &v->resolution))
		r->part++;
	else
		r->full++;
	print_missing(r, out, t, &v->resolution);
}

/* The names are those of -v and of JSON. */
static void print_each_missing(FILE *out, const struct resolution *resolution)
{
	char text[200];

	for (unsigned int i = 0; i < resolution->n_lacks; i++) {
		const struct lack *lack = &resolution->lacks[i];

		missing_text(lack, text, sizeof(text));
		fprintf(out, "%-13s%s%s%s: %s\n", "  without", lack->hook,
			*lack->input ? "." : "", lack->input, text);
	}
}

static void print_details(FILE *out, const struct tool *t, const struct tool_verdict *v)
{
	fprintf(out, "%-12s ", t->name);
	if (t->list)
		fputs("needs no engine: it only lists\n", out);
	else if (*v->only)
		fprintf(out, "only %s\n", v->only);
	else
		fprintf(out, "%s\n", v->engine ? v->engine : "can't run here");
	print_each(out, "", chosen_lines(&v->resolution));
	print_each_missing(out, &v->resolution);
	if (v->resolution.no_compat)
		fprintf(out, "%-13s%s\n", "  without", "32-bit programs");
	print_each(out, "  others pay", cost_lines(&v->resolution));
	reasons_print(&v->why, out, "  not        ");
}

static void print_tool(struct request *r, FILE *out, struct jsonw *json, const struct tool *t)
{
	struct tool_verdict v = { };

	if (!wanted(r, t) || (json && t->list) ||
	    (!t->list && choice_verdict(t, &r->source, r->kernel, &v)))
		return;
	if (json)
		json_verdict(json, t, &v);
	else if (r->verbose || r->n_tools)
		print_details(out, t, &v);
	else
		print_line(r, out, t, &v);
	tool_verdict_free(&v);
}

static void print_head(const struct request *r, FILE *out)
{
	if (r->offsets)
		offsets_print(r->kernel, out);
	if (!r->n_tools)
		fputs(r->verbose ? "\ntools\n" : "\ntool           engine  shows, or why it can't "
						 "run here\n", out);
}

/* The part of the report that is about tools. */
static void print_tools(void *arg, FILE *out, struct jsonw *json)
{
	struct request *r = arg;
	struct error doubt = { };

	if (json && r->offsets)
		offsets_json(r->kernel, json);
	if (json)
		jsonw_open(json, "tools", '[');
	else
		print_head(r, out);
	for (const struct tool *const *t = tools; *t; t++)
		print_tool(r, out, json, *t);
	kernel_doubted(r->kernel, &doubt);
	if (json) {
		jsonw_close(json, ']');
		jsonw_words(json, "unknown", doubt.text);
	} else if (*doubt.text) {
		fprintf(out, "\nunknown: sonde could not find out all that is here: %s\n",
			doubt.text);
	}
}

static void print_reason(FILE *out, const struct feature_reason *reason)
{
	char words[FEATURE_REASON];

	feature_reason_words(reason, words, sizeof(words));
	if (reason->cause == CAUSE_NOT_BUILT)
		fprintf(out, ": built without %s", feature_config(reason->root));
	else if (reason->cause == CAUSE_WITHOUT && reason->root == reason->feature)
		fputs(": --without takes it away", out);
	else if (*words)
		fprintf(out, ": %s", words);
}

/* What decides over most: the engines, and what they can hang their programs on. */
static void print_kernel(struct kernel *k, FILE *out)
{
	static const enum feature shown[] = {
		FEATURE_BPF, FEATURE_PERF, FEATURE_TRACEFS, FEATURE_KPROBES, FEATURE_BPF_FENTRY,
		FEATURE_UPROBES, FEATURE_BTF,
	};

	fprintf(out, "Linux %s, %s%s\n\n", kernel_release(k), kernel_arch(k)->name,
		kernel_live(k) ? "" : ", from a snapshot");
	if (kernel_live(k) && geteuid() && !kernel_has(k, FEATURE_TRACEFS)) {
		fprintf(out, "You are not root: this is true of user %u.\n",
			(unsigned int)geteuid());
		return;
	}
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		struct feature_reason reason = kernel_feature_reason(k, shown[i]);
		bool has = kernel_has(k, shown[i]);

		fprintf(out, "%-14s %-7s %s", feature_name(shown[i]),
			kernel_unknown(k, shown[i]) ? "unknown" : has ? "yes" : "no",
			feature_text(shown[i]));
		if (!has)
			print_reason(out, &reason);
		fputc('\n', out);
	}
}

static int print_brief(struct request *r, FILE *out)
{
	if (!r->n_tools)
		print_kernel(r->kernel, out);
	print_tools(r, out, NULL);
	if (!r->n_tools)
		fprintf(out, "\n%u tools in full, %u with something missing, %u can't run here\n"
			"in full: all that the tool shows on any kernel; CAVEATS of its page "
			"list its limits on all kernels\n"
			"`sonde features TOOL` shows a tool's probes and why; `sonde features "
			"-v` shows all\n",
			r->full, r->part, r->none);
	return fflush(out) || ferror(out) ? -1 : 0;
}

/* 0, or the exit status. */
static int parse(struct request *r, int argc, char **argv)
{
	r->tools = calloc((size_t)argc + 1, sizeof(*r->tools));
	if (!r->tools) {
		fputs("sonde: features: out of memory\n", sink_err());
		return 1;
	}
	for (int i = 1; i < argc; i++) {
		const struct tool *t = tool_named(argv[i]);

		if (t)
			r->tools[r->n_tools++] = t;
		else if (!strcmp(argv[i], "--json"))
			r->json = true;
		else if (!strcmp(argv[i], "--offsets"))
			r->offsets = true;
		else if (!strcmp(argv[i], "-v") || !strcmp(argv[i], "--verbose"))
			r->verbose = true;
		else if (!strcmp(argv[i], "--snapshot") && argv[i + 1])
			r->snapshot = argv[++i];
		else if (!strcmp(argv[i], "--without") && argv[i + 1])
			r->without = argv[++i];
		else
			return *argv[i] == '-' ? no_such_option(argv[0], argv[i]) :
				no_such_command(argv[i]);
	}
	return 0;
}

int features_main(int argc, char **argv)
{
	struct request r = { };
	struct error err = { };
	int status = parse(&r, argc, argv);

	if (!status && !source_open(&r.source, NULL, NULL, NULL, &err))
		r.kernel = source_kernel(&r.source, r.snapshot, &err);
	if (!r.kernel && !status)
		status = command_failed(&err);
	else if (r.without && r.kernel && kernel_without(r.kernel, r.without, &err))
		status = command_failed(&err) + 1;	/* of usage */
	else if (!status && (r.json || r.verbose ? features_print(r.kernel, r.json, sink_out(),
								  print_tools, &r) :
			     print_brief(&r, sink_out())) && errno != EPIPE)
		status = 1;
	kernel_free(r.kernel);
	lines_free(&r.told);
	free(r.tools);
	return status;
}
