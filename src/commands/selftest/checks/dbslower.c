// SPDX-License-Identifier: GPL-2.0
/*
 * dbslower and dbstat: a row, or a count, for each query of a server that is a library of our own:
 * PostgreSQL's probes (USDT), and the function that dispatches commands of MySQL and MariaDB.
 */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "src/commands/selftest/library.h"
#include "src/commands/selftest/selftest.h"

#define PAUSE_NS 20000000
#define TEXT 64

static const char *const postgres[] = {
	"postgresql:statement__status", "postgresql:query__start", "postgresql:query__done",
	"postgresql:query__execute__start", "postgresql:query__execute__done", NULL
};
enum { TOLD, BEGIN, DONE, RUNS, RAN };

static const char *const mysql[] = {
	"_Z16dispatch_command19enum_server_commandP3THDPcj", NULL
};
enum { PING = 14, QUERY = 3, PREPARE = 22, EXECUTE = 23, FETCH = 28 };

struct state {
	void *base;
};

static int prepare(struct work *w, const char *file, const char *const *functions)
{
	struct state *s = w->state;
	char path[WORK_PATH];

	s->base = work_library(w, file, functions, path);
	if (!s->base)
		return -1;
	say_text(w, "server", path);
	return 0;
}

static int prepare_postgres(struct work *w)
{
	return prepare(w, "postgres", postgres);
}

static int prepare_mysql(struct work *w)
{
	return prepare(w, "mysqld", mysql);
}

/* What the functions do within. */
static void *nothing(const char *text)
{
	(void)text;
	return NULL;
}

static void *slow(const char *text)
{
	(void)text;
	nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
	return NULL;
}

/* How long all of it took. */
static int say_usecs(struct work *w, int64_t start)
{
	say_integer(w, "usecs", (clock_ns(CLOCK_MONOTONIC) - start) / 1000 + 1);
	return 0;
}

static void want(struct work *w, const char *kind, const char *text)
{
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_text(w, "kind", kind, strlen(kind));
	if (text)
		want_text(w, "query", text, strlen(text));
}

/* ---- PostgreSQL ---- */

/* How a query goes on and ends, by its probes; 0 ends it. */
struct course {
	const char *text, *kind;	/* kind NULL: it is no query, and has no row */
	bool failed;
	unsigned char probes[6];	/* 1 + the probe */
};

#define AT(PROBE) (1 + (PROBE))
static const struct course courses[] = {
	{ "slow select 1", "query", false,
	  { AT(TOLD), AT(BEGIN), AT(RUNS), AT(RAN), AT(DONE) } },
	{ "slow prepared", "execute", false, { AT(TOLD), AT(RUNS), AT(RAN) } },
	{ "slow outer", "execute", false, { AT(TOLD), AT(RUNS), AT(RUNS), AT(RAN), AT(RAN) } },
	{ "fetch 2/0", "query", true, { AT(TOLD), AT(BEGIN), AT(RUNS) } },
	{ "values '\x1b[31m\\\xff'", "query", false, { AT(TOLD), AT(BEGIN), AT(DONE) } },
	{ "parsed only", NULL, false, { AT(TOLD) } },
};
#define QUERIES 5			/* of these */
#define SLOW 3				/* of these, each time once */
#define ROUNDS 2

static void run_course(struct work *w, const struct course *c)
{
	const struct state *s = w->state;
	char text[TEXT];	/* on the stack: a program can't read a page that nobody touched */

	text_cut(text, sizeof(text), "%s", c->text);
	for (unsigned int i = 0; i < sizeof(c->probes) && c->probes[i]; i++) {
		unsigned int probe = c->probes[i] - 1U;
		bool sleeps = probe == RUNS && c->probes[i - 1] != AT(RUNS) && *text == 's';

		library_at(s->base, probe)(text, sleeps ? slow : nothing);
	}
	library_at(s->base, TOLD)(NULL, nothing);
	if (!c->kind)
		return;
	want(w, c->kind, c->text);
	want_integer(w, "failed", c->failed);
	want_end(w);
}

static int work_postgres(struct work *w)
{
	int64_t start = clock_ns(CLOCK_MONOTONIC);

	for (unsigned int i = 0; i < ROUNDS; i++)
		for (size_t c = 0; c < sizeof(courses) / sizeof(courses[0]); c++)
			run_course(w, &courses[c]);
	return say_usecs(w, start);
}

/* ---- MySQL ---- */

static void command(const struct state *s, uintptr_t number, const char *packet,
		    void *(*inner)(const char *))
{
	typedef void *function(const char *text, void *(*inner)(const char *), const char *packet);

	((function *)(void (*)(void))library_at(s->base, 0))((const char *)number, inner, packet);
}

static void text_command(struct work *w, uintptr_t number, const char *kind, const char *text)
{
	char packet[TEXT];

	text_cut(packet, sizeof(packet), "%s", text);
	command(w->state, number, packet, *text == 's' ? slow : nothing);
	want(w, kind, text);
	want_end(w);
}

/* The number of a prepared statement, in little-endian order. */
static void number_command(struct work *w, uintptr_t number, const char *kind)
{
	const char packet[TEXT] = { 1, 2, 3, 0 };

	command(w->state, number, packet, nothing);
	want(w, kind, NULL);
	want_integer(w, "statement", 0x030201);
	want_end(w);
}

static int work_mysql(struct work *w)
{
	int64_t start = clock_ns(CLOCK_MONOTONIC);

	text_command(w, QUERY, "query", "slow select 1");
	text_command(w, QUERY, "query", "an \"\x1b[31m\n");
	command(w->state, PING, "ping", nothing);
	text_command(w, PREPARE, "prepare", "slow ?");
	number_command(w, EXECUTE, "execute");
	number_command(w, FETCH, "fetch");
	return say_usecs(w, start);
}

/* ---- judging ---- */

/* Each took no longer than all of it; slow ones at least as long as they slept. */
static void check_rows(struct found *f)
{
	rows_compare(f);
	found_times(f, "lat_ms", 6, "query", PAUSE_NS, said_integer(f, "usecs") * 1000);
}

/* All are counted. A slot's lowest value is up to an eighth less than the value. */
static void check_counts(struct found *f)
{
	const int64_t slept = PAUSE_NS / 1000 * ROUNDS * SLOW;

	found_between(f, "queries", QUERIES * ROUNDS, found_counted(f, NULL, NULL),
		      QUERIES * ROUNDS);
	found_between(f, "usecs", slept - slept / 8, found_total(f), said_integer(f, "usecs"));
}

/* Only the workload has this server. */
#define ALL	"--exe", "%server", "-m", "0"
#define OWN	ALL, "--pid", "%pid"

static const char *const options[] = { "postgres", OWN, NULL };
static const char *const foreign[] = { "postgres", ALL, NULL };
static const char *const mysql_options[] = { "mysql", OWN, NULL };
static const char *const mysql_foreign[] = { "mysql", ALL, NULL };
static const char *const stat_options[] = { "postgres", OWN, "-u", NULL };
static const char *const stat_foreign[] = { "postgres", ALL, "-u", NULL };

static const struct selftest_part parts[] = {
	{ "PostgreSQL", options, foreign, prepare_postgres, work_postgres, check_rows },
	{ "MySQL", mysql_options, mysql_foreign, prepare_mysql, work_mysql, check_rows },
	{ }
};
static const struct selftest_part stat_parts[] = {
	{ NULL, stat_options, stat_foreign, prepare_postgres, work_postgres, check_counts },
	{ }
};

SELFTEST(dbslower, parts, .state_size = sizeof(struct state));
SELFTEST(dbstat, stat_parts, .state_size = sizeof(struct state));
