// SPDX-License-Identifier: GPL-2.0
/* Raw tracepoints: arguments as type information has them, and rows that do not agree with it. */
#include "compat/types/raw.h"

#include <string.h>

#include "compat/hooks/hooks_rows.h"
#include "compat/resolve/resolve.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

Suite *suite_raw(void);

/* What the snapshot of 6.1 says of them. */
static const struct {
	const char *name;
	int n;
	struct prototype_argument arguments[PROTOTYPE_ARGUMENTS];
} prototypes[] = {
	{ "sched_switch", 4, { { .size = 1 }, { .pointer = true, .type = "task_struct" },
			       { .pointer = true, .type = "task_struct" }, { .size = 4 } } },
	{ "sched_wakeup", 1, { { .pointer = true, .type = "task_struct" } } },
	{ "task_rename", 2, { { .pointer = true, .type = "task_struct" }, { .pointer = true } } },
	{ "sys_exit", 2, { { .pointer = true, .type = "pt_regs" }, { .size = 8 } } },
	{ "sched", -1, { } },
	{ "no_such", -1, { } },
};

START_TEST(prototype)
{
	struct prototype got;
	struct kernel *k = trial_kernel("6.1");
	struct error err = { };
	int result = kernel_raw_prototype(k, prototypes[_i].name, &got, &err);

	ck_assert_int_eq(result ? -1 : (int)got.n, prototypes[_i].n);
	for (unsigned int i = 0; !result && i < got.n; i++) {
		const struct prototype_argument *a = &got.arguments[i];

		ck_assert_int_eq(a->pointer, prototypes[_i].arguments[i].pointer);
		ck_assert_uint_eq(a->size, prototypes[_i].arguments[i].size);
		ck_assert_str_eq(a->type, prototypes[_i].arguments[i].type);
	}
	if (result)
		ck_assert_str_eq(err.text, "the snapshot does not have its arguments");
	kernel_free(k);
}
END_TEST

/*
 * A row, what its input is called, and why the row is not used; NULL: it is, at this offset, and
 * programs load it, or not.
 */
static const struct {
	struct probe probe;
	const char *input, *why;
	uint16_t offset;
	bool typed;
	uint8_t kind;		/* enum input_kind */
} rows[] = {
	{ RAW_TP("sched:sched_switch", "pid=+{task_struct.pid}($arg2):s32"), "pid", NULL, 8 },
	{ RAW_TP("sched:sched_switch", "state=$arg4:u32"), "state", NULL, 24 },
	/* As on another kernel, with a number where the row has a task, and the other way round. */
	{ RAW_TP("sched:sched_switch", "pid=+{task_struct.pid}($arg1):s32"), "pid",
	  "has another argument than expected for pid" },
	{ RAW_TP("sched:sched_switch", "state=$arg2:u32"), "state",
	  "has another argument than expected for state" },
	{ RAW_TP("sched:sched_switch", "id=+{pt_regs.orig_ax}($arg2):s32"), "id",
	  "has another argument than expected for id" },
	/* A number of another size. */
	{ RAW_TP("sched:sched_switch", "state=$arg4:u64"), "state",
	  "has another argument than expected for state" },
	{ RAW_TP("task:task_rename", "pid=+{task_struct.pid}($arg2):s32"), "pid",
	  "has another argument than expected for pid" },
	{ RAW_TP("sched:sched_switch", "state=$arg5:u32"), "state", "has no argument for state" },
	{ RAW_TP("sched:sched_switch", "state=$retval:u32"), "state", "has no argument for state" },
	/* A pointer is to the struct that the row says. */
	{ RAW_TP("block:block_rq_issue", "request=$arg1:*request"), "request", NULL, 0 },
	{ RAW_TP("block:block_rq_issue", "request=$arg1:*request_queue"), "request",
	  "has another argument than expected for request" },
	{ RAW_TP("block:block_rq_issue", "request=$arg1:*req"), "request",
	  "has another argument than expected for request" },
	{ RAW_TP("block:block_rq_issue", "request=$arg1:u64"), "request",
	  "has another argument than expected for request" },
	{ RAW_TP("block:block_rq_complete", "request=$arg2:*request"), "request",
	  "has another argument than expected for request" },
	{ RAW_TP("sched:no_such", ""), "time", "this kernel has no tracepoint sched:no_such" },
	{ RAW_TP("sched:sched_switch", ""), "kernel_stack",
	  "stacks of the kernel are not whole at a raw tracepoint" },
	{ TYPED_TP("sched:sched_switch", "pid=+{task_struct.pid}($arg2):s32"), "pid", NULL, 8,
	  true },
	{ TYPED_TP("sched:sched_switch", "state=$arg4:u32"), "state", NULL, 24, false },
	{ TYPED_TP("sched:sched_switch", "comm=+{task_struct.comm}($arg3):c16"), "comm", NULL, 16,
	  true, INPUT_BYTES },
	{ TYPED_TP("irq:irq_handler_entry", "name=+0(+{irqaction.name}($arg2)):string"), "name",
	  NULL, 8, true, INPUT_STRING },
	/* Helpers read memory without a member's name, and memory behind two pointers. */
	{ TYPED_TP("sched:sched_switch", "word=+8($arg2):u32"), "word", NULL, 8, false },
	{ TYPED_TP("sched:sched_switch", "cpu=+8(+{task_struct.pid}($arg2)):s32"), "cpu", NULL, 8,
	  false },
	{ TYPED_TP("sched:sched_switch", "pid=+{task_struct.pid}($arg1):s32"), "pid",
	  "has another argument than expected for pid" },
	{ TYPED_TP("sched:no_such", ""), "time", "this kernel has no tracepoint sched:no_such" },
	{ TYPED_TP("sched:sched_switch", ""), "kernel_stack",
	  "stacks of the kernel are not whole at a typed tracepoint" },
	{ FENTRY("vfs_read", "flags=+{file.f_flags}($arg1):u32"), "flags", NULL, 0, true },
	{ FENTRY("vfs_read", "count=$arg3:u64"), "count", NULL, 16 },
	{ FENTRY("vfs_read", "file=$arg1:uW"), "file", NULL, 0 },
	{ FENTRY("vfs_read", "text=+0($arg2):ustring"), "text", NULL, 8, false, INPUT_STRING },
	/* What the function may have changed is read no other way: by its arguments. */
	{ FEXIT("vfs_read", "ret=$retval:s64"), "ret", NULL, 32 },
	{ FEXIT("vfs_read", "flags=+{file.f_flags}($arg1):u32"), "flags", NULL, 0, true },
	{ FENTRY("vfs_read", "ret=$retval:s64"), "ret", "has no argument for ret" },
	{ FEXIT("d_delete", "ret=$retval:s64"), "ret", "has another argument than expected" },
	/* It begins with a struct sock_common, and is that of TCP. */
	{ FENTRY("tcp_set_state", "to=+{sock_common.skc_v6_daddr}($arg1):c16"), "to", NULL, 0,
	  true, INPUT_BYTES },
	{ FENTRY("tcp_set_state", "acked=+{tcp_sock.bytes_acked}($arg1):u64"), "acked", NULL, 0,
	  false },
	{ FENTRY("tcp_set_state", "flags=+{file.f_flags}($arg1):u32"), "flags",
	  "has another argument than expected for flags" },
	/* A helper reads what is returned: it may be no address. */
	{ FEXIT("inet_csk_accept", "to=+{sock_common.skc_v6_daddr}($retval):c16"), "to", NULL, 32,
	  false, INPUT_BYTES },
	{ FEXIT("inet_csk_accept", "to=+{sock_common.skc_v6_daddr}($retval):u32"), "to",
	  NULL, 32, true },
	/* The number has more bytes than the argument, and the verifier does not let it be read. */
	{ FENTRY("tcp_set_state", "state=$arg2:u64"), "state",
	  "has another argument than expected for state" },
	{ FENTRY("vfs_read", "pos=+0($arg4):s64"), "pos",
	  "has another argument than expected for pos" },
	{ FENTRY("vfs_read", "flags=$arg5:u32"), "flags", "has no argument for flags" },
	{ FENTRY("vfs_readdir", ""), "time", "this kernel has no function vfs_readdir to probe" },
	{ FENTRY("schedule", ""), "time",
	  "the type of schedule() is unknown: the snapshot does not have its arguments" },
	{ FENTRY("tcp_v4_syn_recv_sock", ""), "time", NULL, 0 },
	{ FENTRY("vfs_read", "", .offset = 4), "time", "is at a function's beginning or end" },
	{ FENTRY("vfs_read", ""), "kernel_stack",
	  "stacks of the kernel are not whole at a fentry" },
	{ KPROBE("vfs_read", "sp=$sp:uW"), "sp", NULL, 152 },
};

START_TEST(agrees)
{
	const struct alternative alternative = { .probes = &rows[_i].probe, .n_probes = 1 };
	const struct hook hook = { "test.hook", .alternatives = &alternative, .n_alternatives = 1 };
	struct wanted_input input = {
		rows[_i].input, strcmp(rows[_i].input, "kernel_stack") ?
			(enum input_kind)rows[_i].kind : INPUT_STACK,
	};
	const struct demand demand = { .hook = &hook, .n_inputs = 1, .inputs = &input };
	struct kernel *k = trial_kernel("6.1");
	struct resolution r;
	struct error err = { };
	int result = resolve(k, TARGET_BPF, &demand, 1, &r, &err);

	ck_assert_msg(!result == !rows[_i].why, "%s", err.text);
	if (rows[_i].why) {
		ck_assert_msg(strstr(err.text, rows[_i].why) != NULL, "%s", err.text);
	} else {
		const struct input *in = event_input(r.events[0].event, rows[_i].input);

		ck_assert_uint_eq(in->offset, rows[_i].offset);
		ck_assert_uint_eq(in->register_size, in->place == PLACE_IDENTITY ? 0 : 8);
		ck_assert_int_eq(in->typed, rows[_i].typed);
	}
	resolution_free(&r);
	kernel_free(k);
}
END_TEST

Suite *suite_raw(void)
{
	Suite *s = suite_create("raw");

	add_tests(s, "prototypes", prototype, COUNT_OF(prototypes));
	add_tests(s, "rows", agrees, COUNT_OF(rows));
	return s;
}
