// SPDX-License-Identifier: GPL-2.0
/* tseries(VALUE, INTERVAL, NUMBER, "HOW"): the last intervals, each with a number of its own. */
#include <string.h>

#include "src/bt/bind/bind.h"
#include "src/language/types/types.h"

#define INTERVALS_MOST 1000

static const char *const ways[] = {
	[BT_LAST] = "last", [BT_SERIES_AVG] = "avg", [BT_SERIES_MIN] = "min",
	[BT_SERIES_MAX] = "max", [BT_SERIES_SUM] = "sum",
};

static int number(struct binder *b, struct bt_arguments *a, uint64_t most, uint64_t *to)
{
	struct node *n;

	if (!a->next)
		return WRONG_AT(b, a->at, "tseries() takes a value, the length of an interval, and "
				"how many are kept: tseries(VALUE, 1s, 10)");
	if (bt_copy(b, bt_argument(a), &n) || bind_node(b, &n))
		return -1;
	*to = n->value;
	return n->kind == NODE_NUMBER && *to && *to <= most ? 0 :
	       WRONG(b, n, "this is a number that the script tells, from 1 to %llu",
		     (unsigned long long)most);
}

/* "HOW", which may be left out. */
static int way(struct binder *b, struct bt_arguments *a, uint8_t *to)
{
	const size_t at = a->next ? a->next->at : 0;
	const struct node *n = bt_argument(a);

	*to = BT_LAST;
	if (!n)
		return 0;
	for (uint8_t i = BT_SERIES_AVG; n->kind == NODE_TEXT && i < sizeof(ways) / sizeof(ways[0]);
	     i++)
		if (!strcmp(n->text, ways[i])) {
			*to = i;
			return 0;
		}
	return WRONG_AT(b, at, "an interval has the \"avg\", \"min\", \"max\" or \"sum\" of its "
			"values, or without a word the last one");
}

int bt_series(struct binder *b, struct bt_statement *s, struct bt_arguments *a, size_t at,
	      bool known)
{
	struct bt_map *m = s->entry.map;
	const struct bt_map before = *m;
	uint64_t length, n;

	if (number(b, a, INT64_MAX, &length) || number(b, a, INTERVALS_MOST, &n) ||
	    way(b, a, &m->series.way))
		return -1;
	m->series.length = length;
	m->series.n = (uint32_t)n;
	if (known && (length != before.series.length || n != before.series.n ||
		      m->series.way != before.series.way))
		return WRONG_AT(b, at, "%s has other intervals elsewhere: give these a map of "
				"their own", m->name);
	s->entry.interval = binary_node(b, at, '/', s->entry.time,
			       number_node(b, at, length, c_integer(8, false)),
			       c_integer(8, false));
	return s->entry.interval ? 0 : -1;
}
