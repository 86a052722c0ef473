// SPDX-License-Identifier: GPL-2.0
/* Stacks as they are printed, to the byte, and which program a process was when one was found. */
#include <stddef.h>
#include <string.h>

#include "src/toolkit/stacks/lives.h"
#include "tests/unit/helpers/formats.h"
#include "tests/unit/helpers/memory_output.h"
#include "tests/unit/unit.h"

Suite *suite_stack_output(void);

static const struct stack_frame kernel[] = {
	{ FRAME_KERNEL, "vfs_read", "kernel", 0xffffffff81000010, 0x10 },
	{ FRAME_KERNEL, NULL, "ext4", 0xffffffffc0000020, 0x20 },
	{ FRAME_KERNEL, NULL, NULL, 0xffffffffc1000000, 0 },
};

static const struct stack_frame user[] = {
	{ FRAME_USER, "read;x", "libc.so.6", 0x7f0000000014, 0x14 },
	{ FRAME_JIT, "loop \033[1m", NULL, 0x7f1000000000, 1 },
	{ FRAME_USER, NULL, "cat", 0x55000000abcd, 0xabcd },
	{ .kind = FRAME_MARK, .name = "[cut at 127]" },
};

static const struct {
	struct stack_style style;
	const struct output_format *format;
	unsigned int n_kernel, n_user;
	const char *comm;		/* NULL: neither it nor the process is known */
	const char *prints;
	bool twice;			/* two values */
	/* who woke it has these stacks turned round: the kernel's are user space's */
	bool woken, bare;		/* and it has none itself */
	bool grouped;
	struct text group;
} rows[] = {
	{ { }, OUTPUT_TEXT, 3, 4, "c;at",
	  "    vfs_read [kernel]\n    [unknown] [ext4]\n    [unknown]\n"
	  "    read;x [libc.so.6]\n    loop \\x1b[1m\n    [unknown] [cat]\n    [cut at 127]\n"
	  "    -                c;at (7)\n        5\n\n" },
	{ { .delimited = true, .annotated = true, .offsets = true }, OUTPUT_TEXT, 2, 2, "cat",
	  "    vfs_read_[k]+0x10 [kernel]\n    [unknown]_[k]+0x20 [ext4]\n    --\n"
	  "    read;x+0x14 [libc.so.6]\n    loop \\x1b[1m_[j]+0x1\n"
	  "    -                cat (7)\n        5\n\n" },
	{ { .delimited = true }, OUTPUT_TEXT, 1, 0, NULL,
	  "    vfs_read [kernel]\n        5\n\n" },
	{ { .addresses = true }, OUTPUT_TEXT, 1, 1, "cat",
	  "    0xffffffff81000010 [kernel]\n    0x7f0000000014 [libc.so.6]\n"
	  "    -                cat (7)\n        5\n\n" },
	/* What a semicolon separates has none; of what has no name its file is known. */
	{ { .folded = true }, OUTPUT_TEXT, 3, 4, "c;at",
	  "c:at;[cut at 127];[cat];loop \\x1b[1m;read:x;[unknown];[ext4];vfs_read 5\n" },
	{ { .folded = true, .delimited = true, .annotated = true }, OUTPUT_TEXT, 1, 2, "cat",
	  "cat;loop \\x1b[1m_[j];read:x;-;vfs_read_[k] 5\n" },
	{ { .folded = true, .delimited = true }, OUTPUT_TEXT, 1, 0, NULL, "-;vfs_read 5\n" },
	{ { }, OUTPUT_JSON, 2, 4, "cat",
	  "{\"stack\":\"profile\",\"pid\":7,\"comm\":\"cat\",\"kernel_stack\":["
	  "{\"name\":\"vfs_read\",\"module\":\"kernel\",\"offset\":16,"
	  "\"address\":\"0xffffffff81000010\"},"
	  "{\"name\":null,\"module\":\"ext4\",\"offset\":32,"
	  "\"address\":\"0xffffffffc0000020\"}],\"user_stack\":["
	  "{\"name\":\"read;x\",\"module\":\"libc.so.6\",\"offset\":20,"
	  "\"address\":\"0x7f0000000014\"},"
	  "{\"name\":\"loop \\u001b[1m\",\"module\":null,\"offset\":1,"
	  "\"address\":\"0x7f1000000000\"},"
	  "{\"name\":null,\"module\":\"cat\",\"offset\":43981,"
	  "\"address\":\"0x55000000abcd\"},"
	  "{\"name\":\"[cut at 127]\"}],\"samples\":5}\n" },
	{ { }, OUTPUT_JSON, 0, 0, NULL,
	  "{\"stack\":\"profile\",\"pid\":null,\"comm\":null,\"kernel_stack\":[],"
	  "\"user_stack\":[],\"samples\":5}\n" },
	{ { }, OUTPUT_CSV, 1, 2, "a,b",
	  "time,pid,comm,stack,samples\n,7,\"a,b\",\"a,b;loop \\x1b[1m;read:x;vfs_read\",5\n" },
	{ { }, OUTPUT_TEXT, 0, 0, "a",
	  "    -                a (7)\n        5 samples, 6 us\n\n", true },
	{ { .folded = true }, OUTPUT_TEXT, 1, 0, "a", "a;vfs_read 5\n", true },
	{ { }, OUTPUT_JSON, 0, 0, NULL,
	  "{\"stack\":\"profile\",\"pid\":null,\"comm\":null,\"kernel_stack\":[],"
	  "\"user_stack\":[],\"samples\":5,\"us\":6}\n", true },
	{ { }, OUTPUT_CSV, 1, 0, "a",
	  "time,pid,comm,stack,samples,us\n,7,a,a;vfs_read,5,6\n", true },
	{ { .delimited = true }, OUTPUT_TEXT, 2, 1, "a;b",
	  "    waker:           c;d (9)\n    [unknown] [ext4]\n    vfs_read [kernel]\n    -\n"
	  "    read;x [libc.so.6]\n    --               --\n"
	  "    vfs_read [kernel]\n    [unknown] [ext4]\n    --\n    read;x [libc.so.6]\n"
	  "    target:          a;b (8)\n        5\n\n", .woken = true },
	{ { .folded = true, .delimited = true }, OUTPUT_TEXT, 2, 1, "a;b",
	  "a:b;read:x;-;[ext4];vfs_read;--;read:x;-;vfs_read;[ext4];c:d 5\n", .woken = true },
	{ { .delimited = true }, OUTPUT_TEXT, 1, 2, "a",
	  "    target:          a (8)\n    read;x [libc.so.6]\n    loop \\x1b[1m\n    --\n"
	  "    vfs_read [kernel]\n    waker:           c;d (9)\n        5\n\n", .bare = true },
	{ { .folded = true }, OUTPUT_TEXT, 1, 1, "a", "c:d;vfs_read;read:x;a 5\n", .bare = true },
	{ { }, OUTPUT_JSON, 0, 0, "a",
	  "{\"stack\":\"profile\",\"pid\":7,\"tid\":8,\"comm\":\"a\",\"kernel_stack\":[],"
	  "\"user_stack\":[],\"waker_pid\":9,\"waker_comm\":\"c;d\","
	  "\"waker_kernel_stack\":[],\"waker_user_stack\":[],\"samples\":5}\n", .woken = true },
	{ { }, OUTPUT_JSON, 0, 0, NULL,
	  "{\"stack\":\"profile\",\"pid\":null,\"tid\":8,\"comm\":null,"
	  "\"waker_pid\":9,\"waker_comm\":\"c;d\","
	  "\"waker_kernel_stack\":[],\"waker_user_stack\":[],\"samples\":5}\n", .bare = true },
	{ { }, OUTPUT_CSV, 1, 1, "a",
	  "time,pid,tid,comm,waker_pid,waker_comm,stack,samples\n"
	  ",7,8,a,9,c;d,a;read:x;vfs_read;--;read:x;vfs_read;c:d,5\n", .woken = true },
	{ { }, OUTPUT_TEXT, 1, 0, "a", "    vfs_read [kernel]\n    -                a (7)\n"
	  "    cgroup:          g;h\n        5\n\n", .grouped = true, .group = { "g;h", 3 } },
	{ { .folded = true }, OUTPUT_TEXT, 1, 0, "a", "g:h;a;vfs_read 5\n", .grouped = true,
	  .group = { "g;h", 3 } },
	{ { .folded = true }, OUTPUT_TEXT, 1, 0, "a", "-;a;vfs_read 5\n", .grouped = true },
	{ { }, OUTPUT_JSON, 0, 0, "a",
	  "{\"stack\":\"profile\",\"pid\":7,\"comm\":\"a\",\"cgroup\":\"/g;h\","
	  "\"kernel_stack\":[],\"user_stack\":[],\"samples\":5}\n", .grouped = true,
	  .group = { "/g;h", 4 } },
	{ { }, OUTPUT_CSV, 1, 0, "a", "time,pid,comm,cgroup,stack,samples\n"
	  ",7,a,/g;h,/g:h;a;vfs_read,5\n", .grouped = true, .group = { "/g;h", 4 } },
	{ { }, OUTPUT_CSV, 1, 0, "a",
	  "time,pid,comm,cgroup,stack,samples\n,7,a,,-;a;vfs_read,5\n", .grouped = true },
};

START_TEST(printed)
{
	static const struct stack_value values[] = { { "samples", 5 }, { "us", 6 } };
	struct stack_shown s = {
		.name = "profile", .pid = NOTHING, .clock_ns = NOTHING,
		.kernel = kernel, .n_kernel = rows[_i].n_kernel,
		.user = user, .n_user = rows[_i].n_user, .style = &rows[_i].style,
		.values = values, .n_values = rows[_i].twice ? 2 : 1,
		.grouped = rows[_i].grouped, .group = rows[_i].group,
	};
	const struct stack_shown waker = {
		.comm = { "c;d", 3 }, .pid = 9, .kernel = user, .n_kernel = rows[_i].n_user,
		.user = kernel, .n_user = rows[_i].n_kernel,
	};
	struct output *o;
	char *text;
	FILE *file;

	if (rows[_i].woken || rows[_i].bare) {
		s.waker = &waker;
		s.tid = 8;
	}
	if (rows[_i].bare) {
		s.kernel = s.user = NULL;
		s.n_kernel = s.n_user = 0;
	}
	if (rows[_i].comm) {
		s.comm = (struct text){ .s = rows[_i].comm,
					.length = (uint32_t)strlen(rows[_i].comm) };
		s.pid = 7;
	}
	o = memory_output(&text, &file, rows[_i].format, NULL, NULL);
	output_stack(o, &s);
	check_output(o, file, &text, rows[_i].prints);
}
END_TEST

#define NOW UINT64_MAX

/*
 * Process 7: forked by 1, "sh", at 10, exec of "a" at 20 and of "b" at 30. 11: ended at 5, and
 * another was forked at 10. 12: exec of "java" at 20, whose threads have other names; it forked 13
 * before, and 14 then. 15: a thread had another name before its exec of "x" at 20.
 */
static const struct {
	uint32_t pid;
	const char *comm;
	uint64_t blind;
	unsigned int n;
	uint64_t times[4];
} lived[] = {
	{ 8, "x", 0, 1, { NOW } },
	{ 7, "a", 0, 1, { 29 } },
	{ 7, "b", 0, 1, { NOW } },
	{ 7, "sh", 0, 1, { 19 } },
	{ 7, "", 0, 3, { 19, 29, NOW } },
	{ 7, "x", 0, 0, { } },
	{ 11, "x", 0, 1, { 9 } },
	{ 11, "sh", 0, 2, { 9, NOW } },
	{ 9, "twice", 0, 3, { 14, 49, NOW } },
	{ 12, "sh", 0, 2, { 19, NOW } },
	{ 12, "C2 Compiler", 0, 1, { NOW } },
	{ 13, "java", 0, 1, { NOW } },
	{ 13, "sh", 0, 1, { 39 } },
	{ 14, "C2 Compiler", 0, 1, { 39 } },
	{ 14, "x", 0, 2, { 39, NOW } },
	{ 15, "sh", 0, 1, { 19 } },
	{ 15, "x", 0, 2, { 19, NOW } },
	{ 8, "x", 5, 2, { NOW, 5 } },
};

static void live(struct lives *l)
{
	lives_seed(l, 1, "sh", true);
	lives_seed(l, 12, "sh", true);
	lives_seed(l, 12, "sh", false);
	lives_seed(l, 15, "sh", true);
	lives_seed(l, 15, "another", false);
	lives_end(l, 11, 5);
	lives_fork(l, 1, 7, 10);
	lives_fork(l, 1, 11, 10);
	lives_exec(l, 9, 15, "twice");
	lives_fork(l, 12, 13, 16);
	lives_exec(l, 7, 20, "a");
	lives_exec(l, 12, 20, "java");
	lives_exec(l, 15, 20, "x");
	lives_rename(l, 12, "java");
	lives_rename(l, 12, "C2 Compiler");
	lives_exec(l, 7, 30, "b");
	lives_fork(l, 12, 14, 35);
	lives_exec(l, 13, 40, "java");
	lives_exec(l, 14, 40, "x");
	lives_exec(l, 9, 50, "twice");
}

START_TEST(lives)
{
	uint64_t times[LIVES_MOST];
	struct lives l = { };

	if (lived[_i].blind)
		lives_lost(&l, lived[_i].blind);
	live(&l);
	lives_sort(&l);
	ck_assert_uint_eq(lives_times(&l, lived[_i].pid, lived[_i].comm, times), lived[_i].n);
	ck_assert_mem_eq(times, lived[_i].times, lived[_i].n * sizeof(*times));
	lives_free(&l);
}
END_TEST

/* However many processes there are, of so many a name is kept, and an end makes room. */
START_TEST(names_have_a_bound)
{
	struct called c = { };

	for (uint32_t pid = 1; pid <= CALLED_MOST + 10; pid++)
		called_all(&c, pid, "x");
	ck_assert_uint_eq(c.processes.index.n, CALLED_MOST);
	ck_assert_str_eq(called_name(&c, CALLED_MOST), "x");
	ck_assert_str_eq(called_name(&c, CALLED_MOST + 1), "");
	called_all(&c, 7, "");
	called_all(&c, CALLED_MOST + 1, "y");
	ck_assert_str_eq(called_name(&c, CALLED_MOST + 1), "y");
	called_one(&c, CALLED_MOST + 1, "z");
	ck_assert_uint_eq(c.processes.index.n, CALLED_MOST - 1);
	called_free(&c);
}
END_TEST

/* Of the interval before, only names are known, and none of what has ended. */
START_TEST(next_interval)
{
	uint64_t times[LIVES_MOST];
	struct lives l = { };

	lives_lost(&l, 2);
	live(&l);
	lives_forget(&l, 30);
	lives_end(&l, 7, 60);
	lives_sort(&l);
	ck_assert_uint_eq(l.blind, 0);
	ck_assert_uint_eq(lives_times(&l, 7, "a", times), 1);
	ck_assert_uint_eq(times[0], 29);
	ck_assert_uint_eq(lives_times(&l, 13, "sh", times), 1);
	ck_assert_uint_eq(times[0], 39);
	lives_forget(&l, UINT64_MAX);
	ck_assert_uint_eq(l.n, 0);
	ck_assert_str_eq(called_name(&l.called, 7), "");
	ck_assert_str_eq(called_name(&l.called, 13), "java");
	ck_assert_uint_eq(lives_times(&l, 7, "a", times), 1);
	ck_assert_uint_eq(times[0], NOW);
	lives_free(&l);
}
END_TEST

/* More programs than are told apart, and more processes than are kept. */
START_TEST(many_lives)
{
	uint64_t times[LIVES_MOST];
	struct lives l = { };

	for (unsigned int i = 0; i < 1500000; i++)
		lives_exec(&l, i < 40 ? 7 : 8, i + 1, "same");
	ck_assert_uint_eq(l.blind, 500000);
	lives_sort(&l);
	ck_assert_uint_eq(lives_times(&l, 8, "same", times), 0);
	ck_assert_uint_eq(lives_times(&l, 7, "same", times), 2);
	ck_assert_uint_eq(times[0], NOW);
	ck_assert_uint_eq(times[1], 500000);
	lives_free(&l);
}
END_TEST

Suite *suite_stack_output(void)
{
	Suite *s = suite_create("stack_output");

	add_tests(s, "printed", printed, sizeof(rows) / sizeof(rows[0]));
	add_tests(s, "lives", lives, sizeof(lived) / sizeof(lived[0]));
	add_tests(s, "next interval", next_interval, 1);
	add_tests(s, "bound of names", names_have_a_bound, 1);
	add_tests(s, "many lives", many_lives, 1);
	return s;
}
