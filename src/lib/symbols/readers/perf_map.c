// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "src/lib/symbols/readers/load.h"

#define FILE_MOST (64LL << 20)		/* bytes that are read */
#define DEEP 64				/* pieces of code that overlap at one place */

struct piece {
	uint64_t start, end;
	uint32_t line;			/* number of its line: later lines replace earlier ones */
	uint32_t name, length;
	bool gone;
};

struct map {
	struct piece *pieces;
	uint32_t n;
	char *names;
	size_t names_n, names_room;
};

static int keep_name(struct map *m, const char *name, size_t length)
{
	if (m->names_n + length > m->names_room) {
		size_t room = m->names_room ? 2 * m->names_room : 65536;
		char *grown;

		while (room < m->names_n + length)
			room *= 2;
		grown = realloc(m->names, room);
		if (!grown)
			return -1;
		m->names = grown;
		m->names_room = room;
	}
	memcpy(m->names + m->names_n, name, length);
	m->names_n += length;
	return 0;
}

static const char *number(const char *s, const char *end, uint64_t *n)
{
	const char *p = s;

	if (end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x')
		s = p += 2;
	for (*n = 0; p < end && p - s <= 16; p++) {
		unsigned int c = (unsigned char)*p, digit = c - '0' < 10 ? c - '0' :
			(c | 0x20) - 'a' < 6 ? (c | 0x20) - 'a' + 10 : 16;

		if (digit > 15)
			break;
		*n = *n << 4 | digit;
	}
	return p > s && p - s <= 16 && p + 1 < end && *p == ' ' ? p + 1 : NULL;
}

/* Ignores a line that is not of a map. */
static int add_line(struct map *m, const char *s, const char *end)
{
	uint64_t start, size;
	size_t length;

	s = number(s, end, &start);
	s = s ? number(s, end, &size) : NULL;
	if (!s || !size || size > UINT32_MAX || start > UINT64_MAX - size)
		return 0;
	length = (size_t)(end - s) < TABLE_NAME_MOST ? (size_t)(end - s) : TABLE_NAME_MOST;
	if (m->n == TABLE_SYMBOLS_MOST || m->names_n + length > TABLE_NAMES_MOST ||
	    array_room(&m->pieces, m->n, sizeof(*m->pieces)))
		return -1;
	m->pieces[m->n] = (struct piece){
		.start = start, .end = start + size, .line = m->n, .length = (uint32_t)length,
		.name = (uint32_t)m->names_n,
	};
	if (keep_name(m, s, length))
		return -1;
	m->n++;
	return 0;
}

static int read_lines(struct map *m, int fd, struct error *err)
{
	char buffer[65536];
	size_t used = 0;
	off_t at = 0;
	ssize_t n;

	while (at < FILE_MOST && (n = pread(fd, buffer + used, sizeof(buffer) - used, at)) > 0) {
		const char *line = buffer, *end;

		at += n;
		used += (size_t)n;
		while ((end = memchr(line, '\n', (size_t)(buffer + used - line)))) {
			if (add_line(m, line, end))
				return fail(err, "it has too many symbols");
			line = end + 1;
		}
		used = (size_t)(buffer + used - line);
		memmove(buffer, line, used);
		if (used == sizeof(buffer))
			return fail(err, "it has lines that are no symbols");
	}
	if (at >= FILE_MOST)
		return fail(err, "it is larger than %lld MB", FILE_MOST >> 20);
	return n < 0 ? fail_with(err, errno, "it can't be read: %m") : 0;
}

static int by_start(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/*
 * If two pieces overlap, the code of the later line is there, and the other code is gone. `active`:
 * the pieces that reach into the current piece, gone or not.
 */
static int find_gone(struct map *m, struct error *err)
{
	struct piece *active[DEEP];
	unsigned int n = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		struct piece *p = &m->pieces[i];
		unsigned int kept = 0;

		for (unsigned int j = 0; j < n; j++) {
			if (active[j]->end <= p->start)
				continue;
			active[kept++] = active[j];
			(active[j]->line < p->line ? active[j] : p)->gone = true;
		}
		n = kept;
		if (n == DEEP)
			return fail(err, "more than %d pieces of code overlap", DEEP);
		active[n++] = p;
	}
	return 0;
}

int load_perf_map(struct table_maker *maker, const void *arg, struct error *err)
{
	struct map m = { };
	int result = read_lines(&m, *(const int *)arg, err);

	if (m.n)
		qsort(m.pieces, m.n, sizeof(*m.pieces), by_start);
	/* If the file was not read to its end, it is unknown which pieces are gone. */
	if (!result)
		result = find_gone(&m, err);
	for (uint32_t i = 0; i < m.n && !result; i++)
		if (!m.pieces[i].gone)
			table_add(maker, m.pieces[i].start, m.pieces[i].end - m.pieces[i].start, 0,
				  m.names + m.pieces[i].name, m.pieces[i].length);
	free(m.pieces);
	free(m.names);
	return result;
}
