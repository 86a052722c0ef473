// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/readers/table.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/text.h"
#include "compat/user/guard.h"

/* Symbols may lie within others: so many symbols are tried, from the nearest one down. */
#define NESTED 16
#define SIZE_LARGEST INT32_MAX

void table_free(struct table *t)
{
	free(t->symbols);
	free(t->names);
	memset(t, 0, sizeof(*t));
}

size_t table_bytes(const struct table *t)
{
	return t->n * sizeof(*t->symbols) + t->names_size;
}

/*
 * Compilers begin functions at multiples of this, and calls seldom end there. So at the end of a
 * symbol without a size, the return address is likely the next function's own address. Symbols
 * without a size are written in assembler, such as musl's _start: it may end with a call, but
 * rarely at such a multiple.
 */
#define FUNCTION_STEP 16

static bool is_padding(const struct table_symbol *s, uint64_t place)
{
	return s->unsized && place + 1 - s->at == s->size && (place + 1) % FUNCTION_STEP == 0;
}

bool table_find(const struct table *t, uint64_t place, bool caller, const char **name,
		uint64_t *offset)
{
	uint32_t low = 0, high = t->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (t->symbols[middle].at <= place)
			low = middle + 1;
		else
			high = middle;
	}
	for (uint32_t i = low; i > 0 && low - i < NESTED; i--) {
		const struct table_symbol *s = &t->symbols[i - 1];

		if (place - s->at < s->size && !(caller && is_padding(s, place))) {
			*name = t->names + s->name;
			*offset = place - s->at;
			return true;
		}
	}
	return false;
}

/* ---- making a table ---- */

struct table_row {
	struct table_symbol symbol;
	uint32_t length;
	uint16_t underscores;
	uint8_t rank;
};

void table_maker_free(struct table_maker *m)
{
	free(m->nearest);
	free(m->rows);
	free(m->names);
	memset(m, 0, sizeof(*m));
}

static bool room(struct table_maker *m, size_t length)
{
	const size_t want = m->names_size + length + 1;
	size_t size = m->names_room ? m->names_room : 16384;
	char *grown;

	if (m->n == TABLE_SYMBOLS_MOST || want > TABLE_NAMES_MOST ||
	    array_room(&m->rows, m->n, sizeof(*m->rows)))
		return false;
	if (want <= m->names_room)
		return true;
	while (size < want)
		size *= 2;
	grown = realloc(m->names, size);
	if (!grown)
		return false;
	m->names = grown;
	m->names_room = size;
	return true;
}

int table_want(struct table_maker *m, const uint64_t *places, size_t n)
{
	if (!places || !n)
		return 0;
	m->nearest = calloc(n, sizeof(*m->nearest));
	if (!m->nearest)
		return -1;
	m->wanted = places;
	m->n_wanted = n;
	return 0;
}

/* The index of the first wanted place from `place` on. */
static size_t first_from(const struct table_maker *m, uint64_t place)
{
	size_t low = 0, high = m->n_wanted;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->wanted[middle] < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool table_wants(const struct table_maker *m, uint64_t from, uint64_t size)
{
	size_t at = first_from(m, from);

	return !m->wanted || (at < m->n_wanted && m->wanted[at] - from < size);
}

/*
 * A wanted place needs the symbols that it is in, and the nearest symbol before it, which ends any
 * symbol without a size. It also needs a symbol that begins right behind it (is_padding()).
 */
bool table_takes(struct table_maker *m, uint64_t at, uint64_t size)
{
	size_t first;

	if (!m->wanted)
		return true;
	first = first_from(m, at);
	if (first && m->wanted[first - 1] + 1 == at)
		return true;
	if (first == m->n_wanted)
		return false;
	if (at >= m->nearest[first]) {
		m->nearest[first] = at;
		return true;
	}
	return m->wanted[first] - at < size;
}

void table_add(struct table_maker *m, uint64_t at, uint64_t size, unsigned int rank,
	       const char *name, size_t length)
{
	struct table_row *r;
	size_t underscores = 0;

	length = length < TABLE_NAME_MOST ? length : TABLE_NAME_MOST;
	if (!length || !size || !table_takes(m, at, size))
		return;
	if (!room(m, length)) {
		m->full = true;
		return;
	}
	while (underscores < length && name[underscores] == '_')
		underscores++;
	r = &m->rows[m->n++];
	*r = (struct table_row){
		.symbol = { .at = at, .size = size < SIZE_LARGEST ? size : SIZE_LARGEST,
			    .unsized = rank & TABLE_UNSIZED, .name = (uint32_t)m->names_size },
		.length = (uint32_t)length, .rank = (uint8_t)rank,
		.underscores = (uint16_t)underscores,
	};
	memcpy(m->names + m->names_size, name, length);
	m->names[m->names_size + length] = '\0';
	m->names_size += length + 1;
}

static int by_place(const void *a, const void *b, void *names)
{
	const struct table_row *x = a, *y = b;

	if (x->symbol.at != y->symbol.at)
		return x->symbol.at < y->symbol.at ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->underscores != y->underscores)
		return x->underscores < y->underscores ? -1 : 1;
	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return strcmp((char *)names + x->symbol.name, (char *)names + y->symbol.name);
}

/*
 * Keeps one symbol for each place, with the names in the same order. A symbol without a size ends
 * where the next symbol begins.
 */
static bool make(struct table_maker *m, struct table *t)
{
	size_t bytes = 0;
	uint32_t n = 0;

	if (m->n)
		qsort_r(m->rows, m->n, sizeof(*m->rows), by_place, m->names);
	for (uint32_t i = 0; i < m->n; i++) {
		if (n && m->rows[n - 1].symbol.at == m->rows[i].symbol.at)
			continue;
		m->rows[n++] = m->rows[i];
		bytes += m->rows[i].length + 1;
	}
	*t = (struct table){
		.n = n, .names_size = (uint32_t)bytes,
		.symbols = malloc(n * sizeof(*t->symbols) + 1), .names = malloc(bytes + 1),
	};
	if (!t->symbols || !t->names)
		return false;
	bytes = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct table_row *r = &m->rows[i];
		struct table_symbol *s = &t->symbols[i];

		*s = r->symbol;
		s->name = (uint32_t)bytes;
		if ((r->rank & TABLE_UNSIZED) && i + 1 < n && r[1].symbol.at - s->at < s->size)
			s->size = (r[1].symbol.at - s->at) & SIZE_LARGEST;
		memcpy(t->names + bytes, m->names + r->symbol.name, r->length + 1);
		bytes += r->length + 1;
	}
	return true;
}

struct table_head {
	uint32_t n, names_size;
	int number;			/* of struct error */
	char why[TABLE_WHY];
};

static bool send_bytes(int to, const char *bytes, size_t n)
{
	for (size_t part; n; bytes += part, n -= part) {
		part = n < GUARD_MESSAGE ? n : GUARD_MESSAGE;
		if (!guard_send(to, bytes, part, -1))
			return false;
	}
	return true;
}

bool table_send(struct table_maker *m, int to, const struct error *why)
{
	struct table t = { };
	bool sent = make(m, &t);
	struct table_head head = { t.n, t.names_size, why->number };

	text_cut(head.why, sizeof(head.why), "%.*s", TABLE_WHY - 1, m->full && !*why->text ?
		 "it has too many symbols" : why->text);
	table_maker_free(m);
	sent = sent && guard_send(to, &head, sizeof(head), -1) &&
		send_bytes(to, (const char *)t.symbols, t.n * sizeof(*t.symbols)) &&
		send_bytes(to, t.names, t.names_size);
	table_free(&t);
	return sent;
}

/* ---- receiving a table ---- */

static void begin(struct table_taker *t, const void *message, size_t size)
{
	struct table_head head;

	t->begun = true;
	t->broken = true;
	if (size != sizeof(head))
		return;
	memcpy(&head, message, sizeof(head));
	fail_with(&t->why, head.number, "%.*s", TABLE_WHY - 1, head.why);
	if (head.n > TABLE_SYMBOLS_MOST || head.names_size > TABLE_NAMES_MOST)
		return;
	t->table = (struct table){
		.n = head.n, .names_size = head.names_size,
		.symbols = malloc(head.n * sizeof(*t->table.symbols) + 1),
		.names = malloc(head.names_size + 1),
	};
	t->broken = !t->table.symbols || !t->table.names;
}

void table_take(struct table_taker *t, const void *message, size_t size)
{
	const size_t symbols = t->table.n * sizeof(*t->table.symbols);

	if (!t->begun) {
		begin(t, message, size);
		return;
	}
	if (t->broken)
		return;
	if (t->got < symbols && size <= symbols - t->got) {
		memcpy((char *)t->table.symbols + t->got, message, size);
	} else if (t->got >= symbols && size <= symbols + t->table.names_size - t->got) {
		memcpy(t->table.names + (t->got - symbols), message, size);
	} else {
		t->broken = true;
		return;
	}
	t->got += size;
}

/* The process that made the table may have read a hostile file, so its contents are checked. */
static bool is_right(const struct table *t)
{
	if (!t->n)
		return true;
	if (!t->names_size || t->names[t->names_size - 1])
		return false;
	for (uint32_t i = 0; i < t->n; i++)
		if (t->symbols[i].name >= t->names_size)
			return false;
	return true;
}

bool table_taken(struct table_taker *t, struct table *table)
{
	if (t->begun && !t->broken && t->got == table_bytes(&t->table) && is_right(&t->table)) {
		*table = t->table;
		return true;
	}
	table_free(&t->table);
	return false;
}
