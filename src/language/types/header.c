// SPDX-License-Identifier: GPL-2.0
#include "src/language/types/header.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/file.h"
#include "compat/user/open_file.h"
#include "src/language/types/header_internal.h"
#include "src/language/types/types.h"

void header_outside(struct header *h, header_outside_fn *outside, void *arg)
{
	h->outside = outside;
	h->arg = arg;
}

struct header *header_new(const struct machine *m)
{
	struct header *h = calloc(1, sizeof(*h));

	if (h)
		h->machine = *m;
	return h;
}

void header_free(struct header *h)
{
	if (!h)
		return;
	while (h->files) {
		struct header_file *f = h->files;

		h->files = f->next;
		free(f->text);
		free(f->raw);
		free(f->name);
		free(f);
	}
	for (uint32_t i = 0; i < h->n_aggregates; i++)
		free(h->aggregates[i].fields);
	free(h->aggregates);
	free(h->symbols);
	free(h);
}

/* ---- names ---- */

static uint32_t slot_of(enum symbol_space space, const char *name, size_t length)
{
	uint32_t hash = 2166136261u + space;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)name[i]) * 16777619u;
	return hash % SYMBOL_SLOTS;
}

struct symbol *header_symbol(const struct header *h, enum symbol_space space, const char *name,
			     size_t length)
{
	for (uint32_t i = h->slots[slot_of(space, name, length)]; i; i = h->symbols[i - 1].next) {
		struct symbol *s = &h->symbols[i - 1];

		if (s->space == space && s->length == length && !memcmp(s->name, name, length))
			return s;
	}
	return NULL;
}

struct symbol *header_name(struct header *h, enum symbol_space space, const char *name,
			   size_t length)
{
	const uint32_t slot = slot_of(space, name, length);
	struct symbol *s;

	if (array_room(&h->symbols, h->n_symbols, sizeof(*h->symbols)))
		return NULL;
	s = &h->symbols[h->n_symbols++];
	*s = (struct symbol){ .next = h->slots[slot], .space = (uint8_t)space, .name = name,
			      .length = (uint16_t)length };
	h->slots[slot] = h->n_symbols;
	return s;
}

/* ---- files ---- */

/* Replaces comments and joined ends of lines by blanks: all other letters keep their places. */
static void blank_comments(char *s)
{
	char quote = 0;

	for (; *s; s++) {
		if (*s == '\\' && (s[1] == '\n' || (s[1] == '\r' && s[2] == '\n'))) {
			for (*s = ' '; *s != '\n'; s++)
				*s = ' ';
			*s = ' ';
		} else if (quote) {
			if (*s == '\\' && s[1] && s[1] != '\n')
				s++;
			else if (*s == quote || *s == '\n')
				quote = 0;
		} else if (*s == '"' || *s == '\'') {
			quote = *s;
		} else if (*s == '/' && s[1] == '/') {
			while (*s && *s != '\n')
				*s++ = ' ';
			s -= !*s;
		} else if (*s == '/' && s[1] == '*') {
			const char *end = strstr(s + 2, "*/");

			end = end ? end + 2 : s + strlen(s);
			for (; s < end; s++)
				*s = *s == '\n' ? '\n' : ' ';
			s--;
		} else if (*s == '\r' || *s == '\f') {
			*s = ' ';
		}
	}
}

/* Keeps a file. Returns NULL and sets err on failure. */
static struct header_file *keep(struct header *h, const char *name, const char *text,
				const char *raw, size_t length, struct error *err)
{
	struct header_file *f = calloc(1, sizeof(*f));

	if (f) {
		f->next = h->files;
		h->files = f;
		f->raw = strdup(raw);
		f->text = strndup(text, length);
		f->name = strdup(name);
	}
	if (!f || !f->raw || !f->text || !f->name) {
		fail(err, "out of memory");
		return NULL;
	}
	blank_comments(f->text);
	f->source = (struct source){ .text = f->text, .raw = f->raw, .file = f->name };
	return f;
}

static int read_declarations(struct header *h, struct header_file *f, bool script,
			     struct error *err)
{
	struct header_reader r = { .h = h, .file = f, .script = script, .err = err };

	r.levels[0].file = f;
	r.levels[0].end = strlen(f->text);
	r.n_levels = 1;
	return header_step(&r) || header_declarations(&r) ? -1 : 0;
}

int header_add(struct header *h, const char *name, const char *text, size_t length,
	       struct error *err)
{
	struct header_file *f;

	if (strnlen(text, length) != length)
		return fail(err, "%s: this is no text: it has NULs", name);
	f = keep(h, name, text, text, length, err);
	return f ? read_declarations(h, f, false, err) : -1;
}

int header_script(struct header *h, const struct source *s, struct error *err)
{
	struct header_file *f = keep(h, s->file, s->text, s->raw, strlen(s->text), err);

	if (!f)
		return -1;
	f->source.language = s->language;
	f->source.files = s->files;
	return read_declarations(h, f, true, err);
}

int header_read(struct header *h, const char *path, struct error *err)
{
	int fd = open_file(path), result;
	char opened[32], *text;
	size_t length;

	if (fd < 0)
		return fail_with(err, errno, "%s: %s", path, errno == EINVAL ?
				 "this is no regular file" : strerror(errno));
	snprintf(opened, sizeof(opened), "/proc/self/fd/%d", fd);
	text = file_text(opened, HEADER_MOST + 1, &length);
	close(fd);
	if (!text)
		return fail_with(err, errno, "%s: %m", path);
	result = length > HEADER_MOST ?
		 fail(err, "%s: a file of declarations has %u MB at most", path,
		      HEADER_MOST >> 20) : header_add(h, path, text, length, err);
	free(text);
	return result;
}

/* ---- answers ---- */

bool header_typedef(const struct header *h, const char *name, size_t length, struct c_type *type)
{
	const struct symbol *s = header_symbol(h, SPACE_TYPEDEF, name, length);

	if (s)
		*type = s->type;
	return s;
}

bool header_struct(const struct header *h, const char *tag, struct c_type *type)
{
	const struct symbol *s = header_symbol(h, SPACE_TAG, tag, strlen(tag));
	const struct aggregate *a;

	if (!s || !s->id || !h->aggregates[s->id - 1].complete)
		return false;
	a = &h->aggregates[s->id - 1];
	type->id = s->id;
	type->bytes = a->bytes;
	type->align = a->align;
	return true;
}

#define DEPTH 16			/* the reader's limit of structs in structs */

static bool member_of(const struct header *h, uint32_t id, const char *name, size_t length,
		      struct member_place *to, unsigned int depth)
{
	const struct aggregate *a = &h->aggregates[id - 1];

	for (unsigned int i = 0; i < a->n; i++) {
		const struct field_of *f = &a->fields[i];

		if (f->name && f->length == length && !memcmp(f->name, name, length)) {
			*to = f->place;
			return true;
		}
		if (!f->name && depth < DEPTH &&
		    member_of(h, f->place.type.id, name, length, to, depth + 1)) {
			to->bits += f->place.bits;
			return true;
		}
	}
	return false;
}

bool header_member(const struct header *h, uint32_t id, const char *name, size_t length,
		   struct member_place *to)
{
	return id && id <= h->n_aggregates && member_of(h, id, name, length, to, 0);
}

bool header_member_at(const struct header *h, uint32_t id, unsigned int i,
		      struct member_place *to, const char **name, size_t *length)
{
	const struct field_of *f;

	if (!id || id > h->n_aggregates || i >= h->aggregates[id - 1].n)
		return false;
	f = &h->aggregates[id - 1].fields[i];
	*to = f->place;
	*name = f->name ? f->name : "";
	*length = f->name ? f->length : 0;
	return true;
}

bool header_number(struct header *h, const char *name, size_t length, uint64_t *value,
		   struct c_type *type)
{
	struct symbol *s = header_symbol(h, SPACE_NUMBER, name, length);
	struct error err;
	struct header_reader r = { .h = h, .err = &err };

	if (s) {
		*value = s->value;
		*type = s->type;
		return true;
	}
	s = header_symbol(h, SPACE_MACRO, name, length);
	if (!s || s->no_number)
		return false;
	r.file = r.levels[0].file = s->file;
	r.levels[0].at = s->at;
	r.levels[0].end = s->end;
	r.levels[0].macro = UINT32_MAX;	/* no directives in it */
	r.n_levels = 1;
	s->busy = true;
	*value = 0;
	length = (size_t)(header_step(&r) || header_constant(&r, value, type) ||
			  r.now.kind != TOKEN_END);
	/* After an error macros may still be busy: all are free again. */
	for (uint32_t i = 0; i < h->n_symbols; i++)
		h->symbols[i].busy = false;
	return !length;
}

int header_macro(struct header *h, const char *name, size_t length, const char **text,
		 const char **end)
{
	const struct symbol *s = header_symbol(h, SPACE_MACRO, name, length);
	struct c_type type;
	uint64_t value;

	if (!s || !s->file)
		return 0;
	if (s->no_number)
		return -1;
	*text = s->file->text + s->at;
	*end = s->file->text + s->end;
	return !header_number(h, name, length, &value, &type);
}
