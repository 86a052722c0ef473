// SPDX-License-Identifier: GPL-2.0
/* Which event of ftrace's ring a record of a stack belongs to. */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/ftrace/ftrace_hold.h"
#include "insns/stack_mark.h"
#include "tests/unit/unit.h"

Suite *suite_ftrace_hold(void);

#define KERNEL_ID 4
#define USER_ID 13

static const struct ftrace_stacks wide = {
	.wanted = true,
	.formats = { { KERNEL_ID, 16, 8, 8 }, { USER_ID, 16, 8, 0 } },
};
static const struct ftrace_stacks narrow = {
	.wanted = true,
	.formats = { { KERNEL_ID, 12, 4, 8 }, { USER_ID, 12, 4, 0 } },
};
static const struct ftrace_stacks kernel_only = {
	.wanted = true,
	.formats = { { KERNEL_ID, 16, 8, 8 } },
};
/* As at the tracepoint of a system call, below which the kernel has no functions. */
static const struct ftrace_stacks none_come = {
	.wanted = true,
};

/*
 * Records, in the order of a ring: ePID.CONTEXT is an event, whose time is its place in the row;
 * k and u are stacks. g: a loss.
 */
static const struct {
	const struct ftrace_stacks *stacks;
	const char *records, *done;
} rows[] = {
	{ &wide, "e7.0 k7.0:a,b u7.0:1", "1:7.0 k a b u 1\n" },
	{ &narrow, "e7.0 k7.0:a,b u7.0:1", "1:7.0 k a b u 1\n" },
	{ &kernel_only, "e7.0 k7.0:a,b e7.0 k7.0:c", "1:7.0 k a b\n3:7.0 k c\n" },
	{ &none_come, "e7.0 e8.0", "1:7.0 k\n2:8.0 k\n" },
	/* What else is in the ring is no stack. */
	{ &kernel_only, "e7.0 k7.0:a u7.0:1", "1:7.0 k a\n" },
	/* An interrupt's event between an event of the same task and its stacks. */
	{ &wide, "e7.0 e7.9 k7.9:c,a u7.9:1 k7.0:a,b u7.0:1",
	  "2:7.9 k c a u 1\n1:7.0 k a b u 1\n" },
	{ &wide, "e7.0 k7.0:a e7.9 k7.9:c u7.9:1 u7.0:2", "3:7.9 k c u 1\n1:7.0 k a u 2\n" },
	/* A task that was preempted in between. */
	{ &wide, "e7.0 e8.0 k8.0:c u8.0:3 k7.0:a u7.0:1", "2:8.0 k c u 3\n1:7.0 k a u 1\n" },
	/* No stack of user space came: the next event of the same context tells. */
	{ &wide, "e7.0 k7.0:a e7.0 k7.0:b u7.0:1",
	  "1:7.0 k a u [lost: not recorded]\n3:7.0 k b u 1\n" },
	/* A loss: what is behind it belongs to another event. */
	{ &wide, "e7.0 g k7.0:a u7.0:1",
	  "1:7.0 k [lost: not recorded] u [lost: not recorded]\n" },
	/* A stack without its event, and one that came already. */
	{ &wide, "k7.0:a e7.0 k7.0:b k7.0:c u7.0:1", "2:7.0 k b u 1\n" },
	/* More events than can be nested: the oldest goes. */
	{ &kernel_only, "e1.0 e2.0 e3.0 e4.0 e5.0 e6.0 e7.0 e8.0 e9.0 ea.0 eb.0 ec.0 ed.0 ee.0 "
	  "ef.0 e10.0 e11.0 k11.0:a", "1:1.0 k [lost: not recorded]\n17:11.0 k a\n" },
	/* Of threads of the kernel: no stack in user space. */
	{ &wide, "e7.0 k7.0:a u7.0:0,0,0,0,0,0,0,0", "1:7.0 k a u\n" },
	/* The record of a user stack has eight places. */
	{ &wide, "e7.0 k7.0:a u7.0:1,2,3,4,5,6,7,8", "1:7.0 k a u 1 2 3 4 5 6 7 8 [cut at 8]\n" },
	{ &wide, "e7.0 k7.0:a u7.0:1,2,3,4,5,6,7,0", "1:7.0 k a u 1 2 3 4 5 6 7\n" },
	{ &kernel_only, "e7.0 k7.0:1,2,3,4,5,6,7,8", "1:7.0 k 1 2 3 4 5 6 7 8\n" },
	/* Old kernels end a stack, unless it was cut. */
	{ &kernel_only, "e7.0 k7.0:a,-1 e7.0 k7.0:1,2,3,4,5,6,7,8 e7.0 k7.0:1,2,3,4,5,6,7,8,-1",
	  "1:7.0 k a\n3:7.0 k 1 2 3 4 5 6 7 8 [cut at 8]\n5:7.0 k 1 2 3 4 5 6 7 8\n" },
	/* No address is the end of this one alone. */
	{ &kernel_only, "e7.0 k7.0:a,0 e7.0 k7.0:1,2,3,4,5,6,7,8",
	  "1:7.0 k a\n3:7.0 k 1 2 3 4 5 6 7 8\n" },
	{ &narrow, "e7.0 k7.0:a,-1 u7.0:1", "1:7.0 k a u 1\n" },
};

struct trial_of_hold {
	const struct ftrace_stacks *stacks;
	char text[4096];
};

static void say(char *text, size_t size, const char *what)
{
	size_t at = strlen(text);

	snprintf(text + at, size - at, "%s", what);
}

/* What the stream would get: u64 n, addresses, u32 size, record. */
static void done(void *arg, struct ftrace_held *held)
{
	struct trial_of_hold *t = arg;
	uint8_t *bytes = malloc(FTRACE_STACKED_MOST + held->size);
	uint32_t size = ftrace_held_put(held, true, bytes), length;
	uint64_t n, address;
	char word[64];

	memcpy(&n, bytes, sizeof(n));
	ck_assert_uint_eq(size, 8 + 8 * n + 4 + held->size);
	memcpy(&length, bytes + 8 + 8 * n, sizeof(length));
	ck_assert_uint_eq(length, held->size);
	ck_assert(!memcmp(bytes + 8 + 8 * n + 4, held->record, length));
	snprintf(word, sizeof(word), "%u:%x.%x", (unsigned int)held->time, held->pid,
		 held->context);
	say(t->text, sizeof(t->text), word);
	for (uint64_t i = 0; i < n; i++) {
		memcpy(&address, bytes + 8 + 8 * i, sizeof(address));
		if (address == (uint64_t)PERF_CONTEXT_KERNEL)
			snprintf(word, sizeof(word), " k");
		else if (address == (uint64_t)PERF_CONTEXT_USER)
			snprintf(word, sizeof(word), t->stacks->formats[1].id ? " u" : "");
		else if (stack_mark_text(address))
			snprintf(word, sizeof(word), " %s", stack_mark_text(address));
		else
			snprintf(word, sizeof(word), " %llx", (unsigned long long)address);
		say(t->text, sizeof(t->text), word);
	}
	say(t->text, sizeof(t->text), "\n");
	free(bytes);
}

/* A record of exactly its bytes, so that reading behind it shows; the caller frees. */
static uint8_t *make_record(const struct ftrace_stacks *s, const char **at, uint32_t *size)
{
	const unsigned int kind = **at == 'u';
	const struct ftrace_stack_format *f = &s->formats[kind];
	uint16_t type = **at == 'e' ? 300 : kind ? USER_ID : KERNEL_ID, context;
	uint8_t bytes[512] = { 0 }, *record;
	uint32_t n = 0, pid;
	char *end;

	pid = (uint32_t)strtoul(*at + 1, &end, 16);
	context = (uint16_t)strtoul(end + 1, &end, 16);
	memcpy(bytes, &type, sizeof(type));
	memcpy(bytes + 2, &context, sizeof(context));
	memcpy(bytes + 4, &pid, sizeof(pid));
	*size = 12;
	if (type != 300 && f->id) {
		*size = f->addresses;
		while (*end == ':' || *end == ',') {
			uint64_t address = (uint64_t)strtoll(end + 1, &end, 16);

			memcpy(bytes + *size, &address, f->word);
			*size += f->word;
			n++;
		}
		if (kind)	/* always as long as it can be */
			*size = f->addresses + 8 * f->word;
		if (f->size)
			memcpy(bytes + f->size, &n, sizeof(n));
	}
	*at = end + strcspn(end, " ");
	record = malloc(*size);
	memcpy(record, bytes, *size);
	return record;
}

START_TEST(held)
{
	struct trial_of_hold t = { .stacks = rows[_i].stacks };
	struct ftrace_stacks s = *rows[_i].stacks;
	struct ftrace_hold hold = { 0 };
	const char *at = rows[_i].records;

	for (unsigned int time = 1; *at; time++) {
		uint32_t size;
		uint8_t *record;

		at += strspn(at, " ");
		if (*at == 'g') {
			ftrace_hold_give_up(&hold, UINT64_MAX, done, &t);
			at++;
			continue;
		}
		record = make_record(&s, &at, &size);
		if (!ftrace_hold_stack(&hold, &s, record, size, done, &t))
			ck_assert(!ftrace_hold_event(&hold, &s, time, record, size, done, &t));
		free(record);
	}
	/* `u` where none are wanted is an event like any other. */
	if (rows[_i].stacks != &kernel_only)
		ck_assert_uint_eq(hold.n, 0);
	ck_assert_str_eq(t.text, rows[_i].done);
	ftrace_hold_free(&hold);
}
END_TEST

/* Whatever a record of a stack says, no more is read than it has. */
START_TEST(cut_anywhere)
{
	uint8_t bytes[16 + 64] = { KERNEL_ID, 0, 0, 0, 7 };
	const uint8_t event[] = { 44, 1, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0 };
	struct trial_of_hold t = { .stacks = &kernel_only };
	struct ftrace_stacks s = kernel_only;
	struct ftrace_hold hold = { 0 };

	memset(bytes + 8, 0x7f, sizeof(bytes) - 8);
	for (uint32_t size = 0; size <= sizeof(bytes); size++) {
		uint8_t *record = malloc(size + !size);

		memcpy(record, bytes, size);
		t.text[0] = 0;
		ck_assert(!ftrace_hold_event(&hold, &s, 1, event, sizeof(event), done, &t));
		ftrace_hold_stack(&hold, &s, record, size, done, &t);
		free(record);
	}
	ck_assert_uint_eq(ftrace_hold_oldest(&hold), UINT64_MAX);
	ck_assert(!ftrace_hold_event(&hold, &s, 5, event, sizeof(event), done, &t));
	ck_assert_uint_eq(ftrace_hold_oldest(&hold), 5);
	ftrace_hold_free(&hold);
}
END_TEST

#define FORMAT(NAME, FIELDS) \
	"name: " NAME "\nID: 4\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" FIELDS "\nprint fmt: \"\"\n"
#define SIZE "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
#define TGID "\tfield:unsigned int tgid;\toffset:8;\tsize:4;\tsigned:0;\n"
#define CALLER(NAME, OFFSET, SIZE) \
	"\tfield:unsigned long " NAME ";\toffset:" OFFSET ";\tsize:" SIZE ";\tsigned:0;\n"

/* The kernels' formats; `wanted.id` 0: refused. */
static const struct {
	unsigned int word;
	const char *format;
	struct ftrace_stack_format wanted;
} formats[] = {
	/* 3.10 to 4.19 say no size, some of them no array either. */
	{ 8, FORMAT("kernel_stack", SIZE CALLER("caller", "16", "0")), { 4, 16, 8, 8 } },
	{ 8, FORMAT("kernel_stack", SIZE CALLER("caller[]", "16", "0")), { 4, 16, 8, 8 } },
	{ 4, FORMAT("kernel_stack", SIZE CALLER("caller", "12", "0")), { 4, 12, 4, 8 } },
	{ 8, FORMAT("kernel_stack", SIZE CALLER("caller[8]", "16", "64")), { 4, 16, 8, 8 } },
	{ 4, FORMAT("kernel_stack", SIZE CALLER("caller[8]", "12", "32")), { 4, 12, 4, 8 } },
	{ 8, FORMAT("user_stack", TGID CALLER("caller[8]", "16", "64")), { 4, 16, 8, 0 } },
	/* Without a size and without a number there is no telling how many. */
	{ 8, FORMAT("user_stack", TGID CALLER("caller", "16", "0")), { 0 } },
	{ 8, FORMAT("kernel_stack", SIZE CALLER("caller[8]", "16", "20")), { 0 } },
	{ 8, FORMAT("kernel_stack", SIZE), { 0 } },
};

START_TEST(formats_of_kernels)
{
	const struct ftrace_stack_format *wanted = &formats[_i].wanted;
	struct format *format = format_parse("ftrace", formats[_i].format,
					     strlen(formats[_i].format));
	struct ftrace_stack_format f = { };

	ck_assert_ptr_nonnull(format);
	ck_assert_int_eq(ftrace_stack_format_read(&f, format, formats[_i].word),
			 wanted->id ? 0 : -1);
	ck_assert_int_eq(f.id, wanted->id);
	ck_assert_uint_eq(f.addresses, wanted->addresses);
	ck_assert_uint_eq(f.word, wanted->word);
	ck_assert_uint_eq(f.size, wanted->size);
	format_free(format);
}
END_TEST

/* A reader that was never told of stacks, as that of the task table, takes no record for one. */
START_TEST(none_unless_wanted)
{
	const uint8_t record[16] = { 0 };
	struct ftrace_stacks s = { };
	struct ftrace_hold hold = { 0 };
	struct trial_of_hold t = { .stacks = &s };

	ck_assert(!ftrace_hold_event(&hold, &s, 1, record, sizeof(record), done, &t));
	ck_assert(!ftrace_hold_stack(&hold, &s, record, sizeof(record), done, &t));
	ftrace_hold_free(&hold);
}
END_TEST

Suite *suite_ftrace_hold(void)
{
	Suite *s = suite_create("ftrace_hold");

	add_tests(s, "held", held, sizeof(rows) / sizeof(rows[0]));
	add_tests(s, "cut anywhere", cut_anywhere, 1);
	add_tests(s, "formats", formats_of_kernels, sizeof(formats) / sizeof(formats[0]));
	add_tests(s, "none unless wanted", none_unless_wanted, 1);
	return s;
}
