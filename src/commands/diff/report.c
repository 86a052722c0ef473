// SPDX-License-Identifier: GPL-2.0
/* The heading and the tables of a difference. */
#include "src/commands/diff/report.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/text.h"
#include "src/lib/output/output.h"
#include "src/lib/output/sink.h"

#define KEYS 12
#define MOVES 4				/* p50, p90, p99, max */
#define MOVED 48

/* A row as its columns show it. */
struct shown {
	struct text measure, unit, ratio_text, state, moved[MOVES], keys[KEYS];
	double rate[DIFF_SIDES], change, ratio, at[MOVES][DIFF_SIDES];
	char ratio_room[24], room[MOVES][MOVED];
};

/* A row before it is shown. */
struct ranked {
	const void *key;
	size_t size;
	const struct diff_amount *amount;
	double rate[DIFF_SIDES], weight;
};

struct report {
	const struct diff_options *options;
	const struct diff_reader *reader;
	double seconds[DIFF_SIDES];
	struct output *output;
	struct column *columns;
	unsigned int keys[KEYS], n_keys;	/* numbers of members */
	char heads[KEYS][64];
	bool spread, hist;		/* some measure has percentiles, or is a histogram */
	struct ranked *list;
	size_t n;
};

#define AT(MEMBER) offsetof(struct shown, MEMBER)
#define MOVE(HEAD, NAME, I, OPTION) \
	{ HEAD, NAME, COLUMN_TEXT, 15, AT(moved[I]), .option = OPTION, .readers = FOR_PEOPLE, \
	  .role = IS_LABEL }, \
	{ HEAD "_OLD", NAME "_old", COLUMN_REAL, 0, AT(at[I][DIFF_OLD]), 6, .unit = IN_ANY, \
	  .option = OPTION, .readers = FOR_MACHINES }, \
	{ HEAD "_NEW", NAME "_new", COLUMN_REAL, 0, AT(at[I][DIFF_NEW]), 6, .unit = IN_ANY, \
	  .option = OPTION, .readers = FOR_MACHINES }

static const unsigned int parts[MOVES] = { 500, 900, 990, 1000 };
static const struct column columns[] = {
	{ "MEASURE", "measure", COLUMN_TEXT, 0, AT(measure), .readers = FOR_MACHINES },
	{ "UNIT", "unit", COLUMN_TEXT, 0, AT(unit), .readers = FOR_MACHINES },
	{ "OLD", "old", COLUMN_REAL, 14, AT(rate[DIFF_OLD]), 3, .unit = IN_ANY },
	{ "NEW", "new", COLUMN_REAL, 14, AT(rate[DIFF_NEW]), 3, .unit = IN_ANY },
	{ "CHANGE", "change", COLUMN_REAL, 14, AT(change), 3, .unit = IN_ANY },
	{ "RATIO", "", COLUMN_TEXT, 8, AT(ratio_text), .readers = FOR_PEOPLE },
	{ "RATIO", "ratio", COLUMN_REAL, 0, AT(ratio), 3, .unit = IN_RATIO,
	  .readers = FOR_MACHINES },
	{ "STATE", "state", COLUMN_TEXT, 0, AT(state), .readers = FOR_MACHINES },
	MOVE("P50", "p50", 0, "spread"), MOVE("P90", "p90", 1, "hist"),
	MOVE("P99", "p99", 2, "spread"), MOVE("MAX", "max", 3, "hist"),
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static struct text text_of(const char *s)
{
	return (struct text){ .s = s, .length = s ? (uint32_t)strlen(s) : 0 };
}

/* ---- columns ---- */

static bool is_shown(void *arg, const char *option)
{
	const struct report *rp = arg;

	return strcmp(option, "hist") ? rp->spread : rp->hist;
}

static void add_key(struct report *rp, unsigned int member)
{
	char *head = rp->heads[rp->n_keys];
	struct column *c = &rp->columns[COLUMNS + rp->n_keys];

	text_cut(head, sizeof(rp->heads[0]), "%s", rp->reader->members[member].name);
	*c = (struct column){
		.head = head, .name = rp->reader->members[member].name, .type = COLUMN_TEXT,
		.width = -16, .offset = (uint16_t)(AT(keys) + rp->n_keys * sizeof(struct text)),
		.role = IS_IDENTITY,
	};
	for (; *head; head++)
		if (*head >= 'a' && *head <= 'z')
			*head &= ~0x20;
	rp->keys[rp->n_keys++] = member;
}

static int make_columns(struct report *rp, FILE *file, struct error *err)
{
	const struct diff_reader *reader = rp->reader;
	const struct output_source source = { .shown = is_shown, .arg = rp };
	struct output_source of = source;

	rp->columns = calloc(COLUMNS + KEYS + 1, sizeof(*rp->columns));
	if (!rp->columns)
		return fail(err, "out of memory");
	memcpy(rp->columns, columns, sizeof(columns));
	for (unsigned int i = 0; i < reader->n_members && rp->n_keys < KEYS; i++)
		if (reader->members[i].use == USE_KEY && reader->members[i].heard)
			add_key(rp, i);
	if (rp->n_keys)
		rp->columns[COLUMNS + rp->n_keys - 1].width = 0;
	for (unsigned int i = 0; i < reader->table.n_measures; i++) {
		rp->spread |= reader->table.measures[i].spread && !reader->table.no_slots;
		rp->hist |= reader->table.measures[i].kind == DIFF_COUNTS &&
			   !reader->table.no_slots;
	}
	of.columns = rp->columns;
	rp->output = output_new(file, rp->options->format, &of);
	return rp->output ? 0 : fail(err, "out of memory");
}

/* ---- the heading ---- */

static void number_member(struct output_member *m, const char *name, char room[32], int digits,
			  double v)
{
	snprintf(room, 32, "%.*f", digits, v);
	*m = (struct output_member){ name, text_of(room) };
	m->value.is_number = true;
}

static void put_side(struct report *rp, const struct diff_file *f, enum diff_side side)
{
	static const char *const heads[DIFF_SIDES] = { "OLD", "NEW" };
	static const char *const names[DIFF_SIDES] = { "old", "new" };
	char of[160] = "", seconds[32], lost[32];
	struct output_member m[] = { { "file", text_of(f->path) }, { }, { },
				     { "release", text_of(*f->release ? f->release : NULL) } };

	if (f->recording)
		text_cut(of, sizeof(of), "; Linux %s, %s, %u CPUs",
			 *f->release ? f->release : "of an unknown release", f->machine, f->cpus);
	output_line(rp->output, "%s  %s: %.3f s%s", heads[side], f->path, f->seconds, of);
	number_member(&m[1], "seconds", seconds, 6, f->seconds);
	number_member(&m[2], "losses", lost, 0,
		      (double)rp->reader->ends[side].losses);
	output_members(rp->output, names[side], m, sizeof(m) / sizeof(m[0]));
}

static void put_heading(struct report *rp, const struct diff_file files[DIFF_SIDES])
{
	struct lines notes = diff_notes(files, rp->reader);

	for (unsigned int i = 0; i < DIFF_SIDES; i++)
		put_side(rp, &files[i], (enum diff_side)i);
	for (unsigned int i = 0; i < notes.n; i++) {
		const struct output_member m = { "text", text_of(notes.list[i]) };

		output_line(rp->output, "note %s", notes.list[i]);
		output_members(rp->output, "note", &m, 1);
		if (rp->options->format->one_table)
			fprintf(sink_err(), "sonde: diff: %s\n", notes.list[i]);
	}
	lines_free(&notes);
}

/* ---- tables ---- */

static double rate_of(const struct report *rp, const struct diff_amount *a, enum diff_side side,
		      enum diff_kind kind)
{
	if (kind == DIFF_MEAN)
		return a->n[side] ? a->sum[side] / (double)a->n[side] : NAN;
	return a->sum[side] / rp->seconds[side];
}

static double change_of(const struct ranked *k)
{
	return (isnan(k->rate[DIFF_NEW]) ? 0 : k->rate[DIFF_NEW]) -
	       (isnan(k->rate[DIFF_OLD]) ? 0 : k->rate[DIFF_OLD]);
}

static int by_weight(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	const size_t n = x->size < y->size ? x->size : y->size;
	int order;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	order = memcmp(x->key, y->key, n);
	return order ? order : (x->size > y->size) - (x->size < y->size);
}

static int rank(struct report *rp, unsigned int measure, struct error *err)
{
	const struct hash *all = &rp->reader->table.entries;
	const enum diff_kind kind = rp->reader->table.measures[measure].kind;
	const struct diff_entry *e;

	rp->n = 0;
	for (uint32_t at = 0; (e = hash_next(all, &at));) {
		struct ranked *k;

		if (measure >= e->n || (!e->amounts[measure].n[DIFF_OLD] &&
					!e->amounts[measure].n[DIFF_NEW]))
			continue;
		if (array_room(&rp->list, rp->n, sizeof(*rp->list)))
			return fail(err, "out of memory");
		k = &rp->list[rp->n++];
		*k = (struct ranked){ .key = hash_key(all, e), .amount = &e->amounts[measure] };
		k->size = e->key_size;
		for (unsigned int i = 0; i < DIFF_SIDES; i++)
			k->rate[i] = rate_of(rp, k->amount, (enum diff_side)i, kind);
		k->weight = kind == DIFF_COUNTS ? diff_shift(k->amount, rp->seconds) :
			    fabs(change_of(k));
	}
	if (rp->n)
		qsort(rp->list, rp->n, sizeof(*rp->list), by_weight);
	return 0;
}

/* A shift within a slot is none: both sides then have the slot's largest value. */
static void put_moves(const struct report *rp, struct shown *to, const struct diff_measure *m,
		      const struct diff_amount *a)
{
	const double scale = m->fine ? DIFF_FINE : 1;

	for (unsigned int i = 0; i < MOVES; i++) {
		bool had[DIFF_SIDES];
		double v[DIFF_SIDES];

		for (unsigned int s = 0; s < DIFF_SIDES; s++) {
			had[s] = m->spread && a->spread[s].n && !rp->reader->table.no_slots;
			v[s] = had[s] ? (double)diff_percentile(&a->spread[s], parts[i]) / scale :
			       NAN;
			to->at[i][s] = v[s];
		}
		if (had[DIFF_OLD] && had[DIFF_NEW] && v[DIFF_OLD] != v[DIFF_NEW])
			text_cut(to->room[i], MOVED, "%.10g>%.10g", v[DIFF_OLD], v[DIFF_NEW]);
		else if (had[DIFF_OLD] || had[DIFF_NEW])
			text_cut(to->room[i], MOVED, "%.10g", had[DIFF_NEW] ? v[DIFF_NEW] :
				 v[DIFF_OLD]);
		to->moved[i] = text_of(*to->room[i] ? to->room[i] : NULL);
	}
}

static void put_ratio(struct shown *to, const struct diff_amount *a)
{
	const char *state = !a->n[DIFF_OLD] ? "new" : !a->n[DIFF_NEW] ? "gone" : NULL;

	to->state = text_of(state);
	to->ratio = NAN;
	if (!state && to->rate[DIFF_OLD] > 0)
		to->ratio = to->rate[DIFF_NEW] / to->rate[DIFF_OLD];
	if (!isnan(to->ratio))
		snprintf(to->ratio_room, sizeof(to->ratio_room), "%.2f", to->ratio);
	to->ratio_text = state ? to->state : text_of(isnan(to->ratio) ? NULL : to->ratio_room);
}

static void put_keys(const struct report *rp, struct shown *to, const struct ranked *k)
{
	const char *at = k->key, *end = at + k->size;
	struct diff_part part;

	if (k->size == 1 && rp->n_keys)
		to->keys[0] = text_of("[others]");
	while (diff_part_next(&at, end, &part))
		for (unsigned int i = 0; i < rp->n_keys; i++)
			if (rp->keys[i] == part.member && !part.null)
				to->keys[i] = (struct text){ .s = part.s,
							     .length = (uint32_t)part.n,
							     .is_number = part.number };
}

static void put_row(const struct report *rp, const struct diff_measure *m, const struct ranked *k)
{
	struct shown row = { .measure = text_of(m->name),
			     .unit = text_of(*m->unit ? m->unit : NULL) };

	memcpy(row.rate, k->rate, sizeof(row.rate));
	row.change = change_of(k);
	put_ratio(&row, k->amount);
	put_moves(rp, &row, m, k->amount);
	put_keys(rp, &row, k);
	output_row(rp->output, &row);
}

static void put_title(const struct report *rp, const struct diff_measure *m)
{
	static const char *const what[] = {
		[DIFF_SUM] = " a second", [DIFF_PART] = " a second",
		[DIFF_MEAN] = ", mean of the rows", [DIFF_COUNTS] = ": values a second",
	};
	double total[DIFF_SIDES] = { 0, 0 };
	char all[96] = "";

	for (size_t i = 0; i < rp->n; i++)
		for (unsigned int s = 0; s < DIFF_SIDES; s++)
			total[s] += rp->list[i].rate[s];
	if (m->kind == DIFF_SUM || m->kind == DIFF_COUNTS)
		text_cut(all, sizeof(all), ": %.3f in all, then %.3f", total[DIFF_OLD],
			 total[DIFF_NEW]);
	output_line(rp->output, "%s", "");
	output_line(rp->output, "%s%s%s%s%s%s", m->name, *m->unit ? " (" : "", m->unit,
		    *m->unit ? ")" : "", what[m->kind], all);
}

static int put_table(struct report *rp, unsigned int measure, struct error *err)
{
	const struct diff_measure *m = &rp->reader->table.measures[measure];
	size_t most;

	if (rank(rp, measure, err))
		return -1;
	if (!rp->n)
		return 0;
	most = rp->options->top && rp->options->top < rp->n ? (size_t)rp->options->top : rp->n;
	put_title(rp, m);
	output_heads(rp->output);
	for (size_t i = 0; i < most; i++)
		put_row(rp, m, &rp->list[i]);
	if (most < rp->n)
		output_line(rp->output, "and %zu more with smaller changes (--top)", rp->n - most);
	return 0;
}

int diff_report(FILE *file, const struct diff_options *o,
		const struct diff_file files[DIFF_SIDES], const struct diff_reader *reader,
		struct error *err)
{
	struct report rp = { .options = o, .reader = reader };
	int result;

	for (unsigned int i = 0; i < DIFF_SIDES; i++)
		rp.seconds[i] = files[i].seconds;
	result = make_columns(&rp, file, err);
	if (!result)
		put_heading(&rp, files);
	if (!result && !reader->table.n_measures)
		output_line(rp.output, "%s shows nothing of either", o->tool->name);
	for (unsigned int i = 0; i < reader->table.n_measures && !result; i++)
		result = put_table(&rp, i, err);
	if (!result && output_flush(rp.output) && errno != EPIPE)
		result = fail(err, "can't write the output: %s", sink_error(errno));
	if (rp.output)
		output_free(rp.output);
	free(rp.columns);
	free(rp.list);
	return result;
}
