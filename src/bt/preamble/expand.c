// SPDX-License-Identifier: GPL-2.0
/* Macros become the text that they are for. Each piece of the new text knows where it is from. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "src/bt/preamble/expand.h"
#include "src/bt/preamble/preamble.h"
#include "src/bt/text/text.h"
#include "src/language/types/members.h"

#define NESTED 16			/* macros in macros */

/* A macro that is being expanded. */
struct call {
	const struct call *outer;	/* where its arguments are from; NULL: the script */
	const struct bt_macro *macro;	/* NULL: a macro of C's */
	struct range arguments[BT_PARAMETERS];
	char suffix[16];		/* of the names of its own variables */
	unsigned int depth;
};

static int expand(struct writer *w, struct range text, const struct call *in);

/* ---- writing ---- */

int expand_put(struct writer *w, const char *p, size_t n)
{
	struct bt *b = w->b;
	const struct bt_piece *last = b->n_pieces ? &b->pieces[b->n_pieces - 1] : NULL;
	const struct bt_piece new = {
		.at = w->n, .from = (size_t)((w->fixed ? w->fixed : p) - w->script),
		.fixed = w->fixed != NULL,
	};
	const bool same = last && last->fixed == new.fixed &&
			  last->from + (new.fixed ? 0 : new.at - last->at) == new.from;

	if (n > BT_SCRIPT_MOST - w->n)
		return fail(w->err, "ERROR: with its macros the script has more than %d letters",
			    BT_SCRIPT_MOST);
	if (!same) {
		if (array_room(&b->pieces, b->n_pieces, sizeof(*b->pieces)))
			return fail(w->err, "out of memory");
		b->pieces[b->n_pieces++] = new;
	}
	memcpy(w->to + w->n, p, n);
	w->n += n;
	return 0;
}

int expand_own(struct writer *w, const char *s, const char *at)
{
	const char *const before = w->fixed;
	int result;

	w->fixed = before ? before : at;
	result = expand_put(w, s, strlen(s));
	w->fixed = before;
	return result;
}

/* ---- letters ---- */

const char *range_name_end(const char *p)
{
	for (p++; bt_is_letter(*p); p++)
		;
	return p;
}

const char *range_blanks(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return p;
}

bool range_is(const char *p, const char *end, const char *name)
{
	return strlen(name) == (size_t)(end - p) && !memcmp(p, name, (size_t)(end - p));
}

const char *range_find(struct range text, const char *letters)
{
	unsigned int depth = 0;
	const char *p = text.at;

	while (p < text.end) {
		if (!depth && strchr(letters, *p))
			return p;
		depth += strchr("([{", *p) != NULL;
		depth -= strchr(")]}", *p) && depth;
		p = *p == '"' ? bt_text_end(p) : p + 1;
	}
	return text.end;
}

struct range range_trimmed(struct range r)
{
	r.at = range_blanks(r.at, r.end);
	while (r.end > r.at && isspace((unsigned char)r.end[-1]))
		r.end--;
	return r;
}

/* The last letter that was written and is no blank, and the letter before it. */
static char last(const struct writer *w, char *before)
{
	size_t n = w->n;

	while (n && isspace((unsigned char)w->to[n - 1]))
		n--;
	*before = n > 1 ? w->to[n - 2] : 0;
	return n ? w->to[n - 1] : 0;
}

/* The name is behind `.` or `->`; not behind the dots of a range. */
static bool is_member(const struct writer *w)
{
	char before;
	const char c = last(w, &before);

	return (c == '.' && before != '.') || (c == '>' && before == '-');
}

/* ---- macros of the script ---- */

bool range_is_single(struct range r)
{
	static const char type[] = "typeof(";
	const size_t n = strlen(type);

	if ((size_t)(r.end - r.at) > n && !strncmp(r.at, type, n))
		return range_find((struct range){ r.at + n, r.end }, ")") + 1 == r.end;
	return *r.at == '"' ? bt_text_end(r.at) == r.end :
	       (bt_is_letter(*r.at) || strchr("@$", *r.at)) && range_name_end(r.at) == r.end;
}

/* Checks an argument by the parameter's first letter. */
static int check(struct writer *w, const struct bt_macro *m, unsigned int i, struct range r)
{
	const char kind = m->is_function ? 0 : *m->parameters[i];

	if (r.at == r.end)
		return AT(w, r.at, "an argument of %s is missing here", m->name);
	if ((kind == '$' || kind == '@') && (*r.at != kind || !range_is_single(r)))
		return AT(w, r.at, "%s wants %s here, for its %s", m->name,
			  kind == '$' ? "a variable" : "a map without a key", m->parameters[i]);
	return 0;
}

static int wrong_number(struct writer *w, const char *at, const struct bt_macro *m)
{
	return AT(w, at, "%s has %u argument%s", m->name, m->n, m->n == 1 ? "" : "s");
}

/* Reads the arguments behind the bracket at `open`, up to `close`. */
static int arguments(struct writer *w, const char *open, const char *close, struct call *c)
{
	const char *p = open + 1, *comma;
	unsigned int n = 0;

	if (*close != ')')
		return AT(w, open, "this bracket does not end");
	for (; range_blanks(p, close) < close || n; p = comma + 1) {
		comma = range_find((struct range){ p, close }, ",");
		if (n == c->macro->n)
			return wrong_number(w, range_blanks(p, close), c->macro);
		c->arguments[n] = range_trimmed((struct range){ p, comma });
		if (check(w, c->macro, n, c->arguments[n]))
			return -1;
		n++;
		if (comma == close)
			break;
	}
	return n < c->macro->n ? wrong_number(w, close, c->macro) : 0;
}

/* The body is a value: it has no statements. */
static bool is_value(const struct bt_macro *m, struct range body)
{
	return !m->is_function && range_find(body, ";{") == body.end;
}

static int put_part(struct writer *w, const struct bt_part *p)
{
	return expand_put(w, w->script + p->at, p->end - p->at);
}

/* let $PARAMETER : TYPE = ARGUMENT; for each parameter of a function */
static int put_parameters(struct writer *w, const char *at, const struct call *c)
{
	const struct bt_macro *m = c->macro;

	for (unsigned int i = 0; m->is_function && i < m->n; i++)
		if (expand_own(w, "let ", at) || expand_own(w, m->parameters[i], at) ||
		    expand_own(w, c->suffix, at) || expand_own(w, " : ", at) ||
		    put_part(w, &m->types[i]) || expand_own(w, " = ", at) ||
		    expand(w, c->arguments[i], c->outer) || expand_own(w, "; ", at))
			return -1;
	return 0;
}

/* The value of a function, with its type if that is a number's; a statement drops it. */
static int put_value(struct writer *w, const char *at, const struct call *c, bool statement)
{
	const struct bt_macro *m = c->macro;
	const char *type = w->script + m->type.at;
	const bool number = !strncmp(type, "int", 3) || !strncmp(type, "uint", 4);

	if (!m->value.end)
		return 0;
	if (statement && (expand_own(w, "$fn", at) || expand_own(w, c->suffix, at) ||
			  expand_own(w, " = ", at)))
		return -1;
	if (number && (expand_own(w, "(", at) || put_part(w, &m->type) || expand_own(w, ")", at)))
		return -1;
	return expand_own(w, "(", at) ||
	       expand(w, (struct range){ w->script + m->value.at, w->script + m->value.end }, c) ||
	       expand_own(w, statement ? ");" : ")", at) ? -1 : 0;
}

/*
 * The call is from `at` to `end`. As a statement the body is a block, as a value it is in (), and
 * if it has statements in ({}).
 */
static int expand_macro(struct writer *w, const char *at, const char *end, const char *limit,
			struct call *c)
{
	const struct bt_macro *m = c->macro;
	const struct range all = { w->script + m->at, w->script + m->end },
			   body = range_trimmed(all);
	const char *const before = w->fixed;
	char unused;
	const char c_last = last(w, &unused);
	const char *const behind = range_blanks(end, limit);
	const bool statement = strchr("{};", c_last) && (behind == limit || strchr(";}", *behind)),
		   block = !statement && !is_value(m, body);
	int result;

	if (c->depth > NESTED)
		return AT(w, at, "%s is nested too deeply: does it contain itself?", m->name);
	snprintf(c->suffix, sizeof(c->suffix), "__%u", ++w->calls);
	if (expand_own(w, statement ? "{ " : block ? "({ " : "(", at))
		return -1;
	w->fixed = NULL;
	result = put_parameters(w, at, c) || expand(w, body, c) || put_value(w, at, c, statement);
	w->fixed = before;
	return result || expand_own(w, statement ? " }" : block ? " })" : ")", at) ? -1 : 0;
}

/* *end moves behind the arguments. Returns 1 if the name was a macro's; -1: err is set. */
static int macro(struct writer *w, const char *p, const char **end, const char *limit,
		 const struct call *in)
{
	const char *open = range_blanks(*end, limit);

	for (unsigned int i = 0; i < w->b->n_macros; i++) {
		struct call c = { .outer = in, .macro = &w->b->macros[i],
				  .depth = in ? in->depth + 1 : 1 };

		if (!range_is(p, *end, c.macro->name))
			continue;
		if (open < limit && *open == '(') {
			const char *close = range_find((struct range){ open + 1, limit }, ")");

			if (arguments(w, open, close, &c))
				return -1;
			*end = close + 1;
		} else if (c.macro->n) {
			return wrong_number(w, p, c.macro);
		}
		return expand_macro(w, p, *end, limit, &c) ? -1 : 1;
	}
	return 0;
}

/* An argument is what the caller wrote. A value keeps together. */
static int argument(struct writer *w, const char *p, struct range r, const struct call *in)
{
	const bool alone = range_is_single(r);

	return (!alone && expand_own(w, "(", p)) || expand(w, r, in->outer) ||
	       (!alone && expand_own(w, ")", p)) ? -1 : 0;
}

/* A name in a macro's body: a parameter, or a variable of its own. Returns 1 if it was one. */
static int inner_name(struct writer *w, const char *p, const char *end, const struct call *in)
{
	for (unsigned int i = 0; !in->macro->is_function && i < in->macro->n; i++)
		if (range_is(p, end, in->macro->parameters[i]))
			return argument(w, p, in->arguments[i], in) ? -1 : 1;
	if (*p == '@' && in->macro->is_function)
		return 0;
	if (*p == '@')
		return AT(w, p, "a macro knows the maps of its arguments only: %s(..., %.*s)",
			  in->macro->name, (int)(end - p), p);
	if (*p != '$' || (!isalpha((unsigned char)p[1]) && p[1] != '_'))
		return 0;
	return expand_put(w, p, (size_t)(end - p)) || expand_own(w, in->suffix, p) ? -1 : 1;
}

/* ---- C's macros ---- */

/* A macro that is no number. Returns 1 if the name was one's; -1: err is set. */
static int define(struct writer *w, const char *p, const char *end, const struct call *in)
{
	struct call c = { .outer = in, .depth = in ? in->depth + 1 : 1 };
	const char *const before = w->fixed;
	struct range text = { p, end };
	const int found = types_macro(w->b->script.types, p, (size_t)(end - p), &text.at,
				      &text.end);
	int result;

	if (found < 0)
		return AT(w, before ? before : p, "%.*s is a macro of C's with arguments: write "
			  "it as `macro NAME(argument) { VALUE }`", (int)(end - p), p);
	if (!found)
		return 0;
	if (c.depth > NESTED)
		return AT(w, before ? before : p, "macros are nested too deeply");
	w->fixed = before ? before : p;
	result = expand(w, text, &c);
	w->fixed = before;
	return result ? -1 : 1;
}

/* ---- the text ---- */

/* Returns behind the name at p, and behind arguments; NULL: err is set. */
static const char *name(struct writer *w, const char *p, const char *limit, const struct call *in)
{
	const char *end = range_name_end(p);
	int found = 0;

	if (!is_member(w)) {
		found = in && in->macro ? inner_name(w, p, end, in) : 0;
		found = found ? found : macro(w, p, &end, limit, in);
		found = found ? found : option_call(w, p, &end, limit);
		found = found ? found : define(w, p, end, in);
	}
	if (!found)
		found = expand_put(w, p, (size_t)(end - p));
	return found < 0 ? NULL : end;
}

static int expand(struct writer *w, struct range text, const struct call *in)
{
	const char *p = text.at;

	while (p && p < text.end) {
		const char *begin = p;

		if (isalpha((unsigned char)*p) || strchr("_@$", *p)) {
			p = name(w, p, text.end, in);
			continue;
		}
		p = *p == '"' ? bt_text_end(p) :
		    isdigit((unsigned char)*p) ? range_name_end(p) : p + 1;
		if (expand_put(w, begin, (size_t)(p - begin)))
			return -1;
	}
	return p ? 0 : -1;
}

/* The slash that ends the predicate at p. */
static const char *predicate_end(const char *p)
{
	for (p++; *p; p = *p == '"' ? bt_text_end(p) : p + 1)
		if (*p == '/' && p[1 + strspn(p + 1, BT_BLANKS)] == '{')
			break;
	return p;
}

/* Behind the macro that is declared at p; p: there is none. */
static const char *declaration_end(const struct writer *w, const char *p)
{
	for (unsigned int i = 0; i < w->b->n_macros; i++)
		if (p == w->script + w->b->macros[i].begin)
			return w->script + w->b->macros[i].behind;
	return p;
}

/* Names of probes stay. */
static int expand_script(struct writer *w)
{
	const char *p = w->script, *end;
	int result = 0;

	while (*p && !result) {
		const size_t n = bt_probe_length(p);

		end = declaration_end(w, p);
		if (end > p) {
			p = end;
			continue;
		}
		if (*p == '{' || *p == '/') {
			end = *p == '/' ? predicate_end(p) :
			      range_find((struct range){ p + 1, p + strlen(p) }, "}");
			end += *end != '\0';
			result = expand(w, (struct range){ p, end }, NULL);
		} else {
			end = p + (n ? n : 1);
			result = expand_put(w, p, (size_t)(end - p));
		}
		p = end;
	}
	return result;
}

/* Where a place of the script is in the new text. */
static size_t new_place(const struct writer *w, size_t at)
{
	const struct bt *b = w->b;

	for (unsigned int i = 0; i < b->n_pieces; i++) {
		const struct bt_piece *p = &b->pieces[i];
		const size_t end = i + 1 < b->n_pieces ? p[1].at : w->n;

		if (!p->fixed && p->from <= at && at - p->from < end - p->at)
			return p->at + (at - p->from);
	}
	return 0;
}

int bt_expand(struct bt *b, struct error *err)
{
	struct writer w = { .b = b, .source = b->source, .script = b->source.text, .err = err };
	int result;

	if (!b->n_macros && !b->declarations.text && !strstr(b->source.text, "getopt"))
		return 0;
	w.source.front = NULL;
	w.to = script_keep(&b->script, calloc(1, BT_SCRIPT_MOST + 1));
	if (!w.to)
		return fail(err, "out of memory");
	result = expand_script(&w) || options_unknown(&w) ? -1 : 0;
	lines_free(&w.options);
	if (result)
		return -1;
	b->source.text = w.to;
	for (struct bt_map *m = b->maps; m; m = m->next)	/* those that `let` declares */
		m->at = new_place(&w, m->at);
	return 0;
}
