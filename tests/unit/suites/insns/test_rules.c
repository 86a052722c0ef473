// SPDX-License-Identifier: GPL-2.0
/*
 * Every program of every tool, with all options that change it, as each kernel would have it,
 * passes the rules of that kernel's verifier; and of sonde's machine.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/bpf/bpf_step.h"
#include "compat/kinds/kinds.h"
#include "compat/types/function.h"
#include "compat/types/raw.h"
#include "insns/verifier/check.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/rows/commands.h"
#include "tests/unit/unit.h"

Suite *suite_rules(void);

/*
 * Kernels of each generation: a snapshot of it, if there is one, and a newer one that is taken for
 * it.
 */
static const struct {
	const char *generation, *version, *without;
} generation_kernels[] = {
	{ "4.1", "4.1", NULL },
	{ "4.1", "6.1", "4.1" },
	{ "4.4", "4.4", NULL },
	{ "4.4", "6.1", "4.4" },
	{ "4.7", "4.9", "bpf-under-cgroup" },
	{ "4.7", "6.1", "4.7" },
	{ "4.9", "4.9", NULL },
	{ "4.9", "6.1", "4.9" },
	{ "4.12", "4.12", NULL },
	{ "4.12", "6.1", "4.12" },
	{ "4.14", "4.12", NULL },
	{ "4.14", "6.1", "4.14" },
	{ "4.17", "4.19", "bpf-cgroup" },
	{ "4.17", "6.1", "4.17" },
	{ "4.17", "6.1", "4.17,kprobes" },
	{ "4.17", "6.1", "4.17,kprobes,syscall-tracepoints" },
	{ "4.19", "4.19", NULL },
	{ "4.19", "6.1", "4.19" },
	{ "5.4", "5.10", "5.4" },
	{ "5.4", "6.1", "5.4" },
	{ "5.8", "5.10", NULL },
	{ "5.8", "6.1", "5.8" },
	{ "5.15", "5.10", NULL },
	{ "5.15", "6.1", "5.15" },
	{ "5.15", "6.1", "5.15,kprobes" },
	{ "6.1", "6.1", "6.1" },
	{ "6.1", "6.12", NULL },
	{ "7.2", "7.2", NULL },
	{ "7.2", "7.2", "kprobes" },
	{ "7.2", "6.1", "7.2,kprobes,syscall-tracepoints" },
	{ "7.2", "6.1", "7.2" },
	{ "ring", "3.10", NULL },
	{ "ring", "4.1", NULL },
	{ "ring", "4.19", NULL },
	{ "ring", "6.1", "3.10" },
	{ "ring", "6.1", "4.17" },
	{ "ring", "6.1", NULL },
	{ "ring", "6.1", "fetch-arg,fetch-array,fetch-ustring" },
	{ "ring", "7.2", NULL },
	{ "ring", "7.2", "kprobes" },
};

/* A bit for each argument of the event that points to a struct, and for what is returned. */
static uint32_t structs_of(struct kernel *k, const struct event *e)
{
	struct prototype p;
	struct error err = { };
	uint32_t bits = 0;

	ck_assert_msg(!(event_traits(e->kind)->typed_function ?
			kernel_function_prototype(k, e->name, NULL, &p, &err) :
			kernel_raw_prototype(k, e->name, &p, &err)), "%s", err.text);
	for (unsigned int i = 0; i < p.n; i++)
		bits |= (uint32_t)(p.arguments[i].type[0] && !p.arguments[i].opaque) << i;
	return bits | (uint32_t)(p.result.type[0] != '\0') << p.n;
}

/* Checks all programs of a plan; how many. */
static unsigned int check_plan(const struct trial *t, const struct generation *g,
			       const char *command)
{
	const struct plan *p = &t->run.plan.plan;
	unsigned int n = 0;

	for (unsigned int i = 0; i < p->n_programs; i++) {
		const struct plan_program *a = &p->programs[i];
		bool tracepoint = a->event->kind == EVENT_TRACEPOINT;
		bool typed = event_traits(a->event->kind)->typed;
		struct check c = {
			.generation = g, .type = tracepoint ? TYPE_TRACEPOINT :
				typed ? TYPE_TYPED : TYPE_KPROBE,
			.maps = p->maps, .n_maps = p->n_maps,
			.record_size = g->target != TARGET_BPF || tracepoint ? 0 :
				typed ? PROTOTYPE_ARGUMENTS * 8 : 168,
			.structs = typed ? structs_of(t->run.kernel, a->event) : 0,
		};
		struct error err;

		ck_assert_msg(!check(a->code.insns, a->code.n, &c, &err),
			      "%s, %s on %s%s of %s: %s", command,
			      a->program->hook, a->event->system, a->event->name, g->name,
			      err.text);
		n++;
	}
	return n;
}

/*
 * What may speak against a plan; all else is a program that does not fit its kernel. Of all tools
 * only the programs of --exec are where others are.
 */
static bool may_refuse(const char *why, bool family)
{
	static const char *const reasons[] = {
		"no BPF programs on tracepoints", "no BPF programs on kprobes",
		"no BPF programs on uprobes", "no BPF maps of stacks",
		"can't tell which task is current",
		"no BPF programs on syscalls:*", "has no kprobes", "carry no user ids",
		"program exec.enter comes to ", "can't hand over records",
		"no tracepoint tcp:tcp_probe",
		"no tracepoint sock:sock_send_length", "no tracepoint tcp:tcp_send_reset",
		"no tracepoint net:net_dev_start_xmit", "no tracepoint compaction:mm_compaction_",
		"does not tell netns", "has no string in workqueue",
		"offset of zone._watermark", "on raw tracepoints", "no field zone",
		"sock.sk_max_ack_backlog is not known",
		"no BPF programs on syscalls:*", "has no kprobes",
		"can't tell which calls are of 32-bit tasks", "carry no user ids",
		"program exec.enter comes to ",
		"sock.sk_max_ack_backlog is not known", "is a module, load it first",
		"offset of file.f_inode is not known", "offset of file.f_path.dentry is not known",
		"only BPF programs can follow dentry.d_parent",
		"the snapshot does not tell", "no BPF programs on samples",
		"only BPF programs can read the kernel's memory",
		"uprobes of this kernel can't read memory",
		"f2fs of this kernel has no f2fs_file_write_iter()",
		"the snapshot does not have its arguments", "tls.text: only BPF can serve it",
		"do not tell the control group", "are not told the control group",
		"module kvm is not loaded", "has no function migrate_misplaced_",
	};

	for (int i = 0; i < COUNT_OF(reasons); i++)
		if (strstr(why, reasons[i]))
			return true;
	return family && strstr(why, "take one BPF program");
}

/* As if an option had been given that no command line can have here. */
static void ask(struct filter *f, const struct filter_row *row, unsigned int n)
{
	static const uint64_t ids[] = { 5, 6 };

	f->asked[f->n++] = (struct asked_filter){
		.row = row, .ids = ids, .n = n, .value_size = 4, .entries = 16,
	};
}

static const struct filter_row *row_of(const char *option)
{
	const struct filter_option *o = filter_options;

	while (o->row.option && strcmp(o->row.option, option))
		o++;
	ck_assert_ptr_nonnull(o->row.option);
	return &o->row;
}

/* Plans what the run has, and checks it; how many programs. */
static unsigned int check_programs(struct trial *t, const struct command *c,
				   const struct generation *g)
{
	if (!trial_plan(t, g->target))
		return check_plan(t, g, c->line);
	ck_assert_msg(may_refuse(t->err.text, c->family), "%s on %s for %s: %s", c->line,
		      kernel_release(t->run.kernel), g->name, t->err.text);
	return 0;
}

static unsigned int check_command(const struct command *c, const struct generation *g,
				  struct kernel *k)
{
	struct trial t;
	unsigned int n;

	ck_assert_msg(!trial_start(&t, c->line, k), "%s: %s", c->line, t.err.text);
	if (c->dev)
		run_constant(&t.run, "dev", c->dev);
	if (c->family)
		ask(&t.run.filters.filter, row_of("exec"), 0);
	for (unsigned int i = 0; filter_options[i].row.option; i++)
		if (c->filters & 1U << i)
			ask(&t.run.filters.filter, &filter_options[i].row, c->n_ids);
	t.run.filters.filter.self = 4711;
	n = check_programs(&t, c, g);
	if (t.run.tool->last_resort) {
		plan_free(&t.run.plan);
		run_programs(&t.run, t.run.tool->last_resort->programs);
		n += check_programs(&t, c, g);
	}
	t.run.filters.filter.n = 0;	/* the ids are no files */
	t.run.kernel = NULL;	/* the caller's */
	trial_end(&t);
	return n;
}

START_TEST(passes_the_rules)
{
	const struct generation *g = generation_by_name(generation_kernels[_i].generation);
	struct kernel *k = trial_kernel(generation_kernels[_i].version);
	const char *without = generation_kernels[_i].without;
	unsigned int checked = 0;
	struct error err;

	ck_assert_ptr_nonnull(g);
	ck_assert_msg(!without || !kernel_without(k, without, &err), "%s", err.text);
	for (const struct choices *of = choices; of->tool; of++) {
		struct command c = { .forced = g->target == TARGET_BPF };

		for (unsigned int n = 0; combine(of, n, &c); n++)
			checked += check_command(&c, g, k);
	}
	kernel_free(k);
	ck_assert_uint_ge(checked, 3);
}
END_TEST

/* Does this kernel tell such engines what the filter compares? */
static bool served(const struct filter_row *row, const struct generation *g, struct kernel *k)
{
	static const char *const reasons[] = {
		"not told whether a task is in a cgroup (4.9), which --cgroup needs",
		"not told the control group (4.18), which --cgroupmap needs",
		"where this kernel keeps a task's namespaces, which --",
		"where this kernel keeps a task's parent, which --ppid needs",
		"the ring buffers do not tell a task's parent, which --ppid needs",
		"not told the current task's struct (4.8), which --",
		"the ring buffers carry no user ids, which --uid needs",
		"the ring buffers do not tell namespaces, which --",
		"the ring buffers do not tell the control group, which --cgroup",
	};
	struct trial t;
	bool refused;
	int i = 0;

	ck_assert(!trial_start(&t, "opensnoop --backend bpf", k));
	ask(&t.run.filters.filter, row, 1);
	refused = trial_plan(&t, g->target) != 0;
	while (refused && i < COUNT_OF(reasons) && !strstr(t.err.text, reasons[i]))
		i++;
	t.run.filters.filter.n = 0;
	t.run.kernel = NULL;
	trial_end(&t);
	return !refused || i == COUNT_OF(reasons);
}

/* Each tool with all filters that the kernel can serve at the same time. */
START_TEST(filters_pass_the_rules)
{
	const struct generation *g = generation_by_name(generation_kernels[_i].generation);
	struct kernel *k = trial_kernel(generation_kernels[_i].version);
	const char *without = generation_kernels[_i].without;
	struct command c = { .forced = g->target == TARGET_BPF };
	unsigned int checked = 0;
	struct error err;

	ck_assert_msg(!without || !kernel_without(k, without, &err), "%s", err.text);
	for (unsigned int i = 0; filter_options[i].row.option; i++)
		/* @family has the programs of --exec with its filter. */
		if (filter_options[i].row.entries || filter_options[i].row.test != FILTER_LISTED)
			c.filters |= (unsigned int)served(&filter_options[i].row, g, k) << i;
	for (c.n_ids = 1; c.n_ids <= 2; c.n_ids++)
		for (const struct choices *of = choices; of->tool; of++) {
			combine(of, 0, &c);
			checked += check_command(&c, g, k);
		}
	kernel_free(k);
	ck_assert_uint_ge(checked, 3);
}
END_TEST

/*
 * The program by which sonde adds to a map's entries. It is a socket's filter, and asks nothing of
 * its packet: what programs on kprobes may do, all may.
 */
static void check_step(const struct generation *g, unsigned int key)
{
	const struct map maps[] = {
		{ .kind = MAP_ARRAY, .key_size = 4, .entries = 1,
		  .value_size = (uint16_t)(8 + (key + 7) / 8 * 8) },
		{ .kind = MAP_HASH, .key_size = (uint16_t)key, .entries = 16, .value_size = 16 },
	};
	const struct check c = {
		.generation = g, .type = TYPE_KPROBE, .maps = maps, .n_maps = 2,
	};
	struct bpf_insn insns[BPF_STEP_INSNS];
	const unsigned int n = bpf_step_code(insns, key, 0, 1);
	struct error err;

	ck_assert_uint_gt(n, 0);
	ck_assert_uint_le(n, BPF_STEP_INSNS);
	ck_assert_msg(!check(insns, n, &c, &err), "keys of %u bytes, %s: %s", key, g->name,
		      err.text);
}

START_TEST(steps_pass_the_rules)
{
	static const unsigned int keys[] = { 4, 8, 12, 64, 400, 512 };
	struct bpf_insn insns[BPF_STEP_INSNS];

	for (const struct generation *g = generations; g->name; g++)
		for (int i = 0; i < COUNT_OF(keys); i++)
			check_step(g, keys[i]);
	ck_assert_uint_eq(bpf_step_code(insns, 0, 0, 1), 0);
	ck_assert_uint_eq(bpf_step_code(insns, 513, 0, 1), 0);
}
END_TEST

/* Each generation is tried as `--without` makes it, as the lab's reduced forms run it. */
START_TEST(all_generations)
{
	for (const struct generation *g = generations; g->name; g++) {
		bool found = false;

		for (int i = 0; i < COUNT_OF(generation_kernels); i++)
			found |= !strcmp(generation_kernels[i].generation, g->name) &&
				 !strcmp(generation_kernels[i].version, "6.1") &&
				 generation_kernels[i].without &&
				 !strcmp(generation_kernels[i].without, g->name);
		ck_assert_msg(found, "no kernel of %s", g->name);
	}
}
END_TEST

Suite *suite_rules(void)
{
	Suite *s = suite_create("rules");

	add_tests(s, "all programs", passes_the_rules, COUNT_OF(generation_kernels));
	add_tests(s, "all filters", filters_pass_the_rules, COUNT_OF(generation_kernels));
	add_tests(s, "steps", steps_pass_the_rules, 1);
	add_tests(s, "all generations", all_generations, 1);
	return s;
}
