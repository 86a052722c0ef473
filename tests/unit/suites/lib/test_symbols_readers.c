// SPDX-License-Identifier: GPL-2.0
/* What is read beside ELF files: maps of JITs, packed bytes, mangled names, /proc/PID/maps. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/lib/symbols/demangle.h"
#include "src/lib/symbols/maps.h"
#include "src/lib/symbols/pool.h"
#include "src/lib/symbols/readers/load.h"
#include "src/lib/symbols/readers/xz.h"
#include "tests/unit/helpers/temporary.h"

Suite *suite_symbols_readers(void);

/* ---- /tmp/perf-PID.map ---- */

#define QUESTIONS 6
static const struct {
	const char *text;
	struct {
		uint64_t address;
		const char *name;	/* NULL: unknown */
	} asked[QUESTIONS];
} jit_maps[] = {
	{ "1000 100 first\n1100 80 with spaces, and more\n",
	  { { 0x1000, "first" }, { 0x10ff, "first" }, { 0x1100, "with spaces, and more" },
	    { 0x1180, NULL }, { 0xfff, NULL } } },
	{ "0x2000 0x10 of a compiler that writes 0x\n",
	  { { 0x2008, "of a compiler that writes 0x" } } },
	/* later code took the place of what was there, even in part */
	{ "1000 100 old\n1000 100 new\n2000 100 old\n2080 10 new\n3000 100 old\n2f00 200 new\n",
	  { { 0x1010, "new" }, { 0x2010, NULL }, { 0x2085, "new" }, { 0x3050, "new" },
	    { 0x30ff, "new" }, { 0x3100, NULL } } },
	/* what is gone took the place of something, too */
	{ "5000 10 first\n4000 2000 second\n4000 10 third\n",
	  { { 0x5005, NULL }, { 0x4005, "third" } } },
	/* no lines of a map */
	{ "\n\n \nx y z\n1000\n1000 \n1000 10\n1000 10 \n1000 0 empty\n-1 10 below\n"
	  "ffffffffffffffff 10 beyond\n10000000000000000 10 long\n1000 1ffffffff large\n"
	  "7000 10 good\n8000 10 without newline",
	  { { 0x1000, NULL }, { 0x7000, "good" }, { 0x8000, NULL },
	    { UINT64_MAX, NULL } } },
	{ "", { { 0x1000, NULL } } },
};

static void write_map(const char *folder, const char *text, int *fd)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/map", folder);
	write_text(folder, "map", text);
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(*fd, 0);
}

START_TEST(jit)
{
	struct error why;
	char *folder = temporary();
	struct table t;
	int fd;

	write_map(folder, jit_maps[_i].text, &fd);
	ck_assert(load_table(load_perf_map, &fd, fd, NULL, &t, &why));
	ck_assert_str_eq(why.text, "");
	for (int i = 0; i < QUESTIONS && jit_maps[_i].asked[i].address; i++) {
		const char *expected = jit_maps[_i].asked[i].name, *name = "unknown";
		uint64_t offset;
		bool found = table_find(&t, jit_maps[_i].asked[i].address, false, &name, &offset);

		ck_assert_msg(found == !!expected && (!expected || !strcmp(name, expected)),
			      "%llx is %s", (unsigned long long)jit_maps[_i].asked[i].address,
			      name);
	}
	table_free(&t);
	close(fd);
	remove_all(folder);
}
END_TEST

/* A line that never ends, and code upon code upon code: no names, and no time. */
START_TEST(hostile_jit)
{
	struct error why;
	char *folder = temporary(), *text = malloc(2000000), *p = text;
	struct table t;
	int fd;

	if (_i) {
		for (int i = 0; i < 50000; i++)
			p += sprintf(p, "%x %x f%d\n", 0x1000 + i, 0x100000, i);
	} else {
		memset(p, 'x', 200000);
		strcpy(p + 200000, "\n1000 10 behind\n");
	}
	write_map(folder, text, &fd);
	ck_assert(load_table(load_perf_map, &fd, fd, NULL, &t, &why));
	ck_assert_int_eq(t.n, 0);
	ck_assert_str_ne(why.text, "");
	table_free(&t);
	close(fd);
	free(text);
	remove_all(folder);
}
END_TEST

/* ---- .xz ---- */

/* Bytes that are packed as xz(1) does it, and come out as they were. */
static const struct {
	const char *make, *options;
} packed[] = {
	{ "seq 1 20000", "-6" },
	{ "head -c 300000 /dev/zero", "-6" },
	{ "head -c 300000 /dev/urandom", "-6" },
	{ "cat /proc/self/exe | head -c 3000000", "-9e" },
	{ "seq 1 20000", "--lzma2=lc=0,lp=4,pb=0,dict=64KiB" },
	{ "cat /proc/self/exe | head -c 500000", "--lzma2=lc=4,lp=0,pb=4,dict=4KiB,nice=8" },
	{ "echo one line", "--check=none" },
	{ "seq 1 200000", "-0 --check=sha256" },
	/* several blocks: newer xz makes them by itself, a thread each */
	{ "seq 1 200000", "-0 --block-size=100000" },
	{ "seq 1 20000", "-6 --block-size=10001 --check=none" },
	{ "seq 1 20000", "-6 -T2 --block-size=10001 --check=sha256" },
};

static uint8_t *output_of(const char *folder, const char *file, size_t *n)
{
	char path[256];
	uint8_t *bytes = malloc(4 << 20);
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	f = fopen(path, "r");
	ck_assert_ptr_nonnull(f);
	*n = fread(bytes, 1, 4 << 20, f);
	fclose(f);
	return bytes;
}

START_TEST(unpacking)
{
	char *folder = temporary(), command[512];
	uint8_t *plain, *packed_bytes, *out;
	size_t n, packed_n, size = 0;

	snprintf(command, sizeof(command), "cd %s && %s >plain && xz -k -c %s plain >packed",
		 folder, packed[_i].make, packed[_i].options);
	if (system("command -v xz >/dev/null") || system(command)) {
		remove_all(folder);
		return;
	}
	plain = output_of(folder, "plain", &n);
	packed_bytes = output_of(folder, "packed", &packed_n);
	out = xz_unpack(packed_bytes, packed_n, 4 << 20, &size);
	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(size, n);
	ck_assert_int_eq(memcmp(out, plain, n), 0);
	free(out);
	/* no more than it may be; cut anywhere it is broken or as it was */
	ck_assert_ptr_null(xz_unpack(packed_bytes, packed_n, n - 1, &size));
	for (size_t i = 0; i < 200; i++)
		free(xz_unpack(packed_bytes, packed_n * i / 200, 4 << 20, &size));
	free(plain);
	free(packed_bytes);
	remove_all(folder);
}
END_TEST

/* ---- names ---- */

static const struct {
	const char *symbol, *name;	/* NULL: it stays */
} names[] = {
	{ "main", NULL }, { "", NULL }, { "_", NULL }, { "_Z", NULL }, { "_Zfoo", NULL },
	{ "_R", NULL }, { "_ZN", NULL },
	{ "_Z1fi", "f" },
	{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
	  "std::vector<int, std::allocator<int> >::push_back" },
	{ "_ZN3foo3barEv", "foo::bar" },
	{ "_ZN3foo3barEv.part.0", "foo::bar" },
	{ "_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()" },
	{ "_ZNK3foo3barEv", "foo::bar" },
	{ "_ZN3fooC1Ev", "foo::foo" },
	{ "_ZThn8_N3foo3barEv", "non-virtual thunk to foo::bar" },
	/* Rust, as it was, without the hash, and as it is */
	{ "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad" },
	{ "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h"
	  "930b740aa94f1d3aE", "<Test + 'static as foo::Bar<Test>>::bar" },
	{ "_RNvCs1234_7mycrate3foo", "mycrate::foo" },
	{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar" },
	{ "_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>" },
};

START_TEST(readable)
{
	char name[DEMANGLE_LENGTH] = "";
	bool is = demangle(names[_i].symbol, name, sizeof(name));

	ck_assert_msg(is == !!names[_i].name, "%s: %s", names[_i].symbol, is ? name : "stays");
	if (is && strncmp(name, names[_i].name, strlen(names[_i].name)))
		ck_abort_msg("%s: %s", names[_i].symbol, name);
}
END_TEST

/*
 * Short names of endless texts, deep ones, many wrong ones: they stay what they are, soon. A name
 * of 2047 characters at most may take a quarter of a second.
 */
START_TEST(hostile_names)
{
	char symbol[4096], name[DEMANGLE_LENGTH], *p = symbol;
	struct timespec begin, end;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	switch (_i) {
	case 0:				/* each argument is twice the one before */
		p += sprintf(p, "_Z1fI1aIiiEE1b");
		for (int i = 0; i < 60; i++)
			p += sprintf(p, "1cIS%d_S%d_E", i % 10, i % 10);
		break;
	case 1:
		p += sprintf(p, "_Z1f");
		for (int i = 0; i < 2000; i++)
			*p++ = 'P';
		strcpy(p, "i");
		break;
	case 2:
		p += sprintf(p, "_Z1f");
		for (int i = 0; i < 600; i++)
			p += sprintf(p, "1aI");
		break;
	case 3:
		p += sprintf(p, "_R");
		for (int i = 0; i < 1900; i++)
			p += sprintf(p, "Y");
		break;
	case 4:				/* back to itself */
		p += sprintf(p, "_RNvB_1a");
		break;
	case 5:
		p += sprintf(p, "_RIC1a");
		for (int i = 0; i < 100; i++)
			p += sprintf(p, "TB%d_B%d_E", i % 10, i % 10);
		break;
	case 6:
		p += sprintf(p, "_Z1fI");
		for (int i = 0; i < 600; i++)
			p += sprintf(p, "Xad");
		break;
	case 7:				/* too long */
		memset(symbol, 'a', sizeof(symbol) - 1);
		memcpy(symbol, "_Z3000", 6);
		symbol[sizeof(symbol) - 1] = '\0';
		break;
	}
	demangle(symbol, name, sizeof(name));
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	ck_assert_int_lt((end.tv_sec - begin.tv_sec) * 1000 +
			 (end.tv_nsec - begin.tv_nsec) / 1000000, 250);
}
END_TEST

/* ---- /proc/PID/maps ---- */

static const struct {
	const char *line, *path;	/* NULL: no code */
	uint64_t start, end, offset, inode;
	uint32_t major, minor;
} lines[] = {
	{ "55f1-56f1 r-xp 00001000 fe:1a 18624                      /usr/bin/x\n", "/usr/bin/x",
	  0x55f1, 0x56f1, 0x1000, 18624, 0xfe, 0x1a },
	{ "55f1-56f1 r--p 00001000 fe:1a 18624                      /usr/bin/x\n", NULL },
	{ "7f000000-7f001000 rwxp 00000000 00:00 0 \n", "", 0x7f000000, 0x7f001000 },
	{ "7f000000-7f001000 r-xp 00000000 00:00 0                  [vdso]\n", "[vdso]",
	  0x7f000000, 0x7f001000 },
	{ "7f000000-7f001000 r-xp 00000000 08:01 5   /a b (deleted)\n", "/a b (deleted)",
	  0x7f000000, 0x7f001000, 0, 5, 8, 1 },
	{ "nothing\n", NULL }, { "\n", NULL },
};

START_TEST(mappings)
{
	struct maps_line m = { };
	char line[256];
	const char *path;

	snprintf(line, sizeof(line), "%s", lines[_i].line);
	ck_assert_int_eq(maps_parse(line, &m, &path), lines[_i].path != NULL);
	if (!lines[_i].path)
		return;
	ck_assert_str_eq(path, lines[_i].path);
	ck_assert(m.start == lines[_i].start && m.end == lines[_i].end &&
		  m.offset == lines[_i].offset && m.key.inode == lines[_i].inode &&
		  m.key.major == lines[_i].major && m.key.minor == lines[_i].minor);
}
END_TEST

START_TEST(texts)
{
	struct pool p = { };
	const char *kept[1000];
	char key[32];

	ck_assert_ptr_null(pool_find(&p, "1"));
	for (int i = 0; i < 1000; i++) {
		snprintf(key, sizeof(key), "%d", i);
		kept[i] = pool_add(&p, key, i % 2 ? "odd" : key);
	}
	for (int i = 0; i < 1000; i++) {
		snprintf(key, sizeof(key), "%d", i);
		ck_assert_ptr_eq(pool_find(&p, key), kept[i]);
		ck_assert_str_eq(kept[i], i % 2 ? "odd" : key);
	}
	pool_free(&p);
}
END_TEST

Suite *suite_symbols_readers(void)
{
	Suite *s = suite_create("symbols_readers");

	add_tests(s, "JIT", jit, (int)(sizeof(jit_maps) / sizeof(jit_maps[0])));
	add_tests(s, "hostile JIT", hostile_jit, 2);
	add_tests(s, "unpacking", unpacking, (int)(sizeof(packed) / sizeof(packed[0])));
	add_tests(s, "readable names", readable, (int)(sizeof(names) / sizeof(names[0])));
	add_tests(s, "hostile names", hostile_names, 8);
	add_tests(s, "mappings", mappings, (int)(sizeof(lines) / sizeof(lines[0])));
	add_tests(s, "texts", texts, 1);
	return s;
}
