// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "src/language/event_text/own_texts.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/questions/probes/started.h"
#include "src/language/questions/question.h"
#include "src/language/types/shown.h"
#include "src/lib/output/records.h"
#include "src/run/tools.h"
#include "src/toolkit/functions/alike.h"
#include "src/toolkit/functions/stacked.h"
#include "src/toolkit/stacks/stacks.h"

#define MESSAGE 4096

struct trace {
	struct script script;
	struct question *list;
	unsigned int n, n_values;
	struct own_texts own;
	struct column *columns;
	char (*names)[2][16];		/* of the columns of values */
	int64_t shown;			/* rows */
	struct alike alike;		/* those of --aggregate */
};

struct row {
	const void *record;
	int64_t unix_time, count;
	struct text function, message, values[FORMAT_MOST];
	struct stacked stacks;
};

#define ROW(MEMBER) offsetof(struct row, MEMBER)

static const struct part parts[] = {
	{ &trace_record_layout, ROW(record), .pointer = true },
	{ }
};

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time", .option = "time",
	  .help = "time of day" },
	{ "TIME", "time_s", COLUMN_SECONDS, -8, .field = "time", .digits = 6, .option = "timestamp",
	  .unless = "unix-timestamp", .help = "seconds since the first row" },
	{ "TIME", "unix_s", COLUMN_SECONDS, -17, ROW(unix_time), .digits = 6, .role = IS_TIME,
	  .option = "unix-timestamp", .help = "seconds since 1970" },
	{ "CPU", "cpu", COLUMN_INTEGER, -3, .field = "cpu", .option = "print-cpu",
	  .help = "CPU on which the probe was hit" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "tgid", .help = "process id" },
	{ "TID", "tid", COLUMN_INTEGER, -7, .field = "tid", .help = "thread id" },
	{ "COMM", "comm", COLUMN_TEXT, -15, .field = "comm", .help = "name of the task" },
	{ "FUNC", "func", COLUMN_TEXT, -16, ROW(function),
	  .help = "the function or tracepoint that was hit" },
	{ "-", "message", COLUMN_TEXT, 0, ROW(message), .option = "message",
	  .help = "the format with the values; JSON and CSV have the values too" },
	{ "COUNT", "count", COLUMN_INTEGER, 0, ROW(count), .readers = FOR_MACHINES,
	  .option = "aggregate", .help = "number of equal rows" },
	STACKED_COLUMNS(ROW(stacks.kernel), ROW(stacks.user), "kernel-stack", "user-stack"),
	{ }
};

/* What the functions below read of the options. */
struct trace_options {
	bool bin_cmp, kernel_stack, user_stack, aggregate, print_cpu;
	int64_t string_size, max_events;
	const char *include, *btf, *probe, *sym_file_list, *msg_filter;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct trace_options, MEMBER)

static const struct option options[] = {
	{ 0, "probe", "the probe: FUNCTION (FILTER) \"FORMAT\", VALUE...; repeatable",
	  OPTION_TEXT, "PROBE", .positional = true, .joins = '\n', TO(probe) },
	{ 'p', "pid" },
	{ 'L', "tid" },
	{ 'n', "name" },
	{ 'c', "cgroup", .alias = "cgroup-path" },
	{ 'f', "msg-filter", "only rows with TEXT in their message", OPTION_TEXT, "TEXT",
	  TO(msg_filter) },
	{ 'Z', "string-size", "show the first N bytes of a string", OPTION_NUMBER, "N",
	  1, 240, 80, TO(string_size) },
	{ 'M', "max-events", "end after N rows", OPTION_NUMBER, "N", 1, INT32_MAX,
	  TO(max_events) },
	{ 'A', "aggregate", "with -M: equal rows once, with their number", OPTION_FLAG,
	  TO(aggregate) },
	{ 'B', "bin-cmp", "STRCMP compares bytes: \"{0x7f, 'E'}\"", OPTION_FLAG,
	  .alias = "bin_cmp", TO(bin_cmp) },
	{ 'T', "time", "show the time of day", OPTION_FLAG, .excludes = "timestamp" },
	{ 't', "timestamp", "show seconds since the first row", OPTION_FLAG },
	{ 'u', "unix-timestamp", "show seconds since 1970", OPTION_FLAG, .excludes = "time" },
	{ 'C', "print-cpu", "show the CPU", OPTION_FLAG, .alias = "print_cpu", TO(print_cpu) },
	{ 'K', "kernel-stack", "show the kernel's stack of each event", OPTION_FLAG,
	  TO(kernel_stack) },
	{ 'U', "user-stack", "show the stack of user space", OPTION_FLAG, TO(user_stack) },
	{ 'a', "addresses" },
	{ 's', "sym-file-list", "for command lines of bcc: does nothing", OPTION_TEXT,
	  "FILES", .alias = "sym_file_list", TO(sym_file_list) },
	{ 'S', "include-self", "events of sonde itself, too", OPTION_FLAG },
	{ 'I', "include", "C declarations of structs: FILE.h; repeatable", OPTION_TEXT, "FILE",
	  .joins = '\n', TO(include) },
	{ 0, "btf", "type information (BTF) for a kernel without it", OPTION_TEXT, "FILE",
	  .joins = '\n', TO(btf) },
	{ 'b', "buffer-pages" },
	{ }
};

static const struct example examples[] = {
	{ "sonde trace 'sys_read (arg3 > 20000) \"%d\", arg3'", "large reads" },
	{ "sonde trace 'r:bash:readline \"%s\", retval'", "typed lines" },
	{ }
};

/* ---- before the engine ---- */

static bool names_functions(const struct question *q)
{
	for (unsigned int i = 0; i < q->format.n; i++)
		if (q->format.list[i].letter == 'K' || q->format.list[i].letter == 'U')
			return true;
	return false;
}

static int make_questions(struct run *r, struct trace *t, const char *text, struct error *err)
{
	const struct trace_options *o = run_asked(r);
	struct error why = { };
	char *texts;

	t->script.functions = lang_functions;
	t->script.file = trace_file;
	t->script.text_size = (unsigned int)o->string_size;
	t->script.binary = o->bin_cmp;
	if (script_begin(&t->script, run_kernel(r), o->include, o->btf, &why))
		return fail_with(err, why.number, "trace: %s", why.text);
	probe_files(r, t->script.types);
	texts = script_keep(&t->script, strdup(text));
	for (const char *p = text; *p; p++)
		t->n += *p == '\n';
	t->list = calloc(++t->n, sizeof(*t->list));
	if (!texts || !t->list)
		return fail(err, "out of memory");
	for (char *p = texts; *p; p++)
		if (*p == '\n')
			*p = '\0';
	probe_expect(run_kernel(r), text);
	text = texts;
	for (unsigned int i = 0; i < t->n; i++, text += strlen(text) + 1) {
		if (question_make(&t->script, &t->list[i], text, i, &why)) {
			if (t->list[i].on && t->list[i].on->probe.missing)
				run_unfit(r);
			return fail_with(err, why.number, "trace: %s", why.text);
		}
		if (t->list[i].format.n > t->n_values)
			t->n_values = t->list[i].format.n;
	}
	return 0;
}

static int add_maps(struct run *r, struct trace *t, struct error *err)
{
	const struct trace_options *o = run_asked(r);
	bool stacks = o->kernel_stack || o->user_stack || t->own.names;

	for (unsigned int i = 0; i < t->n; i++)
		stacks |= names_functions(&t->list[i]);
	for (const struct map *m = trace_programs.maps + !stacks; m->name; m++) {
		struct map map = *m;

		map.whole = m->kind == MAP_OUTPUT && t->own.texts;
		if (script_map(&t->script, &map))
			return fail(err, "out of memory");
	}
	run_programs(r, &t->script.set);
	return 0;
}

/* Behind those of all events: a column for each value, for machines. */
static int make_columns(struct run *r, struct trace *t, struct error *err)
{
	const unsigned int n = sizeof(columns) / sizeof(columns[0]) - 1;
	struct column *to;

	t->columns = calloc(n + t->n_values + 1, sizeof(*t->columns));
	t->names = calloc(t->n_values + 1, sizeof(*t->names));
	if (!t->columns || !t->names)
		return fail(err, "out of memory");
	memcpy(t->columns, columns, n * sizeof(*columns));
	to = t->columns + n;
	for (unsigned int i = 0; i < t->n_values; i++) {
		snprintf(t->names[i][0], sizeof(t->names[i][0]), "VALUE%u", i + 1);
		snprintf(t->names[i][1], sizeof(t->names[i][1]), "value%u", i + 1);
		*to++ = (struct column){
			t->names[i][0], t->names[i][1], COLUMN_TEXT,
			.offset = (uint16_t)(ROW(values) + i * sizeof(struct text)),
			.readers = FOR_MACHINES,
		};
	}
	run_columns(r, t->columns);
	return 0;
}

static int check_options(const struct run *r, struct error *err)
{
	const struct trace_options *o = run_asked(r);
	static const char *const times[] = { "time", "timestamp", "unix-timestamp", NULL };
	const char *time = option_first(run_options(r), times);

	if (!o->aggregate)
		return 0;
	if (!o->max_events)
		return fail(err, "trace: -A counts rows up to a number: add -M N");
	return !time ? 0 :
	       fail(err, "trace: with --%s no two rows are alike: leave it or -A out", time);
}

static int prepare(struct run *r, struct error *err)
{
	const struct trace_options *o = run_asked(r);
	struct trace *t = run_state(r);
	const char *text = o->probe;
	bool message = false;

	t->alike.run = r;
	if (o->sym_file_list)
		run_note(r, "-s is not needed: symbols are read of the files that a process has "
			 "mapped, and debug files are found by their build ids");
	if (check_options(r, err))
		return -1;
	if (!text)
		return fail(err, "trace: it needs a PROBE to trace\n"
			    "`sonde help trace` lists its options");
	if (make_questions(r, t, text, err) ||
	    own_texts_make(&t->own, r, t->list, t->n, err) || add_maps(r, t, err) ||
	    make_columns(r, t, err))
		return -1;
	for (unsigned int i = 0; i < t->n; i++)
		message |= t->list[i].has_format || t->list[i].own;
	run_constant(r, "message", message);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct trace *t = run_state(r);
	bool zeros = false;

	(void)err;
	for (unsigned int i = 0; i < t->n; i++) {
		probe_started(r, &t->list[i].on->probe);
		probe_zeros(r, &t->list[i].on->probe, &zeros);
	}
	own_texts_started(&t->own, t->list);
	return 0;
}

/* ---- records ---- */

/* A message that grows; what does not fit is cut. */
struct message {
	char text[MESSAGE];
	size_t n;
};

/* Adds n bytes, and returns where they are. */
static struct text add(struct message *m, const char *s, size_t n)
{
	struct text t = { .s = m->text + m->n };

	n = n < MESSAGE - m->n ? n : MESSAGE - m->n;
	memcpy(m->text + m->n, s, n);
	m->n += n;
	t.length = (uint32_t)n;
	return t;
}

static void pad(struct message *m, int n)
{
	while (n-- > 0)
		add(m, " ", 1);
}

static struct text add_text(struct message *m, const struct conversion *c, const struct text *t)
{
	const bool left = strchr(c->flags, '-') != NULL;
	struct text shown;
	uint32_t n = t->length;

	if (c->precision >= 0 && n > (uint32_t)c->precision)
		n = (uint32_t)c->precision;
	if (!left)
		pad(m, c->width - (int)n);
	shown = add(m, t->s, n);
	if (t->cut && n == t->length)
		add(m, "...", 3);
	shown.cut = t->cut;
	if (left)
		pad(m, c->width - (int)n);
	return shown;
}

/* %K and %U: FUNCTION+0x12, of user space with [FILE] */
static struct text add_function(struct run *r, struct message *m, const struct conversion *c,
				const struct trace_record *record, uint64_t address)
{
	struct stack_frame f = { };
	struct error err = { };
	char room[512];
	struct strbuf text = strbuf_over(room, sizeof(room));

	if (record_function(r, record->time, tgid_of(record->pid_tgid), address, c->letter == 'U',
			    &f, &err))
		run_fail(r, &err);
	if (f.name)
		strbuf_addf(&text, "%.400s+0x%llx", f.name, (unsigned long long)f.offset);
	else
		strbuf_addf(&text, "0x%llx", (unsigned long long)address);
	if (c->letter == 'U' && f.module)
		strbuf_addf(&text, " [%.60s]", f.module);
	return add_text(m, c, &(struct text){ .s = text.s, .length = (uint32_t)text.n });
}

/* %S: the struct or array by its type. */
static struct text add_whole(struct types *types, struct message *m, const struct conversion *c,
			     const struct whole_node *whole, const char *bytes)
{
	struct c_shown shown = { .types = types, .word = whole->word };
	struct text text = { };
	char *s = NULL;
	size_t n = 0;

	shown.to = open_memstream(&s, &n);
	if (!shown.to)
		return text;
	c_show(&shown, &whole->type, bytes);
	if (!fclose(shown.to))
		text = add_text(m, c, &(struct text){ .s = s, .length = (uint32_t)n });
	free(s);
	return text;
}

/* The value alone, as JSON and CSV have it. */
static struct text alone(const struct conversion *c, uint64_t value, char to[24])
{
	struct text t = { .s = to, .is_number = true };

	if (c->letter == 'p') {
		snprintf(to, 24, "0x%llx", (unsigned long long)value);
		t.is_number = false;
	} else {
		snprintf(to, 24, c->type.is_signed ? "%lld" : "%llu", (unsigned long long)value);
	}
	t.length = (uint32_t)strlen(to);
	return t;
}

static void add_value(struct run *r, const struct question *q, unsigned int i,
		      const struct trace_record *record, struct message *m, struct text *value,
		      char number[24])
{
	const struct conversion *c = &q->format.list[i];
	const struct lang_value *v = &q->values[i];
	const char *at = (const char *)record + v->offset;
	char text[FORMAT_NUMBER];
	uint64_t bits;

	memcpy(&bits, at, sizeof(bits));
	if (v->is_whole && !(record->unknown & 1U << i)) {
		*value = add_whole(q->on->probe.tree.types, m, c, &v->whole, at);
	} else if (v->is_text) {
		const struct text t = read_text(at + 8, (int64_t)bits, v->shown, v->size);

		if (t.s)
			*value = add_text(m, c, &t);
		else
			add(m, "(fault)", 7);
	} else if (record->unknown & 1U << i) {
		add(m, "(fault)", 7);
	} else if (c->letter == 'K' || c->letter == 'U') {
		*value = add_function(r, m, c, record, bits);
	} else {
		int n = format_number(c, bits, text);

		add(m, text, (size_t)n);
		*value = alone(c, bits, number);
	}
}

static void make_message(struct run *r, const struct question *q,
			 const struct trace_record *record, struct row *row, struct message *m,
			 char (*numbers)[24])
{
	size_t from = 0;

	for (unsigned int i = 0; i < q->format.n; i++) {
		add(m, q->format.text + from, q->format.list[i].end - from);
		from = q->format.list[i].end;
		add_value(r, q, i, record, m, &row->values[i], numbers[i]);
	}
	add(m, q->format.text + from, q->format.length - from);
	row->message = (struct text){ .s = m->text, .length = (uint32_t)m->n };
}

static bool wanted(struct run *r, const struct row *row)
{
	const struct trace_options *o = run_asked(r);
	const char *text = o->msg_filter;

	return !text || (row->message.s && memmem(row->message.s, row->message.length, text,
						  strlen(text)));
}

/* ---- rows that are alike ---- */

/* A row that outlives its record. */
struct kept {
	struct row row;
	struct trace_record head;
	char texts[];
};

/* The text moves to `at`, which is set behind it. */
static void move_text(struct text *t, char **at)
{
	if (!t->s)
		return;
	memcpy(*at, t->s, t->length);
	t->s = *at;
	*at += t->length;
}

static struct kept *keep(const struct question *q, const struct row *row)
{
	size_t size = row->message.length;
	struct kept *k;
	char *at;

	for (unsigned int i = 0; i < q->format.n; i++)
		size += row->values[i].length;
	k = calloc(1, sizeof(*k) + size);
	if (!k)
		return NULL;
	k->row = *row;
	memcpy(&k->head, row->record, sizeof(k->head));
	k->row.record = &k->head;
	at = k->texts;
	move_text(&k->row.message, &at);
	for (unsigned int i = 0; i < q->format.n; i++)
		move_text(&k->row.values[i], &at);
	return k;
}

/* What tells two rows apart, beside their messages. */
struct key {
	uint64_t pid_tgid, function;
	uint32_t probe, cpu;
	char comm[16];
};

/* Counts it; one that is the first of its kind is kept. */
static void aggregate(struct run *r, const struct question *q, const struct row *row,
		      const struct record *record)
{
	const struct trace_record *head = row->record;
	const struct trace_options *o = run_asked(r);
	const bool stacks = o->kernel_stack || o->user_stack;
	struct trace *t = run_state(r);
	struct key key = {
		.pid_tgid = head->pid_tgid, .function = head->function, .probe = head->probe,
		.cpu = o->print_cpu ? head->cpu : 0,
	};
	struct alike_row *alike;
	struct error err = { };

	memcpy(key.comm, head->comm, strnlen(head->comm, sizeof(head->comm)));
	alike = alike_add(&t->alike, &key, sizeof(key), &row->message, stacks ? record : NULL,
			  &err);
	if (alike && !alike->row)
		alike->row = keep(q, row);
	if (alike && alike->row)
		return;
	if (alike)
		fail(&err, "out of memory");
	run_fail(r, &err);
}

/* Rows that were alike, as bcc's trace shows them. */
static void finish(struct run *r)
{
	struct trace *t = run_state(r);

	alike_sort(&t->alike);
	for (size_t i = 0; i < t->alike.n; i++) {
		const struct alike_row *alike = t->alike.list[i];
		struct kept *k = alike->row;

		k->row.count = (int64_t)alike->count;
		k->row.stacks = alike->stacked;
		alike_show(&t->alike, alike, &k->row);
		output_line(run_output(r), "-->COUNT %lld", (long long)k->row.count);
		output_line(run_output(r), "%s", "");
	}
}

static void record(struct run *r, const struct record *record)
{
	struct trace *t = run_state(r);
	const struct trace_options *o = run_asked(r);
	const struct trace_record *head = record->bytes;
	const int64_t most = o->max_events;
	struct row row = { .record = head };
	struct message message = { .n = 0 };
	char numbers[FORMAT_MOST][24];
	const struct question *q;
	const char *name;

	if (head->probe >= t->n || (most && t->shown >= most) || !run_wanted(r, head))
		return;
	q = &t->list[head->probe];
	name = probe_function(&q->on->probe, head->function);
	row.function = (struct text){ .s = name, .length = (uint32_t)strlen(name) };
	row.unix_time = run_wall_clock(r, head->time);
	if (q->has_format)
		make_message(r, q, head, &row, &message, numbers);
	else
		row.message = own_text(&t->own, q, record);
	if (!wanted(r, &row))
		return;
	if (o->aggregate)
		aggregate(r, q, &row, record);
	else if (o->kernel_stack || o->user_stack)
		stacked_show(r, record, &row, &row.stacks);
	else
		output_row(run_output(r), &row);
	if (++t->shown == most)
		run_end(r);
}

static void cleanup(struct run *r)
{
	struct trace *t = run_state(r);

	for (unsigned int i = 0; t->list && i < t->n; i++)
		question_free(&t->list[i]);
	alike_free(&t->alike);
	own_texts_free(&t->own);
	script_free(&t->script);
	free(t->list);
	free(t->columns);
	free(t->names);
}

/* support: bpf: full (4.6) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(trace, "functions", "trace functions and tracepoints, with values of your choice",
	.asks = "vfs_read",
	.also = "functions of programs",
	.asks_tracepoint = "t:sched:sched_switch",
	.shape = SHAPE_EVENTS,
	.programs = &trace_programs,
	.options = options,
	.options_size = sizeof(struct trace_options),
	.columns = columns,
	.parts = parts,
	.notes = "PROBE is as in bcc's trace: [r:|t:|u:][LIBRARY:]NAME[(SIGNATURE)] [(FILTER)] "
		 "[\"FORMAT\", VALUE, ...], with C's expressions; trace(8) says more.",
	.examples = examples,
	.state_size = sizeof(struct trace),
	.prepare = prepare,
	.started = started,
	.record = record,
	.finish = finish,
	.cleanup = cleanup,
);
