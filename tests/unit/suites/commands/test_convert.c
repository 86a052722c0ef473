// SPDX-License-Identifier: GPL-2.0
/*
 * Recordings as files of other programs: texts to the byte, names read back; packets are for the
 * live test.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/commands/convert/formats.h"
#include "tests/unit/helpers/nm.h"
#include "tests/unit/helpers/perf_file.h"
#include "tests/unit/helpers/temporary.h"
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

/*
 * Function 8 called 9, or was interrupted at its first instruction: then the address is its own,
 * and not that of a call at the end of 7.
 */
static const struct {
	const char *newest, *older;
} called[] = {
	{ "handler", "seven+0x1" },
	{ "asm_sysvec_apic_timer_interrupt", "eight+0x0" },
	{ "el1h_64_irq", "eight+0x0" },
};

START_TEST(interrupted)
{
	struct convert_asked asked = { };
	char *path, *folder = temporary(), kallsyms[256], text[256], wanted[128];
	struct error err = { };
	struct perf_file f;
	FILE *to = tmpfile();

	snprintf(text, sizeof(text), "%016x T seven\n%016x T eight\n%016x T %s\n%016x T ten\n"
		 "ffffffff81000100 T _stext\n", 7, 8, 9, called[_i].newest, 10);
	write_text(folder, "kallsyms", text);
	snprintf(kallsyms, sizeof(kallsyms), "%s/kallsyms", folder);
	perf_file_make(&f, &piped);
	path = perf_file_write(&f, f.size);
	asked.file = path;
	asked.kallsyms = kallsyms;
	ck_assert_msg(!convert_events(&asked, to, &convert_perf_script, &err), "%s", err.text);
	rewind(to);
	ck_assert_ptr_nonnull(fgets(text, sizeof(text), to));
	ck_assert_ptr_nonnull(fgets(text, sizeof(text), to));
	snprintf(wanted, sizeof(wanted), "\t               9 %s+0x0 ([kernel.kallsyms])\n",
		 called[_i].newest);
	ck_assert_str_eq(text, wanted);
	ck_assert_ptr_nonnull(fgets(text, sizeof(text), to));
	snprintf(wanted, sizeof(wanted), "\t               8 %s ([kernel.kallsyms])\n",
		 called[_i].older);
	ck_assert_str_eq(text, wanted);
	fclose(to);
	unlink(path);
	free(path);
	perf_file_free(&f);
	remove_all(folder);
}
END_TEST

#define BLOCK 512
#define TAR_ROOM 8192
#define ID(PAIR) PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR
#define LONG_NAME ".build-id/a0/" ID("a0") "a0a0a0a0/elf"
#define SHORT_NAME ".build-id/a0/" ID("a0") "/elf"
#define FILLED_NAME ".build-id/a0/" ID("a0") "00000000/elf"

#define KALLSYMS_NAME "[kernel.kallsyms]/" ID("a1") "a1a1a1a1a1/kallsyms"

/* The file to write, converted; returns its bytes, which the caller frees. */
static char *to_tar(const struct perf_file *f, size_t *n)
{
	struct convert_asked asked = { };
	struct error err = { };
	char *path = perf_file_write(f, f->size), *bytes = calloc(1, TAR_ROOM);
	FILE *to = tmpfile();

	asked.file = path;
	ck_assert_msg(!convert_events(&asked, to, &convert_debug_tar, &err), "%s", err.text);
	rewind(to);
	*n = fread(bytes, 1, TAR_ROOM, to);
	fclose(to);
	unlink(path);
	free(path);
	return bytes;
}

/* A header of this name, with a right checksum; returns the size that it tells. */
static size_t check_header(const char *h, const char *name, char type)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < BLOCK; i++)
		sum += i >= 148 && i < 156 ? ' ' : (unsigned char)h[i];
	ck_assert_uint_eq(strtoul(h + 148, NULL, 8), sum);
	ck_assert_str_eq(h, name);
	ck_assert_int_eq(h[156], type);
	ck_assert_mem_eq(h + 257, "ustar\00000", 8);
	return strtoul(h + 124, NULL, 8);
}

/* Other programs find these functions in the ELF file. */
static void check_elf(const char *bytes, size_t n, unsigned int functions)
{
	static const struct nm_symbol wanted[] = {
		{ 0x1100, 0x100, "function_a" }, { 0x1300, 0x100, "function_d" },
	};
	char *dir = temporary(), path[256];
	struct nm_symbol *list;

	append_to(dir, "elf", bytes, n);
	snprintf(path, sizeof(path), "%s/elf", dir);
	ck_assert_uint_eq(nm_symbols(path, &list), functions);
	for (unsigned int i = 0; i < functions; i++) {
		ck_assert_uint_eq(list[i].at, wanted[i].at);
		ck_assert_uint_eq(list[i].size, wanted[i].size);
		ck_assert_str_eq(list[i].name, wanted[i].name);
	}
	free(list);
	remove_all(dir);
}

/* Behind the files: names of the kernel, with what has none, and the end. */
static void check_end(const char *tar, size_t n)
{
	static const char zeros[2 * BLOCK], kallsyms[] =
		"ffffffff81000100 T _stext\nffffffff81000101 t (unknown)\n"
		"ffffffff81002000 t function_k\nffffffff81002100 t (unknown)\n";

	ck_assert_uint_eq(n, 4 * BLOCK);
	ck_assert_uint_eq(check_header(tar, KALLSYMS_NAME, '0'), sizeof(kallsyms) - 1);
	ck_assert_str_eq(tar + BLOCK, kallsyms);
	ck_assert_mem_eq(tar + 2 * BLOCK, zeros, sizeof(zeros));
}

/* Only /bin/a has a build id in the table. */
START_TEST(names_become_a_tar)
{
	struct perf_file f;
	size_t n, size;
	char *tar;

	perf_file_make(&f, &sampled);
	tar = to_tar(&f, &n);
	size = check_header(tar, LONG_NAME, '0');
	check_elf(tar + BLOCK, size, 1);
	size = (size + BLOCK - 1) / BLOCK * BLOCK;
	check_end(tar + BLOCK + size, n - BLOCK - size);
	free(tar);
	perf_file_free(&f);
}
END_TEST

static uint8_t *find(struct perf_file *f, const uint8_t *from, const void *bytes, size_t n)
{
	uint8_t *at = memmem(from, (size_t)(f->bytes + f->size - from), bytes, n);

	ck_assert_ptr_nonnull(at);
	return at;
}

/* An entry of the table becomes one of 16 bytes 0xa0. */
static void shorten_id(struct perf_file *f, uint8_t was)
{
	uint8_t id[20], *at;

	memset(id, was, sizeof(id));
	at = find(f, f->bytes, id, sizeof(id));
	memset(at, 0xa0, 16);
	memset(at + 16, 0, 4);
}

/* Two paths of one file are one file of the tar; its short build id has both names. */
START_TEST(paths_of_one_file)
{
	static const uint8_t position[] = { 0x80, 0xa2, 0x80, 0x02 };	/* 0x401100 */
	struct perf_file f;
	uint8_t *at;
	size_t n, size;
	char *tar;

	perf_file_make(&f, &sampled);
	shorten_id(&f, 0xa0);
	shorten_id(&f, 0xa2);
	at = find(&f, f.bytes, "/bin/d", 6);
	memcpy(at, "[vdso]", 6);		/* whose id the table has */
	find(&f, at, position, sizeof(position))[1] = 0xa6;
	tar = to_tar(&f, &n);
	size = check_header(tar, SHORT_NAME, '0');
	check_elf(tar + BLOCK, size, 2);
	size = (size + BLOCK - 1) / BLOCK * BLOCK;
	ck_assert_uint_eq(check_header(tar + BLOCK + size, FILLED_NAME, '1'), 0);
	ck_assert_str_eq(tar + BLOCK + size + 157, SHORT_NAME);
	check_end(tar + 2 * BLOCK + size, n - 2 * BLOCK - size);
	free(tar);
	perf_file_free(&f);
}
END_TEST

/* A stream has no names. */
START_TEST(no_names_no_tar)
{
	struct convert_asked asked = { };
	struct error err = { };
	struct perf_file f;
	FILE *to = tmpfile();
	char *path;

	perf_file_make(&f, &piped);
	path = perf_file_write(&f, f.size);
	asked.file = path;
	ck_assert_int_eq(convert_events(&asked, to, &convert_debug_tar, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "has no names of functions"));
	ck_assert_int_eq(ftell(to), 0);
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
	tcase_add_loop_test(t, interrupted, 0, sizeof(called) / sizeof(called[0]));
	tcase_add_test(t, names_become_a_tar);
	tcase_add_test(t, paths_of_one_file);
	tcase_add_test(t, no_names_no_tar);
	suite_add_tcase(s, t);
	return s;
}
