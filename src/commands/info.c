// SPDX-License-Identifier: GPL-2.0
#include "src/commands/info.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "compat/base/jsonw.h"
#include "compat/kinds/recorded_sample.h"
#include "compat/recordings/recorded_probes.h"
#include "compat/time/date.h"
#include "src/commands/commands.h"
#include "src/lib/output/sink.h"
#include "src/run/run.h"
#include "src/run/stop.h"
#include "src/session/choice.h"
#include "src/session/source.h"

/* What the records say, read to their end. */
struct counts {
	uint64_t *events;		/* of each event of the recording */
	uint64_t all, lost, losses;	/* losses: notes, each of one or more lost events */
	uint64_t first, last;		/* times of events; first UINT64_MAX: there are none */
};

struct info {
	struct source source;
	struct kernel *kernel;
	struct counts counts;
	const struct recorded_event *events;
	unsigned int n_events;
};

static void count(struct counts *c, const struct recorded *rec)
{
	if (rec->kind == RECORDED_LOST) {
		c->lost += rec->lost.count;
		c->losses++;
	}
	if (rec->kind != RECORDED_EVENT)
		return;
	c->all++;
	c->events[rec->event.number]++;
	c->first = rec->time < c->first ? rec->time : c->first;
	c->last = rec->time > c->last ? rec->time : c->last;
}

static int read_all(struct info *info, struct error *err)
{
	struct recorded rec;
	int result;

	info->events = recording_events(info->source.recording, &info->n_events);
	info->counts.first = UINT64_MAX;
	info->counts.events = calloc(info->n_events + 1, sizeof(*info->counts.events));
	if (!info->counts.events)
		return fail(err, "out of memory");
	while ((result = recording_next(info->source.recording, &rec, err)) > 0)
		count(&info->counts, &rec);
	return result;
}

static void print_machine(struct info *info)
{
	const char *release = kernel_release(info->kernel);
	const struct arch *arch = kernel_arch(info->kernel);

	fprintf(sink_out(), "machine   Linux %s, %s, %u CPUs\n",
		*release ? release : "of an unknown release", arch->name,
		recording_cpus(info->source.recording));
}

static double seconds(uint64_t ns)
{
	return (double)ns / NS_PER_SECOND;
}

/* The time of day of the first event. Returns false if the recording does not tell it. */
static bool begin(const struct info *info, struct date *to)
{
	const struct wall *wall = recording_wall(info->source.recording);
	struct zone zone;

	if (!info->counts.all || !wall->n || zone_open(&zone, NULL))
		return false;
	*to = date_local(&zone, wall_clock(wall, (int64_t)info->counts.first));
	zone_close(&zone);
	return true;
}

static void print_times(struct info *info)
{
	const struct counts *c = &info->counts;
	struct date date;

	if (!c->all)
		return;
	fprintf(sink_out(), "time      %.6f s, ", seconds(c->last - c->first));
	if (begin(info, &date))
		fprintf(sink_out(), "from %s %s on\n", date.day, date.time);
	else
		fprintf(sink_out(), "from %.6f s of the machine's clock on; the time of day is "
				    "unknown\n", seconds(c->first));
}

static const char *name_of(const struct recorded_event *e)
{
	return e->name ? e->name : recorded_counter(e);
}

/* The probe that an event of the recording is; NULL: it is none. */
static const struct recorded_probe *probe_of(const struct info *info, unsigned int number)
{
	unsigned int n;
	const struct recorded_probe *list = recorded_probes(info->source.recording, &n);

	for (unsigned int i = 0; i < n; i++)
		if (list[i].number == (int)number)
			return &list[i];
	return NULL;
}

static const char *path_of(const struct info *info, const struct recorded_probe *p)
{
	unsigned int n;
	const struct recorded_binary *list = recorded_binaries(info->source.recording, &n);

	return p->binary < 0 ? NULL : list[p->binary].path;
}

/* Behind its name, which the kernel wants short. */
static void print_probe(const struct info *info, unsigned int number)
{
	const struct recorded_probe *p = probe_of(info, number);

	if (!p)
		return;
	fprintf(sink_out(), ": %s of %s", recorded_kind(p->kind), p->function);
	if (p->binary >= 0)
		fprintf(sink_out(), " in %s", path_of(info, p));
}

static void print_events(struct info *info)
{
	const struct counts *c = &info->counts;

	fprintf(sink_out(), "events    %" PRIu64, c->all);
	if (c->losses)
		fprintf(sink_out(), "; %" PRIu64 " were lost", c->lost);
	fputs("\n", sink_out());
	for (unsigned int i = 0; i < info->n_events; i++) {
		fprintf(sink_out(), "%20" PRIu64 " %s", c->events[i], name_of(&info->events[i]));
		print_probe(info, i);
		fputs("\n", sink_out());
	}
}

/* Calls `each` for all tools that trace, with what they would do. */
static void each_tool(struct info *info, void (*each)(void *arg, const struct tool *t,
						      const struct tool_verdict *v), void *arg)
{
	for (const struct tool *const *t = tools; *t && !stop_signal; t++) {
		struct tool_verdict v = { };

		if ((*t)->list || choice_verdict(*t, &info->source, info->kernel, &v))
			continue;
		each(arg, *t, &v);
		tool_verdict_free(&v);
	}
}

/* The tools that run, in lines of this width; the rest is told on demand, by `sonde TOOL`. */
#define LINE 90

static void print_tool(void *arg, const struct tool *t, const struct tool_verdict *v)
{
	unsigned int *column = arg;

	if (!v->engine && !*v->only)
		return;
	if (*column && *column + strlen(t->name) > LINE)
		*column = 0;
	if (!*column)
		fputs("\n         ", sink_out());
	*column += (unsigned int)fprintf(sink_out(), " %s", t->name);
}

static void print(struct info *info)
{
	const struct lines *notes = recording_notes(info->source.recording);
	unsigned int column = 0;

	print_machine(info);
	print_times(info);
	print_events(info);
	for (unsigned int i = 0; i < notes->n; i++)
		fprintf(sink_out(), "note      %s\n", notes->list[i]);
	fputs("tools that run on it:", sink_out());
	each_tool(info, print_tool, &column);
	fputs("\n", sink_out());
}

static void json_tool(void *arg, const struct tool *t, const struct tool_verdict *v)
{
	struct jsonw *w = arg;

	jsonw_open(w, NULL, '{');
	jsonw_text(w, "tool", t->name);
	jsonw_bool(w, "runs", v->engine || *v->only);
	jsonw_text(w, "why", v->engine ? NULL : v->brief);
	jsonw_close(w, '}');
}

static void json_probe(const struct info *info, unsigned int number, struct jsonw *w)
{
	const struct recorded_probe *p = probe_of(info, number);

	if (!p)
		return;
	jsonw_text(w, "probe", recorded_kind(p->kind));
	jsonw_text(w, "function", p->function);
	jsonw_text(w, "file", path_of(info, p));
}

static void json_events(struct info *info, struct jsonw *w)
{
	jsonw_open(w, "events", '[');
	for (unsigned int i = 0; i < info->n_events; i++) {
		jsonw_open(w, NULL, '{');
		jsonw_text(w, "event", name_of(&info->events[i]));
		jsonw_unsigned(w, "count", info->counts.events[i]);
		json_probe(info, i, w);
		jsonw_close(w, '}');
	}
	jsonw_close(w, ']');
}

static void print_json(struct info *info)
{
	const struct counts *c = &info->counts;
	const struct lines *notes = recording_notes(info->source.recording);
	struct jsonw w = { .to = sink_out(), .spaced = true };
	struct date date = { };

	jsonw_open(&w, NULL, '{');
	jsonw_words(&w, "release", kernel_release(info->kernel));
	jsonw_text(&w, "machine", kernel_arch(info->kernel)->name);
	jsonw_unsigned(&w, "cpus", recording_cpus(info->source.recording));
	jsonw_unsigned(&w, "ns", c->all ? c->last - c->first : 0);
	jsonw_words(&w, "day", begin(info, &date) ? date.day : "");
	jsonw_words(&w, "time", date.time);
	jsonw_unsigned(&w, "seen", c->all);
	jsonw_unsigned(&w, "lost", c->lost);
	json_events(info, &w);
	jsonw_open(&w, "notes", '[');
	for (unsigned int i = 0; i < notes->n; i++)
		jsonw_text(&w, NULL, notes->list[i]);
	jsonw_close(&w, ']');
	jsonw_open(&w, "tools", '[');
	each_tool(info, json_tool, &w);
	jsonw_close(&w, ']');
	jsonw_end(&w);
}

static int show(const char *file, bool json, struct error *err)
{
	struct info info = { };
	int result = source_open(&info.source, file, NULL, &stop_signal, err);

	if (!result) {
		info.kernel = source_kernel(&info.source, NULL, err);
		result = info.kernel ? read_all(&info, err) : -1;
	}
	if (!result)
		(json ? print_json : print)(&info);
	kernel_free(info.kernel);
	free(info.counts.events);
	source_close(&info.source);
	return result;
}

int info_main(int argc, char **argv)
{
	const char *file = NULL;
	bool json = false;
	const struct command_option options[] = { { .name = "--json", .given = &json }, { } };
	struct error err = { };

	if (command_words(argc, argv, options, &file))
		return 2;
	stop_on_signals();
	return show(file, json, &err) ? command_failed(&err) : 0;
}
