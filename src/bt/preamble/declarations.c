// SPDX-License-Identifier: GPL-2.0
/* C declarations at the beginning of a script: #define, #include, struct, union, enum, typedef. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/bt/preamble/preamble.h"
#include "src/bt/text/text.h"
#include "src/language/types/members.h"

static const char *blanks(const char *p)
{
	return p + strspn(p, BT_BLANKS);
}

/* The end of a directive: a backslash at the end of a line takes the next line too. */
static const char *line_end(const char *p)
{
	while (*p && *p != '\n')
		p += *p == '\\' && p[1] ? 2 : 1;
	return p;
}

/* Behind the bracket that closes the one at p. */
static const char *bracket_end(const char *p)
{
	unsigned int depth = 0;

	do {
		depth += *p == '{' || *p == '(';
		depth -= *p == '}' || *p == ')';
		p = *p == '"' ? bt_text_end(p) : p + 1;
	} while (*p && depth);
	return p;
}

/* Behind attributes, and behind the semicolon if there is one. */
static const char *tail_end(const char *p)
{
	const char *end = p;

	for (p = blanks(p); !strncmp(p, "__", 2); p = blanks(p)) {
		while (bt_is_letter(*p))
			p++;
		end = p;
		if (*blanks(p) == '(')
			end = p = bracket_end(blanks(p));
	}
	return *p == ';' ? p + 1 : end;
}

/* struct NAME { ... }; its semicolon may be missing. Names may be behind it in a typedef. */
static const char *declaration_end(const char *p)
{
	const bool names = bt_is_word(p, "typedef");

	while (*p && *p != ';' && *p != '{')
		p++;
	if (*p == '{' && !names)
		return tail_end(bracket_end(p));
	while (*p && *p != ';')
		p = *p == '{' ? bracket_end(p) : p + 1;
	return *p ? p + 1 : p;
}

/*
 * The kernel's headers are not read: types come from BTF, or from files of -I. A file of the user's
 * own would be missed.
 */
static int check_include(const struct source *s, const char *p, struct error *err)
{
	const char *name = blanks(p + 1) + strlen("include"), *end;
	char path[200] = "";

	name += strspn(name, " \t");
	if (*name != '"')
		return 0;
	end = bt_text_end(name);
	if ((size_t)(end - name) < sizeof(path))
		memcpy(path, name + 1, (size_t)(end - name) - 1);
	path[strcspn(path, "\"\n")] = '\0';
	return *path && access(path, F_OK) ? 0 :
	       source_error(s, (size_t)(name - s->text), err, "a file is not included from a "
			    "script: import \"%s\"; or -I %s reads its declarations",
			    *path ? path : "FILE.h", *path ? path : "FILE.h");
}

const char *bt_declarations_end(const struct source *s, const char *p, struct error *err)
{
	static const char *const words[] = { "struct", "union", "enum", "typedef" };
	const char *end = p;

	for (p = blanks(p);; p = blanks(end)) {
		size_t i = 0;

		if (*p == '#') {
			if (bt_is_word(p + 1 + strspn(p + 1, " \t"), "include") &&
			    check_include(s, p, err))
				return NULL;
			end = line_end(p);
			continue;
		}
		while (i < 4 && !bt_is_word(p, words[i]))
			i++;
		if (i == 4)
			return end;
		end = declaration_end(p);
	}
}

/* Scripts include headers only if this macro is missing. */
static int tell_of_btf(struct bt *b, struct error *err)
{
	static const char define[] = "#define BPFTRACE_HAVE_BTF 1\n";
	static const struct source source = { .text = define, .raw = define, .file = "BTF" };

	return strstr(b->declarations.text, "BPFTRACE_HAVE_BTF") && types_has_btf(b->script.types) ?
	       types_script(b->script.types, &source, err) : 0;
}

/* Copies the declarations of a file, which ends at `end`, and leaves blanks in their place. */
static int move_declarations(struct bt *b, const struct source_file *file, char *to, bool *any,
			     struct error *err)
{
	char *text = (char *)(uintptr_t)b->source.text;
	const char *end = file->next ? text + file->next->begin : text + strlen(text),
		   *stop = bt_is_header(file->name) ? end :
			   bt_declarations_end(&b->source, text + file->begin, err);

	if (!stop)
		return -1;
	for (size_t i = file->begin; text + i < (stop < end ? stop : end); i++) {
		to[i] = text[i];
		text[i] = text[i] == '\n' ? '\n' : ' ';
		*any = true;
	}
	return 0;
}

int bt_declarations(struct bt *b, struct error *err)
{
	char *declarations = script_keep(&b->script, strdup(b->source.text));
	bool any = false;

	if (!declarations)
		return fail(err, "out of memory");
	for (char *p = declarations; *p; p++)
		*p = *p == '\n' ? '\n' : ' ';
	for (const struct source_file *f = b->source.files; f; f = f->next)
		if (move_declarations(b, f, declarations, &any, err))
			return -1;
	if (!any)
		return 0;
	b->declarations = b->source;
	b->declarations.text = declarations;
	b->declarations.front = NULL;
	return tell_of_btf(b, err) || types_script(b->script.types, &b->declarations, err) ? -1 : 0;
}
