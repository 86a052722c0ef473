// SPDX-License-Identifier: GPL-2.0
/*
 * https://github.com/prometheus/docs, exposition_formats, and the OpenMetrics specification 1.0.0.
 * They differ: in OpenMetrics a counter's family is named without _total, units are told, and the
 * text has an end.
 */
#include "src/lib/metrics/metrics_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Counts are whole; the rest has more digits than clocks do. */
static void add_number(struct strbuf *to, double value)
{
	if (value >= 0 && value < (double)(1ULL << 53) && value == (double)(uint64_t)value)
		strbuf_addf(to, "%" PRIu64, (uint64_t)value);
	else
		strbuf_addf(to, "%.15g", value);
}

void metrics_bound_text(double bound, struct strbuf *to)
{
	if (isinf(bound)) {
		strbuf_addf(to, "+Inf");
		return;
	}
	add_number(to, bound);
	/* OpenMetrics writes 1.0; Prometheus 3 does so of both texts. */
	if (bound == (double)(int64_t)bound)
		strbuf_addf(to, ".0");
}

/* A text within quotes, or of HELP, whose quotes only OpenMetrics escapes. */
static void add_escaped(struct strbuf *to, const char *s, bool quotes)
{
	for (; *s; s++) {
		if (*s == '\n')
			strbuf_add(to, "\\n", 2);
		else if (*s == '\\' || (quotes && *s == '"'))
			strbuf_addf(to, "\\%c", *s);
		else
			strbuf_add(to, s, 1);
	}
}

static void add_head(struct strbuf *to, const struct metric_about *a, bool open)
{
	static const char *const types[METRIC_TYPES] = {
		[METRIC_COUNTER] = "counter", [METRIC_GAUGE] = "gauge",
		[METRIC_HISTOGRAM] = "histogram",
	};
	const char *end = a->type == METRIC_COUNTER && !open ? "_total" : "";

	strbuf_addf(to, "# TYPE %s%s %s\n", a->name, end, types[a->type]);
	if (*a->unit && open)
		strbuf_addf(to, "# UNIT %s %s\n", a->name, a->unit);
	strbuf_addf(to, "# HELP %s%s ", a->name, end);
	add_escaped(to, a->help, open);
	strbuf_add(to, "\n", 1);
}

/* Name and labels of a sample; le NAN: it has none. */
static void add_name(struct strbuf *to, const struct metric_family *f,
		     const struct metric_series *s, const char *end, double le)
{
	bool first = true;

	strbuf_addf(to, "%s%s", f->about.name, end);
	for (unsigned int i = 0; i < f->about.n_labels; i++) {
		const char *value = metric_value_of(f, s, i);

		/* An empty label is none. */
		if (!*value)
			continue;
		strbuf_addf(to, "%s%s=\"", first ? "{" : ",", f->about.labels[i]);
		add_escaped(to, value, true);
		strbuf_add(to, "\"", 1);
		first = false;
	}
	if (!isnan(le)) {
		strbuf_addf(to, "%sle=\"", first ? "{" : ",");
		metrics_bound_text(le, to);
		strbuf_add(to, "\"", 1);
		first = false;
	}
	strbuf_addf(to, first ? " " : "} ");
}

static void add_histogram(struct strbuf *to, const struct metric_family *f,
			  const struct metric_series *s)
{
	unsigned int first, last;
	uint64_t n = 0;

	metric_buckets(&f->about, &first, &last);
	for (unsigned int i = 0; i < METRIC_BUCKETS; i++) {
		n += s->buckets[i];
		if (i < first || i > last)
			continue;
		add_name(to, f, s, "_bucket", metric_bound(&f->about, i));
		strbuf_addf(to, "%" PRIu64 "\n", n);
	}
	add_name(to, f, s, "_bucket", INFINITY);
	strbuf_addf(to, "%" PRIu64 "\n", n);
	/* OpenMetrics wants both or none; the last bucket has the count anyway. */
	if (!f->about.sums)
		return;
	add_name(to, f, s, "_sum", NAN);
	add_number(to, metric_scaled(&f->about, s->value));
	strbuf_add(to, "\n", 1);
	add_name(to, f, s, "_count", NAN);
	strbuf_addf(to, "%" PRIu64 "\n", n);
}

static void add_family(struct strbuf *to, const struct metric_family *f, bool open)
{
	const struct metric_series *s;

	add_head(to, &f->about, open);
	for (uint32_t at = 0; (s = hash_next(&f->series, &at));) {
		if (f->about.type == METRIC_HISTOGRAM) {
			add_histogram(to, f, s);
			continue;
		}
		add_name(to, f, s, f->about.type == METRIC_COUNTER ? "_total" : "", NAN);
		add_number(to, metric_scaled(&f->about, s->value));
		strbuf_add(to, "\n", 1);
	}
}

void metrics_text(const struct metrics *m, bool open, struct strbuf *to)
{
	for (unsigned int i = 0; i < m->n; i++)
		if (m->families[i]->series.index.n)
			add_family(to, m->families[i], open);
	if (open)
		strbuf_addf(to, "# EOF\n");
}
