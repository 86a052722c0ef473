// SPDX-License-Identifier: GPL-2.0
/* Tracepoints' own text: print formats as libtraceevent reads them right, and records. */
#include "src/language/event_text/event_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/helpers/repeated.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

Suite *suite_event_text(void);

/* ---- print formats ---- */

static const struct {
	const char *text, *plain;	/* NULL: it can't be read */
} plains[] = {
	{ "\"a=%d\", REC->a", "\"a=%d\", REC->a" },
	{ "\"%d\", REC->a & (1 | 2)", "\"%d\", REC->a & (u64)(1 | 2)" },
	{ "\"%d\", (1 | 2) & REC->a", "\"%d\", (1 | 2) & REC->a" },
	{ "\"%d\", 10 - 3 - 2", "\"%d\", (10 - 3) - 2" },
	{ "\"%d\", 10 - (3 - 2)", "\"%d\", 10 - (u64)(3 - 2)" },
	{ "\"%d\", a + b * c", "\"%d\", a + (u64)(b * c)" },
	{ "\"%d\", a << 2 + 1 & 0xff", "\"%d\", (a << (u64)(2 + 1)) & 0xff" },
	{ "\"%d\", !a && -b == ~c", "\"%d\", (!a) && (u64)((-b) == (u64)(~c))" },
	{ "\"%s\", REC->a & (1<<3) ? \"x\" : (b ? \"y\" : \"\")",
	  "\"%s\", (REC->a & (u64)(1 << 3)) ? \"x\" : (b ? \"y\" : \"\")" },
	{ "\"%s %c\", __print_flags(REC->f & (1|2), \"|\", { 1, \"a\" }, {(2), \"b\" }), REC->c[1]",
	  "\"%s %c\", __print_flags( REC->f & (u64)(1 | 2), \"|\", { 1, \"a\"}, { 2, \"b\"}), "
	  "REC->c[1]" },
	{ "\"%d\", ((u32 *)__get_dynamic_array(x))[0]",
	  "\"%d\", (u32 *)__get_dynamic_array( x)[0]" },
	{ "\"%lx\", (unsigned long)REC->a", "\"%lx\", (unsigned long)REC->a" },
	{ "\"%p %px %pK %pS %pI4 100%%\", a, b, c, d, e",
	  "\"%016llx %016llx %016llx %pS %pI4 100%%\", a, b, c, d, e" },
	{ "\"0x%Lx %-3Ld %d\", a, b, c", "\"0x%llx %-3lld %d\", a, b, c" },
	{ "\"a\" \"b\\\"\"", "\"a\" \"b\\\"\"" },
	{ "\"%d\", sizeof(struct page *) * 2", "\"%d\", sizeof(struct page *) * 2" },
	{ "\"%d\", a / 2", "\"%d\", a / 2" },
	{ "\"%d\", a / 0", NULL },
	{ "\"%d\", a % b", NULL },
	{ "\"%pd\", a", NULL },
	{ "\"%d\", REC->a[1]->b", NULL },
	{ "\"%d\", 1ate", NULL },
	{ "\"%d\", (a", NULL },
	{ "\"%d\", a b", NULL },
	{ "\"%d, a", NULL },
	{ "REC->a", NULL },
	{ "\"%d\", ", NULL },
};

/* What is so deep that it would fill the stack, if it were followed. */
static const struct {
	const char *before, *again, *behind;
} nested[] = {
	{ "\"%d\", __print_flags(a, \"|\", ", "{", "1" }, { "\"%d\", ", "(u8)", "a" },
	{ "\"%d\", ", "(", "a" }, { "\"%d\", ", "!", "a" }, { "\"%d\", a", "[a", "" },
	{ "\"%d\", ", "f(", "a" }, { "\"%d\", ", "a ? ", "a" },
};

START_TEST(deep)
{
	size_t size;
	char *text = repeated(nested[_i].before, nested[_i].again, nested[_i].behind, &size);

	ck_assert_ptr_null(print_fmt_plain(text, 8, NULL));
	free(text);
}
END_TEST

START_TEST(plain)
{
	char *text = print_fmt_plain(plains[_i].text, 8, NULL);

	ck_assert_pstr_eq(text, plains[_i].plain);
	free(text);
}
END_TEST

/* ---- records ---- */

/* What is at an offset of a record, whose number is the format's. */
struct part {
	unsigned int offset, size;
	uint64_t number;
	const char *text;
};

#define HEAD \
	"name: e\nID: 300\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" \
	"\tfield:int n;\toffset:8;\tsize:4;\tsigned:1;\n" \
	"\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n" \
	"\tfield:__data_loc u8[] buf;\toffset:16;\tsize:4;\tsigned:0;\n" \
	"\tfield:char comm[8];\toffset:20;\tsize:8;\tsigned:0;\n" \
	"\tfield:u8 addr[4];\toffset:28;\tsize:4;\tsigned:0;\n" \
	"\tfield:const char * text;\toffset:32;\tsize:8;\tsigned:0;\n\nprint fmt: "
#define WHOLE 48
/* 4 bytes of text at 40, 4 of the array at 44. */
#define DYNAMIC { 12, 4, 4 << 16 | 40 }, { 16, 4, 4 << 16 | 44 }, { 40, 4, 0, "abc" }, \
		{ 44, 4, 0x04030201 }
#define FIELDS(N, NAME, BUF) \
	"n=" N " name=" NAME " buf=" BUF " comm=work addr=0a 00 00 01 text=0x1234"
#define REST { 20, 8, 0, "work" }, { 28, 4, 0x0100000a }, { 32, 8, 0x1234 }

/* Short numbers with a sign, and without. */
#define SHORT_HEAD \
	"name: e\nID: 300\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" \
	"\tfield:s8 tiny;\toffset:8;\tsize:1;\tsigned:1;\n" \
	"\tfield:u8 byte;\toffset:9;\tsize:1;\tsigned:0;\n" \
	"\tfield:short small;\toffset:10;\tsize:2;\tsigned:1;\n" \
	"\tfield:u16 half;\toffset:12;\tsize:2;\tsigned:0;\n" \
	"\tfield:char text[2];\toffset:14;\tsize:2;\tsigned:1;\n\nprint fmt: "
#define SHORT(PRINT, TINY, SMALL, TEXT, ...) \
	{ PRINT, { { 8, 1, TINY }, { 9, 1, 156 }, { 10, 2, SMALL }, { 12, 2, 65236 }, \
	  { 14, 2, 0, "xy" } }, 16, TEXT, .head = SHORT_HEAD, __VA_ARGS__ }

static const struct {
	const char *print;
	struct part parts[9];
	unsigned int size;
	const char *text, *why;		/* why: its fields are shown */
	const char *head;		/* NULL: HEAD */
} records[] = {
	SHORT("\"%d %d %d %d\", REC->tiny, REC->byte, REC->small, REC->half", 156, 65236,
	      "-100 156 -300 65236"),
	SHORT("\"%d %d\", REC->tiny, REC->small", 127, 32767, "127 32767"),
	SHORT("\"%d %d\", REC->tiny, REC->small", 128, 32768, "-128 -32768"),
	SHORT("\"%hhd %hd\", REC->tiny, REC->small", 156, 65236, "-100 -300"),
	SHORT("\"%x %u\", REC->tiny, REC->small", 156, 65236, "ffffff9c 4294966996"),
	SHORT("\"%lld\", (s64)REC->tiny", 156, 0, "-100"),
	SHORT("\"%d %d\", 10 - REC->tiny, REC->tiny * 2", 156, 0, "110 -200"),
	SHORT("\"%d\", -REC->small", 0, 65236, "300"),
	SHORT("\"%s\", REC->tiny == -100 ? \"yes\" : \"no\"", 156, 0, "yes"),
	SHORT("\"%s\", __print_symbolic(REC->small, { 3, \"A\" }, { 65236, \"B\" })", 0, 65236,
	      "0xfffffffffffffed4"),
	SHORT("\"%d\", REC->tiny ^ 1", 156, 0, "tiny=-100 byte=156 small=0 half=65236 text=xy",
	      .why = "it has expressions that sonde can't read"),
	SHORT("\"%d %s\", REC->half - REC->small, REC->text", 0, 65236, "65536 xy"),
	{ "\"n=%d %s %s\", REC->n, REC->comm, __get_str(name)",
	  { { 8, 4, 7 }, DYNAMIC, REST }, WHOLE, "n=7 work abc" },
	{ "\"%d\", REC->n & (1 | 2)", { { 8, 4, 6 }, DYNAMIC, REST }, WHOLE, "2" },
	{ "\"%d\", REC->n - 3 - 2", { { 8, 4, 6 }, DYNAMIC, REST }, WHOLE, "1" },
	{ "\"%s\", __print_flags(REC->n, \"|\", { 1, \"A\" }, { 2, \"B\" })",
	  { { 8, 4, 7 }, DYNAMIC, REST }, WHOLE, "A|B|0x4" },
	{ "\"%s\", __print_hex(__get_dynamic_array(buf), __get_dynamic_array_len(buf))",
	  { DYNAMIC, REST }, WHOLE, "01 02 03 04" },
	{ "\"%s\", __print_hex(__get_dynamic_array(buf), REC->n)",
	  { { 8, 4, 2 }, DYNAMIC, REST }, WHOLE, "01 02" },
	{ "\"%pI4\", REC->addr", { DYNAMIC, REST }, WHOLE, "10.0.0.1" },
	{ "\"%p\", REC->text", { DYNAMIC, REST }, WHOLE, "0000000000001234" },
	{ "\"%s\", REC->text", { DYNAMIC, REST }, WHOLE, "1234" },
	/* More than the record has: its fields. */
	{ "\"%s\", __print_hex(__get_dynamic_array(buf), REC->n)",
	  { { 8, 4, 5 }, DYNAMIC, REST }, WHOLE, FIELDS("5", "abc", "01 02 03 04") },
	{ "\"%s\", __print_hex(__get_dynamic_array(buf), REC->n)",
	  { { 8, 4, 0xffffffff }, DYNAMIC, REST }, WHOLE, FIELDS("-1", "abc", "01 02 03 04") },
	{ "\"%s\", __get_str(name)",
	  { { 12, 4, 100 << 16 | 40 }, { 16, 4, 1 << 16 | 44 }, { 44, 1, 9 }, REST }, WHOLE,
	  FIELDS("0", "?", "09") },
	{ "\"%.*s|\", REC->n, __get_str(name)", { { 8, 4, 2 }, DYNAMIC, REST }, WHOLE, "ab|" },
	{ "\"%.*s|\", REC->n, __get_str(name)", { { 8, 4, 0xfffffffe }, DYNAMIC, REST }, WHOLE,
	  FIELDS("-2", "abc", "01 02 03 04") },
	{ "\"%d\", REC->n", { { 8, 4, 5 } }, 12, "n=5 name=? buf=? comm=? addr=? text=?" },
	/* What can't be read, or would be wrong. */
	{ "\"%d\", REC->n / REC->n", { { 8, 4, 5 }, DYNAMIC, REST }, WHOLE,
	  FIELDS("5", "abc", "01 02 03 04"), "it has expressions that sonde can't read" },
	{ "\"%d\", SOME_MACRO + REC->n", { { 8, 4, 5 }, DYNAMIC, REST }, WHOLE,
	  FIELDS("5", "abc", "01 02 03 04"),
	  "it has constants whose values the kernel does not tell" },
	{ "\"%s\", __print_symbolic(REC->n, { SOME_ENUM, \"A\" })", { { 8, 4, 5 }, DYNAMIC, REST },
	  WHOLE, FIELDS("5", "abc", "01 02 03 04"),
	  "it has constants whose values the kernel does not tell" },
	{ "\"%s\", __print_flags(REC->n, \"\", { (1 << SOME_ENUM), \"W\" })",
	  { { 8, 4, 1 }, DYNAMIC, REST }, WHOLE, FIELDS("1", "abc", "01 02 03 04"),
	  "it has expressions that sonde can't read" },
	{ "\"%d\", unknown(REC->n)", { { 8, 4, 5 }, DYNAMIC, REST }, WHOLE,
	  FIELDS("5", "abc", "01 02 03 04"), "libtraceevent can't read it" },
	{ "\"%d\", REC->addr[REC->n]", { { 8, 4, 5 }, DYNAMIC, REST }, WHOLE,
	  FIELDS("5", "abc", "01 02 03 04"), "the index of an array comes out of the record" },
	{ "\"%d %d\", REC->n", { { 8, 4, 5 }, DYNAMIC, REST }, WHOLE,
	  FIELDS("5", "abc", "01 02 03 04"), "libtraceevent can't read it" },
	{ "\"%s\", __print_array(__get_dynamic_array(buf), REC->n, 2)",
	  { { 8, 4, 2 }, DYNAMIC, REST }, WHOLE, FIELDS("2", "abc", "01 02 03 04"),
	  "libtraceevent shows arrays of numbers in another way" },
};

static void put(uint8_t *record, const struct part *p)
{
	for (unsigned int i = 0; i < p->size && !p->text; i++)
		record[p->offset + i] = (uint8_t)(i < 8 ? p->number >> 8 * i : 0);
	if (p->text)
		memcpy(record + p->offset, p->text, strlen(p->text));
}

static void check_text(struct event_text *e, const void *record, size_t size, const char *wanted)
{
	size_t length;
	const char *text = event_text(e, record, size, &length);

	ck_assert_msg(length == strlen(wanted) && !memcmp(text, wanted, length),
		      "wanted %s, got %.*s", wanted, (int)length, text);
}

START_TEST(record)
{
	uint8_t bytes[WHOLE] = { 300 & 0xff, 300 >> 8 };
	char *dir = temporary(), format[2048];
	struct event_texts *texts;
	struct event_text *e;
	struct kernel *k;

	snprintf(format, sizeof(format), "%s%s\n", records[_i].head ? records[_i].head : HEAD,
		 records[_i].print);
	write_text(dir, "uname", "Linux box 6.1.0 #1 SMP x86_64 GNU/Linux\n");
	write_text(dir, "tracefs-path", "/sys/kernel/tracing\n");
	make_dir(dir, "formats");
	make_dir(dir, "formats/s");
	make_dir(dir, "formats/s/e");
	write_text(dir, "formats/s/e/format", format);
	k = kernel_snapshot(dir, NULL);
	texts = event_texts_new(k, NULL, NULL);
	e = event_text_find(texts, "s", "e");
	ck_assert_ptr_nonnull(e);
	ck_assert_pstr_eq(event_text_why_fields(e), records[_i].why);
	for (unsigned int i = 0; i < COUNT_OF(records[_i].parts); i++)
		put(bytes, &records[_i].parts[i]);
	/* One behind the other: nothing stays of the one before. */
	memset(format, 'x', sizeof(format));
	check_text(e, bytes, records[_i].size, records[_i].text);
	event_text(e, format, sizeof(format), &(size_t){ 0 });
	check_text(e, bytes, records[_i].size, records[_i].text);
	event_texts_free(texts);
	kernel_free(k);
	remove_all(dir);
}
END_TEST

/* ---- texts that the kernel tells by their addresses ---- */

static const struct {
	uint64_t address;
	const char *shown;
} printk[] = {
	{ 0xffffffff81000010, "text=rcu_sched" }, { 0xffffffff81000020, "text=CB" },
	/* one of fewer is the address */
	{ 0xffffffff81000030, "text=ffffffff81000030" },
	{ 0xffffffff81000040, "text=ffffffff81000040" },
};

START_TEST(printk_formats)
{
	uint8_t bytes[WHOLE] = { 300 & 0xff, 300 >> 8 };
	struct event_texts *texts;
	char *dir = temporary();
	struct event_text *e;
	struct kernel *k;

	write_text(dir, "uname", "Linux box 6.1.0 #1 SMP x86_64 GNU/Linux\n");
	write_text(dir, "tracefs-path", "/sys/kernel/tracing\n");
	write_text(dir, "printk_formats", "0xffffffff81000010 : \"rcu_sched\"\n"
		   "0xffffffff81000020 : \"CB\"\n0xffffffff81000030 : \"x\"\n"
		   "0xffffffff81000040 : \"\"\n0xffffffff81000050 : \"\n");
	make_dir(dir, "formats");
	make_dir(dir, "formats/s");
	make_dir(dir, "formats/s/e");
	write_text(dir, "formats/s/e/format", HEAD "\"text=%s\", REC->text\n");
	k = kernel_snapshot(dir, NULL);
	texts = event_texts_new(k, NULL, NULL);
	e = event_text_find(texts, "s", "e");
	ck_assert_ptr_nonnull(e);
	put(bytes, &(struct part){ 32, 8, printk[_i].address, NULL });
	check_text(e, bytes, sizeof(bytes), printk[_i].shown);
	event_texts_free(texts);
	kernel_free(k);
	remove_all(dir);
}
END_TEST

/* ---- real formats ---- */

static const struct {
	const char *kernel;
	uint64_t state;
	const char *shown;
} switches[] = {
	{ "3.10", 0, "R" }, { "3.10", 1, "S" }, { "3.10", 0x400, "R+" },
	{ "4.4", 2, "D" }, { "4.4", 0x800, "R+" }, { "4.9", 0, "R" }, { "4.19", 1, "S" },
	{ "4.19", 0x100, "R+" }, { "5.10", 0, "R" }, { "5.10", 2, "D" }, { "5.10", 0x100, "R+" },
	{ "6.1", 0x100, "R+" }, { "6.1", 1, "S" }, { "6.12", 0, "R" }, { "7.2", 2, "D" },
};

static void set_field(const struct format *f, uint8_t *record, const char *name, uint64_t value,
		      const char *text)
{
	const struct field *field = format_field(f, name);

	ck_assert_ptr_nonnull(field);
	put(record, &(struct part){ field->offset, field->size, value, text });
}

START_TEST(sched_switch)
{
	char path[256], wanted[256];
	struct event_texts *texts;
	const struct format *f;
	uint8_t bytes[256] = { };
	struct event_text *e;
	struct kernel *k;

	snprintf(path, sizeof(path), KERNELS "/%s", switches[_i].kernel);
	k = kernel_snapshot(path, NULL);
	texts = event_texts_new(k, NULL, NULL);
	e = event_text_find(texts, "sched", "sched_switch");
	f = kernel_format(k, "sched", "sched_switch");
	ck_assert_ptr_nonnull(e);
	ck_assert_pstr_eq(event_text_why_fields(e), NULL);
	set_field(f, bytes, "common_type", (uint64_t)f->id, NULL);
	set_field(f, bytes, "prev_comm", 0, "one");
	set_field(f, bytes, "prev_pid", 11, NULL);
	set_field(f, bytes, "prev_prio", 120, NULL);
	set_field(f, bytes, "prev_state", switches[_i].state, NULL);
	set_field(f, bytes, "next_comm", 0, "two");
	set_field(f, bytes, "next_pid", 22, NULL);
	set_field(f, bytes, "next_prio", 100, NULL);
	snprintf(wanted, sizeof(wanted), "prev_comm=one prev_pid=11 prev_prio=120 prev_state=%s "
		 "==> next_comm=two next_pid=22 next_prio=100", switches[_i].shown);
	check_text(e, bytes, f->fields[f->n_fields - 1].offset + f->fields[f->n_fields - 1].size,
		   wanted);
	event_texts_free(texts);
	kernel_free(k);
}
END_TEST

START_TEST(fields)
{
	struct kernel *k = kernel_snapshot(KERNELS "/6.1", NULL);
	struct event_texts *texts = event_texts_new(k, NULL, NULL);
	struct event_text *e = event_text_find(texts, "sched", "sched_switch");
	char text[80];

	ck_assert(event_text_field(e, 0, text, sizeof(text)));
	ck_assert_str_eq(text, "char prev_comm[] (16 bytes)");
	ck_assert(event_text_field(e, 1, text, sizeof(text)));
	ck_assert_str_eq(text, "pid_t prev_pid");
	ck_assert(event_text_field(e, 6, text, sizeof(text)));
	ck_assert(!event_text_field(e, 7, text, sizeof(text)));
	ck_assert_ptr_null(event_text_find(texts, "sched", "nothing"));
	event_texts_free(texts);
	kernel_free(k);
}
END_TEST

Suite *suite_event_text(void)
{
	Suite *s = suite_create("event_text");

	add_tests(s, "plain", plain, COUNT_OF(plains));
	add_tests(s, "deep", deep, COUNT_OF(nested));
	add_tests(s, "record", record, COUNT_OF(records));
	add_tests(s, "printk_formats", printk_formats, COUNT_OF(printk));
	add_tests(s, "sched_switch", sched_switch, COUNT_OF(switches));
	add_tests(s, "fields", fields, 1);
	return s;
}
