// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that calls go around: signs of it on real kernels, what is tried, and what is chosen
 * then.
 */
#include <string.h>

#include "compat/resolve/bypass.h"
#include "compat/resolve/resolve.h"
#include "src/session/wording.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

Suite *suite_bypass(void);

static int runs(struct kernel *k, const char *symbol, enum act act, struct error *err)
{
	(void)k, (void)symbol, (void)act, (void)err;
	return 1;
}

static int never_runs(struct kernel *k, const char *symbol, enum act act, struct error *err)
{
	(void)k, (void)symbol, (void)act, (void)err;
	return 0;
}

static int no_trial(struct kernel *k, const char *symbol, enum act act, struct error *err)
{
	(void)k, (void)symbol, (void)act;
	return fail(err, "no folder\nmore");
}

static const struct {
	const char *kernel;
	struct probe probe;
	trier_fn trier;
	enum bypass bypass;
	const char *why;
} rows[] = {
	{ "4.1", { PROBE_KPROBE, ACT_RMDIR, .name = "vfs_rmdir" }, runs, BYPASS_NONE, NULL },
	{ "4.1", { PROBE_KPROBE, ACT_RMDIR, .name = "vfs_rmdir" }, never_runs, BYPASS_SURE,
	  "vfs_rmdir() did not run when sonde removed a directory: this kernel's calls go around "
	  "it" },
	{ "4.1", { PROBE_KPROBE, ACT_RMDIR, .name = "vfs_rmdir" }, no_trial, BYPASS_MAYBE,
	  "calls of vfs_rmdir() may go around it, by vfs_rmdir.part.0: no folder" },
	{ "4.1", { PROBE_KPROBE, ACT_RMDIR, .name = "vfs_rmdir" }, NULL, BYPASS_MAYBE,
	  "calls of vfs_rmdir() may go around it, by vfs_rmdir.part.0: it can't be tried here" },
	{ "4.1", { PROBE_KPROBE, .name = "vfs_rmdir" }, runs, BYPASS_MAYBE,
	  "calls of vfs_rmdir() may go around it, by vfs_rmdir.part.0" },
	{ "3.10", { PROBE_KRETPROBE, ACT_UNLINK, .name = "vfs_unlink" }, never_runs, BYPASS_SURE,
	  "vfs_unlink() did not run when sonde removed a file: this kernel's calls go around it" },
	/* No sign, so it is not tried, */
	{ "6.1", { PROBE_KPROBE, ACT_RMDIR, .name = "vfs_rmdir" }, never_runs, BYPASS_NONE, NULL },
	{ "4.1", { PROBE_KPROBE, ACT_MKDIR, .name = "vfs_mkdir" }, never_runs, BYPASS_NONE, NULL },
	/* but for a row that says so. */
	{ "6.1", { PROBE_KPROBE, ACT_CREATE, true, .name = "vfs_create" }, never_runs, BYPASS_SURE,
	  "vfs_create() did not run when sonde made a file: this kernel's calls go around it" },
	{ "6.1", { PROBE_KPROBE, ACT_CREATE, true, .name = "vfs_create" }, no_trial, BYPASS_MAYBE,
	  "calls of vfs_create() may go around it: no folder" },
	/* Where the function is but a part, that is what is probed. */
	{ "6.1", { PROBE_TRACEPOINT, .name = "sched:sched_switch" }, never_runs,
	  BYPASS_NONE, NULL },
	{ "6.1", { PROBE_KPROBE, .name = "no_such_function" }, never_runs, BYPASS_NONE, NULL },
};

START_TEST(signs)
{
	struct kernel *k = trial_kernel(rows[_i].kernel);
	struct error err = { };

	kernel_set_trier(k, rows[_i].trier);
	for (int twice = 0; twice < 2; twice++) {
		ck_assert_int_eq(kernel_bypass(k, &rows[_i].probe, &err), rows[_i].bypass);
		ck_assert_str_eq(err.text, rows[_i].why ? rows[_i].why : "");
	}
	kernel_free(k);
}
END_TEST

/* Is there, behind this alternative, one without a sign? */
static bool goes_on(struct kernel *k, const struct hook *h, unsigned int i)
{
	while (++i < h->n_alternatives) {
		const struct alternative *a = &h->alternatives[i];
		bool fine = true;

		for (unsigned int j = 0; j < a->n_probes; j++)
			fine &= kernel_bypass(k, &a->probes[j], NULL) == BYPASS_NONE;
		if (fine)
			return true;
	}
	return false;
}

/*
 * Every function of the table that a kernel we know has a sign for can be tried, or there is
 * another way.
 */
START_TEST(signs_have_acts)
{
	static const char *const kernels[] = {
		"3.10", "4.1", "4.4", "4.9", "4.12", "4.19", "5.10", "6.1", "6.12", "7.2",
	};
	struct kernel *k = trial_kernel(kernels[_i]);

	for (const struct hook *const *area = hooks; *area; area++)
		for (const struct hook *h = *area; h->name; h++)
			for (unsigned int i = 0; i < h->n_alternatives; i++)
				for (unsigned int j = 0; j < h->alternatives[i].n_probes; j++) {
					const struct probe *p = &h->alternatives[i].probes[j];

					ck_assert_msg(p->try || goes_on(k, h, i) ||
						      kernel_bypass(k, p, NULL) == BYPASS_NONE,
						      "%s: %s on %s", h->name, p->name,
						      kernels[_i]);
				}
	kernel_free(k);
}
END_TEST

/* What was tried decides, and is said. */
static const struct {
	const char *without;
	trier_fn trier;
	const char *chosen, *missing, *doubts;
} choices[] = {
	{ "function:security_inode_rmdir", runs, "vfs.rmdir: kprobe vfs_rmdir\n", "", "" },
	{ "function:security_inode_rmdir", never_runs,
	  "vfs.rmdir: kprobe sys_rmdir\nvfs.rmdir: kprobe sys_unlinkat\n", "", "" },
	{ "function:security_inode_rmdir", no_trial,
	  "vfs.rmdir: kprobe sys_rmdir\nvfs.rmdir: kprobe sys_unlinkat\n", "", "" },
	{ "function:security_inode_rmdir,function:sys_unlinkat,function:SyS_unlinkat", no_trial,
	  "vfs.rmdir: kprobe vfs_rmdir\n", "vfs.rmdir\n",
	  "vfs.rmdir may be incomplete: calls of vfs_rmdir() may go around it, by "
	  "vfs_rmdir.part.0: no folder\n" },
	{ "function:security_inode_rmdir,function:sys_unlinkat,function:SyS_unlinkat", never_runs,
	  "", "vfs.rmdir\n", "" },
};

static void lines_are(struct lines lines, const char *text)
{
	for (unsigned int i = 0; i < lines.n; i++) {
		size_t n = strlen(lines.list[i]);

		ck_assert_msg(!strncmp(text, lines.list[i], n) && text[n] == '\n', "%s",
			      lines.list[i]);
		text += n + 1;
	}
	ck_assert_str_eq(text, "");
	lines_free(&lines);
}

START_TEST(chosen)
{
	struct kernel *k = trial_kernel("4.1");
	const struct demand demand = { .hook = hook_by_name("vfs.rmdir"), .optional = true };
	struct resolution r;
	struct error err = { };

	kernel_set_trier(k, choices[_i].trier);
	ck_assert_int_eq(kernel_without(k, choices[_i].without, &err), 0);
	ck_assert_msg(!resolve(k, TARGET_RING, &demand, 1, &r, &err), "%s", err.text);
	lines_are(chosen_lines(&r), choices[_i].chosen);
	lines_are(missing_lines(&r), choices[_i].missing);
	lines_are(doubt_lines(&r), choices[_i].doubts);
	resolution_free(&r);
	kernel_free(k);
}
END_TEST

Suite *suite_bypass(void)
{
	Suite *s = suite_create("bypass");
	TCase *t = tcase_create("bypass");

	tcase_add_loop_test(t, signs, 0, COUNT_OF(rows));
	tcase_add_loop_test(t, signs_have_acts, 0, 10);
	tcase_add_loop_test(t, chosen, 0, COUNT_OF(choices));
	suite_add_tcase(s, t);
	return s;
}
