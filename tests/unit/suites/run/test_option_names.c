// SPDX-License-Identifier: GPL-2.0
/*
 * What names an option by a string, where no compiler looks: columns, programs, and what reads a
 * value by its name. A name that nothing has would be 0 for ever.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "insns/insn.h"
#include "src/run/options/common.h"
#include "src/run/options/tool_options.h"
#include "src/run/tool.h"
#include "tests/unit/unit.h"

Suite *suite_option_names(void);

#define FILES 1000

/* Source files. Those of tools are first; tools share the others. */
static struct {
	char *path, *text;
} files[FILES];
static unsigned int n_files, n_tool_files, wrong;

static char *all_of(const char *path)
{
	FILE *from = fopen(path, "r"), *to;
	char *text = NULL;
	size_t size;

	ck_assert_msg(from != NULL, "%s can't be read", path);
	to = open_memstream(&text, &size);
	for (int c; (c = fgetc(from)) != EOF;)
		fputc(c, to);
	fclose(from);
	fclose(to);
	return text;
}

static void read_files(const char *pattern)
{
	glob_t found;

	ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		if (n_tool_files && !strncmp(found.gl_pathv[i], "src/tools/", 10))
			continue;
		ck_assert_uint_lt(n_files, FILES);
		files[n_files].path = strdup(found.gl_pathv[i]);
		files[n_files++].text = all_of(found.gl_pathv[i]);
	}
	globfree(&found);
}

static void open_files(void)
{
	n_files = n_tool_files = wrong = 0;
	read_files("src/tools/*.c");
	n_tool_files = n_files;
	read_files("src/*.c");
	read_files("src/*/*.c");
	read_files("src/*/*/*.c");
	read_files("src/*/*/*/*.c");
}

static void close_files(void)
{
	for (unsigned int i = 0; i < n_files; i++) {
		free(files[i].path);
		free(files[i].text);
	}
	ck_assert_msg(!wrong, "%u names are unknown", wrong);
}

/* Is it in the text: `before` and the name and `after`? */
static bool has(const char *text, const char *before, const char *name, const char *after)
{
	char what[128];

	snprintf(what, sizeof(what), "%s%s%s", before, name, after);
	return strstr(text, what) != NULL;
}

/* The file that registers a tool, by a macro of its own or of all. */
static unsigned int file_of(const struct tool *t)
{
	for (unsigned int i = 0; i < n_tool_files; i++)
		for (const char *at = files[i].text; (at = strstr(at, t->name)); at++)
			if (at[-1] == '(' && at[strlen(t->name)] == ',' &&
			    at[-2] >= 'A' && at[-2] <= 'Z')
				return i;
	ck_abort_msg("no file registers %s", t->name);
}

/* Does this text give the constant to the run? */
static bool gives(const char *text, const char *name)
{
	for (const char *at = text; (at = strstr(at, "run_constant(")); at++) {
		const char *value = strchr(at, ',');

		if (value && !strcmp(name, "by-cgroup") && !strncmp(value, ", BY_CGROUP,", 12))
			return true;
		if (value && !strncmp(value, ", \"", 3) &&
		    !strncmp(value + 3, name, strlen(name)) && value[3 + strlen(name)] == '"')
			return true;
	}
	return false;
}

/* Names with a number are made by a format, as "value%u", or of the first, "call_0". */
static bool formats_name(const char *text, const char *name)
{
	char stem[64];

	snprintf(stem, sizeof(stem), "%.*s", (int)strcspn(name, "0123456789"), name);
	return name[strlen(stem)] && (has(text, "\"", stem, "%") || has(text, "\"", stem, "0\""));
}

static bool has_option(const struct tool *t, const char *name)
{
	unsigned int n;
	struct option_row *rows = tool_option_rows(t, &n);
	bool found = false;

	for (unsigned int i = 0; i < n; i++)
		found |= !strcmp(rows[i].option.name, name);
	free(rows);
	return found;
}

static bool given(const struct tool *t, unsigned int file, const char *name)
{
	if (has_option(t, name) || gives(files[file].text, name) ||
	    formats_name(files[file].text, name))
		return true;
	for (unsigned int i = n_tool_files; i < n_files; i++)
		if (gives(files[i].text, name))
			return true;
	return false;
}

static void unknown(const struct tool *t, const char *where, const char *name)
{
	fprintf(stderr, "%s: %s names %s, which is no option, and no constant that it gives\n",
		t->name, where, name);
	wrong++;
}

static void check_column(const struct tool *t, const char *column, const char *name)
{
	/* `never`: a column that others have. */
	if (name && strcmp(name, "never") && !given(t, file_of(t), name))
		unknown(t, column, name);
}

START_TEST(columns)
{
	open_files();
	for (const struct tool *const *t = tools; *t; t++)
		for (const struct column *c = (*t)->columns; c && c->head; c++) {
			check_column(*t, c->name, c->option);
			check_column(*t, c->name, c->unless);
		}
	close_files();
}
END_TEST

/* Some tool with these programs has a string with the name: what it leaves out others need. */
static bool shared(unsigned int file, const char *name)
{
	const char *header = strstr(files[file].text, "insns/programs/");
	char include[128];

	if (!header)
		return has(files[file].text, "\"", name, "\"");
	snprintf(include, sizeof(include), "%.*s", (int)strcspn(header, "\n"), header);
	for (unsigned int i = 0; i < n_tool_files; i++)
		if (strstr(files[i].text, include) && has(files[i].text, "\"", name, "\""))
			return true;
	return false;
}

/* "input:flags" is of the hook, and lowering looks it up, as it does all that CONST names. */
static void check_name(const struct tool *t, const struct program *p, const char *name)
{
	const unsigned int file = file_of(t);

	if (!strchr(name, ':') && strcmp(name, "cmpxchg") && !given(t, file, name) &&
	    !shared(file, name))
		unknown(t, p->hook, name);
}

static void check_program(const struct tool *t, const struct program *p, const char *kernel)
{
	if (p->option)
		check_name(t, p, p->option);
	for (unsigned int i = 0; i < p->n_insns; i++) {
		const struct insn *insn = &p->insns[i];

		if (insn->symbol == SYM_JUMP_UNLESS ||
		    (insn->symbol == SYM_CONST && strcmp(insn->name, "ring_wakeup") &&
		     !has(kernel, "\"", insn->name, "\"")))
			check_name(t, p, insn->name);
	}
}

START_TEST(programs)
{
	char *kernel = all_of("compat/kernel/constants.c");

	open_files();
	for (const struct tool *const *t = tools; *t; t++) {
		const struct tool_last_resort *last = (*t)->last_resort;
		const struct program_set *sets[] = { (*t)->programs, last ? last->programs : NULL };

		for (int i = 0; i < 2; i++)
			for (const struct program *p = sets[i] ? sets[i]->programs : NULL;
			     p && p->hook; p++)
				check_program(*t, p, kernel);
	}
	close_files();
	free(kernel);
}
END_TEST

/* Is it an option of a tool of this file; or of any tool, if the file is none of a tool? */
static bool is_option(unsigned int file, const char *name)
{
	for (const struct tool *const *t = tools; *t; t++)
		if ((file >= n_tool_files || file_of(*t) == file) && has_option(*t, name))
			return true;
	return false;
}

/* option_number(run_options(r), "full-path") and its like. */
static void check_reads(unsigned int file)
{
	static const char *const readers[] = { "number", "given", "text", "list" };
	char call[64], name[64];

	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		snprintf(call, sizeof(call), "option_%s(", readers[i]);
		for (const char *at = files[file].text; (at = strstr(at, call)); at++) {
			const char *comma = strchr(at, ',');
			const char *word = comma + 1 + strspn(comma + 1, " \n\t");

			if (*word != '"')
				continue;
			snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 1, "\""),
				 word + 1);
			if (is_option(file, name))
				continue;
			fprintf(stderr, "%s reads %s, which is no option\n", files[file].path,
				name);
			wrong++;
		}
	}
}

START_TEST(reads)
{
	open_files();
	for (unsigned int i = 0; i < n_files; i++)
		check_reads(i);
	close_files();
}
END_TEST

/* Which members a value can be written to, and how large they are. */
static bool fits(enum option_type option, enum member_type member)
{
	static const enum member_type of[] = {
		[OPTION_FLAG] = MEMBER_NUMBER, [OPTION_NUMBER] = MEMBER_NUMBER,
		[OPTION_TEXT] = MEMBER_TEXT, [OPTION_LIST] = MEMBER_LIST,
		[OPTION_USERS] = MEMBER_LIST, [OPTION_FLAGS] = MEMBER_NUMBER,
		[OPTION_COMMAND] = MEMBER_BOOL, [OPTION_REFUSED] = MEMBER_NONE,
	};

	return member == MEMBER_NONE || member == of[option] ||
		(option == OPTION_FLAG && member == MEMBER_BOOL);
}

static size_t end_of(const struct option_member *m)
{
	static const size_t sizes[] = {
		[MEMBER_NONE] = 0, [MEMBER_BOOL] = sizeof(bool), [MEMBER_NUMBER] = sizeof(int64_t),
		[MEMBER_TEXT] = sizeof(char *), [MEMBER_LIST] = sizeof(struct option_list),
	};

	return m->offset + sizes[m->type];
}

START_TEST(members)
{
	for (const struct tool *const *t = tools; *t; t++) {
		unsigned int n;
		struct option_row *rows = tool_option_rows(*t, &n);

		for (unsigned int i = 0; i < n; i++) {
			const struct option *o = &rows[i].option;

			ck_assert_msg(fits(o->type, o->to.type) &&
				      fits(o->type, rows[i].to.type), "%s: --%s: its member is of "
				      "another type", (*t)->name, o->name);
			ck_assert_msg(end_of(&o->to) <= (*t)->options_size &&
				      o->given <= (*t)->options_size &&
				      end_of(&rows[i].to) <= sizeof(struct common_options) &&
				      rows[i].given <= sizeof(struct common_options),
				      "%s: --%s: its member is not in its struct",
				      (*t)->name, o->name);
		}
		free(rows);
	}
}
END_TEST

Suite *suite_option_names(void)
{
	Suite *s = suite_create("option_names");

	add_tests(s, "columns", columns, 1);
	add_tests(s, "programs", programs, 1);
	add_tests(s, "reads", reads, 1);
	add_tests(s, "members", members, 1);
	return s;
}
