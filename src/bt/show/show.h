/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_SHOW_H
#define SONDE_BT_SHOW_H

#include "src/bt/show/table.h"
#include "src/lib/output/output.h"

/*
 * What a script prints, as bpftrace prints it. Bytes that others chose are escaped; the texts of
 * the script are printed unchanged. JSON and CSV have a row for each text and each entry of a map.
 */
struct bt_line {
	struct text type;		/* printf, value, time, map, hist */
	struct text text;		/* what printf(), print(VALUE) and time() print */
	struct text map, key, value;	/* an entry of a map */
	int64_t low, high, count;	/* of a histogram: the values from low to high */
};

/* A value with the shape that it is shown by. */
struct bt_shown {
	struct bt_shape shape;
	uint64_t bits;			/* a number; of a probe or function the name's */
	struct text text;		/* a text, a stack; s NULL: it could not be read */
};

/* A text that a variable, a key or a map keeps. */
struct text bt_kept_text(const char *bytes, const struct bt_shape *shape);
/* A text in memory, whose stream is kept for the next one: a new one costs 8 KB of zeros. */
struct bt_text {
	FILE *to;			/* NULL: none was made yet */
	char *s;
	size_t n;
};

/* Prints what the order of `values` prints: printf() or print(VALUE). `line`: the room for it. */
void bt_show_order(struct output *o, const struct bt *b, const struct bt_order *order,
		   const struct bt_shown *values, struct bt_text *line);
void bt_text_free(struct bt_text *t);
/* The text of the order's format; the caller frees. Returns NULL if there is no memory. */
char *bt_order_text(const struct bt *b, const struct bt_order *order,
		    const struct bt_shown *values, bool people, size_t *n);
/*
 * Returns true if those whose turn it is get bpftrace's JSON: on the screen it is in the place of
 * text, and listeners have sonde's formats.
 */
bool bt_shows_json(const struct output *o, const struct bt *b);
/* Prints a text of sonde's own, for those whose turn it is (output_turn()). */
void bt_show_text(struct output *o, const struct bt *b, const char *type, const char *s, size_t n);
/* Prints a number in bpftrace's JSON: {"type": TYPE, "count": n, "data": {WHAT: n}} */
void bt_show_count(struct output *o, const char *type, const char *what, uint64_t n);
/*
 * Prints a map: the `top` largest entries (0: all), the largest last, divided by `divisor` (0: 1).
 * Returns -1 if there is no memory.
 */
int bt_show_map(struct output *o, const struct bt *b, const struct bt_map *m, uint64_t top,
		uint64_t divisor);

/*
 * A copy of the map's rows, in the order in which they are printed. Returns -1 if there is no
 * memory. bt_rows_free() is called in either case.
 */
int bt_sorted_rows(const struct bt *b, const struct bt_map *m, struct bt_row **rows, size_t *n);
void bt_rows_free(struct bt_row *rows, size_t n);
/* The number of an entry, of a map without histograms. */
uint64_t bt_number_of(const struct bt_map *m, const union bt_amount *a);

/* ---- bytes.c ---- */

/* The number of this type that begins at `bytes`; writes one of `size` bytes. */
uint64_t bt_number_in(const char *bytes, const struct c_type *type);
void bt_number_to(char *bytes, uint64_t value, unsigned int size);

/* ---- hist.c ---- */

/* Counts of a histogram by its rows, the lowest first. */
struct bt_hist {
	uint64_t *counts;
	unsigned int n;
};
/* The number of rows of the map's histograms. */
unsigned int bt_hist_rows(const struct bt_map *m);
/* The row of a slot, as programs number it. */
unsigned int bt_hist_row(const struct bt_map *m, uint64_t slot);
/*
 * Prints all rows between the first and the last one that has a count. `old`: as bpftrace 0.23
 * shows it.
 */
void bt_hist_show(FILE *to, const struct bt_map *m, const struct bt_hist *h, bool old);
/* The values of a row; NOTHING: it has no lowest or highest one. */
void bt_hist_bounds(const struct bt_map *m, unsigned int row, int64_t *low, int64_t *high);

/* ---- shown.c ---- */

/* Returns true if time() and strftime() have all conversions of the format. */
bool bt_time_known(const char *format);
/* The message if they have not; its argument is the function. */
#define BT_TIME_LETTERS \
	"%s() has %%H %%M %%S %%T %%X %%R %%F %%Y %%y %%m %%b %%d %%s %%f %%Z here; a %% is %%%%"
/* Writes a local time, ns since the epoch. */
void bt_put_time(FILE *to, const struct run *run, const char *format, int64_t ns);

/*
 * Writes a block: its address, or nothing if it is all zeros. `way`, of a buffer: 'r' letters, and
 * other bytes as \xNN; 'R' all as \xNN; 'H' all as NN, with blanks between.
 */
void bt_put_block(FILE *to, enum bt_block_kind kind, const char *bytes, char way);
/* Writes a number of the kind BT_SHOWN. Bytes of names are not escaped. */
void bt_put_shown(FILE *to, const struct bt *b, const struct bt_shown *v);

#endif
