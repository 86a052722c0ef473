// SPDX-License-Identifier: GPL-2.0
/* tseries(VALUE, INTERVAL, NUMBER, "HOW"): the last intervals, each with a number of its own. */
#include <string.h>

#include "src/bt/parse.h"
#include "src/language/types/types.h"

#define INTERVALS_MOST 1000

static const char *const ways[] = {
	[BT_LAST] = "last", [BT_SERIES_AVG] = "avg", [BT_SERIES_MIN] = "min",
	[BT_SERIES_MAX] = "max", [BT_SERIES_SUM] = "sum",
};

/* `, NUMBER` */
static int number(struct parser *p, uint64_t most, uint64_t *to)
{
	struct binder b = bt_binder(p);
	struct node *n;

	if (!parser_is(p, ','))
		return NOT_HERE(p, "tseries() takes a value, the length of an interval, and how "
				"many are kept: tseries(VALUE, 1s, 10)");
	if (parser_step(p))
		return -1;
	n = parser_expression(p);
	if (!n || bind_node(&b, &n))
		return -1;
	*to = n->value;
	return n->kind == NODE_NUMBER && *to && *to <= most ? 0 :
	       NOT_AT(p, n->at, "this is a number that the script tells, from 1 to %llu",
		      (unsigned long long)most);
}

/* `, "HOW"`, which may be left out. */
static int way(struct parser *p, uint8_t *to)
{
	const struct node *n;

	*to = BT_LAST;
	if (!parser_is(p, ','))
		return 0;
	if (parser_step(p))
		return -1;
	n = p->now.kind == TOKEN_TEXT ? parser_literal(p) : NULL;
	for (uint8_t i = BT_SERIES_AVG; n && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(n->text, ways[i])) {
			*to = i;
			return 0;
		}
	return NOT_HERE(p, "an interval has the \"avg\", \"min\", \"max\" or \"sum\" of its "
			"values, or without a word the last one");
}

int bt_series(struct parser *p, struct bt_statement *s, size_t at, bool known)
{
	struct bt_map *m = s->map;
	const struct bt_map before = *m;
	struct binder b = bt_binder(p);
	uint64_t length, n;

	if (number(p, INT64_MAX, &length) || number(p, INTERVALS_MOST, &n) || way(p, &m->series))
		return -1;
	m->step = (int64_t)length;
	m->intervals = (uint32_t)n;
	if (known && (m->step != before.step || m->intervals != before.intervals ||
		      m->series != before.series))
		return NOT_AT(p, at, "%s has other intervals elsewhere: give these a map of their "
			      "own", m->name);
	s->limit = binary_node(&b, at, '/', s->time,
			       number_node(&b, at, length, c_integer(8, false)),
			       c_integer(8, false));
	return s->limit ? 0 : fail(p->err, "out of memory");
}
