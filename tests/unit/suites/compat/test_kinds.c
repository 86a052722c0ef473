// SPDX-License-Identifier: GPL-2.0
/* Kinds of probes: each has all that the others ask of it. */
#include <string.h>

#include "backends/kinds/kinds.h"
#include "compat/binaries/binaries.h"
#include "compat/binaries/narrow_stacks.h"
#include "compat/kinds/find.h"
#include "compat/kinds/many.h"
#include "compat/kinds/numbered.h"
#include "src/language/calls/calls.h"
#include "tests/unit/unit.h"

Suite *suite_kinds(void);

static const struct binary bash = { .path = "/bin/bash", .file = "/proc/1/root/bin/bash" };

static const char *const two_names[] = { "vfs_read", "vfs_write" };
static const struct many two = { .n = 2, .names = two_names };

static const struct {
	struct event event;
	const char *kind, *title;
	bool defined;			/* it is made in tracefs */
	char letter;
	const char *place;
} kinds[] = {
	{ { .kind = EVENT_TRACEPOINT, .system = "sched", .name = "sched_switch" },
	  "tracepoint", "sched:sched_switch", false, 0, NULL },
	{ { .kind = EVENT_RAW, .system = "irq", .name = "softirq_exit" },
	  "raw tracepoint", "raw tracepoint irq:softirq_exit", false, 0, NULL },
	{ { .kind = EVENT_TYPED, .system = "sched", .name = "sched_switch", .prototype = 7 },
	  "typed tracepoint", "typed tracepoint sched:sched_switch", false, 0, NULL },
	{ { .kind = EVENT_KPROBE, .name = "vfs_read" },
	  "kprobe", "kprobe of vfs_read", true, 'p', "" },
	{ { .kind = EVENT_KPROBE, .name = "vfs_read", .address = 0x1c },
	  "kprobe", "kprobe at vfs_read+0x1c", true, 'p', "+28" },
	{ { .kind = EVENT_KRETPROBE, .name = "vfs_read" },
	  "kretprobe", "kretprobe of vfs_read", true, 'r', "" },
	{ { .kind = EVENT_FENTRY, .name = "vfs_read", .prototype = 7 },
	  "fentry", "fentry of vfs_read", false, 0, NULL },
	{ { .kind = EVENT_FEXIT, .name = "vfs_read", .prototype = 7 },
	  "fexit", "fexit of vfs_read", false, 0, NULL },
	{ { .kind = EVENT_ITER, .name = "bpf_iter_task", .prototype = 7 },
	  "iterator", "iterator task", false, 0, NULL },
	{ { .kind = EVENT_UPROBE, .name = "readline", .binary = &bash, .address = 0xb0 },
	  "uprobe", "uprobe of readline in /bin/bash", true, 'p', ":0xb0" },
	{ { .kind = EVENT_URETPROBE, .name = "readline", .binary = &bash, .address = 0xb0 },
	  "uretprobe", "uretprobe of readline in /bin/bash", true, 'r', ":0xb0" },
	{ { .kind = EVENT_USDT, .name = "begin", .binary = &bash, .address = 0xb0 },
	  "usdt", "usdt begin in /bin/bash", true, 'p', ":0xb0" },
	{ { .kind = EVENT_USDT, .name = "begin", .binary = &bash, .address = 0xb0,
	    .semaphore = 0x1f002, .kernel_counts = true },
	  "usdt", "usdt begin in /bin/bash", true, 'p', ":0xb0(0x1f002)" },
	{ { .kind = EVENT_USDT, .name = "begin", .binary = &bash, .address = 0xb0,
	    .semaphore = 0x1f002 },
	  "usdt", "usdt begin in /bin/bash", true, 'p', ":0xb0" },
	{ { .kind = EVENT_SAMPLE, .name = "frequency", .frequency = 99 },
	  "sample", "samples of each CPU, 99 a second", false, 0, NULL },
	{ { .kind = EVENT_SAMPLE, .name = "frequency", .frequency = 99, .by = BY_CYCLES },
	  "sample", "samples of each CPU, 99 a second, by its cycles", false, 0, NULL },
	{ { .kind = EVENT_SAMPLE, .name = "cache-misses", .frequency = 1000, .period = 1000,
	    .by = BY_CACHE_MISSES },
	  "sample", "samples of each CPU, one in 1000 cache-misses", false, 0, NULL },
	{ { .kind = EVENT_KMULTI, .name = "vfs_read", .many = &two },
	  "kprobe.multi", "kprobe.multi of 2 functions", false, 0, NULL },
	{ { .kind = EVENT_KRETMULTI, .name = "vfs_read", .many = &two },
	  "kretprobe.multi", "kretprobe.multi of 2 functions", false, 0, NULL },
	{ { .kind = EVENT_TRACED, .name = "vfs_read", .many = &two },
	  "function tracer", "function tracer on 2 functions", false, 0, NULL },
	{ { .kind = EVENT_GRAPH, .name = "funcgraph_entry", .many = &two },
	  "function graph", "function graph tracer on 2 functions (funcgraph_entry)", false, 0,
	  NULL },
	{ { .kind = EVENT_UMULTI, .name = "readline", .binary = &bash, .many = &two },
	  "uprobe.multi", "uprobe.multi of 2 functions in /bin/bash", false, 0, NULL },
	{ { .kind = EVENT_URETMULTI, .name = "readline", .binary = &bash, .many = &two },
	  "uretprobe.multi", "uretprobe.multi of 2 functions in /bin/bash", false, 0, NULL },
};

START_TEST(names)
{
	const struct event *e = &kinds[_i].event;
	const struct event_ops *ops = event_ops(e);
	char text[192];

	ck_assert_str_eq(event_traits(e->kind)->title, kinds[_i].kind);
	ops->title(e, text, sizeof(text));
	ck_assert_str_eq(text, kinds[_i].title);
	ck_assert_int_eq(ops->definition != NULL, kinds[_i].defined);
	if (!ops->definition)
		return;
	ck_assert_int_eq(ops->definition->letter, kinds[_i].letter);
	ops->definition->place(e, text, sizeof(text));
	ck_assert_str_eq(text, kinds[_i].place);
}
END_TEST

/* Each kind has both halves, and each of what hooks may name leads to one. */
START_TEST(halves)
{
	unsigned int named = 0;

	for (int kind = 0; kind < N_EVENT_KINDS; kind++) {
		const struct event e = { .kind = (enum event_kind)kind };
		const struct event_ops *ops = event_ops(&e);

		ck_assert_ptr_nonnull(event_traits(e.kind)->title);
		ck_assert_ptr_nonnull(ops->title);
		ck_assert_int_eq(ops->link != NULL, ops->way == BPF_WAY_LINK);
		ck_assert_int_eq(ops->definition != NULL, ops->way == BPF_WAY_PROBE);
		/* Where there is no PMU it is made in tracefs. */
		ck_assert_int_eq(ops->pmu != NULL, ops->definition != NULL);
	}
	for (uint8_t kind = PROBE_NONE + 1; kind < N_PROBE_KINDS; kind++) {
		const struct probe p = { .kind = kind };

		ck_assert_ptr_nonnull(probe_finder(&p)->find);
		named |= 1U << probe_finder(&p)->event;
	}
	ck_assert_uint_eq(named, (1U << N_EVENT_KINDS) - 1);
}
END_TEST

/* Instructions of 32-bit x86 as objdump shows them. */
static const struct {
	unsigned char code[6];
	size_t n;
	enum pushes pushes;
} instructions[] = {
	{ { 0x55 }, 1, PUSHES_VALUE },				/* push %ebp */
	{ { 0x57, 0x90 }, 2, PUSHES_VALUE },			/* push %edi */
	{ { 0x66, 0x55 }, 2, PUSHES_NOTHING },			/* push %bp: not done for it */
	{ { 0x6a, 0x01 }, 2, PUSHES_NOTHING },			/* push $1: nor this */
	{ { 0x5d }, 1, PUSHES_NOTHING },			/* pop %ebp */
	{ { 0xe8, 0, 0, 0, 0 }, 5, PUSHES_CALL },
	{ { 0x2e, 0xe8, 0, 0, 0, 0 }, 6, PUSHES_CALL },
	{ { 0xff, 0xd0 }, 2, PUSHES_CALL },			/* call *%eax */
	{ { 0xff, 0x58, 0x04 }, 3, PUSHES_CALL },		/* lcall *4(%eax) */
	{ { 0xff, 0xe0 }, 2, PUSHES_NOTHING },			/* jmp *%eax */
	{ { 0x89, 0xe5 }, 2, PUSHES_NOTHING },			/* mov %esp,%ebp */
	{ { 0x90 }, 1, PUSHES_NOTHING },			/* USDT */
	{ { 0xff }, 1, PUSHES_NOTHING },			/* the file's end */
	{ { 0 }, 0, PUSHES_NOTHING },
};

/* The few numbers that events are found by are those of the table of all calls. */
START_TEST(numbers)
{
	static const char *const calls[] = {
		"kill", "tkill", "tgkill", "sync", "syncfs", "fsync", "fdatasync", "msync"
	};
	const struct arch *arch = arches[_i];

	ck_assert_int_eq(numbered_call(arch, "getpid"), -1);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		const int number = numbered_call(arch, calls[i]);

		ck_assert_msg(number > 0, "%s: no %s", arch->name, calls[i]);
		ck_assert_str_eq(call_name(arch, (uint32_t)number), calls[i]);
	}
}
END_TEST

START_TEST(what_instructions_push)
{
	ck_assert_int_eq(code_pushes(instructions[_i].code, instructions[_i].n),
			 instructions[_i].pushes);
}
END_TEST

Suite *suite_kinds(void)
{
	Suite *s = suite_create("kinds");
	TCase *c = tcase_create("kinds");
	int n = 0;

	while (arches[n])
		n++;
	tcase_add_loop_test(c, names, 0, sizeof(kinds) / sizeof(kinds[0]));
	tcase_add_test(c, halves);
	tcase_add_loop_test(c, numbers, 0, n);
	tcase_add_loop_test(c, what_instructions_push, 0,
			    sizeof(instructions) / sizeof(instructions[0]));
	suite_add_tcase(s, c);
	return s;
}
