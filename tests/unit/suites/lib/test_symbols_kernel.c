// SPDX-License-Identifier: GPL-2.0
/* The names of the kernel's code, from texts as kallsyms has them, and from the running one. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/lib/symbols/kernel_symbols.h"
#include "src/lib/symbols/kernel_wanted.h"
#include "src/lib/symbols/words.h"
#include "tests/unit/helpers/temporary.h"

Suite *suite_symbols_kernel(void);

static const char kallsyms[] =
	"0000000000000000 D percpu_thing\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81000040 t local_first\n"
	"ffffffff81000040 T global_second\n"
	"ffffffff81000100 T vfs_read\n"
	"ffffffff81000150 t .L123\n"
	"ffffffff81000160 t $x\n"
	"ffffffff81000170 d some_data\n"
	"ffffffff81000200 W weak_function\n"
	"ffffffff81000300 t _RNvC6_kernel7example\n"
	"ffffffff81000400 T at_the_end\n"
	"ffffffff81000400 T _etext\n"
	"ffffffff81001000 R some_constants\n"
	"ffffffff82000000 T init_function\n"
	"ffffffff82000100 T _einittext\n"
	"ffffffffc0002000 t second_of_ext4\t[ext4]\n"
	"ffffffffc0001000 t first_of_ext4\t[ext4]\n"
	"ffffffffc0001000 T alias_of_ext4\t[ext4]\n"
	"ffffffffc0009000 t lonely\t[loop]\n"
	"ffffffffc0100000 t bpf_prog_0123456789abcdef_second\t[bpf]\n"
	"ffffffffc00ff000 t bpf_prog_0123456789abcdef_first\t[bpf]\n"
	"ffffffffc0201000 t ftrace_trampoline\t[__builtin__ftrace]\n";

static const char modules[] =
	"ext4 12288 1 - Live 0xffffffffc0001000\n"
	"loop 4096 0 - Live 0xffffffffc0009000 (O)\n";

static const struct {
	uint64_t address;
	const char *name;		/* NULL: it has none */
	const char *module;
	uint64_t offset;
} found[] = {
	/* the first of those at one address, as the kernel does it */
	{ 0xffffffff81000000, "_stext", "", 0 },
	{ 0xffffffff8100003f, "_stext", "", 0x3f },
	{ 0xffffffff81000040, "local_first", "", 0 },
	{ 0xffffffff81000100, "vfs_read", "", 0 },
	/* neither labels nor data end a function */
	{ 0xffffffff810001ff, "vfs_read", "", 0xff },
	{ 0xffffffff81000200, "weak_function", "", 0 },
	{ 0xffffffff81000301, "_RNvC6_kernel7example", "", 1 },
	/* behind the end of the text, and in what is no text */
	{ 0xffffffff81000400, NULL }, { 0xffffffff81001234, NULL },
	{ 0xffffffff82000010, "init_function", "", 0x10 },
	{ 0xffffffff82000100, NULL }, { 0xffffffff90000000, NULL },
	{ 0xffffffff80ffffff, NULL }, { 0, NULL }, { UINT64_MAX, NULL }, { 0x400000, NULL },
	/* modules are not sorted, and end */
	{ 0xffffffffc0001800, "first_of_ext4", "ext4", 0x800 },
	{ 0xffffffffc0002010, "second_of_ext4", "ext4", 0x10 },
	{ 0xffffffffc0003fff, "second_of_ext4", "ext4", 0x1fff },
	{ 0xffffffffc0004000, NULL },
	{ 0xffffffffc0009fff, "lonely", "loop", 0xfff }, { 0xffffffffc000a000, NULL },
	{ 0xffffffffc00ff080, "bpf_prog_0123456789abcdef_first", "bpf", 0x80 },
	{ 0xffffffffc0100000, "bpf_prog_0123456789abcdef_second", "bpf", 0 },
	/* nobody says where it ends: 64 KB on it has none */
	{ 0xffffffffc0110000, NULL },
	{ 0xffffffffc0201fff, "ftrace_trampoline", "__builtin__ftrace", 0xfff },
};

static struct kernel_symbols *from(const char *folder)
{
	static char paths[2][256];

	snprintf(paths[0], sizeof(paths[0]), "%s/kallsyms", folder);
	snprintf(paths[1], sizeof(paths[1]), "%s/modules", folder);
	return kernel_symbols_new(paths[0], paths[1]);
}

static void check(struct kernel_symbols *k, size_t i)
{
	char name[KERNEL_NAME];
	const char *module;
	uint64_t start;
	bool is = kernel_symbols_find(k, found[i].address, name, &start, &module);

	ck_assert_msg(is == !!found[i].name, "%" PRIx64 ": %s", found[i].address,
		      is ? name : "unknown");
	if (!is)
		return;
	ck_assert_str_eq(name, found[i].name);
	ck_assert_str_eq(module, found[i].module);
	ck_assert_int_eq(found[i].address - start, found[i].offset);
}

/* Each alone, of a file that was not read further; all in one, in both directions. */
START_TEST(names)
{
	const size_t n = sizeof(found) / sizeof(found[0]);
	char *folder = temporary();
	struct kernel_symbols *k;

	write_text(folder, "kallsyms", kallsyms);
	write_text(folder, "modules", modules);
	for (size_t i = 0; i < n; i++) {
		k = from(folder);
		check(k, i);
		ck_assert_ptr_null(kernel_symbols_lack(k));
		kernel_symbols_free(k);
	}
	k = from(folder);
	for (size_t i = 0; i < n; i++)
		check(k, i);
	for (size_t i = n; i-- > 0;)
		check(k, i);
	kernel_symbols_free(k);
	remove_all(folder);
}
END_TEST

/* What is wanted has the same names, all at once, each alone, or others than those asked for. */
START_TEST(wanted)
{
	const size_t n = sizeof(found) / sizeof(found[0]);
	uint64_t addresses[2 * (sizeof(found) / sizeof(found[0]))];
	char *folder = temporary();
	struct kernel_symbols *k;

	write_text(folder, "kallsyms", kallsyms);
	write_text(folder, "modules", modules);
	for (size_t i = 0; i < n; i++)
		addresses[i] = addresses[n + i] = found[n - 1 - i].address;
	for (size_t i = 0; i < n; i++) {
		k = from(folder);
		kernel_symbols_want(k, &addresses[i], 1 + n);
		check(k, n - 1 - i);
		check(k, i);
		kernel_symbols_free(k);
		k = from(folder);
		kernel_symbols_want(k, &addresses[i], 1);
		check(k, n - 1 - i);
		kernel_symbols_free(k);
	}
	k = from(folder);
	kernel_symbols_want(k, addresses, 2 * n);
	for (size_t i = 0; i < n; i++)
		check(k, i);
	kernel_symbols_free(k);
	k = from(folder);
	kernel_symbols_want(k, NULL, 0);
	check(k, 0);
	kernel_symbols_free(k);
	remove_all(folder);
}
END_TEST

/* Addresses that are hidden, a file that is not there, one that is none: a reason, and no name. */
static const struct {
	const char *text;		/* NULL: no file */
	const char *lack;
} lacking[] = {
	{ NULL, "CONFIG_KALLSYMS" },
	{ "0000000000000000 T _text\n0000000000000000 T vfs_read\n", "kptr_restrict" },
	{ "", "kptr_restrict" },
	{ "nothing of what it should be\n\n\n x T y\n", "kptr_restrict" },
};

START_TEST(lacks)
{
	char *folder = temporary(), name[KERNEL_NAME];
	struct kernel_symbols *k = from(folder);
	const char *module;
	uint64_t start;

	if (lacking[_i].text)
		write_text(folder, "kallsyms", lacking[_i].text);
	ck_assert_ptr_null(kernel_symbols_lack(k));
	for (int i = 0; i < 2; i++) {
		ck_assert(!kernel_symbols_find(k, 0xffffffff81000000, name, &start, &module));
		ck_assert_ptr_nonnull(kernel_symbols_lack(k));
		ck_assert_msg(strstr(kernel_symbols_lack(k), lacking[_i].lack) != NULL, "%s",
			      kernel_symbols_lack(k));
	}
	kernel_symbols_free(k);
	remove_all(folder);
}
END_TEST

/* Lines longer than what is read at once, no newline at the end, a name that is too long. */
START_TEST(odd_lines)
{
	char *folder = temporary(), *text = malloc(300000), *p = text, name[KERNEL_NAME];
	struct kernel_symbols *k;
	const char *module;
	uint64_t start;

	p += sprintf(p, "ffffffff81000000 T first\n");
	p += sprintf(p, "ffffffff81000100 T ");
	memset(p, 'x', 200000);
	p += 200000;
	p += sprintf(p, "\nffffffff81000200 T ");
	memset(p, 'y', 1500);
	p += 1500;
	p += sprintf(p, "\nffffffff81000300 T last\nffffffff81000400 T without_newline");
	write_text(folder, "kallsyms", text);
	k = from(folder);
	ck_assert(kernel_symbols_find(k, 0xffffffff81000310, name, &start, &module));
	ck_assert_str_eq(name, "last");
	ck_assert(kernel_symbols_find(k, 0xffffffff81000210, name, &start, &module));
	ck_assert_str_eq(name, "first");
	kernel_symbols_free(k);
	free(text);
	remove_all(folder);
}
END_TEST

/* Every symbol of the running kernel, as /proc/kallsyms has it. */
START_TEST(running)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	struct kernel_symbols *k = kernel_symbols_new(NULL, NULL);
	char line[2048], symbol[1024], name[KERNEL_NAME], type;
	unsigned long long address, last = 0;
	char before[KERNEL_NAME] = "";
	const char *module;
	uint64_t start;
	int n = 0;

	/* each symbol's first address, and the last of the one before it */
	while (f && fgets(line, sizeof(line), f)) {
		if (strchr(line, '\t') ||
		    sscanf(line, "%llx %c %1023s", &address, &type, symbol) < 3 ||
		    !strchr("tTwW", type) || !address || address == last || symbol[0] == '$' ||
		    !strncmp(symbol, ".L", 2) || !strncmp(symbol, "L0", 2))
			continue;
		if (last && *before) {
			ck_assert(kernel_symbols_find(k, address - 1, name, &start, &module));
			ck_assert_str_eq(name, before);
			ck_assert_uint_eq(start, last);
		}
		last = address;
		*before = '\0';
		if (!strcmp(symbol, "_etext") || !strcmp(symbol, "_einittext") ||
		    !strcmp(symbol, "__exittext_end"))
			continue;
		if (!kernel_symbols_find(k, address, name, &start, &module))
			ck_abort_msg("%llx %s is unknown", address, symbol);
		ck_assert_str_eq(name, symbol);
		ck_assert(start == address && !*module);
		strcpy(before, symbol);
		n++;
	}
	if (f)
		fclose(f);
	/* who may not see them sees none */
	ck_assert_msg(n > 1000 || kernel_symbols_lack(k) || !last, "only %d", n);
	kernel_symbols_free(k);
}
END_TEST

static const char *const coded[] = {
	"a", "_", "__", ".", "vfs_read", "__vfs_read", "vfs__read_", "vfs_read.part.0", "a.b_c",
	"...", "SyS_read", "0", "x_0_1_2_3_4_5_6_7_8_9",
};

/* Names are what they were, however many words there are: numbers of one to three bytes. */
START_TEST(words)
{
	const size_t n = sizeof(coded) / sizeof(coded[0]);
	static uint8_t codes[70000][64];
	uint8_t code[WORDS_CODE_MOST];
	struct words w = { };
	char name[1024];

	for (int i = 0; i < 70000; i++) {
		size_t length;

		if (i < (int)n)
			snprintf(name, sizeof(name), "%s", coded[i]);
		else
			snprintf(name, sizeof(name), "__word_n%d", i);
		length = words_encode(&w, name, strlen(name), code);
		ck_assert(length > 0 && length <= sizeof(codes[i]));
		memcpy(codes[i], code, length);
		ck_assert(words_skip(code) == code + length);
	}
	words_done(&w);
	for (int i = 0; i < 70000; i++) {
		char expected[64];

		if (i < (int)n)
			snprintf(expected, sizeof(expected), "%s", coded[i]);
		else
			snprintf(expected, sizeof(expected), "__word_n%d", i);
		words_decode(&w, codes[i], name, sizeof(name));
		ck_assert_str_eq(name, expected);
	}
	words_decode(&w, codes[n], name, 8);
	ck_assert_str_eq(name, "__word_");
	memset(name, 'x', sizeof(name));
	ck_assert_int_eq(words_encode(&w, name, 0, code), 0);
	ck_assert_int_eq(words_encode(&w, name, WORDS_NAME_MOST + 1, code), 0);
	words_free(&w);
}
END_TEST

static const char variables[] =
	"0000000000001000 A of_each_cpu\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81000100 T vfs_read\n"
	"ffffffff82000000 D __start_something\n"
	"ffffffff82000000 D init_task\n"
	"ffffffff82002000 d a_lock\n"
	"ffffffff82002040 b other_lock\n"
	"ffffffff82003000 B _end\n"
	"ffffffffc0003000 d lock_of_ext4\t[ext4]\n"
	"ffffffffc0003100 b last_of_ext4\t[ext4]\n"
	"ffffffffc0009000 d of_loop\t[loop]\n";

static const struct {
	uint64_t address;
	const char *name;		/* NULL: it has none */
	uint64_t offset;
} variables_found[] = {
	{ 0xffffffff82000000, "init_task", 0 }, { 0xffffffff82001000, "init_task", 0x1000 },
	{ 0xffffffff82002008, "a_lock", 8 }, { 0xffffffff82002040, "other_lock", 0 },
	{ 0xffffffffc0003010, "lock_of_ext4", 0x10 },
	/* code, allocated memory, what each CPU has, behind the last variable */
	{ 0xffffffff81000180, NULL }, { 0xffff888100000000, NULL }, { 0x1010, NULL },
	{ 0xffffffff82004000, NULL }, { 0xffffffffc0003200, NULL }, { 0xffffffffc0009010, NULL },
};

START_TEST(data)
{
	enum { n = sizeof(variables_found) / sizeof(variables_found[0]) };
	char *folder = temporary(), path[256], name[KERNEL_NAME];
	struct kernel_wanted w = { };
	uint64_t addresses[n], start;
	const char *module;

	snprintf(path, sizeof(path), "%s/kallsyms", folder);
	write_text(folder, "kallsyms", variables);
	for (int i = 0; i < n; i++)
		addresses[i] = variables_found[i].address;
	kernel_wanted_read_data(&w, path, addresses, n);
	for (int i = 0; i < n; i++) {
		bool got = kernel_wanted_find(&w, addresses[i], name, &start, &module);

		ck_assert_msg(got == !!variables_found[i].name, "%llx: %s",
			      (unsigned long long)addresses[i], got ? name : "no name");
		if (!got)
			continue;
		ck_assert_str_eq(name, variables_found[i].name);
		ck_assert_uint_eq(addresses[i] - start, variables_found[i].offset);
	}
	/* a kernel that lists few variables: no name is right */
	write_text(folder, "kallsyms", kallsyms);
	kernel_wanted_read_data(&w, path, addresses, n);
	for (int i = 0; i < n; i++)
		ck_assert(!kernel_wanted_find(&w, addresses[i], name, &start, &module));
	kernel_wanted_free(&w);
	remove_all(folder);
}
END_TEST

Suite *suite_symbols_kernel(void)
{
	Suite *s = suite_create("symbols_kernel");

	add_tests(s, "names", names, 1);
	add_tests(s, "wanted", wanted, 1);
	add_tests(s, "data", data, 1);
	add_tests(s, "lacks", lacks, (int)(sizeof(lacking) / sizeof(lacking[0])));
	add_tests(s, "odd lines", odd_lines, 1);
	add_tests(s, "running kernel", running, 1);
	add_tests(s, "words", words, 1);
	return s;
}
