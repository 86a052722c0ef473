// SPDX-License-Identifier: GPL-2.0
/* Columns and cells of heat maps, and how they are bounded. */
#include "src/lib/output/heatmap.h"

#include <stdlib.h>
#include <string.h>

struct heatmap *heatmap_new(const char *tool, unsigned int limit, bool merges)
{
	struct heatmap *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->tool = tool;
	m->limit = limit;
	m->merges = merges;
	m->span = m->filled = 1;
	m->columns = calloc(limit, sizeof(*m->columns));
	if (!m->columns) {
		free(m);
		return NULL;
	}
	return m;
}

void heatmap_free(struct heatmap *m)
{
	if (!m)
		return;
	for (unsigned int i = 0; i < m->n_groups; i++) {
		for (unsigned int c = 0; c <= m->limit; c++)
			free(m->groups[i].cells[c].counts);
		free(m->groups[i].cells);
		free(m->groups[i].name);
		free(m->groups[i].unit);
	}
	free(m->columns);
	free(m);
}

static void cells_clear(struct heatmap_cells *c)
{
	free(c->counts);
	memset(c, 0, sizeof(*c));
}

/* Makes room for the slots from first to last. */
static bool cells_widen(struct heatmap_cells *c, unsigned int first, unsigned int last)
{
	uint64_t *counts;

	if (c->n) {
		if (first >= c->first && last < c->first + c->n)
			return true;
		first = first < c->first ? first : c->first;
		last = last > c->first + c->n - 1 ? last : c->first + c->n - 1;
	}
	counts = calloc(last - first + 1, sizeof(*counts));
	if (!counts)
		return false;
	if (c->n)
		memcpy(counts + (c->first - first), c->counts, c->n * sizeof(*counts));
	free(c->counts);
	c->counts = counts;
	c->first = first;
	c->n = last - first + 1;
	return true;
}

/* Adds slots from first to last. */
static bool cells_add(struct heatmap_cells *c, unsigned int first, unsigned int last,
		      const uint64_t *counts)
{
	if (!cells_widen(c, first, last))
		return false;
	for (unsigned int slot = first; slot <= last; slot++) {
		c->counts[slot - c->first] += counts[slot - first];
		c->total += counts[slot - first];
	}
	return true;
}

static char *group_name(const struct hist_section *section)
{
	char *name = NULL;
	size_t size;
	FILE *file = open_memstream(&name, &size);

	if (!file)
		return NULL;
	if (section && section->name) {
		fprintf(file, "%s = ", section->name);
		if (section->value.s)
			escape_text(file, section->value.s, section->value.length);
		else
			fputc('-', file);
		if (section->value.cut)
			fputs("...", file);
	}
	if (fclose(file)) {
		free(name);
		return NULL;
	}
	return name;
}

/* Takes the name, whether or not it succeeds. */
static struct heatmap_group *new_group(struct heatmap *m, const char *unit, char *name)
{
	struct heatmap_group *g = &m->groups[m->n_groups];

	g->unit = strdup(unit);
	g->cells = calloc(m->limit + 1, sizeof(*g->cells));
	g->name = name;
	if (!g->unit || !g->cells || !name) {
		free(g->unit);
		free(g->cells);
		free(name);
		return NULL;
	}
	m->n_groups++;
	return g;
}

static struct heatmap_group *find_group(struct heatmap *m, const char *unit,
					const struct hist_section *section)
{
	char *name = group_name(section);

	if (!name)
		return NULL;
	for (unsigned int i = 0; i < m->n_groups; i++)
		if (!strcmp(m->groups[i].name, name) && !strcmp(m->groups[i].unit, unit)) {
			free(name);
			return &m->groups[i];
		}
	if (m->n_groups < HEATMAP_GROUPS)
		return new_group(m, unit, name);
	free(name);
	if (m->n_groups == HEATMAP_GROUPS)
		return new_group(m, unit, strdup("all others"));
	/* What is counted in other units can't be added to them. */
	return strcmp(m->groups[HEATMAP_GROUPS].unit, unit) ? NULL : &m->groups[HEATMAP_GROUPS];
}

void heatmap_add(struct heatmap *m, const char *unit, const struct hist_section *section,
		 const struct hist *h)
{
	unsigned int first = 0, last = HIST_SLOTS;
	struct heatmap_group *g;

	while (first < HIST_SLOTS && !h->slots[first])
		first++;
	if (first == HIST_SLOTS)
		return;
	while (!h->slots[last - 1])
		last--;
	g = find_group(m, unit, section);
	if (!g || !cells_add(&g->cells[m->limit], first, last - 1, h->slots + first))
		m->failed = true;
}

/* The column behind becomes part of this one. */
static void merge_into(struct heatmap *m, unsigned int to, unsigned int from)
{
	m->columns[to].end = m->columns[from].end;
	m->columns[to].lost += m->columns[from].lost;
	for (unsigned int i = 0; i < m->n_groups; i++) {
		struct heatmap_cells *c = &m->groups[i].cells[from];

		if (c->n && !cells_add(&m->groups[i].cells[to], c->first, c->first + c->n - 1,
				       c->counts))
			m->failed = true;
		cells_clear(c);
	}
}

static void move(struct heatmap *m, unsigned int to, unsigned int from)
{
	if (to == from)
		return;
	m->columns[to] = m->columns[from];
	for (unsigned int i = 0; i < m->n_groups; i++) {
		struct heatmap_cells *cells = m->groups[i].cells;

		cells_clear(&cells[to]);
		cells[to] = cells[from];
		memset(&cells[from], 0, sizeof(cells[from]));
	}
}

static void make_room(struct heatmap *m)
{
	if (!m->merges) {
		for (unsigned int c = 1; c < m->n_columns; c++)
			move(m, c - 1, c);
		m->n_columns--;
		m->dropped++;
		return;
	}
	for (unsigned int c = 0; c < m->n_columns; c += 2) {
		merge_into(m, c, c + 1);
		move(m, c / 2, c);
	}
	m->n_columns /= 2;
	m->span *= 2;
	m->filled = m->span;
}

void heatmap_end_column(struct heatmap *m, const struct heatmap_column *column)
{
	unsigned int open = m->limit, to;

	m->lost += column->lost;
	for (unsigned int i = 0; i < m->n_groups; i++)
		m->total += m->groups[i].cells[open].total;
	if (m->n_columns && m->filled < m->span) {
		to = m->n_columns - 1;
		m->columns[to].end = column->end;
		m->columns[to].lost += column->lost;
		for (unsigned int i = 0; i < m->n_groups; i++) {
			struct heatmap_cells *c = &m->groups[i].cells[open];

			if (c->n && !cells_add(&m->groups[i].cells[to], c->first,
					       c->first + c->n - 1, c->counts))
				m->failed = true;
			cells_clear(c);
		}
		m->filled++;
		return;
	}
	if (m->n_columns == m->limit)
		make_room(m);
	to = m->n_columns++;
	m->columns[to] = *column;
	m->filled = 1;
	for (unsigned int i = 0; i < m->n_groups; i++) {
		struct heatmap_cells *cells = m->groups[i].cells;

		cells_clear(&cells[to]);
		cells[to] = cells[open];
		memset(&cells[open], 0, sizeof(cells[open]));
	}
}

void heatmap_range(const struct heatmap *m, unsigned int begin, const char *unit,
		   unsigned int *first,
		   unsigned int *last)
{
	unsigned int low = HIST_SLOTS, high = 0;

	for (unsigned int i = 0; i < m->n_groups; i++) {
		for (unsigned int c = begin; c < m->n_columns && !strcmp(m->groups[i].unit, unit);
		     c++) {
			const struct heatmap_cells *cells = &m->groups[i].cells[c];

			if (!cells->n)
				continue;
			low = cells->first < low ? cells->first : low;
			high = cells->first + cells->n - 1 > high ? cells->first + cells->n - 1 :
				high;
		}
	}
	if (low > high)
		low = high = 0;
	low -= low % HIST_SUB;
	high |= HIST_SUB - 1;
	if (high < low + 4 * HIST_SUB - 1)
		high = low + 4 * HIST_SUB - 1;
	if (high >= HIST_SLOTS) {
		high = HIST_SLOTS - 1;
		low = HIST_SLOTS - 4 * HIST_SUB < low ? HIST_SLOTS - 4 * HIST_SUB : low;
	}
	*first = low;
	*last = high;
}

void heatmap_column_rows(const struct heatmap_cells *c, const struct heatmap_rows *r,
			 uint64_t *counts)
{
	memset(counts, 0, r->n * sizeof(*counts));
	for (unsigned int i = 0; i < c->n; i++) {
		unsigned int row = heatmap_row(r, c->first + i);

		if (row >= r->first && row < r->first + r->n)
			counts[row - r->first] += c->counts[i];
	}
}
