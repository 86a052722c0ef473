// SPDX-License-Identifier: GPL-2.0
#include "src/bt/show/exports.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "insns/programs/argdist.h"
#include "src/bt/show/show_internal.h"
#include "src/lib/metrics/metric_names.h"

#define HELP 384

struct export {
	const struct bt_map *map;
	const char *why;		/* it is no metric; NULL: it is one */
	struct metric_family *values;	/* of avg() and stats() the sum */
	struct metric_family *counts;	/* of avg() and stats(): how many values; else NULL */
	struct hash shown;		/* entries that have a gauge, by their keys */
	size_t without;			/* entries that have none, as was told */
};

struct bt_exports {
	const struct bt *bt;
	struct export *list;
	unsigned int n;
};

/* ---- what a map becomes ---- */

static const struct {
	const char *name;
	enum metric_type type;		/* of a signed sum: a gauge */
	bool means;			/* it has a count and a sum */
	const char *why;		/* no metric; NULL: it is one */
} kinds[] = {
	[BT_UNKNOWN] = { "", METRIC_GAUGE, false, NULL },
	[BT_VALUES] = { "the last value", METRIC_GAUGE, false, NULL },
	[BT_COUNT] = { "count()", METRIC_COUNTER, false, NULL },
	[BT_SUM] = { "sum()", METRIC_COUNTER, false, NULL },
	[BT_MIN] = { "min()", METRIC_GAUGE, false, NULL },
	[BT_MAX] = { "max()", METRIC_GAUGE, false, NULL },
	[BT_AVG] = { "sum of the values", METRIC_COUNTER, true, NULL },
	[BT_STATS] = { "sum of the values", METRIC_COUNTER, true, NULL },
	[BT_HIST] = { "hist()", METRIC_HISTOGRAM, false, NULL },
	[BT_LHIST] = { "lhist()", METRIC_HISTOGRAM, false,
		       "lhist() has bounds of its own: take hist()" },
	[BT_SERIES] = { "tseries()", METRIC_GAUGE, false,
			"tseries() keeps a past, as the engine does that asks: take count(), "
			"sum() or avg()" },
};

/* What may fall is no counter. */
static enum metric_type type_of(const struct bt_map *m)
{
	return bt_is_sums(m->kind) && bt_is_signed(&m->value) ? METRIC_GAUGE : kinds[m->kind].type;
}

static const char *why_key(const struct bt_shape *key)
{
	if (key->kind == BT_STACK)
		return key->stack.way == BT_STACK_SYMBOL ?
		       "usym() asks a process that may have ended: take the address, or comm" :
		       "stacks are no labels: sonde profile and offcputime show them";
	if (key->kind == BT_SHOWN && key->shown.show == BT_SHOW_TIME)
		return "a time as a key is a new metric each moment";
	if (bt_block_of(key) == BT_BUFFER || bt_block_of(key) == BT_BYTES)
		return "bytes are no label: take a number or a string as the key";
	return NULL;
}

/* A gauge is what the map has, so an entry that is taken out would stay a gauge for ever. */
static const char *why_gauge(const struct bt_map *m)
{
	if (m->kind == BT_VALUES && m->value.kind != BT_NUMBER)
		return "its values are no numbers";
	if (m->kind == BT_VALUES && m->value.number.is_pointer)
		return "its values are addresses";
	if (m->kind == BT_VALUES && (m->read || m->emptied))
		return "the script reads it back or deletes its entries, so it is memory of the "
		       "script: count(), sum(), max() and others are for results";
	if (m->emptied && m->kind != BT_MIN && m->kind != BT_MAX)
		return "the script clears a sum of signed numbers, which may fall: (uint64) makes "
		       "it a counter";
	if (m->emptied)
		return "the script clears it, or deletes its entries: nobody would know whether "
		       "its gauge is still true";
	return NULL;
}

static const char *why_not(const struct bt_map *m)
{
	const char *why = kinds[m->kind].why;

	for (unsigned int i = 0; i < m->n_keys && !why; i++)
		why = why_key(&m->keys[i]);
	return why || type_of(m) != METRIC_GAUGE ? why : why_gauge(m);
}

/* ---- families ---- */

static bool is_named(const struct bt_exports *e, const char *name)
{
	for (unsigned int i = 0; i < e->n; i++)
		if ((e->list[i].values && !strcmp(e->list[i].values->about.name, name)) ||
		    (e->list[i].counts && !strcmp(e->list[i].counts->about.name, name)))
			return true;
	return false;
}

/* Names of metrics have small letters, and units are said in one way: two maps may become one. */
static struct metric_family *family(const struct bt_exports *e, struct export *x,
				    struct metrics *to, enum metric_type type, const char *end,
				    const char *what)
{
	struct bt_label labels[BT_KEYS];
	struct bt_family_name name;
	struct metric_about a = { .type = type };
	struct metric_family *made;
	char help[HELP];

	bt_export_name(x->map, end, x->map->kind == BT_COUNT, &name);
	if (is_named(e, name.name)) {
		x->why = "another map gives its metric the same name";
		return NULL;
	}
	bt_export_labels(e->bt, x->map, labels);
	text_cut(help, sizeof(help), "%s of the script: %s%s%s", x->map->name, what,
		 *name.unit ? ", as " : "", name.unit);
	a.name = name.name;
	a.unit = name.unit;
	a.scale = name.scale;
	a.help = help;
	for (unsigned int i = 0; i < x->map->n_keys; i++) {
		a.labels[a.n_labels++] = labels[i].name;
		a.passing |= metric_label_passes(labels[i].name);
	}
	made = metrics_family(to, &a);
	if (!made)
		x->why = "there are too many metrics";
	return made;
}

static void find(struct bt_exports *e, struct export *x, struct metrics *to)
{
	const struct bt_map *m = x->map;

	x->why = why_not(m);
	if (x->why)
		return;
	x->values = family(e, x, to, type_of(m), "", kinds[m->kind].name);
	if (x->values && kinds[m->kind].means)
		x->counts = family(e, x, to, METRIC_COUNTER, "_count", "how many values");
	/* A sum without its count says nothing. */
	if (x->why)
		x->values = NULL;
}

struct bt_exports *bt_exports_new(const struct bt *b, struct metrics *to)
{
	struct bt_exports *e = calloc(1, sizeof(*e));
	unsigned int n = 0;

	for (const struct bt_map *m = b->maps; m; m = m->next)
		n++;
	if (e)
		e->list = calloc(n + 1, sizeof(*e->list));
	if (!e || !e->list) {
		free(e);
		return NULL;
	}
	e->bt = b;
	for (const struct bt_map *m = b->maps; m; m = m->next) {
		struct export x = { .map = m, .shown.value_size = 1 };

		if (m->kind != BT_UNKNOWN)
			find(e, &x, to);
		e->list[e->n++] = x;
	}
	return e;
}

void bt_exports_free(struct bt_exports *e)
{
	for (unsigned int i = 0; e && i < e->n; i++)
		hash_clear(&e->list[i].shown);
	if (e)
		free(e->list);
	free(e);
}

static struct export *export_of(const struct bt_exports *e, const struct bt_map *m)
{
	unsigned int i = 0;

	while (e->list[i].map != m)
		i++;
	return &e->list[i];
}

const char *bt_exports_why(const struct bt_exports *e, const struct bt_map *m)
{
	return export_of(e, m)->why;
}

bool bt_exports_counts(const struct bt_exports *e, const struct bt_map *m)
{
	const struct export *x = export_of(e, m);

	return x->counts || (x->values && x->values->about.type != METRIC_GAUGE);
}

bool bt_exports_shows(const struct bt_exports *e, const struct bt_map *m)
{
	const struct export *x = export_of(e, m);

	return x->values && x->values->about.type == METRIC_GAUGE;
}

/* ---- values ---- */

static void add_label(const struct bt *b, const struct bt_shown *part, struct metric_labels *to)
{
	char *s = NULL;
	size_t n = 0;
	FILE *text;

	if (part->shape.kind == BT_TEXT && !bt_block_of(&part->shape)) {
		metric_label(to, part->text.s ? part->text.s : "", part->text.length);
		return;
	}
	text = open_memstream(&s, &n);
	if (text)
		bt_put_value(text, b, part, false);
	if (!text || fclose(text))
		n = 0;
	metric_label(to, s ? s : "", n);
	free(s);
}

static void labels_of(const struct bt *b, const struct bt_map *m, const uint8_t *key,
		      struct metric_labels *to)
{
	to->n = 0;
	for (unsigned int i = 0; i < m->n_keys; i++) {
		const struct bt_shown part = bt_part_of(m, key, i);

		add_label(b, &part, to);
	}
}

/* The slot of a negative value is below all bounds. */
static unsigned int bucket_of(const struct bt_map *m, const uint8_t *key)
{
	uint64_t slot;

	memcpy(&slot, key + bt_key_size(m), sizeof(slot));
	return slot < HIST_SLOTS ? metric_bucket((double)hist_slot_high((unsigned int)slot)) : 0;
}

static double value_of(const struct bt_map *m, const union bt_amount *a)
{
	const bool sums = m->kind == BT_AVG || m->kind == BT_STATS;
	const uint64_t bits = sums ? a->sums.low + (a->sums.high << 32) : bt_number_of(m, a);

	return bt_is_signed(&m->value) ? (double)(int64_t)bits : (double)bits;
}

static void add_row(const struct bt_exports *e, const struct export *x, const struct bt_row *row,
		    uint64_t now)
{
	const bool gauge = x->values->about.type == METRIC_GAUGE;
	struct metric_series *s;
	struct metric_labels labels;

	labels_of(e->bt, x->map, row->key, &labels);
	s = gauge ? NULL : metric_series(x->values, &labels, now);
	if (s && s->buckets)
		s->buckets[bucket_of(x->map, row->key)] += row->amount.number;
	else if (s)
		s->value += value_of(x->map, &row->amount);
	s = x->counts ? metric_series(x->counts, &labels, now) : NULL;
	if (s)
		s->value += (double)row->amount.sums.count;
}

void bt_exports_add(struct bt_exports *e, const struct bt_map *m, const struct bt_row *rows,
		    size_t n)
{
	const struct export *x = export_of(e, m);
	const uint64_t now = monotonic_ns();

	if (!bt_exports_counts(e, m))
		return;
	for (size_t i = 0; i < n; i++)
		add_row(e, x, &rows[i], now);
}

/* The first entries have all series for ever: those of others that go would stay as they are. */
static bool has_room(struct export *x, const struct bt_row *row)
{
	const unsigned int size = bt_whole_key_size(x->map);

	if (hash_find(&x->shown, row->key, size))
		return true;
	return x->shown.index.n < METRICS_SERIES && hash_add(&x->shown, row->key, size);
}

size_t bt_exports_set(struct bt_exports *e, const struct bt_map *m)
{
	struct export *x = export_of(e, m);
	const struct bt_table *t = m->table;
	const uint64_t now = monotonic_ns();
	size_t without = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct metric_labels labels;
		struct metric_series *s;

		if (!has_room(x, &t->rows[i])) {
			without++;
			continue;
		}
		labels_of(e->bt, m, t->rows[i].key, &labels);
		s = metric_series(x->values, &labels, now);
		if (s)
			s->value = value_of(m, &t->rows[i].amount);
	}
	if (without <= 2 * x->without)
		return 0;
	x->without = without;
	return without;
}
