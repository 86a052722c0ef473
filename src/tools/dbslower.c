// SPDX-License-Identifier: GPL-2.0
/* dbslower and dbstat: the queries of a database that take long, and how long all of them take. */
#include "insns/programs/dbslower.h"

#include <endian.h>
#include <stdio.h>

#include "src/run/tools.h"
#include "src/toolkit/hists.h"

struct row {
	const struct dbslower_record *record;
	struct text query;
	int64_t statement, failed;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct part parts[] = {
	{ &dbslower_record_layout, AT(record), .pointer = true },
	{ }
};

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -14, .field = "time", .digits = 6,
	  .help = "seconds since the first line, when it ended" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .help = "process id of the server" },
	{ "TID", "tid", COLUMN_INTEGER, 0, .field = "tid", .readers = FOR_MACHINES,
	  .help = "its thread, in JSON and CSV" },
	{ "COMM", "comm", COLUMN_TEXT, 0, .field = "comm", .readers = FOR_MACHINES,
	  .help = "name of the thread, in JSON and CSV" },
	{ "MS", "lat_ms", COLUMN_REAL, 8, .field = "latency", .divisor = 1000000, .digits = 3,
	  .span = SPAN_LENGTH, .help = "milliseconds that it took" },
	{ "KIND", "kind", COLUMN_TEXT, 0, .field = "kind", .readers = FOR_MACHINES,
	  .help = "query, or of a prepared statement execute, prepare or fetch; in JSON and CSV" },
	{ "STATEMENT", "statement", COLUMN_INTEGER, 0, AT(statement), .role = IS_LABEL,
	  .readers = FOR_MACHINES,
	  .help = "number of a prepared statement without text, in JSON and CSV" },
	{ "FAILED", "failed", COLUMN_INTEGER, 0, AT(failed), .role = IS_LABEL,
	  .readers = FOR_MACHINES, .help = "1: PostgreSQL ended it by an error, in JSON and CSV" },
	{ "QUERY", "query", COLUMN_TEXT, 0, .field = "query", .span = SPAN_NAME,
	  .readers = FOR_MACHINES },
	{ "QUERY", "query", COLUMN_TEXT, 0, AT(query), .readers = FOR_PEOPLE,
	  .help = "its text, or (statement N): MySQL's number of a prepared statement" },
	{ }
};

static const struct option_name databases[] = { { "mysql", 0 }, { "postgres", 0 }, { } };

/* What the functions below read of the options. */
struct dbslower_options {
	bool microseconds;
	int64_t threshold;
	const char *database, *exe;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct dbslower_options, MEMBER)

#define OPTION_DATABASE \
	{ 0, "database", "the server; mysql: MariaDB too", OPTION_TEXT, "mysql|postgres", \
	  .names = databases, .positional = true, TO(database) }, \
	{ 'p', "pid", .positional = 2 }, \
	{ 'x', "exe", "only this program", OPTION_TEXT, "PATH", TO(exe) }

static const struct option slower_options[] = {
	OPTION_DATABASE,
	{ 'm', "threshold", "only queries of MS milliseconds or more; 0: all", OPTION_NUMBER, "MS",
	  0, INT32_MAX, 1000, .positional = 3, .parts = 1000, TO(threshold) },
	{ }
}, stat_options[] = {
	OPTION_DATABASE,
	{ 'm', "threshold", "only queries of MS milliseconds or more", OPTION_NUMBER, "MS", 0,
	  INT32_MAX, .parts = 1000, TO(threshold) },
	{ 'u', "microseconds", "in microseconds, not milliseconds", OPTION_FLAG,
	  TO(microseconds) },
	{ 'i', "interval", "seconds between histograms", OPTION_NUMBER, "SECS", 1, INT32_MAX },
	{ }
};

static const struct example slower_examples[] = {
	{ "sonde dbslower postgres", "queries that take 1 ms and more" },
	{ "sonde dbslower mysql -m 0 -p 181", "all queries of one server" },
	{ }
}, stat_examples[] = {
	{ "sonde dbstat postgres", "until Ctrl-C" },
	{ "sonde dbstat mysql -u -i 5", "in microseconds, every five seconds" },
	{ }
};

static int find_database(struct run *r, struct error *err)
{
	static const char *const functions[] = {
		"_Z16dispatch_command19enum_server_commandP3THDPcjb",
		"_Z16dispatch_command19enum_server_commandP3THDPcj",
		"_Z16dispatch_command19enum_server_commandP3THDPcjbb",
		"_Z16dispatch_commandP3THDPK8COM_DATA19enum_server_command", NULL
	}, *const none = NULL;
	const struct dbslower_options *o = run_asked(r);
	const char *database = o->database;
	const bool mysql = database && *database == 'm';

	if (!database)
		return fail(err, "%s: it needs the name of a server: mysql (MariaDB too) or "
			    "postgres", run_name(r));
	run_constant(r, "mysql", mysql);
	run_constant(r, "postgres", !mysql);
	run_constant(r, "min", o->threshold * 1000);
	return run_binaries(r, database, o->exe, mysql ? functions : &none, err);
}

static int prepare_rows(struct run *r, struct error *err)
{
	run_constant(r, "rows", 1);
	run_constant(r, "histogram", 0);
	return find_database(r, err);
}

static int prepare_histogram(struct run *r, struct error *err)
{
	const struct dbslower_options *o = run_asked(r);

	run_constant(r, "rows", 0);
	run_constant(r, "histogram", 1);
	run_constant(r, "milliseconds", !o->microseconds);
	return find_database(r, err);
}

static int started(struct run *r, struct error *err)
{
	const struct dbslower_options *o = run_asked(r);
	const long long us = o->threshold;

	(void)err;
	if (us % 1000)
		output_line(run_output(r), "Tracing database queries slower than %lld.%03lld ms... "
			    "Hit Ctrl-C to end.", us / 1000, us % 1000);
	else if (us)
		output_line(run_output(r), "Tracing database queries slower than %lld ms... Hit "
			    "Ctrl-C to end.", us / 1000);
	else
		output_line(run_output(r), "Tracing database queries... Hit Ctrl-C to end.");
	return 0;
}

/* What people read: the text, and in parentheses what it is not. */
static struct text shown(const struct dbslower_record *rec, int64_t number, char *text, size_t size)
{
	const struct text query = read_text(rec->query.path, rec->query.length, PATH_SHOWN,
					    PATH_READ);
	const char *what = rec->failed ? "(failed) " : rec->kind == DB_PREPARE ? "(prepare) " :
			   rec->kind == DB_FETCH ? "(fetch) " : "";
	int n;

	if (number != NOTHING)
		n = snprintf(text, size, "%s(statement %lld)", what, (long long)number);
	else
		n = snprintf(text, size, "%s%.*s", what, query.s ? (int)query.length : 1,
			     query.s ? query.s : "-");
	return (struct text){ .s = text, .length = (uint32_t)n, .cut = query.cut };
}

static void query(struct run *r, const struct record *record)
{
	const struct dbslower_record *rec = record->bytes;
	const bool mysql = run_has_hook(r, "query.asked");
	char text[PATH_READ + 64];
	struct row row = { .record = rec, .statement = NOTHING,
			   .failed = mysql ? NOTHING : rec->failed };

	if (!run_wanted(r, rec))
		return;
	if (mysql && (rec->kind == DB_EXECUTE || rec->kind == DB_FETCH))
		row.statement = rec->packet ? le32toh(rec->number) : rec->number;
	row.query = shown(rec, row.statement, text, sizeof(text));
	output_row(run_output(r), &row);
}

static int show(struct run *r, struct error *err)
{
	const struct dbslower_options *o = run_asked(r);
	const struct hists_shown shown = {
		.name = "latency",
		.unit = o->microseconds ? "usecs" : "msecs",
	};

	return hists_show(r, &shown, err);
}

/* support: bpf: full (4.6) | bpf: full (4.6) | perf, ftrace (3.14): [2] [11] |
 *	    perf, ftrace (3.14): [2] [11] */
TOOL(dbslower, "processes", "trace queries of PostgreSQL, MySQL and MariaDB that take long",
	.asks = "postgres",
	.shape = SHAPE_EVENTS,
	.programs = &dbslower_programs,
	.options = slower_options,
	.options_size = sizeof(struct dbslower_options),
	.columns = columns,
	.parts = parts,
	.examples = slower_examples,
	.prepare = prepare_rows,
	.started = started,
	.record = query,
);

/* support: bpf: full (4.6) | bpf: full (4.6) | perf, ftrace (3.14): [2] [11] |
 *	    perf, ftrace (3.14): [2] [11] */
VARIANT(dbstat, dbslower, "processes", "how long queries of databases take, as a histogram",
	.asks = "postgres",
	.shape = SHAPE_INTERVALS,
	.programs = &dbstat_programs,
	.options = stat_options,
	.options_size = sizeof(struct dbslower_options),
	.examples = stat_examples,
	.prepare = prepare_histogram,
	.started = started,
	.interval_end = show,
);
