// SPDX-License-Identifier: GPL-2.0
/* A script in `sonde export`: its maps are taken every few seconds, and become metrics. */
#include <string.h>

#include "src/bt/run/run.h"
#include "src/lib/output/sink.h"

/* What is taken of such a map is gone from the engine. */
static bool adds_up(const struct bt_map *m)
{
	return m->kind != BT_VALUES && m->kind != BT_SERIES && m->kind != BT_UNKNOWN;
}

static bool is_metric(const struct bt_run *r, const struct bt_map *m)
{
	return bt_exports_counts(r->exports, m) || bt_exports_shows(r->exports, m);
}

int bt_exported_open(struct bt_run *r, struct error *err)
{
	bool some = false;

	if (!run_metrics(r->run))
		return 0;
	r->exports = bt_exports_new(r->bt, run_metrics(r->run));
	if (!r->exports)
		return fail(err, "out of memory");
	for (const struct bt_map *m = r->bt->maps; m; m = m->next) {
		const char *why = bt_exports_why(r->exports, m);

		some |= is_metric(r, m);
		if (why)
			fprintf(sink_err(), "sonde: export: bt: %s is left out: %s\n", m->name,
				why);
	}
	return some ? 0 : fail(err, "bt: no map of the script is a metric, and its output is none: "
				    "give it @NAME = count(), sum() or hist()");
}

static void ignore(void *arg, const void *key, const void *value)
{
	(void)arg;
	(void)key;
	(void)value;
}

/* Nobody looks at it: a full map would only say that it is full. */
static void drain(struct bt_run *r, const struct bt_map *m)
{
	struct error err = { };

	if (m->in_kernel && bt_slots_take(r, m, ignore, NULL, &err))
		run_fail(r->run, &err);
}

static void set_gauges(struct bt_run *r, const struct bt_map *m)
{
	const size_t n = bt_exports_set(r->exports, m);

	if (n)
		fprintf(sink_err(), "sonde: export: bt: %zu entries of %s are left out: a metric "
				    "has %d series at most\n", n, m->name, METRICS_SERIES);
}

void bt_exported_add(struct bt_run *r)
{
	for (const struct bt_map *m = r->bt->maps; m; m = m->next) {
		if (!is_metric(r, m)) {
			if (adds_up(m) && !m->read)
				drain(r, m);
			continue;
		}
		if (bt_take(r, m))
			return;
		if (bt_exports_shows(r->exports, m))
			set_gauges(r, m);
		/* The counters have it; for the script it stays. */
		else if (!m->read)
			bt_table_clear(m->table);
	}
}
