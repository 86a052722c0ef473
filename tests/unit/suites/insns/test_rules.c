// SPDX-License-Identifier: GPL-2.0
/*
 * Every program of every tool, with all options that change it, as each kernel would have it,
 * passes the rules of that kernel's verifier; and of sonde's machine.
 */
#include <stdlib.h>
#include <string.h>

#include "insns/verifier/check.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

Suite *suite_rules(void);

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

/*
 * Options that change the code: one of each group, in all combinations. What @dev and @family mean
 * no command line can give here: a disk of this machine, and a command that would be run.
 */
struct choices {
	const char *tool;
	const char *of[6][6];
};

static const struct choices choices[] = {
	{ "opensnoop", { { "", "-x" }, { "", "-f O_WRONLY" },
			 { "", "-p 5", "-p 5,6", "@family" }, { "", "-t 7", "-t 7,8" },
			 { "", "-u 0", "-u 0,1" } } },
	{ "execsnoop", { { "", "-x" }, { "", "--max-args 1", "--max-args 60" },
			 { "", "--pid 5", "--pid 5,6", "@family" } } },
	{ "statsnoop", { { "", "-x" }, { "", "-p 5,6", "@family" } } },
	{ "syncsnoop", { { "", "-a" }, { "", "-p 5,6", "@family" } } },
	{ "vfsstat", { { "", "-p 5,6", "@family" } } },
	{ "filelife", { { "", "-p 5,6", "@family" } } },
	{ "exitsnoop", { { "", "-x" }, { "", "--per-thread" }, { "", "-p 5,6", "@family" } } },
	{ "killsnoop", { { "", "-x" }, { "", "-a" }, { "", "-p 5,6" } } },
	{ "syscount", { { "", "-L" }, { "", "-x", "-e EINTR", "-e 2" }, { "", "-P" },
			{ "", "--syscall read" },
			{ "", "-p 5,6", "@family" } } },
	{ "capable", { { "", "-v" }, { "", "--unique" }, { "", "-p 5,6", "@family" } } },
	{ "mountsnoop", { { "", "-P" }, { "", "-p 5,6", "@family" } } },
	{ "oomkill", { { "" } } },
	{ "biolatency", { { "", "-Q" }, { "", "-m" }, { "", "-D", "-F" }, { "", "-e" },
			  { "", "@dev" } } },
	{ "bitesize", { { "", "@dev" } } },
	{ "cpudist", { { "", "-O" }, { "", "-m" }, { "", "-P", "-L" }, { "", "-I" }, { "", "-e" },
		       { "", "-p 5", "-p 5,6", "@family" } } },
	{ "runqslower", { { "", "0", "1000000000" }, { "", "-p 7", "-t 7" } } },
	{ "runqlen", { { "" } } },
	{ "offcputime", { { "", "-U", "-K" }, { "", "-u", "-k" }, { "", "-m 1 -M 5000000000" },
			  { "", "--state 0", "--state 3" }, { "", "-p 5,6", "@family" } } },
	{ "wakeuptime", { { "", "-U", "-K" }, { "", "-u", "-k" }, { "", "-m 1 -M 5000000000" },
			  { "", "--state 3" }, { "", "-p 5,6", "@family" } } },
	{ "offwaketime", { { "", "-U", "-K" }, { "", "-u", "-k" }, { "", "-m 1 -M 5000000000" },
			   { "", "--state 0", "--state 3" }, { "", "-p 5,6", "@family" } } },
	{ "profile", { { "", "-U", "-K" }, { "", "-I" }, { "", "-C 0" },
		       { "", "-p 5,6", "@family" } } },
	{ "cpufreq", { { "" }, { "", "-p 5,6", "@family" } } },
	{ "llcstat", { { "", "-t" }, { "", "-p 5,6", "@family" } } },
	{ "softirqs", { { "", "-N", "-C", "-d", "-dN" }, { "", "-c 0" } } },
	{ "hardirqs", { { "", "-N", "-C", "-d", "-dN" }, { "", "-c 0" } } },
	{ "runqlat", { { "", "-m" }, { "", "-P", "-L", "--pidnss" }, { "", "-p 7" } } },
	{ "tcpconnect", { { "", "-L" }, { "", "-c" }, { "", "-4", "-6" }, { "", "-P 80" },
			  { "", "-p 5,6", "-u 0" } } },
	{ "tcpconnlat", { { "", "-d" }, { "", "0.1" }, { "", "-4", "-6" },
			  { "", "-p 5,6", "@family" } } },
	{ "tcpretrans", { { "", "-s" }, { "", "-l" }, { "", "-c" }, { "", "-4", "-6" } } },
	{ "tcprtt", { { "", "-m" }, { "", "-b", "-B", "-4", "-b -6" }, { "", "-e" },
		      { "", "-p 1 -P 2" },
		      { "", "-a 10.0.0.1 -A ::1" } } },
	{ "tcpsynbl", { { "", "-4" } } },
	{ "tcplife", { { "", "-p 5", "@family" }, { "", "-4", "-6" }, { "", "-L 80" },
		       { "", "-D 80" } } },
	{ "tcpaccept", { { "", "-p 5,6", "@family" }, { "", "-4", "-6" }, { "", "-P 80" } } },
	{ "tcpstates", { { "", "-4", "-6" }, { "", "-L 80" }, { "", "-D 80" } } },
	{ "drsnoop", { { "", "-p 5,6", "@family" } } },
	{ "cachestat", { { "" } } },
	{ "ext4slower", { { "", "0", "2147483647" }, { "", "-p 5", "-p 5,6", "@family" },
			  { "", "--uid 0" }, { "", "-F" } } },
	{ "ext4dist", { { "", "-m" }, { "", "-p 5,6", "@family" } } },
	{ "fsslower", { { "-t xfs", "-t btrfs", "-t nfs", "-t f2fs", "-t zfs" } } },
	{ "fsdist", { { "-t xfs", "-t btrfs", "-t nfs", "-t f2fs", "-t zfs" } } },
	{ "funclatency", { { "vfs_read", "c:getaddrinfo" }, { "", "-F" }, { "", "-u", "-m" },
			   { "", "-l 1", "-l 8" }, { "", "-p 5", "-p 5,6", "@family" } } },
	{ "stackcount", { { "vfs_read", "c:getaddrinfo", "t:sched:sched_switch" },
			  { "", "-K", "-U", "-P -K" }, { "", "-c 0" },
			  { "", "-p 5", "-p 5,6", "@family" } } },
	{ "stacksnoop", { { "vfs_read", "c:getaddrinfo", "t:sched:sched_switch" },
			  { "", "-K", "-U" }, { "", "-p 5,6", "@family" } } },
	{ "funcslower", { { "vfs_read", "c:getaddrinfo" }, { "", "-u 10" }, { "", "-a 1", "-a 6" },
			  { "", "-K", "-U", "-K -U" }, { "", "-p 5,6", "@family" } } },
	{ "threadsnoop", { { "", "-U" }, { "", "-p 5,6", "@family" } } },
	{ "memleak", { { "-p 5", "-p 5,6", "@family" }, { "", "-t" },
		       { "", "-s 10", "-z 5 -Z 9223372036854775807" } } },
	{ "memleak", { { "", "--tid 7" }, { "", "-t" }, { "", "-s 10", "-z 5" } } },
	{ "fileslower", { { "", "-a" }, { "", "-p 5,6" } } },
	{ "trace", { { "vfs_read", "sys_read\t\"%s\",arg2",
		       "vfs_read\t(STRCMP(\"ab\",arg2)&&(int)arg1/7>7)\t\"%s\t%d\",arg1,arg2",
		       "t:block:block_rq_issue\t\"%s\t%d\",args->comm,args->nr_sector?1:-1" },
		     { "", "-K", "-K -U" }, { "", "-p 5,6", "@family" } } },
	{ "argdist", { { "-C p::vfs_read()", "-C p::vfs_read(char\t*s,int\tn):char*,int:s,n:n>1",
			 "-H r::vfs_read()", "-H p::vfs_read(int\tn):u64:n*2",
			 "-H r::vfs_read():u64:$latency/1000" },
		       { "", "-p 5,6", "@family" } } },
	{ "funccount", { { "vfs_read", "vfs_*", "r::vfs_read", "t:task:*" }, { "", "-c 1" },
			 { "", "-p 5", "-p 5,6", "@family" } } },
};

struct command {
	bool forced;
	char line[160];
	int64_t dev;
	bool family;
};

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
	{ "4.7", "4.9", NULL },
	{ "4.7", "6.1", "4.7" },
	{ "4.9", "4.9", NULL },
	{ "4.9", "6.1", "4.9" },
	{ "4.12", "4.12", NULL },
	{ "4.12", "6.1", "4.12" },
	{ "4.14", "4.12", NULL },
	{ "4.14", "6.1", "4.14" },
	{ "4.17", "4.19", NULL },
	{ "4.17", "6.1", "4.17" },
	{ "4.17", "6.1", "4.17,kprobes" },
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

/* Checks all programs of a plan; how many. */
static unsigned int check_plan(const struct trial *t, const struct generation *g,
			       const char *command)
{
	const struct plan *p = &t->run.plan.plan;
	unsigned int n = 0;

	for (unsigned int i = 0; i < p->n_programs; i++) {
		const struct plan_program *a = &p->programs[i];
		bool tracepoint = a->event->kind == EVENT_TRACEPOINT;
		struct check c = {
			.generation = g, .type = tracepoint ? TYPE_TRACEPOINT : TYPE_KPROBE,
			.maps = p->maps, .n_maps = p->n_maps,
			.record_size = g->target == TARGET_BPF && !tracepoint ? 168 : 0,
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
	};

	for (int i = 0; i < COUNT(reasons); i++)
		if (strstr(why, reasons[i]))
			return true;
	return family && strstr(why, "take one BPF program");
}

/* As if an option had been given that no command line can have here. */
static void ask(struct filter *f, const char *option, const uint64_t *ids, unsigned int n)
{
	const struct filter_option *o = filter_options;

	while (o->row.option && strcmp(o->row.option, option))
		o++;
	ck_assert_ptr_nonnull(o->row.option);
	f->asked[f->n++] = (struct asked_filter){ .row = &o->row, .ids = ids, .n = n };
}

static unsigned int check_command(const struct command *c, const struct generation *g,
				  struct kernel *k)
{
	struct trial t;
	unsigned int n = 0;

	ck_assert_msg(!trial_start(&t, c->line, k), "%s: %s", c->line, t.err.text);
	if (c->dev)
		run_constant(&t.run, "dev", c->dev);
	if (c->family)
		ask(&t.run.filters.filter, "exec", NULL, 0);
	t.run.filters.filter.self = 4711;
	if (!trial_plan(&t, g->target))
		n = check_plan(&t, g, c->line);
	else
		ck_assert_msg(may_refuse(t.err.text, c->family), "%s on %s for %s: %s", c->line,
			      kernel_release(k), g->name,
			      t.err.text);
	t.run.kernel = NULL;	/* the caller's */
	trial_end(&t);
	return n;
}

/* Combination `number` of a tool's options as a command line; false: there are not so many. */
static bool combine(const struct choices *choice, unsigned int number, struct command *c)
{
	c->dev = 0;
	c->family = false;
	snprintf(c->line, sizeof(c->line), "%s%s", choice->tool, c->forced ? " --backend bpf" : "");
	for (int i = 0; i < 6 && choice->of[i][0]; i++) {
		size_t n = 0, have = strlen(c->line);
		const char *word;

		while (n < 6 && choice->of[i][n])
			n++;
		word = choice->of[i][number % n];
		number /= n;
		if (!strcmp(word, "@dev"))
			c->dev = 8388609;
		else if (!strcmp(word, "@family"))
			c->family = true;
		else if (*word)
			snprintf(c->line + have, sizeof(c->line) - have, " %s", word);
	}
	return !number;
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
	for (int i = 0; i < COUNT(choices); i++) {
		struct command c = { .forced = g->target == TARGET_BPF };

		for (unsigned int n = 0; combine(&choices[i], n, &c); n++)
			checked += check_command(&c, g, k);
	}
	kernel_free(k);
	ck_assert_uint_ge(checked, 3);
}
END_TEST

/* Each generation is tried as `--without` makes it, as the lab's reduced forms run it. */
START_TEST(all_generations)
{
	for (const struct generation *g = generations; g->name; g++) {
		bool found = false;

		for (int i = 0; i < COUNT(generation_kernels); i++)
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

	add_tests(s, "all programs", passes_the_rules, COUNT(generation_kernels));
	add_tests(s, "all generations", all_generations, 1);
	return s;
}
