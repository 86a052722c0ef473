/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_SHOW_INTERNAL_H
#define SONDE_BT_SHOW_INTERNAL_H

#include "compat/base/jsonw.h"
#include "src/bt/show/brackets.h"
#include "src/bt/show/show.h"

/* What is shared by what shows values (show.c) and maps (map.c, map_json.c). */

/* ---- show.c ---- */

/* Texts of others, which stay theirs. */
struct text bt_text_in(const char *s, size_t n);
struct text bt_word(const char *s);
/* Writes a number. */
void bt_put_number(FILE *to, const struct bt_shape *shape, uint64_t bits);
/* Writes a value. `people`: its letters are escaped. */
void bt_put_value(FILE *to, const struct bt *b, const struct bt_shown *v, bool people);
/* Write one value, or the parts of a tuple with its brackets; for people or as JSON. */
void bt_put_values(FILE *to, const struct bt *b, const struct bt_shown *values, unsigned int n,
		   bool people);
void bt_json_values(FILE *to, const struct bt *b, const struct bt_shown *values, unsigned int n);
/* A value that is no number, as text. */
struct text bt_shown_text(const struct bt *b, const struct bt_shown *v);

/* ---- bytes.c ---- */

/* Writes a struct or an array. */
void bt_put_bytes(FILE *to, const struct bt *b, const struct bt_shown *v, bool people, bool json);

/* ---- map.c ---- */

/* Entries that are shown together: one row, or the rows of one histogram or series. */
struct group {
	const struct bt_row *rows;
	size_t n;
	uint64_t rank;			/* what they are sorted by; signed if the map is */
};

struct map_show {
	struct output *o;
	const struct bt *b;
	const struct bt_map *m;
	uint64_t divisor;
	uint64_t newest;		/* interval of a map of series */
	struct group *groups;
	size_t n;
};

/* Returns true if the map has histograms. */
bool bt_is_hist(const struct bt_map *m);
/* Part number i of a key. */
struct bt_shown bt_part_of(const struct bt_map *m, const uint8_t *key, unsigned int i);
/* The average and the total, divided; they are signed if the map is. */
void bt_stats_of(const struct map_show *s, const union bt_amount *a, uint64_t *average,
		 uint64_t *total);
/* The value of an entry of a map of values: of a tuple its parts. Returns how many there are. */
unsigned int bt_values_of(const struct map_show *s, const struct bt_row *row,
			  struct bt_shown list[BT_KEYS]);
/* Writes the value of an entry, of a map without histograms. */
void bt_put_amount(FILE *to, const struct map_show *s, const struct bt_row *row, bool people);
/* The counts of a histogram, divided; the caller frees them. Returns -1 if there is no memory. */
int bt_fill_hist(const struct map_show *s, const struct group *g, struct bt_hist *h);

/* ---- series.c ---- */

/* The intervals of a series. */
struct bt_intervals {
	struct bt_point *list;		/* n, without gaps; count 0: it has no value */
	size_t n;
};
/* Sets them; the caller frees the list. Returns -1 if there is no memory. */
int bt_fill_series(const struct map_show *s, const struct group *g, struct bt_intervals *to);
/* Shows them as a graph, or as JSON. */
void bt_series_show(FILE *to, const struct map_show *s, const struct bt_intervals *all);
void bt_series_json(struct jsonw *w, const struct map_show *s, const struct bt_intervals *all);
/* The number of an interval's beginning, and its value. */
uint64_t bt_series_time(const struct bt_map *m, const struct bt_point *p);
int64_t bt_series_value(const struct bt_map *m, const struct bt_point *p);

/* ---- map_json.c ---- */

/* Prints the groups from number `from` on in a line. Returns -1 if there is no memory. */
int bt_json_map(const struct map_show *s, size_t from);

#endif
