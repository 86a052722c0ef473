// SPDX-License-Identifier: GPL-2.0
/* Probes of recordings: what the section with them says, broken sections, and a tool over them. */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/replay/replay.h"
#include "compat/kernel/keep.h"
#include "compat/recordings/recorded_probes.h"
#include "compat/recordings/swaps.h"
#include "tests/unit/helpers/perf_file.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_recorded_probes(void);

#define USUAL (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)
#define QUESTION "trace p:vfs_read\t(arg3>5)"

static const struct perf_form forms[] = {
	{ "file", .sample_type = USUAL, .attrs = 1 },
	{ "stream", true, .sample_type = USUAL, .attrs = 1 },
	{ "foreign file", false, true, .sample_type = USUAL, .attrs = 1 },
	{ "foreign stream", true, true, .sample_type = USUAL, .attrs = 1 },
};

struct opened {
	struct recording *recording;
	struct error err;
};

/* Opens a recording of this form with this section. */
static struct opened opened(const struct perf_form *form, const char *probes)
{
	struct perf_form own = *form;
	struct perf_file f;
	struct opened o = { };
	char *path;

	own.probes = probes;
	perf_file_make(&f, &own);
	path = perf_file_write(&f, f.size);
	o.recording = recording_open(path, NULL, &o.err);
	unlink(path);
	free(path);
	perf_file_free(&f);
	return o;
}

/* The section that the tool's plan on the kernel of a snapshot makes; the caller frees. */
static char *section(void)
{
	struct strbuf text = { };
	struct trial t;
	const struct event *e;

	ck_assert_msg(!trial_start(&t, QUESTION, trial_kernel("6.1")), "%s", t.err.text);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	ck_assert_uint_eq(t.run.plan.plan.n_attachments, 1);
	e = t.run.plan.plan.attachments[0].event;
	strbuf_addf(&text, "%s", PROBES_HEAD);
	kernel_learned(t.run.kernel, &text);
	strbuf_addf(&text, "function vfs_read\nprobe kprobe sonde_u:p_vfs_read_1 0 0 - "
		    "vfs_read %s\n", e->layout->fetch);
	trial_end(&t);
	return strbuf_take(&text);
}

static void count(void *arg, unsigned int program, const void *record, uint32_t size)
{
	(void)program;
	(void)record;
	(void)size;
	++*(unsigned int *)arg;
}

START_TEST(a_tool_finds_its_probe)
{
	char *probes = section();
	struct opened o = opened(&forms[_i], probes);
	struct engine_options options = { .recording = o.recording };
	unsigned int n, rows = 0;
	struct engine *e;
	struct trial t;

	ck_assert_msg(o.recording, "%s", o.err.text);
	recorded_probes(o.recording, &n);
	ck_assert_uint_eq(n, 1);
	ck_assert_msg(!trial_start(&t, QUESTION, recording_kernel(o.recording)), "%s", t.err.text);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	e = backend_replay.open(t.run.kernel, &t.run.plan.plan, &options, &t.err);
	ck_assert_msg(e, "%s", t.err.text);
	ck_assert_int_eq(backend_replay.start(e, &t.err), 0);
	while (!backend_replay.ended(e))
		ck_assert_int_ge(backend_replay.poll(e, UINT64_MAX, count, &rows, &t.err), 0);
	ck_assert_uint_eq(rows, 2);
	backend_replay.close(e);
	trial_end(&t);
	recording_close(o.recording);
	free(probes);
}
END_TEST

/* What the recording has no probe of, with these inputs, is refused by name. */
START_TEST(another_tool_is_refused)
{
	static const char *const others[][2] = {
		{ "opensnoop", "the recording has no" },
		{ "trace p:vfs_read\t(arg2>5)", "has no kprobe of vfs_read() with these" },
		{ "trace r:vfs_read", "has no kretprobe of vfs_read() with these" },
		{ "gethostlatency", "the recording has no probe of getaddrinfo()" },
	};
	char *probes = section();

	for (size_t i = 0; i < COUNT_OF(others); i++) {
		struct opened o = opened(&forms[0], probes);
		struct trial t;

		if (!trial_start(&t, others[i][0], recording_kernel(o.recording)))
			ck_assert_int_eq(trial_plan(&t, TARGET_RING), -1);
		ck_assert_msg(strstr(t.err.text, others[i][1]), "%s: %s", others[i][0],
			      t.err.text);
		trial_end(&t);
		recording_close(o.recording);
	}
	free(probes);
}
END_TEST

#define PROBE "probe kprobe sonde_u:p_vfs_read_1 0 0 "

static const struct {
	const char *text, *error;	/* error NULL: it is read */
	unsigned int probes;
} sections[] = {
	{ PROBES_HEAD, NULL, 0 },
	{ PROBES_HEAD PROBE "- vfs_read \n", NULL, 1 },
	{ PROBES_HEAD PROBE "- vfs_read\n", NULL, 1 },
	{ PROBES_HEAD "news of later versions\n" PROBE "- vfs_read\n", NULL, 1 },
	{ PROBES_HEAD "probe later sonde_u:x 0 0 - vfs_read\nfeature later yes\n", NULL, 0 },
	{ PROBES_HEAD "binary 0 - /a%20b%0a\n" PROBE "0 f\n", NULL, 1 },
	{ PROBES_HEAD "binary 0 - /%00%zz%\nplace 0 1 0 libc:f f\n" PROBE "0 f\n", NULL, 1 },
	{ PROBES_HEAD "disk 8:0 sda\npartition 8:1 sda1\ndisk 259:0 a%20b%0a\n", NULL, 0 },
	{ PROBES_HEAD "disk 8 sda\n", "its list of probes can't be read" },
	{ PROBES_HEAD "disk 8:1048576 sda\n", "its list of probes can't be read" },
	{ PROBES_HEAD "disk 8:0:0 sda\n", "its list of probes can't be read" },
	{ PROBES_HEAD "disk 8:0\n", "its list of probes can't be read" },
	{ "sonde probes 2\n", "are those of another version of sonde" },
	{ "nonsense", "are those of another version of sonde" },
	{ PROBES_HEAD PROBE "- vfs_read", "its list of probes is cut short" },
	{ PROBES_HEAD PROBE "0 vfs_read\n", "its list of probes can't be read" },
	{ PROBES_HEAD PROBE "-1 vfs_read\n", "its list of probes can't be read" },
	{ PROBES_HEAD PROBE "99999999999999999999 f\n", "its list of probes can't be read" },
	{ PROBES_HEAD PROBE "\n", "its list of probes can't be read" },
	{ PROBES_HEAD "probe kprobe\n", "its list of probes can't be read" },
	{ PROBES_HEAD "probe kprobe x y 0 - f\n", "its list of probes can't be read" },
	{ PROBES_HEAD "probe kprobe x 4294967296 0 - f\n", "its list of probes can't be read" },
	{ PROBES_HEAD "binary 2 - /a\n", "its list of probes can't be read" },
	{ PROBES_HEAD "place 0 1 0 libc:f f\n", "its list of probes can't be read" },
	{ PROBES_HEAD "function \n", "its list of probes can't be read" },
};

START_TEST(sections_are_read_or_refused)
{
	struct opened o = opened(&forms[0], sections[_i].text);
	unsigned int n;

	if (sections[_i].error) {
		ck_assert_ptr_null(o.recording);
		ck_assert_msg(strstr(o.err.text, sections[_i].error), "%s", o.err.text);
		return;
	}
	ck_assert_msg(o.recording, "%s", o.err.text);
	recorded_probes(o.recording, &n);
	ck_assert_uint_eq(n, sections[_i].probes);
	recording_close(o.recording);
}
END_TEST

START_TEST(disks_have_names)
{
	struct opened o = opened(&forms[0], PROBES_HEAD "disk 8:0 sda\npartition 8:1 sda1\n"
				 "disk 259:7 a%20b%0a\n");
	const struct recorded_disk *d;

	ck_assert_msg(o.recording, "%s", o.err.text);
	d = recorded_disk(o.recording, 259 << 20 | 7, NULL);
	ck_assert(d && !strcmp(d->name, "a b\n") && !d->partition);
	d = recorded_disk(o.recording, 0, "sda1");
	ck_assert(d && d->number == (8 << 20 | 1) && d->partition);
	ck_assert_ptr_null(recorded_disk(o.recording, 8, NULL));
	ck_assert_ptr_null(recorded_disk(o.recording, 0, "sdb"));
	recording_close(o.recording);
}
END_TEST

/* Of the other byte order numbers are turned round, but not texts that a probe read as words. */
START_TEST(texts_in_words_stay)
{
	static const char text[] =
		"name: event\nID: 7\nformat:\n"
		"\tfield:u32 number;\toffset:0;\tsize:4;\tsigned:0;\n"
		"\tfield:u16 port;\toffset:4;\tsize:2;\tsigned:0;\n"
		"\tfield:u64 path[2];\toffset:8;\tsize:16;\tsigned:0;\n"
		"\tfield:u64 last;\toffset:24;\tsize:8;\tsigned:0;\n"
		"\nprint fmt: \"\"\n";
	struct recording r = { .long_size = 8 };
	struct format *f = format_parse("system", text, strlen(text));
	uint8_t record[33] = "4321" "ba--" "/a/long/path.txt" "87654321";

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(swaps_add(&r, f), 0);
	swaps_keep(&r, 0, 4, 2);
	swaps_keep(&r, 0, 8, 16);
	swaps_keep(&r, 1, 0, 32);
	swaps_turn(&r, 0, record, 32);
	ck_assert_str_eq((char *)record, "1234" "ba--" "/a/long/path.txt" "12345678");
	swaps_free(&r);
	format_free(f);
}
END_TEST

/* Any part of a section is read, or refused. */
START_TEST(sections_may_end_anywhere)
{
	char *probes = section();

	for (size_t n = strlen(probes) - 1; n > 1; n -= n > 64 ? 61 : 1) {
		struct opened o;

		probes[n] = '\0';
		o = opened(&forms[_i], probes);
		ck_assert(o.recording || *o.err.text);
		recording_close(o.recording);
	}
	free(probes);
}
END_TEST

/* A list may say of a probe what its format does not have. */
START_TEST(the_format_has_the_last_word)
{
	char *probes = section(), *argument = strstr(probes, "- vfs_read ");
	struct opened o;
	struct trial t;
	char *second = NULL;

	/* the same argument twice: the record would be longer */
	ck_assert_ptr_nonnull(argument);
	argument[strcspn(argument, "\n")] = '\0';
	ck_assert_int_gt(asprintf(&second, "%s b=%s\n", probes, strchr(argument, '=') + 1), 0);
	o = opened(&forms[0], second);
	ck_assert_msg(o.recording, "%s", o.err.text);
	ck_assert_int_eq(trial_start(&t, QUESTION, recording_kernel(o.recording)), 0);
	ck_assert_int_eq(trial_plan(&t, TARGET_RING), -1);
	ck_assert_ptr_nonnull(strstr(t.err.text, "with these inputs"));
	trial_end(&t);
	recording_close(o.recording);
	free(second);
	free(probes);
}
END_TEST

START_TEST(words_come_back)
{
	struct strbuf text = { };

	recorded_word(&text, "a b%\n\x7f\xff", '\n');
	ck_assert_str_eq(text.s, "a%20b%25%0a%7f%ff\n");
	free(text.s);
}
END_TEST

Suite *suite_recorded_probes(void)
{
	Suite *s = suite_create("recorded_probes");
	TCase *t = tcase_create("recorded_probes");

	tcase_add_loop_test(t, a_tool_finds_its_probe, 0, COUNT_OF(forms));
	tcase_add_test(t, another_tool_is_refused);
	tcase_add_loop_test(t, sections_are_read_or_refused, 0, COUNT_OF(sections));
	tcase_add_test(t, disks_have_names);
	tcase_add_test(t, texts_in_words_stay);
	tcase_add_loop_test(t, sections_may_end_anywhere, 0, COUNT_OF(forms));
	tcase_add_test(t, the_format_has_the_last_word);
	tcase_add_test(t, words_come_back);
	suite_add_tcase(s, t);
	return s;
}
