// SPDX-License-Identifier: GPL-2.0
/*
 * Every program of every tool, with all options that change it, as each kernel would have it,
 * passes the rules of that kernel's verifier; and of sonde's machine.
 */
#include <stdlib.h>
#include <string.h>

#include "compat/kinds/kinds.h"
#include "compat/types/function.h"
#include "compat/types/raw.h"
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
	{ "filegone", { { "" }, { "", "-p 5,6", "@family" } } },
	{ "bindsnoop", { { "", "--unix", "-c", "-x" }, { "", "-P 80" }, { "", "-4" },
			 { "", "-p 5,6", "@family" } } },
	{ "bindsnoop", { { "-l", "" }, { "", "-n 5" }, { "", "--show-netns" } } },
	{ "bindsnoop", { { "-l" }, { "", "-x", "-c" }, { "", "-P 80" }, { "", "-6" },
			 { "", "-p 5,6", "@family" } } },
	{ "sslsniff", { { "", "--data" }, { "", "--handshake" }, { "", "--failed" },
			{ "", "-p 5,6", "@family" } } },
	{ "dbslower", { { "mysql", "postgres" }, { "", "-m 0" }, { "", "-p 5,6", "@family" } } },
	{ "dbstat", { { "mysql", "postgres" }, { "", "-u" }, { "", "-p 5,6", "@family" } } },
	{ "ttysnoop", { { "0" }, { "", "--escape" } } },
	{ "statsnoop", { { "", "-x" }, { "", "-p 5,6", "@family" } } },
	{ "syncsnoop", { { "", "-a" }, { "", "-p 5,6", "@family" } } },
	{ "vfsstat", { { "", "-p 5,6", "@family" } } },
	{ "filetop", { { "", "-a", "--by-cgroup" }, { "", "-p 5,6", "@family" } } },
	{ "filelife", { { "", "-p 5,6", "@family" } } },
	{ "exitsnoop", { { "", "-x" }, { "", "--per-thread" }, { "", "-p 5,6", "@family" } } },
	{ "killsnoop", { { "", "-x" }, { "", "-a" }, { "", "-p 5,6" } } },
	{ "sigsnoop", { { "", "-x", "-d", "-k", "-k -x" }, { "", "-p 5,6", "@family" } } },
	{ "syscount", { { "", "-L" }, { "", "-x", "-e EINTR", "-e 2" },
			{ "", "-P", "--by-cgroup" },
			{ "", "--syscall read" },
			{ "", "-p 5,6", "@family" } } },
	{ "systrace", { { "", "-s" }, { "", "-x" }, { "", "-m 1" },
			{ "", "-p 5,6", "@family" } } },
	{ "capable", { { "", "-v" }, { "", "--unique" }, { "", "-p 5,6", "@family" } } },
	{ "mountsnoop", { { "", "-P" }, { "", "-p 5,6", "@family" } } },
	{ "oomkill", { { "" } } },
	{ "biostacks", { { "", "-m", "-f" }, { "", "@dev" }, { "", "-p 5,6", "@family" } } },
	{ "biolatency", { { "", "-Q" }, { "", "-m" }, { "", "-D", "-F" }, { "", "-e" },
			  { "", "@dev" } } },
	{ "bitesize", { { "", "@dev" } } },
	{ "biotop", { { "", "--by-cgroup" }, { "", "@dev" }, { "", "-p 5,6", "@family" } } },
	{ "biopattern", { { "", "@dev" } } },
	{ "cpudist", { { "", "-O" }, { "", "-m" }, { "", "-P", "-L" }, { "", "-I" }, { "", "-e" },
		       { "", "-p 5", "-p 5,6", "@family" } } },
	{ "schedlat", { { "", "--timehist", "--by-cgroup" },
			{ "", "-p 5", "-p 5,6", "@family" } } },
	{ "futexctn", { { "", "-s", "-o", "-P", "-K", "-H" }, { "", "-l 0x40" }, { "", "-m 5" },
			{ "", "-p 5,6", "@family" } } },
	{ "wqlat", { { "", "-H", "-HR", "-HF" } } },
	{ "wqlat", { { "-W", "-WR", "-w a" }, { "", "-N" } } },
	{ "numasched", { { "", "-p 5,6", "@family" } } },
	{ "numamove", { { "" } } },
	{ "kvmexit", { { "", "-a", "-d" }, { "", "-v 1" }, { "", "-p 5,6", "@family" } } },
	{ "lockstat", { { "", "-l", "-P", "-K", "-H" }, { "", "-Y mutex" }, { "", "-L 0x40" },
		      { "", "-m 5" }, { "", "-p 5,6", "@family" } } },
	{ "lockstat", { { "--hold" }, { "", "-l", "-K", "-H", "-P" },
			{ "", "-p 5,6", "@family" } } },
	{ "lockstat", { { "-S acq_max,hld_max" }, { "", "-l" }, { "", "-Y mutex", "-m 5" } } },
	{ "runqslower", { { "", "0", "1000000000" }, { "", "-p 7", "-p 7,8", "-t 7", "-t 7,8" } } },
	{ "runqlen", { { "" } } },
	{ "cpuunclaimed", { { "" } } },
	{ "offcputime", { { "", "-U", "-K" }, { "", "-u", "-k" }, { "", "-m 1 -M 5000000000" },
			  { "", "--state 0", "--state 3" }, { "", "-p 5,6", "@family" } } },
	{ "wakeuptime", { { "", "-U", "-K" }, { "", "-u", "-k" }, { "", "-m 1 -M 5000000000" },
			  { "", "--state 3" }, { "", "-p 5,6", "@family" } } },
	{ "offwaketime", { { "", "-U", "-K" }, { "", "-u", "-k" }, { "", "-m 1 -M 5000000000" },
			   { "", "--state 0", "--state 3" }, { "", "-p 5,6", "@family" } } },
	{ "profile", { { "", "-U", "-K", "--by-cgroup", "--by-cgroup -f" }, { "", "-I" },
		       { "", "-C 0" }, { "", "-p 5,6", "@family" } } },
	{ "cpufreq", { { "" }, { "", "-p 5,6", "@family" } } },
	{ "llcstat", { { "", "-t" }, { "", "-p 5,6", "@family" } } },
	{ "softirqs", { { "", "-N", "-C", "-d", "-dN", "--min 0" }, { "", "-c 0" } } },
	{ "softirqslower", { { "" }, { "", "-c 0" } } },
	{ "hardirqs", { { "", "-N", "-C", "-d", "-dN", "--min 0" }, { "", "-c 0" } } },
	{ "runqlat", { { "", "-m" }, { "", "-P", "-L", "--pidnss" },
		       { "", "-p 7", "-p 7,8", "--tid 7,8" } } },
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
	{ "tcpdrop", { { "", "-a", "-c", "-K" }, { "", "-4", "-6" }, { "", "--netns-id 5" } } },
	{ "tcpdrop", { { "--resets" }, { "", "-K" }, { "", "-4", "-6" } } },
	{ "nettop", { { "", "-q" } } },
	{ "tcppktlat", { { "", "-l 80" }, { "", "-r 80" }, { "", "-p 5,6", "@family" } } },
	{ "tcptop", { { "", "-a", "--by-cgroup" }, { "", "-4", "-6" },
		      { "", "-p 5,6", "@family" } } },
	{ "slabratetop", { { "", "-p 5,6", "@family" } } },
	{ "swapin", { { "", "-p 5,6", "@family" } } },
	{ "dcstat", { { "", "-p 5,6", "@family" } } },
	{ "compactsnoop", { { "", "-K", "-e" }, { "", "-p 5,6", "@family" } } },
	{ "drsnoop", { { "", "-p 5,6", "@family" } } },
	{ "cachefill", { { "", "--by-cgroup" }, { "", "-p 5,6", "@family" } } },
	{ "cachestat", { { "", "--by-process" }, { "", "-p 5,6", "@family" } } },
	{ "ext4slower", { { "", "0", "2147483647" }, { "", "-p 5", "-p 5,6", "@family" },
			  { "", "--uid 0" }, { "", "-F" } } },
	{ "ext4dist", { { "", "-m" }, { "", "-p 5,6", "@family" } } },
	{ "fsslower", { { "-t xfs", "-t btrfs", "-t nfs", "-t f2fs", "-t zfs" } } },
	{ "fsdist", { { "-t xfs", "-t btrfs", "-t nfs", "-t f2fs", "-t zfs" } } },
	{ "funclatency --between", { { "vfs_read", "c:getaddrinfo", "t:sched:sched_switch" },
				     { "", "-F" }, { "", "-u", "-m" },
				     { "", "-p 5", "@family" } } },
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
	{ "bt", { { "-e k:vfs_read,kr:vfs_read{$x=pid/7;if($x>3){@a[comm,$x]++;return}else{exit()}"
		    "@b=stats($x)}",
		    "-e k:vfs_*{@c[probe]=count();if(tid<9){@h[func]=hist(tid/7)}print(func)}",
		    "-e k:vfs_read{printf(\"%s\t%d\\n\",comm,pid)}",
		    "-e k:vfs_read\t/@s[tid]/{@l=lhist(nsecs-@s[tid],-5,99,7);delete(@s[tid])}"
		    "k:vfs_read{@s[tid]=1}",
		    "-e k:vfs_read{@s[tid]=arg0;@t[str(arg1)]=sum(-arg2);@m=max(-arg1);print(@s)}",
		    "-e t:block:block_rq_issue\t/comm==\"dd\"||args.nr_sector/"
		    "{@[args.comm,\"x\"]-=2}" },
		  { "", "-p 5,6", "@family" } } },
	{ "funccount", { { "vfs_read", "vfs_*", "r::vfs_read", "t:task:*" }, { "", "-c 1" },
			 { "", "-p 5", "-p 5,6", "@family" } } },
};

struct command {
	bool forced;
	char line[160];
	int64_t dev;
	bool family;
	/* bits: as if the options of these rows of filter_options[] had been given, with n_ids */
	unsigned int filters, n_ids;
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
		"does not tell netns", "has no text in workqueue",
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

	for (int i = 0; i < COUNT(reasons); i++)
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

/* Does this kernel tell such engines what the filter compares? */
static bool served(const struct filter_row *row, const struct generation *g, struct kernel *k)
{
	static const char *const reasons[] = {
		"not told whether a task is in a cgroup (4.9), which --cgroup needs",
		"not told the control group (4.18), which --cgroupmap needs",
		"where this kernel keeps a task's namespaces, which --",
		"where this kernel keeps a task's parent, which --ppid needs",
		"the ring buffers do not tell who a task's parent is, which --ppid needs",
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
	while (refused && i < COUNT(reasons) && !strstr(t.err.text, reasons[i]))
		i++;
	t.run.filters.filter.n = 0;
	t.run.kernel = NULL;
	trial_end(&t);
	return !refused || i == COUNT(reasons);
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
		for (int i = 0; i < COUNT(choices); i++) {
			combine(&choices[i], 0, &c);
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
	add_tests(s, "all filters", filters_pass_the_rules, COUNT(generation_kernels));
	add_tests(s, "all generations", all_generations, 1);
	return s;
}
