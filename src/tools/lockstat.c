// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/lockstat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compat/base/scan.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/kernel/kallsyms.h"
#include "src/lib/symbols/kernel_symbols.h"
#include "src/lib/symbols/kernel_wanted.h"
#include "src/run/tools.h"
#include "src/toolkit/hists.h"
#include "src/toolkit/stacks/stacks.h"
#include "src/toolkit/top.h"

#define PLACE_TEXT 320
#define CALLERS_MOST 10

struct row {
	struct lockstat_key key;
	struct lockstat_sums sums;
	int64_t clock, pid, tid;
	double total_us, max_us, average_us;
	int64_t order;			/* --sort */
	struct text type, address, place;
	char address_text[24], place_text[PLACE_TEXT];
};

#define AT(MEMBER) offsetof(struct row, MEMBER)
#define US(HEAD, NAME, WIDTH, MEMBER, HELP) \
	{ HEAD, NAME, COLUMN_REAL, WIDTH, AT(MEMBER), .digits = 3, .help = HELP }

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES,
	  .help = "end of the interval, in JSON and CSV" },
	{ "COUNT", "count", COLUMN_INTEGER, 8, .field = "count", .help = "waits, or holds" },
	US("TOTAL(us)", "total_us", 14, total_us, "sum of their times"),
	US("MAX(us)", "max_us", 13, max_us, "the longest of them"),
	US("AVG(us)", "avg_us", 13, average_us, "their mean"),
	{ "TYPE", "type", COLUMN_TEXT, -10, AT(type), .role = IS_IDENTITY, .unless = "per-thread",
	  .help = "kind of lock" },
	{ "CALLER", "caller", COLUMN_TEXT, 0, AT(place), .role = IS_IDENTITY, .option = "by-caller",
	  .help = "function that takes the lock" },
	{ "ADDRESS", "address", COLUMN_TEXT, -18, AT(address), .role = IS_IDENTITY,
	  .option = "locks", .help = "-l: of the lock" },
	{ "LOCK", "lock", COLUMN_TEXT, 0, AT(place), .role = IS_IDENTITY, .option = "locks",
	  .help = "-l: its name; -: it has none" },
	{ "TID", "tid", COLUMN_INTEGER, -7, AT(tid), .option = "per-thread",
	  .help = "-P: the thread that waits, or holds" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .option = "per-thread",
	  .help = "-P: its process" },
	{ "COMM", "comm", COLUMN_TEXT, 0, .field = "comm", .option = "per-thread",
	  .help = "-P: its name" },
	{ }
};

static const struct part parts[] = {
	{ &lockstat_key_layout, AT(key) },
	{ &lockstat_sums_layout, AT(sums) },
	{ }
};

/* Those of klockstat begin with acq_, for waits, or with hld_, for mutexes that are held. */
#define BY_TOTAL	1
#define BY_MAX		2
#define BY_COUNT	4
#define BY_AVG		8
#define HELD_SHIFT	4
#define WAIT_ORDERS	15
static const struct option_name orders[] = {
	{ "total", BY_TOTAL }, { "max", BY_MAX }, { "count", BY_COUNT }, { "avg", BY_AVG },
	{ "acq_total", BY_TOTAL }, { "acq_max", BY_MAX }, { "acq_count", BY_COUNT },
	{ "hld_total", BY_TOTAL << HELD_SHIFT }, { "hld_max", BY_MAX << HELD_SHIFT },
	{ "hld_count", BY_COUNT << HELD_SHIFT }, { }
};

#define NO_TYPE (-1)

/* As perf names them; names of --type, and the bits that are compared. */
static const struct type {
	const char *name;
	uint32_t flags;
} types[] = {
	{ "semaphore", 0 },
	{ "spinlock", LOCK_SPIN },
	{ "rwlock:R", LOCK_SPIN | LOCK_READ },
	{ "rwlock:W", LOCK_SPIN | LOCK_WRITE },
	{ "rwsem:R", LOCK_READ },
	{ "rwsem:W", LOCK_WRITE },
	{ "rt-mutex", LOCK_RT },
	{ "rwlock-rt:R", LOCK_RT | LOCK_READ },
	{ "rwlock-rt:W", LOCK_RT | LOCK_WRITE },
	{ "pcpu-sem:R", LOCK_PERCPU | LOCK_READ },
	{ "pcpu-sem:W", LOCK_PERCPU | LOCK_WRITE },
	{ "mutex", LOCK_MUTEX },
	{ "mutex-held", LOCK_HELD },
	{ NULL, 0 }
};

/* Bits of --type: an index of `types` each. */
static const struct option_name type_names[] = {
	{ "semaphore", 1 << 0 }, { "spinlock", 1 << 1 }, { "rwlock", 1 << 2 | 1 << 3 },
	{ "rwsem", 1 << 4 | 1 << 5 }, { "rt-mutex", 1 << 6 }, { "rwlock-rt", 1 << 7 | 1 << 8 },
	{ "pcpu-sem", 1 << 9 | 1 << 10 }, { "mutex", 1 << 11 }, { }
};

/* What the functions below read of the options. */
struct lockstat_options {
	bool hold, per_thread, hist, locks, folded, offsets, addresses, timestamp,
		callers_given, type_given;
	int64_t sort, callers, type, min, maxrows;
	const char *caller, *lock;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct lockstat_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct lockstat_options, MEMBER)

static const struct option options[] = {
	{ 'p', "pid" },
	{ 't', "tid" },
	{ 'l', "locks", "a row for each lock, with its name if it has one", OPTION_FLAG,
	  .excludes = "per-thread", TO(locks) },
	{ 'P', "per-thread", "a row for each thread", OPTION_FLAG, TO(per_thread) },
	{ 'K', "stacks", "show the kernel's stacks instead", OPTION_FLAG, .excludes = "locks" },
	{ 'H', "hist", "histograms of the waits, by type", OPTION_FLAG, .excludes = "locks",
	  TO(hist) },
	{ 0, "hold", "how long mutexes are held, not how long tasks wait", OPTION_FLAG, TO(hold) },
	{ 's', "callers", "show N functions: the lock's taker, its caller ...", OPTION_NUMBER,
	  "N", 1, CALLERS_MOST, 1, .excludes = "locks", TO(callers), GIVEN(callers_given) },
	{ 'S', "sort", "sort key (default total); hld_total: of --hold", OPTION_FLAGS,
	  "total|max|count|avg", .names = orders, TO(sort) },
	{ 'n', "maxrows", "rows of a table; 0: all", OPTION_NUMBER, "N", 0, INT32_MAX,
	  TO(maxrows) },
	{ 'Y', "type", "only these kinds of locks, as mutex,rwsem", OPTION_FLAGS, "TYPE,...",
	  .names = type_names, TO(type), GIVEN(type_given) },
	{ 'c', "caller", "only callers whose name begins with this", OPTION_TEXT, "TEXT",
	  .excludes = "locks", TO(caller) },
	{ 'L', "lock", "only this lock: its name, or 0xADDRESS", OPTION_TEXT, "LOCK",
	  .local = true, TO(lock) },
	{ 'm', "min", "only waits of US microseconds or more", OPTION_NUMBER, "US", 1, INT32_MAX,
	  TO(min) },
	{ 'i', "interval", "seconds between tables", OPTION_NUMBER, "SECONDS", 1, INT32_MAX },
	{ 'd', "duration" },
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG, TO(timestamp) },
	{ 'f', "folded", TO(folded) },
	{ 0, "offsets", TO(offsets) },
	{ 'A', "addresses", TO(addresses) },
	{ }
};

static const struct example examples[] = {
	{ "sonde lockstat -i 5", "each five seconds" },
	{ "sonde lockstat -l -Y mutex,rwsem", "by lock, of two kinds" },
	{ }
};

static int lock_address(const char *lock, uint64_t *address, struct error *err)
{
	const char *at = lock;
	int found;

	if (scan_text(&at, "0x")) {
		if (!scan_hex(&at, UINT64_MAX, address) || *at || !*address)
			return fail(err, "--lock: `%s` is no address", lock);
		return 0;
	}
	found = kallsyms_find(lock, address);
	if (found > 0 && *address)
		return 0;
	return fail(err, found > 0 ? "--lock: the kernel hides the address of `%s`" :
		    "--lock: the kernel has no symbol `%s`: locks in allocated memory have only "
		    "an address, which lockstat -l shows", lock);
}

static bool shows_holds(const struct lockstat_options *o)
{
	return o->hold || o->sort >> HELD_SHIFT;
}

static bool shows_waits(const struct lockstat_options *o)
{
	const int64_t sort = o->sort;

	return !o->hold && (!sort || sort & WAIT_ORDERS);
}

static int check(const struct run *r, bool stacks, struct error *err)
{
	static const char *const others[] = {
		"locks", "per-thread", "hist", "sort", "maxrows", "callers", "caller", NULL
	};
	const struct lockstat_options *o = run_asked(r);

	if (stacks && stacks_refuse(r, others, err))
		return -1;
	if (o->per_thread && shows_holds(o) && shows_waits(o))
		return fail(err, "%s: --per-thread adds up waits, or with --hold holds, and not "
			    "both", run_name(r));
	if ((o->caller != NULL || o->callers_given) && (o->per_thread || o->hist || o->locks))
		return fail(err, "%s: --caller and --callers go with a table of callers",
			    run_name(r));
	return 0;
}

static int prepare(struct run *r, struct error *err)
{
	const struct lockstat_options *o = run_asked(r);
	bool stacks = stacks_instead(run_options(r));
	bool callers = !stacks && !o->locks && !o->per_thread && !o->hist;
	const char *lock = o->lock;
	const bool holds = shows_holds(o), waits = shows_waits(o);
	uint64_t address = 0, types_wanted = 0;

	if (check(r, stacks, err))
		return -1;
	if (lock && lock_address(lock, &address, err)) {
		run_unfit(r);
		return -1;
	}
	run_constant(r, "by-caller", callers);
	run_constant(r, "waits", waits);
	run_constant(r, "holds", holds);
	run_constant(r, "stacked", callers || stacks);
	run_constant(r, "of_lock", (int64_t)address);
	for (int i = 0; o->type_given && types[i].name; i++)
		if (o->type >> i & 1)
			types_wanted |= 1ULL << types[i].flags;
	/* a mutex that is spun for at first */
	if (types_wanted >> LOCK_MUTEX & 1)
		types_wanted |= 1ULL << (LOCK_MUTEX | LOCK_SPIN) | 1ULL << LOCK_HELD;
	if (types_wanted && holds && !(types_wanted >> LOCK_HELD & 1))
		return fail(err, "%s: --hold sees mutexes only: it goes with --type mutex, or "
			    "without --type", run_name(r));
	run_constant(r, "types", (int64_t)types_wanted);
	run_constant(r, "min_ns", o->min * 1000);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct lockstat_options *o = run_asked(r);
	const bool waits = shows_waits(o);

	(void)err;
	if (waits && !kernel_format(run_kernel(r), "lock", "contention_begin"))
		run_note(r, "waits for mutexes and rwsems are seen, and not for spin locks: this "
			 "kernel has no tracepoint of waits (since 5.19)");
	if (shows_holds(o) && kernel_has(run_kernel(r), FEATURE_FRAME_POINTERS))
		run_note(r, "the caller of a held mutex may be missing, and the function above it "
			 "shown: this kernel walks its stacks by frame pointers");
	if (!o->folded)
		output_line(run_output(r), "Tracing %s of the kernel... Hit Ctrl-C to end.",
			    waits ? "waits for locks" : "holds of mutexes");
	return 0;
}

/* Rows. */

static int type_of(uint32_t flags)
{
	for (int i = 0; types[i].name; i++)
		if (types[i].flags == flags)
			return i;
	return NO_TYPE;
}

static struct text type_text(uint32_t flags)
{
	int type = type_of(flags);

	return type == NO_TYPE ? (struct text){ } : text_of(types[type].name, 16);
}

static void add(void *arg, const void *k, const void *v)
{
	const struct lockstat_key *key = k;
	struct row *row = top_row(arg);

	if (!row)
		return;
	row->key = *key;
	row->key.cpu = 0;
	memcpy(&row->sums, v, sizeof(row->sums));
}

/* Functions that take a lock for their caller: names begin so. */
static bool takes_locks(const char *name)
{
	static const char *const names[] = {
		"mutex_lock", "mutex_trylock", "__mutex_lock", "ww_mutex_lock", "__ww_mutex_lock",
		"rwsem_down_",
		"call_rwsem_down_", "down_", "__down", "_raw_", "__raw_", "do_raw_", "queued_",
		"native_queued_", "__pv_queued_", "resilient_queued_", "percpu_down_",
		"__percpu_down_", "percpu_rwsem_wait", "rt_mutex_", "__rt_mutex_", "rt_spin_",
		"rt_read_", "rt_write_", "rwbase_", "__rwbase_", "rtlock_", "trace_contention_",
		"__traceiter_contention_", "bpf_trace_run", "perf_trace_contention_",
		"bpf_trampoline_",	/* of probes on the function that takes it */
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return !strcmp(name, "down");
}

/* In place of a caller if somebody else traces returns of the function, before 5.15 or so. */
static bool hides_caller(const char *name)
{
	return strstr(name, "kretprobe_trampoline") || strstr(name, "rethook_trampoline");
}

/*
 * The frame of a stack that asks for the lock: the newest one that does more than to take it. NULL:
 * unknown.
 */
static const struct stack_frame *caller_of(const struct stack_asked *a)
{
	unsigned int i = 0;

	while (i < a->n && a->frames[i].name && takes_locks(a->frames[i].name))
		i++;
	if (i == a->n || (a->frames[i].name && hides_caller(a->frames[i].name)))
		return NULL;
	return &a->frames[i];
}

static void put_frame(const struct lockstat_options *o, char *text, size_t size,
		      const struct stack_frame *f)
{
	if (f->name && o->offsets)
		text_cut(text, size, "%s+0x%llx", f->name, (unsigned long long)f->offset);
	else if (f->name && !o->addresses)
		text_cut(text, size, "%s", f->name);
	else
		snprintf(text, size, "0x%llx", (unsigned long long)f->address);
}

/* The caller, its own caller and so on, as many as the user wants. */
static void name_caller(const struct run *r, struct row *row, const struct stack_asked *a)
{
	const struct lockstat_options *o = run_asked(r);
	const struct stack_frame *f = caller_of(a), *end = a->frames + a->n;
	struct strbuf text = strbuf_over(row->place_text, PLACE_TEXT);
	int64_t n = o->callers;
	char one[PLACE_TEXT];

	for (; f && f < end && n-- && (f->name || f->address); f++) {
		bool fits;

		put_frame(o, one, sizeof(one), f);
		fits = text.n + strlen(one) + 8 < PLACE_TEXT;
		strbuf_addf(&text, "%s%s", text.n ? " < " : "", fits || !text.n ? one : "...");
		if (!fits)
			break;
	}
}

static int name_callers(struct run *r, struct top *t, struct error *err)
{
	struct row *rows = t->rows;
	struct stack_asked *asked = calloc(t->n + 1, sizeof(*asked));
	const struct stacks_when when = { };
	int result;

	if (!asked)
		return fail(err, "out of memory");
	for (size_t i = 0; i < t->n; i++)
		asked[i] = (struct stack_asked){
			.number = rows[i].key.kernel_stack, .pid = NOTHING,
			.value = rows[i].sums.count,
		};
	result = stacks_name(r, asked, (unsigned int)t->n, &when, err);
	for (size_t i = 0; i < t->n; i++) {
		if (!result)
			name_caller(r, &rows[i], &asked[i]);
		free(asked[i].frames);
		rows[i].key.kernel_stack = 0;
	}
	free(asked);
	return result;
}

/* Names of locks that are variables of the kernel, or inside of one. */
static int name_locks(struct run *r, struct top *t, struct error *err)
{
	struct row *rows = t->rows;
	uint64_t *addresses = calloc(t->n + 1, sizeof(*addresses)), start;
	struct kernel_wanted names = { };
	char name[KERNEL_NAME];
	const char *module;

	if (!addresses)
		return fail(err, "out of memory");
	for (size_t i = 0; i < t->n; i++)
		addresses[i] = rows[i].key.lock;
	if (run_is_live(r) && t->n)
		kernel_wanted_read_data(&names, NULL, addresses, t->n);
	free(addresses);
	for (size_t i = 0; i < t->n; i++) {
		snprintf(rows[i].address_text, sizeof(rows[i].address_text), "0x%llx",
			 (unsigned long long)rows[i].key.lock);
		if (!kernel_wanted_find(&names, rows[i].key.lock, name, &start, &module))
			continue;
		text_cut(rows[i].place_text, PLACE_TEXT, rows[i].key.lock == start ? "%s" :
			 "%s+0x%llx", name, (unsigned long long)(rows[i].key.lock - start));
	}
	kernel_wanted_free(&names);
	return 0;
}

/* Rows that differ only in what is not shown become one. */
static int by_shown(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = strcmp(x->place_text, y->place_text);

	return order ? order : memcmp(&x->key, &y->key, sizeof(x->key));
}

static void merge(void *to, const void *row)
{
	struct lockstat_sums *sums = &((struct row *)to)->sums;
	const struct lockstat_sums *more = &((const struct row *)row)->sums;

	sums->count += more->count;
	sums->total += more->total;
	if (more->max > sums->max)
		sums->max = more->max;
}

/* What rows of waits, or of mutexes that are held, are sorted by. */
static int64_t order_of(int64_t sort, bool held, const struct lockstat_sums *s)
{
	if (sort >> HELD_SHIFT && (held || !(sort & WAIT_ORDERS)))
		sort >>= HELD_SHIFT;
	if (sort & BY_MAX)
		return (int64_t)s->max;
	if (sort & BY_COUNT)
		return (int64_t)s->count;
	return (int64_t)(sort & BY_AVG ? s->total / s->count : s->total);
}

static bool is_held(const struct row *row)
{
	return row->key.flags == LOCK_HELD;
}

/* Waits, then mutexes that are held. */
static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (is_held(x) != is_held(y))
		return is_held(x) ? 1 : -1;
	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	return by_shown(a, b);
}

static bool caller_wanted(const struct run *r, const struct row *row)
{
	const struct lockstat_options *o = run_asked(r);
	const char *caller = o->caller;

	return !caller || !strncmp(row->place_text, caller, strlen(caller));
}

static void print(struct run *r, struct row *row)
{
	row->clock = run_interval_clock(r);
	row->pid = tgid_of(row->key.pid_tgid);
	row->tid = row->pid == NOTHING ? NOTHING : (int64_t)(uint32_t)row->key.pid_tgid;
	row->total_us = (double)row->sums.total / 1e3;
	row->max_us = (double)row->sums.max / 1e3;
	row->average_us = row->total_us / (double)row->sums.count;
	row->type = type_text(row->key.flags);
	if (row->address_text[0])
		row->address = text_of(row->address_text, sizeof(row->address_text));
	if (row->place_text[0])
		row->place = text_of(row->place_text, PLACE_TEXT);
	output_row(run_output(r), row);
}

static int show_table(struct run *r, struct top *t, struct error *err)
{
	const struct lockstat_options *o = run_asked(r);
	const int64_t sort = o->sort;
	size_t most = (size_t)o->maxrows, shown = 0;
	struct row *rows;

	if ((run_shown(r, "by-caller") && name_callers(r, t, err)) ||
	    (run_shown(r, "locks") && name_locks(r, t, err)))
		return -1;
	top_merge(t, by_shown, merge);
	rows = t->rows;
	for (size_t i = 0; i < t->n; i++)
		rows[i].order = order_of(sort, is_held(&rows[i]), &rows[i].sums);
	top_sort(t, most_first);
	run_table_head(r);
	for (size_t i = 0; i < t->n; i++) {
		if (i && is_held(&rows[i]) && !is_held(&rows[i - 1]))
			shown = 0;
		if (!caller_wanted(r, &rows[i]) || (most && shown == most))
			continue;
		print(r, &rows[i]);
		shown++;
	}
	return 0;
}

static const struct tool_stacks stacks = {
	"sums", { { "ns", "total", 0 }, { "waits", "count", 0 } },
};

static void section(struct run *r, const struct hist_group *g, struct hist_section *s,
		    char *value)
{
	struct text type = type_text((uint32_t)g->id);

	(void)r;
	*s = (struct hist_section){ .name = "type" };
	text_cut(value, HISTS_VALUE, "%s", type.s ? type.s : "?");
}

static int show(struct run *r, struct error *err)
{
	const struct lockstat_options *o = run_asked(r);
	const struct hists_shown hists = {
		.name = shows_waits(o) ? "wait" : "hold", .unit = "nsecs",
		.grouped = true, .section = section,
	};
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

/* support: bpf: full (5.19); [24] (4.7) | bpf: full (5.19) | perf, ftrace: full (5.19); [24] |
 *	    perf, ftrace: full (5.19) */
TOOL(lockstat, "functions", "where tasks wait for locks of the kernel, and how long",
	.shape = SHAPE_INTERVALS,
	.programs = &lockstat_programs,
	.options = options,
	.options_size = sizeof(struct lockstat_options),
	.columns = columns,
	.parts = parts,
	.distribution = "hist",
	.tables = true,
	.notes = "A wait in an interrupt is counted for the task that was interrupted.",
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.stacks = &stacks,
	.interval_end = show,
);
