// SPDX-License-Identifier: GPL-2.0
/*
 * Which probes of which kernel serve which tool: rows of kernels, command lines, engines, and what is chosen there or
 * why nothing is. The snapshots beside these tests are always there; those of $SONDE_KERNELS only on some machines.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "insns/check.h"
#include "tests/unit/replay_run.h"
#include "tests/unit/unit.h"

Suite *suite_resolve(void);

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

static const struct {
	const char *version, *name;
	const char *generation;		/* the newest of insns/check.h that is not younger than it */
} kernels[] = {
	{ "3.10", "3.10.108-x86_64", NULL },
	{ "4.1", "4.1.3-x86_64", "4.1" },
	{ "4.4", "4.4.155-x86_64", "4.4" },
	{ "4.9", "4.9.115-x86_64", "4.9" },
	{ "4.12", "4.12.4-x86_64", "4.12" },
	{ "4.19", "4.19.78-x86_64", "4.19" },
	{ "5.10", "5.10.262-debian-x86_64", "5.8" },
	{ "6.1", "6.1.176-debian-x86_64", "6.1" },
	{ "6.12", "6.12.107-debian-x86_64", "6.1" },
	{ "7.2", "7.2.13-debian-x86_64", "7.2" },
};

/* By version, lacking some features; NULL: this snapshot is not on this machine. */
static struct kernel *kernel(const char *version, const char *without)
{
	struct kernel *k = NULL;
	struct error err;

	for (int i = 0; i < COUNT(kernels); i++)
		if (!strcmp(kernels[i].version, version))
			k = trial_kernel(kernels[i].name);
	if (k && without)
		ck_assert_msg(!kernel_without(k, without, &err), "%s", err.text);
	return k;
}

static bool all_snapshots(void)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s/uname", trial_kernels(), kernels[1].name);
	return !access(path, R_OK);
}

#define OLD	"3.10 4.1 4.4 4.9 4.12 4.19 "
#define TO_4_4	"3.10 4.1 4.4 "
#define NEWER	"5.10 6.1 6.12 7.2 "

enum { BPF = 1 << TARGET_BPF, RING = 1 << TARGET_RING };

/* All lines in the order of the programs; each ends with a newline. */
#define OPENS(ENTER, NAME) \
	"open.enter: kprobe " ENTER "\n" "open.name: kprobe " NAME "\n" "open.exit: kretprobe " ENTER "\n"
#define OPEN_EVENTS \
	"open.enter: tracepoint syscalls:sys_enter_openat\n" "open.enter: tracepoint syscalls:sys_enter_open\n" \
	"open.enter: tracepoint syscalls:sys_enter_creat\n" "open.exit: tracepoint syscalls:sys_exit_openat\n" \
	"open.exit: tracepoint syscalls:sys_exit_open\n" "open.exit: tracepoint syscalls:sys_exit_creat\n"

#define EXEC_DONE_LINE	"exec.done: tracepoint sched:sched_process_exec\n"
#define TASKS_LINES	"task.new: tracepoint task:task_newtask\n" "task.exit: tracepoint sched:sched_process_exit\n"
#define EXECS(ENTER, EXIT)	ENTER EXEC_DONE_LINE EXIT TASKS_LINES
#define EXEC_ENTER(SYS, COMPAT) \
	"exec.enter: kprobe " SYS "execve\n" "exec.enter: kprobe " SYS "execveat\n" \
	"exec.enter: kprobe " COMPAT "execve\n" "exec.enter: kprobe " COMPAT "execveat\n"
#define EXEC_EXIT(SYS, COMPAT) \
	"exec.exit: kretprobe " SYS "execve\n" "exec.exit: kretprobe " SYS "execveat\n" \
	"exec.exit: kretprobe " COMPAT "execve\n" "exec.exit: kretprobe " COMPAT "execveat\n"
#define EXEC_PROBES(SYS, COMPAT)	EXECS(EXEC_ENTER(SYS, COMPAT), EXEC_EXIT(SYS, COMPAT))
#define EXEC_EVENTS(COMPAT_ENTER, COMPAT_EXIT) \
	EXECS("exec.enter: tracepoint syscalls:sys_enter_execve\n" \
	      "exec.enter: tracepoint syscalls:sys_enter_execveat\n" COMPAT_ENTER, \
	      "exec.exit: tracepoint syscalls:sys_exit_execve\n" \
	      "exec.exit: tracepoint syscalls:sys_exit_execveat\n" COMPAT_EXIT)
#define IA32 "__ia32_compat_sys_"

#define BLOCK		"block.issue: tracepoint block:block_rq_issue\n" "block.done: tracepoint block:block_rq_complete\n"
#define BLOCK_QUEUED(EVENT) \
	"block.queue: tracepoint block:" EVENT "\n" "block.frontmerge: tracepoint block:block_bio_frontmerge\n" BLOCK
#define SCHED \
	"sched.wakeup: tracepoint sched:sched_wakeup\n" "sched.wakeup: tracepoint sched:sched_wakeup_new\n" \
	"sched.switch: tracepoint sched:sched_switch\n"
#define NEW_TASK	"task.new: tracepoint task:task_newtask\n"
#define CONNECT		"tcp.connect: tracepoint sock:inet_sock_set_state\n"
#define CONNECT_STATE	CONNECT "tcp.state: tracepoint sock:inet_sock_set_state\n"
#define CONNECT_CALLS	"tcp.connect: kprobe tcp_connect\n" "tcp.connect: kprobe tcp_v6_connect\n"
#define CACHE(ACCESS, DIRTY) \
	"cache.access: kprobe " ACCESS "\n" "cache.add: tracepoint filemap:mm_filemap_add_to_page_cache\n" \
	"cache.dirty: tracepoint writeback:" DIRTY "\n" "cache.buffer: tracepoint block:block_dirty_buffer\n"

#define NO_TRACEPOINT_PROGRAMS	"this kernel takes no BPF programs on tracepoints"
#define NO_KPROBE_PROGRAMS	"this kernel takes no BPF programs on kprobes"
#define UNSAFE_HASH		"allocate memory while a probe runs, which can hang it (before 4.6); --backend bpf"
#define NO_IDENTITY		"can't tell which task is current (since 4.2)"

/* For each combination of a kernel, a command and an engine one row says what is chosen, or why it is refused. */
static const struct row {
	const char *kernels, *command;
	int targets;
	const char *chosen, *missing, *refused;
	const char *without;
	bool no_compat;
} rows[] = {
	/* 3.10 has no bpf(2) at all: the engine says so before any plan is made, and plans find no probe. */
	{ "3.10", "opensnoop", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "opensnoop", BPF, .refused = NO_IDENTITY },
	{ "4.4", "opensnoop", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12 4.19", "opensnoop", BPF, OPENS("do_sys_open", "do_filp_open") },
	{ "5.10 6.1 6.12", "opensnoop", BPF, OPENS("do_sys_openat2", "do_filp_open") },
	{ "7.2", "opensnoop", BPF, OPENS("do_sys_openat2", "do_file_open") },
	{ OLD, "opensnoop", RING, OPENS("do_sys_open", "do_filp_open"), "open.exit.uid\n" },
	{ "5.10 6.1 6.12", "opensnoop", RING, OPENS("do_sys_openat2", "do_filp_open"), "open.exit.uid\n" },
	{ "7.2", "opensnoop", RING, OPENS("do_sys_openat2", "do_file_open"), "open.exit.uid\n" },

	{ "3.10", "execsnoop", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1 4.4", "execsnoop", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12", "execsnoop", BPF, EXEC_PROBES("sys_", "compat_sys_") },
	{ "4.19 " NEWER, "execsnoop", BPF,
	  EXEC_EVENTS("exec.enter: kprobe " IA32 "execve\n" "exec.enter: kprobe " IA32 "execveat\n",
		      "exec.exit: kretprobe " IA32 "execve\n" "exec.exit: kretprobe " IA32 "execveat\n") },
	{ "3.10", "execsnoop", RING,	/* execveat came with 3.19 */
	  EXECS("exec.enter: kprobe sys_execve\n" "exec.enter: kprobe compat_sys_execve\n",
		"exec.exit: kretprobe sys_execve\n" "exec.exit: kretprobe compat_sys_execve\n"), "exec.done.uid\n" },
	{ "4.1 4.4 4.9 4.12", "execsnoop", RING, EXEC_PROBES("sys_", "compat_sys_"), "exec.done.uid\n" },
	{ "4.19 " NEWER, "execsnoop", RING, EXEC_PROBES("__x64_sys_", IA32), "exec.done.uid\n" },

	{ TO_4_4, "biolatency", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "biolatency", BPF, BLOCK },
	{ OLD NEWER, "biolatency", RING, BLOCK },
	{ TO_4_4, "biolatency -Q", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 5.10 6.1", "biolatency -Q", BPF, BLOCK_QUEUED("block_rq_insert") },
	{ OLD "5.10 6.1", "biolatency -Q", RING, BLOCK_QUEUED("block_rq_insert") },
	{ "6.12 7.2", "biolatency -Q", BPF | RING, BLOCK_QUEUED("block_io_start") },

	{ TO_4_4, "runqlat", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "runqlat", BPF, SCHED },
	{ OLD NEWER, "runqlat", RING, SCHED },
	{ TO_4_4, "runqlat -P", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "runqlat -P", BPF, SCHED NEW_TASK },
	{ OLD NEWER, "runqlat -P", RING, SCHED NEW_TASK },
	{ TO_4_4, "runqlat -p 7", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "runqlat -p 7", BPF, SCHED NEW_TASK },
	{ OLD NEWER, "runqlat -p 7", RING, SCHED NEW_TASK },

	{ "3.10", "tcpconnect", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "tcpconnect", BPF, .refused = NO_IDENTITY },
	{ "4.4", "tcpconnect", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12", "tcpconnect", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n" },
	{ "4.19 " NEWER, "tcpconnect", BPF, CONNECT },
	{ TO_4_4 "4.9 4.12", "tcpconnect", RING, CONNECT_CALLS, "tcp.connect.saddr6\n" "tcp.connect.uid\n" },
	{ "4.19 " NEWER, "tcpconnect", RING, CONNECT, "tcp.connect.uid\n" },
	/* The functions know the local port already: there is no later state to wait for. */
	{ "3.10", "tcpconnect -L", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "tcpconnect -L", BPF, .refused = NO_IDENTITY },
	{ "4.4", "tcpconnect -L", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12", "tcpconnect -L", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n" "tcp.state\n" },
	{ "4.19 " NEWER, "tcpconnect -L", BPF, CONNECT_STATE },
	{ TO_4_4 "4.9 4.12", "tcpconnect -L", RING, CONNECT_CALLS,
	  "tcp.connect.saddr6\n" "tcp.connect.uid\n" "tcp.state\n" },
	{ "4.19 " NEWER, "tcpconnect -L", RING, CONNECT_STATE, "tcp.connect.uid\n" },

	/* An array does not allocate: safe from the first kernel that takes a program on a kprobe. */
	{ "3.10", "cachestat", BPF, .refused = "none of its events is here" },
	{ "4.1 4.4", "cachestat", BPF,
	  "cache.access: kprobe mark_page_accessed\n" "cache.add: kprobe add_to_page_cache_lru\n"
	  "cache.dirty: kprobe account_page_dirtied\n" "cache.buffer: kprobe mark_buffer_dirty\n" },
	{ "4.9 4.12 4.19 5.10", "cachestat", BPF, CACHE("mark_page_accessed", "writeback_dirty_page") },
	{ OLD "5.10", "cachestat", RING, CACHE("mark_page_accessed", "writeback_dirty_page") },
	{ "6.1 6.12 7.2", "cachestat", BPF | RING, CACHE("folio_mark_accessed", "writeback_dirty_folio") },
};

/* What the same kernels choose if they lack something, or if the user insists. */
static const struct row lacking[] = {
	{ "4.1", "opensnoop --backend bpf", BPF, .refused = NO_IDENTITY },
	{ "4.4", "opensnoop --backend bpf", BPF, OPENS("do_sys_open", "do_filp_open") },
	{ "4.4", "tcpconnect --backend bpf", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n" },
	{ "4.1 4.4", "biolatency --backend bpf", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "6.1", "biolatency", BPF, .without = "percpu-maps", .refused = UNSAFE_HASH },
	{ "6.1", "biolatency --backend bpf", BPF, BLOCK, .without = "percpu-maps" },
	{ "6.1", "cachestat", BPF, CACHE("folio_mark_accessed", "writeback_dirty_folio"), .without = "percpu-maps" },
	{ "6.1", "opensnoop", BPF, .without = "bpf-output,ringbuf", .refused = "can't hand over records (since 4.4)" },
	{ "6.1", "opensnoop", BPF, OPENS("do_sys_openat2", "do_filp_open"), .without = "bpf-output" },
	{ "6.1", "opensnoop", BPF, OPENS("do_sys_openat2", "do_filp_open"), .without = "ringbuf" },

	/* Without kprobes BPF reads the caller's pointer; rings have the path only where the event copies it. */
	{ "5.10 6.1 7.2", "opensnoop", BPF, OPEN_EVENTS, "open.name\n", .without = "kprobes", .no_compat = true },
	{ "5.10 6.1", "opensnoop", RING, .without = "kprobes",
	  .refused = "open.enter: this kernel has no kprobes, for do_sys_openat2()\n"
		     "open.enter: this kernel has no kprobes, for do_sys_open()\n"
		     "open.enter: syscalls:sys_enter_openat has no field __filename_val" },
	{ "7.2", "opensnoop", RING, OPEN_EVENTS, "open.name\n" "open.exit.uid\n", .without = "kprobes",
	  .no_compat = true },
	{ "4.12", "opensnoop", BPF, .without = "kprobes", .refused = "no BPF programs on syscalls:* tracepoints" },
	{ "6.1 7.2", "opensnoop", BPF, .without = "kprobes,syscall-tracepoints",
	  .refused = "open.enter: this kernel has no tracepoint syscalls:sys_enter_openat" },
	{ "5.10 6.1 7.2", "execsnoop", BPF, EXEC_EVENTS("", ""), .without = "kprobes", .no_compat = true },
	{ "5.10 6.1 7.2", "execsnoop", RING, .without = "kprobes",
	  .refused = "exec.enter: this kernel has no kprobes, for execve()" },
	{ "6.1 7.2", "execsnoop", BPF, EXEC_PROBES("__x64_sys_", IA32), .without = "bpf-syscalls" },
	{ "4.9", "execsnoop --max-args 60", BPF, .refused = "instructions here, more than the 4096 that kernels" },
	{ "6.1", "execsnoop", BPF, .without = "bpf-tracepoint", .refused = NO_TRACEPOINT_PROGRAMS },
	{ "6.1", "opensnoop", BPF, .without = "bpf-kprobe,bpf-syscalls", .refused = NO_KPROBE_PROGRAMS },

	/* BPF can do with perf's own kprobes; the rings' need tracefs to define them. */
	{ "6.1", "tcpconnect", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n", .without = "bpf-tracepoint" },
	{ "6.1", "tcpconnect", RING, CONNECT, "tcp.connect.uid\n", .without = "kprobes" },
	{ "4.12", "tcpconnect", RING, .without = "kprobes", .refused = "this kernel has no kprobes, for tcp_connect()" },
	{ "6.1", "cachestat", BPF | RING,
	  "cache.add: tracepoint filemap:mm_filemap_add_to_page_cache\n"
	  "cache.dirty: tracepoint writeback:writeback_dirty_folio\n"
	  "cache.buffer: tracepoint block:block_dirty_buffer\n", "cache.access\n", .without = "kprobes" },
	{ "6.1", "cachestat", BPF,
	  "cache.access: kprobe folio_mark_accessed\n" "cache.add: kprobe filemap_add_folio\n"
	  "cache.buffer: kprobe mark_buffer_dirty\n", "cache.dirty\n", .without = "bpf-tracepoint" },

	{ "6.1", "opensnoop -u 0", RING, .refused = "the ring buffers carry no user ids, which --uid needs" },
	{ "6.1", "opensnoop -u 0", BPF, OPENS("do_sys_openat2", "do_filp_open") },
	{ "6.1", "opensnoop --exec true", BPF, OPENS("do_sys_openat2", "do_filp_open") NEW_TASK },
	/* Strings of the rings: what fetch arguments this kernel's probes know. */
	{ "6.1", "execsnoop", RING, EXEC_PROBES("__x64_sys_", IA32), "exec.done.uid\n", .without = "fetch-arg,fetch-array" },
	{ "6.1", "execsnoop", RING, EXEC_PROBES("__x64_sys_", IA32), "exec.done.uid\n", .without = "fetch-ustring" },
	{ "6.1", "execsnoop", RING, .without = "fetch-ustring,fetch-string",
	  .refused = "exec.enter: execve needs fetch type string for filename" },
	{ "6.1", "opensnoop", RING, OPENS("do_sys_openat2", "do_filp_open"), "open.exit.uid\n",
	  .without = "fetch-ustring,fetch-string" },
};

static const char *or_nothing(const char *s)
{
	return s ? s : "";
}

static void expect(const struct row *row, const char *version, enum target target)
{
	struct kernel *k = kernel(version, row->without);
	struct trial t;
	char what[160];
	int result;

	if (!k)
		return;
	snprintf(what, sizeof(what), "%s on %s (%s) without %s", row->command, version,
		 target == TARGET_BPF ? "bpf" : "rings", row->without ? row->without : "nothing");
	ck_assert_msg(!trial_start(&t, row->command, k), "%s: %s", what, t.err.text);
	result = trial_plan(&t, target);
	if (row->refused) {
		ck_assert_msg(result, "%s: not refused, but\n%s", what, t.run.plan.resolution.chosen);
		ck_assert_msg(strstr(t.err.text, row->refused) != NULL, "%s: says\n%s", what, t.err.text);
	} else {
		const struct resolution *r = &t.run.plan.resolution;

		ck_assert_msg(!result, "%s: %s", what, t.err.text);
		ck_assert_msg(!strcmp(r->chosen, row->chosen), "%s: chose\n%s", what, r->chosen);
		ck_assert_msg(!strcmp(or_nothing(r->missing), or_nothing(row->missing)), "%s: misses\n%s", what, r->missing);
		ck_assert_msg(r->no_compat == row->no_compat, "%s: 32-bit tasks %s", what,
			      r->no_compat ? "not seen" : "seen");
	}
	trial_end(&t);
}

static void expect_all(const struct row *row)
{
	char list[80], *rest = list, *version;

	snprintf(list, sizeof(list), "%s", row->kernels);
	while ((version = strsep(&rest, " ")))
		for (enum target target = TARGET_BPF; *version && target <= TARGET_RING; target++)
			if (row->targets & 1 << target)
				expect(row, version, target);
}

START_TEST(chosen)
{
	expect_all(&rows[_i]);
}
END_TEST

START_TEST(chosen_without)
{
	expect_all(&lacking[_i]);
}
END_TEST

static bool names_version(const char *list, const char *version)
{
	size_t n = strlen(version);

	for (const char *at = list; (at = strstr(at, version)); at += n)
		if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

/* No combination is left out, and none is said twice. */
START_TEST(rows_cover_everything)
{
	for (const struct tool *const *t = tools; *t; t++)
		for (int k = 0; k < COUNT(kernels); k++)
			for (int target = TARGET_BPF; target <= TARGET_RING; target++) {
				int n = 0;

				for (int i = 0; i < COUNT(rows); i++)
					n += !strcmp(rows[i].command, (*t)->name) && rows[i].targets & 1 << target &&
					     names_version(rows[i].kernels, kernels[k].version);
				ck_assert_msg(n == 1, "%s on %s, engine %d: %d rows", (*t)->name, kernels[k].version, target, n);
			}
}
END_TEST

/*
 * The machine is the kernel's, not this one's: a snapshot of an arm64 kernel, made of the one of 6.1 with other
 * function names (there is no open(2) on that machine).
 */
static void write_file(const char *dir, const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

START_TEST(another_machine)
{
	static const char formats[] = "tests/unit/kernels/6.1.176-debian-x86_64/formats";
	char dir[] = "/tmp/sonde-unit-XXXXXX", link[64], target[512], cwd[400];
	struct kernel *k;
	struct trial t;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_ptr_nonnull(getcwd(cwd, sizeof(cwd)));
	snprintf(link, sizeof(link), "%s/formats", dir);
	snprintf(target, sizeof(target), "%s/%s", cwd, formats);
	ck_assert_int_eq(symlink(target, link), 0);
	write_file(dir, "uname", "Linux box 6.1.0 #1 SMP aarch64 GNU/Linux\n");
	write_file(dir, "tracefs-path", "/sys/kernel/tracing\n");
	write_file(dir, "kallsyms-names.gz", "T __arm64_sys_execve\nT __arm64_sys_execveat\nT __arm64_compat_sys_execve\n"
		   "T __arm64_compat_sys_execveat\nt do_sys_openat2\nT do_filp_open\n");
	k = kernel_snapshot(dir, NULL);
	ck_assert_ptr_nonnull(k);
	ck_assert_int_eq(trial_start(&t, "execsnoop", k), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	ck_assert_str_eq(t.run.plan.resolution.chosen,
			 EXEC_PROBES("__arm64_sys_", "__arm64_compat_sys_"));
	/* The pt_regs of a wrapped call: argument 1 in x0 holds it, argument N of the call stands at 8 * (N - 1). */
	ck_assert_str_eq(t.run.plan.plan.attachments[0].event->fetch, "filename=+0(+0($arg1)):ustring");
	plan_free(&t.run.plan);
	t.run.plan = (struct made_plan){ };
	ck_assert_int_eq(kernel_without(k, "fetch-arg", NULL), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	ck_assert_str_eq(t.run.plan.plan.attachments[0].event->fetch, "filename=+0(+0(%x0)):ustring");
	plan_free(&t.run.plan);
	t.run.plan = (struct made_plan){ };
	/* Kernel accessors can't read user memory there. */
	ck_assert_int_eq(kernel_without(k, "fetch-ustring", NULL), 0);
	ck_assert_int_eq(trial_plan(&t, TARGET_RING), -1);
	ck_assert_msg(strstr(t.err.text, "needs fetch type ustring for filename") != NULL, "%s", t.err.text);
	trial_end(&t);
	snprintf(target, sizeof(target), "rm -r %s", dir);
	ck_assert_int_eq(system(target), 0);
}
END_TEST

/* Every program, as each kernel would have it, passes the rules of that kernel. */

/* Options that change the code: one of each line, in all combinations. "@" names a constant and its value. */
struct choices {
	const char *tool;
	const char *of[6][6];
};

static const struct choices choices[] = {
	{ "opensnoop", { { "", "-x" }, { "", "-f O_WRONLY" },
			 { "", "-p 5", "-p 5,6" }, { "", "-t 7", "-t 7,8" }, { "", "-u 0", "-u 0,1" } } },
	{ "execsnoop", { { "", "-x" }, { "", "--max-args 1", "--max-args 60" }, { "", "--pid 5", "--pid 5,6" } } },
	{ "biolatency", { { "", "-Q" }, { "", "-m" }, { "", "-D", "-F" }, { "", "-e" }, { "", "@dev 8388609" } } },
	{ "runqlat", { { "", "-m" }, { "", "-P", "-L", "--pidnss" }, { "", "-p 7" } } },
	{ "tcpconnect", { { "", "-L" }, { "", "-c" }, { "", "-4", "-6" }, { "", "-P 80" }, { "", "-p 5,6", "-u 0" } } },
	{ "cachestat", { { "" } } },
};

/* Kernels of generations that no snapshot is of, or none that is always there. */
static const struct {
	const char *generation, *version, *without;
} generation_kernels[] = {
	{ "4.1", "4.1", NULL },
	{ "4.1", "6.1", "bpf-tracepoint,bpf-identity,bpf-output,ringbuf,probe_read_str,probe_read_user,percpu-maps" },
	{ "4.4", "4.4", NULL },
	{ "4.4", "6.1", "bpf-tracepoint,ringbuf,probe_read_str,probe_read_user,percpu-maps" },
	{ "4.7", "4.9", NULL },
	{ "4.7", "6.1", "bpf-syscalls,ringbuf,probe_read_str,probe_read_user" },
	{ "4.9", "4.9", NULL },
	{ "4.9", "6.1", "bpf-syscalls,ringbuf,probe_read_str,probe_read_user" },
	{ "4.12", "4.12", NULL },
	{ "4.12", "6.1", "bpf-syscalls,ringbuf,probe_read_user" },
	{ "4.14", "4.12", NULL },
	{ "4.14", "6.1", "ringbuf,probe_read_user" },
	{ "4.17", "4.19", NULL },
	{ "4.17", "6.1", "ringbuf,probe_read_user,kprobes" },
	{ "4.19", "4.19", NULL },
	{ "4.19", "6.1", "ringbuf,probe_read_user" },
	{ "5.4", "5.10", "ringbuf,probe_read_user" },
	{ "5.4", "6.1", "ringbuf,probe_read_user" },
	{ "5.8", "5.10", NULL },
	{ "5.8", "6.1", NULL },
	{ "5.15", "5.10", NULL },
	{ "5.15", "6.1", "kprobes" },
	{ "6.1", "6.1", NULL },
	{ "6.1", "6.12", NULL },
	{ "7.2", "7.2", NULL },
	{ "7.2", "7.2", "kprobes" },
	{ "7.2", "6.1", NULL },
	{ "ring", "3.10", NULL },
	{ "ring", "4.1", NULL },
	{ "ring", "4.19", NULL },
	{ "ring", "6.1", NULL },
	{ "ring", "6.1", "fetch-arg,fetch-array,fetch-ustring" },
	{ "ring", "7.2", NULL },
	{ "ring", "7.2", "kprobes" },
};

/* Checks all programs of a plan; how many. */
static unsigned int check_plan(const struct trial *t, const struct generation *g, const char *command)
{
	const struct plan *p = &t->run.plan.plan;
	unsigned int n = 0;

	for (unsigned int i = 0; i < p->n_attachments; i++) {
		const struct attachment *a = &p->attachments[i];
		bool tracepoint = a->event->kind == EVENT_TRACEPOINT;
		struct check c = {
			.generation = g, .type = tracepoint ? TYPE_TRACEPOINT : TYPE_KPROBE,
			.maps = p->maps, .n_maps = p->n_maps,
			.record_size = g->target == TARGET_BPF && !tracepoint ? 168 : 0,
		};
		struct error err;

		if (!a->program)
			continue;
		ck_assert_msg(!check(a->code.insns, a->code.n, &c, &err), "%s, %s on %s%s of %s: %s", command,
			      a->program->hook, a->event->system, a->event->name, g->name, err.text);
		n++;
	}
	return n;
}

/* What may stand against a plan; all else is a program that does not fit its kernel. */
static bool may_refuse(const char *why)
{
	static const char *const reasons[] = {
		NO_TRACEPOINT_PROGRAMS, NO_KPROBE_PROGRAMS, NO_IDENTITY, "no BPF programs on syscalls:*", "has no kprobes",
		"carry no user ids", "program exec.enter comes to 5",
	};

	for (int i = 0; i < COUNT(reasons); i++)
		if (strstr(why, reasons[i]))
			return true;
	return false;
}

static unsigned int check_command(const char *command, int64_t dev, const struct generation *g, const char *version,
				  const char *without)
{
	struct trial t;
	unsigned int n = 0;

	ck_assert_msg(!trial_start(&t, command, kernel(version, without)), "%s: %s", command, t.err.text);
	if (dev)
		run_constant(&t.run, "dev", dev);
	t.run.filter.self = 4711;
	if (!trial_plan(&t, g->target))
		n = check_plan(&t, g, command);
	else
		ck_assert_msg(may_refuse(t.err.text), "%s on %s without %s: %s", command, version, or_nothing(without),
			      t.err.text);
	trial_end(&t);
	return n;
}

/* Combination `number` of a tool's options as a command line; false: there are not so many. */
static bool combine(const struct choices *c, unsigned int number, bool forced, char *command, size_t size, int64_t *dev)
{
	*dev = 0;
	snprintf(command, size, "%s%s", c->tool, forced ? " --backend bpf" : "");
	for (int i = 0; i < 6 && c->of[i][0]; i++) {
		unsigned int n = 0;
		const char *word;

		while (n < 6 && c->of[i][n])
			n++;
		word = c->of[i][number % n];
		number /= n;
		if (!strncmp(word, "@dev ", 5))
			*dev = atoll(word + 5);
		else if (*word)
			snprintf(command + strlen(command), size - strlen(command), " %s", word);
	}
	return !number;
}

START_TEST(passes_the_rules)
{
	const struct generation *g = generation_by_name(generation_kernels[_i].generation);
	const char *version = generation_kernels[_i].version, *without = generation_kernels[_i].without;
	struct kernel *k = kernel(version, without);
	unsigned int checked = 0;

	ck_assert_ptr_nonnull(g);
	if (!k)
		return;
	kernel_free(k);
	for (int i = 0; i < COUNT(choices); i++) {
		char command[160];
		int64_t dev;

		for (unsigned int n = 0; combine(&choices[i], n, g->target == TARGET_BPF, command, sizeof(command), &dev); n++)
			checked += check_command(command, dev, g, version, without);
	}
	checked += check_command(g->target == TARGET_BPF ? "opensnoop --backend bpf --exec true" : "opensnoop --exec true",
				 0, g, version, without);
	ck_assert_uint_ge(checked, 3);
}
END_TEST

/* Each generation has a kernel here that is always there. */
START_TEST(all_generations)
{
	for (const struct generation *g = generations; g->name; g++) {
		bool found = false;

		for (int i = 0; i < COUNT(generation_kernels); i++)
			found |= !strcmp(generation_kernels[i].generation, g->name) &&
				 !strcmp(generation_kernels[i].version, "6.1");
		ck_assert_msg(found, "no kernel of %s", g->name);
	}
}
END_TEST

static void add(Suite *s, const char *name, const TTest *test, int n)
{
	TCase *c = tcase_create(name);

	tcase_add_loop_test(c, test, 0, n);
	suite_add_tcase(s, c);
}

Suite *suite_resolve(void)
{
	Suite *s = suite_create("resolve");

	if (!all_snapshots())
		printf("SKIP unit:resolve:eight of ten kernels: no snapshots in %s (set SONDE_KERNELS)\n", trial_kernels());
	add(s, "chosen", chosen, COUNT(rows));
	add(s, "chosen without", chosen_without, COUNT(lacking));
	add(s, "all combinations", rows_cover_everything, 1);
	add(s, "another machine", another_machine, 1);
	add(s, "rules", passes_the_rules, COUNT(generation_kernels));
	add(s, "all generations", all_generations, 1);
	return s;
}
