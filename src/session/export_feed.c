// SPDX-License-Identifier: GPL-2.0
#include "src/session/export_feed.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "src/lib/metrics/metrics_wire.h"
#include "src/run/options/common.h"
#include "src/run/run.h"
#include "src/session/notices.h"

struct export_feed {
	struct metrics metrics;
	struct metrics_sender sender;
	int64_t next;			/* when to send again, CLOCK_MONOTONIC */
	uint64_t told[5], cpu;		/* of the own counters, up to the last message */
};

struct export_feed *export_feed_new(int to, const char *labels)
{
	struct export_feed *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->metrics.asked = labels;
	f->sender.to = to;
	return f;
}

void export_feed_free(struct export_feed *f)
{
	if (!f)
		return;
	metrics_free(&f->metrics);
	free(f);
}

static int feed_open(struct run *r, void **state, struct error *err)
{
	(void)err;
	*state = r->feed;
	if (r->feed)
		r->metrics = &r->feed->metrics;
	return 0;
}

/* Totals of the run become additions: the exporter goes on if the tool is started again. */
static void add_own(struct export_feed *f, const char *tool, const struct metric_about *about,
		    uint64_t *told, uint64_t now)
{
	struct metric_series *s = metrics_series(&f->metrics, about, tool, monotonic_ns());

	if (!s)
		return;
	s->value += (double)(now - *told);
	*told = now;
}

static void add_all_own(const struct run *r, struct export_feed *f)
{
	const struct engine_stats s = run_stats(r);
	const struct {
		const char *name, *help;
		uint64_t n;
	} own[] = {
		{ "sonde_events", "events that the tool got", s.seen },
		{ "sonde_lost_events", "events that came and were lost: counters lack them",
		  s.lost + s.late },
		{ "sonde_missed_events", "events that the kernel says it did not record",
		  s.missed },
		{ "sonde_map_full", "entries for which a map had no room: counters lack them",
		  s.full },
		{ "sonde_unpaired_events", "beginnings and ends that could not be joined",
		  s.unpaired },
	};
	struct metric_about about = {
		.unit = "", .scale = 1, .n_labels = 1, .labels = { "tool" },
	};

	for (unsigned int i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		about.name = own[i].name;
		about.help = own[i].help;
		add_own(f, r->tool->name, &about, &f->told[i], own[i].n);
	}
	about = (struct metric_about){
		.name = "sonde_own_cpu_seconds", .unit = "seconds", .scale = 1e-9, .n_labels = 1,
		.labels = { "tool" }, .help = "CPU time of the tool's process",
	};
	add_own(f, r->tool->name, &about, &f->cpu, (uint64_t)clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	metrics_tool_up(&f->metrics, r->tool->name, true);
}

/* What comes back with a module, or after a restart, is not told any more, and is dropped then. */
static void add_missing(const struct run *r, struct export_feed *f)
{
	static const struct metric_about about = {
		.name = "sonde_tool_degraded", .type = METRIC_GAUGE, .unit = "", .scale = 1,
		.n_labels = 2, .labels = { "tool", "what" }, .passing = true,
		.help = "1: the tool can't see this here, and its metrics lack it",
	};
	struct metric_family *family = metrics_family(&f->metrics, &about);
	struct lines missing = notices_missing(r);

	for (unsigned int i = 0; family && i < missing.n; i++) {
		struct metric_series *s;
		struct metric_labels l;

		l.n = 0;
		metric_label(&l, r->tool->name, strlen(r->tool->name));
		metric_label(&l, missing.list[i], strlen(missing.list[i]));
		s = metric_series(family, &l, monotonic_ns());
		if (s)
			s->value = 1;
	}
	lines_free(&missing);
}

static int send_all(struct run *r, struct export_feed *f, struct error *err)
{
	f->next = monotonic_ms() + EXPORT_SECONDS * 1000;
	if (r->tool->metrics && r->tool->metrics(r, err))
		return -1;
	add_all_own(r, f);
	add_missing(r, f);
	if (f->metrics.failed)
		return fail(err, "out of memory, or too many metrics");
	if (f->metrics.differs)
		return fail(err, "%s has two kinds of values under one name, which metrics can't "
				 "tell apart: export it with other options", r->tool->name);
	return metrics_send(&f->metrics, &f->sender) ? fail(err, "the exporter has ended") : 0;
}

/* Counters need no interval of the user's; tools of intervals have one. */
static int64_t feed_every(const struct run *r, int64_t ns)
{
	return common_of(r->options)->interval_given || r->tool->shape != SHAPE_INTERVALS ? ns :
	       EXPORT_SECONDS * NS_PER_SECOND;
}

static int feed_interval(struct run *r, struct error *err)
{
	return send_all(r, run_listener_state(r, &export_feed_listener), err);
}

static int feed_poll(struct run *r, struct error *err)
{
	struct export_feed *f = run_listener_state(r, &export_feed_listener);

	return monotonic_ms() < f->next ? 0 : send_all(r, f, err);
}

const struct run_listener export_feed_listener = {
	.open = feed_open, .every = feed_every, .poll = feed_poll, .interval = feed_interval,
};
