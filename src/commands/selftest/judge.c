// SPDX-License-Identifier: GPL-2.0
/*
 * Compares rows and sums with what the workload did. A difference is WRONG, unless the tool said
 * that it lacks or lost this.
 */
#include "src/commands/selftest/selftest.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "compat/base/strbuf.h"
#include "compat/base/text.h"

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = {
		[VERDICT_OK] = "ok", [VERDICT_DEGRADED] = "degraded",
		[VERDICT_NOT_HERE] = "not here",
		[VERDICT_WRONG] = "WRONG",
	};

	return names[v];
}

/* Adds a piece unless it is there already, or does not fit. */
static void add_piece(char *to, size_t size, const char *piece, size_t n)
{
	size_t have = strlen(to);

	for (const char *at = to; *at; at += strcspn(at, ";"), at += strspn(at, "; "))
		if (strcspn(at, ";") == n && !memcmp(at, piece, n))
			return;
	if (n && have + n + 3 < size)
		sprintf(to + have, "%s%.*s", have ? "; " : "", (int)n, piece);
}

static void add_pieces(char *to, size_t size, const char *pieces)
{
	while (*pieces) {
		size_t n = strcspn(pieces, ";");

		add_piece(to, size, pieces, n);
		pieces += n;
		pieces += strspn(pieces, "; ");
	}
}

void cell_verdict(struct cell *c, enum verdict v, const char *format, ...)
{
	char text[sizeof(c->why) - 4];
	va_list args;

	if (v < c->verdict)
		return;
	if (v > c->verdict)
		c->why[0] = '\0';
	c->verdict = v;
	va_start(args, format);
	text_vcut(text, sizeof(text), format, args);
	va_end(args);
	add_pieces(c->why, sizeof(c->why), text);
}

bool cell_out_of_memory(struct cell *c, const char *what, int status, int64_t kills)
{
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL || kills <= 0)
		return false;
	cell_verdict(c, VERDICT_NOT_HERE, "out of memory: the kernel ended the %s", what);
	return true;
}

void cell_note(struct cell *c, const char *note)
{
	add_pieces(c->note, sizeof(c->note), note);
}

void cell_hooks(struct cell *c, const char *hooks)
{
	add_pieces(c->hooks, sizeof(c->hooks), hooks);
}

/* Is `name` missing: a hook, "HOOK.INPUT", or an input of any hook? */
static bool missing(const struct found *f, const char *name, size_t n)
{
	struct json_walk w;
	struct json list, none, v;
	char text[128];

	if (!json_member(f->end, "missing", &list))
		return false;
	w = json_walk(list);
	while (json_next(&w, &none, &v)) {
		const char *input;

		json_text(v, text, sizeof(text));
		input = strrchr(text, '.');
		if ((strlen(text) == n && !memcmp(text, name, n)) ||
		    (input && strlen(input + 1) == n && !memcmp(input + 1, name, n)))
			return true;
	}
	return false;
}

bool found_missing(const struct found *f, const char *name)
{
	return missing(f, name, strlen(name));
}

/* Is the input of a member missing? It has the member's name, unless the check says otherwise. */
static bool member_missing(const struct found *f, struct json member)
{
	const struct selftest_input *i = f->test->inputs;

	for (; i && i->member; i++)
		if (strlen(i->member) == member.n && !memcmp(i->member, member.s, member.n) &&
		    found_missing(f, i->input))
			return true;
	return missing(f, member.s, member.n);
}

/*
 * The same words, except those that the tool could not read, and says so; the last one may mean all
 * the rest.
 */
static bool same_words(const struct found *f, struct json want, struct json got)
{
	char wanted[2048], shown[2048], *w = wanted, *g = shown;
	bool unknown = false;

	if (!f->test->unknown || *want.s != '"' || *got.s != '"' ||
	    json_text(want, wanted, sizeof(wanted)) + 1 >= sizeof(wanted) ||
	    json_text(got, shown, sizeof(shown)) + 1 >= sizeof(shown))
		return false;
	while (*w && *g) {
		size_t n = strcspn(w, " "), m = strcspn(g, " ");
		bool hidden = m == strlen(f->test->unknown) && !memcmp(g, f->test->unknown, m);

		if (!hidden && (n != m || memcmp(w, g, n)))
			return false;
		unknown |= hidden;
		if (hidden && !g[m])
			n = strlen(w);
		w += n + (w[n] == ' ');
		g += m + (g[m] == ' ');
	}
	if (*w || *g)
		return false;
	if (unknown)
		cell_verdict(f->cell, VERDICT_DEGRADED, "some strings are shown as %s",
			     f->test->unknown);
	return true;
}

static bool is_id(struct json member)
{
	static const char *const ids[] = { "pid", "ppid", "tid", "victim" };

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (strlen(ids[i]) == member.n && !memcmp(ids[i], member.s, member.n))
			return true;
	return false;
}

/* Not a member of the row, but the hook that it comes from. */
static bool is_hook(struct json member)
{
	return member.n == strlen(WANT_HOOK) && !memcmp(member.s, WANT_HOOK, member.n);
}

/* A row that is not there because the tool lacks its hook, and says so. */
static bool hook_missing(const struct found *f, struct json want)
{
	struct json hook;
	char name[64];

	if (!json_member(want, WANT_HOOK, &hook))
		return false;
	json_text(hook, name, sizeof(name));
	return found_missing(f, name);
}

/* Has the row all members of the want, with the same values? `differs`: the first that has not. */
static bool same_row(const struct found *f, struct json want, struct json row, struct json *differs)
{
	struct json_walk w = json_walk(want);
	struct json member, wanted, got;
	char name[64];

	while (json_next(&w, &member, &wanted)) {
		text_all(name, sizeof(name), "%.*s", (int)member.n, member.s);
		if (is_hook(member))
			continue;
		if (f->foreign && is_id(member)) {
			cell_note(f->cell, "ids of processes were not compared: this is not the "
					   "initial pid namespace");
			continue;
		}
		if (json_member(row, name, &got) &&
		    (json_same(wanted, got) || same_words(f, wanted, got) ||
		     (json_null(got) && (f->text_lost || member_missing(f, member)))))
			continue;
		*differs = member;
		return false;
	}
	return true;
}

/* The members of a row that a want names, for a message. */
static void tell_row(struct json want, struct json row, char *to, size_t size)
{
	struct json_walk w = json_walk(want);
	struct json member, wanted, got;
	struct strbuf text = strbuf_over(to, size);
	char name[64];

	while (json_next(&w, &member, &wanted)) {
		text_all(name, sizeof(name), "%.*s", (int)member.n, member.s);
		if (is_hook(member))
			continue;
		if (!json_member(row, name, &got))
			got = (struct json){ "nothing", 7 };
		strbuf_between(&text, " ");
		strbuf_addf(&text, "%s=%.*s", name, (int)got.n, got.s);
	}
}

static void wrong_row(struct found *f, struct json want, struct json row)
{
	char wanted[400], got[400];
	struct json differs = { };

	same_row(f, want, row, &differs);
	tell_row(want, want, wanted, sizeof(wanted));
	tell_row(want, row, got, sizeof(got));
	cell_verdict(f->cell, VERDICT_WRONG, "wanted %s, got %s (%.*s)", wanted, got,
		     (int)differs.n, differs.s);
}

/* Drops rows whose hooks are missing: the end object says so, and the verdict is degraded. */
static void drop_missing(struct found *f)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->wants.n; i++) {
		if (hook_missing(f, f->wants.rows[i])) {
			bool there = false;
			struct json differs;

			for (size_t j = 0; j < f->rows.n; j++)
				there |= same_row(f, f->wants.rows[i], f->rows.rows[j], &differs);
			if (!there)
				continue;
		}
		f->wants.rows[kept++] = f->wants.rows[i];
	}
	f->wants.n = kept;
}

void rows_compare(struct found *f)
{
	size_t next = 0, absent = 0;
	struct json differs, first = { };
	char text[400];

	f->cell->wanted += (int64_t)f->wants.n;
	f->cell->got += (int64_t)f->rows.n;
	drop_missing(f);
	for (size_t i = 0; i < f->rows.n; i++) {
		size_t at = next;

		while (at < f->wants.n && !same_row(f, f->wants.rows[at], f->rows.rows[i],
						    &differs))
			at++;
		if (at == f->wants.n) {
			if (next < f->wants.n)
				wrong_row(f, f->wants.rows[next], f->rows.rows[i]);
			else
				cell_verdict(f->cell, VERDICT_WRONG,
					     "wanted %zu rows, got %zu, such as %.*s", f->wants.n,
					     f->rows.n, (int)(f->rows.rows[i].n < 300 ?
							      f->rows.rows[i].n : 300),
					     f->rows.rows[i].s);
			return;
		}
		if (at > next && !absent)
			first = f->wants.rows[next];
		absent += at - next;
		next = at + 1;
	}
	if (next < f->wants.n && !absent)
		first = f->wants.rows[next];
	absent += f->wants.n - next;
	if (!absent)
		return;
	tell_row(first, first, text, sizeof(text));
	if (f->cell->lost)
		cell_verdict(f->cell, VERDICT_DEGRADED, "%zu of %zu rows lost, and reported",
			     absent, f->wants.n);
	else
		cell_verdict(f->cell, VERDICT_WRONG,
			     "wanted %zu rows, got %zu; the first missing row: %s",
			     f->wants.n, f->rows.n, text);
}

static bool said(const struct found *f, const char *name, struct json *v)
{
	for (size_t i = f->says.n; i--;)
		if (json_member(f->says.rows[i], name, v))
			return true;
	return false;
}

int64_t said_integer(const struct found *f, const char *name)
{
	struct json v;
	int64_t n;

	return said(f, name, &v) && json_integer(v, &n) ? n : 0;
}

/* Numbers too, as they are written. */
bool said_text(const struct found *f, const char *name, char *to, size_t size)
{
	struct json v;

	if (!said(f, name, &v))
		return false;
	if (!json_text(v, to, size))
		text_cut(to, size, "%.*s", (int)v.n, v.s);
	return true;
}

bool found_sum(const struct found *f, const char *member, int64_t *sum)
{
	*sum = 0;
	for (size_t i = 0; i < f->rows.n; i++) {
		struct json v;
		int64_t n;

		if (!json_member(f->rows.rows[i], member, &v) || !json_integer(v, &n))
			return false;
		*sum += n;
	}
	return f->rows.n > 0;
}

/* The sum over the slots of histograms. */
static int64_t slots(const struct found *f, const char *member, const char *suffix, bool weigh)
{
	int64_t sum = 0;

	for (size_t i = 0; i < f->rows.n; i++) {
		struct json v, none, slot, low, count;
		struct json_walk w;
		char text[128];
		size_t n;

		if (suffix) {
			json_member(f->rows.rows[i], member, &v);
			n = json_text(v, text, sizeof(text));
			if (n < strlen(suffix) || strcmp(text + n - strlen(suffix), suffix))
				continue;
		}
		if (!json_member(f->rows.rows[i], "slots", &v))
			continue;
		w = json_walk(v);
		while (json_next(&w, &none, &slot)) {
			int64_t lowest = 0, times = 0;

			if (json_member(slot, "low", &low) && json_member(slot, "count", &count) &&
			    json_integer(low, &lowest) && json_integer(count, &times))
				sum += weigh ? lowest * times : times;
		}
	}
	return sum;
}

int64_t found_counted(const struct found *f, const char *member, const char *suffix)
{
	return slots(f, member, suffix, false);
}

int64_t found_total(const struct found *f)
{
	return slots(f, NULL, NULL, true);
}

void found_between(struct found *f, const char *what, int64_t low, int64_t got, int64_t high)
{
	struct cell *c = f->cell;

	c->wanted += low;
	c->got += got;
	if (got >= low && got <= high)
		return;
	if (got < low && c->lost)
		cell_verdict(c, VERDICT_DEGRADED, "%s: %" PRId64 " of %" PRId64
			     ", with losses reported", what, got, low);
	else if (low == high)
		cell_verdict(c, VERDICT_WRONG, "%s: wanted %" PRId64 ", got %" PRId64, what,
			     low, got);
	else if (high == INT64_MAX)
		cell_verdict(c, VERDICT_WRONG, "%s: wanted %" PRId64 " at least, got %" PRId64,
			     what, low, got);
	else
		cell_verdict(c, VERDICT_WRONG, "%s: wanted %" PRId64 " to %" PRId64 ", got %"
			     PRId64, what, low, high, got);
}

void found_times(struct found *f, const char *member, unsigned int places, const char *name,
		 int64_t low, int64_t high)
{
	for (size_t i = 0; i < f->rows.n; i++) {
		struct json v;
		char text[5] = "";
		int64_t ns, least;

		if (name && json_member(f->rows.rows[i], name, &v))
			json_text(v, text, sizeof(text));
		least = name && strcmp(text, "slow") ? 0 : low;
		json_member(f->rows.rows[i], member, &v);
		if (!json_decimal(v, places, &ns) || ns < least || ns > high)
			cell_verdict(f->cell, VERDICT_WRONG, "wanted %" PRId64 " to %" PRId64
				     " ns, got %s=%.*s", least, high, member, (int)v.n, v.s);
	}
}
