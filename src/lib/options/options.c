// SPDX-License-Identifier: GPL-2.0
#include "src/lib/options/options.h"

#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/scan.h"
#include "src/lib/options/options_rows.h"

struct value {
	bool given;
	int64_t number;
	const char *text;
	char *joined;			/* what text points to if it was made here */
	int64_t *list;
	unsigned int n;
};

struct options {
	const struct tool *tool;
	unsigned int n;
	struct option_row *rows;
	struct value *values;		/* one a row */
	char *const *words;		/* the command line, from the tool's name on */
	char *const *command;
	struct constant *constants;
};

/* The walk along a command line. */
struct parser {
	struct options *o;
	char **next;			/* the argument to read next */
	unsigned int n_positionals;
	bool options_end;		/* -- was seen */
	/* the argument behind an option that was given without its optional value */
	const char *alone, *alone_name;
	enum options_action action;
	struct error *err;
};

/* An option as it was given: the row, how the user spelled it, its value. */
struct given {
	unsigned int row;
	const char *spelled;
	const char *value;
};

static int usage(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int usage(struct parser *p, const char *format, ...)
{
	char text[800];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	p->action = ACTION_USAGE_ERROR;
	return fail(p->err, "%s: %s\n`sonde help %s` says what it takes", p->o->tool->name, text,
		    p->o->tool->name);
}

/* A decimal number of exactly these bytes. */
static bool read_number(const char *s, size_t length, int64_t *v)
{
	bool minus = length && *s == '-';
	uint64_t n = 0, limit = (uint64_t)INT64_MAX + minus;
	size_t i;

	for (i = minus; i < length; i++) {
		if (!isdigit((unsigned char)s[i]) || n > (limit - (s[i] - '0')) / 10)
			return false;
		n = n * 10 + (s[i] - '0');
	}
	*v = minus ? -n : n;
	return length > minus;
}

static int bounded_number(struct parser *p, const struct given *g, const char *s, size_t length,
			  int64_t *v)
{
	const struct option *option = &p->o->rows[g->row].option;
	int64_t min = option->min, max = option->max ? option->max : INT64_MAX;

	if (read_number(s, length, v) && *v >= min && *v <= max)
		return 0;
	return usage(p, "%s takes a whole number from %lld to %lld, not \"%.*s\"", g->spelled,
		     (long long)min,
		     (long long)max, (int)length, s);
}

/*
 * A static binary can't load the modules getpwnam() asks; the file itself serves those a rescue
 * system has.
 */
static int user_id(struct parser *p, const struct given *g, const char *s, size_t length,
		   int64_t *v)
{
	struct passwd *entry;
	FILE *file;

	if (read_number(s, length, v)) {
		if (*v >= 0 && *v < UINT32_MAX)
			return 0;
		return usage(p, "%s takes user names or ids from 0 to %u, not %lld", g->spelled,
			     UINT32_MAX - 1,
			     (long long)*v);
	}
	file = fopen("/etc/passwd", "re");
	if (!file)
		return usage(p, "%s: can't look up user \"%.*s\": /etc/passwd: %s; give the number "
				"of the user",
			     g->spelled, (int)length, s, strerror(errno));
	while ((entry = fgetpwent(file))) {
		if (strlen(entry->pw_name) == length && !memcmp(entry->pw_name, s, length)) {
			*v = entry->pw_uid;
			break;
		}
	}
	fclose(file);
	if (entry)
		return 0;
	return usage(p, "%s: no user \"%.*s\" in /etc/passwd; give the number of the user",
		     g->spelled, (int)length, s);
}

/* "A, B or C", for messages. */
static void list_names(char *text, size_t size, const struct option_name *names)
{
	size_t used = 0;
	unsigned int i;

	*text = '\0';
	for (i = 0; names[i].name && used < size; i++)
		used += snprintf(text + used, size - used, "%s%s", !i ? "" : names[i + 1].name ?
				 ", " : " or ",
				 names[i].name);
}

static int named_value(struct parser *p, const struct given *g, const char *s, size_t length,
		       int64_t *v)
{
	const struct option_name *name = p->o->rows[g->row].option.names;
	char known[512];

	for (; name->name; name++) {
		if (strlen(name->name) == length && !memcmp(name->name, s, length)) {
			*v = name->value;
			return 0;
		}
	}
	list_names(known, sizeof(known), p->o->rows[g->row].option.names);
	return usage(p, "%s takes %s, not \"%.*s\"", g->spelled, known, (int)length, s);
}

static int out_of_memory(struct parser *p)
{
	p->action = ACTION_USAGE_ERROR;
	return fail(p->err, "%s: out of memory", p->o->tool->name);
}

static int append(struct parser *p, struct value *value, int64_t v)
{
	if (array_room(&value->list, value->n, sizeof(*value->list)))
		return out_of_memory(p);
	value->list[value->n++] = v;
	return 0;
}

/* OPTION_LIST, OPTION_USERS, OPTION_FLAGS: one or several, by commas. */
static int take_list(struct parser *p, const struct given *g, struct value *value)
{
	static int (*const readers[])(struct parser *p, const struct given *g, const char *s,
				      size_t length,
				      int64_t *v) = {
		[OPTION_LIST] = bounded_number, [OPTION_USERS] = user_id,
		[OPTION_FLAGS] = named_value,
	};
	enum option_type type = p->o->rows[g->row].option.type;
	const char *s = g->value;

	for (;;) {
		size_t length = strcspn(s, ",");
		int64_t v;

		if (!length)
			return usage(p, "%s: an item of the list \"%s\" is empty", g->spelled,
				     g->value);
		if (readers[type](p, g, s, length, &v))
			return -1;
		value->number |= type == OPTION_FLAGS ? v : 0;
		if (type != OPTION_FLAGS && append(p, value, v))
			return -1;
		s += length;
		if (!*s)
			return 0;
		s++;
	}
}

static int take_text(struct parser *p, const struct given *g, struct value *value)
{
	const struct option *option = &p->o->rows[g->row].option;
	char *joined;
	int64_t v;

	if (option->names && named_value(p, g, g->value, strlen(g->value), &v))
		return -1;
	if (!option->joins || !value->given) {
		value->text = g->value;
		return 0;
	}
	if (asprintf(&joined, "%s%c%s", value->text, option->joins, g->value) < 0)
		return out_of_memory(p);
	free(value->joined);
	value->text = value->joined = joined;
	return 0;
}

static int take_value(struct parser *p, const struct given *g)
{
	struct value *value = &p->o->values[g->row];
	int64_t v;
	int result;

	if (!*g->value)
		return usage(p, "%s: its value is empty", g->spelled);
	switch (p->o->rows[g->row].option.type) {
	case OPTION_NUMBER:
		result = bounded_number(p, g, g->value, strlen(g->value), &v);
		value->number = result ? 0 : v;
		break;
	case OPTION_TEXT:
		result = take_text(p, g, value);
		break;
	default:
		result = take_list(p, g, value);
	}
	value->given = true;
	return result;
}

static void take_flag(struct parser *p, unsigned int row)
{
	const char *name = p->o->rows[row].option.name;

	p->o->values[row].given = true;
	/* Whoever asks for help gets it, whatever follows. */
	if (!strcmp(name, "help"))
		p->action = ACTION_HELP;
	else if (!strcmp(name, "version"))
		p->action = ACTION_VERSION;
}

/* The rest of the command line. `first`: what was attached (--exec=CMD), else NULL. */
static int take_command(struct parser *p, const struct given *g, char *first)
{
	if (first)
		*--p->next = first;
	else if (*p->next && !strcmp(*p->next, "--"))
		p->next++;
	if (!*p->next || !**p->next)
		return usage(p, "%s needs a command", g->spelled);
	p->o->command = p->next;
	p->o->values[g->row].given = true;
	while (*p->next)
		p->next++;
	return 0;
}

/* An option that takes something: the rest of its own argument, or the next one. */
static int take_argument(struct parser *p, struct given *g, char *attached)
{
	const struct option *option = &p->o->rows[g->row].option;

	if (option->type == OPTION_COMMAND)
		return take_command(p, g, attached);
	if (!attached && !*p->next)
		return usage(p, "%s needs a value: %s %s", g->spelled, g->spelled,
			     option->arg ? option->arg : "VALUE");
	g->value = attached ? attached : *p->next++;
	return take_value(p, g);
}

/* An option whose value may be left out. Given again, it is what it was given as last. */
static int take_alone(struct parser *p, const struct given *g)
{
	p->o->values[g->row].given = true;
	p->o->values[g->row].text = NULL;
	p->alone = *p->next;
	p->alone_name = p->o->rows[g->row].option.name;
	return 0;
}

static int unknown_long(struct parser *p, const char *name, size_t length)
{
	const char *nearest = option_nearest(p->o->rows, p->o->n, name, length);

	if (nearest)
		return usage(p, "there is no option --%.*s; did you mean --%s?", (int)length,
			     name, nearest);
	return usage(p, "there is no option --%.*s", (int)length, name);
}

static int take_long(struct parser *p, char *argument)
{
	char *name = argument + 2, *equals = strchr(name, '='), spelled[64];
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct option_row *row = option_by_name(p->o->rows, p->o->n, name, length);
	struct given g = { .spelled = spelled };

	if (!row)
		return unknown_long(p, name, length);
	g.row = row - p->o->rows;
	snprintf(spelled, sizeof(spelled), "--%.*s", (int)length, name);
	if (row->option.optional && !equals)
		return take_alone(p, &g);
	if (row->option.type != OPTION_FLAG)
		return take_argument(p, &g, equals ? equals + 1 : NULL);
	if (equals)
		return usage(p, "%s takes no value", spelled);
	take_flag(p, g.row);
	return 0;
}

static int unknown_letter(struct parser *p, const char *argument, char letter)
{
	const char *name = argument + 1;
	size_t length = strcspn(name, "=");
	const struct option_row *row = length > 1 ?
		option_by_name(p->o->rows, p->o->n, name, length) : NULL;

	if (row)
		return usage(p, "there is no option -%c in %s; did you mean --%.*s?", letter,
			     argument, (int)length,
			     name);
	row = option_by_letter(p->o->rows, p->o->n, islower((unsigned char)letter) ?
			       toupper(letter) : tolower(letter));
	if (row)
		return usage(p, "there is no option -%c; -%c is --%s", letter, row->option.letter,
			     row->option.name);
	return usage(p, "there is no option -%c", letter);
}

/* -p181, -mT, -mp 181: flags may be joined, the last one may take a value. */
static int take_letters(struct parser *p, char *argument)
{
	char *letter;

	for (letter = argument + 1; *letter; letter++) {
		const struct option_row *row = option_by_letter(p->o->rows, p->o->n, *letter);
		char spelled[] = { '-', *letter, '\0' };
		struct given g = { .spelled = spelled };

		if (!row)
			return unknown_letter(p, argument, *letter);
		g.row = row - p->o->rows;
		if (row->option.type != OPTION_FLAG)
			return take_argument(p, &g, letter[1] ? letter + 1 : NULL);
		take_flag(p, g.row);
		if (p->action != ACTION_RUN)
			return 0;
	}
	return 0;
}

static int take_positional(struct parser *p, const char *argument)
{
	const struct tool *t = p->o->tool;
	const struct option_row *own = option_positional(p->o->rows, p->o->n);
	struct given g = { .value = argument };
	int64_t number;
	char spelled[64];

	if (argument == p->alone && !read_number(argument, strlen(argument), &number))
		return usage(p, "--%s takes its value after `=`: --%s=%s", p->alone_name,
			     p->alone_name, argument);

	if (own && (!p->n_positionals++ || own->option.joins)) {
		g.row = own - p->o->rows;
		snprintf(spelled, sizeof(spelled), "%s", own->option.arg);
		g.spelled = spelled;
		return take_value(p, &g);
	}
	if (own)
		return usage(p, "it takes no more than %s, not \"%s\" too", own->option.arg,
			     argument);
	if (!t->positionals)
		return usage(p, "it takes options only, not \"%s\"", argument);
	if (p->n_positionals == t->positionals)
		return usage(p, "it takes no more than %s, not \"%s\" too",
			     t->positionals > 1 ? "an interval and a count" : "an interval",
			     argument);
	g.row = p->o->n - t->positionals + p->n_positionals++;
	g.spelled = p->n_positionals > 1 ? "the count" : "the interval";
	return take_value(p, &g);
}

static int walk(struct parser *p)
{
	while (*p->next && p->action == ACTION_RUN) {
		char *argument = *p->next++;
		int result;

		if (p->options_end || argument[0] != '-' || !argument[1])
			result = take_positional(p, argument);
		else if (argument[1] != '-')
			result = take_letters(p, argument);
		else if (argument[2])
			result = take_long(p, argument);
		else {
			p->options_end = true;
			result = 0;
		}
		if (result)
			return -1;
	}
	return 0;
}

static int check_excluded(struct parser *p)
{
	struct options *o = p->o;
	unsigned int i;

	for (i = 0; i < o->n; i++) {
		const struct option *option = &o->rows[i].option;

		if (o->values[i].given && option->excludes && option_given(o, option->excludes))
			return usage(p, "--%s and --%s exclude each other", option->excludes,
				     option->name);
	}
	return 0;
}

static bool format_given(const struct options *o, const struct output_format *f)
{
	for (unsigned int i = 0; i < o->n; i++)
		if (o->rows[i].format == f && o->values[i].given)
			return true;
	return false;
}

/* A stream has one format. */
static int check_formats(struct parser *p)
{
	const struct output_format *first = options_format(p->o), *f = first;

	while ((++f)->writer)
		if (format_given(p->o, f))
			return usage(p, "--%s and --%s exclude each other", first->option,
				     f->option);
	return 0;
}

/* The process a thread belongs to, 0 if there is none of this id. */
static int64_t process_of(int64_t tid)
{
	char path[64], line[128];
	uint64_t tgid = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%lld/status", (long long)tid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (!tgid && fgets(line, sizeof(line), file)) {
		const char *at = line;

		if (scan_text(&at, "Tgid: "))
			scan_number(&at, INT32_MAX, &tgid);
	}
	fclose(file);
	return (int64_t)tgid;
}

/* A filter for a task that is not there would trace nothing, for ever. */
static int check_tasks(struct parser *p, const char *name, bool processes)
{
	unsigned int n, i;
	const int64_t *list = option_list(p->o, name, &n);
	const int64_t number = option_number(p->o, name);

	if (!n && option_given(p->o, name)) {	/* a tool that takes one only */
		list = &number;
		n = 1;
	}
	for (i = 0; i < n; i++) {
		int64_t process = process_of(list[i]);

		if (!process)
			return usage(p, "%s %lld does not exist", processes ? "process" : "thread",
				     (long long)list[i]);
		if (processes && process != list[i])
			return usage(p, "%lld is a thread of process %lld; --tid takes threads",
				     (long long)list[i],
				     (long long)process);
	}
	return 0;
}

static const char *why_not_served(const struct tool *t, const struct option_row *row)
{
	if (row->group == GROUP_FILTERS)
		return "this tool counts events that belong to no single task";
	if (!option_of_stacks(row->option.name))
		return "this tool prints no histograms";
	return tool_has_stacks(t) ? "this tool does not add up its stacks (sonde stackcount does)" :
				    "this tool shows no stacks";
}

static int check_served(struct parser *p)
{
	for (unsigned int i = 0; i < p->o->n; i++) {
		const struct option_row *row = &p->o->rows[i];

		if (option_given(p->o, row->option.name) && !option_served(p->o->tool, row))
			return usage(p, "--%s would do nothing: %s", row->option.name,
				     why_not_served(p->o->tool, row));
	}
	return 0;
}

static int check_picture(struct parser *p, const char *option)
{
	const char *file = option_text(p->o, option), *suffix = file ? strrchr(file, '.') : NULL;

	if (file && (!suffix || strcmp(suffix, ".svg")))
		return usage(p, "--%s writes SVG: the name of its file has to end with .svg, "
				"not \"%s\"", option, file);
	return 0;
}

/* A map needs histograms, and a place of its own. */
static int check_heatmap(struct parser *p)
{
	const char *needs = p->o->tool->distribution, *file = option_text(p->o, "heatmap");

	if (!option_given(p->o, "heatmap"))
		return 0;
	if (needs && *needs == '!' && option_given(p->o, needs + 1))
		return usage(p, "--heatmap does not go with --%s: there are no histograms with it",
			     needs + 1);
	if (needs && *needs != '!' && !option_given(p->o, needs))
		return usage(p, "--heatmap goes with --%s: there are no histograms without it",
			     needs);
	if (check_picture(p, "heatmap"))
		return -1;
	if (!file && !options_format(p->o)->people)
		return usage(p, "--heatmap would be drawn into the %s: give it a file, "
				"--heatmap=FILE.svg", options_format(p->o)->title);
	return 0;
}

/* It is for people, who see the time of day and names of functions there anyway. */
static int check_top(struct parser *p)
{
	static const char *const others[] = {
		"folded", "delimited", "offsets", "timestamp", "heatmap",
	};

	if (!option_given(p->o, "top") || !tool_has_stacks(p->o->tool))
		return 0;
	if (!options_format(p->o)->people)
		return usage(p, "--top and --%s exclude each other",
			     options_format(p->o)->option);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (option_given(p->o, others[i]))
			return usage(p, "--top and --%s exclude each other", others[i]);
	return 0;
}

static int check_values(struct parser *p)
{
	if (check_excluded(p) || check_formats(p) || check_served(p) || check_heatmap(p) ||
	    check_picture(p, "flame") || check_top(p))
		return -1;
	if (option_given(p->o, "snapshot")) {
		if (option_given(p->o, "dump"))
			return 0;
		return usage(p, "--snapshot goes with --dump: a program can't run on a kernel that "
				"is not there");
	}
	if (access("/proc/self/status", R_OK))
		return 0;
	return check_tasks(p, "pid", true) || check_tasks(p, "tid", false) ? -1 : 0;
}

enum options_action options_parse(const struct tool *t, int argc, char **argv, struct options **out,
				  struct error *err)
{
	struct parser p = { .o = calloc(1, sizeof(*p.o)), .action = ACTION_RUN, .err = err };

	*out = NULL;
	if (p.o) {
		p.o->tool = t;
		p.o->words = argv;
		p.o->rows = option_rows(t, &p.o->n);
		p.o->values = p.o->rows ? calloc(p.o->n, sizeof(*p.o->values)) : NULL;
	}
	if (!p.o || !p.o->values) {
		options_free(p.o);
		fail(err, "%s: out of memory", t->name);
		return ACTION_USAGE_ERROR;
	}
	p.next = argv + (argc > 0);
	if (walk(&p) || p.action != ACTION_RUN || check_values(&p))
		options_free(p.o);
	else
		*out = p.o;
	return p.action;
}

char *const *options_words(const struct options *o)
{
	return o->words;
}

void options_free(struct options *o)
{
	unsigned int i;

	if (!o)
		return;
	for (i = 0; o->values && i < o->n; i++) {
		free(o->values[i].joined);
		free(o->values[i].list);
	}
	free(o->values);
	free(o->rows);
	free(o->constants);
	free(o);
}

static const struct value *value_of(const struct options *o, const char *name,
				    const struct option **option)
{
	unsigned int i;

	for (i = 0; i < o->n; i++) {
		if (!strcmp(o->rows[i].option.name, name)) {
			*option = &o->rows[i].option;
			return &o->values[i];
		}
	}
	return NULL;
}

static int64_t number_of(const struct option *option, const struct value *value)
{
	switch (option->type) {
	case OPTION_NUMBER:
		return value->given ? value->number : option->initial;
	case OPTION_FLAGS:
		return value->number;
	default:
		return value->given;
	}
}

int64_t option_number(const struct options *o, const char *name)
{
	const struct option *option;
	const struct value *value = value_of(o, name, &option);

	return value ? number_of(option, value) : 0;
}

const char *option_text(const struct options *o, const char *name)
{
	const struct option *option;
	const struct value *value = value_of(o, name, &option);

	return value ? value->text : NULL;
}

const int64_t *option_list(const struct options *o, const char *name, unsigned int *n)
{
	const struct option *option;
	const struct value *value = value_of(o, name, &option);

	*n = value ? value->n : 0;
	return value ? value->list : NULL;
}

char *const *option_command(const struct options *o)
{
	return o->command;
}

bool option_given(const struct options *o, const char *name)
{
	const struct option *option;
	const struct value *value = value_of(o, name, &option);

	return value && value->given;
}

const struct output_format *options_format(const struct options *o)
{
	for (const struct output_format *f = formats; f->writer; f++)
		if (f->option && format_given(o, f))
			return f;
	return formats;
}

const struct constant *options_constants(struct options *o)
{
	unsigned int i;

	if (!o->constants)
		o->constants = calloc(o->n + 1, sizeof(*o->constants));
	for (i = 0; o->constants && i < o->n; i++) {
		o->constants[i].name = o->rows[i].option.name;
		o->constants[i].value = number_of(&o->rows[i].option, &o->values[i]);
	}
	return o->constants;
}
