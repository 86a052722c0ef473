// SPDX-License-Identifier: GPL-2.0
/*
 * Which probes of which kernel serve which tool: rows (in resolve_*.c) of kernels, command lines,
 * engines, and what is chosen there or why nothing is.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/kinds/syscall.h"
#include "compat/resolve/build_event.h"
#include "compat/events/fetch.h"
#include "src/session/wording.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/rows/resolve_rows.h"
#include "tests/unit/unit.h"

Suite *suite_resolve(void);

/* By version, lacking some features. */
static struct kernel *kernel(const char *version, const char *without)
{
	struct kernel *k = trial_kernel(version);
	struct error err;

	ck_assert_msg(!without || !kernel_without(k, without, &err), "%s", err.text);
	return k;
}

#define DECLARE(NAME) extern const struct resolve_rows resolve_##NAME;
HOOK_AREAS(DECLARE)
DECLARE(functions)
DECLARE(raw)

#define ROW(NAME) &resolve_##NAME,
static const struct resolve_rows *const areas[] = { HOOK_AREAS(ROW) ROW(functions) NULL };

/* Row i of all areas' tables of one kind; NULL: no more. */
static const struct resolve_row *nth(bool lacking, int i)
{
	for (const struct resolve_rows *const *a = areas; *a; a++) {
		int n = lacking ? (*a)->n_lacking : (*a)->n_whole;

		if (i < n)
			return lacking ? &(*a)->lacking[i] : &(*a)->whole[i];
		i -= n;
	}
	return NULL;
}

static int count_rows(bool lacking)
{
	int n = 0;

	while (nth(lacking, n))
		n++;
	return n;
}

/* As rows have them: each ends with a newline. */
static const char *text_of(struct lines lines, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (unsigned int i = 0; i < lines.n && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s\n", lines.list[i]);
	ck_assert_uint_lt(n, size);
	lines_free(&lines);
	return text;
}

static const char *or_nothing(const char *s)
{
	return s ? s : "";
}

static void expect(const struct resolve_row *row, const char *version, enum target target)
{
	struct kernel *k = kernel(version, row->without);
	struct trial t;
	char what[160], text[8192];
	int result;

	snprintf(what, sizeof(what), "%s on %s (%s) without %s", row->command, version,
		 target == TARGET_BPF ? "bpf" : "rings", row->without ? row->without : "nothing");
	ck_assert_msg(!trial_start(&t, row->command, k), "%s: %s", what, t.err.text);
	result = trial_plan(&t, target);
	if (row->refused) {
		ck_assert_msg(result, "%s: not refused, but\n%s", what,
			      text_of(chosen_lines(&t.run.plan.resolution), text, sizeof(text)));
		ck_assert_msg(strstr(t.err.text, row->refused) != NULL, "%s: says\n%s", what,
			      t.err.text);
	} else {
		const struct resolution *r = &t.run.plan.resolution;

		ck_assert_msg(!result, "%s: %s", what, t.err.text);
		text_of(chosen_lines(r), text, sizeof(text));
		ck_assert_msg(!strcmp(text, row->chosen), "%s: chose\n%s", what, text);
		text_of(missing_lines(r), text, sizeof(text));
		ck_assert_msg(!strcmp(text, or_nothing(row->missing)), "%s: misses\n%s", what,
			      text);
		ck_assert_msg(r->no_compat == row->no_compat, "%s: 32-bit tasks %s", what,
			      r->no_compat ? "not seen" : "seen");
	}
	trial_end(&t);
}

/* On all kernels and engines of the row. */
static void expect_each(const struct resolve_row *row)
{
	char list[80], *rest = list, *version;

	snprintf(list, sizeof(list), "%s", row->kernels);
	while ((version = strsep(&rest, " ")))
		for (enum target target = TARGET_BPF; *version && target <= TARGET_RING; target++)
			if (row->targets & 1 << target)
				expect(row, version, target);
}

/* These rows do without raw and typed tracepoints and functions, which have rows of their own. */
static void expect_all(const struct resolve_row *whole)
{
	struct resolve_row copy = *whole;
	char without[160];

	snprintf(without, sizeof(without), "raw-tracepoints,tp_btf,fentry%s%s",
		 whole->without ? "," : "", or_nothing(whole->without));
	copy.without = without;
	expect_each(&copy);
}

START_TEST(chosen)
{
	expect_all(nth(false, _i));
}
END_TEST

START_TEST(chosen_without)
{
	expect_all(nth(true, _i));
}
END_TEST

START_TEST(raw)
{
	expect_each(&resolve_raw.whole[_i]);
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
		for (const char *const *version = trial_versions; *version; version++)
			for (int target = TARGET_BPF; target <= TARGET_RING; target++) {
				int n = (*t)->list != NULL;	/* it traces nothing */

				for (int i = 0; nth(false, i); i++) {
					const struct resolve_row *row = nth(false, i);

					n += !strcmp(row->command, (*t)->name) &&
						row->targets & 1 << target &&
					     names_version(row->kernels, *version);
				}
				ck_assert_msg(n == 1, "%s on %s, engine %d: %d rows", (*t)->name,
					*version, target, n);
			}
}
END_TEST

/* How the rings' probes are defined: the fetch arguments of one event of a plan. */
static const struct {
	const char *version, *without, *command;
	unsigned int attachment;
	const char *fetch;
} definitions[] = {
#define IN_PIECES(AT) \
	"+0(" AT "):u64 +7(" AT "):u64 +14(" AT "):u64 +21(" AT "):u64 +28(" AT "):u64 " \
	"+35(" AT "):u64 +42(" AT "):u64 +49(" AT "):u64 +56(" AT "):u64 +63(" AT "):u64 " \
	"+70(" AT "):u64 +77(" AT "):u64 +84(" AT "):u64 +91(" AT "):u64 +98(" AT "):u64 " \
	"+105(" AT "):u64 +112(" AT "):u64 +119(" AT "):u64 +126(" AT "):u64"
	{ "6.1", NULL, "opensnoop", 0, "flags=+0($arg3):u64 mode=+8($arg3):u64 dfd=$arg1:s32" },
	{ "6.1", NULL, "opensnoop", 1, "path=+0(+0($arg2)):x64[33]" },
	{ "6.1", NULL, "opensnoop", 2, "ret=$retval:s32" },
	{ "6.1", "fetch-arg", "opensnoop", 0, "flags=+0(%dx):u64 mode=+8(%dx):u64 dfd=%di:s32" },
	{ "3.10", NULL, "opensnoop", 0, "flags=%dx:u32 mode=%cx:u16 dfd=%di:s32" },
	/* execve(2)'s arguments are in the pt_regs that its wrapper is handed, since 4.17. */
	{ "6.1", NULL, "execsnoop --max-args 1", 0, "filename=+0(+112($arg1)):ustring" },
	{ "6.1", NULL, "execsnoop --max-args 1", 1, "arg0=+u0(+u0(+104($arg1))):ustring" },
	{ "6.1", NULL, "execsnoop --max-args 1", 2, "argv=+u0(+104($arg1)):ustring" },
	{ "6.1", NULL, "execsnoop --max-args 2", 4,
	  "ptr0=+u0(+104($arg1)):u64 ptr1=+u8(+104($arg1)):u64 ptr2=+u16(+104($arg1)):u64" },
	/* execveat */
	{ "6.1", NULL, "execsnoop --max-args 1", 5, "arg0=+u0(+u0(+96($arg1))):ustring" },
	{ "6.1", NULL, "execsnoop --max-args 1", 9,
	  "arg0=+u0(+u0(+88($arg1))):ustring" },	/* of a 32-bit task: %ecx */
	{ "6.1", NULL, "ext4slower", 0,
	  "name=+0(+40(+24(+0($arg1)))):string flags=+64(+0($arg1)):u32 pos=+8($arg1):s64" },
	{ "6.1", "fetch-arg,function:ext4_file_read_iter", "ext4slower", 6,
	  "magic=+96(+40(+32(+0(%di)))):u64 name=+0(+40(+24(+0(%di)))):string pos=+8(%di):s64" },
	{ "3.10", NULL, "execsnoop --max-args 1", 0,
	  "%si:u64 ptr0=+0(%si):u64 ptr1=+8(%si):u64 %di:u64 " IN_PIECES("%di")
	  " +0(%si):u64 " IN_PIECES("+0(%si)") },
	{ "3.10", NULL, "execsnoop --max-args 1", 1,
	  "%si:u64 ptr0=+0(%si):u32 ptr1=+4(%si):u32 %di:u64 " IN_PIECES("%di")
	  " +0(%si):u64 " IN_PIECES("+0(%si)") },
	/* Of user space: neither $argN nor other memory than user memory. */
	{ "6.1", NULL, "gethostlatency", 0, "pointer=%di:u64 host=+0(%di):x64[33]" },
	{ "6.1", NULL, "bashreadline", 2, "pointer=$retval:u64 line=+0($retval):x64[33]" },
	/*
	 * Calls of TCP were handed a kiocb first until 4.0, and before the flags another until
	 * 5.18.
	 */
	{ "3.10", NULL, "tcplife", 2, "sk=%si:u64" },
	{ "3.10", NULL, "tcplife", 3, "sk=%di:u64" },			/* tcp_sendpage */
	{ "3.10", NULL, "tcplife", 6, "sk=%si:u64 flags=%r9:u32" },
	{ "4.1", NULL, "tcplife", 2, "sk=%di:u64" },
	{ "5.10", NULL, "tcplife", 6, "sk=$arg1:u64 flags=$arg5:u32" },
	{ "6.1", "btf", "tcplife", 6, "sk=$arg1:u64 flags=$arg4:u32" },
	{ "3.10", NULL, "tcpconnect", 1,
	  "dport=+2(%si):u16 daddr6=+8(%si):u64 daddr6_8=+16(%si):u64 sk=%di:u64" },
};

START_TEST(definition)
{
	struct trial t;
	const struct plan *p = &t.run.plan.plan;
	struct kernel *k = kernel(definitions[_i].version, definitions[_i].without);

	ck_assert_int_eq(trial_start(&t, definitions[_i].command, k), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	ck_assert_uint_lt(definitions[_i].attachment, p->n_attachments);
	ck_assert_str_eq(p->attachments[definitions[_i].attachment].event->layout->fetch,
			 definitions[_i].fetch);
	trial_end(&t);
}
END_TEST

/*
 * A probe takes 128 arguments of 63 bytes, and its definition has to fit 4096 bytes; names of
 * groups are of 12, of probes 63.
 */
START_TEST(definition_limits)
{
	static const char *const versions[] = { "3.10", "4.1", "4.9", "4.19", "6.1" };
	static const char *const commands[] = { "execsnoop --max-args 60", "execsnoop",
						"execsnoop --max-args 1" };
	const char *command = commands[_i % 3];
	struct trial t;
	struct kernel *k = kernel(versions[_i / 3], "fetch-array");

	if (!k)
		return;
	ck_assert_int_eq(trial_start(&t, command, k), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	for (unsigned int i = 0; i < t.run.plan.plan.n_attachments; i++) {
		const char *at = t.run.plan.plan.attachments[i].event->layout->fetch;
		unsigned int n = 0;

		ck_assert_uint_le(at ? strlen(at) : 0, 4096 - 160);
		for (; at && *at; at += strcspn(at, " "), at += strspn(at, " "), n++)
			ck_assert_uint_le(strcspn(at, " "), 63);
		ck_assert_uint_le(n, 128);
	}
	trial_end(&t);
}
END_TEST

/*
 * Where inputs are found, and as what. On syscalls:* the slot is wider than the argument; its rest
 * means nothing.
 */
static const struct {
	const char *version, *without, *command;
	enum target target;
	unsigned int attachment;
	struct input input;
} found[] = {
	{ "6.1", "kprobes", "opensnoop", TARGET_BPF, 0,
	  { "dfd", INPUT_NUMBER, PLACE_RECORD, .offset = 16, .size = 4, .is_signed = true } },
	{ "6.1", "kprobes", "opensnoop", TARGET_BPF, 0,
	  { "flags", INPUT_NUMBER, PLACE_RECORD, .offset = 32, .size = 4, .is_signed = true } },
	{ "6.1", "kprobes", "opensnoop", TARGET_BPF, 0,
	  { "mode", INPUT_NUMBER, PLACE_RECORD, .offset = 40, .size = 2 } },
	{ "6.1", "kprobes", "opensnoop", TARGET_BPF, 0,
	  { "filename", INPUT_STRING, PLACE_RECORD, .offset = 24, .size = 8, .user = true } },
	{ "6.1", NULL, "opensnoop", TARGET_BPF, 0,
	  { "dfd", INPUT_NUMBER, PLACE_REGISTER, .offset = 112, .size = 4,
	  .is_signed = true, .register_size = 8 } },
	{ "6.1", NULL, "opensnoop", TARGET_BPF, 0,
	  { "mode", INPUT_NUMBER, PLACE_REGISTER, .offset = 96, .size = 8,
	  .register_size = 8, .derefs = 1, .deref = { { 8, 8, false } } } },
	{ "6.1", NULL, "opensnoop", TARGET_BPF, 1,
	  { "path", INPUT_STRING, PLACE_REGISTER, .offset = 104,
	  .register_size = 8, .derefs = 1, .deref = { { 0, 8, false } } } },
	{ "6.1", NULL, "opensnoop", TARGET_RING, 0,
	  { "dfd", INPUT_NUMBER, PLACE_RECORD, .offset = 32, .size = 4,
	  .is_signed = true } },
	{ "6.1", NULL, "opensnoop", TARGET_RING, 1,
	  { "path", INPUT_STRING, PLACE_RECORD, .offset = 16, .size = 264 } },
	{ "6.1", NULL, "opensnoop", TARGET_RING, 2,
	  { "ret", INPUT_NUMBER, PLACE_RECORD, .offset = 24, .size = 4,
	  .is_signed = true } },
	{ "6.1", NULL, "execsnoop", TARGET_BPF, 0,
	  { "ptr[2]", INPUT_NUMBER, PLACE_REGISTER, .offset = 112, .size = 8,
	  .register_size = 8, .derefs = 2, .deref = { { 104, 8, false }, { 16, 8, true } } } },
	{ "6.1", "function:__x64_sys_execve", "execsnoop", TARGET_BPF, 0,
	  { "ptr[2]", INPUT_NUMBER, PLACE_REGISTER, .offset = 24, .size = 8,
	  .register_size = 8, .derefs = 1, .deref = { { 16, 8, true } } } },
	{ "6.1", NULL, "execsnoop", TARGET_BPF, 2,
	  { "ptr[2]", INPUT_NUMBER, PLACE_REGISTER, .offset = 112, .size = 4,
	  .register_size = 8, .derefs = 2, .deref = { { 88, 8, false }, { 8, 4, true } } } },
	{ "6.1", NULL, "gethostlatency", TARGET_BPF, 0,
	  { "pointer", INPUT_NUMBER, PLACE_REGISTER, .offset = 112, .size = 8,
	  .user = true, .register_size = 8 } },
	{ "6.1", NULL, "gethostlatency", TARGET_BPF, 0,
	  { "host", INPUT_STRING, PLACE_REGISTER, .offset = 112,
	  .user = true, .register_size = 8 } },
	{ "6.1", NULL, "gethostlatency", TARGET_RING, 0,
	  { "host", INPUT_STRING, PLACE_RECORD, .offset = 24, .size = 264, .user = true } },
	{ "6.1", NULL, "bashreadline", TARGET_RING, 2,
	  { "line", INPUT_STRING, PLACE_RECORD, .offset = 32, .size = 264, .user = true } },
	{ "3.10", NULL, "tcpconnect", TARGET_RING, 0,
	  { "dport", INPUT_NUMBER, PLACE_RECORD, .offset = 18, .size = 2,
	  .network_order = true } },
};

START_TEST(input_found)
{
	const struct input *want = &found[_i].input, *in;
	char without[80];
	struct trial t;

	/* Rows of registers: functions with types have rows in test_raw.c. */
	snprintf(without, sizeof(without), "fentry%s%s", found[_i].without ? "," : "",
		 or_nothing(found[_i].without));
	ck_assert_int_eq(trial_start(&t, found[_i].command,
				     kernel(found[_i].version, without)), 0);
	ck_assert_msg(!trial_plan(&t, found[_i].target), "%s", t.err.text);
	in = event_input(t.run.plan.plan.attachments[found[_i].attachment].event, want->name);
	ck_assert_ptr_nonnull(in);
	ck_assert_int_eq(in->kind, want->kind);
	ck_assert_int_eq(in->place, want->place);
	ck_assert_int_eq(in->offset, want->offset);
	if (want->kind == INPUT_NUMBER || want->place == PLACE_RECORD)
		ck_assert_int_eq(in->size, want->size);
	ck_assert_int_eq(in->is_signed, want->is_signed);
	ck_assert_int_eq(in->user, want->user);
	ck_assert_int_eq(in->network_order, want->network_order);
	ck_assert_int_eq(in->register_size, want->register_size);
	ck_assert_int_eq(in->derefs, want->derefs);
	for (unsigned int i = 0; i < want->derefs; i++) {
		ck_assert_int_eq(in->deref[i].offset, want->deref[i].offset);
		ck_assert_int_eq(in->deref[i].size, want->deref[i].size);
		ck_assert_int_eq(in->deref[i].user, want->deref[i].user);
	}
	trial_end(&t);
}
END_TEST

/*
 * Another machine's kernel in a folder of its own: the formats of 6.1, and what `uname -a` and
 * kallsyms say.
 */
static struct kernel *other_kernel(const char *dir, const char *uname, const char *functions)
{
	static const char formats[] = KERNELS "/6.1/formats";
	char link[64], target[512], cwd[400];
	struct kernel *k;

	ck_assert_ptr_nonnull(getcwd(cwd, sizeof(cwd)));
	snprintf(link, sizeof(link), "%s/formats", dir);
	snprintf(target, sizeof(target), "%s/%s", cwd, formats);
	ck_assert_int_eq(symlink(target, link), 0);
	write_text(dir, "uname", uname);
	write_text(dir, "tracefs-path", "/sys/kernel/tracing\n");
	write_text(dir, "kallsyms-names.gz", functions);
	k = kernel_snapshot(dir, NULL);
	ck_assert_ptr_nonnull(k);
	return k;
}

START_TEST(another_machine)
{
	char *dir = temporary();
	struct kernel *k = other_kernel(dir, "Linux box 6.1.0 #1 SMP aarch64 GNU/Linux\n",
		"T __arm64_sys_execve\nT __arm64_sys_execveat\nT __arm64_compat_sys_execve\n"
		"T __arm64_compat_sys_execveat\nt do_sys_openat2\nT do_filp_open\n");
	struct trial t;
	char text[8192];

	ck_assert_int_eq(trial_start(&t, "execsnoop", k), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	ck_assert_str_eq(text_of(chosen_lines(&t.run.plan.resolution), text, sizeof(text)),
			 EXEC_PROBES("__arm64_sys_", "__arm64_compat_sys_", ""));
	/*
	 * The pt_regs of a wrapped call: argument 1 in x0 holds it, argument N of the call is at
	 * 8 * (N - 1).
	 */
	ck_assert_str_eq(t.run.plan.plan.attachments[0].event->layout->fetch,
			 "filename=+0(+0($arg1)):ustring");
	plan_free(&t.run.plan);
	t.run.plan = (struct made_plan){ };
	ck_assert_int_eq(kernel_without(k, "fetch-arg", NULL), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	ck_assert_str_eq(t.run.plan.plan.attachments[0].event->layout->fetch,
			 "filename=+0(+0(%x0)):ustring");
	plan_free(&t.run.plan);
	t.run.plan = (struct made_plan){ };
	/* Kernel accessors can't read user memory there. */
	ck_assert_int_eq(kernel_without(k, "fetch-ustring", NULL), 0);
	ck_assert_int_eq(trial_plan(&t, TARGET_RING), -1);
	ck_assert_msg(strstr(t.err.text, "needs fetch type ustring for filename") != NULL, "%s",
		      t.err.text);
	trial_end(&t);
	remove_all(dir);
}
END_TEST

/*
 * In programs. Where uprobes read registers alone, what a function returns is in one. The only text
 * is the last argument, and ends where an empty one makes the record longer, as that of a part.
 */
static const struct {
	const char *kernel, *command;
	unsigned int attachment;
	const char *fetch;		/* NULL: refused */
	int last;			/* the offset of that text */
} user_fetches[] = {
	{ "3.10", "threadsnoop", 0, "start=%dx:u64" },
	{ "3.10", "threadsnoop", 1, "ret=%ax:s32" },
	{ "4.1", "threadsnoop", 1, "ret=$retval:s32" },
	{ "3.10", "stackcount c:malloc -U", 0, NULL },
	{ "4.1", "stackcount c:malloc -U", 0, "caller=+0(%sp):u64" },
	{ "3.10", "trace c:getaddrinfo\"%s\",arg1", 0, NULL },
	{ "4.9", "trace c:getaddrinfo\"%s\",arg1", 0, "a0=+0(%di):string", 16 },
};

START_TEST(fetched_of_user)
{
	struct kernel *k = trial_kernel(user_fetches[_i].kernel);
	struct trial t;
	const struct event *e;

	ck_assert_int_eq(trial_start(&t, user_fetches[_i].command, k), 0);
	if (!user_fetches[_i].fetch) {
		ck_assert_int_eq(trial_plan(&t, TARGET_RING), -1);
		ck_assert_msg(strstr(t.err.text, CANT_READ_MEMORY), "%s", t.err.text);
		trial_end(&t);
		return;
	}
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	e = t.run.plan.plan.attachments[user_fetches[_i].attachment].event;
	ck_assert_str_eq(e->layout->fetch, user_fetches[_i].fetch);
	for (unsigned int i = 0; user_fetches[_i].last && i < e->layout->n_inputs; i++)
		if (e->layout->inputs[i].place == PLACE_DATA_LOC) {
			ck_assert(e->layout->inputs[i].is_last);
			ck_assert_int_eq(e->layout->inputs[i].offset, user_fetches[_i].last);
		}
	trial_end(&t);
}
END_TEST

/*
 * A part's data_loc ends 4 bytes beyond a multiple of 8, so that an empty text's NUL makes perf's
 * record longer: with the 12 bytes that a probe's record begins with on 32-bit kernels, that takes
 * 4 more in front.
 */
static const struct {
	const char *uname, *functions, *fetch;
} part_machines[] = {
	{ "Linux box 6.1.0 #1 SMP aarch64 GNU/Linux\n", "T __arm64_sys_execve\n",
	  "filename=+0(+0(%x0)):ustring" },
	{ "Linux box 6.1.0 #1 SMP armv7l GNU/Linux\n", "T sys_execve\n",
	  "pad=%r0:u32 filename=+0(%r0):ustring" },
	{ "Linux box 6.1.0 #1 SMP i686 GNU/Linux\n", "T __ia32_sys_execve\n",
	  "pad=%ax:u32 filename=+0(+0(%ax)):ustring" },
};

START_TEST(part_of_machine)
{
	char *dir = temporary();
	struct kernel *k = other_kernel(dir, part_machines[_i].uname, part_machines[_i].functions);
	const struct event *part;
	struct trial t;

	ck_assert_int_eq(kernel_without(k, "fetch-arg", NULL), 0);
	ck_assert_int_eq(trial_start(&t, "execsnoop", k), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	part = t.run.plan.plan.attachments[0].event;
	ck_assert(part->is_part);
	ck_assert_str_eq(part->layout->fetch, part_machines[_i].fetch);
	ck_assert_int_eq(part->layout->inputs[0].offset, 16);
	trial_end(&t);
	remove_all(dir);
}
END_TEST

/*
 * Later arguments of the kernel's functions; where one is unavailable, what follows is where it is
 * without it.
 */
static const struct {
	const char *uname, *fetch;
	struct input fifth, last;
} argument_machines[] = {
	{ "Linux box 6.1.0 #1 SMP aarch64 GNU/Linux\n",
	  "first=%x0:u64 fifth=%x4:u32 last=+8(%x1):u32",
	  { .offset = 32, .size = 4, .register_size = 8 }, { .offset = 28 } },
	{ "Linux box 6.1.0 #1 SMP armv7l GNU/Linux\n",
	  "first=%r0:u32 fifth=$stack0:u32 last=+8(%r1):u32",
	  { .offset = 52, .size = 4, .register_size = 4, .derefs = 1,
	    .deref = { { 0, 4, false } } }, { .offset = 20 } },
	{ "Linux box 6.1.0 #1 SMP i686 GNU/Linux\n",
	  "first=%ax:u32 fifth=$stack2:u32 last=+8(%dx):u32",
	  { .offset = 60, .size = 4, .register_size = 4, .derefs = 1,
	    .deref = { { 8, 4, false } } }, { .offset = 20 } },
	/* The stack pointer of the kernel is not in pt_regs there. */
	{ "Linux box 4.19.0 #1 SMP i686 GNU/Linux\n",
	  "first=%ax:u32 fifth=$stack2:u32 last=+8(%dx):u32", { }, { .offset = 20 } },
	{ "Linux box 6.1.0 #1 SMP s390x GNU/Linux\n",
	  "first=%r2:u64 fifth=%r6:u32 last=+8(%r3):u32",
	  { .offset = 72, .size = 4, .register_size = 8 }, { .offset = 28 } },
};

START_TEST(arguments_of_machine)
{
	static const struct probe probe = { .kind = PROBE_KPROBE, .name = "called",
					    .inputs = "first=$arg1:uW fifth?=$arg5:u32 "
						      "last=+8($arg2):u32" };
	static const struct hook hook = { .name = "a.hook" };
	struct wanted_input inputs[] = { { .name = "first" }, { .name = "fifth?" },
					 { .name = "last" } };
	const struct demand d = { .hook = &hook, .n_inputs = 3, .inputs = inputs };
	struct layouts layouts = { };
	const struct alternative a = { };
	const struct input *want = &argument_machines[_i].fifth, *in;
	char *dir = temporary();
	struct kernel *k = other_kernel(dir, argument_machines[_i].uname, "T called\n");
	struct event *e;
	struct refusal refusal;

	ck_assert_int_eq(kernel_without(k, "fetch-arg", NULL), 0);
	ck_assert_msg(build_events(k, TARGET_RING, &a, &probe, &d, NULL, false, &layouts,
				   &e, 1, &refusal) == 1, "%s", refusal.why.text);
	ck_assert_str_eq(e->layout->fetch, argument_machines[_i].fetch);
	ck_assert_int_eq(event_input(e, "last")->offset, argument_machines[_i].last.offset);
	free(e);
	ck_assert_msg(build_events(k, TARGET_BPF, &a, &probe, &d, NULL, false, &layouts,
				   &e, 1, &refusal) == 1, "%s", refusal.why.text);
	in = event_input(e, "fifth");
	ck_assert_int_eq(in != NULL, want->size != 0);
	if (in) {
		ck_assert_int_eq(in->offset, want->offset);
		ck_assert_int_eq(in->register_size, want->register_size);
		ck_assert_int_eq(in->derefs, want->derefs);
		ck_assert_int_eq(in->deref[0].offset, want->deref[0].offset);
		ck_assert_int_eq(in->deref[0].size, want->deref[0].size);
	}
	free(e);
	layouts_free(&layouts);
	kernel_free(k);
	remove_all(dir);
}
END_TEST

/* Where programs' functions have theirs. */
static const struct {
	const char *uname, *fetch;
	struct input pointer;
} user_machines[] = {
	{ "Linux box 6.1.0 #1 SMP aarch64 GNU/Linux\n", "pointer=%x0:u64 host=+0(%x0):x64[33]",
	  { .offset = 0, .size = 8, .register_size = 8 } },
	{ "Linux box 6.1.0 #1 SMP i686 GNU/Linux\n", "pointer=+4(%sp):u32 host=+0(+4(%sp)):x64[33]",
	  { .offset = 60, .size = 4, .register_size = 4, .derefs = 1,
	    .deref = { { 4, 4, true } } } },
	{ "Linux box 6.1.0 #1 SMP ppc64le GNU/Linux\n", "pointer=%r3:u64 host=+0(%r3):x64[33]",
	  { .offset = 24, .size = 8, .register_size = 8 } },
	{ "Linux box 6.1.0 #1 SMP s390x GNU/Linux\n", "pointer=%r2:u64 host=+0(%r2):x64[33]",
	  { .offset = 40, .size = 8, .register_size = 8 } },
	{ "Linux box 6.12.0 #1 SMP riscv64 GNU/Linux\n", "pointer=%a0:u64 host=+0(%a0):x64[33]",
	  { .offset = 80, .size = 8, .register_size = 8 } },
};

START_TEST(user_of_machine)
{
	char *dir = temporary();
	struct kernel *k = other_kernel(dir, user_machines[_i].uname, "");
	const struct input *want = &user_machines[_i].pointer, *in;
	struct trial t;

	ck_assert_int_eq(trial_start(&t, "gethostlatency", k), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	ck_assert_str_eq(t.run.plan.plan.attachments[0].event->layout->fetch,
			 user_machines[_i].fetch);
	plan_free(&t.run.plan);
	t.run.plan = (struct made_plan){ };
	ck_assert_msg(!trial_plan(&t, TARGET_BPF), "%s", t.err.text);
	in = event_input(t.run.plan.plan.attachments[0].event, "pointer");
	ck_assert_ptr_nonnull(in);
	ck_assert_int_eq(in->place, PLACE_REGISTER);
	ck_assert_int_eq(in->offset, want->offset);
	ck_assert_int_eq(in->size, want->size);
	ck_assert_int_eq(in->register_size, want->register_size);
	ck_assert_int_eq(in->derefs, want->derefs);
	ck_assert_int_eq(in->deref[0].offset, want->deref[0].offset);
	ck_assert_int_eq(in->deref[0].size, want->deref[0].size);
	ck_assert_int_eq(in->deref[0].user, want->deref[0].user);
	trial_end(&t);
	remove_all(dir);
}
END_TEST

START_TEST(user_returns_of_arm)
{
	char *dir = temporary();
	struct kernel *k = other_kernel(dir, "Linux box 6.1.0 #1 SMP armv7l GNU/Linux\n", "");
	struct trial t;

	ck_assert_int_eq(trial_start(&t, "gethostlatency", k), 0);
	for (enum target target = TARGET_BPF; target <= TARGET_RING; target++) {
		ck_assert_int_eq(trial_plan(&t, target), -1);
		ck_assert_msg(strstr(t.err.text,
				     "returns of getaddrinfo() can't be probed on 32-bit ARM"),
			      "%s", t.err.text);
		plan_free(&t.run.plan);
		t.run.plan = (struct made_plan){ };
	}
	trial_end(&t);
	remove_all(dir);
}
END_TEST

/* Where return probes bring others' programs down, the user has to insist. */
static const struct {
	const char *uname, *command;
	bool refused;
} lethal_returns[] = {
	{ "Linux box 6.10.14 #1 SMP x86_64 GNU/Linux\n", "gethostlatency", false },
	{ "Linux box 6.11.0 #1 SMP x86_64 GNU/Linux\n", "gethostlatency", true },
	{ "Linux box 6.12.5 #1 SMP x86_64 GNU/Linux\n", "bashreadline", true },
	{ "Linux box 6.12.5 #1 SMP x86_64 GNU/Linux\n", "bashreadline --backend perf", false },
	{ "Linux box 6.12.5 #1 SMP aarch64 GNU/Linux\n", "bashreadline", false },
	{ "Linux box 6.12.20 #1 SMP x86_64 GNU/Linux\n", "gethostlatency", false },
	{ "Linux box 6.13.7 #1 SMP x86_64 GNU/Linux\n", "gethostlatency", true },
	{ "Linux box 6.13.8 #1 SMP x86_64 GNU/Linux\n", "gethostlatency", false },
	{ "Linux box 6.14.0 #1 SMP x86_64 GNU/Linux\n", "gethostlatency", false },
};

START_TEST(lethal_returns_are_refused)
{
	char *dir = temporary();
	struct kernel *k = other_kernel(dir, lethal_returns[_i].uname, "");
	struct trial t;

	ck_assert_int_eq(trial_start(&t, lethal_returns[_i].command, k), 0);
	ck_assert_msg(trial_plan(&t, TARGET_RING) == -lethal_returns[_i].refused, "%s", t.err.text);
	ck_assert(!lethal_returns[_i].refused || strstr(t.err.text, "seccomp filter"));
	trial_end(&t);
	remove_all(dir);
}
END_TEST

/*
 * How machines hand a system call its arguments: the rings' fetch arguments of execve's path and
 * pointers.
 */
#define BOTH_CALLS(PREFIX)	"T " PREFIX "execve\nT " PREFIX "execveat\n"
#define S390X			BOTH_CALLS("__se_sys_") BOTH_CALLS("__s390x_sys_")
static const struct {
	const char *uname, *functions, *function, *path, *ptr0;
} calls[] = {
	{ "Linux box 6.1.0 #1 SMP s390x GNU/Linux\n", S390X, "__s390x_sys_execve",
	  "filename=+0(+152(%r2)):ustring", "ptr0=+u0(+48(%r2)):u64 ptr1=+u8(+48(%r2)):u64" },
	{ "Linux box 6.1.0 #1 SMP s390x GNU/Linux\n", S390X BOTH_CALLS("__s390_compat_sys_"),
	  "__s390x_sys_execve",
	  "filename=+0(+152(%r2)):ustring", "ptr0=+u0(+48(%r2)):u64 ptr1=+u8(+48(%r2)):u64" },
	/* The same name, but the arguments themselves. */
	{ "Linux box 5.10.0 #1 SMP s390x GNU/Linux\n", S390X, "__s390x_sys_execve",
	  "filename=+0(%r2):ustring", "ptr0=+u0(%r3):u64 ptr1=+u8(%r3):u64" },
	{ "Linux box 6.1.0 #1 SMP ppc64le GNU/Linux\n", BOTH_CALLS("sys_"), "sys_execve",
	  "filename=+0(+24(%r3)):ustring", "ptr0=+u0(+32(%r3)):u64 ptr1=+u8(+32(%r3)):u64" },
	{ "Linux box 5.10.0 #1 SMP ppc64le GNU/Linux\n", BOTH_CALLS("sys_") BOTH_CALLS("__se_sys_"),
	  "__se_sys_execve", "filename=+0(%r3):ustring", "ptr0=+u0(%r4):u64 ptr1=+u8(%r4):u64" },
	{ "Linux box 6.12.0 #1 SMP riscv64 GNU/Linux\n", BOTH_CALLS("__riscv_sys_"),
	  "__riscv_sys_execve",
	  "filename=+0(+280(%a0)):ustring", "ptr0=+u0(+88(%a0)):u64 ptr1=+u8(+88(%a0)):u64" },
};

START_TEST(call_of_machine)
{
	char *dir = temporary();
	struct kernel *k = other_kernel(dir, calls[_i].uname, calls[_i].functions);
	const struct attachment *a;
	struct trial t;

	ck_assert_int_eq(kernel_without(k, "fetch-arg", NULL), 0);
	ck_assert_int_eq(trial_start(&t, "execsnoop --max-args 1", k), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	a = t.run.plan.plan.attachments;
	ck_assert_str_eq(a[0].event->name, calls[_i].function);
	ck_assert_str_eq(a[0].event->layout->fetch, calls[_i].path);
	ck_assert_str_eq(a[3].event->layout->fetch, calls[_i].ptr0);
	trial_end(&t);
	remove_all(dir);
}
END_TEST

/*
 * A number among them is in the low half of its register: the second one on big-endian
 * machines.
 */
START_TEST(number_of_call)
{
	char *dir = temporary();
	struct kernel *k = other_kernel(dir, "Linux box 6.1.0 #1 SMP s390x GNU/Linux\n",
					"T __se_sys_kill\nT __s390x_sys_kill\n");
	struct trial t;

	ck_assert_int_eq(kernel_without(k, "fetch-arg", NULL), 0);
	ck_assert_int_eq(trial_start(&t, "killsnoop", k), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	ck_assert_str_eq(t.run.plan.plan.attachments[0].event->layout->fetch,
			 "tpid=+156(%r2):s32 sig=+52(%r2):s32");
	trial_end(&t);
	remove_all(dir);
}
END_TEST

/* Whether a kernel may have 32-bit tasks, where no sysctl says so. */
static const struct {
	const char *uname, *functions;
	bool compat;
} compat_tasks[] = {
	{ "Linux box 6.1.0 #1 SMP s390x GNU/Linux\n", S390X, false },
	{ "Linux box 6.1.0 #1 SMP s390x GNU/Linux\n", S390X "T __s390_compat_sys_execve\n", true },
	{ "Linux box 6.1.0 #1 SMP ppc64le GNU/Linux\n", BOTH_CALLS("sys_"), false },
	{ "Linux box 6.12.0 #1 SMP riscv64 GNU/Linux\n", BOTH_CALLS("__riscv_sys_"), false },
	{ "Linux box 6.12.0 #1 SMP riscv64 GNU/Linux\n", "T __riscv_compat_sys_execve\n", true },
};

START_TEST(compat_tasks_of_machine)
{
	char *dir = temporary();
	struct kernel *k = other_kernel(dir, compat_tasks[_i].uname, compat_tasks[_i].functions);

	ck_assert_int_eq(kernel_has_compat_tasks(k), compat_tasks[_i].compat);
	kernel_free(k);
	remove_all(dir);
}
END_TEST

/* One row a name: a second would never be asked. */
START_TEST(hooks_are_named_once)
{
	for (const struct hook *const *area = hooks; *area; area++)
		for (const struct hook *h = *area; h->name; h++)
			ck_assert_msg(hook_by_name(h->name) == h,
				      "%s is twice in the hook table", h->name);
}
END_TEST

/* Without kprobes and without what is cheaper, people are told of kprobes alone. */
START_TEST(cheaper_is_not_told)
{
	struct trial t;

	ck_assert(!trial_start(&t, "funclatency vfs_read", kernel("6.1", "kprobes,fentry")));
	ck_assert(trial_plan(&t, TARGET_BPF));
	ck_assert_msg(strstr(t.err.text, "this kernel has no kprobes") &&
		      !strstr(t.err.text, "fentry"), "%s", t.err.text);
	trial_end(&t);
}
END_TEST

/*
 * What is read from memory says how wide it is: a pointer left to be u64 has its neighbour in it on
 * 32-bit kernels.
 */
START_TEST(memory_has_a_width)
{
	for (const struct hook *const *area = hooks; *area; area++)
		for (const struct hook *h = *area; h->name; h++)
			for (unsigned int a = 0; a < h->n_alternatives; a++)
				for (unsigned int p = 0; p < h->alternatives[a].n_probes; p++) {
					const char *text = h->alternatives[a].probes[p].inputs;
					struct error err = { };
					struct fetch f;
					int found;

					while ((found = fetch_next(&text, &f, &err)) > 0)
						ck_assert_msg(!f.derefs || f.type != TYPE_DEFAULT,
							      "%s: %s", h->name, f.name);
					ck_assert_msg(!found, "%s: %s", h->name, err.text);
				}
}
END_TEST

/* Nothing is kept of an alternative that does not serve, not even that it misses tasks. */
START_TEST(compat_of_served)
{
	static const struct probe none = { .kind = PROBE_KPROBE, .name = "no_such_function",
					   .inputs = "" },
				  some = { .kind = PROBE_TRACEPOINT, .name = "sched:sched_switch",
					   .inputs = "" };
	const struct alternative alternatives[] = {
		{ .probes = &none, .n_probes = 1, .no_compat = true },
		{ .probes = &some, .n_probes = 1, .no_compat = _i == 1 },
	};
	const struct hook hook = { "test.hook", .alternatives = alternatives,
				   .n_alternatives = _i < 2 ? 2 : 1 };
	const struct demand demand = { .hook = &hook };
	struct kernel *k = trial_kernel("6.1");
	struct resolution r;
	struct error err = { };

	ck_assert_int_eq(resolve(k, TARGET_BPF, &demand, 1, &r, &err), _i < 2 ? 0 : -1);
	ck_assert_int_eq(r.no_compat, _i == 1);
	resolution_free(&r);
	kernel_free(k);
}
END_TEST

Suite *suite_resolve(void)
{
	Suite *s = suite_create("resolve");

	add_tests(s, "32-bit tasks of what serves", compat_of_served, 3);
	add_tests(s, "named once", hooks_are_named_once, 1);
	add_tests(s, "widths", memory_has_a_width, 1);
	add_tests(s, "reasons", cheaper_is_not_told, 1);
	add_tests(s, "chosen", chosen, count_rows(false));
	add_tests(s, "chosen without", chosen_without, count_rows(true));
	add_tests(s, "raw", raw, resolve_raw.n_whole);
	add_tests(s, "all combinations", rows_cover_everything, 1);
	add_tests(s, "definitions", definition, COUNT_OF(definitions));
	add_tests(s, "limits of definitions", definition_limits, 15);
	add_tests(s, "inputs", input_found, COUNT_OF(found));
	add_tests(s, "another machine", another_machine, 1);
	add_tests(s, "parts of machines", part_of_machine, COUNT_OF(part_machines));
	add_tests(s, "fetched_of_user", fetched_of_user,
		  sizeof(user_fetches) / sizeof(user_fetches[0]));
	add_tests(s, "user space of machines", user_of_machine, COUNT_OF(user_machines));
	add_tests(s, "arguments", arguments_of_machine,
		  sizeof(argument_machines) / sizeof(argument_machines[0]));
	add_tests(s, "returns of user space", user_returns_of_arm, 1);
	add_tests(s, "lethal returns", lethal_returns_are_refused, COUNT_OF(lethal_returns));
	add_tests(s, "calls of machines", call_of_machine, COUNT_OF(calls));
	add_tests(s, "a number of a call", number_of_call, 1);
	add_tests(s, "32-bit tasks of machines", compat_tasks_of_machine, COUNT_OF(compat_tasks));
	return s;
}
