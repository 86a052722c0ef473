// SPDX-License-Identifier: GPL-2.0
/* https://github.com/prometheus/client_model, io/prometheus/client/metrics.proto */
#include "src/lib/metrics/metrics_protobuf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/protobuf.h"

/* Numbers of fields, by message. */
enum { FAMILY_NAME = 1, FAMILY_HELP, FAMILY_TYPE, FAMILY_METRIC, FAMILY_UNIT };
enum { METRIC_LABEL = 1, METRIC_OF_GAUGE, METRIC_OF_COUNTER, METRIC_OF_HISTOGRAM = 7 };
enum { LABEL_NAME = 1, LABEL_TEXT };
enum { NUMBER_VALUE = 1 };		/* of Gauge and Counter */
enum {
	HIST_COUNT = 1, HIST_SUM, HIST_BUCKET, HIST_SCHEMA = 5, HIST_ZERO_THRESHOLD,
	HIST_ZERO_COUNT, HIST_SPAN = 12, HIST_DELTA,
};
enum { BUCKET_COUNT = 1, BUCKET_BOUND };
enum { SPAN_OFFSET = 1, SPAN_LENGTH_OF };

/* How families and their series say what they are. */
static const struct {
	unsigned int type, field;
} types[METRIC_TYPES] = {
	[METRIC_COUNTER] = { 0, METRIC_OF_COUNTER }, [METRIC_GAUGE] = { 1, METRIC_OF_GAUGE },
	[METRIC_HISTOGRAM] = { 4, METRIC_OF_HISTOGRAM },
};

/* A signed number of the kinds sint32 and sint64. */
static uint64_t zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static void put_labels(struct strbuf *to, const struct metric_family *f,
		       const struct metric_series *s)
{
	for (unsigned int i = 0; i < f->about.n_labels; i++) {
		const char *value = metric_value_of(f, s, i);
		size_t at;

		/* An empty label is none. */
		if (!*value)
			continue;
		at = proto_open(to, METRIC_LABEL);
		proto_string(to, LABEL_NAME, f->about.labels[i]);
		proto_string(to, LABEL_TEXT, value);
		proto_close(to, at);
	}
}

/*
 * Native buckets of schema 0: number i has values above 2^(i - 1) and up to 2^i of the base unit.
 * They are ours, shifted, where a value's unit is a power of two of the base unit, as in bytes and
 * counts: powers of two of a nanosecond are none of a second. Each value has to be in its bucket.
 */
static bool is_native(const struct metric_about *a, int *shift)
{
	const bool is_power = frexp(a->scale, shift) == 0.5;

	--*shift;
	return a->sums && is_power;
}

/* Our first bucket has all up to 1: that is the native one of zero and what is near it. */
static void put_native(struct strbuf *to, const struct metric_family *f,
		       const struct metric_series *s, int shift)
{
	unsigned int first = 1, last = METRIC_BUCKETS - 1;
	uint64_t before = 0;
	size_t at;

	while (first < METRIC_BUCKETS && !s->buckets[first])
		first++;
	while (last >= first && !s->buckets[last])
		last--;
	proto_number(to, HIST_SCHEMA, zigzag(0));
	proto_real(to, HIST_ZERO_THRESHOLD, f->about.scale);
	proto_number(to, HIST_ZERO_COUNT, s->buckets[0]);
	/* A span without a bucket still says that the histogram is native. */
	at = proto_open(to, HIST_SPAN);
	proto_number(to, SPAN_OFFSET, zigzag(last < first ? 0 : (int)first + shift));
	proto_number(to, SPAN_LENGTH_OF, last + 1 - first);
	proto_close(to, at);
	if (last < first)
		return;
	at = proto_open(to, HIST_DELTA);
	for (unsigned int i = first; i <= last; i++) {
		proto_packed(to, zigzag((int64_t)(s->buckets[i] - before)));
		before = s->buckets[i];
	}
	proto_close(to, at);
}

static void put_bucket(struct strbuf *to, uint64_t n, double bound)
{
	const size_t at = proto_open(to, HIST_BUCKET);

	proto_number(to, BUCKET_COUNT, n);
	proto_real(to, BUCKET_BOUND, bound);
	proto_close(to, at);
}

static void put_histogram(struct strbuf *to, const struct metric_family *f,
			  const struct metric_series *s)
{
	unsigned int first, last;
	uint64_t n = 0, all = 0;
	int shift;

	for (unsigned int i = 0; i < METRIC_BUCKETS; i++)
		all += s->buckets[i];
	proto_number(to, HIST_COUNT, all);
	/* Without the field it were 0. */
	proto_real(to, HIST_SUM, f->about.sums ? metric_scaled(&f->about, s->value) : NAN);
	metric_buckets(&f->about, &first, &last);
	for (unsigned int i = 0; i <= last; i++) {
		n += s->buckets[i];
		if (i >= first)
			put_bucket(to, n, metric_bound(&f->about, i));
	}
	put_bucket(to, all, INFINITY);
	if (is_native(&f->about, &shift))
		put_native(to, f, s, shift);
}

static void put_series(struct strbuf *to, const struct metric_family *f,
		       const struct metric_series *s)
{
	const size_t metric = proto_open(to, FAMILY_METRIC);
	size_t at;

	put_labels(to, f, s);
	at = proto_open(to, types[f->about.type].field);
	if (f->about.type == METRIC_HISTOGRAM)
		put_histogram(to, f, s);
	else
		proto_real(to, NUMBER_VALUE, metric_scaled(&f->about, s->value));
	proto_close(to, at);
	proto_close(to, metric);
}

static void put_family(struct strbuf *to, const struct metric_family *f)
{
	const struct metric_series *s;
	size_t name = proto_open(to, FAMILY_NAME);

	strbuf_addf(to, "%s%s", f->about.name,
		    f->about.type == METRIC_COUNTER ? "_total" : "");
	proto_close(to, name);
	proto_string(to, FAMILY_HELP, f->about.help);
	proto_number(to, FAMILY_TYPE, types[f->about.type].type);
	for (uint32_t at = 0; (s = hash_next(&f->series, &at));)
		put_series(to, f, s);
	if (*f->about.unit)
		proto_string(to, FAMILY_UNIT, f->about.unit);
}

/* Each family's message is made apart, as its length comes first. */
void metrics_protobuf(const struct metrics *m, struct strbuf *to)
{
	struct strbuf family = { };

	for (unsigned int i = 0; i < m->n; i++) {
		if (!m->families[i]->series.index.n)
			continue;
		family.n = 0;
		put_family(&family, m->families[i]);
		proto_packed(to, family.n);
		strbuf_add(to, family.s, family.n);
	}
	to->cut |= family.cut;
	free(family.s);
}
