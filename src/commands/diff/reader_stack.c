// SPDX-License-Identifier: GPL-2.0
/* Stacks: what their functions have of their own, and with all that they call. */
#include <string.h>

#include "compat/base/text.h"
#include "src/commands/diff/reader.h"

#define FRAMES 1200
#define NAME 512

/* A stack of a line, the outermost function first. */
struct stack {
	struct {
		size_t at, n;		/* in the text of the line */
		enum flame_kind kind;
	} list[FRAMES];
	unsigned int n;
	unsigned int first;		/* the first function; before it are names of tasks */
	int own;			/* the newest function of the task itself; -1: none */
};

static void put(struct diff_reader *r, struct stack *s, const char *name, size_t n,
		enum flame_kind kind)
{
	if (s->n == FRAMES)
		return;
	s->list[s->n].at = r->text.n;
	s->list[s->n].n = n;
	s->list[s->n++].kind = kind;
	strbuf_add(&r->text, name, n);
}

static void put_text(struct diff_reader *r, struct stack *s, struct json line, const char *member)
{
	char text[NAME] = "-";
	struct json v;
	size_t n = 1;

	if (json_member(line, member, &v) && !json_null(v))
		n = json_text(v, text, sizeof(text));
	put(r, s, text, n, FLAME_MARK);
}

/* As in folded stacks, a function without a name is shown as its file or module. */
static void put_frame(struct diff_reader *r, struct stack *s, struct json frame, bool kernel)
{
	char name[NAME], module[NAME - 2];
	struct json v, m;
	bool code = json_member(frame, "module", &m);
	size_t n = 0;

	if (json_member(frame, "name", &v) && !json_null(v))
		n = json_text(v, name, sizeof(name));
	else if (code && json_text(m, module, sizeof(module)))
		n = (size_t)snprintf(name, sizeof(name), "[%s]", module);
	else
		n = (size_t)snprintf(name, sizeof(name), "[unknown]");
	put(r, s, name, n, !code ? FLAME_MARK : kernel ? FLAME_KERNEL : FLAME_USER);
}

/* The frames of a member, which has the newest first. Returns how many were put. */
static unsigned int put_frames(struct diff_reader *r, struct stack *s, struct json line,
			       const char *member, bool newest_first)
{
	struct json frames[FRAMES], none, list;
	const bool kernel = strstr(member, "kernel");
	unsigned int n = 0;
	struct json_walk w;

	json_member(line, member, &list);
	w = json_walk(list);
	while (n < FRAMES && json_next(&w, &none, &frames[n]))
		n++;
	for (unsigned int i = 0; i < n; i++)
		put_frame(r, s, frames[newest_first ? i : n - 1 - i], kernel);
	return n;
}

/* As `--flame` puts them together: a waker's frames are behind those of the task. */
static void put_stack(struct diff_reader *r, struct stack *s, struct json line)
{
	struct json v;
	const bool own = json_member(line, "kernel_stack", &v);
	const bool waker = json_member(line, "waker_comm", &v);
	unsigned int n;

	s->own = -1;
	if (json_member(line, "cgroup", &v))
		put_text(r, s, line, "cgroup");
	put_text(r, s, line, own ? "comm" : "waker_comm");
	s->first = s->n;
	n = put_frames(r, s, line, own ? "user_stack" : "waker_user_stack", false);
	n += put_frames(r, s, line, own ? "kernel_stack" : "waker_kernel_stack", false);
	if (n && s->n > s->first)
		s->own = (int)s->n - 1;
	if (own && waker) {
		put(r, s, "--", 2, FLAME_MARK);
		put_frames(r, s, line, "waker_kernel_stack", true);
		put_frames(r, s, line, "waker_user_stack", true);
		put_text(r, s, line, "waker_comm");
	} else if (!own) {
		put_text(r, s, line, "comm");
	}
}

/* The first number that is no id is what pictures show, too. */
static bool value_of(struct diff_reader *r, struct json line, uint64_t *value)
{
	static const char *const ids[] = { "pid", "tid", "waker_pid" };
	struct json_walk w = json_walk(line);
	struct json name, v;
	int64_t n;

	while (json_next(&w, &name, &v)) {
		bool id = *v.s == '"' && (v.n < 3 || v.s[1] < '0' || v.s[1] > '9');

		for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
			id |= strlen(ids[i]) == name.n && !memcmp(ids[i], name.s, name.n);
		id |= name.n >= 4 && !memcmp(name.s + name.n - 4, "time", 4);
		id |= name.n >= 4 && !memcmp(name.s + name.n - 4, "comm", 4);
		if (id || !json_integer(v, &n) || n < 0)
			continue;
		text_cut(r->unit, sizeof(r->unit), "%.*s", (int)name.n, name.s);
		*value = (uint64_t)n;
		return true;
	}
	return false;
}

/* The key's parts that are neither functions nor stacks, as --by asks. */
static void begin_key(struct diff_reader *r, struct json line)
{
	for (unsigned int i = 0; i < r->n_by; i++) {
		const struct diff_member *m;
		struct json v;

		if (!strcmp(r->by[i], "stack") || !json_member(line, r->by[i], &v) || *v.s == '[')
			continue;
		m = diff_key_member(r, r->by[i]);
		if (m)
			diff_key(r, m, v);
	}
}

static bool asked(const struct diff_reader *r, const char *name)
{
	for (unsigned int i = 0; i < r->n_by; i++)
		if (!strcmp(r->by[i], name))
			return true;
	return false;
}

static int add_to(struct diff_reader *r, enum diff_side side, enum diff_kind kind,
		  const struct diff_member *m, const char *name, size_t n, uint64_t value)
{
	const size_t key = r->key.n;
	const int measure = diff_measure(&r->table, kind == DIFF_PART ? "with_callees" : "own",
					 r->unit, kind, false);
	int result;

	if (m)
		diff_key_text(r, m, name, n);
	result = measure < 0 ? 0 : diff_add(r, side, measure, (double)value);
	r->key.n = key;
	return result;
}

/* Of a function that calls itself only the first frame counts. */
static bool is_first(const struct diff_reader *r, const struct stack *s, unsigned int i)
{
	for (unsigned int j = s->first; j < i; j++)
		if (s->list[j].n == s->list[i].n &&
		    !memcmp(r->text.s + s->list[j].at, r->text.s + s->list[i].at, s->list[i].n))
			return false;
	return true;
}

static int add_functions(struct diff_reader *r, enum diff_side side, const struct stack *s,
			 uint64_t value)
{
	const struct diff_member *m = diff_key_member(r, "function");

	if (!m)
		return 0;
	if (s->own < 0)
		return add_to(r, side, DIFF_SUM, m, "[no stack]", 10, value);
	if (add_to(r, side, DIFF_SUM, m, r->text.s + s->list[s->own].at, s->list[s->own].n, value))
		return -1;
	for (unsigned int i = s->first; i <= (unsigned int)s->own; i++)
		if (is_first(r, s, i) &&
		    add_to(r, side, DIFF_PART, m, r->text.s + s->list[i].at, s->list[i].n, value))
			return -1;
	return 0;
}

static int add_whole(struct diff_reader *r, enum diff_side side, const struct stack *s,
		     uint64_t value)
{
	const struct diff_member *m = asked(r, "stack") ? diff_key_member(r, "stack") : NULL;
	char text[DIFF_KEY_TEXT];
	struct strbuf folded = strbuf_over(text, sizeof(text));

	for (unsigned int i = 0; m && i < s->n; i++) {
		strbuf_add(&folded, ";", i > 0);
		strbuf_add(&folded, r->text.s + s->list[i].at, s->list[i].n);
	}
	return add_to(r, side, DIFF_SUM, m, text, folded.n, value);
}

static int draw(struct diff_reader *r, enum diff_side side, const struct stack *s, uint64_t value)
{
	struct flame_frame frames[FRAMES];

	for (unsigned int i = 0; i < s->n; i++)
		frames[i] = (struct flame_frame){ r->text.s + s->list[i].at, s->list[i].n,
						  s->list[i].kind };
	return flame_add(r->flame, side == DIFF_OLD ? FLAME_OLD : FLAME_NEW, frames, s->n, value,
			 r->err);
}

int diff_stack_line(struct diff_reader *r, enum diff_side side, struct json line)
{
	struct stack s = { };
	uint64_t value;

	r->lines[side]++;
	r->text.n = 0;
	if (!value_of(r, line, &value))
		return 0;
	r->stacks[side]++;
	put_stack(r, &s, line);
	if (r->text.cut)
		return fail(r->err, "out of memory");
	if (r->flame && draw(r, side, &s, value))
		return -1;
	begin_key(r, line);
	if (r->n_by && !asked(r, "function"))
		return add_whole(r, side, &s, value);
	return add_functions(r, side, &s, value);
}
