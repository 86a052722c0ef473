// SPDX-License-Identifier: GPL-2.0
#include "compat/kernel/format.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * The format of one event as text:
 *
 *	name: sched_switch
 *	ID: 316
 *	format:
 *		field:unsigned short common_type;	offset:0;	size:2;	signed:0;
 *		...
 *	print fmt: "prev_comm=%s ...", REC->prev_comm, ...
 *
 * A text without its print format was cut off. Half a description would misread records, so such a
 * text is refused.
 */

/* No record is larger: a record of perf has at most 8 KB, a record of ftrace at most a page. */
#define RECORD_MAX 65536
/* No event has nearly as many fields. */
#define FIELDS_MAX 512

struct text {
	const char *at, *end;
};

/* Takes the next line, without its newline. Returns false at the end. */
static bool next_line(struct text *t, struct text *line)
{
	const char *newline;

	if (t->at >= t->end)
		return false;
	newline = memchr(t->at, '\n', t->end - t->at);
	line->at = t->at;
	line->end = newline ? newline : t->end;
	t->at = newline ? newline + 1 : t->end;
	return true;
}

static bool skip_prefix(struct text *t, const char *prefix)
{
	size_t length = strlen(prefix);

	if ((size_t)(t->end - t->at) < length || memcmp(t->at, prefix, length) != 0)
		return false;
	t->at += length;
	return true;
}

static void skip_space(struct text *t)
{
	while (t->at < t->end && isspace((unsigned char)*t->at))
		t->at++;
}

static void cut_space(struct text *t)
{
	skip_space(t);
	while (t->end > t->at && isspace((unsigned char)t->end[-1]))
		t->end--;
}

/* Takes a decimal number up to max. */
static bool take_number(struct text *t, uint32_t max, uint32_t *value)
{
	uint64_t n = 0;
	const char *start = t->at;

	for (; t->at < t->end && isdigit((unsigned char)*t->at); t->at++) {
		n = n * 10 + (*t->at - '0');
		if (n > max)
			return false;
	}
	*value = n;
	return t->at > start;
}

/* Takes space, `key`, a number and a semicolon: "	offset:8;". */
static bool take_property(struct text *t, const char *key, uint32_t max, uint32_t *value)
{
	skip_space(t);
	return skip_prefix(t, key) && take_number(t, max, value) && skip_prefix(t, ";");
}

/* Copies text without the space around it. Returns false if the text is empty or too long. */
static bool copy_text(char *to, size_t size, struct text t)
{
	size_t length;

	cut_space(&t);
	length = t.end - t.at;
	if (!length || length >= size || memchr(t.at, 0, length))
		return false;
	memcpy(to, t.at, length);
	to[length] = 0;
	return true;
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/*
 * Takes a C declaration apart: "char comm[16]", "__data_loc char[] name", "const char * filename".
 * Returns false if there is no name at its end, or if the name is too long.
 */
static bool parse_declaration(struct text t, struct field *f)
{
	struct text name, type;
	const char *bracket;
	bool relative;

	cut_space(&t);
	f->is_data_loc = skip_prefix(&t, "__data_loc ");
	/*
	 * A __rel_loc has an offset from the end of its own field, unlike a __data_loc. So
	 * `__rel_loc` stays in the type.
	 */
	relative = !f->is_data_loc && (size_t)(t.end - t.at) > 10 &&
		memcmp(t.at, "__rel_loc ", 10) == 0;

	bracket = memchr(t.at, '[', t.end - t.at);
	f->is_array = bracket && !relative;
	name = t;
	if (bracket && t.end[-1] == ']')
		name.end = bracket;
	cut_space(&name);
	while (name.at < name.end && is_name(name.end[-1]))
		name.end--;
	type.at = t.at;
	type.end = name.end;
	name.at = name.end;
	name.end = bracket && t.end[-1] == ']' ? bracket : t.end;
	if (!copy_text(f->name, sizeof(f->name), name) || isdigit((unsigned char)f->name[0]))
		return false;
	if (bracket && bracket < type.end)	/* char[] of a data_loc */
		type.end = bracket;
	cut_space(&type);
	if ((size_t)(type.end - type.at) >= sizeof(f->type))
		type.end = type.at + sizeof(f->type) - 1;
	return copy_text(f->type, sizeof(f->type), type);
}

enum parsed { PARSED, SKIPPED, BROKEN };

/* Parses a line behind "field:". SKIPPED: the declaration has no usable name. */
static enum parsed parse_field(struct text line, struct field *f)
{
	struct text declaration = line;
	uint32_t is_signed;

	declaration.end = memchr(line.at, ';', line.end - line.at);
	if (!declaration.end)
		return BROKEN;
	line.at = declaration.end + 1;
	if (!take_property(&line, "offset:", RECORD_MAX, &f->offset) ||
	    !take_property(&line, "size:", RECORD_MAX, &f->size) ||
	    !take_property(&line, "signed:", 1, &is_signed))
		return BROKEN;
	f->is_signed = is_signed;
	if (!parse_declaration(declaration, f))
		return SKIPPED;
	if (f->is_data_loc && f->size != 4)
		return BROKEN;
	return PARSED;
}

static bool add_field(struct format *f, struct text line)
{
	struct field field = { 0 }, *fields;

	switch (parse_field(line, &field)) {
	case BROKEN:
		return false;
	case SKIPPED:
		return true;
	case PARSED:
		break;
	}
	if (f->n_fields == FIELDS_MAX)
		return false;
	if (f->n_fields % 16 == 0) {
		fields = realloc(f->fields, (f->n_fields + 16) * sizeof(*fields));
		if (!fields)
			return false;
		f->fields = fields;
	}
	f->fields[f->n_fields++] = field;
	return true;
}

static bool parse_line(struct format *f, struct text line)
{
	uint32_t id;

	skip_space(&line);
	if (skip_prefix(&line, "field:"))
		return add_field(f, line);
	if (skip_prefix(&line, "name:"))
		return copy_text(f->event, sizeof(f->event), line);
	if (skip_prefix(&line, "ID:")) {
		skip_space(&line);
		if (!take_number(&line, 0x7fffffff, &id))
			return false;
		f->id = id;
		return true;
	}
	if (skip_prefix(&line, "print fmt:") && !f->print) {
		cut_space(&line);
		if (memchr(line.at, 0, line.end - line.at))
			return false;
		f->print = strndup(line.at, line.end - line.at);
		return f->print != NULL;
	}
	return true;
}

struct format *format_parse(const char *system, const char *text, size_t length)
{
	struct text t = { text, text + length }, line;
	struct format *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->id = -1;
	if (strlen(system) >= sizeof(f->system))
		goto broken;
	strcpy(f->system, system);
	while (next_line(&t, &line))
		if (!parse_line(f, line))
			goto broken;
	if (!f->event[0] || f->id < 0 || !f->n_fields || !f->print)
		goto broken;
	return f;

broken:
	format_free(f);
	return NULL;
}

void format_free(struct format *f)
{
	if (!f)
		return;
	free(f->fields);
	free(f->print);
	free(f);
}

const struct field *format_field(const struct format *f, const char *name)
{
	for (unsigned int i = 0; i < f->n_fields; i++)
		if (strcmp(f->fields[i].name, name) == 0)
			return &f->fields[i];
	return NULL;
}

/* What is called, and where something happened: work, timers, packets that are dropped, memory. */
bool format_field_is_code(const struct field *f)
{
	static const char *const names[] = {
		"function", "location", "call_site", "func", "ip", "caller", "caller_ip",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(f->name, names[i]))
			return f->size == sizeof(long) && !f->is_array && !f->is_data_loc;
	return false;
}

/*
 * Integer constants joined by | & << + - and parentheses, with C's precedence. The kernel's macros
 * become such expressions in a print format. LEVEL_OR binds least; operators of one level bind to
 * the left.
 */
struct expression {
	const char *at;
	unsigned int depth;
	bool broken;
};

enum level { LEVEL_OR, LEVEL_AND, LEVEL_SHIFT, LEVEL_SUM, LEVEL_PRIMARY };

#define DEPTH_MAX 64

static uint64_t evaluate(struct expression *e, enum level level);

static void blank(struct expression *e)
{
	while (*e->at == ' ')
		e->at++;
}

static uint64_t broken(struct expression *e)
{
	e->broken = true;
	return 0;
}

static uint64_t primary(struct expression *e)
{
	uint64_t value;
	char *end;

	blank(e);
	if (*e->at == '(') {
		if (++e->depth > DEPTH_MAX)
			return broken(e);
		e->at++;
		value = evaluate(e, LEVEL_OR);
		blank(e);
		if (*e->at != ')')
			return broken(e);
		e->at++;
		e->depth--;
		return value;
	}
	if (!isdigit((unsigned char)*e->at))
		return broken(e);
	value = strtoull(e->at, &end, 0);
	e->at = end;
	while (*e->at == 'U' || *e->at == 'L' || *e->at == 'u' || *e->at == 'l')
		e->at++;
	return is_name(*e->at) ? broken(e) : value;
}

/* Takes the next character if it is an operator of this level. Otherwise returns 0. */
static char operator(struct expression *e, enum level level)
{
	static const char *const operators[] = {
		[LEVEL_OR] = "|", [LEVEL_AND] = "&", [LEVEL_SHIFT] = "<", [LEVEL_SUM] = "+-",
	};
	char c;

	blank(e);
	c = *e->at;
	if (!c || !strchr(operators[level], c))
		return 0;
	if (c == '<' && e->at[1] != '<')
		return 0;
	if ((c == '|' || c == '&') && e->at[1] == c)
		return 0;
	e->at += c == '<' ? 2 : 1;
	return c;
}

static uint64_t evaluate(struct expression *e, enum level level)
{
	uint64_t left, right;
	char c;

	if (level == LEVEL_PRIMARY)
		return primary(e);
	left = evaluate(e, level + 1);
	while (!e->broken && (c = operator(e, level))) {
		right = evaluate(e, level + 1);
		switch (c) {
		case '|': left |= right; break;
		case '&': left &= right; break;
		case '+': left += right; break;
		case '-': left -= right; break;
		case '<': left = right < 64 ? left << right : broken(e); break;
		}
	}
	return left;
}

uint64_t format_preempted_bit(const struct format *sched_switch)
{
	static const char state[] = "REC->prev_state &";
	const char *plus = strstr(sched_switch->print, "? \"+\""), *found = NULL;
	struct expression e = { 0 };
	uint64_t bit;

	/* Finds the last test of prev_state before the "+". */
	for (const char *p = sched_switch->print; plus && (p = strstr(p, state)) && p < plus; p++)
		found = p;
	if (!found)
		return 0;
	e.at = found + sizeof(state) - 1;
	bit = evaluate(&e, LEVEL_OR);
	while (*e.at == ' ' || *e.at == ')')	/* its ( may be before REC */
		e.at++;
	if (e.broken || e.at != plus || (bit & (bit - 1)))
		return 0;
	return bit;
}
