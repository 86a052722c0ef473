// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/futexctn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compat/base/scan.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "src/run/tools.h"
#include "src/toolkit/hists.h"
#include "src/toolkit/proc.h"
#include "src/toolkit/stacks/stacks.h"
#include "src/toolkit/top.h"

#define STACK_TEXT 256
#define NAME_TEXT 104		/* of a function */
#define FUNCTIONS 5		/* of a stack, that a row shows */

struct row {
	struct futexctn_key key;
	struct futexctn_sums sums;
	const char *kind;		/* NULL: unknown */
	int64_t clock, pid, tid, owner;
	double total_us, max_us, average_us;
	int64_t order;			/* --sort */
	struct text kind_shown, lock, stack, owner_name;
	char lock_text[24], stack_text[STACK_TEXT], owner_text[PROC_COMM];
};

#define AT(MEMBER) offsetof(struct row, MEMBER)
#define US(HEAD, NAME, WIDTH, MEMBER, HELP) \
	{ HEAD, NAME, COLUMN_REAL, WIDTH, AT(MEMBER), .digits = 3, .help = HELP }

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES,
	  .help = "end of the interval, in JSON and CSV" },
	{ "WAITS", "waits", COLUMN_INTEGER, 7, .field = "waits", .role = IS_COUNT,
	  .help = "until they were woken" },
	US("TOTAL(us)", "total_us", 14, total_us, "sum of these waits"),
	US("MAX(us)", "max_us", 13, max_us, "the longest of them"),
	US("AVG(us)", "avg_us", 13, average_us, "their mean"),
	{ "TIMEOUTS", "timeouts", COLUMN_INTEGER, 8, .field = "timeouts", .role = IS_COUNT,
	  .help = "waits until a time that was given" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .help = "process id" },
	{ "TID", "tid", COLUMN_INTEGER, -7, AT(tid), .option = "threads",
	  .help = "-P, -o: thread that waits" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "name of the thread" },
	{ "LOCK", "lock", COLUMN_TEXT, -18, AT(lock), .role = IS_IDENTITY,
	  .help = "address of the word; -: unknown" },
	{ "OWNER", "owner", COLUMN_INTEGER, -7, AT(owner), .role = IS_IDENTITY, .option = "owners",
	  .help = "-o: thread that had the lock; -: unknown" },
	{ "OWNER_COMM", "owner_comm", COLUMN_TEXT, -16, AT(owner_name), .role = IS_IDENTITY,
	  .option = "owners", .help = "-o: its name" },
	{ "KIND", "kind", COLUMN_TEXT, -9, AT(kind_shown), .option = "functions",
	  .help = "mutex, condvar and others, by names of functions; -: unknown" },
	{ "STACK", "functions", COLUMN_TEXT, 0, AT(stack), .option = "functions",
	  .help = "functions that wait, the newest first" },
	{ }
};

static const struct part parts[] = {
	{ &futexctn_key_layout, AT(key) },
	{ &futexctn_sums_layout, AT(sums) },
	{ }
};

static const struct option_name orders[] = {
	{ "total", 0 }, { "max", 0 }, { "waits", 0 }, { "avg", 0 }, { "timeouts", 0 }, { }
};

/* What the functions below read of the options. */
struct futexctn_options {
	bool hist, summary, per_thread, owners, folded, addresses, offsets, timestamp;
	int64_t min, maxrows;
	const char *lock, *sort;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct futexctn_options, MEMBER)

static const struct option options[] = {
	{ 'p', "pid" },
	{ 't', "tid" },
	{ 'l', "lock", "only the lock at this address", OPTION_TEXT, "0xADDRESS", .local = true,
	  TO(lock) },
	{ 's', "summary", "rows without functions: cheaper", OPTION_FLAG, TO(summary) },
	{ 'P', "per-thread", "a row for each thread that waits", OPTION_FLAG, TO(per_thread) },
	{ 'o', "owners", "waiters and owners: a row for each two threads", OPTION_FLAG,
	  TO(owners) },
	{ 'K', "stacks", "show stacks instead", OPTION_FLAG, .excludes = "summary" },
	{ 'H', "hist", "a histogram of the waits of each process", OPTION_FLAG,
	  .excludes = "stacks", TO(hist) },
	{ 'S', "sort", "sort key (default total)", OPTION_TEXT,
	  "total|max|waits|avg|timeouts", .names = orders, TO(sort) },
	{ 'n', "maxrows", "rows of a table; 0: all", OPTION_NUMBER, "N", 0, INT32_MAX,
	  TO(maxrows) },
	{ 'm', "min", "only waits of US microseconds or more", OPTION_NUMBER, "US", 1, INT32_MAX,
	  TO(min) },
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG, TO(timestamp) },
	{ 'f', "folded", TO(folded) },
	{ 0, "offsets", TO(offsets) },
	{ 'A', "addresses", TO(addresses) },
	{ }
};

static const struct example examples[] = {
	{ "sonde futexctn -p 181", "where threads of a process wait" },
	{ "sonde futexctn -o 5", "waiters and owners, each five seconds" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	static const char *const others[] = {
		"summary", "owners", "hist", "sort", "maxrows", NULL
	};
	const struct futexctn_options *o = run_asked(r);
	bool stacks = stacks_instead(run_options(r));
	bool table = !stacks && !o->hist;
	const char *lock = o->lock, *at = lock;
	uint64_t address = 0;

	if (stacks && stacks_refuse(r, others, err))
		return -1;
	if (lock && (!scan_text(&at, "0x") || !scan_hex(&at, UINT64_MAX, &address) || *at ||
		     !address))
		return fail(err, "--lock: `%s` is no address, as 0x55d0c0de", lock);
	run_constant(r, "functions", table && !o->summary);
	run_constant(r, "stacked", stacks || (table && !o->summary));
	run_constant(r, "threads", o->per_thread || o->owners);
	run_constant(r, "of_lock", (int64_t)address);
	run_constant(r, "min_ns", o->min * 1000);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct futexctn_options *o = run_asked(r);

	(void)err;
	if (o->owners && !run_has_input(r, "futex.enter", "word"))
		run_note(r, "owners of locks are unknown: without programs in the kernel the words "
			 "of locks can't be read here");
	if (!o->folded)
		output_line(run_output(r), "Tracing waits for locks of programs... Hit Ctrl-C to "
			    "end.");
	return 0;
}

/* Rows. */

static void add(void *arg, const void *key, const void *value)
{
	struct row *row = top_row(arg);

	if (!row)
		return;
	memcpy(&row->key, key, sizeof(row->key));
	memcpy(&row->sums, value, sizeof(row->sums));
	row->key.cpu = row->key.epoch = 0;
}

/* Parts of names of functions that wait, and what they wait for: the first one counts. */
static const struct kind {
	const char *part, *kind;
} kinds[] = {
	{ "cond_wait", "condvar" }, { "cond_timedwait", "condvar" }, { "cond_clock", "condvar" },
	{ "cnd_wait", "condvar" }, { "cnd_timedwait", "condvar" }, { "sem_wait", "semaphore" },
	{ "sem_timedwait", "semaphore" }, { "sem_clockwait", "semaphore" },
	{ "timedjoin", "join" }, { "clockjoin", "join" }, { "pthread_join", "join" },
	{ "thrd_join", "join" }, { "barrier_wait", "barrier" }, { "rwlock_", "rwlock" },
	{ "mutex_lock", "mutex" }, { "mutex_timedlock", "mutex" }, { "mtx_lock", "mutex" },
	{ "lll_lock", "mutex" }, { NULL, NULL }
};

static const char *kind_of(const char *name)
{
	const struct kind *k = kinds;

	while (k->part && !strstr(name, k->part))
		k++;
	return k->kind;
}

static const char *shortened(char to[NAME_TEXT], const char *name)
{
	text_cut(to, NAME_TEXT, "%s", name);
	return to;
}

/* Appends a function to the row's text. Returns false if that is full, or if it has no name. */
static bool put_function(const struct futexctn_options *o, struct row *row,
			 const struct stack_frame *f)
{
	const size_t at = strlen(row->stack_text), room = STACK_TEXT - at;
	struct strbuf text;
	char name[STACK_TEXT], part[NAME_TEXT];

	if (o->addresses)
		snprintf(name, sizeof(name), "0x%llx", (unsigned long long)f->address);
	else if (f->name && o->offsets)
		text_cut(name, sizeof(name), "%s+0x%llx", shortened(part, f->name),
			 (unsigned long long)f->offset);
	else if (f->name)
		shortened(name, f->name);
	else
		return false;
	if (strlen(name) + 4 > room)
		return false;
	text = strbuf_over(row->stack_text + at, room);
	strbuf_addf(&text, "%s%s", at ? " < " : "", name);
	return true;
}

/* What the thread waits for, and the functions in which it does, the newest first. */
static void name_functions(const struct futexctn_options *o, struct row *row,
			   const struct stack_asked *a)
{
	bool shown = true;

	for (unsigned int i = 0; i < a->n && i < FUNCTIONS; i++) {
		const struct stack_frame *f = &a->frames[i];

		if (f->name && !row->kind)
			row->kind = kind_of(f->name);
		shown = shown && put_function(o, row, f);
	}
	if (row->key.pi)
		row->kind = "mutex";
}

static int name_stacks(struct run *r, struct top *t, struct error *err)
{
	struct row *rows = t->rows;
	struct stack_asked *asked = calloc(t->n + 1, sizeof(*asked));
	const struct stacks_when when = { };
	int result;

	if (!asked)
		return fail(err, "out of memory");
	for (size_t i = 0; i < t->n; i++)
		asked[i] = (struct stack_asked){
			.number = rows[i].key.user_stack, .user = true, .pid = rows[i].key.tgid,
			.comm = rows[i].key.comm, .caller = rows[i].key.caller,
			.value = rows[i].sums.waits,
		};
	result = stacks_name(r, asked, (unsigned int)t->n, &when, err);
	for (size_t i = 0; i < t->n; i++) {
		if (!result)
			name_functions(run_asked(r), &rows[i], &asked[i]);
		free(asked[i].frames);
		rows[i].key.user_stack = 0;
		rows[i].key.caller = 0;
	}
	free(asked);
	return result;
}

/* What was read is an owner if the process has such a thread: it lives, or has waited itself. */
static bool is_thread(const struct run *r, const struct top *t, const struct futexctn_key *key)
{
	const struct row *rows = t->rows;

	for (size_t i = 0; i < t->n; i++)
		if (rows[i].key.tid == key->owner && rows[i].key.tgid == key->tgid)
			return true;
	return proc_tgid(r, key->owner) == (int64_t)key->tgid;
}

static void check_owners(const struct run *r, struct top *t)
{
	struct row *rows = t->rows;

	for (size_t i = 0; i < t->n; i++) {
		struct futexctn_key *key = &rows[i].key;

		if (key->owner && (key->owner == key->tid || !is_thread(r, t, key)))
			key->owner = 0;
	}
}

/* Of a thread that waited itself, the name is known; else that of now. */
static void name_owners(const struct run *r, struct top *t)
{
	struct row *rows = t->rows;

	for (size_t i = 0; i < t->n; i++) {
		const struct futexctn_key *key = &rows[i].key;
		struct text name = { };

		for (size_t j = 0; key->owner && j < t->n && !name.s; j++)
			if (rows[j].key.tid == key->owner && rows[j].key.tgid == key->tgid)
				name = comm_text(rows[j].key.comm);
		if (key->owner && !name.s)
			name = proc_comm(r, key->owner, INT64_MAX, rows[i].owner_text);
		rows[i].owner_name = name;
	}
}

/* Rows that differ only in what is not shown become one. */
static int by_shown(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = memcmp(&x->key, &y->key, sizeof(x->key));

	if (!order)
		order = strcmp(x->stack_text, y->stack_text);
	return order ? order : strcmp(x->kind ? x->kind : "", y->kind ? y->kind : "");
}

static void merge(void *to, const void *row)
{
	struct futexctn_sums *sums = &((struct row *)to)->sums;
	const struct futexctn_sums *more = &((const struct row *)row)->sums;

	sums->waits += more->waits;
	sums->total += more->total;
	sums->timeouts += more->timeouts;
	if (more->max > sums->max)
		sums->max = more->max;
}

static int64_t order_of(const char *sort, const struct futexctn_sums *s)
{
	if (!sort || !strcmp(sort, "total"))
		return (int64_t)s->total;
	if (!strcmp(sort, "max"))
		return (int64_t)s->max;
	if (!strcmp(sort, "avg"))
		return s->waits ? (int64_t)(s->total / s->waits) : 0;
	return (int64_t)(!strcmp(sort, "waits") ? s->waits : s->timeouts);
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	if (x->sums.timeouts != y->sums.timeouts)
		return x->sums.timeouts < y->sums.timeouts ? 1 : -1;
	return by_shown(a, b);
}

static void print(struct run *r, struct row *row)
{
	const struct futexctn_sums *s = &row->sums;

	row->clock = run_interval_clock(r);
	row->pid = row->key.tgid == UINT32_MAX ? NOTHING : row->key.tgid;
	row->tid = row->key.tid;
	row->owner = row->key.owner ? row->key.owner : NOTHING;
	row->total_us = (double)s->total / 1e3;
	row->max_us = s->waits ? (double)s->max / 1e3 : NAN;
	row->average_us = s->waits ? row->total_us / (double)s->waits : NAN;
	if (row->kind)
		row->kind_shown = text_of(row->kind, strlen(row->kind));
	snprintf(row->lock_text, sizeof(row->lock_text), "0x%llx",
		 (unsigned long long)row->key.address);
	if (row->key.address)
		row->lock = text_of(row->lock_text, sizeof(row->lock_text));
	if (row->stack_text[0])
		row->stack = text_of(row->stack_text, STACK_TEXT);
	output_row(run_output(r), row);
}

static int show_table(struct run *r, struct top *t, struct error *err)
{
	const struct futexctn_options *o = run_asked(r);
	size_t most = (size_t)o->maxrows;
	struct row *rows;

	if (run_shown(r, "functions") && name_stacks(r, t, err))
		return -1;
	check_owners(r, t);
	top_merge(t, by_shown, merge);
	rows = t->rows;
	for (size_t i = 0; i < t->n; i++)
		rows[i].order = order_of(o->sort, &rows[i].sums);
	top_sort(t, most_first);
	name_owners(r, t);
	run_table_head(r);
	for (size_t i = 0; i < t->n && (!most || i < most); i++)
		print(r, &rows[i]);
	return 0;
}

static const struct tool_stacks stacks = {
	"sums", { { "us", "total", 1000 }, { "waits", "waits", 0 }, { "timeouts", "timeouts", 0 } },
	.off_cpu = true,
};

static void section(struct run *r, const struct hist_group *g, struct hist_section *s, char *value)
{
	(void)r;
	*s = (struct hist_section){ .name = "pid", .is_number = true };
	snprintf(value, HISTS_VALUE, "%u", (unsigned int)g->id);
}

static int show(struct run *r, struct error *err)
{
	const struct hists_shown hists = {
		.name = "wait", .unit = "nsecs", .grouped = true, .section = section,
	};
	const struct futexctn_options *o = run_asked(r);
	struct top t = { .size = sizeof(struct row) };
	int result;

	if (o->hist)
		return hists_show(r, &hists, err);
	if (stacks_instead(run_options(r))) {
		if (o->timestamp)
			run_interval_head(r);
		return stacks_show(r, &stacks, err);
	}
	result = top_take(r, "sums", add, &t, err) || show_table(r, &t, err) ? -1 : 0;
	top_free(&t);
	return result;
}

/* support: bpf: full (4.6) | bpf (4.14): [1] | perf, ftrace: [27] | perf, ftrace: [1] [27] */
TOOL(futexctn, "functions", "waits of threads for locks of programs: places, times, owners",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &futexctn_programs,
	.options = options,
	.options_size = sizeof(struct futexctn_options),
	.columns = columns,
	.parts = parts,
	.distribution = "hist",
	.tables = true,
	.notes = "A lock that is free costs no call, and is not seen.",
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.stacks = &stacks,
	.interval_end = show,
);
