// SPDX-License-Identifier: GPL-2.0
#include "src/lib/unwind/rows.h"

#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/text.h"
#include "compat/user/guard.h"
#include "src/lib/unwind/elf_unwind.h"

#define SILENCE_MS 5000			/* for one file */
#define ROWS_A_MESSAGE (GUARD_MESSAGE / sizeof(struct unwind_row))

const struct unwind_row *unwind_rows_find(const struct unwind_rows *u, uint64_t place)
{
	uint32_t from = 0, to = u->n;

	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (u->rows[middle].at <= place)
			from = middle + 1;
		else
			to = middle;
	}
	return from && u->rows[from - 1].kind != UNWIND_UNKNOWN ? &u->rows[from - 1] : NULL;
}

void unwind_rows_free(struct unwind_rows *u)
{
	free(u->rows);
	*u = (struct unwind_rows){ };
}

static bool has_frame(const struct arch *arch, const struct unwind_row *row)
{
	return row->reg != arch->unwind.sp || row->cfa;
}

unsigned int unwind_no_caller(const struct arch *arch, const struct unwind_row *row)
{
	if (!row || row->kind != UNWIND_REGISTER || row->signal || !has_frame(arch, row))
		return 0;
	return row->ra_saved == UNWIND_SAME ? 2 : 1;
}

bool unwind_caller_in_memory(const struct arch *arch, const struct unwind_row *row)
{
	return row && row->kind == UNWIND_REGISTER && !row->signal && !has_frame(arch, row) &&
		row->ra_saved != UNWIND_SAME;
}

bool unwind_caller_on_top(const struct arch *arch, const struct unwind_row *row, uint64_t ip)
{
	if (!row || row->signal || row->reg != arch->unwind.sp ||
	    (row->kind != UNWIND_REGISTER &&
	     (row->kind != UNWIND_PLT || (ip & 15) >= row->limit)))
		return false;
	return arch->unwind.link >= 0 ? row->ra_saved == UNWIND_SAME :
		row->cfa == arch->word && row->ra == -arch->word &&
		row->ra_saved == UNWIND_AT_CFA;
}

/* ---- making rows ---- */

void unwind_add(struct unwind_maker *m, const struct unwind_row *row)
{
	if (m->full || m->n == UNWIND_ROWS_MOST || array_room(&m->rows, m->n, sizeof(*m->rows))) {
		m->full = true;
		return;
	}
	m->rows[m->n++] = *row;
}

/*
 * Another function may begin where a function ends. The known row comes last, because
 * unwind_sort() keeps the last row of a place.
 */
static int by_place(const void *a, const void *b)
{
	const struct unwind_row *x = a, *y = b;
	int order = (x->at > y->at) - (x->at < y->at);

	return order ? order : (x->kind != UNWIND_UNKNOWN) - (y->kind != UNWIND_UNKNOWN);
}

static bool same(const struct unwind_row *a, const struct unwind_row *b)
{
	return a->kind == b->kind &&
		(a->kind == UNWIND_UNKNOWN ||
		 (a->cfa == b->cfa && a->ra == b->ra && a->fp == b->fp && a->reg == b->reg &&
		  a->ra_saved == b->ra_saved && a->fp_saved == b->fp_saved &&
		  a->signal == b->signal && a->other == b->other));
}

void unwind_sort(struct unwind_maker *m)
{
	uint32_t kept = 0;

	if (!m->n)
		return;
	qsort(m->rows, m->n, sizeof(*m->rows), by_place);
	for (uint32_t i = 1; i < m->n; i++) {
		if (m->rows[i].at == m->rows[kept].at)
			m->rows[kept] = m->rows[i];
		else if (!same(&m->rows[i], &m->rows[kept]))
			m->rows[++kept] = m->rows[i];
	}
	m->n = kept + 1;
}

void unwind_maker_free(struct unwind_maker *m)
{
	free(m->rows);
	*m = (struct unwind_maker){ };
}

/* ---- from the process that reads the file ---- */

/* Why rows may be missing: the last message. All others are rows, and none has its size. */
struct said {
	int number;			/* of struct error */
	char why[160];
};
_Static_assert(sizeof(struct said) % sizeof(struct unwind_row), "as long as some rows");

struct loading {
	int fd;
	struct unwind_rows rows;
	bool ended, broken;
	struct error why;
};

#define VDSO_MOST (64 << 10)		/* bytes of the image */

/* The image ends with its section headers. */
static int read_vdso(struct unwind_maker *m, struct error *err)
{
	const ElfW(Ehdr) *own = (const void *)getauxval(AT_SYSINFO_EHDR);
	size_t n = own ? own->e_shoff + (size_t)own->e_shnum * own->e_shentsize : 0;
	void *image = n && n < VDSO_MOST ? malloc(n) : NULL;
	int result;

	if (!image)
		return fail(err, "this kernel has no vDSO");
	memcpy(image, own, n);
	result = elf_unwind_read_image(image, n, m, err);
	free(image);
	return result;
}

static void work(void *arg, int to)
{
	const struct loading *l = arg;
	struct unwind_maker m = { };
	struct error err = { };
	struct said said = { };

	if (l->fd < 0 ? read_vdso(&m, &err) : elf_unwind_read(l->fd, &m, &err)) {
		said.number = err.number;
		text_cut(said.why, sizeof(said.why), "%.*s", (int)sizeof(said.why) - 1, err.text);
	} else if (m.full) {
		snprintf(said.why, sizeof(said.why), "its tables have more than %u rows",
			 UNWIND_ROWS_MOST);
	}
	unwind_sort(&m);
	for (uint32_t i = 0; i < m.n; i += ROWS_A_MESSAGE) {
		uint32_t n = m.n - i < ROWS_A_MESSAGE ? m.n - i : ROWS_A_MESSAGE;

		if (!guard_send(to, &m.rows[i], n * sizeof(*m.rows), -1))
			break;
	}
	guard_send(to, &said, sizeof(said), -1);
	unwind_maker_free(&m);
}

static void take(void *arg, const void *message, size_t size, int fd)
{
	struct loading *l = arg;
	const struct unwind_row *rows = message;
	const struct said *said = message;
	size_t n = size / sizeof(*rows);

	if (fd >= 0)
		close(fd);
	if (l->ended || l->broken)
		return;
	if (size == sizeof(*said)) {
		fail_with(&l->why, said->number, "%.*s", (int)sizeof(said->why), said->why);
		l->ended = true;
		return;
	}
	l->broken = size % sizeof(*rows) || n > UNWIND_ROWS_MOST - l->rows.n;
	for (size_t i = 0; i < n && !l->broken; i++) {
		l->broken = array_room(&l->rows.rows, l->rows.n, sizeof(*rows)) ||
			(l->rows.n && l->rows.rows[l->rows.n - 1].at >= rows[i].at);
		if (!l->broken)
			l->rows.rows[l->rows.n++] = rows[i];
	}
}

bool unwind_load(int fd, const volatile sig_atomic_t *stop, struct unwind_rows *u,
		 struct error *why)
{
	struct loading l = { .fd = fd };
	const struct guarded g = { .work = work, .take = take, .arg = &l, .file = &fd,
				   .stop = stop, .ms = SILENCE_MS };
	const enum guard_end end = guard_run(&g);
	const int error = errno;

	*why = l.why;
	if (end == GUARD_DONE && l.ended && !l.broken) {
		*u = l.rows;
		return true;
	}
	unwind_rows_free(&l.rows);
	if (end == GUARD_HANGS)
		fail(why, "it can't be read within %d s", SILENCE_MS / 1000);
	else if (end == GUARD_STOPPED)
		fail(why, "interrupted");
	else if (end == GUARD_FAILED)
		fail_with(why, error, "reading it ended too early: %m");
	else
		fail(why, "reading it ended too early");
	return false;
}
