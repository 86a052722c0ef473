// SPDX-License-Identifier: GPL-2.0
#include "src/lib/metrics/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/escape.h"

static void free_family(struct metric_family *f)
{
	struct metric_series *s;

	for (uint32_t at = 0; (s = hash_next(&f->series, &at));)
		free(s->buckets);
	hash_clear(&f->series);
	free((char *)f->about.name);
	free((char *)f->about.unit);
	free((char *)f->about.help);
	for (unsigned int i = 0; i < f->about.n_labels; i++)
		free((char *)f->about.labels[i]);
	free(f);
}

static struct metric_family *new_family(const struct metric_about *about)
{
	struct metric_family *f = calloc(1, sizeof(*f));
	bool whole = true;

	if (!f)
		return NULL;
	f->series.value_size = sizeof(struct metric_series);
	f->about = *about;
	f->about.name = strdup(about->name);
	f->about.unit = strdup(about->unit);
	f->about.help = strdup(about->help);
	for (unsigned int i = 0; i < about->n_labels; i++) {
		f->about.labels[i] = strdup(about->labels[i]);
		whole &= f->about.labels[i] != NULL;
	}
	if (whole && f->about.name && f->about.unit && f->about.help)
		return f;
	free_family(f);
	return NULL;
}

/* Their values can be added up. */
static bool is_same(const struct metric_about *a, const struct metric_about *b)
{
	if (a->type != b->type || a->scale != b->scale || a->sums != b->sums ||
	    a->n_labels != b->n_labels)
		return false;
	for (unsigned int i = 0; i < a->n_labels; i++)
		if (strcmp(a->labels[i], b->labels[i]))
			return false;
	return true;
}

struct metric_family *metrics_family(struct metrics *m, const struct metric_about *about)
{
	for (unsigned int i = 0; i < m->n; i++) {
		if (strcmp(m->families[i]->about.name, about->name))
			continue;
		if (is_same(&m->families[i]->about, about))
			return m->families[i];
		m->differs = true;
		return NULL;
	}
	if (m->n < METRICS_FAMILIES && about->n_labels <= METRIC_LABELS)
		m->families[m->n] = new_family(about);
	else
		m->failed = true;
	if (m->failed || !m->families[m->n]) {
		m->failed = true;
		return NULL;
	}
	return m->families[m->n++];
}

void metric_remove(struct metric_family *f, struct metric_series *s)
{
	size_t n = 0;
	const char *key = hash_key(&f->series, s);

	for (unsigned int i = 0; i < f->about.n_labels; i++)
		n += strlen(key + n) + 1;
	free(s->buckets);
	hash_remove(&f->series, key, n);
}

void metrics_drop(struct metrics *m, uint64_t before)
{
	for (unsigned int i = 0; i < m->n; i++) {
		struct metric_family *f = m->families[i];
		struct metric_series *s, *next;
		uint32_t at = 0;

		for (s = hash_next(&f->series, &at); f->about.passing && s; s = next) {
			next = hash_next(&f->series, &at);
			if (s->seen < before)
				metric_remove(f, s);
		}
	}
}

/* In families that this label alone tells apart. */
static void forget(struct metrics *m, const char *label, const char *value)
{
	for (unsigned int i = 0; i < m->n; i++) {
		struct metric_family *f = m->families[i];
		struct metric_series *s;

		if (f->about.n_labels != 1 || strcmp(f->about.labels[0], label))
			continue;
		s = hash_find(&f->series, value, strlen(value) + 1);
		if (s)
			metric_remove(f, s);
	}
}

void metrics_leave(struct metrics *m, uint64_t user, const char *tool)
{
	forget(m, "tool", tool);
	for (unsigned int i = 0; i < m->n;) {
		struct metric_family *f = m->families[i];
		const bool only = user && f->users == user;

		f->users &= ~user;
		if (!only) {
			i++;
			continue;
		}
		forget(m, "family", f->about.name);
		free_family(f);
		m->n--;
		memmove(&m->families[i], &m->families[i + 1], (m->n - i) * sizeof(f));
	}
}

void metrics_free(struct metrics *m)
{
	for (unsigned int i = 0; i < m->n; i++)
		free_family(m->families[i]);
	m->n = 0;
}

static void put_label(void *arg, const char *bytes, size_t n)
{
	struct metric_labels *l = arg;

	/* A character is left out whole, and with it all that follows. */
	if (n > l->room) {
		n = l->room;
		while (n && (bytes[n] & 0xc0) == 0x80)
			n--;
		l->room = n;
	}
	memcpy(l->key + l->n, bytes, n);
	l->n += n;
	l->room -= n;
}

void metric_label(struct metric_labels *l, const char *value, size_t n)
{
	l->room = METRIC_VALUE;
	escape(ESCAPE_TEXT, value, n < METRIC_VALUE ? n : METRIC_VALUE, false, put_label, l);
	l->key[l->n++] = '\0';
}

unsigned int metric_bucket(double value)
{
	int exponent;

	if (value <= 1)
		return 0;
	/* 0.5 is the bound itself: the last value of its bucket. */
	if (frexp(value, &exponent) == 0.5)
		exponent--;
	return exponent < METRIC_BUCKETS ? (unsigned int)exponent : METRIC_BUCKETS - 1;
}

/*
 * 1e-9 is no double, 1e9 is one: to divide by it is exact to the last digit. So a bound is the same
 * number in all forms, and an engine takes it for the same series.
 */
double metric_scaled(const struct metric_about *about, double value)
{
	const double parts = 1 / about->scale;
	const uint64_t whole = parts < 1e15 ? (uint64_t)(parts + 0.5) : 0;

	return whole > 1 && fabs(parts / (double)whole - 1) < 1e-12 ? value / (double)whole :
	       value * about->scale;
}

double metric_bound(const struct metric_about *about, unsigned int bucket)
{
	return metric_scaled(about, ldexp(1, (int)bucket));
}

void metric_buckets(const struct metric_about *about, unsigned int *first, unsigned int *last)
{
	const bool time = !strcmp(about->unit, "seconds");
	const double least = time ? 1e-6 : 1;
	const double most = time ? 128 : !strcmp(about->unit, "bytes") ? 1 << 30 : 1 << 20;

	for (*first = 0; metric_bound(about, *first) < least; ++*first)
		;
	for (*last = *first; metric_bound(about, *last) < most; ++*last)
		;
}

static struct metric_series *others(struct metric_family *f)
{
	struct metric_labels l;

	l.n = 0;
	for (unsigned int i = 0; i < f->about.n_labels; i++)
		metric_label(&l, METRICS_OTHERS, strlen(METRICS_OTHERS));
	f->others++;
	return hash_add(&f->series, l.key, l.n);
}

struct metric_series *metric_series(struct metric_family *f, const struct metric_labels *l,
				    uint64_t now)
{
	struct metric_series *s = hash_find(&f->series, l->key, l->n);

	if (!s && f->series.index.n >= METRICS_SERIES && f->about.type == METRIC_GAUGE) {
		f->others++;	/* the last one of many values says nothing */
		return NULL;
	}
	if (!s && f->series.index.n >= METRICS_SERIES)
		s = others(f);
	else if (!s)
		s = hash_add(&f->series, l->key, l->n);
	if (s && f->about.type == METRIC_HISTOGRAM && !s->buckets) {
		s->buckets = calloc(METRIC_BUCKETS, sizeof(*s->buckets));
		if (!s->buckets) {
			metric_remove(f, s);
			return NULL;
		}
	}
	if (s)
		s->seen = now;
	return s;
}

const char *metric_value_of(const struct metric_family *f, const struct metric_series *s,
			    unsigned int i)
{
	const char *key = hash_key(&f->series, s);

	for (; i; i--)
		key += strlen(key) + 1;
	return key;
}

struct metric_series *metrics_series(struct metrics *m, const struct metric_about *about,
				     const char *value, uint64_t now)
{
	struct metric_family *f = metrics_family(m, about);
	struct metric_labels l;

	l.n = 0;
	metric_label(&l, value, strlen(value));
	return f ? metric_series(f, &l, now) : NULL;
}

void metrics_tool_up(struct metrics *m, const char *tool, bool up)
{
	static const struct metric_about about = {
		.name = "sonde_tool_up", .type = METRIC_GAUGE, .unit = "", .scale = 1,
		.n_labels = 1, .labels = { "tool" },
		.help = "1: the tool traces; 0: it starts, or has ended and is tried again",
	};
	struct metric_series *s = metrics_series(m, &about, tool, 0);

	if (s)
		s->value = up;
}
