// SPDX-License-Identifier: GPL-2.0
#include "src/commands/checklist_most.h"

#include <stdlib.h>
#include <string.h>

#include "backends/tracefs/detach.h"
#include "compat/base/array.h"
#include "compat/base/escape.h"
#include "compat/base/scan.h"

#define KINDS_MOST 4096
#define CELLS_MOST 40
#define CELL_WIDTH_MOST 40		/* of a column that others follow */

struct kind {
	char *cells;			/* those of `by`, each with its '\0' */
	size_t size;
	unsigned long rows;
	uint64_t largest;		/* in thousandths */
};

/* ---- lines of CSV ---- */

/* The length of the first line with its '\n', which may be within quotes; 0: it is not complete. */
static size_t line_length(const char *s, size_t n)
{
	bool quoted = false;

	for (size_t i = 0; i < n; i++) {
		quoted ^= s[i] == '"';
		if (s[i] == '\n' && !quoted)
			return i + 1;
	}
	return 0;
}

/* Undoes quotes in place. Returns the end of the cell in the line. */
static char *read_cell(char *at, char **cell)
{
	char *to = at;

	*cell = at;
	if (*at != '"')
		return at + strcspn(at, ",");
	for (at++; *at && (*at != '"' || at[1] == '"'); at++) {
		at += *at == '"';
		*to++ = *at;
	}
	at += *at == '"';
	*to = '\0';
	return at;
}

/* Cuts a line, which ends with '\0', into cells. */
static unsigned int cut(char *line, char *cells[CELLS_MOST])
{
	unsigned int n = 0;

	for (char *at = line, end; n < CELLS_MOST; at++) {
		at = read_cell(at, &cells[n++]);
		end = *at;
		*at = '\0';
		if (end != ',')
			break;
	}
	return n;
}

/* ---- kinds ---- */

static int place_of(char *const cells[], unsigned int n, const char *head, size_t length)
{
	for (unsigned int i = 0; i < n; i++)
		if (strlen(cells[i]) == length && !memcmp(cells[i], head, length))
			return (int)i;
	return -1;
}

static void take_head(struct most *m, char *const cells[], unsigned int n)
{
	const char *at = m->by;

	m->has_head = true;
	m->order_column = m->order ? place_of(cells, n, m->order, strlen(m->order)) : -1;
	for (size_t length; *at && m->n_columns < 8; at += length + (at[length] == ',')) {
		length = strcspn(at, ",");
		m->columns[m->n_columns++] = place_of(cells, n, at, length);
	}
}

static const char *cell(char *const cells[], unsigned int n, int place)
{
	return place < 0 || (unsigned int)place >= n ? "" : cells[place];
}

static struct kind *find(struct most *m, const char *cells, size_t size)
{
	for (unsigned int i = 0; i < m->n; i++)
		if (m->kinds[i].size == size && !memcmp(m->kinds[i].cells, cells, size))
			return &m->kinds[i];
	return NULL;
}

static struct kind *add(struct most *m, const char *cells, size_t size)
{
	struct kind k = { .cells = m->n < KINDS_MOST ? malloc(size) : NULL, .size = size };

	if (!k.cells || array_room(&m->kinds, m->n, sizeof(*m->kinds))) {
		free(k.cells);
		return NULL;
	}
	memcpy(k.cells, cells, size);
	m->kinds[m->n] = k;
	return &m->kinds[m->n++];
}

/* What the tools of the checklist do themselves is nobody's answer. */
static bool is_own(const char *comm)
{
	return !strcmp(comm, "sonde") || !strcmp(comm, DETACHER_NAME);
}

/* In thousandths; 0: it is no number. */
static uint64_t number_of(const char *text)
{
	uint64_t value;

	return scan_decimal(&text, 3, UINT64_MAX / 1000, &value) ? value : 0;
}

static void take_row(struct most *m, char *const cells[], unsigned int n)
{
	const uint64_t value = number_of(cell(cells, n, m->order_column));
	char key[2048];
	size_t size = 0;
	struct kind *k;

	if (is_own(cell(cells, n, m->columns[0])))
		return;
	for (unsigned int i = 0; i < m->n_columns; i++) {
		const char *s = cell(cells, n, m->columns[i]);
		const size_t length = strnlen(s, sizeof(key) / 8 - 1);

		memcpy(key + size, s, length);
		key[size + length] = '\0';
		size += length + 1;
	}
	m->rows++;
	k = find(m, key, size);
	if (!k)
		k = add(m, key, size);
	if (!k) {
		m->left_out++;
		return;
	}
	k->rows++;
	k->largest = value > k->largest ? value : k->largest;
}

void most_take(struct written *text, void *most)
{
	struct most *m = most;
	char *cells[CELLS_MOST], *at = text->s;
	size_t left = text->n, length;

	for (; (length = line_length(at, left)); at += length, left -= length) {
		unsigned int n;

		at[length - 1] = '\0';
		n = cut(at, cells);
		if (m->has_head)
			take_row(m, cells, n);
		else
			take_head(m, cells, n);
	}
	memmove(text->s, at, left);
	text->n = left;
}

/* ---- printing ---- */

static int by_rows(const void *a, const void *b)
{
	const struct kind *one = a, *other = b;

	return one->rows < other->rows ? 1 : one->rows > other->rows ? -1 : 0;
}

static int by_value(const void *a, const void *b)
{
	const struct kind *one = a, *other = b;

	return one->largest < other->largest ? 1 : one->largest > other->largest ? -1 :
	       by_rows(a, b);
}

/* The widths of the columns of the first kinds and of their heads. */
static void measure(const struct most *m, unsigned int lines, int widths[8])
{
	const char *head = m->by;

	for (unsigned int c = 0; c < m->n_columns; c++) {
		const size_t n = strcspn(head, ",");

		widths[c] = (int)n;
		head += n + (head[n] == ',');
	}
	for (unsigned int i = 0; i < m->n && i < lines; i++) {
		const char *s = m->kinds[i].cells;

		for (unsigned int c = 0; c < m->n_columns; c++, s += strlen(s) + 1)
			if ((int)strlen(s) > widths[c])
				widths[c] = (int)strlen(s);
	}
	for (unsigned int c = 0; c < m->n_columns; c++)
		if (widths[c] > CELL_WIDTH_MOST)
			widths[c] = CELL_WIDTH_MOST;
}

static void print_head(const struct most *m, FILE *out, const int widths[8])
{
	const char *head = m->by;

	fputs("   TIMES", out);
	if (m->order)
		fprintf(out, " %12s", m->order);
	for (unsigned int c = 0; c < m->n_columns; c++) {
		const int n = (int)strcspn(head, ",");

		fprintf(out, " %.*s%*s", n, head, c + 1 < m->n_columns ? widths[c] - n : 0, "");
		head += n + (head[n] == ',');
	}
	fputc('\n', out);
}

static void print_kind(const struct most *m, const struct kind *k, FILE *out, const int widths[8])
{
	const char *s = k->cells;

	fprintf(out, "%8lu", k->rows);
	if (m->order)
		fprintf(out, " %8llu.%03u", (unsigned long long)(k->largest / 1000),
			(unsigned int)(k->largest % 1000));
	for (unsigned int c = 0; c < m->n_columns; c++, s += strlen(s) + 1) {
		const int left = widths[c] - (int)strlen(s);

		fputc(' ', out);
		escape_text(out, s, strlen(s));
		if (c + 1 < m->n_columns && left > 0)
			fprintf(out, "%*s", left, "");
	}
	fputc('\n', out);
}

bool most_print(struct most *m, FILE *out, unsigned int lines)
{
	int widths[8];

	if (!m->n)
		return false;
	qsort(m->kinds, m->n, sizeof(*m->kinds), m->order ? by_value : by_rows);
	measure(m, lines, widths);
	print_head(m, out, widths);
	for (unsigned int i = 0; i < m->n && i < lines; i++)
		print_kind(m, &m->kinds[i], out, widths);
	if (m->n > lines)
		fprintf(out, "[... %u more kinds of %lu lines]\n", m->n - lines, m->rows);
	if (m->left_out)
		fprintf(out, "[%lu lines were of still other kinds, which are not counted here]\n",
			m->left_out);
	return true;
}

void most_free(struct most *m)
{
	for (unsigned int i = 0; i < m->n; i++)
		free(m->kinds[i].cells);
	free(m->kinds);
	m->kinds = NULL;
	m->n = 0;
}
