// SPDX-License-Identifier: GPL-2.0
/* Programs that walk frames by themselves: which kernels take them, and where they are offered. */
#include <string.h>

#include "compat/kernel/kernel_internal.h"
#include "compat/resolve/identity.h"
#include "insns/hist.h"
#include "insns/verifier/check.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

Suite *suite_walk(void);

struct walk_key {
	uint32_t epoch;
	int32_t kernel_stack, user_stack;
	/* as much as a frame with stacks may have */
	uint8_t rest[STACK_FRAME_MOST - 12];
};

struct frame {
	struct walk_key key;
};

static const struct insn on_hit[] = {
	STACK(R6, "kernel_stack"),
	STACK(R7, "user_stack?"),
	ZERO(key),
	SET(key.kernel_stack, R6),
	SET(key.user_stack, R7),
	LOOKUP_OR("counts", key, "out"),
	BPF_MOV64_IMM(R1, 1),
	BPF_STX_XADD(BPF_DW, R0, R1, 0),
LABEL("out"),
	EXIT,
};

static const struct program program = PROGRAM("hit", on_hit);
static const struct map maps[] = {
	{ "stacks", MAP_WALKED, ROLE_TABLE, 4, sizeof(struct walked_stack), 16384 },
	{ "counts", MAP_HASH, ROLE_TABLE, sizeof(struct walk_key), 8, 64 },
	{ MAP_STATE, MAP_ARRAY, ROLE_TABLE, 4, 8, STATE_SLOTS },
};

static const struct {
	const char *machine;
	enum event_kind kind;
	bool user;
} rows[] = {
	{ "x86_64", EVENT_KPROBE }, { "x86_64", EVENT_KRETPROBE }, { "x86_64", EVENT_UPROBE, true },
	{ "aarch64", EVENT_KPROBE }, { "aarch64", EVENT_UPROBE, true },
	{ "i686", EVENT_KPROBE }, { "i686", EVENT_URETPROBE, true },
};

static void known(struct kernel *k, enum feature f, enum answer answer)
{
	k->verdicts[f] = (struct verdict){ .known = true, .answer = answer, .root = f };
}

/* Both stacks in one program fit, and each generation of the verifier takes it. */
START_TEST(taken)
{
	struct kernel *k = trial_kernel("6.1");
	struct layout *layout = layout_new();
	const struct filter filter = { };
	const struct lowering l = {
		.target = TARGET_BPF, .kernel = k, .kind = rows[_i].kind, .layout = layout,
		.filter = &filter, .maps = maps, .n_maps = 3,
	};
	struct check c = { .type = TYPE_KPROBE, .maps = maps, .n_maps = 3 };
	struct lowered code;
	struct error err;

	k->identity.arch = arch_by_name(rows[_i].machine);
	known(k, FEATURE_BPF_STACK, NO);
	known(k, FEATURE_BPF_READ_SPLIT, NO);
	identity_add(layout, identity_row(IDENTITY_KERNEL_STACK));
	if (rows[_i].user)
		identity_add(layout, identity_row(IDENTITY_USER_STACK));
	ck_assert_msg(!lower(&program, &l, &code, &err), "%s", err.text);
	for (const struct generation *g = generations; g->name; g++) {
		c.generation = g;
		ck_assert_msg(!check(code.insns, code.n, &c, &err), "%s", err.text);
	}
	lowered_free(&code);
	layout_free(layout);
	kernel_free(k);
}
END_TEST

static const struct {
	const char *machine;
	enum event_kind kind;
	enum identity_id stack;
	enum answer frames;
	const char *why;		/* NULL: it is offered */
} offers[] = {
	{ "x86_64", EVENT_KPROBE, IDENTITY_KERNEL_STACK, YES, NULL },
	{ "x86_64", EVENT_KPROBE, IDENTITY_KERNEL_STACK, NO, "not known to keep frame pointers" },
	{ "x86_64", EVENT_KPROBE, IDENTITY_USER_STACK, YES, "the registers of user space" },
	{ "x86_64", EVENT_UPROBE, IDENTITY_USER_STACK, NO, NULL },
	/* There is none: the number says so. */
	{ "x86_64", EVENT_URETPROBE, IDENTITY_KERNEL_STACK, NO, NULL },
	{ "x86_64", EVENT_TRACEPOINT, IDENTITY_KERNEL_STACK, YES, "no BPF maps of stacks" },
	{ "x86_64", EVENT_SAMPLE, IDENTITY_USER_STACK, YES, "no BPF maps of stacks" },
	{ "x86_64", EVENT_KMULTI, IDENTITY_KERNEL_STACK, YES, "no BPF maps of stacks" },
	{ "riscv64", EVENT_KPROBE, IDENTITY_KERNEL_STACK, YES, "no BPF maps of stacks" },
};

START_TEST(offered)
{
	struct kernel *k = trial_kernel("6.1");
	const char *why;

	k->identity.arch = arch_by_name(offers[_i].machine);
	known(k, FEATURE_BPF_STACK, NO);
	known(k, FEATURE_FRAME_POINTERS, offers[_i].frames);
	why = identity_missing(identity_row(offers[_i].stack), k, TARGET_BPF, offers[_i].kind);
	ck_assert_int_eq(!why, !offers[_i].why);
	ck_assert_msg(!why || strstr(why, offers[_i].why), "%s", why);
	kernel_free(k);
}
END_TEST

/* What walks a stack may wait, where it can't: riscv64's kernels that do not count preemption. */
static const struct {
	const char *machine, *version;
	enum event_kind kind;
	bool walked;
} walks[] = {
	{ "x86_64", "#1 SMP", EVENT_TRACEPOINT, true },
	{ "riscv64", "#1 SMP Debian 6.12.107-1 (2026-08-29)", EVENT_TRACEPOINT, false },
	{ "riscv64", "#1 SMP Debian 6.12.107-1 (2026-08-29)", EVENT_UPROBE, false },
	{ "riscv64", "#1 SMP Debian 6.12.107-1 (2026-08-29)", EVENT_SAMPLE, true },
	{ "riscv64", "#1 SMP PREEMPT_DYNAMIC Debian 6.12.107-1", EVENT_TRACEPOINT, true },
	{ "riscv64", "#1 SMP PREEMPT Debian 6.12.107-1", EVENT_UPROBE, true },
};

START_TEST(user_walk)
{
	static const enum target targets[] = { TARGET_BPF, TARGET_RING };
	struct kernel *k = trial_kernel("4.4");	/* its configuration does not count */

	known(k, FEATURE_BPF_STACK, YES);
	k->identity.arch = arch_by_name(walks[_i].machine);
	snprintf(k->identity.version, sizeof(k->identity.version), "%s", walks[_i].version);
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		const char *why = identity_missing(identity_row(IDENTITY_USER_STACK), k,
						   targets[i], walks[_i].kind);

		ck_assert_int_eq(!why, walks[_i].walked);
		ck_assert(!why || strstr(why, "may hang"));
		ck_assert(!identity_missing(identity_row(IDENTITY_KERNEL_STACK), k, targets[i],
					    walks[_i].kind));
	}
	kernel_free(k);
}
END_TEST

/* Kernels of Debian have tables instead (ORC); of arm64 all have frame pointers. */
START_TEST(frame_pointers)
{
	struct kernel *k = trial_kernel("6.1");

	ck_assert(!kernel_has(k, FEATURE_FRAME_POINTERS));
	kernel_free(k);
	k = trial_kernel("4.4");
	ck_assert(!kernel_has(k, FEATURE_FRAME_POINTERS));
	k->verdicts[FEATURE_FRAME_POINTERS].known = false;
	k->identity.arch = arch_by_name("aarch64");
	ck_assert(kernel_has(k, FEATURE_FRAME_POINTERS));
	kernel_free(k);
}
END_TEST

Suite *suite_walk(void)
{
	Suite *s = suite_create("walk");

	add_tests(s, "taken by kernels", taken, sizeof(rows) / sizeof(rows[0]));
	add_tests(s, "offered", offered, sizeof(offers) / sizeof(offers[0]));
	add_tests(s, "user walk", user_walk, sizeof(walks) / sizeof(walks[0]));
	add_tests(s, "frame pointers", frame_pointers, 1);
	return s;
}
