// SPDX-License-Identifier: GPL-2.0
#include "src/lib/metrics/metrics_wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* Each part of a message begins with its kind. */
enum { WIRE_FAMILY = 1, WIRE_SERIES, WIRE_LEAVE };
/* All that a part may need: seven texts of a family, or a key and all buckets. */
#define PART_MOST 4096

struct writing {
	uint8_t bytes[METRICS_MESSAGE];
	size_t n;
};

static void put(struct writing *w, const void *bytes, size_t n)
{
	memcpy(w->bytes + w->n, bytes, n);
	w->n += n;
}

static void put_u16(struct writing *w, unsigned int value)
{
	const uint16_t v = (uint16_t)value;

	put(w, &v, sizeof(v));
}

/* With its NUL. */
static void put_text(struct writing *w, const char *s)
{
	size_t n = strnlen(s, PART_MOST / (METRIC_LABELS + 4));

	put_u16(w, (unsigned int)n + 1);
	put(w, s, n);
	put(w, "", 1);
}

static void put_family(struct writing *w, unsigned int number, const struct metric_about *a)
{
	const uint8_t head[] = {
		WIRE_FAMILY, (uint8_t)a->type, a->sums, a->passing, (uint8_t)a->n_labels,
	};

	put(w, head, sizeof(head));
	put_u16(w, number);
	put(w, &a->scale, sizeof(a->scale));
	put_text(w, a->name);
	put_text(w, a->unit);
	put_text(w, a->help);
	for (unsigned int i = 0; i < a->n_labels; i++)
		put_text(w, a->labels[i]);
}

static void put_series(struct writing *w, unsigned int number, const struct metric_family *f,
		       const struct metric_series *s)
{
	const uint8_t head[] = { WIRE_SERIES, s->buckets != NULL };
	size_t n = 0;

	put(w, head, sizeof(head));
	put_u16(w, number);
	put(w, &s->value, sizeof(s->value));
	for (unsigned int i = 0; i < f->about.n_labels; i++)
		n += strlen(metric_value_of(f, s, i)) + 1;
	put_u16(w, (unsigned int)n);
	put(w, hash_key(&f->series, s), n);
	if (s->buckets)
		put(w, s->buckets, METRIC_BUCKETS * sizeof(*s->buckets));
}

/* Returns 1 if the message was sent, 0 if the exporter does not read, -1 if it is gone. */
static int send_message(const struct metrics_sender *s, struct writing *w)
{
	ssize_t n;

	if (!w->n)
		return 1;
	do
		n = send(s->to, w->bytes, w->n, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	w->n = 0;
	if (n < 0)
		return errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM ? 0 : -1;
	return 1;
}

/* After a message: removes the series in it, or keeps them. */
static void end_message(struct metrics *m, bool sent)
{
	for (unsigned int i = 0; i < m->n; i++) {
		struct metric_series *s, *next;
		uint32_t at = 0;

		for (s = hash_next(&m->families[i]->series, &at); s; s = next) {
			next = hash_next(&m->families[i]->series, &at);
			if (s->sent && sent)
				metric_remove(m->families[i], s);
			else
				s->sent = false;
		}
	}
}

static int send_rest(struct metrics *m, const struct metrics_sender *s, struct writing *w)
{
	const int result = send_message(s, w);

	end_message(m, result > 0);
	return result;
}

void metrics_receiver_begin(const int *sockets, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		send(sockets[i], "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

int metrics_send(struct metrics *m, struct metrics_sender *s)
{
	struct writing w;
	int result = 1;
	char byte;

	w.n = 0;
	while (recv(s->to, &byte, 1, MSG_DONTWAIT) > 0)
		s->told = 0;
	for (unsigned int i = s->told; i < m->n && result > 0; i++) {
		put_family(&w, i, &m->families[i]->about);
		if (w.n + PART_MOST <= sizeof(w.bytes) && i + 1 < m->n)
			continue;
		result = send_message(s, &w);
		s->told = result > 0 ? i + 1 : s->told;
	}
	for (unsigned int i = 0; i < s->told && result > 0; i++) {
		struct metric_series *series, *next;
		uint32_t at = 0;

		for (series = hash_next(&m->families[i]->series, &at); series && result > 0;
		     series = next) {
			next = hash_next(&m->families[i]->series, &at);
			put_series(&w, i, m->families[i], series);
			series->sent = true;
			if (w.n + PART_MOST > sizeof(w.bytes))
				result = send_rest(m, s, &w);
		}
	}
	if (result > 0)
		result = send_rest(m, s, &w);
	return result < 0 ? -1 : 0;
}

bool metrics_send_leave(int to, const char *tool)
{
	const struct metrics_sender s = { .to = to };
	const uint8_t kind = WIRE_LEAVE;
	struct writing w;

	w.n = 0;
	put(&w, &kind, sizeof(kind));
	put_text(&w, tool);
	return send_message(&s, &w) > 0;
}

struct reading {
	const uint8_t *at, *end;
	bool broken;
};

/* Returns NULL if there are not so many bytes. */
static const void *take(struct reading *in, size_t n)
{
	const void *at = in->at;

	if (in->broken || n > (size_t)(in->end - in->at)) {
		in->broken = true;
		return NULL;
	}
	in->at += n;
	return at;
}

static uint8_t take_u8(struct reading *in)
{
	const uint8_t *at = take(in, 1);

	return at ? *at : 0;
}

static unsigned int take_u16(struct reading *in)
{
	const void *at = take(in, sizeof(uint16_t));
	uint16_t value = 0;

	if (at)
		memcpy(&value, at, sizeof(value));
	return value;
}

static double take_double(struct reading *in)
{
	const void *at = take(in, sizeof(double));
	double value = 0;

	if (at)
		memcpy(&value, at, sizeof(value));
	return value;
}

static const char *take_text(struct reading *in)
{
	const unsigned int n = take_u16(in);
	const char *s = take(in, n);

	in->broken |= !s || !n || s[n - 1];
	return in->broken ? "" : s;
}

static void read_family(struct metrics *m, struct metrics_receiver *from, struct reading *in)
{
	struct metric_about a = { };
	unsigned int number;

	a.type = take_u8(in);
	a.sums = take_u8(in);
	a.passing = take_u8(in);
	a.n_labels = take_u8(in);
	number = take_u16(in);
	a.scale = take_double(in);
	a.name = take_text(in);
	a.unit = take_text(in);
	a.help = take_text(in);
	in->broken |= a.type >= METRIC_TYPES || a.n_labels > METRIC_LABELS ||
		     number >= METRICS_FAMILIES || !(a.scale > 0);
	for (unsigned int i = 0; i < a.n_labels && !in->broken; i++)
		a.labels[i] = take_text(in);
	if (in->broken)
		return;
	from->families[number] = metrics_family(m, &a);
	if (from->families[number])
		from->families[number]->users |= from->user;
}

static void read_leave(struct metrics *m, struct metrics_receiver *from, struct reading *in)
{
	const char *tool = take_text(in);

	if (in->broken)
		return;
	metrics_leave(m, from->user, tool);
	memset(from->families, 0, sizeof(from->families));
}

/* Takes the values of the labels: as many texts as the family has labels. */
static void take_key(struct reading *in, const struct metric_family *f, struct metric_labels *l)
{
	const char *key;
	unsigned int ends = 0;

	l->n = take_u16(in);
	key = take(in, l->n);
	for (size_t i = 0; key && i < l->n; i++)
		ends += !key[i];
	in->broken |= !key || l->n > sizeof(l->key) || (l->n && key[l->n - 1]);
	/* Of a family without room nothing is kept. */
	in->broken |= f && ends != f->about.n_labels;
	if (!in->broken)
		memcpy(l->key, key, l->n);
}

static void read_series(struct metrics_receiver *from, struct reading *in, uint64_t now)
{
	const bool has_buckets = take_u8(in);
	const unsigned int number = take_u16(in);
	const double value = take_double(in);
	struct metric_family *f = number < METRICS_FAMILIES ? from->families[number] : NULL;
	struct metric_series *s;
	struct metric_labels l;
	const uint8_t *buckets = NULL;

	take_key(in, f, &l);
	if (has_buckets)
		buckets = take(in, METRIC_BUCKETS * sizeof(uint64_t));
	in->broken |= f && has_buckets != (f->about.type == METRIC_HISTOGRAM);
	s = f && !in->broken ? metric_series(f, &l, now) : NULL;
	if (!s)
		return;
	s->value = f->about.type == METRIC_GAUGE ? value : s->value + value;
	for (unsigned int i = 0; buckets && i < METRIC_BUCKETS; i++) {
		uint64_t n;

		memcpy(&n, buckets + i * sizeof(n), sizeof(n));
		s->buckets[i] += n;
	}
}

int metrics_receive(struct metrics *m, struct metrics_receiver *from, const void *message,
		    size_t n, uint64_t now)
{
	struct reading in = { message, (const uint8_t *)message + n, false };

	while (in.at < in.end && !in.broken) {
		switch (take_u8(&in)) {
		case WIRE_FAMILY:
			read_family(m, from, &in);
			break;
		case WIRE_SERIES:
			read_series(from, &in, now);
			break;
		case WIRE_LEAVE:
			read_leave(m, from, &in);
			break;
		default:
			in.broken = true;
		}
	}
	return in.broken ? -1 : 0;
}
