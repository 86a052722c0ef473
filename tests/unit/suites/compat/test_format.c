// SPDX-License-Identifier: GPL-2.0
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/file.h"
#include "compat/kernel/format.h"
#include "compat/kernel/kernel_internal.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_format(void);

static const char sample[] =
	"name: sys_enter_openat\n"
	"ID: 717\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] __filename_val;\toffset:48;\tsize:4;\tsigned:0;\n"
	"\tfield:char comm[16];\toffset:52;\tsize:16;\tsigned:1;\n"
	"\n"
	"print fmt: \"dfd: 0x%08lx\", ((unsigned long)(REC->dfd))\n";

START_TEST(parses_all_of_a_format)
{
	static const struct field expected[] = {
		{ "common_type", "unsigned short", 0, 2, false, false, false },
		{ "common_pid", "int", 4, 4, true, false, false },
		{ "filename", "const char *", 24, 8, false, false, false },
		{ "__filename_val", "char", 48, 4, false, true, true },
		{ "comm", "char", 52, 16, true, true, false },
	};
	struct format *f = format_parse("syscalls", sample, strlen(sample));

	ck_assert_ptr_nonnull(f);
	ck_assert_str_eq(f->system, "syscalls");
	ck_assert_str_eq(f->event, "sys_enter_openat");
	ck_assert_int_eq(f->id, 717);
	ck_assert_str_eq(f->print, "\"dfd: 0x%08lx\", ((unsigned long)(REC->dfd))");
	ck_assert_uint_eq(f->n_fields, 5);
	for (unsigned int i = 0; i < 5; i++) {
		const struct field *field = format_field(f, expected[i].name);

		ck_assert_ptr_eq(field, &f->fields[i]);
		ck_assert_str_eq(field->type, expected[i].type);
		ck_assert_uint_eq(field->offset, expected[i].offset);
		ck_assert_uint_eq(field->size, expected[i].size);
		ck_assert_int_eq(field->is_signed, expected[i].is_signed);
		ck_assert_int_eq(field->is_array, expected[i].is_array);
		ck_assert_int_eq(field->is_data_loc, expected[i].is_data_loc);
	}
	ck_assert_ptr_null(format_field(f, "common"));
	format_free(f);
}
END_TEST

#define WITH_FIELD(line) \
	"name: e\nID: 1\nformat:\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n" line \
	"\nprint fmt: \"\"\n"

/*
 * Declarations that are, or were, in formats of real kernels. name NULL: no field that could be
 * asked for.
 */
static const struct {
	const char *declaration, *name, *type;
	bool is_array, is_data_loc;
} declarations[] = {
	{ "const void* ip", "ip", "const void*", false, false },
	{ "unsigned long args[6]", "args", "unsigned long", true, false },
	{ "__u8 saddr[sizeof(struct sockaddr_in6)]", "saddr", "__u8", true, false },
	{ "const struct landlock_ruleset_attr *const attr", "attr",
	  "const struct landlock_ruleset_attr *const", false, false },
	{ "__data_loc unsigned long[] cpus", "cpus", "unsigned long", true, true },
	{ "__rel_loc char[] msg", "msg", "__rel_loc char", false, false },
	{ "enum skb_drop_reason reason", "reason", "enum skb_drop_reason", false, false },
	{ "char matrix[4][16]", "matrix", "char", true, false },
	{ "void (*func)(void *)", NULL, NULL, false, false },
	{ "char a_name_that_is_longer_than_anyone_would_ever_ask_for", NULL, NULL, false, false },
	{ "int", NULL, NULL, false, false },
	{ "int 9lives", NULL, NULL, false, false },
};

START_TEST(takes_declarations_apart)
{
	char text[512];
	struct format *f;

	snprintf(text, sizeof(text), WITH_FIELD("\tfield:%s;\toffset:8;\tsize:4;\tsigned:0;"),
		 declarations[_i].declaration);
	f = format_parse("s", text, strlen(text));
	ck_assert_ptr_nonnull(f);
	if (!declarations[_i].name) {
		ck_assert_uint_eq(f->n_fields, 1);
	} else {
		ck_assert_uint_eq(f->n_fields, 2);
		ck_assert_str_eq(f->fields[1].name, declarations[_i].name);
		ck_assert_str_eq(f->fields[1].type, declarations[_i].type);
		ck_assert_int_eq(f->fields[1].is_array, declarations[_i].is_array);
		ck_assert_int_eq(f->fields[1].is_data_loc, declarations[_i].is_data_loc);
	}
	format_free(f);
}
END_TEST

static const char *const no_formats[] = {
	"",
	"\n",
	"name: e\nID: 1\nformat:\nprint fmt: \"\"\n",
	WITH_FIELD("\tfield:int a;\toffset:8;\tsize:4;"),
	WITH_FIELD("\tfield:int a;\toffset:;\tsize:4;\tsigned:0;"),
	WITH_FIELD("\tfield:int a;\toffset:-8;\tsize:4;\tsigned:0;"),
	WITH_FIELD("\tfield:int a;\toffset:99999999999999999999;\tsize:4;\tsigned:0;"),
	WITH_FIELD("\tfield:int a;\toffset:8;\tsize:4;\tsigned:2;"),
	WITH_FIELD("\tfield:int a"),
	WITH_FIELD("\tfield:__data_loc char[] a;\toffset:8;\tsize:8;\tsigned:0;"),
	"name: e\nID: x\nformat:\n\tfield:int a;\toffset:4;\tsize:4;\tsigned:1;\nprint fmt: \"\"\n",
	"name: e\nformat:\n\tfield:int a;\toffset:4;\tsize:4;\tsigned:1;\nprint fmt: \"\"\n",
	"ID: 1\nformat:\n\tfield:int a;\toffset:4;\tsize:4;\tsigned:1;\nprint fmt: \"\"\n",
	"name: e\nID: 1\nformat:\n\tfield:int a;\toffset:4;\tsize:4;\tsigned:1;\n",
};

START_TEST(refuses_what_is_no_format)
{
	ck_assert_ptr_null(format_parse("s", no_formats[_i], strlen(no_formats[_i])));
}
END_TEST

START_TEST(refuses_text_that_was_cut)
{
	const char *print = strstr(sample, "print fmt:");
	size_t whole = print + strlen("print fmt:") - sample;

	for (size_t length = 0; length < whole; length++) {
		/* A copy of just that length, for the sanitizer to see who reads on. */
		char *copy = malloc(length + 1);

		memcpy(copy, sample, length);
		ck_assert_msg(!format_parse("syscalls", copy, length),
			      "%zu bytes were enough", length);
		free(copy);
	}
}
END_TEST

/* Whatever one byte turns into: no crash, and never a field that lies beyond a record. */
START_TEST(survives_broken_bytes)
{
	static const char garbage[] = { 0, '\n', ';', '[', ']', ' ', (char)0xff, '9', ':' };
	char text[sizeof(sample)];
	struct format *f;

	for (size_t at = 0; at < strlen(sample); at++)
		for (size_t g = 0; g < sizeof(garbage); g++) {
			memcpy(text, sample, sizeof(sample));
			text[at] = garbage[g];
			f = format_parse("syscalls", text, strlen(sample));
			for (unsigned int i = 0; f && i < f->n_fields; i++) {
				ck_assert_uint_gt(strlen(f->fields[i].name), 0);
				ck_assert_uint_le(f->fields[i].offset, 65536);
				ck_assert_uint_le(f->fields[i].size, 65536);
			}
			if (f)
				format_preempted_bit(f);
			format_free(f);
		}
}
END_TEST

static const struct {
	const char *print;
	uint64_t bit;
} preempted[] = {
	{ "REC->prev_state & 1024 ? \"+\" : \"\"", 1024 },
	{ "(REC->prev_state & ((((0x0 | 0x1) + 1) << 1) - 1)) ? x : \"R\", "
	  "REC->prev_state & (((0x0 | 0x1 | 0x40) + 1) << 1) ? \"+\" : \"\"",
	  0 },	/* 0x82: two bits */
	{ "REC->prev_state & (((0x0 | 0x7f) + 1) << 1) ? \"+\" : \"\"", 256 },
	{ "(REC->prev_state & 0x100UL) ? \"+\" : \"\"", 256 },
	{ "REC->prev_state & 1 << 2 + 1 ? \"+\" : \"\"", 8 },
	{ "REC->prev_state & 3 & 6 ? \"+\" : \"\"", 2 },
	{ "REC->prev_state & 8 - 4 - 2 ? \"+\" : \"\"", 2 },
	{ "REC->prev_state & TASK_STATE_MAX ? \"+\" : \"\"", 0 },
	{ "REC->prev_state & (1024 ? \"+\" : \"\"", 0 },
	{ "REC->prev_state & 4 * 256 ? \"+\" : \"\"", 0 },
	{ "REC->prev_state & 1 << 64 ? \"+\" : \"\"", 0 },
	{ "REC->prev_state & ? \"+\" : \"\"", 0 },
	{ "REC->prev_state & 1024", 0 },
	{ "REC->other & 1024 ? \"+\" : \"\"", 0 },
	{ "", 0 },
};

START_TEST(finds_the_preempted_bit)
{
	struct format f = { .print = (char *)preempted[_i].print };

	ck_assert_uint_eq(format_preempted_bit(&f), preempted[_i].bit);
}
END_TEST

START_TEST(refuses_endless_parentheses)
{
	char print[2000] = "REC->prev_state & ";
	struct format f = { .print = print };

	memset(print + strlen(print), '(', 1000);
	strcat(print, "1 ? \"+\"");
	ck_assert_uint_eq(format_preempted_bit(&f), 0);
}
END_TEST

/* Each format of all kernels parses, and knows its own name and who it happened to. */
START_TEST(parses_formats_of_kernels)
{
	const struct field *pid;
	char *text, *system, *event;
	unsigned int count;
	struct format *f;
	size_t length;
	glob_t found;

	ck_assert_int_eq(glob(KERNELS "/*/formats/*/*/format", 0, NULL, &found), 0);
	for (count = 0; count < found.gl_pathc; count++) {
		char *path = found.gl_pathv[count];

		text = file_text(path, 1 << 20, &length);
		ck_assert_ptr_nonnull(text);
		*strrchr(path, '/') = 0;
		event = strrchr(path, '/') + 1;
		event[-1] = 0;
		system = strrchr(path, '/') + 1;
		f = format_parse(system, text, length);
		ck_assert_msg(f != NULL, "%s:%s does not parse", path, event);
		ck_assert_str_eq(f->event, event);
		ck_assert_str_eq(f->system, system);
		pid = format_field(f, "common_pid");
		ck_assert_ptr_nonnull(pid);
		ck_assert_uint_eq(pid->offset, 4);
		ck_assert_uint_eq(pid->size, 4);
		/* One field a line that says so: none was skipped. */
		unsigned int lines = 0;

		for (const char *p = text; (p = strstr(p, "\tfield:")); p++)
			lines++;
		ck_assert_msg(f->n_fields == lines, "%s:%s: %u of %u fields", path, event,
			      f->n_fields, lines);
		format_free(f);
		free(text);
	}
	globfree(&found);
	ck_assert_uint_ge(count, 2000);
}
END_TEST

static const struct {
	const char *kernel;
	uint64_t bit;
} bits[] = {
	{ KERNELS "/3.10", 1024 }, { KERNELS "/6.1", 256 }, { KERNELS "/4.1", 1024 },
	{ KERNELS "/4.4", 2048 }, { KERNELS "/4.9", 4096 }, { KERNELS "/4.12", 4096 },
	{ KERNELS "/4.19", 256 }, { KERNELS "/5.10", 256 }, { KERNELS "/6.12", 256 },
	{ KERNELS "/7.2", 256 },
};

START_TEST(preempted_bit_of_kernels)
{
	struct error err;
	struct kernel *k = kernel_snapshot(bits[_i].kernel, &err);

	ck_assert_msg(k != NULL, "%s", err.text);
	ck_assert_ptr_nonnull(kernel_format(k, "sched", "sched_switch"));
	ck_assert_uint_eq(format_preempted_bit(kernel_format(k, "sched", "sched_switch")),
			  bits[_i].bit);
	kernel_free(k);
}
END_TEST

START_TEST(knows_fields_of_code)
{
	static const char text[] =
		"name: event\nID: 7\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		"\tfield:void * function;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:unsigned long call_site;\toffset:16;\tsize:8;\tsigned:0;\n"
		"\tfield:u32 location;\toffset:24;\tsize:4;\tsigned:0;\n"
		"\tfield:char func[8];\toffset:28;\tsize:8;\tsigned:1;\n"
		"\tfield:void * work;\toffset:40;\tsize:8;\tsigned:0;\n"
		"\nprint fmt: \"\"\n";
	struct format *f = format_parse("system", text, strlen(text));
	unsigned int n = 0;

	ck_assert_ptr_nonnull(f);
	for (unsigned int i = 0; i < f->n_fields; i++)
		n += format_field_is_code(&f->fields[i]);
	if (sizeof(long) == 8) {
		ck_assert_uint_eq(n, 2);
		ck_assert(format_field_is_code(format_field(f, "function")));
		ck_assert(format_field_is_code(format_field(f, "call_site")));
	}
	format_free(f);
}
END_TEST

Suite *suite_format(void)
{
	Suite *s = suite_create("format");

	add_tests(s, "sample", parses_all_of_a_format, 1);
	add_tests(s, "declarations", takes_declarations_apart, COUNT_OF(declarations));
	add_tests(s, "no format", refuses_what_is_no_format, COUNT_OF(no_formats));
	add_tests(s, "cut text", refuses_text_that_was_cut, 1);
	add_tests(s, "broken bytes", survives_broken_bytes, 1);
	add_tests(s, "preempted bit", finds_the_preempted_bit, COUNT_OF(preempted));
	add_tests(s, "parentheses", refuses_endless_parentheses, 1);
	add_tests(s, "code", knows_fields_of_code, 1);
	add_tests(s, "formats of kernels", parses_formats_of_kernels, 1);
	add_tests(s, "preempted bit of kernels", preempted_bit_of_kernels, COUNT_OF(bits));
	return s;
}
