// SPDX-License-Identifier: GPL-2.0
/* The remote write specification 1.0, and prometheus/prompb/remote.proto and types.proto. */
#include "src/lib/metrics/metrics_remote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/protobuf.h"
#include "src/lib/metrics/metrics_text.h"

/* Numbers of fields, by message. */
enum { REQUEST_SERIES = 1 };
enum { SERIES_LABEL = 1, SERIES_SAMPLE };
enum { LABEL_NAME = 1, LABEL_TEXT };
enum { SAMPLE_VALUE = 1, SAMPLE_TIME };

#define ROOM 64				/* of a bound as text */

struct request {
	struct strbuf *to;
	const struct external_labels *external;
	uint64_t ms;
};

struct pair {
	const char *name, *value;
};

/* Labels of a series, sorted by name as receivers want them; an empty one is none. */
struct pairs {
	struct pair list[METRIC_LABELS + EXTERNAL_LABELS + 2];
	unsigned int n;
};

static void add_pair(struct pairs *p, const char *name, const char *value)
{
	unsigned int at = p->n;

	if (!*value)
		return;
	while (at && strcmp(p->list[at - 1].name, name) > 0)
		at--;
	/* The series' own label stays. */
	if (at && !strcmp(p->list[at - 1].name, name))
		return;
	memmove(p->list + at + 1, p->list + at, (p->n - at) * sizeof(*p->list));
	p->list[at] = (struct pair){ name, value };
	p->n++;
}

static void put_sample(const struct request *r, const struct metric_family *f,
		       const struct metric_series *s, const char *end, const char *le, double value)
{
	char name[256 + sizeof("_bucket")];
	struct strbuf text = strbuf_over(name, sizeof(name));
	struct pairs pairs = { .n = 0 };
	size_t series, at;

	strbuf_addf(&text, "%s%s", f->about.name, end);
	add_pair(&pairs, "__name__", name);
	if (le)
		add_pair(&pairs, "le", le);
	for (unsigned int i = 0; i < f->about.n_labels; i++)
		add_pair(&pairs, f->about.labels[i], metric_value_of(f, s, i));
	for (unsigned int i = 0; i < r->external->n; i++)
		add_pair(&pairs, r->external->names[i], r->external->values[i]);
	series = proto_open(r->to, REQUEST_SERIES);
	for (unsigned int i = 0; i < pairs.n; i++) {
		at = proto_open(r->to, SERIES_LABEL);
		proto_string(r->to, LABEL_NAME, pairs.list[i].name);
		proto_string(r->to, LABEL_TEXT, pairs.list[i].value);
		proto_close(r->to, at);
	}
	at = proto_open(r->to, SERIES_SAMPLE);
	proto_real(r->to, SAMPLE_VALUE, value);
	proto_number(r->to, SAMPLE_TIME, r->ms);
	proto_close(r->to, at);
	proto_close(r->to, series);
}

static void put_histogram(const struct request *r, const struct metric_family *f,
			  const struct metric_series *s)
{
	unsigned int first, last;
	uint64_t n = 0;

	metric_buckets(&f->about, &first, &last);
	for (unsigned int i = 0; i < METRIC_BUCKETS; i++) {
		char le[ROOM];
		struct strbuf text = strbuf_over(le, sizeof(le));

		n += s->buckets[i];
		if (i < first || i > last)
			continue;
		metrics_bound_text(metric_bound(&f->about, i), &text);
		put_sample(r, f, s, "_bucket", le, (double)n);
	}
	put_sample(r, f, s, "_bucket", "+Inf", (double)n);
	if (!f->about.sums)
		return;
	put_sample(r, f, s, "_sum", NULL, metric_scaled(&f->about, s->value));
	put_sample(r, f, s, "_count", NULL, (double)n);
}

void metrics_remote(const struct metrics *m, const struct external_labels *external, int64_t ms,
		    struct strbuf *to)
{
	const struct request r = { to, external, (uint64_t)ms };
	const struct metric_series *s;

	for (unsigned int i = 0; i < m->n; i++) {
		const struct metric_family *f = m->families[i];

		for (uint32_t at = 0; (s = hash_next(&f->series, &at));) {
			if (f->about.type == METRIC_HISTOGRAM)
				put_histogram(&r, f, s);
			else
				put_sample(&r, f, s, f->about.type == METRIC_COUNTER ? "_total" :
					   "", NULL, metric_scaled(&f->about, s->value));
		}
	}
}

static bool is_name(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char c = s[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
		      (i && c >= '0' && c <= '9')))
			return false;
	}
	return n && n < EXTERNAL_NAME && strncmp(s, "__", 2);
}

int external_label(struct external_labels *to, const char *text, struct error *err)
{
	const char *equals = strchr(text, '=');
	const size_t n = equals ? (size_t)(equals - text) : 0;
	struct metric_labels value = { .n = 0 };
	unsigned int i = 0;

	if (!is_name(text, n))
		return fail(err, "--external-label takes NAME=VALUE, as site=berlin, with a NAME "
				 "of letters, digits and _ that does not begin with __, not "
				 "\"%s\"", text);
	while (i < to->n && (strncmp(to->names[i], text, n) || to->names[i][n]))
		i++;
	if (i == EXTERNAL_LABELS)
		return fail(err, "more than %d labels of --external-label are too many",
			    EXTERNAL_LABELS);
	metric_label(&value, equals + 1, strlen(equals + 1));
	memcpy(to->names[i], text, n);
	to->names[i][n] = '\0';
	memcpy(to->values[i], value.key, value.n);
	to->n += i == to->n;
	return 0;
}
