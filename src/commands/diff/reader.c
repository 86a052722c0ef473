// SPDX-License-Identifier: GPL-2.0
#include "src/commands/diff/reader.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"

void diff_reader_init(struct diff_reader *r)
{
	diff_table_init(&r->table);
}

void diff_reader_free(struct diff_reader *r)
{
	diff_table_free(&r->table);
	for (unsigned int i = 0; i < DIFF_SIDES; i++)
		free(r->ends[i].missing);
	free(strbuf_take(&r->key));
	free(strbuf_take(&r->text));
}

/* ---- keys ---- */

static void key_part(struct diff_reader *r, const struct diff_member *m, char type, const char *s,
		     size_t n)
{
	const uint16_t length = (uint16_t)n;
	const char head[2] = { (char)(m - r->members), type };

	strbuf_add(&r->key, head, sizeof(head));
	strbuf_add(&r->key, (const char *)&length, sizeof(length));
	strbuf_add(&r->key, s, n);
}

void diff_key_text(struct diff_reader *r, const struct diff_member *m, const char *s, size_t n)
{
	key_part(r, m, 't', s, n < DIFF_KEY_TEXT ? n : DIFF_KEY_TEXT);
}

void diff_key(struct diff_reader *r, const struct diff_member *m, struct json v)
{
	char text[DIFF_KEY_TEXT];

	if (json_null(v))
		key_part(r, m, '-', "", 0);
	else if (*v.s == '"')
		diff_key_text(r, m, text, json_text(v, text, sizeof(text)));
	else
		key_part(r, m, 'n', v.s, v.n < DIFF_KEY_TEXT ? v.n : DIFF_KEY_TEXT);
}

bool diff_part_next(const char **at, const char *end, struct diff_part *part)
{
	uint16_t length;

	if (end - *at < 4)
		return false;
	memcpy(&length, *at + 2, sizeof(length));
	*part = (struct diff_part){
		.member = (unsigned char)**at, .null = (*at)[1] == '-', .number = (*at)[1] == 'n',
		.s = *at + 4, .n = length,
	};
	*at += 4 + length;
	return true;
}

int diff_add(struct diff_reader *r, enum diff_side side, int measure, double value)
{
	struct diff_amount *a = r->key.cut ? NULL :
		diff_amount(&r->table, r->key.s ? r->key.s : "", r->key.n, (unsigned int)measure);

	if (!a)
		return fail(r->err, "out of memory");
	a->sum[side] += value;
	a->n[side]++;
	return 0;
}

/* ---- columns ---- */

static bool is_word(const char *list, const char *name, size_t n)
{
	while (*(list += strspn(list, " "))) {
		const size_t length = strcspn(list, " ");

		if (length == n && !memcmp(list, name, n))
			return true;
		list += length;
	}
	return false;
}

static const struct column *column_of(const struct tool *t, const char *name)
{
	const struct column *c = t->columns;

	while (c && c->head && strcmp(c->name, name))
		c++;
	return c && c->head ? c : NULL;
}

/*
 * Two runs do not have the same ones: ids, what is at an address, positions, and command lines,
 * which are as good as all different. What a call returned is one if its error is in another
 * column.
 */
static bool is_fleeting(const struct tool *t, const char *name)
{
	static const char list[] =
		"pid tid ppid tpid ttid prev_tid waker_pid owner victim cpu fd port lport rport "
		"sport dport local remote source destination laddr raddr saddr daddr ip addr "
		"address lock skaddr sk inode ino seq id netns mnt_ns mntns pidns offset sector "
		"args line pos";

	return is_word(list, name, strlen(name)) ||
	       (!strcmp(name, "ret") && column_of(t, "errno"));
}

static bool is_average(const char *name, enum column_unit unit, bool intervals)
{
	static const char *const words[] = { "avg", "average", "mean", "min", "max", "p50", "p99",
					     "_per_" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(name, words[i]))
			return true;
	return unit == IN_PERCENT || unit == IN_RATIO || unit == IN_PER_S || unit == IN_KB_PER_S ||
	       (unit == IN_MB && intervals);
}

static void use_member(struct diff_reader *r, struct diff_member *m, enum column_role role,
		       enum column_unit unit)
{
	const bool events = r->tool->shape == SHAPE_EVENTS;

	for (unsigned int i = 0; i < r->n_by; i++)
		if (!strcmp(r->by[i], m->name))
			m->use = USE_KEY;
	if (m->use || role == IS_TIME || is_fleeting(r->tool, m->name))
		return;
	if (role != IS_COUNT && role != IS_VALUE) {
		m->use = r->n_by ? USE_NOT : USE_KEY;
		return;
	}
	m->use = is_average(m->name, unit, !events) ? USE_MEAN : USE_SUM;
	m->measure = diff_measure(&r->table, m->name, unit_text(unit),
				  m->use == USE_MEAN ? DIFF_MEAN : DIFF_SUM,
				  events && role == IS_VALUE);
	r->crowded |= m->measure < 0;
}

/* What the tool's table says of a column, or else its name and its value. */
static void find_role(const struct diff_reader *r, const char *name, struct json v,
		      enum column_role *role, enum column_unit *unit)
{
	const struct column guess = { .head = "", .name = name,
				      .type = *v.s == '"' ? COLUMN_TEXT : COLUMN_INTEGER };
	const struct column *c = column_of(r->tool, name);

	c = c ? c : &guess;
	*role = column_role(c);
	*unit = column_unit(c);
}

static struct diff_member *new_member(struct diff_reader *r, const char *name, size_t n)
{
	struct diff_member *m = &r->members[r->n_members];

	if (r->n_members == DIFF_MEMBERS || n >= sizeof(m->name)) {
		r->crowded = true;
		return NULL;
	}
	*m = (struct diff_member){ .measure = -1 };
	memcpy(m->name, name, n);
	r->n_members++;
	return m;
}

static struct diff_member *find_member(struct diff_reader *r, const char *name, size_t n,
				       unsigned int hint)
{
	for (unsigned int i = 0; i < r->n_members; i++) {
		struct diff_member *m = &r->members[(hint + i) % r->n_members];

		if (strlen(m->name) == n && !memcmp(m->name, name, n))
			return m;
	}
	return NULL;
}

struct diff_member *diff_member(struct diff_reader *r, struct json name, struct json v,
				unsigned int hint)
{
	struct diff_member *m = find_member(r, name.s, name.n, hint);
	enum column_role role;
	enum column_unit unit;

	if (!m && (m = new_member(r, name.s, name.n))) {
		find_role(r, m->name, v, &role, &unit);
		use_member(r, m, role, unit);
	}
	if (m)
		m->heard = true;
	return m;
}

struct diff_member *diff_key_member(struct diff_reader *r, const char *name)
{
	struct diff_member *m = find_member(r, name, strlen(name), 0);

	if (!m && (m = new_member(r, name, strlen(name))))
		use_member(r, m, IS_LABEL, IN_NAMED);
	if (m)
		m->heard = true;
	return m;
}

/* ---- rows ---- */

/* With six decimals, as millionths; *decimals: the text has a point. */
static bool number_of(struct json v, int64_t *n, bool *decimals)
{
	const bool minus = v.n && *v.s == '-';
	const struct json rest = { v.s + minus, v.n - minus };

	*decimals = memchr(v.s, '.', v.n);
	if (!*decimals)
		return json_integer(v, n);
	if (!json_decimal(rest, 6, n))
		return false;
	*n = minus ? -*n : *n;
	return true;
}

static int add_number(struct diff_reader *r, enum diff_side side, const struct diff_member *m,
		      struct json v)
{
	struct diff_measure *of = &r->table.measures[m->measure];
	struct diff_slot slot;
	struct diff_amount *a;
	bool decimals;
	int64_t n;

	if (!number_of(v, &n, &decimals))
		return 0;
	if (!of->scaled) {
		of->scaled = true;
		of->fine = decimals;
	}
	if (diff_add(r, side, m->measure, decimals ? (double)n / DIFF_FINE : (double)n))
		return -1;
	if (!of->spread)
		return 0;
	if (of->fine != decimals)
		n = decimals ? n / DIFF_FINE : n < INT64_MAX / DIFF_FINE ? n * DIFF_FINE : n;
	slot = diff_slot_of(n);
	a = diff_amount(&r->table, r->key.s ? r->key.s : "", r->key.n, (unsigned int)m->measure);
	return a && !diff_spread(&r->table, &a->spread[side], &slot) ? 0 :
	       fail(r->err, "out of memory");
}

/* Twice over its members: first the key, then what is added up for it. */
static int row(struct diff_reader *r, enum diff_side side, struct json line)
{
	struct diff_member *list[DIFF_MEMBERS];
	struct json values[DIFF_MEMBERS], name, v;
	struct json_walk w = json_walk(line);
	/* the events of a tool that shows each: a row is one */
	const int rows = r->tool->shape != SHAPE_EVENTS ? -1 :
			 diff_measure(&r->table, "rows", "", DIFF_SUM, false);
	unsigned int n = 0;

	r->lines[side]++;
	while (n < DIFF_MEMBERS && json_next(&w, &name, &v)) {
		/* "NAME_cut":true; and lists, as of a stack's frames */
		if (v.n == 0 || strchr("tf[{", *v.s))
			continue;
		values[n] = v;
		list[n] = diff_member(r, name, v, n);
		if (!list[n])
			continue;
		list[n]->sides[side] = true;
		if (list[n]->use == USE_KEY)
			diff_key(r, list[n], v);
		n++;
	}
	if (rows >= 0 && diff_add(r, side, rows, 1))
		return -1;
	for (unsigned int i = 0; i < n; i++)
		if (list[i]->measure >= 0 && add_number(r, side, list[i], values[i]))
			return -1;
	return 0;
}

/* ---- the last line ---- */

static void read_losses(struct diff_end *e, struct json end)
{
	static const char *const names[] = { "lost", "late", "unpaired", "full", "missed",
					     "unreturned", "untimed", "stacks_lost",
					     "stacks_unrecorded" };
	struct strbuf what = strbuf_over(e->what, sizeof(e->what));
	struct json v;
	int64_t n;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!json_member(end, names[i], &v) || !json_integer(v, &n) || n <= 0)
			continue;
		strbuf_addf(&what, "%s%s %lld", what.n ? ", " : "", names[i], (long long)n);
		e->losses += (uint64_t)n;
	}
	if (json_member(end, "untraced_ms", &v) && json_integer(v, &n) && n > 0)
		e->untraced_ms = (uint64_t)n;
	if (json_member(end, "ran_ms", &v) && json_integer(v, &n) && n > 0)
		e->seconds = (double)n / 1000;
	if (json_member(end, "engine", &v))
		json_text(v, e->engine, sizeof(e->engine));
	if (json_member(end, "missing", &v) && !e->missing)
		e->missing = strndup(v.s, v.n);
}

static int end_line(struct diff_reader *r, enum diff_side side, struct json end)
{
	struct diff_end *e = &r->ends[side];
	char tool[64] = "";
	struct json v;

	if (json_member(end, "tool", &v))
		json_text(v, tool, sizeof(tool));
	if (strcmp(tool, r->tool->name))
		return fail(r->err, "its lines are of %s, and not of %s", *tool ? tool : "no tool",
			    r->tool->name);
	if (e->read)
		return 0;
	e->read = true;
	read_losses(e, end);
	return 0;
}

static int named(struct json v, const char *(*text)(unsigned int i), unsigned int n)
{
	char word[16];

	json_text(v, word, sizeof(word));
	for (unsigned int i = 0; i < n; i++)
		if (text(i) && !strcmp(text(i), word))
			return (int)i;
	return 0;
}

static const char *role_name(unsigned int i)
{
	return role_text(i);
}

static const char *unit_name(unsigned int i)
{
	return unit_text(i);
}

int diff_read_end(struct diff_reader *r, enum diff_side side, const char *s, size_t n)
{
	struct json line, end, columns, column, is, v;
	struct json_walk w;
	char name[64];

	if (!json_read(s, n, &line) || !json_member(line, "end", &end))
		return fail(r->err, "its last line, the object `end`, is missing: the run was "
			    "killed, or the file is cut\nrecord it again, and end it by Ctrl-C or "
			    "--duration");
	if (end_line(r, side, end))
		return -1;
	w = json_walk(json_member(end, "columns", &columns) ? columns : (struct json){ });
	while (json_next(&w, &is, &column)) {
		struct diff_member *m;

		if (!json_member(column, "name", &v))
			continue;
		json_text(v, name, sizeof(name));
		m = find_member(r, name, strlen(name), 0) ? NULL :
			new_member(r, name, strlen(name));
		if (!m)
			continue;
		json_member(column, "unit", &is);
		json_member(column, "role", &v);
		use_member(r, m, (enum column_role)named(v, role_name, COLUMN_ROLES),
			   (enum column_unit)named(is, unit_name, COLUMN_UNITS));
	}
	return 0;
}

/* ---- all lines ---- */

int diff_line(struct diff_reader *r, enum diff_side side, const char *s, size_t n)
{
	struct json line, name, first;
	struct json_walk w;

	r->key.n = 0;
	if (!json_read(s, n, &line) || *line.s != '{')
		return fail(r->err, "a line of it is no JSON object");
	w = json_walk(line);
	if (!json_next(&w, &name, &first))
		return 0;
	if (is_word("histogram", name.s, name.n))
		return diff_hist_line(r, side, line);
	if (is_word("stack", name.s, name.n))
		return diff_stack_line(r, side, line);
	if (is_word("end", name.s, name.n))
		return end_line(r, side, first);
	/* a heat map: its histograms are lines of their own; other objects are about the run */
	if (is_word("heatmap", name.s, name.n) || *first.s == '{')
		return 0;
	if (is_word("type", name.s, name.n) && json_member(line, "data", &first))
		return fail(r->err, "%s shows maps, which are not compared: diff compares rows, "
			    "histograms and stacks", r->tool->name);
	return row(r, side, line);
}
