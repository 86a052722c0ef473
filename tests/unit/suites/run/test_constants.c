// SPDX-License-Identifier: GPL-2.0
/*
 * Constants are names on both sides: a tool sets them by run_constant(), or has an option of that
 * name; programs and columns ask for them. Here all tools run prepare() with many command lines:
 * what a program file asks for must be set by a tool that has the program, and what a tool sets
 * must be asked for. (Tools share files, of which each reaches a part; the suite `rules` lowers
 * what they reach.)
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/kernel/constants.h"
#include "src/run/options/tool_options.h"
#include "tests/unit/helpers/hook_inputs.h"
#include "tests/unit/helpers/literals.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/rows/commands.h"
#include "tests/unit/rows/nevers.h"
#include "tests/unit/unit.h"

Suite *suite_constants(void);

#define WORDS 80		/* that a tool's command line may have, at most */
#define PLACES 65536
#define SETS 8			/* of programs that a run may have */

/* ---- what is known: a set of lines, "asked FILE NAME" ---- */

static char *lines[PLACES];
static unsigned int n_lines;

/* The line's place in the table: it is there, or not yet. */
static char **place_of(const char *line)
{
	unsigned int hash = 0;

	for (const char *c = line; *c; c++)
		hash = hash * 31 + (unsigned char)*c;
	while (lines[hash % PLACES] && strcmp(lines[hash % PLACES], line))
		hash++;
	return &lines[hash % PLACES];
}

static void note(const char *what, const char *of, const char *name)
{
	char line[256], **place;

	snprintf(line, sizeof(line), "%s %s %s", what, of, name);
	place = place_of(line);
	if (*place)
		return;
	*place = strdup(line);
	ck_assert_uint_lt(++n_lines, PLACES / 2);
}

static bool noted(const char *what, const char *of, const char *name)
{
	char line[256];

	snprintf(line, sizeof(line), "%s %s %s", what, of, name);
	return *place_of(line);
}

/* ---- a run of a tool ---- */

/* The sets of programs that the run may have on some kernel. */
static unsigned int sets_of(const struct run *r, const struct program_set *sets[SETS])
{
	const struct tool_last_resort *last = r->tool->last_resort;
	unsigned int n = 0;

	for (const struct program_set *s = r->programs; s; s = s->otherwise)
		sets[n++] = s;
	for (const struct program_set *s = last ? last->programs : NULL; s; s = s->otherwise)
		sets[n++] = s;
	ck_assert_uint_le(n, SETS);
	return n;
}

static const struct constant *constant_of(const struct run *r, const char *name)
{
	for (unsigned int i = 0; i < r->n_constants; i++)
		if (!strcmp(r->constants[i].name, name))
			return &r->constants[i];
	return NULL;
}

static bool is_option(const struct run *r, const char *name)
{
	const struct constant *c = options_constants(r->options);

	while (c->name && strcmp(c->name, name))
		c++;
	return c->name;
}

static const struct hook *hook_of(const struct program *p)
{
	return p->built ? p->built : hook_by_name(p->hook);
}

/* Has the run a program on the hook, or on a hook with the input? The other one is NULL. */
static bool has_program(const struct run *r, const char *hook, const char *input)
{
	const struct program_set *sets[SETS];
	const unsigned int n = sets_of(r, sets);

	for (unsigned int i = 0; i < n; i++)
		for (const struct program *p = sets[i]->programs; p->hook; p++)
			if (hook ? !strcmp(p->hook, hook) : hook_has_input(hook_of(p), input))
				return true;
	return false;
}

/* The name behind a prefix; NULL: the text begins otherwise. */
static const char *behind(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) ? NULL : text + strlen(prefix);
}

/* "lacks:HOOK.INPUT" */
static bool may_lack(const char *what)
{
	const char *dot = strrchr(what, '.');
	char hook[64];

	snprintf(hook, sizeof(hook), "%.*s", (int)(dot - what), what);
	return hook_has_input(hook_by_name(hook), dot + 1);
}

/* What lowering and plans know by themselves, beside options and constants of tools. */
static bool is_fact(const struct run *r, const char *name)
{
	static const char *const facts[] = {
		"target:bpf", "returns:untold", "cmpxchg", "ring_wakeup",
	};
	static const char *const of_inputs[] = { "input:", "argument:", "constant:", "row:" };
	struct error err;
	int64_t value;

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (!strcmp(facts[i], name))
			return true;
	for (size_t i = 0; i < sizeof(of_inputs) / sizeof(of_inputs[0]); i++)
		if (behind(name, of_inputs[i]))
			return has_program(r, NULL, behind(name, of_inputs[i]));
	if (behind(name, "hook:"))
		return has_program(r, behind(name, "hook:"), NULL);
	if (behind(name, "lacks:"))
		return may_lack(behind(name, "lacks:"));
	return kernel_constant(r->kernel, name, &value, &err);
}

/* Samples are as frequent as constants say, which bear the names of the timed events. */
static void note_timed(const struct program *p)
{
	const struct hook *h = hook_of(p);

	for (unsigned int i = 0; h && i < h->n_alternatives; i++)
		for (unsigned int j = 0; j < h->alternatives[i].n_probes; j++)
			if (h->alternatives[i].probes[j].kind == PROBE_SAMPLE) {
				note("asked", p->file, h->alternatives[i].probes[j].name);
				note("may", p->file, "cycles");
			}
}

static void note_asked(const struct run *r, const struct program *p, const char *what,
		       const char *name)
{
	note(is_fact(r, name) ? "given" : what, p->file, name);
}

static void note_program(const struct run *r, const struct program *p)
{
	note("has", r->tool->name, p->file);
	for (unsigned int i = 0; i < r->n_constants; i++)
		note("given", p->file, r->constants[i].name);
	/* Program files share rows of hooks, some of which one of them always leaves out. */
	if (p->option)
		note_asked(r, p, "left", p->option);
	for (unsigned int i = 0; i < p->n_insns; i++)
		if (p->insns[i].symbol == SYM_CONST || p->insns[i].symbol == SYM_JUMP_UNLESS)
			note_asked(r, p, "asked", p->insns[i].name);
	note_timed(p);
}

/* These are set for all tools, whether they ask or not. */
static bool of_session(const char *name)
{
	return !strcmp(name, "filtered") || !strcmp(name, "exact") || !strcmp(name, "cgroup1");
}

static void note_run(const struct run *r)
{
	const struct program_set *sets[SETS];
	const unsigned int n = sets_of(r, sets);

	for (unsigned int i = 0; i < n; i++)
		for (const struct program *p = sets[i]->programs; p->hook; p++)
			note_program(r, p);
	for (unsigned int i = 0; i < r->n_constants; i++) {
		const char *name = r->constants[i].name;

		note("known", r->tool->name, name);
		if (!is_option(r, name) && !of_session(name))
			note("set", r->tool->name, name);
	}
	for (const struct column *c = r->columns; c && c->head; c++) {
		if (c->option)
			note("shown", r->tool->name, c->option);
		if (c->unless)
			note("shown", r->tool->name, c->unless);
	}
}

/* ---- command lines ---- */

typedef void (*look_fn)(const struct run *r, const char *command);

static void look_at(const char *line, struct kernel *k, look_fn look)
{
	static struct trial t;

	if (!trial_start(&t, line, k))
		look(&t.run, line);
	t.run.kernel = NULL;		/* the caller's */
	trial_end(&t);
}

/* The options of a tool, each with a value or two. */
struct words {
	char list[WORDS][64];
	unsigned int n;
};

static void add_word(struct words *w, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void add_word(struct words *w, const char *name, const char *format, ...)
{
	const int n = snprintf(w->list[w->n], sizeof(w->list[0]), "--%s", name);
	va_list args;

	ck_assert_uint_lt(w->n, WORDS);
	va_start(args, format);
	vsnprintf(w->list[w->n] + n, sizeof(w->list[0]) - (size_t)n, format, args);
	va_end(args);
	w->n++;
}

static void add_option(struct words *w, const struct option *o)
{
	switch (o->type) {
	case OPTION_NUMBER:
		add_word(w, o->name, "=%lld", (long long)o->min);
		add_word(w, o->name, "=%lld", (long long)o->min + 1);
		break;
	case OPTION_TEXT:
	case OPTION_FLAGS:
		for (const struct option_name *n = o->names; n && n->name; n++)
			add_word(w, o->name, "=%s", n->name);
		if (!o->names)
			add_word(w, o->name, "=1");
		break;
	case OPTION_LIST:
	case OPTION_USERS:
		add_word(w, o->name, "=%lld", (long long)o->min);
		break;
	default:
		add_word(w, o->name, "%s", "");
	}
}

/* It prints something at once, even if only that it is not needed, or makes a file. */
static bool prints(const char *option)
{
	static const char *const names[] = { "list", "probes", "info", "output",
					     "sym-file-list" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], option))
			return true;
	return false;
}

static void words_of(const struct tool *t, struct words *w)
{
	unsigned int n;
	struct option_row *rows = tool_option_rows(t, &n);

	w->n = 0;
	for (unsigned int i = 0; i < n; i++)
		if (rows[i].own && option_served(t, &rows[i]) &&
		    rows[i].option.type != OPTION_COMMAND && !prints(rows[i].option.name))
			add_option(w, &rows[i].option);
	free(rows);
}

/* All lines with so many more options, of those from `from` on. */
static void add_options(const struct words *w, unsigned int from, unsigned int more,
			const char *line, struct kernel *k, look_fn look)
{
	char longer[512];

	look_at(line, k, look);
	for (unsigned int i = from; more && i < w->n; i++) {
		snprintf(longer, sizeof(longer), "%s %s", line, w->list[i]);
		add_options(w, i + 1, more - 1, longer, k, look);
	}
}

/* Looks at runs of a tool with all options and values, `most` of them at a time. */
static void look_at_tool(const struct tool *t, unsigned int most, struct kernel *k, look_fn look)
{
	const size_t length = strlen(t->name);
	static struct words w;
	char line[256];

	snprintf(line, sizeof(line), "%s%s%s", t->name, t->asks ? " " : "", t->asks ? t->asks : "");
	words_of(t, &w);
	add_options(&w, 0, most, line, k, look);
	for (const struct choices *of = choices; of->tool; of++) {
		struct command c = { };

		if (strncmp(of->tool, t->name, length) ||
		    (of->tool[length] && of->tool[length] != ' '))
			continue;
		for (unsigned int n = 0; combine(of, n, &c); n++)
			look_at(c.line, k, look);
	}
}

/* ---- the tests ---- */

static unsigned int wrong;

static void look(const struct run *r, const char *command)
{
	(void)command;
	note_run(r);
}

/* Is it asked for by a program in this file, or shown by a tool that has the program? */
static bool used_with(const char *file, const char *name)
{
	if (noted("asked", file, name) || noted("left", file, name) || noted("may", file, name))
		return true;
	for (const struct tool *const *t = tools; *t; t++)
		if (noted("has", (*t)->name, file) && noted("shown", (*t)->name, name))
			return true;
	return false;
}

/* Is it used by the tool? NULL: by any tool. */
static bool is_used(const char *tool, const char *name)
{
	char what[8], of[64], file[128];

	for (int i = 0; i < PLACES; i++)
		if (lines[i] && sscanf(lines[i], "%7s %63s %127s", what, of, file) == 3 &&
		    !strcmp(what, "has") && (!tool || !strcmp(of, tool)) && used_with(file, name))
			return true;
	return tool && noted("shown", tool, name);
}

/* Does any tool set it? */
static bool is_given(const char *name)
{
	char what[8], of[128], given[64];

	for (int i = 0; i < PLACES; i++)
		if (lines[i] && sscanf(lines[i], "%7s %127s %63s", what, of, given) == 3 &&
		    !strcmp(what, "given") && !strcmp(given, name))
			return true;
	return false;
}

/* What the toolkit sets for several tools, not all of which ask. */
static bool of_toolkit(const char *name)
{
	return !strcmp(name, "family") || !strcmp(name, "user_space");
}

static void check_line(const char *line)
{
	char what[8], of[128], name[64];
	const char *problem = NULL;

	ck_assert_int_eq(sscanf(line, "%7s %127s %63s", what, of, name), 3);
	if ((!strcmp(what, "asked") && !noted("given", of, name)) ||
	    (!strcmp(what, "left") && !is_given(name)))
		problem = "asks for a constant that no tool sets";
	/* `never`: a column that others have. */
	if (!strcmp(what, "shown") && !noted("known", of, name) && strcmp(name, "never"))
		problem = "has a column with what is no option, and no constant that it sets";
	if (!strcmp(what, "set") && !is_used(of_toolkit(name) ? NULL : of, name))
		problem = "sets a constant that nobody asks for";
	if (problem) {
		fprintf(stderr, "%s %s: %s\n", of, problem, name);
		wrong++;
	}
}

/* run_shown(r, "NAME") */
static void check_shown(const char *path, const char *name, const char *second)
{
	(void)second;
	for (const struct tool *const *t = tools; *t; t++)
		if (noted("known", (*t)->name, name))
			return;
	fprintf(stderr, "%s asks for what is no option, and no constant: %s\n", path, name);
	wrong++;
}

/* One of the table, or of programs: such a hook may be made at run time. */
static bool is_hook(const char *name)
{
	for (const struct tool *const *t = tools; *t; t++)
		for (const struct program_set *s = NULL; (s = tool_set_after(*t, s));)
			for (const struct program *p = s->programs; p && p->hook; p++)
				if (!strcmp(p->hook, name))
					return true;
	return hook_by_name(name);
}

/* run_has_hook(r, "HOOK"), run_has_input(r, "HOOK", "INPUT") */
static void check_hook(const char *path, const char *hook, const char *input)
{
	if (is_hook(hook) && (!*input || hook_has_input(hook_by_name(hook), input)))
		return;
	fprintf(stderr, "%s asks for what no hook has: %s %s\n", path, hook, input);
	wrong++;
}

START_TEST(names)
{
	struct kernel *k = trial_kernel("6.1");

	for (const struct tool *const *t = tools; *t; t++)
		look_at_tool(*t, 1, k, look);
	for (int i = 0; i < PLACES; i++)
		if (lines[i])
			check_line(lines[i]);
	kernel_free(k);
	ck_assert_uint_gt(n_lines, 5000);
	ck_assert_uint_ge(literals_of("run_shown", check_shown), 6);
	ck_assert_uint_ge(literals_of("run_has_hook", check_hook), 10);
	ck_assert_uint_ge(literals_of("run_has_input", check_hook), 10);
	ck_assert_msg(!wrong, "%u names", wrong);
}
END_TEST

/* The claim that is tested, and which of its answers runs have: bits. */
static const struct never *claim;
static unsigned int answered;

static void look_for_claim(const struct run *r, const char *command)
{
	bool all = true;

	for (int i = 0; i < 2; i++) {
		const struct constant *c = constant_of(r, claim->asked[i]);
		const bool claimed = c && (c->value != 0) == claim->answers[i];

		answered |= (unsigned int)claimed << i;
		all &= claimed;
	}
	ck_assert_msg(!all, "%s: %s is %d and %s is %d, which tests/unit/rows/nevers.c says no run "
		      "has", command, claim->asked[0], claim->answers[0], claim->asked[1],
		      claim->answers[1]);
}

static bool has_file(const struct tool *t, const char *file)
{
	for (const struct program_set *s = NULL; (s = tool_set_after(t, s));)
		for (const struct program *p = s->programs; p->hook; p++)
			if (!strcmp(p->file, file))
				return true;
	return false;
}

/* With up to three options at a time: no tool looks at more to set a constant. */
START_TEST(nevers_hold)
{
	struct kernel *k = trial_kernel("6.1");

	for (claim = nevers; claim->file; claim++) {
		answered = 0;
		for (const struct tool *const *t = tools; *t; t++)
			if (has_file(*t, claim->file))
				look_at_tool(*t, 3, k, look_for_claim);
		ck_assert_msg(answered == 3, "%s: no run has one of the answers to %s and %s",
			      claim->file, claim->asked[0], claim->asked[1]);
	}
	kernel_free(k);
}
END_TEST

Suite *suite_constants(void)
{
	Suite *s = suite_create("constants");

	add_tests(s, "names", names, 1);
	add_tests(s, "nevers", nevers_hold, 1);
	return s;
}
