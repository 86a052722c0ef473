// SPDX-License-Identifier: GPL-2.0
#include "src/bt/show/show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/bt/show/shown.h"
#include "src/lib/output/records.h"

/* ---- texts ---- */

static struct text text_in(const char *s, size_t n)
{
	return (struct text){ .s = s, .length = (uint32_t)n };
}

static struct text word(const char *s)
{
	return text_in(s, strlen(s));
}

/* {"type": "printf", "data": "text"}; what is JSON already has no quotes. */
static void show_json(struct output *o, const char *type, const char *s, size_t n, bool is_json)
{
	char *line = NULL;
	size_t size;
	FILE *to = open_memstream(&line, &size);

	if (!to)
		return;
	fprintf(to, "{\"type\": \"%s\", \"data\": ", type);
	if (is_json)
		fwrite(s, 1, n, to);
	else
		escape_json(to, s, n);
	fputs("}\n", to);
	if (!fclose(to))
		output_picture(o, line, size);
	free(line);
}

void bt_show_text(struct output *o, const struct bt *b, const char *type, const char *s, size_t n)
{
	const struct bt_line line = {
		.type = word(type), .text = text_in(s, n),
		.low = NOTHING, .high = NOTHING, .count = NOTHING,
	};

	if (b->json)
		show_json(o, type, s, n, false);
	else if (output_for_people(o))
		output_picture(o, s, n);
	else
		output_row(o, &line);
}

/* Writes a number. */
static void number(FILE *to, const struct bt_shape *shape, uint64_t bits)
{
	fprintf(to, shape->is_pointer ? "0x%" PRIx64 : shape->is_signed ? "%" PRId64 : "%" PRIu64,
		bits);
}

struct text bt_kept_text(const char *bytes, const struct bt_shape *shape)
{
	return shape->block ? text_in(bytes, shape->size) :
	       read_text(bytes, shape->size, shape->shown, shape->size);
}

static struct text name_of(const struct bt *b, const struct bt_shown *v)
{
	const struct bt_name *name = v->bits < b->n_names ? &b->names[v->bits] : NULL;

	return word(!name ? "?" : v->shape.kind == BT_PROBE ? name->probe : name->function);
}

/* A value that is no number, as text. */
static struct text shown_text(const struct bt *b, const struct bt_shown *v)
{
	return v->shape.kind == BT_TEXT || v->shape.kind == BT_STACK ? v->text : name_of(b, v);
}

/* Machines escape by themselves, and the script's own texts are printed as they are. */
static void put_text(FILE *to, const struct text *t, bool escape)
{
	if (escape && t->s)
		escape_text(to, t->s, t->length);
	else if (t->s)
		fwrite(t->s, 1, t->length, to);
	if (t->cut)
		fputs("..", to);
}

static void put_shown(FILE *to, const struct bt *b, const struct bt_shown *v, bool people)
{
	char *s = NULL;
	size_t n = 0;
	FILE *text = open_memstream(&s, &n);

	if (!text)
		return;
	bt_put_shown(text, b, &v->shape, v->bits);
	if (!fclose(text))
		put_text(to, &(struct text){ .s = s, .length = (uint32_t)n }, people);
	free(s);
}

static void put_value(FILE *to, const struct bt *b, const struct bt_shown *v, bool people)
{
	struct text t;

	if (v->shape.kind == BT_NUMBER) {
		number(to, &v->shape, v->bits);
		return;
	}
	if (v->shape.kind == BT_SHOWN) {
		put_shown(to, b, v, people);
		return;
	}
	if (v->shape.block) {
		bt_put_block(to, (enum bt_block_kind)v->shape.block, v->text.s);
		return;
	}
	t = shown_text(b, v);
	/* The text of a stack has lines, and its names are escaped. */
	put_text(to, &t, people && v->shape.kind != BT_STACK &&
		 (v->shape.kind != BT_TEXT || v->shape.foreign));
}

static void put_in_brackets(FILE *to, const struct bt *b, const struct bt_shown *v, bool people)
{
	for (unsigned int i = 0; i < v->shape.opens; i++)
		fputc('(', to);
	put_value(to, b, v, people);
	for (unsigned int i = 0; i < v->shape.closes; i++)
		fputc(')', to);
}

/* One value, or the parts of a tuple. */
static void put_values(FILE *to, const struct bt *b, const struct bt_shown *values, unsigned int n,
		       bool people)
{
	for (unsigned int i = 0; i < n; i++) {
		fputs(i ? ", " : "", to);
		put_in_brackets(to, b, &values[i], people);
	}
}

/* %s: a value of any shape, in its width. */
static void put_padded(FILE *to, const struct conversion *c, const struct bt *b,
		       const struct bt_shown *v, bool people)
{
	char *s = NULL;
	size_t n = 0;
	FILE *text = open_memstream(&s, &n);
	int columns;

	if (!text)
		return;
	put_value(text, b, v, people);
	if (fclose(text)) {
		free(s);
		return;
	}
	if (c->precision >= 0 && (size_t)c->precision < n)
		n = (size_t)c->precision;
	columns = (int)escape_width(s, n);
	if (!strchr(c->flags, '-'))
		fprintf(to, "%*s", columns < c->width ? c->width - columns : 0, "");
	fwrite(s, 1, n, to);
	if (strchr(c->flags, '-'))
		fprintf(to, "%*s", columns < c->width ? c->width - columns : 0, "");
	free(s);
}

static void put_format(FILE *to, const struct bt *b, const struct bt_order *order,
		       const struct bt_shown *values, bool people)
{
	const struct format_text *f = &order->format;
	char text[FORMAT_NUMBER];
	size_t from = 0;

	for (unsigned int i = 0; i < f->n; i++) {
		const struct conversion *c = &f->list[i];

		fwrite(f->text + from, 1, c->end - from, to);
		from = c->end;
		if (c->letter == 's')
			put_padded(to, c, b, &values[i], people);
		else
			fwrite(text, 1, (size_t)format_number(c, values[i].bits, text), to);
	}
	fwrite(f->text + from, 1, f->length - from, to);
}

char *bt_order_text(const struct bt *b, const struct bt_order *order,
		    const struct bt_shown *values, bool people, size_t *n)
{
	char *s = NULL;
	FILE *to = open_memstream(&s, n);

	if (!to)
		return NULL;
	put_format(to, b, order, values, people);
	if (!fclose(to))
		return s;
	free(s);
	return NULL;
}

static bool is_json_number(const struct bt_shape *shape)
{
	return shape->kind == BT_NUMBER && !shape->is_pointer;
}

static void json_value(FILE *to, const struct bt *b, const struct bt_shown *v)
{
	char *text = NULL;
	size_t n;
	FILE *value = open_memstream(&text, &n);

	if (!value)
		return;
	put_value(value, b, v, false);
	if (!fclose(value) && is_json_number(&v->shape))
		fwrite(text, 1, n, to);
	else
		escape_json(to, text, n);
	free(text);
}

/* A value, or an array of the parts of a tuple. */
static void json_values(FILE *to, const struct bt *b, const struct bt_shown *values,
			unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		fputs(i ? "," : "", to);
		for (unsigned int j = 0; j < values[i].shape.opens; j++)
			fputc('[', to);
		json_value(to, b, &values[i]);
		for (unsigned int j = 0; j < values[i].shape.closes; j++)
			fputc(']', to);
	}
}

void bt_show_order(struct output *o, const struct bt *b, const struct bt_order *order,
		   const struct bt_shown *values)
{
	const bool people = output_for_people(o) && !b->json, format = order->kind == BT_PRINTF;
	char *s = NULL;
	size_t n = 0;
	FILE *to = open_memstream(&s, &n);

	if (!to)
		return;
	if (format)
		put_format(to, b, order, values, people);
	else if (b->json)
		json_values(to, b, values, order->n);
	else
		put_values(to, b, values, order->n, people);
	if (!format && people)
		fputc('\n', to);
	if (fclose(to))
		n = 0;
	else if (b->json && !format)
		show_json(o, "value", s, n, true);
	else
		bt_show_text(o, b, format ? "printf" : "value", s, n);
	free(s);
}

/* ---- maps ---- */

/* Entries that are shown together: one row, or the rows of one histogram. */
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
	struct group *groups;
	size_t n;
};

static bool is_hist(const struct bt_map *m)
{
	return m->kind == BT_HIST || m->kind == BT_LHIST;
}

/* Values that are no numbers are not sorted by. */
static bool has_numbers(const struct bt_map *m)
{
	return m->kind != BT_VALUES || m->value.kind == BT_NUMBER;
}

static uint64_t divided(const struct map_show *s, uint64_t n)
{
	if (s->divisor <= 1 || !has_numbers(s->m))
		return n;
	return s->m->value.is_signed ? (uint64_t)((int64_t)n / (int64_t)s->divisor) :
	       n / s->divisor;
}

static uint64_t total_of(const struct argdist_sums *s)
{
	return s->low + (s->high << 32);
}

static uint64_t average_of(const struct bt_map *m, const struct argdist_sums *s)
{
	if (!s->count)
		return 0;
	return m->value.is_signed ? (uint64_t)((int64_t)total_of(s) / (int64_t)s->count) :
	       total_of(s) / s->count;
}

uint64_t bt_number_of(const struct bt_map *m, const union bt_amount *a)
{
	switch (m->kind) {
	case BT_SUM:
		return total_of(&a->sums);
	case BT_MIN:
		return a->sums.min;
	case BT_MAX:
		return a->sums.max;
	case BT_AVG:
	case BT_STATS:
		return average_of(m, &a->sums);
	default:
		return a->number;
	}
}

static struct bt_shown part_of(const struct bt_map *m, const uint8_t *key, unsigned int i)
{
	struct bt_shown v = { .shape = m->keys[i] };
	const char *at = (const char *)key + bt_key_offset(m, i);

	memcpy(&v.bits, at, sizeof(v.bits));
	if (v.shape.kind == BT_TEXT)
		v.text = bt_kept_text(at, &v.shape);
	if (v.shape.kind == BT_STACK)
		v.text = word((const char *)(uintptr_t)v.bits);
	return v;
}

static struct bt_shown value_of(const struct map_show *s, const struct bt_row *row)
{
	struct bt_shown v = { .shape = s->m->value, .bits = divided(s, row->amount.number) };

	if (v.shape.kind == BT_TEXT)
		v.text = bt_kept_text(row->text, &v.shape);
	return v;
}

static int compare_numbers(uint64_t a, uint64_t b, bool is_signed)
{
	if (a == b)
		return 0;
	return (is_signed ? (int64_t)a < (int64_t)b : a < b) ? -1 : 1;
}

static int compare_keys(const struct map_show *s, const uint8_t *a, const uint8_t *b)
{
	for (unsigned int i = 0; i < s->m->n_keys; i++) {
		const struct bt_shown x = part_of(s->m, a, i), y = part_of(s->m, b, i);
		struct text t, u;
		int result;

		if (x.shape.kind == BT_NUMBER || x.shape.kind == BT_SHOWN) {
			result = compare_numbers(x.bits, y.bits, x.shape.is_signed);
		} else {
			t = shown_text(s->b, &x);
			u = shown_text(s->b, &y);
			result = memcmp(t.s, u.s, t.length < u.length ? t.length : u.length);
			result = result ? result : (t.length > u.length) - (t.length < u.length);
		}
		if (result)
			return result;
	}
	return 0;
}

static int by_rank(const void *a, const void *b, void *arg)
{
	const struct map_show *s = arg;
	const struct group *x = a, *y = b;
	const bool is_signed = s->m->value.is_signed && !is_hist(s->m);
	const int result = has_numbers(s->m) ? compare_numbers(x->rank, y->rank, is_signed) : 0;

	return result ? result : compare_keys(s, x->rows->key, y->rows->key);
}

/* Rows of one histogram follow each other: they are sorted by key, and the slot is its end. */
static int make_groups(struct map_show *s)
{
	struct bt_table *t = s->m->table;
	const unsigned int key = bt_key_size(s->m);

	bt_table_join(t);
	s->groups = calloc(t->n + 1, sizeof(*s->groups));
	if (!s->groups || t->failed)
		return -1;
	for (size_t i = 0; i < t->n; i++) {
		const struct bt_row *row = &t->rows[i];
		struct group *last = s->n ? &s->groups[s->n - 1] : NULL;

		if (is_hist(s->m) && last && !memcmp(last->rows->key, row->key, key)) {
			last->n++;
			last->rank += row->amount.number;
			continue;
		}
		s->groups[s->n++] = (struct group){ row, 1, bt_number_of(s->m, &row->amount) };
	}
	qsort_r(s->groups, s->n, sizeof(*s->groups), by_rank, s);
	return 0;
}

static void put_key(FILE *to, const struct map_show *s, const uint8_t *key, bool people)
{
	for (unsigned int i = 0; i < s->m->n_keys; i++) {
		const struct bt_shown v = part_of(s->m, key, i);

		fputs(i ? ", " : "", to);
		put_in_brackets(to, s->b, &v, people);
	}
}

static void put_amount(FILE *to, const struct map_show *s, const struct bt_row *row, bool people)
{
	const union bt_amount *a = &row->amount;
	const struct bt_shape shape = { .is_signed = s->m->value.is_signed };
	struct bt_shown value;

	if (s->m->kind == BT_VALUES) {
		value = value_of(s, row);
		put_value(to, s->b, &value, people);
		return;
	}
	if (s->m->kind == BT_STATS) {
		fprintf(to, "{ .count = %" PRIu64 ", .average = ", a->sums.count);
		number(to, &shape, divided(s, average_of(s->m, &a->sums)));
		fputs(", .total = ", to);
		number(to, &shape, divided(s, total_of(&a->sums)));
		fputs(" }", to);
		return;
	}
	number(to, &shape, divided(s, bt_number_of(s->m, a)));
}

static int fill_hist(const struct map_show *s, const struct group *g, struct bt_hist *h)
{
	h->n = bt_hist_rows(s->m);
	h->counts = calloc(h->n, sizeof(*h->counts));
	if (!h->counts)
		return -1;
	for (size_t i = 0; i < g->n; i++) {
		uint64_t slot;

		memcpy(&slot, g->rows[i].key + bt_key_size(s->m), sizeof(slot));
		h->counts[bt_hist_row(s->m, slot)] += g->rows[i].amount.number;
	}
	for (unsigned int i = 0; s->m->kind == BT_HIST && s->divisor > 1 && i < h->n; i++)
		h->counts[i] /= s->divisor;
	return 0;
}

/* For people: a line, or a histogram. */
static int put_group(FILE *to, const struct map_show *s, const struct group *g)
{
	struct bt_hist h;

	fputs(s->m->name, to);
	if (s->m->n_keys) {
		fputc('[', to);
		put_key(to, s, g->rows->key, true);
		fputc(']', to);
	}
	if (!is_hist(s->m)) {
		fputs(": ", to);
		put_amount(to, s, g->rows, true);
		fputc('\n', to);
		return 0;
	}
	fputs(":\n", to);
	if (fill_hist(s, g, &h))
		return -1;
	bt_hist_show(to, s->m, &h);
	free(h.counts);
	return 0;
}

/* For machines: a row, or a row for each row of a histogram that has a count. */
static int put_rows(struct map_show *s, const struct group *g, struct bt_line *line)
{
	struct bt_hist h;

	if (!is_hist(s->m)) {
		line->type = word("map");
		output_row(s->o, line);
		return 0;
	}
	if (fill_hist(s, g, &h))
		return -1;
	line->type = word("hist");
	line->value = (struct text){ };
	for (unsigned int i = 0; i < h.n; i++) {
		if (!h.counts[i])
			continue;
		bt_hist_bounds(s->m, i, &line->low, &line->high);
		line->count = (int64_t)h.counts[i];
		output_row(s->o, line);
	}
	free(h.counts);
	return 0;
}

static int show_group(struct map_show *s, const struct group *g)
{
	const bool people = output_for_people(s->o);
	char *texts[2] = { NULL, NULL };
	size_t sizes[2];
	FILE *key = open_memstream(&texts[0], &sizes[0]),
	     *value = open_memstream(&texts[1], &sizes[1]);
	struct bt_line line = {
		.map = word(s->m->name), .low = NOTHING, .high = NOTHING, .count = NOTHING,
	};
	int result = key && value ? 0 : -1;

	if (key && !people)
		put_key(key, s, g->rows->key, false);
	if (value && people)
		result = put_group(value, s, g);
	else if (value)
		put_amount(value, s, g->rows, false);
	if ((key && fclose(key)) || (value && fclose(value)))
		result = -1;
	if (!result && people)
		output_picture(s->o, texts[1], sizes[1]);
	else if (!result) {
		line.key = s->m->n_keys ? text_in(texts[0], sizes[0]) : (struct text){ };
		line.value = text_in(texts[1], sizes[1]);
		line.value.is_number = s->m->kind != BT_STATS && has_numbers(s->m) &&
				       !s->m->value.is_pointer;
		result = put_rows(s, g, &line);
	}
	free(texts[0]);
	free(texts[1]);
	return result;
}

int bt_sorted_rows(const struct bt *b, const struct bt_map *m, struct bt_row **rows, size_t *n)
{
	struct map_show s = { .b = b, .m = m };
	const size_t key = bt_whole_key_size(m), text = bt_text_size(m);
	int result = make_groups(&s);

	*n = 0;
	*rows = result ? NULL : calloc(s.n + 1, sizeof(**rows));
	for (size_t i = 0; *rows && i < s.n; i++) {
		struct bt_row *row = &(*rows)[*n];

		*row = *s.groups[i].rows;
		row->key = malloc(key + text);
		if (!row->key)
			result = -1;
		if (result)
			break;
		memcpy(row->key, s.groups[i].rows->key, key + text);
		row->text = text ? (char *)row->key + key : NULL;
		++*n;
	}
	free(s.groups);
	return *rows ? result : -1;
}

void bt_rows_free(struct bt_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(rows[i].key);
	free(rows);
}

/* ---- bpftrace's JSON: a line for each map ---- */

static void json_hist(FILE *to, const struct map_show *s, const struct group *g)
{
	const char *between = "";
	unsigned int first = 0, end;
	struct bt_hist h;

	if (fill_hist(s, g, &h))
		return;
	for (end = h.n; end && !h.counts[end - 1];)
		end--;
	while (first < end && !h.counts[first])
		first++;
	fputc('[', to);
	for (unsigned int i = first; i < end; i++, between = ", ") {
		int64_t low, high;

		bt_hist_bounds(s->m, i, &low, &high);
		fprintf(to, "%s{", between);
		if (low != NOTHING)
			fprintf(to, "\"min\": %" PRId64 ", ", low);
		if (high != NOTHING)
			fprintf(to, "\"max\": %" PRId64 ", ", high);
		fprintf(to, "\"count\": %" PRIu64 "}", h.counts[i]);
	}
	fputc(']', to);
	free(h.counts);
}

static void json_key(FILE *to, const struct map_show *s, const uint8_t *key)
{
	char *text = NULL;
	size_t n;
	FILE *all = open_memstream(&text, &n);

	for (unsigned int i = 0; all && i < s->m->n_keys; i++) {
		const struct bt_shown v = part_of(s->m, key, i);

		fputs(i ? "," : "", all);
		put_value(all, s->b, &v, false);
	}
	if (all && !fclose(all))
		escape_json(to, text, n);
	free(text);
}

static void json_amount(FILE *to, const struct map_show *s, const struct group *g)
{
	const struct bt_shape shape = { .is_signed = s->m->value.is_signed };
	const union bt_amount *a = &g->rows->amount;
	char *text = NULL;
	size_t n;
	FILE *value;

	if (is_hist(s->m)) {
		json_hist(to, s, g);
		return;
	}
	if (s->m->kind == BT_STATS) {
		fprintf(to, "{\"count\": %" PRIu64 ", \"average\": ", a->sums.count);
		number(to, &shape, divided(s, average_of(s->m, &a->sums)));
		fputs(", \"total\": ", to);
		number(to, &shape, divided(s, total_of(&a->sums)));
		fputc('}', to);
		return;
	}
	value = open_memstream(&text, &n);
	if (value)
		put_amount(value, s, g->rows, false);
	if (value && !fclose(value) && (s->m->kind != BT_VALUES ||
					is_json_number(&s->m->value)))
		fwrite(text, 1, n, to);
	else if (value)
		escape_json(to, text, n);
	free(text);
}

static int json_map(const struct map_show *s, size_t from)
{
	const char *type = is_hist(s->m) ? "hist" : s->m->kind == BT_STATS ||
			   s->m->kind == BT_AVG ? "stats" : "map";
	char *line = NULL;
	size_t size;
	FILE *to = s->n ? open_memstream(&line, &size) : NULL;

	if (!to)
		return s->n ? -1 : 0;
	fprintf(to, "{\"type\": \"%s\", \"data\": {\"%s\": %s", type, s->m->name,
		s->m->n_keys ? "{" : "");
	for (size_t i = from; i < s->n; i++) {
		fputs(i > from ? ", " : "", to);
		if (s->m->n_keys) {
			json_key(to, s, s->groups[i].rows->key);
			fputs(": ", to);
		}
		json_amount(to, s, &s->groups[i]);
	}
	fprintf(to, "%s}}\n", s->m->n_keys ? "}" : "");
	if (!fclose(to))
		output_picture(s->o, line, size);
	free(line);
	return 0;
}

int bt_show_map(struct output *o, const struct bt *b, const struct bt_map *m, uint64_t top,
		uint64_t divisor)
{
	struct map_show s = { .o = o, .b = b, .m = m, .divisor = divisor };
	int result = make_groups(&s);
	const size_t from = top && top < s.n ? s.n - top : 0;

	if (!result && b->json)
		result = json_map(&s, from);
	for (size_t i = from; !result && !b->json && i < s.n; i++)
		result = show_group(&s, &s.groups[i]);
	free(s.groups);
	return result;
}
