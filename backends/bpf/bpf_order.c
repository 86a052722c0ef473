// SPDX-License-Identifier: GPL-2.0
#include "backends/bpf/bpf_order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct row {
	uint64_t time;
	size_t offset;		/* of the record, in the store's bytes */
	uint32_t size;
	unsigned int output;
};

#define STORE_LEAST 16384	/* bytes */
#define ROWS_LEAST 256

/* Bytes of records. There are two stores: after a run the remaining records move to the spare. */
struct store {
	unsigned char *bytes;
	size_t used, room;
};

/* After so many runs what none of them needed is given back: a burst must not cost for ever. */
#define TRIM_RUNS 64
/* It is kept if the runs needed this part of it. */
#define TRIM_PART 8

struct bpf_order {
	struct store store, spare;
	struct row *rows, *spare_rows;
	unsigned int n, room;
	size_t peak;		/* the most bytes and rows since the last trim */
	unsigned int peak_n, runs;
	uint64_t last;		/* time of the last record handed over */
	uint64_t late;
};

struct bpf_order *bpf_order_new(void)
{
	return calloc(1, sizeof(struct bpf_order));
}

void bpf_order_free(struct bpf_order *o)
{
	if (!o)
		return;
	free(o->store.bytes);
	free(o->spare.bytes);
	free(o->rows);
	free(o->spare_rows);
	free(o);
}

size_t bpf_order_bytes(const struct bpf_order *o)
{
	return o->store.used;
}

uint64_t bpf_order_late(const struct bpf_order *o)
{
	return o->late;
}

static int store_reserve(struct store *s, size_t size)
{
	size_t room = s->room ? s->room : STORE_LEAST;
	unsigned char *bytes;

	if (s->room - s->used >= size)
		return 0;
	while (room - s->used < size)
		room *= 2;
	bytes = realloc(s->bytes, room);
	if (!bytes)
		return -1;
	s->bytes = bytes;
	s->room = room;
	return 0;
}

static int rows_reserve(struct bpf_order *o)
{
	unsigned int room = o->room ? o->room * 2 : ROWS_LEAST;
	struct row *rows;

	if (o->n < o->room)
		return 0;
	rows = realloc(o->rows, room * sizeof(*rows));
	if (!rows)
		return -1;
	o->rows = rows;
	rows = realloc(o->spare_rows, room * sizeof(*rows));
	if (!rows)
		return -1;
	o->spare_rows = rows;
	o->room = room;
	return 0;
}

/* Sizes are rounded up: records stay aligned as in the ring, so tools can read them in place. */
static size_t space(uint32_t size)
{
	return ((size_t)size + 7) & ~(size_t)7;
}

int bpf_order_push(struct bpf_order *o, unsigned int output, const void *record, uint32_t size)
{
	struct row row = { .offset = o->store.used, .size = size, .output = output };

	/* Both stores get room, so that a run can't fail. */
	if (rows_reserve(o) || store_reserve(&o->store, space(size)) ||
	    store_reserve(&o->spare, o->store.used + space(size)))
		return -1;
	memcpy(&row.time, record, size < sizeof(row.time) ? size : sizeof(row.time));
	memcpy(o->store.bytes + row.offset, record, size);
	o->store.used += space(size);
	o->rows[o->n++] = row;
	return 0;
}

/* The end of the sorted rows that begin at `from`. */
static unsigned int run_end(const struct row *rows, unsigned int from, unsigned int n)
{
	while (++from < n)
		if (rows[from].time < rows[from - 1].time)
			break;
	return from < n ? from : n;
}

static void merge(const struct row *rows, unsigned int from, unsigned int middle, unsigned int end,
		  struct row *out)
{
	unsigned int a = from, b = middle;

	for (unsigned int i = from; i < end; i++)
		if (a < middle && (b == end || rows[a].time <= rows[b].time))
			out[i] = rows[a++];
		else
			out[i] = rows[b++];
}

/*
 * Merges sorted neighbours until all rows are sorted. The rows of each CPU are nearly sorted: only
 * a few are out of place.
 */
static void sort(struct bpf_order *o)
{
	while (run_end(o->rows, 0, o->n) < o->n) {
		struct row *sorted = o->spare_rows;
		unsigned int from, middle, end;

		for (from = 0; from < o->n; from = end) {
			middle = run_end(o->rows, from, o->n);
			end = middle < o->n ? run_end(o->rows, middle, o->n) : middle;
			merge(o->rows, from, middle, end, sorted);
		}
		o->spare_rows = o->rows;
		o->rows = sorted;
	}
}

/* Moves the remaining records to the spare store, which becomes the store. */
static void forget(struct bpf_order *o, unsigned int done)
{
	struct store old = o->store;

	o->spare.used = 0;
	for (unsigned int i = done; i < o->n; i++) {
		struct row *row = &o->rows[i - done];

		*row = o->rows[i];
		memcpy(o->spare.bytes + o->spare.used, old.bytes + row->offset, row->size);
		row->offset = o->spare.used;
		o->spare.used += space(row->size);
	}
	o->n -= done;
	o->store = o->spare;
	o->spare = old;
	o->spare.used = 0;
}

static void trim_store(struct store *s, size_t room)
{
	unsigned char *bytes = s->room > room ? realloc(s->bytes, room) : NULL;

	if (!bytes)
		return;
	s->bytes = bytes;
	s->room = room;
}

static void trim_rows(struct bpf_order *o, unsigned int room)
{
	struct row *rows = realloc(o->rows, room * sizeof(*rows));
	struct row *spare = realloc(o->spare_rows, room * sizeof(*spare));

	o->rows = rows ? rows : o->rows;
	o->spare_rows = spare ? spare : o->spare_rows;
	o->room = room;
}

static void trim(struct bpf_order *o)
{
	if (++o->runs < TRIM_RUNS)
		return;
	if (o->peak < o->store.room / TRIM_PART && o->store.room > STORE_LEAST) {
		const size_t room = 2 * o->peak > STORE_LEAST ? 2 * o->peak : STORE_LEAST;

		trim_store(&o->store, room);
		trim_store(&o->spare, room);
	}
	if (o->peak_n < o->room / TRIM_PART && o->room > ROWS_LEAST)
		trim_rows(o, 2 * o->peak_n > ROWS_LEAST ? 2 * o->peak_n : ROWS_LEAST);
	o->peak = 0;
	o->peak_n = o->runs = 0;
}

unsigned int bpf_order_run(struct bpf_order *o, uint64_t until, record_fn record, void *arg)
{
	unsigned int done;

	o->peak = o->store.used > o->peak ? o->store.used : o->peak;
	o->peak_n = o->n > o->peak_n ? o->n : o->peak_n;
	trim(o);
	if (!o->n)
		return 0;
	sort(o);
	for (done = 0; done < o->n && o->rows[done].time <= until; done++) {
		const struct row *row = &o->rows[done];

		if (row->time < o->last)
			o->late++;
		else
			o->last = row->time;
		record(arg, row->output, o->store.bytes + row->offset, row->size);
	}
	if (done)
		forget(o, done);
	return done;
}
