// SPDX-License-Identifier: GPL-2.0
/* Compiles an expression: makes its steps. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compat/expressions/steps.h"

#define STEPS_MOST 8192
#define NESTED_MOST 100
#define REPEAT_MOST 1000

struct parser {
	struct expression *e;
	const char *at;			/* the rest of the text */
	bool failed;
	struct error *err;
};

/* ---- making steps ---- */

static void wrong(struct parser *p, const char *why)
{
	if (!p->failed)
		fail(p->err, "%s", why);
	p->failed = true;
}

/* Makes room for n steps at the index `at`. Returns false on failure. */
static bool make_room(struct parser *p, unsigned int at, unsigned int n)
{
	struct step *grown;

	if (p->failed || !n)
		return !p->failed;
	if (p->e->n + n > STEPS_MOST) {
		wrong(p, "it is too long");
		return false;
	}
	grown = realloc(p->e->steps, (p->e->n + n) * sizeof(*grown));
	if (!grown) {
		wrong(p, "out of memory");
		return false;
	}
	p->e->steps = grown;
	memmove(grown + at + n, grown + at, (p->e->n - at) * sizeof(*grown));
	p->e->n += n;
	return true;
}

static void insert(struct parser *p, unsigned int at, struct step step)
{
	if (make_room(p, at, 1))
		p->e->steps[at] = step;
}

static void add(struct parser *p, struct step step)
{
	insert(p, p->e->n, step);
}

static void add_kind(struct parser *p, enum step_kind kind)
{
	add(p, (struct step){ .kind = kind });
}

static void add_character(struct parser *p, char c)
{
	add(p, (struct step){ .kind = STEP_CHARACTER, .character = (uint8_t)c });
}

static void set_add(struct set *s, unsigned int c)
{
	s->bits[c / 8] |= (uint8_t)(1u << c % 8);
}

static void add_set(struct parser *p, const struct set *s, bool negated)
{
	struct set *grown = realloc(p->e->sets, (p->e->n_sets + 1) * sizeof(*grown));

	if (!grown) {
		wrong(p, "out of memory");
		return;
	}
	p->e->sets = grown;
	grown[p->e->n_sets] = *s;
	for (unsigned int i = 0; negated && i < sizeof(s->bits); i++)
		grown[p->e->n_sets].bits[i] ^= 0xff;
	add(p, (struct step){ .kind = STEP_SET, .set = (uint16_t)p->e->n_sets++ });
}

/* ---- [...] ---- */

bool is_word(int c)
{
	return isalnum(c) || c == '_';
}

static const struct {
	const char *name;
	int (*has)(int c);
} classes[] = {
	{ "alnum", isalnum }, { "alpha", isalpha }, { "blank", isblank }, { "cntrl", iscntrl },
	{ "digit", isdigit }, { "graph", isgraph }, { "lower", islower }, { "print", isprint },
	{ "punct", ispunct }, { "space", isspace }, { "upper", isupper }, { "xdigit", isxdigit },
};

static void add_class(struct parser *p, struct set *s)
{
	const char *end = strstr(p->at, ":]");

	for (unsigned int i = 0; end && i < sizeof(classes) / sizeof(*classes); i++) {
		if (strlen(classes[i].name) != (size_t)(end - p->at) ||
		    memcmp(p->at, classes[i].name, (size_t)(end - p->at)))
			continue;
		for (int c = 0; c < 128; c++)
			if (classes[i].has(c))
				set_add(s, (unsigned int)c);
		p->at = end + 2;
		return;
	}
	wrong(p, "a class of characters, as [:digit:], is unknown");
}

/*
 * Takes a character of a set, also as [.c.] or [=c=]. Returns false if a class of characters was
 * added instead, or on failure.
 */
static bool take_member(struct parser *p, struct set *s, bool escapes, uint8_t *c)
{
	char kind = p->at[1];

	if (*p->at == '[' && kind == ':') {
		p->at += 2;
		add_class(p, s);
		return false;
	}
	if (*p->at == '[' && (kind == '.' || kind == '=')) {
		if (!p->at[2] || p->at[3] != kind || p->at[4] != ']') {
			wrong(p, "a character, as [.-.], is unknown");
			return false;
		}
		*c = (uint8_t)p->at[2];
		p->at += 5;
		return true;
	}
	p->at += escapes && *p->at == '\\' && p->at[1];
	if (*p->at)
		*c = (uint8_t)*p->at++;
	return true;
}

/* Returns false if the set has no end; then it made no step. */
static bool take_set(struct parser *p, bool glob)
{
	struct set s = { };
	bool negated = *p->at == '^' || (glob && *p->at == '!');
	uint8_t first = 0, last;

	p->at += negated;
	for (bool begun = false; !p->failed && *p->at && (*p->at != ']' || !begun); begun = true) {
		if (!take_member(p, &s, glob, &first))
			continue;
		last = first;
		if (*p->at == '-' && p->at[1] && p->at[1] != ']') {
			p->at++;
			if (!take_member(p, &s, glob, &last))
				wrong(p, "a range ends with a class of characters");
		}
		if (last < first)
			wrong(p, "a range, as a-z, ends before it begins");
		for (unsigned int c = first; c <= last; c++)
			set_add(&s, c);
	}
	if (!*p->at)
		return false;
	p->at++;
	add_set(p, &s, negated);
	return true;
}

/* ---- regular expressions ---- */

static void take_alternatives(struct parser *p, unsigned int nested);

static void add_letters(struct parser *p, int (*has)(int), bool negated)
{
	struct set s = { };

	for (int c = 0; c < 128; c++)
		if (has ? has(c) : is_word(c))
			set_add(&s, (unsigned int)c);
	add_set(p, &s, negated);
}

/* Takes the character behind a backslash. Returns true if it can't be repeated. */
static bool take_escape(struct parser *p)
{
	static const char places[] = "bB<>`'";
	static const enum step_kind kinds[] = {
		STEP_EDGE, STEP_NO_EDGE, STEP_WORD_BEGIN, STEP_WORD_END, STEP_BEGIN, STEP_END,
	};
	char c = *p->at;
	const char *place = c ? strchr(places, c) : NULL;

	if (!c) {
		wrong(p, "a \\ has nothing behind it");
		return false;
	}
	p->at++;
	if (place) {
		add_kind(p, kinds[place - places]);
		return true;
	}
	if (c == 'w' || c == 'W')
		add_letters(p, NULL, c == 'W');
	else if (c == 's' || c == 'S')
		add_letters(p, isspace, c == 'S');
	else if (c >= '1' && c <= '9')
		wrong(p, "references back, as \\1, are not supported");
	else
		add_character(p, c);
	return false;
}

/* Takes an atom: a character, a set, a place or a group. Returns true if it can't be repeated. */
static bool take_atom(struct parser *p, unsigned int nested)
{
	char c = *p->at++;

	switch (c) {
	case '(':
		take_alternatives(p, nested + 1);
		if (*p->at != ')')
			wrong(p, "a ( has no )");
		else
			p->at++;
		return false;
	case '*':
	case '+':
	case '?':
	case '{':
		wrong(p, "before a *, +, ? or { is nothing to repeat");
		return false;
	case '.':
		add_kind(p, STEP_ANY);
		return false;
	case '[':
		if (!take_set(p, false))
			wrong(p, "a [ has no ]");
		return false;
	case '^':
	case '$':
		add_kind(p, c == '^' ? STEP_BEGIN : STEP_END);
		return true;
	case '\\':
		return take_escape(p);
	}
	add_character(p, c);
	return false;
}

static bool take_count(struct parser *p, unsigned int *n)
{
	if (!isdigit((unsigned char)*p->at))
		return false;
	for (*n = 0; isdigit((unsigned char)*p->at); p->at++)
		*n = *n > REPEAT_MOST ? *n : *n * 10 + (unsigned int)(*p->at - '0');
	return true;
}

static void repeat_any(struct parser *p, unsigned int from)
{
	const int n = (int)(p->e->n - from);

	insert(p, from, (struct step){ .kind = STEP_EITHER, .to = 1, .other = (int16_t)(n + 2) });
	add(p, (struct step){ .kind = STEP_JUMP, .to = (int16_t)-(n + 1) });
}

static void make_optional(struct parser *p, unsigned int from)
{
	const int n = (int)(p->e->n - from);

	insert(p, from, (struct step){ .kind = STEP_EITHER, .to = 1, .other = (int16_t)(n + 1) });
}

/* Copies the n steps at `from` behind the last step. Returns the index of the copy. */
static unsigned int copy(struct parser *p, unsigned int from, unsigned int n)
{
	const unsigned int at = p->e->n;

	if (n && make_room(p, at, n))
		memmove(p->e->steps + at, p->e->steps + from, n * sizeof(*p->e->steps));
	return at;
}

static void repeat(struct parser *p, unsigned int from, unsigned int least, unsigned int most,
		   bool endless)
{
	const unsigned int n = p->e->n - from;
	unsigned int made = from;

	/*
	 * The first repetition is there already. The others are copied from it before it changes.
	 */
	for (unsigned int i = 1; !p->failed && i < (endless ? least + !least : most); i++) {
		made = copy(p, from, n);
		if (i >= least && !endless)
			make_optional(p, made);
	}
	if (p->failed)
		return;
	if (endless)
		repeat_any(p, made);
	if (endless && least) {			/* one required, any number behind it */
		made = p->e->n - n - 2;
		make_room(p, made, n);
		if (!p->failed)
			memcpy(p->e->steps + made, p->e->steps + made + n + 1,
			       n * sizeof(*p->e->steps));
	} else if (!endless && !most) {
		p->e->n = from;
	} else if (!endless && !least) {
		make_optional(p, from);
	}
}

static void take_interval(struct parser *p, unsigned int from)
{
	unsigned int least = 0, most;
	bool some = take_count(p, &least), endless = false;

	most = least;
	if (*p->at == ',') {
		p->at++;
		endless = !take_count(p, &most);
	} else if (!some) {
		wrong(p, "behind a { is no number");
	}
	if (*p->at != '}')
		wrong(p, "a { has no }, or there is more than numbers in it");
	else if (!endless && most < least)
		wrong(p, "in {M,N} M is larger than N");
	else if (least > REPEAT_MOST || (!endless && most > REPEAT_MOST))
		wrong(p, "in {M,N} a number is larger than 1000");
	if (p->failed)
		return;
	p->at++;
	repeat(p, from, least, most, endless);
}

static void take_piece(struct parser *p, unsigned int nested)
{
	const unsigned int from = p->e->n;

	if (take_atom(p, nested))
		return;
	while (!p->failed && *p->at && strchr("*+?{", *p->at)) {
		switch (*p->at++) {
		case '*':
			repeat_any(p, from);
			break;
		case '+':
			add(p, (struct step){ .kind = STEP_EITHER, .other = 1,
					      .to = (int16_t)-(int)(p->e->n - from) });
			break;
		case '?':
			make_optional(p, from);
			break;
		case '{':
			take_interval(p, from);
		}
	}
}

/*
 * Before each alternative but the last is a choice: this alternative, or the next ones. Behind it
 * is a jump behind all alternatives.
 */
static void take_alternatives(struct parser *p, unsigned int nested)
{
	unsigned int from = p->e->n, jumps = 0, n_jumps = 0;

	if (nested > NESTED_MOST)
		wrong(p, "too many ( within each other");
	while (!p->failed && *p->at && (*p->at != ')' || !nested)) {
		if (*p->at != '|') {
			take_piece(p, nested);
			continue;
		}
		p->at++;
		insert(p, from, (struct step){ .kind = STEP_EITHER, .to = 1,
					       .other = (int16_t)(p->e->n - from + 2) });
		/*
		 * `to` is the index of the jump before, until the end of the last alternative is
		 * known.
		 */
		add(p, (struct step){ .kind = STEP_JUMP, .to = (int16_t)jumps });
		jumps = p->e->n - 1;
		n_jumps++;
		from = p->e->n;
	}
	for (; !p->failed && n_jumps; n_jumps--) {
		struct step *s = &p->e->steps[jumps];
		const unsigned int before = (unsigned int)s->to;

		s->to = (int16_t)(p->e->n - jumps);
		jumps = before;
	}
}

/* ---- patterns of file names ---- */

static void take_glob(struct parser *p)
{
	unsigned int from;

	add_kind(p, STEP_BEGIN);
	while (!p->failed && *p->at) {
		const char c = *p->at++, *begin = p->at;

		switch (c) {
		case '*':
			from = p->e->n;
			add_kind(p, STEP_ANY);
			repeat_any(p, from);
			break;
		case '?':
			add_kind(p, STEP_ANY);
			break;
		case '[':
			if (take_set(p, true) || p->failed)
				break;
			p->at = begin;		/* a shell then takes [ as a character */
			add_character(p, c);
			break;
		default:
			add_character(p, c == '\\' && *p->at ? *p->at++ : c);
		}
	}
	add_kind(p, STEP_END);
}

/* ---- both ---- */

static void make_lists(struct parser *p)
{
	struct expression *e = p->e;

	e->now = calloc(e->n, sizeof(*e->now));
	e->next = calloc(e->n, sizeof(*e->next));
	e->look = calloc(e->n, sizeof(*e->look));
	e->seen = calloc(e->n, sizeof(*e->seen));
	if (!e->now || !e->next || !e->look || !e->seen)
		wrong(p, "out of memory");
}

static struct expression *make(const char *text, bool glob, struct error *err)
{
	struct parser p = { .e = calloc(1, sizeof(*p.e)), .at = text, .err = err };

	if (!p.e)
		wrong(&p, "out of memory");
	else if (glob)
		take_glob(&p);
	else
		take_alternatives(&p, 0);
	add_kind(&p, STEP_MATCH);
	if (!p.failed)
		make_lists(&p);
	if (!p.failed)
		return p.e;
	expression_free(p.e);
	return NULL;
}

struct expression *expression_new(const char *regex, struct error *err)
{
	return make(regex, false, err);
}

struct expression *expression_of_glob(const char *glob, struct error *err)
{
	return make(glob, true, err);
}

void expression_free(struct expression *e)
{
	if (!e)
		return;
	free(e->steps);
	free(e->sets);
	free(e->now);
	free(e->next);
	free(e->look);
	free(e->seen);
	free(e);
}
