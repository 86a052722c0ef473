// SPDX-License-Identifier: GPL-2.0
/* What tools register in their files is what the binary has, and what the documents say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commands/checklist_forms.h"
#include "src/commands/selftest/selftest.h"
#include "src/run/tool.h"
#include "tests/unit/unit.h"

Suite *suite_registry(void);

#define REGISTRY "awk -f src/run/registry.awk"
#define TOOLS "src/tools/*.c"

/* All that can be read of a stream, which is closed with `end`; to be freed. */
static char *all_of(FILE *f, int (*end)(FILE *f), int *status)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	for (int c; f && (c = fgetc(f)) != EOF;)
		fputc(c, to);
	*status = f ? end(f) : -1;
	fclose(to);
	return text;
}

static char *output_of(const char *command, int *status)
{
	return all_of(popen(command, "r"), pclose, status);
}

static char *file_text(const char *path)
{
	int status;

	return all_of(fopen(path, "r"), fclose, &status);
}

/* Checklists name tools; what to run next begins with a tool, or an option of the one before. */
START_TEST(checklist_tools)
{
	for (const struct checklist *l = checklists; l->name; l++) {
		for (int i = 0; i < CHECKS_MOST; i++) {
			const struct check *c = &l->checks[i];
			const char *at = c->next;

			ck_assert_msg(tool_named(c->tool), "%s: no tool %s", l->name, c->tool);
			while (at) {
				char word[32];

				at += strspn(at, "; ");
				snprintf(word, sizeof(word), "%.*s", (int)strcspn(at, " :;"), at);
				ck_assert_msg(tool_named(word) || (*word == '-' && at > c->next) ||
					      !strcmp(word, "sonde"), "%s, %s: no tool %s",
					      l->name, c->tool, word);
				at = strchr(at, ';');
			}
		}
	}
}
END_TEST

/* The build reads the sources as text, the compiler as C: both find the same. */
START_TEST(table)
{
	char *said, *wanted = NULL;
	size_t size;
	FILE *f = open_memstream(&wanted, &size);
	int status;

	for (const struct tool *const *t = tools; *t; t++)
		fprintf(f, "%s\t%s\t%s\n", (*t)->name, (*t)->group, (*t)->summary);
	fclose(f);
	said = output_of(REGISTRY " -v what=summaries " TOOLS, &status);
	ck_assert_int_eq(status, 0);
	ck_assert_str_eq(said, wanted);
	free(said);
	free(wanted);
}
END_TEST

START_TEST(checks_are_of_tools)
{
	for (const struct selftest *const *s = selftests; *s; s++)
		ck_assert_msg(tool_named((*s)->tool) != NULL, "a check of %s, which is no tool",
			      (*s)->tool);
}
END_TEST

/* What `make lists` would write is there already. */
static const char *const documents[] = { "README.md", "docs/support.md" };

START_TEST(lists)
{
	const char *path = documents[_i];
	char command[256], *said, *has = file_text(path);
	int status;

	snprintf(command, sizeof(command), REGISTRY " -v fill=%s " TOOLS, path);
	said = output_of(command, &status);
	ck_assert_msg(!status, "%s failed", command);
	ck_assert_msg(!strcmp(said, has), "%s lists other tools than src/tools registers, or says "
					  "something else of them: "
		      "run `make lists`", path);
	free(said);
	free(has);
}
END_TEST

/* Each tool is in the list of sonde(8), with what it does, and in its SEE ALSO. */
START_TEST(sonde_8)
{
	int status;
	char *page = output_of(REGISTRY " -v fill=man/man8/sonde.8 " TOOLS, &status), *list,
		*see_also;

	ck_assert_int_eq(status, 0);
	list = strstr(page, "\n.Sh TOOLS\n");
	see_also = strstr(page, "\n.Sh SEE ALSO\n");
	ck_assert_msg(list && see_also, "a section is missing");
	for (const struct tool *const *t = tools; *t; t++) {
		char name[64];
		const char *at;

		snprintf(name, sizeof(name), "Xr %s 8", (*t)->name);
		ck_assert_msg(strstr(see_also, name) != NULL, "%s is not in SEE ALSO", (*t)->name);
		at = strstr(list, name);
		ck_assert_msg(at && at < see_also, "%s is not listed", (*t)->name);
		snprintf(name, sizeof(name), "\n.It Xr %s 8\n", (*t)->name);
		at = strstr(page, name);
		ck_assert_msg(!at || !strncmp(at + strlen(name), (*t)->summary,
					      strlen((*t)->summary)),
			      "the list does not say of %s: %s", (*t)->name, (*t)->summary);
	}
	free(page);
}
END_TEST

/*
 * Each tool has a page, whose NAME says what the tool's list says; or the page of what it is a
 * variant of.
 */
START_TEST(pages)
{
	for (const struct tool *const *t = tools; *t; t++) {
		char path[128], wanted[256], *page;

		snprintf(path, sizeof(path), "man/man8/%s.8", (*t)->name);
		page = file_text(path);
		ck_assert_msg(*page != '\0', "there is no %s", path);
		snprintf(wanted, sizeof(wanted), "\n.Nd %s\n", (*t)->summary);
		ck_assert_msg(!strncmp(page, ".so man8/", 9) || strstr(page, wanted),
			      "%s has not the summary that the tool registers:%s", path, wanted);
		free(page);
	}
}
END_TEST

/* The page of a tool, or the page of the tool that it is a variant of; to be freed. */
static char *page_of(const char *name)
{
	char path[128], *page, *end;

	snprintf(path, sizeof(path), "man/man8/%s.8", name);
	page = file_text(path);
	if (strncmp(page, ".so ", 4))
		return page;
	end = strchr(page, '\n');
	snprintf(path, sizeof(path), "man/%.*s", end ? (int)(end - page - 4) : 0, page + 4);
	free(page);
	return file_text(path);
}

/* A page lists each option that is the tool's own, unless its value alone does. */
START_TEST(page_options)
{
	for (const struct tool *const *t = tools; *t; t++) {
		char *page = page_of((*t)->name);

		for (const struct option *o = (*t)->options; o && o->name; o++) {
			char wanted[64];

			if (!o->help || o->positional)
				continue;	/* a common option with a letter; a plain value */
			snprintf(wanted, sizeof(wanted), " -%s", o->name);
			ck_assert_msg(strstr(page, wanted) != NULL, "the page of %s lacks --%s",
				      (*t)->name, o->name);
		}
		free(page);
	}
}
END_TEST

/* Values of an option that is given several times are joined by the letter that divides them. */
START_TEST(joined)
{
	for (const struct tool *const *t = tools; *t; t++)
		for (const struct option *o = (*t)->options; o && o->name; o++)
			ck_assert_msg(!o->joins || strchr(",\n", o->joins),
				      "%s: values of --%s are joined by \\x%02x", (*t)->name,
				      o->name, (unsigned int)o->joins);
}
END_TEST

/* What the build would read otherwise than the compiler is refused, with the line. */
static const struct {
	const char *source, *says;
} refused[] = {
	{ "TOOL(a, \"files\", \"one\");\nTOOL(a, \"files\", \"two\");",
	  ":2: there is a tool a already" },
	{ "TOOL(a, \"file\", \"one\");",
	  ":1: the group \"file\" of a is not in src/run/registry.awk" },
	{ "\nTOOL(a, FILES, \"one\",\n\t.shape = SHAPE_EVENTS,\n);\n\n\n\n",
	  ":2: `TOOL(a, FILES, \"one\",` has no name, group and" },
	{ "TOOL(a, \"files\",\nTOOL(b, \"files\", \"two\");",
	  ":1: `TOOL(a, \"files\",` has no end" },
	{ "TOOL(a, \"files\",", "the file ends within `TOOL(a, \"files\",`" },
	{ "/* support: full | no | full */", ":1: `support:` is not four cells" },
	{ "VARIANT(a, b, \"files\", \"one\");", "a is a variant of b, which is no tool" },
	{ "TOOL(a, \"files\", \"one\");\nSELFTEST(b, parts);", "there is no tool b" },
	{ "TOOL(a, \"files\",\n     \"one\",\n\t.shape = SHAPE_EVENTS,\n);\n\nSELFTEST(a, parts);",
	  NULL },
};

START_TEST(refusals)
{
	char command[1024], *said;
	int status;

	snprintf(command, sizeof(command), "printf '%%s\\n' '%s' | " REGISTRY " -v what=names 2>&1",
		 refused[_i].source);
	said = output_of(command, &status);
	if (refused[_i].says)
		ck_assert_msg(status && strstr(said, refused[_i].says), "[%s] says [%s], not [%s]",
			      refused[_i].source, said,
			      refused[_i].says);
	else
		ck_assert_msg(!status && !strcmp(said, "a\n"), "[%s] says [%s]",
			      refused[_i].source, said);
	free(said);
}
END_TEST

/* On a terminal of 80 columns each example of --help is one line. */
START_TEST(examples)
{
	for (const struct tool *const *t = tools; *t; t++) {
		size_t command = 0, text = 0;

		for (const struct example *e = (*t)->examples; e->command; e++) {
			command = strlen(e->command) > command ? strlen(e->command) : command;
			text = strlen(e->text) > text ? strlen(e->text) : text;
		}
		command += strlen("Examples: ") + 2;
		ck_assert_msg(command + text <= 80, "%s: an example has %zu columns", (*t)->name,
			      command + text);
	}
}
END_TEST

Suite *suite_registry(void)
{
	Suite *suite = suite_create("registry");

	add_tests(suite, "checklist_tools", checklist_tools, 1);
	add_tests(suite, "table", table, 1);
	add_tests(suite, "checks_are_of_tools", checks_are_of_tools, 1);
	add_tests(suite, "lists", lists, COUNT_OF(documents));
	add_tests(suite, "sonde_8", sonde_8, 1);
	add_tests(suite, "pages", pages, 1);
	add_tests(suite, "page_options", page_options, 1);
	add_tests(suite, "joined", joined, 1);
	add_tests(suite, "examples", examples, 1);
	add_tests(suite, "refusals", refusals, COUNT_OF(refused));
	return suite;
}
