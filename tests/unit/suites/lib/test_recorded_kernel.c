// SPDX-License-Identifier: GPL-2.0
/* Names of a recorded kernel: only those that are certainly right. */
#include "src/lib/symbols/recorded/recorded_kernel.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/helpers/perf_file.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_recorded_kernel(void);

/* A stream: a file of this form has names of the kernel itself. */
static const struct perf_form form = {
	.piped = true,
	.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW,
	.attrs = 1,
};

static const char kallsyms[] =
	"ffffffff81000100 T _stext\n"
	"ffffffff81000200 T first\n"
	"ffffffff8100f000 T last\n"
	"ffffffff81020000 T behind\n"
	"ffffffffc0000000 t inside\t[module]\n"
	"ffffffffc0100000 t bpf_prog_1_x\t[bpf]\n";

/* Recording and kallsyms of a test, and the names that they give. */
struct names {
	struct recording *recording;
	char *path, *folder, kallsyms[256];
	struct recorded_kernel *kernel;
};

static struct names begin(const char *text)
{
	struct names n = { .folder = text ? temporary() : NULL };
	struct recorded rec;
	struct perf_file f;

	perf_file_make(&f, &form);
	n.path = perf_file_write(&f, f.size);
	perf_file_free(&f);
	n.recording = recording_open(n.path, NULL, NULL);
	while (recording_next(n.recording, &rec, NULL) > 0)
		continue;
	if (text)
		write_text(n.folder, "kallsyms", text);
	return n;
}

static void open_names(struct names *n)
{
	snprintf(n->kallsyms, sizeof(n->kallsyms), "%s/kallsyms", n->folder ? n->folder : "");
	n->kernel = recorded_kernel_new(n->recording, n->folder ? n->kallsyms : NULL);
}

static void end(struct names *n)
{
	recorded_kernel_free(n->kernel);
	recording_close(n->recording);
	unlink(n->path);
	free(n->path);
	if (n->folder)
		remove_all(n->folder);
}

static const char *name_of(struct names *n, uint64_t address)
{
	static char name[KERNEL_NAME];
	const char *module;
	uint64_t start;

	return recorded_kernel_find(n->kernel, address, name, &start, &module) ? name : "";
}

static const struct {
	uint64_t address;
	const char *name;
} found[] = {
	{ 0xffffffff81000210, "first" }, { 0xffffffff8100f001, "last" },
	{ 0xffffffff81020000, "behind" },	/* the beginning of the kernel */
	{ 0xffffffffc0000010, "inside" },
	{ 0xffffffffc0100000, "" },		/* another one may have been there */
	{ 0x5010, "stays" }, { 0x6090, "" },
};

START_TEST(a_file_of_the_same_kernel_names_it)
{
	struct names n = begin(kallsyms);
	struct error err = { };

	open_names(&n);
	ck_assert_int_eq(recorded_kernel_check(n.kernel, &err), 0);
	ck_assert_str_eq(name_of(&n, 0xffffffff81000210), "first");
	ck_assert_ptr_null(recorded_kernel_lack(n.kernel));
	for (unsigned int i = 0; i < COUNT_OF(found); i++)
		ck_assert_msg(!strcmp(name_of(&n, found[i].address), found[i].name), "%llx: %s",
			      (unsigned long long)found[i].address,
			      name_of(&n, found[i].address));
	ck_assert_ptr_nonnull(strstr(recorded_kernel_lack(n.kernel), "some are in BPF programs"));
	end(&n);
}
END_TEST

static const struct {
	const char *kallsyms, *why;
} refused[] = {
	{ "ffffffff82000100 T _stext\nffffffff81000200 T first\n",
	  "has _stext at ffffffff82000100, and the recorded kernel had it at ffffffff81000100" },
	{ "0000000000000000 T _stext\n", "has no addresses: they are for root" },
	{ "ffffffff81000200 T first\n", "has no _stext" },
};

START_TEST(a_file_of_another_kernel_is_refused)
{
	struct names n = begin(refused[_i].kallsyms);
	struct error err = { };

	open_names(&n);
	ck_assert_int_eq(recorded_kernel_check(n.kernel, &err), -1);
	ck_assert_msg(strstr(err.text, refused[_i].why), "%s", err.text);
	ck_assert_str_eq(name_of(&n, 0xffffffff81000210), "");
	ck_assert_ptr_nonnull(strstr(recorded_kernel_lack(n.kernel), refused[_i].why));
	end(&n);
}
END_TEST

/* The file's kernel has a build id that none has. Its own names are there all the same. */
START_TEST(another_kernel_has_no_names)
{
	struct names n = begin(NULL);
	struct error err = { };

	open_names(&n);
	ck_assert_int_eq(recorded_kernel_check(n.kernel, &err), 0);
	ck_assert_str_eq(name_of(&n, 0xffffffff81000210), "");
	ck_assert_str_eq(name_of(&n, 0x5010), "stays");
	ck_assert_ptr_nonnull(strstr(recorded_kernel_lack(n.kernel), "--kallsyms FILE"));
	end(&n);
}
END_TEST

START_TEST(notes_have_build_ids)
{
	static const uint32_t notes[] = {
		4, 1, 1, 0x00554e47, 0,		/* GNU, of another type, 1 byte padded */
		4, 8, 3, 0x00554e47, 0x11111111, 0x22222222,
	};
	static const uint8_t wanted[BUILD_ID] = { 17, 17, 17, 17, 34, 34, 34, 34 };
	uint8_t id[BUILD_ID];

	ck_assert_int_eq(build_id_of_notes(notes, sizeof(notes), id), 0);
	ck_assert(!memcmp(id, wanted, sizeof(id)));
	for (size_t n = 0; n < sizeof(notes); n++)
		ck_assert_int_eq(build_id_of_notes(notes, n, id), -1);
}
END_TEST

Suite *suite_recorded_kernel(void)
{
	Suite *s = suite_create("recorded_kernel");
	TCase *t = tcase_create("recorded_kernel");

	tcase_add_test(t, a_file_of_the_same_kernel_names_it);
	tcase_add_loop_test(t, a_file_of_another_kernel_is_refused, 0, COUNT_OF(refused));
	tcase_add_test(t, another_kernel_has_no_names);
	tcase_add_test(t, notes_have_build_ids);
	suite_add_tcase(s, t);
	return s;
}
