// SPDX-License-Identifier: GPL-2.0
/*
 * What a week does to a tool, in a moment: more subjects come and go, or come and stay, than its
 * maps have room for. What comes then is shown as in the first minute; what a map had no room for
 * is counted.
 */
#include <stdlib.h>
#include <string.h>

#include "insns/programs/family.h"
#include "tests/unit/helpers/formats.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

struct limit_row {
	const char *what, *command;
	unsigned int subjects;
	void (*each)(FILE *f, unsigned int n);	/* the records of one; n from 0 on */
	const char *then;			/* records behind all of these */
	const char *before;
	const char *prints;			/* this is in what was printed, */
	const char *not_prints;			/* and this does not; NULL: anything may */
	uint64_t full, lost;
	uint32_t child;				/* of --exec */
};

/* Subject n acts at n us and after; what comes behind them all is later than 10 s. */
#define AT(N, NS)	((unsigned long long)(N) * 1000 + (NS) + 1)
#define LATE		"10000000000"
#define LATER		"10000010000"

static void child(FILE *f, unsigned int n)
{
	unsigned int pid = 100000 + n;

	fprintf(f, "%llu 0 5 task:task_newtask pid=%u\n", AT(n, 0), pid);
	fprintf(f, "%llu 0 %u task:task_newtask pid=%u clone_flags=0x10000\n", AT(n, 1), pid,
		pid + 1000000);
	fprintf(f, "%llu 0 %u sched:sched_process_exit\n", AT(n, 2), pid);
	fprintf(f, "%llu 0 %u sched:sched_process_exit\n", AT(n, 3), pid + 1000000);
	fprintf(f, "%llu 1 0 sched:sched_process_free pid=%u\n", AT(n, 4), pid + 1000000);
	fprintf(f, "%llu 1 0 sched:sched_process_free pid=%u\n", AT(n, 5), pid);
}

#define OPENED(TIME, TID, NAME) \
	TIME " 0 " TID " p:do_sys_openat2\n" TIME " 0 " TID " p:do_filp_open path=\"" NAME "\"\n" \
	TIME " 0 " TID " r:do_sys_openat2 ret=3\n"

/*
 * A process whose first thread ended: its other one is followed, and it closes its files after it
 * said that it ends.
 */
#define OWN_DOING \
	LATE " 0 5 task:task_newtask pid=7\n" LATE \
	" 0 7 task:task_newtask pid=8 clone_flags=0x10000\n" \
	LATE " 0 7 sched:sched_process_exit\n" OPENED(LATE, "8", "threads") \
	LATE " 0 8 sched:sched_process_exit\n" OPENED(LATE, "8", "last")

static void thread(FILE *f, unsigned int n)
{
	unsigned int tid = 100000 + n;

	fprintf(f, "%llu 0 4 task:task_newtask pid=%u clone_flags=0x10000\n", AT(n, 0), tid);
	fprintf(f, "%llu 0 4 sched:sched_wakeup_new pid=%u\n", AT(n, 1), tid);
	fprintf(f, "%llu 0 4 sched:sched_switch prev_pid=4 prev_state=1 next_pid=%u\n",
		AT(n, 2), tid);
	fprintf(f, "%llu 0 %u sched:sched_switch prev_pid=%u prev_state=0x20 next_pid=4\n",
		AT(n, 3), tid, tid);
}

static void forked(FILE *f, unsigned int n)
{
	unsigned int tid = 100000 + n;

	fprintf(f, "%llu 0 4 task:task_newtask pid=%u\n", AT(n, 0), tid);
}

static void stays(FILE *f, unsigned int n)
{
	fprintf(f, "%llu 0 7 p:do_dentry_open f_mode=0x10001f inode=%u\n", AT(n, 0), 4096 + 8 * n);
}

static void goes(FILE *f, unsigned int n)
{
	stays(f, n);
	fprintf(f, "%llu 1 0 p:security_inode_free inode=%u\n", AT(n, 1), 4096 + 8 * n);
}

#define UNLINKED(INODE, NAME) \
	"20000000000 0 7 p:security_inode_unlink inode=" INODE " name=\"" NAME "\"\n" \
	"20000000001 0 7 r:vfs_unlink ret=0\n"

static void merged(FILE *f, unsigned int n)
{
	fprintf(f, "%llu 0 7 block:block_rq_insert dev=1 sector=%u sectors=8 rwbs=\"W\"\n",
		AT(n, 0), 8 * n);
	fprintf(f, "%llu 0 7 block:block_rq_merge dev=1 sector=%u sectors=8 rwbs=\"W\"\n",
		AT(n, 1), 8 * n);
}

/* Before 5.10 no kernel says so. */
static void merged_untold(FILE *f, unsigned int n)
{
	fprintf(f, "%llu 0 7 block:block_rq_insert dev=1 sector=%u sectors=8 rwbs=\"W\"\n",
		AT(n, 0), 8 * n);
}

#define QUEUED \
	LATE " 0 7 block:block_rq_insert dev=1 sector=77777 sectors=8 rwbs=\"W\"\n" \
	"10000005000 0 7 block:block_rq_issue dev=1 sector=77777 sectors=8 rwbs=\"W\"\n" \
	LATER " 0 7 block:block_rq_complete dev=1 sector=77777 sectors=8 rwbs=\"W\"\n"

static void killed_shell(FILE *f, unsigned int n)
{
	fprintf(f, "%llu 0 %u p:readline\n", AT(n, 0), 100000 + n);
	fprintf(f, "%llu 0 %u sched:sched_process_exit pid=%u\n", AT(n, 1), 100000 + n, 100000 + n);
}

static void killed_asking(FILE *f, unsigned int n)
{
	fprintf(f, "%llu 0 %u p:getaddrinfo pointer=4096 host=\"a\"\n", AT(n, 0), 100000 + n);
	fprintf(f, "%llu 0 %u sched:sched_process_exit pid=%u\n", AT(n, 1), 100000 + n, 100000 + n);
}

static void exits_in_call(FILE *f, unsigned int n)
{
	fprintf(f, "%llu 0 %u raw_syscalls:sys_enter\n", AT(n, 0), 100000 + n);
	fprintf(f, "%llu 0 %u sched:sched_process_exit pid=%u\n", AT(n, 1), 100000 + n, 100000 + n);
}

static void not_freed(FILE *f, unsigned int n)
{
	fprintf(f, "%llu 0 7 kmem:kmalloc address=%u size=1\n", AT(n, 0), 64 * (n + 1));
}

static void freed(FILE *f, unsigned int n)
{
	not_freed(f, n);
	fprintf(f, "%llu 0 7 kmem:kfree address=%u\n", AT(n, 1), 64 * (n + 1));
}

/* Each fourth is of 1000 bytes. */
static void rhythm(FILE *f, unsigned int n)
{
	fprintf(f, "%llu 0 7 kmem:kmalloc address=%u size=%u\n", AT(n, 0), 64 * (n + 1),
		n % 4 == 3 ? 1000 : 1);
}

static const struct limit_row rows[] = {
	/* 2000 of 8000 and 500 of 2000, if chance were even. */
	{ "of what comes in turns some of each", "memleak -s 4", 8000, rhythm, "",
	  .prints = "\"bytes\":491515,\"allocations\":2005" },
	{ "memory that is not freed", "memleak", 262144 + 7, not_freed, "",
	  .prints = "\"bytes\":262144,\"allocations\":262144", .full = 7 },
	{ "and less", "memleak --allocations 3", 10, not_freed, "",
	  .prints = "\"bytes\":3,\"allocations\":3", .full = 7 },
	{ "memory that is freed", "memleak --allocations 3", 1000, freed,
	  LATE " 0 7 kmem:kmalloc address=8 size=5\n" "run 100000000000\n",
	  .prints = "\"bytes\":5,\"allocations\":1" },
	{ "--exec: processes that ended are forgotten", "opensnoop --exec true", 17000, child,
	  OPENED(LATE, "5", "five") OWN_DOING,
	  .before = "task 5 5 make\n" "task 4 4 other\n", .child = 5, .prints = "last" },
	{ "--exec: a stranger gets the id of a process", "opensnoop --exec true", 10, child,
	  LATE " 0 4 task:task_newtask pid=100003\n" OPENED(LATER, "100003", "stranger"),
	  .before = "task 5 5 make\n" "task 4 4 other\n", .child = 5, .not_prints = "stranger" },
	{ "--exec: a stranger gets the id of a process whose end was lost",
	  "opensnoop --exec true", 1, child,
	  LATE " 0 5 task:task_newtask pid=200\n" LATE " 0 4 task:task_newtask pid=200\n"
	  OPENED(LATER, "200", "stranger"),
	  .before = "task 5 5 make\n" "task 4 4 other\n", .child = 5, .not_prints = "stranger" },
	{ "--exec: the id of a process is a child's before it is given back",
	  "opensnoop --exec true", 1, child,
	  LATE " 0 5 task:task_newtask pid=200\n" LATE " 0 200 sched:sched_process_exit\n"
	  LATE " 0 5 task:task_newtask pid=200\n" LATE " 0 0 sched:sched_process_free pid=200\n"
	  OPENED(LATER, "200", "child"),
	  .before = "task 5 5 make\n" "task 4 4 other\n", .child = 5, .prints = "child" },
	{ "--exec: the command is followed before its making is read", "opensnoop --exec true", 0,
	  child,
	  LATE " 0 4 task:task_newtask pid=5\n" OPENED(LATER, "5", "five"),
	  .before = "task 4 4 sonde\n", .child = 5, .prints = "five" },
	{ "threads that came and went", "runqlat -P", 70000, thread,
	  LATE " 0 4 task:task_newtask pid=99 clone_flags=0x10000\n" LATE
	  " 0 4 sched:sched_wakeup_new pid=99\n"
	  LATER " 0 9 sched:sched_switch prev_pid=9 prev_state=1 next_pid=99\n",
	  .before = "task 4 4 x\n",
	  .prints = "\"pid\":4,\"slots\":[{\"low\":0,\"high\":0,\"count\":70000},{\"low\":10,"
		    "\"high\":10,\"count\":1}]" },
	{ "processes that stay", "runqlat -P", 70000, forked,
	  LATE " 0 4 task:task_newtask pid=99 clone_flags=0x10000\n" LATE
	  " 0 4 sched:sched_wakeup_new pid=99\n"
	  LATER " 0 9 sched:sched_switch prev_pid=9 prev_state=1 next_pid=99\n",
	  .before = "task 4 4 x\n",
	  .prints = "\"pid\":4,\"slots\":[{\"low\":10,\"high\":10,\"count\":1}]" },
	{ "threads, and runqslower", "runqslower 9", 70000, thread,
	  LATE " 0 4 sched:sched_wakeup pid=99\n" LATER
	  " 0 9 sched:sched_switch prev_pid=9 prev_state=1 next_pid=99\n",
	  .prints = "\"tid\":99" },
	{ "files that stay", "filelife", 70000, stays, UNLINKED("4096", "first")
	  UNLINKED("564088", "the-last"),
	  .prints = "the-last", .not_prints = "first", .full = 70000 - 65536 },
	{ "files that leave the memory", "filelife", 70000, goes,
	  LATE " 0 7 p:do_dentry_open f_mode=0x10001f inode=8\n" UNLINKED("8", "the-last"),
	  .prints = "the-last" },
	{ "merged requests", "biolatency -Q", 20000, merged, QUEUED,
	  .prints = "\"low\":10,\"high\":10,\"count\":1" },
	{ "merged requests that nobody tells", "biolatency -Q", 20000, merged_untold, QUEUED,
	  .prints = "\"low\":10,\"high\":10,\"count\":1" },
	{ "shells killed at their prompt", "bashreadline", 11000, killed_shell,
	  LATE " 0 7 p:readline\n" LATER " 0 7 r:readline pointer=1 line=\"ls\"\n",
	  .prints = "\"ls\"" },
	{ "killed while they asked", "gethostlatency", 11000, killed_asking,
	  LATE " 0 7 p:getaddrinfo pointer=4096 host=\"b\"\n" LATER " 0 7 r:getaddrinfo\n",
	  .prints = "\"b\"" },
	{ "calls that never return", "syscount -L", 66000, exits_in_call,
	  LATE " 0 7 raw_syscalls:sys_enter\n" LATER " 0 7 raw_syscalls:sys_exit id=3\n",
	  .prints = "\"count\":1" },
};

START_TEST(limits)
{
	const struct limit_row *row = &rows[_i];
	struct kernel *k = trial_kernel("6.1");
	char *records = NULL;
	size_t size;
	struct trial t;
	FILE *f;

	if (!k)
		return;
	f = open_memstream(&records, &size);
	fputs(row->before ? row->before : "", f);
	for (unsigned int n = 0; n < row->subjects; n++)
		row->each(f, n);
	fputs(row->then, f);
	fclose(f);
	ck_assert_msg(!trial_start(&t, row->command, k), "%s: %s", row->what, t.err.text);
	t.child = row->child;
	ck_assert_msg(!trial_replay(&t, records, OUTPUT_JSON), "%s: %s", row->what, t.err.text);
	ck_assert_msg(!row->prints || strstr(t.text, row->prints), "%s: printed\n%.2000s",
		      row->what, t.text);
	ck_assert_msg(!row->not_prints || !strstr(t.text, row->not_prints), "%s: printed\n%.2000s",
		      row->what, t.text);
	ck_assert_msg(t.stats.full == row->full && t.stats.lost == row->lost,
		      "%s: full %llu, lost %llu", row->what,
		      (unsigned long long)t.stats.full, (unsigned long long)t.stats.lost);
	trial_end(&t);
	free(records);
}
END_TEST

/* docs/limits.md: `| TOOL, TOOL | MAP | ENTRIES | ...` */
static bool says(const char *doc, const char *tool, const char *map, uint32_t entries)
{
	char tools[1024], name[64], number[16], wanted[64];

	for (const char *line = doc; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (sscanf(line, "| %1023[^|]| `%63[^`]` | %15[0-9,] |", tools, name, number) !=
		    3 || strcmp(name, map))
			continue;
		snprintf(wanted, sizeof(wanted), "%u", entries);
		for (char *c = number, *to = number; (*to = *c); c++)
			to += *c != ',';
		if (strcmp(number, wanted))
			continue;
		for (char *at = strtok(tools, ", "); at; at = strtok(NULL, ", "))
			if (!strcmp(at, tool))
				return true;
	}
	return false;
}

static unsigned int undocumented(const char *doc, const char *tool, const struct map *maps)
{
	unsigned int n = 0;

	for (const struct map *m = maps; m->name; m++)
		if (m->kind != MAP_OUTPUT && !says(doc, tool, m->name, m->entries)) {
			fprintf(stderr, "docs/limits.md lacks %s of %s, %u entries\n", m->name,
				tool, m->entries);
			n++;
		}
	return n;
}

/* The maps of filters whose entries come and go. */
static unsigned int undocumented_filter(const char *doc, const struct filter_row *row)
{
	const struct map maps[] = { { .name = row->map, .entries = row->entries }, { } };
	char option[32];

	snprintf(option, sizeof(option), "--%s", row->option);
	return row->entries ? undocumented(doc, option, maps) : 0;
}

/* The document names every map of every tool, and of filters, with its size. */
START_TEST(document)
{
	static char doc[65536];
	FILE *f = fopen("docs/limits.md", "r");
	unsigned int n = 0;

	ck_assert_msg(f != NULL, "there is no docs/limits.md");
	doc[fread(doc, 1, sizeof(doc) - 1, f)] = '\0';
	fclose(f);
	for (const struct tool *const *t = tools; *t; t++)
		for (const struct program_set *s = NULL; (s = tool_set_after(*t, s));)
			n += undocumented(doc, (*t)->name, s->maps);
	n += undocumented(doc, "--exec", family_programs.maps);
	for (const struct filter_option *o = filter_options; o->row.option; o++)
		n += undocumented_filter(doc, &o->row);
	ck_assert_msg(!n, "%u maps are not in docs/limits.md, or with another size", n);
}
END_TEST

Suite *suite_limits(void);
Suite *suite_limits(void)
{
	Suite *s = suite_create("limits");
	TCase *tcase;

	add_tests(s, "limits", limits, (int)(sizeof(rows) / sizeof(rows[0])));
	tcase = tcase_create("document");
	tcase_add_test(tcase, document);
	suite_add_tcase(s, tcase);
	return s;
}
