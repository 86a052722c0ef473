// SPDX-License-Identifier: GPL-2.0
#include "src/bt/show/table.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "insns/combine.h"

struct bt_table *bt_table_new(const struct bt_map *m)
{
	struct bt_table *t = calloc(1, sizeof(*t));

	if (t) {
		t->map = m;
		t->key_size = bt_whole_key_size(m);
		t->sorted = true;
	}
	return t;
}

void bt_table_clear(struct bt_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->rows[i].key);
	t->n = 0;
	t->sorted = true;
}

void bt_table_free(struct bt_table *t)
{
	if (!t)
		return;
	bt_table_clear(t);
	free(t->last);
	free(t->rows);
	free(t);
}

/* Of two intervals the newer one stays; two values of one become one. */
static void add_point(const struct bt_map *m, struct bt_point *to, const struct bt_point *from)
{
	const bool less = bt_is_signed(&m->value) ? (int64_t)from->value < (int64_t)to->value :
			  from->value < to->value;

	if (from->epoch != to->epoch) {
		if (from->epoch > to->epoch)
			*to = *from;
		return;
	}
	if (m->series.way == BT_SERIES_SUM || m->series.way == BT_SERIES_AVG)
		to->value += from->value;
	else if (m->series.way == BT_LAST ? from->time > to->time :
		 !to->count || less == (m->series.way == BT_SERIES_MIN))
		to->value = from->value;
	to->time = from->time > to->time ? from->time : to->time;
	to->count += from->count;
}

void bt_amount_add(const struct bt_map *m, union bt_amount *to, const union bt_amount *from)
{
	if (m->kind == BT_SERIES)
		add_point(m, &to->point, &from->point);
	else if (bt_is_sums(m->kind) && !to->sums.count)
		*to = *from;		/* of no value there is no smallest and no largest one */
	else if (!bt_is_sums(m->kind) || from->sums.count)
		map_combine(&m->row, to, from);
}

/* ---- rows ---- */

static int by_key(const void *a, const void *b, void *size)
{
	return memcmp(((const struct bt_row *)a)->key, ((const struct bt_row *)b)->key,
		      *(const unsigned int *)size);
}

void bt_table_join(struct bt_table *t)
{
	size_t n = 0;

	if (t->sorted || !t->n)
		return;
	qsort_r(t->rows, t->n, sizeof(*t->rows), by_key, &t->key_size);
	for (size_t i = 1; i < t->n; i++) {
		if (by_key(&t->rows[n], &t->rows[i], &t->key_size)) {
			t->rows[++n] = t->rows[i];
			continue;
		}
		bt_amount_add(t->map, &t->rows[n].amount, &t->rows[i].amount);
		free(t->rows[i].key);
	}
	t->n = n + 1;
	t->sorted = true;
}

/* The first row that is not before the key. */
static size_t place_of(const struct bt_table *t, const uint8_t *key)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (memcmp(t->rows[middle].key, key, t->key_size) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct bt_row *bt_table_find(struct bt_table *t, const uint8_t *key)
{
	size_t i;

	bt_table_join(t);
	i = place_of(t, key);
	return i < t->n && !memcmp(t->rows[i].key, key, t->key_size) ? &t->rows[i] : NULL;
}

static struct bt_row *append(struct bt_table *t, const uint8_t *key)
{
	const unsigned int text = bt_text_size(t->map);
	uint8_t *copy = calloc(1, t->key_size + text);

	if (!copy || array_room(&t->rows, t->n, sizeof(*t->rows))) {
		free(copy);
		t->failed = true;
		return NULL;
	}
	memcpy(copy, key, t->key_size);
	t->rows[t->n] = (struct bt_row){ .key = copy };
	if (text)
		t->rows[t->n].text = (char *)copy + t->key_size;
	return &t->rows[t->n++];
}

struct bt_row *bt_table_row(struct bt_table *t, const uint8_t *key)
{
	struct bt_row *row = bt_table_find(t, key), new;
	size_t i;

	if (row)
		return row;
	i = place_of(t, key);
	row = append(t, key);
	if (!row)
		return NULL;
	new = *row;
	memmove(&t->rows[i + 1], &t->rows[i], (t->n - 1 - i) * sizeof(*t->rows));
	t->rows[i] = new;
	return &t->rows[i];
}

void bt_table_delete(struct bt_table *t, const uint8_t *key)
{
	struct bt_row *row = bt_table_find(t, key);
	size_t i;

	if (!row)
		return;
	i = (size_t)(row - t->rows);
	free(row->key);
	memmove(row, row + 1, (t->n - 1 - i) * sizeof(*row));
	t->n--;
}

void bt_table_zero(struct bt_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		t->rows[i].amount = (union bt_amount){ };
		if (t->rows[i].text)
			memset(t->rows[i].text, 0, bt_text_size(t->map));
	}
}

/* ---- taking ---- */

/* Nothing behind a text's end tells two keys apart; nor who added, nor a probe's second number. */
static void clean(const struct bt *b, const struct bt_map *m, uint8_t *key)
{
	memset(key, 0, bt_key_offset(m, 0));
	for (unsigned int i = 0; i < m->n_keys; i++) {
		uint8_t *part = key + bt_key_offset(m, i);
		const size_t size = m->keys[i].size;
		uint64_t number;
		size_t n;

		if (m->keys[i].kind == BT_TEXT && !m->keys[i].text.block) {
			n = strnlen((char *)part, size);
			memset(part + n, 0, size - n);
			continue;
		}
		memcpy(&number, part, sizeof(number));
		number -= m->keys[i].kind == BT_FUNCTION ? BT_FUNCTIONS : 0;
		if ((m->keys[i].kind != BT_PROBE && m->keys[i].kind != BT_FUNCTION) ||
		    number >= b->n_names)
			continue;
		number = m->keys[i].kind == BT_PROBE ? b->names[number].same_probe :
			 BT_FUNCTIONS + b->names[number].same_function;
		memcpy(part, &number, sizeof(number));
	}
}

/* The slot of a histogram comes behind the parts; in an array it is the key. */
static const void *with_slot(const struct bt_map *m, const void *key, uint8_t *whole)
{
	const unsigned int size = bt_key_size(m);
	const uint32_t *head = key;
	const uint64_t slot = head[m->is_array ? 0 : BT_SLOT / sizeof(*head)];

	if (m->is_array)
		memset(whole, 0, size);
	else
		memcpy(whole, key, size);
	memcpy(whole + size, &slot, sizeof(slot));
	return whole;
}

void bt_table_take(void *taking, const void *key, const void *value)
{
	const struct bt_taking *of = taking;
	struct bt_table *t = of->table;
	const bool moves = bt_has_slots(t->map) && t->map->kind != BT_SERIES;
	uint32_t whole[FRAME_BYTES / sizeof(uint32_t)];
	struct bt_row *row = append(t, moves || t->map->is_array ?
				    with_slot(t->map, key, (uint8_t *)whole) : key);

	if (!row)
		return;
	t->sorted = false;
	clean(of->bt, t->map, row->key);
	if (bt_is_sums(t->map->kind))
		memcpy(&row->amount.sums, value, sizeof(row->amount.sums));
	else if (t->map->kind == BT_SERIES)
		memcpy(&row->amount.point, value, sizeof(row->amount.point));
	else
		memcpy(&row->amount.number, value, sizeof(row->amount.number));
	if (row->text)
		memcpy(row->text, (const char *)value + sizeof(struct bt_cell),
		       bt_text_size(t->map));
}
