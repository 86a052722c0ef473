// SPDX-License-Identifier: GPL-2.0
/* Orders that need more than the script: files, commands, texts that come in parts. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "src/bt/run/run.h"
#include "src/lib/output/sink.h"


/* Letters that others chose, in lines. Machines escape by themselves. */
static void put_lines(FILE *to, const char *s, size_t n, bool people)
{
	for (size_t i = 0; i < n; i++)
		if (people && s[i] != '\n' && s[i] != '\t')
			escape_text(to, s + i, 1);
		else
			fputc(s[i], to);
}

static void show_once(struct bt_run *r, const char *type, const char *s, size_t n)
{
	const struct output *o = run_output(r->run);
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (to)
		put_lines(to, s, n, output_for_people(o) && !bt_shows_json(o, r->bt));
	if (to && !fclose(to))
		bt_show_text(run_output(r->run), r->bt, type, text, size);
	free(text);
}

/* bpftrace's JSON has the first `of_json` of the n letters. */
static void show_lines(struct bt_run *r, const char *type, const char *s, size_t n, size_t of_json)
{
	struct output *o = run_output(r->run);

	for (unsigned int turn = 0; output_turn(o, &turn);)
		show_once(r, type, s, bt_shows_json(o, r->bt) ? of_json : n);
}

/* ---- files and commands ---- */

static void show_file(struct bt_run *r, const char *path)
{
	const size_t most = r->bt->settings.max_cat_bytes;
	FILE *f = fopen(path, "re");
	char *text = f ? malloc(most) : NULL;
	size_t n = text ? fread(text, 1, most, f) : 0;

	if (!text || ferror(f)) {
		fputs("ERROR: failed to open file '", sink_err());
		escape_text(sink_err(), path, strlen(path));
		fprintf(sink_err(), "' (%s)\n", strerror(errno));
	} else {
		show_lines(r, "cat", text, n, n);
	}
	free(text);
	if (f)
		fclose(f);
}

/* What the command prints comes in order with what the script prints. */
static void run_shell(struct bt_run *r, const char *command)
{
	FILE *from = popen(command, "re");
	struct strbuf said = { };
	char *text, part[4096];
	size_t n;

	if (!from)
		run_note(r->run, "system(\"%s\"): %s", command, strerror(errno));
	while (from && (n = fread(part, 1, sizeof(part), from)))
		strbuf_add(&said, part, n);
	if (from)
		pclose(from);
	n = said.n;
	text = strbuf_take(&said);
	if (from && text)
		show_lines(r, "syscall", text, n, n);
	free(text);
}

/* ---- join() ---- */

/* Parts of one thread: those of others may come between. */
struct bt_join {
	struct bt_join *next;
	uint32_t tid;
	uint64_t parts;
	bool broken;			/* a part is missing */
	char *text;
	size_t size;
	FILE *to;
};

static struct bt_join *join_of(struct bt_run *r, uint32_t tid)
{
	struct bt_join *j = r->joins;

	while (j && j->tid != tid)
		j = j->next;
	if (j)
		return j;
	j = calloc(1, sizeof(*j));
	if (!j)
		return NULL;
	j->tid = tid;
	j->to = open_memstream(&j->text, &j->size);
	j->next = r->joins;
	return r->joins = j;
}

static void free_join(struct bt_run *r, struct bt_join *j)
{
	struct bt_join **at = &r->joins;

	while (*at != j)
		at = &(*at)->next;
	*at = j->next;
	if (j->to)
		fclose(j->to);
	free(j->text);
	free(j);
}

static void add_part(struct bt_run *r, const struct bt_order *o, const struct bt_shown *value,
		     uint32_t tid)
{
	struct bt_join *j = join_of(r, tid);

	if (!j || !j->to)
		return;
	if (!o->part.number && j->parts) {
		free_join(r, j);	/* its end was lost */
		add_part(r, o, value, tid);
		return;
	}
	j->broken |= j->parts++ != o->part.number || !value->text.s;
	if (o->part.number)
		fputs(o->part.between, j->to);
	if (value->text.s)
		fwrite(value->text.s, 1, value->text.length, j->to);
	if (value->text.cut)
		fputs("..", j->to);
}

static void end_join(struct bt_run *r, uint32_t tid)
{
	struct bt_join *j = join_of(r, tid);

	if (!j || !j->to)
		return;
	fputc('\n', j->to);
	if (!fflush(j->to) && !j->broken)
		show_lines(r, "join", j->text, j->size, j->size - 1);
	free_join(r, j);
}

void bt_joins_free(struct bt_run *r)
{
	while (r->joins)
		free_join(r, r->joins);
}

/* ---- orders ---- */

void bt_outside(struct bt_run *r, const struct bt_order *o, const struct bt_shown *values,
		uint32_t tid)
{
	char *text = NULL;
	size_t n;

	if (o->kind == BT_JOIN_PART) {
		add_part(r, o, values, tid);
		return;
	}
	if (o->kind == BT_JOIN) {
		end_join(r, tid);
		return;
	}
	/* Commands and standard error are behind what was printed before. */
	output_flush(run_output(r->run));
	text = bt_order_text(r->bt, o, values, o->kind == BT_ERRORF, &n);
	if (text && o->kind == BT_CAT)
		show_file(r, text);
	else if (text && o->kind == BT_SYSTEM)
		run_shell(r, text);
	else if (text && (!r->bt->silent || !o->text.warns))
		fprintf(sink_err(), "%s%s\n", o->text.place, text);
	free(text);
}
