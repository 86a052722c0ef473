// SPDX-License-Identifier: GPL-2.0
/* What there is to trace by name: tracepoints, and the probes (USDT) of programs and libraries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/expressions/expression.h"
#include "compat/listing/listing.h"
#include "compat/usdt/arguments.h"
#include "compat/usdt/notes.h"
#include "compat/user/rooted.h"
#include "src/run/tools.h"

struct row {
	struct text kind, file, system, name, field, type;
	int64_t semaphore, location, number;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "KIND", "kind", COLUMN_TEXT, 0, AT(kind), .readers = FOR_MACHINES,
	  .help = "tracepoint or usdt; in JSON and CSV" },
	{ "FILE", "file", COLUMN_TEXT, 0, AT(file), .role = IS_IDENTITY, .readers = FOR_MACHINES,
	  .help = "the program or library" },
	{ "SYSTEM", "system", COLUMN_TEXT, 0, AT(system), .role = IS_IDENTITY,
	  .readers = FOR_MACHINES, .help = "the system of a tracepoint, the provider of a probe" },
	{ "NAME", "name", COLUMN_TEXT, 0, AT(name), .role = IS_IDENTITY, .readers = FOR_MACHINES,
	  .help = "the tracepoint or probe" },
	{ "LOCATION", "location", COLUMN_INTEGER, 0, AT(location), .role = IS_LABEL,
	  .readers = FOR_MACHINES, .option = "variables",
	  .help = "address of this place of the probe in the file" },
	{ "SEMAPHORE", "semaphore", COLUMN_INTEGER, 0, AT(semaphore), .role = IS_LABEL,
	  .readers = FOR_MACHINES, .option = "variables",
	  .help = "address of the semaphore in the file" },
	{ "NUMBER", "number", COLUMN_INTEGER, 0, AT(number), .role = IS_IDENTITY,
	  .readers = FOR_MACHINES, .option = "variables",
	  .help = "number of the field or argument, from 1" },
	{ "TYPE", "type", COLUMN_TEXT, 0, AT(type), .readers = FOR_MACHINES,
	  .option = "variables", .help = "type of the field or argument" },
	{ "FIELD", "field", COLUMN_TEXT, 0, AT(field), .readers = FOR_MACHINES,
	  .option = "variables", .help = "a field's name, or where an argument is" },
	{ }
};

/* What the functions below read of the options. */
struct tplist_options {
	bool variables;
	const char *filter, *lib;
	struct option_list pid;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct tplist_options, MEMBER)

static const struct option options[] = {
	{ 0, "filter", "only names that match: [t:]SYSTEM:NAME with * ? [...]", OPTION_TEXT,
	  "FILTER", .positional = true, TO(filter) },
	{ 'p', "pid", "the probes of these processes' programs and libraries", OPTION_LIST,
	  "PID,...", 1, INT32_MAX, TO(pid) },
	{ 'l', "lib", "the probes of this library, program or file", OPTION_TEXT, "LIB", TO(lib) },
	{ 'v', "variables", "fields of tracepoints; places, arguments and semaphores of probes",
	  OPTION_FLAG, .alias = "verbosity", TO(variables) },
	{ }
};

static const struct example examples[] = {
	{ "sonde tplist -v 'sched:sched_switch'", "the fields of a tracepoint" },
	{ "sonde tplist -l c", "the probes of the C library" },
	{ }
};

struct state {
	struct expression *filter;	/* NULL: all */
};

static struct text text(const char *s)
{
	return (struct text){ .s = s, .length = s ? (uint32_t)strlen(s) : 0 };
}

static bool wanted(void *arg, const char *name)
{
	const struct state *s = arg;

	return !s->filter || expression_matches(s->filter, name);
}

/* ---- tracepoints ---- */

/* "char[]", "char[16]", "int": as the format has it, but for the size of an array's elements. */
static void field_type(const struct field *f, char to[96])
{
	const char *end = strchr(f->type, '\0');

	if (f->is_data_loc)
		text_cut(to, 96, "__data_loc %s[]", f->type);
	else if (f->is_array && end - f->type >= 4 && !strcmp(end - 4, "char"))
		text_cut(to, 96, "%s[%u]", f->type, f->size);
	else
		text_cut(to, 96, "%s%s", f->type, f->is_array ? "[]" : "");
}

static void show_fields(struct run *r, const struct format *format, struct row *row)
{
	unsigned int n = 0;
	char type[96];

	for (unsigned int i = 0; i < format->n_fields; i++) {
		const struct field *f = &format->fields[i];

		if (!strncmp(f->name, "common_", 7))
			continue;
		field_type(f, type);
		output_line(run_output(r), "    %s %s;", type, f->name);
		row->number = ++n;
		row->type = text(type);
		row->field = text(f->name);
		output_row(run_output(r), row);
	}
	if (!n)
		output_row(run_output(r), row);
}

static void show_tracepoint(struct run *r, const char *name)
{
	const struct tplist_options *o = run_asked(r);
	const char *colon = strchr(name, ':');
	const struct format *format;
	struct row row = { .kind = text("tracepoint"), .number = NOTHING, .location = NOTHING,
			   .semaphore = NOTHING };
	char system[64];

	text_all(system, sizeof(system), "%.*s", colon ? (int)(colon - name) : 0, name);
	row.system = text(system);
	row.name = text(colon ? colon + 1 : name);
	output_line(run_output(r), "%s", name);
	format = o->variables ? kernel_format_named(run_kernel(r), name) : NULL;
	if (format)
		show_fields(r, format, &row);
	else
		output_row(run_output(r), &row);
}

/* ---- probes of programs and libraries ---- */

static void show_arguments(struct run *r, const struct listed *one, struct row *row)
{
	const unsigned int n = usdt_arguments(one->arguments);
	char type[32], where[USDT_TEXT];

	for (unsigned int i = 1; i <= n; i++) {
		const char *operand;
		unsigned int size;
		bool is_signed;
		size_t length = usdt_operand(one->arguments, i, &operand, &size, &is_signed);

		if (!size)
			size = one->binary->abi->word;
		text_cut(where, sizeof(where), "%.*s", (int)length, operand);
		row->number = i;
		row->field = text(where);
		row->type = text(NULL);
		if (size == SIZE_UNKNOWN) {
			output_line(run_output(r), "    argument #%u no integer @ %s", i, where);
			output_row(run_output(r), row);
			continue;
		}
		text_cut(type, sizeof(type), "%u %s bytes", size,
			 is_signed ? "signed" : "unsigned");
		output_line(run_output(r), "    argument #%u %s @ %s", i, type, where);
		snprintf(type, sizeof(type), "%c%u", is_signed ? 's' : 'u', size * 8);
		row->type = text(type);
		output_row(run_output(r), row);
	}
	if (!n)
		output_row(run_output(r), row);
}

static bool same_probe(const struct listed *a, const struct listed *b)
{
	return a->binary == b->binary && !strcmp(a->name, b->name) &&
	       !strcmp(a->module, b->module);
}

/* A probe, which may be at several places: they follow each other. Returns how many. */
static unsigned int show_probe(struct run *r, const struct listed *list, unsigned int n)
{
	const struct tplist_options *o = run_asked(r);
	const bool verbose = o->variables;
	struct row row = { .kind = text("usdt"), .file = text(list->binary->path),
			   .system = text(list->module), .name = text(list->name),
			   .number = NOTHING };
	unsigned int places = 0;

	output_line(run_output(r), verbose ? "%s %s:%s [sema 0x%llx]" : "%s %s:%s",
		    list->binary->path, list->module, list->name,
		    (unsigned long long)list->semaphore);
	while (places < n && same_probe(list, &list[places])) {
		const struct listed *one = &list[places++];

		row.location = (int64_t)one->address;
		row.semaphore = one->semaphore ? (int64_t)one->semaphore : NOTHING;
		if (!verbose)
			continue;
		output_line(run_output(r), "  location #%u %s 0x%llx", places, one->binary->path,
			    (unsigned long long)one->address);
		show_arguments(r, one, &row);
	}
	if (!verbose)
		output_row(run_output(r), &row);
	return places;
}

static int by_file(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;
	int result = x->binary == y->binary ? 0 : strcmp(x->binary->path, y->binary->path);

	result = result ? result : strcmp(x->module, y->module);
	result = result ? result : strcmp(x->name, y->name);
	return result ? result : x->address < y->address ? -1 : x->address > y->address;
}

/* ---- the list ---- */

static int prepare(struct run *r, struct error *err)
{
	const struct tplist_options *o = run_asked(r);
	const char *filter = o->filter;
	struct state *s = run_state(r);
	struct error why;

	if (!filter)
		return 0;
	/* as the other tools and bt spell tracepoints; a provider of probes may have this name */
	if (!o->lib && !o->pid.n)
		filter += tracepoint_mark(filter);
	s->filter = expression_of_glob(filter, &why);
	return s->filter ? 0 : fail(err, "tplist: '%s' is not a pattern: %s", filter, why.text);
}

/* Their files have the names that the processes know, and that -p takes. */
static void tell_roots(struct run *r)
{
	const struct tplist_options *o = run_asked(r);

	for (unsigned int i = 0; i < o->pid.n; i++) {
		const long long pid = o->pid.values[i];

		if (!has_own_root((uint32_t)pid))
			continue;
		run_note(r, "files are named as process %lld sees them, whose root is not sonde's: "
			    "use these names with -p %lld", pid, pid);
		return;
	}
}

static int list(struct run *r, struct error *err)
{
	const struct tplist_options *o = run_asked(r);
	const char *lib = o->lib;
	const bool usdt = lib || o->pid.n > 0;
	const struct wanted_names w = { wanted, run_state(r), NULL };
	struct listing l = { };
	struct error why = { };
	int result;

	result = usdt ? list_usdt(run_kernel(r), lib ? lib : "*", &w, &l, &why) :
		list_tracepoints(run_kernel(r), &w, &l, &why);
	if (result)
		fail_with(err, why.number, "tplist: %s", why.text);
	if (usdt && l.n)
		qsort(l.list, l.n, sizeof(*l.list), by_file);
	output_header(run_output(r));
	if (usdt && l.n)
		tell_roots(r);
	for (unsigned int i = 0; !result && i < l.n; i++) {
		if (usdt)
			i += show_probe(r, &l.list[i], l.n - i) - 1;
		else
			show_tracepoint(r, l.list[i].name);
	}
	if (!result && !l.n)
		run_note(r, "%s", usdt ? "no probe matches, or it was built without probes (USDT)" :
			 "no tracepoint matches; its module may not be loaded");
	listing_free(&l);
	return result;
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	if (s)
		expression_free(s->filter);
}

static const struct program programs[] = { { } };
static const struct map maps[] = { { } };
static const struct program_set none = { programs, maps };

/* support: full | full | full | full */
TOOL(tplist, "functions", "list tracepoints and their fields, and probes (USDT) of programs",
	.shape = SHAPE_INTERVALS,
	.programs = &none,
	.options = options,
	.options_size = sizeof(struct tplist_options),
	.columns = columns,
	.notes = "Without -l and -p it lists the kernel's tracepoints. It traces nothing.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.list = list,
	.cleanup = cleanup,
);
