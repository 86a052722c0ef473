// SPDX-License-Identifier: GPL-2.0
/* Tokens of a file of declarations: directives are followed, macros replaced. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/language/types/header_internal.h"

int header_wrong(struct header_reader *r, const char *format, ...)
{
	char message[400];
	va_list args;

	va_start(args, format);
	text_vcut(message, sizeof(message), format, args);
	va_end(args);
	return source_error(&r->file->source, r->now.at, r->err, "%s", message);
}

const char *header_text(const struct header_reader *r)
{
	return r->file->text + r->now.at;
}

bool header_is(const struct header_reader *r, int op)
{
	return r->now.kind == TOKEN_OPERATOR && r->now.op == op;
}

bool header_word(const struct header_reader *r, const char *word)
{
	return r->now.kind == TOKEN_NAME && r->now.length == strlen(word) &&
	       !memcmp(header_text(r), word, r->now.length);
}

int header_expect(struct header_reader *r, int op)
{
	return header_is(r, op) ? header_step(r) : header_wrong(r, "'%c' is missing here", op);
}

int header_skip(struct header_reader *r)
{
	unsigned int depth = 0;

	do {
		if (r->now.kind == TOKEN_END)
			return header_wrong(r, "a bracket does not end");
		if (header_is(r, '(') || header_is(r, '[') || header_is(r, '{'))
			depth++;
		if (header_is(r, ')') || header_is(r, ']') || header_is(r, '}'))
			depth--;
		if (header_step(r))
			return -1;
	} while (depth);
	return 0;
}

/* ---- directives ---- */

static size_t blanks(const char *text, size_t at)
{
	return at + strspn(text + at, " \t\v");
}

static size_t name_length(const char *s)
{
	size_t n = 0;

	if (isalpha((unsigned char)*s) || *s == '_')
		while (isalnum((unsigned char)s[n]) || s[n] == '_')
			n++;
	return n;
}

static int bad(struct header_reader *r, size_t at, const char *what)
{
	return source_error(&r->file->source, at, r->err, "%s", what);
}

static int define(struct header_reader *r, size_t at, size_t end, bool undefine)
{
	const char *text = r->file->text;
	size_t n = name_length(text + at);
	struct symbol *s;

	if (!n || n > 255)
		return bad(r, at, "a macro's name belongs here");
	s = header_symbol(r->h, SPACE_MACRO, text + at, n);
	if (!s)
		s = header_name(r->h, SPACE_MACRO, text + at, n);
	if (!s)
		return fail(r->err, "out of memory");
	while (end > at + n && strchr(" \t\v", text[end - 1]))
		end--;
	s->no_number = undefine || text[at + n] == '(';
	s->file = undefine ? NULL : r->file;
	s->at = at + n;
	s->end = end;
	return 0;
}

/* Returns 1 if the macro is defined, 0 if it is not; -1, and sets err, if it is unknown. */
static int is_defined(struct header_reader *r, const char *name, size_t n)
{
	static const char *const on[] = { "__KERNEL__", "__GNUC__", "__linux__" };
	static const char *const off[] = { "__cplusplus", "__ASSEMBLY__", "__ASSEMBLER__" };
	const struct symbol *s = header_symbol(r->h, SPACE_MACRO, name, n);

	if (s)
		return s->file != NULL;
	for (size_t i = 0; i < 3; i++) {
		if (strlen(on[i]) == n && !memcmp(on[i], name, n))
			return 1;
		if (strlen(off[i]) == n && !memcmp(off[i], name, n))
			return 0;
	}
	if (n == 8 && !memcmp(name, "__LP64__", n))
		return r->h->machine.word == 8;
	if (n == 24 && !memcmp(name, "__LITTLE_ENDIAN_BITFIELD", 24))
		return !r->h->machine.big_endian;
	if (n == 21 && !memcmp(name, "__BIG_ENDIAN_BITFIELD", 21))
		return r->h->machine.big_endian;
	if (n > 7 && !memcmp(name, "CONFIG_", 7))
		return bad(r, (size_t)(name - r->file->text), "whether this kernel has it is not "
			   "known here: put a #define or #undef of it before");
	return 0;
}

static int condition(struct header_reader *r, size_t at, size_t end)
{
	struct header_reader inner = { .h = r->h, .file = r->file, .err = r->err,
				       .of_condition = true, .work = r->work };
	uint64_t value;
	struct c_type type;

	inner.levels[0].file = r->file;
	inner.levels[0].at = at;
	inner.levels[0].end = end;
	inner.levels[0].macro = UINT32_MAX;	/* no directives in it */
	inner.n_levels = 1;
	if (header_step(&inner) || header_constant(&inner, &value, &type))
		return -1;
	r->work = inner.work;
	if (inner.now.kind != TOKEN_END)
		return header_wrong(&inner, "a condition ends before this");
	return value != 0;
}

/*
 * Skips a branch up to its #elif, #else or #endif. Returns the beginning of the line behind it, and
 * sets *word to the directive's name.
 */
static size_t next_branch(const char *text, size_t at, size_t end, size_t *word)
{
	unsigned int depth = 0;

	while (at < end) {
		size_t line = blanks(text, at), n;

		at += strcspn(text + at, "\n");
		at += text[at] == '\n';
		if (text[line] != '#')
			continue;
		line = blanks(text, line + 1);
		n = name_length(text + line);
		if (n >= 2 && !memcmp(text + line, "if", 2)) {
			depth++;
		} else if (n == 5 && !memcmp(text + line, "endif", 5)) {
			if (!depth--)
				return *word = line, at;
		} else if (!depth && n == 4 && (!memcmp(text + line, "else", 4) ||
						!memcmp(text + line, "elif", 4))) {
			return *word = line, at;
		}
	}
	*word = end;
	return end;
}

/* Takes the first branch whose condition is true. *at is set to the next place to read. */
static int choose(struct header_reader *r, int taken, size_t *at, size_t end)
{
	const char *text = r->file->text;

	while (!taken) {
		size_t word;

		*at = next_branch(text, *at, end, &word);
		if (word == end)
			return bad(r, end, "an #if has no #endif");
		if (text[word + 1] == 'n')
			return 0;
		taken = text[word + 2] == 's' ? 1 :
			condition(r, word + 4, word + strcspn(text + word, "\n"));
		if (taken < 0)
			return -1;
	}
	if (r->n_conditions == CONDITIONS)
		return bad(r, *at, "#ifs are nested too deeply");
	r->n_conditions++;
	return 0;
}

/* At the end of the branch that is read: goes behind its #endif. */
static int leave(struct header_reader *r, size_t line, size_t *at, size_t end)
{
	const char *text = r->file->text;
	size_t word;

	if (!r->n_conditions)
		return bad(r, line, "there is no #if before this");
	do {
		*at = next_branch(text, *at, end, &word);
		if (word == end)
			return bad(r, line, "an #if has no #endif");
	} while (text[word + 1] != 'n');
	r->n_conditions--;
	return 0;
}

/* Returns true if the word is next. *at is then set behind the word and its blanks. */
static bool takes(const char *text, size_t *at, const char *word)
{
	const size_t n = strlen(word);

	if (strncmp(text + *at, word, n) ||
	    (isalnum((unsigned char)*word) && name_length(text + *at) > n))
		return false;
	*at = blanks(text, *at + n);
	return true;
}

/* (N), (), (push), (push, N) and (pop), as gcc and clang have them; `at` is behind the word. */
static int pack(struct header_reader *r, size_t at)
{
	static const char unknown[] = "a #pragma pack is (1), (push, 1), (pop) or (), with 1, 2, "
				      "4, 8 or 16";
	const char *text = r->file->text;
	const size_t begin = at;
	bool push, more = true;

	if (!takes(text, &at, "("))
		return bad(r, begin, unknown);
	push = takes(text, &at, "push");
	if (push && r->n_packs == PACKS)
		return bad(r, begin, "too many #pragma pack are in each other");
	if (push) {
		r->packs[r->n_packs++] = r->pack;
		more = takes(text, &at, ",");
	} else if (takes(text, &at, "pop")) {
		if (!r->n_packs)
			return bad(r, begin, "no #pragma pack(push) is before this");
		r->pack = r->packs[--r->n_packs];
		more = false;
	} else if (text[at] == ')') {
		r->pack = 0;
		more = false;
	}
	if (more) {
		const size_t digits = strspn(text + at, "0123456789");
		const unsigned long n = digits && digits < 3 ? strtoul(text + at, NULL, 10) : 0;

		if (!n || n > 16 || n & (n - 1))
			return bad(r, begin, unknown);
		r->pack = (uint8_t)n;
		at = blanks(text, at + digits);
	}
	return takes(text, &at, ")") ? 0 : bad(r, begin, unknown);
}

/* Reads the pragmas that tell the places of members. */
static int pragma(struct header_reader *r, const char *line, size_t at)
{
	static const char *const layouts[] = { "ms_struct", "scalar_storage_order", "options" };
	size_t word = 0;

	if (takes(line, &word, "pack"))
		return pack(r, at + word);
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (!strncmp(line, layouts[i], strlen(layouts[i])))
			return bad(r, at, "this #pragma is not known here: "
				   "__attribute__((packed)) and #pragma pack are");
	return 0;
}

/* Follows the directive of the line at *at. *at is set to the next place to read. */
static int directive(struct header_reader *r, size_t *at, size_t end)
{
	const char *text = r->file->text;
	const size_t line = *at, word = blanks(text, line + 1), n = name_length(text + word),
		     rest = blanks(text, word + n), eol = line + strcspn(text + line, "\n");
	int taken;

	*at = eol;
	if (n == 6 && !memcmp(text + word, "define", n))
		return define(r, rest, eol, false);
	if (n == 5 && !memcmp(text + word, "undef", n))
		return define(r, rest, eol, true);
	if (n == 6 && !memcmp(text + word, "pragma", n))
		return pragma(r, text + rest, rest);
	if (n == 5 && !memcmp(text + word, "error", n))
		return bad(r, line, "the file says that it can't be used so");
	if (n == 5 && !memcmp(text + word, "endif", n)) {
		if (!r->n_conditions)
			return bad(r, line, "there is no #if before this");
		r->n_conditions--;
		return 0;
	}
	if (n == 4 && (!memcmp(text + word, "else", n) || !memcmp(text + word, "elif", n)))
		return leave(r, line, at, end);
	if (n < 2 || memcmp(text + word, "if", 2))
		return 0;		/* #include and other directives */
	if (n == 2)
		taken = condition(r, rest, eol);
	else
		taken = is_defined(r, text + rest, name_length(text + rest));
	if (taken < 0)
		return -1;
	if (n == 6)			/* ifndef */
		taken = !taken;
	return choose(r, taken, at, end);
}

/* ---- tokens ---- */

/* Follows directives at the beginnings of lines, up to a line without a directive. */
static int follow_directives(struct header_reader *r)
{
	const unsigned int top = r->n_levels - 1;
	const char *text = r->levels[top].file->text;
	size_t *at = &r->levels[top].at;

	r->file = r->levels[top].file;
	while (r->levels[top].macro == 0) {
		size_t next = *at + strspn(text + *at, " \t\v\n"), begin = next;

		while (begin && strchr(" \t\v", text[begin - 1]))
			begin--;
		if (text[next] != '#' || (begin && text[begin - 1] != '\n'))
			return 0;
		*at = next;
		if (directive(r, at, r->levels[top].end))
			return -1;
	}
	return 0;
}

/* If the name that was read is a macro, its text is read next. */
static int replace(struct header_reader *r, bool *replaced)
{
	struct symbol *s = header_symbol(r->h, SPACE_MACRO, header_text(r), r->now.length);

	*replaced = s && s->file && !s->no_number && !s->busy && !r->as_written;
	if (!*replaced)
		return 0;
	if (r->n_levels == LEVELS)
		return header_wrong(r, "macros are nested too deeply");
	s->busy = true;
	r->levels[r->n_levels].file = s->file;
	r->levels[r->n_levels].at = s->at;
	r->levels[r->n_levels].end = s->end;
	r->levels[r->n_levels++].macro = (uint32_t)(s - r->h->symbols) + 1;
	return 0;
}

static int next_token(struct header_reader *r, unsigned int top)
{
	const size_t at = r->levels[top].at, end = r->levels[top].end;

	if (!r->levels[top].macro)
		return token_next(&r->file->source, at, &r->now, r->err);
	/* A macro ends with its line. The token behind it may be far away. */
	if (blanks(r->file->text, at) >= end)
		r->now = (struct token){ .kind = TOKEN_END, .at = end };
	else if (token_next(&r->file->source, at, &r->now, r->err))
		return -1;
	r->work += TOKEN_WORK + (uint32_t)(r->now.at + r->now.length - at);
	return r->work > MACRO_WORK_MOST ?
	       header_wrong(r, "the macros here are of macros that become too large") : 0;
}

int header_step(struct header_reader *r)
{
	for (;;) {
		const unsigned int top = r->n_levels - 1;
		const uint32_t macro = r->levels[top].macro;
		bool replaced;

		if (follow_directives(r) || next_token(r, top))
			return -1;
		if (r->now.kind == TOKEN_END || r->now.at >= r->levels[top].end) {
			r->now.kind = TOKEN_END;
			r->now.at = r->levels[top].end;
			r->now.length = 0;
			if (!top)
				return r->n_conditions && !macro ?
				       header_wrong(r, "an #if has no #endif") : 0;
			r->h->symbols[macro - 1].busy = false;
			r->n_levels--;
			continue;
		}
		if (r->now.at + r->now.length > r->levels[top].end)
			return header_wrong(r, "this goes on in the next line");
		r->levels[top].at = r->now.at + r->now.length;
		if (r->now.kind != TOKEN_NAME)
			return 0;
		if (replace(r, &replaced))
			return -1;
		if (!replaced)
			return 0;
	}
}
