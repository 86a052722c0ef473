// SPDX-License-Identifier: GPL-2.0
/* Chooses the engine of a tool: the first wanted engine whose plan this kernel can run. */
#include "src/session/choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backends/tracefs/detach.h"
#include "backends/tracefs/memory.h"
#include "backends/tracefs/tracefs.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/kernel/doubt.h"
#include "compat/kinds/kinds.h"
#include "compat/types/offsets.h"
#include "src/lib/output/sink.h"
#include "src/run/options/common.h"
#include "src/run/options/tool_options.h"
#include "src/run/plan_dump.h"
#include "src/run/run.h"
#include "src/session/export_feed.h"
#include "src/session/run_listeners.h"
#include "src/session/notices.h"
#include "src/session/wording.h"

static bool wanted_backend(const struct run *r, const struct backend *b)
{
	const char *name = common_of(r->options)->backend;

	return !name || !strcmp(name, b->name);
}

/* Returns true if the kernel has all of these features. If not, adds the reason. */
static bool has_all(const struct run *r, const struct backend *b, const enum feature *needs,
		    struct reasons *reasons)
{
	for (const enum feature *f = needs; f && *f != FEATURES; f++) {
		struct feature_reason why = kernel_feature_reason(r->kernel, *f);

		if (kernel_has(r->kernel, *f))
			continue;
		reasons_add_feature(reasons, b->name, &why, kernel_unknown(r->kernel, *f));
		return false;
	}
	return true;
}

/* Returns true if the engine can run some plans on this kernel. If not, adds the reason. */
static bool usable(const struct run *r, const struct backend *b, struct reasons *reasons)
{
	return has_all(r, b, b->needs, reasons);
}

/*
 * A plan failed. If the kernel lacks what all events but samples need, that is the reason, not one
 * for each of these events.
 */
static void add_reason(const struct run *r, const struct backend *b,
		       const struct error *why, struct reasons *reasons)
{
	if (has_all(r, b, b->needs_untimed, reasons))
		reasons_add(reasons, r->kernel, b->name, why, &r->plan.resolution.refusals);
}

/* The tool's own programs were refused, and this is its last resort. */
static bool in_last_round(const struct run *r)
{
	return r->tool->last_resort && r->programs == r->tool->last_resort->programs;
}

/* Makes the plan for one engine. Returns -1 and sets `why` on failure. */
static int make_plan(struct run *r, const struct backend *b, struct error *why)
{
	struct plan_request request = run_request(r);

	if (plan_make(&request, b, &r->plan, why))
		return -1;
	for (unsigned int i = 0; in_last_round(r) && r->tool->last_resort->lacks[i]; i++)
		resolution_lack(&r->plan.resolution, r->tool->last_resort->lacks[i]);
	return 0;
}

/*
 * Makes the plan of the first engine that can: of those that are wanted or of the others, and only
 * of those that can run plans here if `runs` is set. Returns NULL and adds the reasons if none.
 */
static const struct backend *first_plan(struct run *r, const struct backend *const *b, bool wanted,
					bool runs, struct reasons *not)
{
	for (; *b; b++) {
		struct error why = { };

		if (wanted_backend(r, *b) != wanted || (runs && !usable(r, *b, not)))
			continue;
		if (!make_plan(r, *b, &why))
			return *b;
		add_reason(r, *b, &why, not);
		plan_free(&r->plan);
	}
	return NULL;
}

/* Returns true if one of the wanted engines, or one of the others, can make the plan. */
static bool can_plan(struct run *r, const struct backend *const *engines, bool wanted)
{
	struct reasons unsaid = { };
	const bool can = first_plan(r, engines, wanted, true, &unsaid);

	plan_free(&r->plan);
	reasons_free(&unsaid);
	return can;
}

/*
 * Writes the given options that the last resort can't serve: "--fails and --line". Returns false if
 * there are none.
 */
static bool beyond_last_resort(const struct run *r, char *to, size_t size)
{
	struct strbuf given = strbuf_over(to, size);

	for (const char *const *o = r->tool->last_resort->options; *o; o++) {
		if (!option_given(r->options, *o))
			continue;
		strbuf_between(&given, " and ");
		strbuf_addf(&given, "--%s", *o);
	}
	return given.n;
}

/*
 * Begins the last round when no wanted engine took the tool's own programs. Returns false if there
 * is none: another engine would take them; an engine failed for a reason that is not the kernel's
 * and could be mended, as too many open files; or options ask for more.
 */
static bool begin_last_round(struct run *r, const struct backend *const *engines)
{
	struct error doubt;
	char options[100];

	if (!r->tool->last_resort || in_last_round(r) || kernel_stopped(r->kernel, NULL) ||
	    kernel_doubted(r->kernel, &doubt) || can_plan(r, engines, false) ||
	    can_plan(r, engines, true))
		return false;
	r->programs = r->tool->last_resort->programs;
	return !beyond_last_resort(r, options, sizeof(options));
}

/* What the last resort could do if options did not ask for more; "": nothing. */
static void last_resort_advice(struct run *r, const struct backend *const *engines, char *to,
			       size_t size)
{
	struct strbuf advice = strbuf_over(to, size);
	char options[100];

	if (!in_last_round(r) || !beyond_last_resort(r, options, sizeof(options)) ||
	    !can_plan(r, engines, true))
		return;
	strbuf_addf(&advice, "\nwithout %s it runs here", options);
	for (const char *const *l = r->tool->last_resort->lacks; *l; l++)
		strbuf_addf(&advice, "%s%s", l == r->tool->last_resort->lacks ?
			    ", and does not show " : " and ", *l);
}

/*
 * Sets err: why the tool can't run, in plain words. An engine that was asked for is named: another
 * may serve.
 */
static int cant_run(struct run *r, const struct backend *const *engines, const struct reasons *why,
		    struct error *err)
{
	const char *asked = common_of(r->options)->backend;
	char brief[900], advice[200];
	bool one = reasons_brief(why, brief, sizeof(brief));

	if (kernel_recorded(r->kernel))
		return fail_with(err, reasons_number(why), "%s can't run on this recording:%s%s"
				 "%s%s%s", r->tool->name, one ? " " : "\n", brief,
				 strchr(brief, '`') ? "" : "\n`sonde record ",
				 strchr(brief, '`') ? "" : r->tool->name,
				 strchr(brief, '`') ? "" : "` records its events");
	last_resort_advice(r, engines, advice, sizeof(advice));
	return fail_with(err, reasons_number(why), "%s can't run here%s%s:%s%s%s\n"
			 "`sonde features %s` says more", r->tool->name,
			 asked ? " with --backend " : "", asked ? asked : "", one ? " " : "\n",
			 brief, advice, r->tool->name);
}

/* A feature without which another plan may work: one event needs it, and others would serve. */
static const enum feature *spare_feature(const struct plan *p)
{
	for (unsigned int i = 0; i < p->n_attachments; i++) {
		const struct event_traits *t = event_traits(p->attachments[i].event->kind);

		if (t->without)
			return t->without;
	}
	return NULL;
}

/* Opens an engine. What the kernel refuses is done without, as long as other events would serve. */
static void open_engine(struct run *r, const struct backend *b, const struct engine_options *o,
			struct reasons *not)
{
	const enum feature *spare;

	do {
		struct error why = { };

		spare = NULL;
		if (!make_plan(r, b, &why)) {
			offsets_done(r->kernel);
			r->backend = b;
			r->engine = b->open(r->kernel, &r->plan.plan, o, &why);
			if (r->engine)
				return;
			spare = spare_feature(&r->plan.plan);
		}
		if (spare && o->verbose)
			fprintf(o->verbose, "%s: tried again without %s: %s\n", b->name,
				feature_name(*spare), why.text);
		if (spare)
			kernel_give_up(r->kernel, *spare, why.text);
		else
			add_reason(r, b, &why, not);
		plan_free(&r->plan);
	} while (spare && !kernel_stopped(r->kernel, NULL));
}

/* Opens the first wanted engine that can run the programs, and adds the reasons of those before. */
static void open_wanted(struct run *r, const struct source *source,
			const struct engine_options *o, struct reasons *not)
{
	for (const struct backend *const *b = source->backends; *b && !r->engine; b++) {
		if (!wanted_backend(r, *b))
			continue;
		if (kernel_stopped(r->kernel, NULL))
			break;
		if (usable(r, *b, not))
			open_engine(r, *b, o, not);
	}
}

int choice_open(struct run *r, const struct source *source, struct error *err)
{
	struct engine_options o = {
		.buffer_pages = (unsigned int)common_of(r->options)->buffer_pages,
		.wait_ms = r->feed ? EXPORT_WAIT_MS : 0,
		.verbose = common_of(r->options)->verbose ? sink_err() : NULL,
		.unwinder = &r->unwinder,
		.replay = source->records,
		.recording = source->recording,
	};
	struct reasons not = { };
	int result;

	/* If this clock can't be opened, times stay those of the kernel's own clock. */
	if (kernel_live(r->kernel) && kernel_has(r->kernel, FEATURE_PERF) &&
	    !kernel_has(r->kernel, FEATURE_PERF_CLOCKID))
		o.clock = r->clock = local_clock_open(NULL);
	if (kernel_live(r->kernel))
		memory_for_run(r->kernel);
	if (!tracefs_sweep(r->kernel))
		detach_sweep(r->kernel);
	do {
		open_wanted(r, source, &o, &not);
	} while (!r->engine && begin_last_round(r, source->backends));
	if (o.verbose && (r->engine || !kernel_stopped(r->kernel, NULL)))
		reasons_print(&not, sink_err(), "sonde: not ");
	if (r->engine)
		result = 0;
	else if (kernel_stopped(r->kernel, NULL))
		result = fail(err, "%s: ended by a signal before it traced anything",
			      r->tool->name);
	else
		result = cant_run(r, source->backends, &not, err);
	reasons_free(&not);
	return result;
}

int choice_plan(struct run *r, const struct source *source, char *why, size_t size)
{
	const struct backend *b;
	struct reasons not = { };

	do {
		b = first_plan(r, source->backends, true, true, &not);
	} while (!b && begin_last_round(r, source->backends));
	if (!b)
		reasons_line(&not, why, size);
	reasons_free(&not);
	return b ? 0 : -1;
}

int choice_dump(struct run *r, const struct source *source, struct error *err)
{
	const struct backend *b;
	struct reasons not = { };
	int result = 0;

	do {
		b = first_plan(r, source->backends, true, false, &not);
	} while (!b && begin_last_round(r, source->backends));
	if (b) {
		fprintf(sink_out(), "engine %s\n", b->name);
		notices_lines(sink_out(), "", chosen_lines(&r->plan.resolution));
		notices_lines(sink_out(), "unavailable here: ", missing_lines(&r->plan.resolution));
		notices_lines(sink_out(), "", doubt_lines(&r->plan.resolution));
		notices_unknown(r, sink_out(), "");
		plan_dump(sink_out(), &r->plan.plan);
	} else {
		reasons_print(&not, sink_err(), "sonde: not ");
		result = cant_run(r, source->backends, &not, err);
	}
	reasons_free(&not);
	return result;
}

/* `question`: the tool's argument; NULL: none. */
static int verdict(const struct tool *t, const char *question, const struct source *source,
		   struct kernel *k, struct tool_verdict *v)
{
	struct run *r = calloc(1, sizeof(*r));
	char *argv[] = { (char *)t->name, (char *)question, NULL };
	struct reasons *not = &v->why;
	const struct backend *b;
	struct error err = { };

	memset(v, 0, sizeof(*v));
	if (!r) {
		kernel_doubt(k, "memory", ENOMEM);
		return -1;
	}
	errno = 0;
	r->tool = t;
	r->kernel = k;
	r->recording = source->recording;
	r->listeners.list = all_run_listeners;
	/* A tool's own example is right: only memory can be missing. */
	if (tool_options(t, question ? 2 : 1, argv, &r->options, &err) != ACTION_RUN)
		errno = ENOMEM;
	if (!r->options || run_prepare(r, &err)) {
		reasons_add(not, k, source->backends[0]->name, &err, NULL);
		goto out;
	}
	do {
		b = first_plan(r, source->backends, true, true, not);
	} while (!b && begin_last_round(r, source->backends));
	if (b) {
		v->engine = b->name;
		v->resolution = r->plan.resolution;
		r->plan.resolution = (struct resolution){ };
	}
	plan_free(&r->plan);
out:
	/* Without memory it is unknown what the kernel serves. */
	if (!v->engine && errno == ENOMEM)
		kernel_doubt(k, "memory", ENOMEM);
	if (!v->engine)
		reasons_line(not, v->brief, sizeof(v->brief));
	r->kernel = NULL;
	v->run = r;
	return 0;
}

/* It can't trace what is asked of it in general: what else it can. */
static void find_else(const struct tool *t, const struct source *source, struct kernel *k,
		      struct tool_verdict *v)
{
	const bool programs = t->also && kernel_has(k, FEATURE_UPROBES);
	struct tool_verdict other = { };
	struct error doubt;
	bool tracepoints;

	tracepoints = t->asks_tracepoint && !verdict(t, t->asks_tracepoint, source, k, &other) &&
		      other.engine;
	/* Functions of programs remain, and the reason is that of tracepoints. */
	if (programs && *other.brief)
		memcpy(v->brief, other.brief, sizeof(v->brief));
	tool_verdict_free(&other);
	if (kernel_doubted(k, &doubt)) {
		text_cut(v->brief, sizeof(v->brief), "sonde could not examine this kernel: %s",
			 doubt.text);
		return;
	}
	text_cut(v->only, sizeof(v->only), "%s%s%s", tracepoints ? "tracepoints" : "",
		 tracepoints && programs ? " and " : "", programs ? t->also : "");
}

int choice_verdict(const struct tool *t, const struct source *source, struct kernel *k,
		   struct tool_verdict *v)
{
	if (verdict(t, t->asks, source, k, v))
		return -1;
	if (!v->engine)
		find_else(t, source, k, v);
	return 0;
}

void tool_verdict_free(struct tool_verdict *v)
{
	resolution_free(&v->resolution);
	reasons_free(&v->why);
	if (v->run)
		run_free(v->run);
	free(v->run);
	memset(v, 0, sizeof(*v));
}
