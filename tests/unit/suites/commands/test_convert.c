// SPDX-License-Identifier: GPL-2.0
/* Recordings as texts of other programs, to the byte; packets are for the live test. */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/commands/convert/formats.h"
#include "tests/unit/helpers/perf_file.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_convert(void);

#define SAMPLE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN)

static const struct perf_form traced = {
	.name = "traced", .sample_type = SAMPLE | PERF_SAMPLE_RAW, .attrs = 1,
}, swapped = {
	.name = "swapped", .sample_type = SAMPLE | PERF_SAMPLE_RAW, .attrs = 1, .swapped = true,
}, piped = {
	.name = "piped", .sample_type = SAMPLE | PERF_SAMPLE_RAW, .attrs = 1, .piped = true,
}, sampled = {
	.name = "sampled", .sample_type = SAMPLE, .attrs = 1, .sampled = true,
};

#define FRAMES									\
	"\t               9 [unknown] ([kernel.kallsyms])\n"			\
	"\t               8 [unknown] ([kernel.kallsyms])\n\n"
#define NAME(WHAT, PID, TID, NAME)						\
	"{\"ph\":\"M\",\"name\":\"" WHAT "\",\"pid\":" PID ",\"tid\":" TID ","	\
	"\"args\":{\"name\":\"" NAME "\"}}"
#define NAMES(ID, TEXT) NAME("process_name", ID, ID, TEXT) ",\n" NAME("thread_name", ID, ID, TEXT)
#define MOMENT(PID, TID, TIME)							\
	"{\"ph\":\"i\",\"name\":\"one\",\"pid\":" PID ",\"tid\":" TID ",\"cat\":\"t\","	\
	"\"ts\":0." TIME ",\"s\":\"t\","						\
	"\"args\":{\"comm\":\"comm\",\"port\":513,\"name\":\"\"}}"

/* The older event is of the other CPU, and its thread is made later: it has no name then. */
static const char script[] =
	":8     8 [001]     0.000000: t:one: comm\n" FRAMES
	"old     7 [000]     0.000000: t:one: comm\n" FRAMES;
static const char script_of_samples[] =
	":8     8 [001]     0.000000: cpu-clock: \n" FRAMES
	"old     7 [000]     0.000000: cpu-clock: \n" FRAMES;
static const char chrome[] =
	"[" NAMES("7", "old") ",\n" NAME("process_name", "4194306", "0", "events") ",\n"
	NAME("thread_name", "4194306", "1", "t:one") ",\n"
	MOMENT("4194306", "1", "090") ",\n" MOMENT("7", "7", "100") ",\n"
	NAMES("8", "old") ",\n" NAMES("8", "young") "]\n";
static const char chrome_of_samples[] =
	"[" NAMES("7", "old") ",\n" NAMES("8", "old") ",\n" NAMES("8", "young") "]\n";

static const struct {
	const struct perf_form *form;
	const struct convert_writer *writer;
	const char *wanted;
} rows[] = {
	{ &traced, &convert_perf_script, script },
	{ &swapped, &convert_perf_script, script },
	{ &piped, &convert_perf_script, script },
	{ &sampled, &convert_perf_script, script_of_samples },
	{ &traced, &convert_chrome, chrome },
	{ &sampled, &convert_chrome, chrome_of_samples },
};

START_TEST(texts)
{
	struct convert_asked asked = { };
	struct perf_file f;
	struct error err = { };
	char *path, text[4096];
	FILE *to = tmpfile();
	size_t n;

	perf_file_make(&f, rows[_i].form);
	path = perf_file_write(&f, f.size);
	ck_assert(to);
	asked.file = path;
	ck_assert_msg(!convert_events(&asked, to, rows[_i].writer, &err), "%s", err.text);
	rewind(to);
	n = fread(text, 1, sizeof(text) - 1, to);
	text[n] = '\0';
	ck_assert_str_eq(text, rows[_i].wanted);
	fclose(to);
	unlink(path);
	free(path);
	perf_file_free(&f);
}
END_TEST

Suite *suite_convert(void)
{
	Suite *s = suite_create("convert");
	TCase *t = tcase_create("convert");

	tcase_add_loop_test(t, texts, 0, sizeof(rows) / sizeof(rows[0]));
	suite_add_tcase(s, t);
	return s;
}
