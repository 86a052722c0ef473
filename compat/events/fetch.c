// SPDX-License-Identifier: GPL-2.0
#include "compat/events/fetch.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The text of one item with a reading position. */
struct reader {
	const char *at, *end;
};

static bool accept(struct reader *reader, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(reader->end - reader->at) < n || memcmp(reader->at, word, n))
		return false;
	reader->at += n;
	return true;
}

static bool number(struct reader *reader, int64_t *value)
{
	char *end;

	if (reader->at == reader->end ||
	    !(isdigit((unsigned char)*reader->at) || *reader->at == '-'))
		return false;
	*value = strtoll(reader->at, &end, 0);
	reader->at = end;
	return true;
}

static size_t word(struct reader *reader, char *out, size_t size)
{
	size_t n = 0;

	while (reader->at < reader->end &&
	       (isalnum((unsigned char)*reader->at) || *reader->at == '_')) {
		if (n + 1 < size)
			out[n++] = *reader->at;
		reader->at++;
	}
	out[n] = '\0';
	return n;
}

static bool base(struct reader *reader, struct fetch *f)
{
	static const struct {
		const char *word;
		enum fetch_base base;
	} words[] = {
		{ "$retval", FETCH_RETVAL }, { "$rethigh", FETCH_RETHIGH },
		{ "$current", FETCH_CURRENT }, { "$compat", FETCH_COMPAT }, { "$sp", FETCH_SP },
		{ "$popped", FETCH_POPPED }, { "$word", FETCH_WORD },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (accept(reader, words[i].word)) {
			f->base = words[i].base;
			return true;
		}
	if (accept(reader, "$arg")) {
		f->base = FETCH_ARG;
		return number(reader, &f->number);
	}
	if (accept(reader, "$sys")) {
		f->base = FETCH_SYS;
		return number(reader, &f->number);
	}
	if (number(reader, &f->number)) {
		f->base = FETCH_NUMBER;
		return true;
	}
	f->base = FETCH_FIELD;
	f->number = NO_ELEMENT;
	return word(reader, f->field, sizeof(f->field)) &&
		(!accept(reader, "[") || (number(reader, &f->number) && accept(reader, "]")));
}

/* {file.f_path.dentry}: a struct and at least one member. */
static bool member(struct reader *reader, char *out, size_t size)
{
	size_t n = 0, dots = 0;

	if (!accept(reader, "{"))
		return false;
	while (reader->at < reader->end && *reader->at != '}') {
		bool dot = *reader->at == '.';

		if (n + 1 == size ||
		    !(dot || isalnum((unsigned char)*reader->at) || *reader->at == '_') ||
		    (dot && (!n || out[n - 1] == '.')))
			return false;
		dots += dot;
		out[n++] = *reader->at++;
	}
	out[n] = '\0';
	return dots && out[n - 1] != '.' && accept(reader, "}");
}

static bool expression(struct reader *reader, struct fetch *f)
{
	int64_t offset = 0, step = 0;
	char name[sizeof(f->deref[0].member)] = "";
	bool user;

	if (!accept(reader, "+"))
		return base(reader, f);
	user = accept(reader, "u");
	if (accept(reader, "W*[]")) {
		step = STEP_WORD;
	} else if (reader->at < reader->end && *reader->at == '{') {
		if (!member(reader, name, sizeof(name)))
			return false;
	} else {
		if (!number(reader, &offset))
			return false;
		if (accept(reader, "*[]")) {
			step = offset;
			offset = 0;
		}
	}
	if (!accept(reader, "(") || !expression(reader, f) || !accept(reader, ")") ||
	    f->derefs == 4)
		return false;
	f->deref[f->derefs].offset = (int32_t)offset;
	f->deref[f->derefs].step = (int32_t)step;
	strcpy(f->deref[f->derefs].member, name);
	f->deref[f->derefs++].user = user;
	return true;
}

static const struct {
	const char *name;
	enum fetch_type type;
	uint8_t size;
	bool is_signed, user;
} types[] = {
	{ "u8", TYPE_NUMBER, 1, false, false }, { "s8", TYPE_NUMBER, 1, true, false },
	{ "u16", TYPE_NUMBER, 2, false, false }, { "s16", TYPE_NUMBER, 2, true, false },
	{ "u32", TYPE_NUMBER, 4, false, false }, { "s32", TYPE_NUMBER, 4, true, false },
	{ "u64", TYPE_NUMBER, 8, false, false }, { "s64", TYPE_NUMBER, 8, true, false },
	{ "string", TYPE_TEXT, 0, false, false }, { "ustring", TYPE_TEXT, 0, false, true },
	{ "uW", TYPE_NUMBER, SIZE_WORD, false, false },
	{ "sW", TYPE_NUMBER, SIZE_WORD, true, false },
	{ "name", TYPE_NAME, 0, false, false }, { "uname", TYPE_NAME, 0, false, true },
	{ "entry", TYPE_TEXT, 0, false, false }, { "urow", TYPE_TEXT, 0, false, true },
};

static bool type(struct reader *reader, struct fetch *f)
{
	char name[16];
	int64_t n;

	if (accept(reader, "c") && number(reader, &n)) {
		f->type = TYPE_BYTES;
		f->size = (uint8_t)n;
		return n > 0 && n <= 128;
	}
	if (accept(reader, "*")) {
		f->type = TYPE_NUMBER;
		f->size = SIZE_WORD;
		return word(reader, f->pointed, sizeof(f->pointed));
	}
	word(reader, name, sizeof(name));
	if (!strcmp(name, "be16")) {
		f->type = TYPE_NUMBER;
		f->size = 2;
		f->network_order = true;
		return true;
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(name, types[i].name))
			continue;
		f->type = types[i].type;
		f->size = types[i].size;
		f->is_signed = types[i].is_signed;
		f->user = types[i].user;
		f->is_short = !strcmp(name, "entry");
		f->is_row = !strcmp(name, "urow");
		if (f->type == TYPE_TEXT && accept(reader, "/")) {
			if (!number(reader, &n) || n < 1 || n > 256)
				return false;
			f->enough = (uint16_t)n;
		}
		return true;
	}
	return false;
}

int fetch_next(const char **text, struct fetch *f, struct error *err)
{
	struct reader reader;

	memset(f, 0, sizeof(*f));
	*text += strspn(*text, " ");
	if (!**text)
		return 0;
	reader.at = *text;
	reader.end = *text + strcspn(*text, " ");
	if (word(&reader, f->name, sizeof(f->name))) {
		f->indexed = accept(&reader, "[]");
		f->optional = accept(&reader, "?");
		f->size = 8;
		if (accept(&reader, "=") && expression(&reader, f) &&
		    (!accept(&reader, ":") || type(&reader, f)) && reader.at == reader.end) {
			*text = reader.end;
			return 1;
		}
	}
	return fail(err, "the hook table is wrong at `%.*s`", (int)(reader.end - *text), *text);
}
