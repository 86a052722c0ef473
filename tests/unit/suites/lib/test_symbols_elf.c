// SPDX-License-Identifier: GPL-2.0
/* Names of code in programs that the compiler makes here, compared with what nm(1) says of them. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/lib/symbols/readers/elf_symbols.h"
#include "src/lib/symbols/readers/load.h"
#include "tests/unit/helpers/nm.h"
#include "tests/unit/helpers/temporary.h"

Suite *suite_symbols_elf(void);

#define ADDRESSES 1000

/* Functions of many sizes, of all bindings, one in assembler without a size, aliases. */
static const char source[] =
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"#define BODY(N) { volatile int i = n; for (int j = 0; j < N; j++) { i += i * N; "
	"if (N > 3) i ^= n << N % 7; if (N > 9) i -= n / (N + j + 1); } return i; }\n"
	"#define THREE(N) static __attribute__((noinline)) int local##N(int n) BODY(N) \\\n"
	"__attribute__((noinline)) int global##N(int n) BODY(N + 1) \\\n"
	"__attribute__((noinline, weak)) int weak##N(int n) BODY(N + 2) \\\n"
	"int user##N(int n) { return local##N(n) + global##N(n) + weak##N(n); }\n"
	"THREE(1) THREE(2) THREE(3) THREE(4) THREE(8) THREE(10) THREE(12)\n"
	"int _a_worse_alias(int n) __attribute__((alias(\"global4\")));\n"
	"asm(\".text\\n.balign 16\\n.globl unsized\\nunsized:\\n.zero 40\\nunsized_local:\\n"
	".zero 24\\n.Llabel:\\n.zero 8\\n.balign 16\\nbehind:\\n.zero 8\\n\");\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	char *p = malloc(argc + 10);\n"
	"	int n = user1(argc) + user2(argc) + user3(argc) + user4(argc) + user8(argc);\n"
	"	strncpy(p, argv[0], argc);\n"
	"	printf(\"%d %s %d\\n\", n + user10(n) + user12(n), p, puts(p));\n"
	"	free(p);\n"
	"	return n == atoi(argv[0]);\n"
	"}\n";

/* `prog` is read, with the folder as its root, and `full` has all symbols. */
static const struct {
	const char *name, *make;
	bool optional;			/* what makes it may not be there */
	bool only_dynamic;		/* its debug file is another's */
} fixtures[] = {
	{ "position independent", "gcc -O1 -fPIE -pie -o prog prog.c && cp prog full" },
	{ "at fixed addresses", "gcc -O1 -fno-pie -no-pie -o prog prog.c && cp prog full" },
	{ "static", "gcc -O2 -static -o prog prog.c && cp prog full" },
	{ "shared library", "gcc -O2 -shared -fPIC -o prog prog.c && cp prog full" },
	{ "one segment", "gcc -O1 -Wl,-z,noseparate-code -o prog prog.c && cp prog full" },
	{ "sections of functions", "gcc -O1 -ffunction-sections -o prog prog.c && cp prog full" },
	{ "moved", "gcc -O1 -fno-pie -no-pie -Wl,-Ttext-segment=0x10000000 -o prog prog.c && "
		   "cp prog full" },
	{ "32 bits", "sh $OLDPWD/tests/cc32.sh native -O1 -static -o prog prog.c && cp prog full",
	  .optional = true },
	{ "debug file by build id",
	  "gcc -O1 -Wl,--build-id=sha1 -o full prog.c && "
	  "id=$(readelf -n full | sed -n 's/.*Build ID: //p') && "
	  "dir=usr/lib/debug/.build-id/$(echo $id | cut -c 1-2) && mkdir -p $dir && "
	  "objcopy --only-keep-debug full $dir/$(echo $id | cut -c 3-).debug && "
	  "strip -o prog full" },
	/* as prelink(8) moves a file, and leaves its debug file where it was */
	{ "debug file of before it was moved",
	  "gcc -O1 -fno-pie -no-pie -Wl,--build-id=0x1234567890 -o debug prog.c && "
	  "gcc -O1 -fno-pie -no-pie -Wl,--build-id=0x1234567890 "
	  "-Wl,-Ttext-segment=0x10000000 -o full prog.c && strip -o prog full && "
	  "mkdir -p usr/lib/debug/.build-id/12 && "
	  "objcopy --only-keep-debug debug usr/lib/debug/.build-id/12/34567890.debug",
	  .optional = true },
	{ "debug file by name",
	  "gcc -O1 -Wl,--build-id=none -o full prog.c && objcopy --only-keep-debug full x.debug && "
	  "strip -o prog full && objcopy --add-gnu-debuglink=x.debug prog" },
	{ "debug file in .debug",
	  "gcc -O1 -Wl,--build-id=none -o full prog.c && objcopy --only-keep-debug full x.debug && "
	  "strip -o prog full && objcopy --add-gnu-debuglink=x.debug prog && mkdir .debug && "
	  "mv x.debug .debug" },
	{ "packed in .gnu_debugdata",
	  "gcc -O1 -Wl,--build-id=none -o full prog.c && objcopy --only-keep-debug full mini && "
	  "xz -9 -c mini >mini.xz && "
	  "strip -o prog full && objcopy --add-section .gnu_debugdata=mini.xz prog",
	  .optional = true },
	{ "another's debug file by name",
	  "gcc -O1 -Wl,--build-id=none -o full prog.c && objcopy --only-keep-debug full x.debug && "
	  "strip -o prog full && objcopy --add-gnu-debuglink=x.debug prog && "
	  "echo >>x.debug", .only_dynamic = true },
	{ "another's debug file by build id",
	  "gcc -O1 -Wl,--build-id=0x1234567890 -o full prog.c && strip -o prog full && "
	  "gcc -O1 -Wl,--build-id=0x1234567891 -o other prog.c && "
	  "mkdir -p usr/lib/debug/.build-id/12 && "
	  "objcopy --only-keep-debug other usr/lib/debug/.build-id/12/34567890.debug",
	  .only_dynamic = true },
};

static void load(const char *folder, struct table *table, struct elf_file *e, int *fd)
{
	struct error why;
	char path[256];
	struct elf_source elf = { .root = folder, .path = "/prog" };
	struct error err = { };

	snprintf(path, sizeof(path), "%s/prog", folder);
	*fd = elf.fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(elf.fd, 0);
	ck_assert_int_eq(elf_file_open(e, elf.fd, &err), 0);
	ck_assert_msg(load_table(load_elf, &elf, elf.fd, NULL, table, &why), "%s", why.text);
	ck_assert_str_eq(why.text, "");
}

static void compare(const char *folder, bool only_dynamic)
{
	char full[256];
	struct nm_symbol *list;
	size_t n;
	struct elf_file e;
	struct table table;
	int named = 0, fd;

	snprintf(full, sizeof(full), "%s/full", folder);
	n = nm_symbols(full, &list);
	ck_assert_int_gt(n, 25);
	load(folder, &table, &e, &fd);
	srand(1);
	for (int i = 0; i < ADDRESSES; i++) {
		const struct nm_symbol *k = &list[(size_t)rand() % n];
		const uint64_t address = k->at + (k->size ? (uint64_t)rand() % k->size : 0);
		const int64_t at = elf_file_position(&e, address);
		const char *name = NULL;
		uint64_t offset;

		/* what the linker put behind all code */
		if (at < 0 || !strncmp(k->name, "_etext", 6) || !strcmp(k->name, "etext"))
			continue;
		if (table_find(&table, (uint64_t)at, false, &name, &offset)) {
			named++;
			ck_assert_msg(nm_has(list, n, address, name, NULL) || strstr(name, "@plt"),
				      "%" PRIx64 " in %s is %s", address, k->name, name);
		} else if (!only_dynamic && k->size) {
			ck_abort_msg("%" PRIx64 " in %s is unknown", address, k->name);
		}
	}
	if (only_dynamic)
		ck_assert_int_eq(named, 0);
	else
		ck_assert_int_gt(named, ADDRESSES * 9 / 10);
	table_free(&table);
	elf_file_close(&e);
	close(fd);
	free(list);
}

static bool make(const char *folder, const char *how)
{
	char command[2048];

	write_text(folder, "prog.c", source);
	snprintf(command, sizeof(command), "cd %s && { %s; } >log 2>&1", folder, how);
	return system(command) == 0;
}

START_TEST(programs)
{
	char *folder = temporary();

	if (make(folder, fixtures[_i].make))
		compare(folder, fixtures[_i].only_dynamic);
	else
		ck_assert_msg(fixtures[_i].optional, "%s can't be made", fixtures[_i].name);
	remove_all(folder);
}
END_TEST

static bool has_name(const struct table *t, const char *name)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (!strcmp(t->names + t->symbols[i].name, name))
			return true;
	return false;
}

static const struct table_symbol *symbol_of(const struct table *t, const char *name)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (!strcmp(t->names + t->symbols[i].name, name))
			return &t->symbols[i];
	ck_abort_msg("%s is unknown", name);
}

static const char *name_at(const struct table *t, uint64_t place, bool caller)
{
	const char *name;
	uint64_t offset;

	return table_find(t, place, caller, &name, &offset) ? name : "unknown";
}

/* Of aliases the one that people know; where a function without a size ends; no labels. */
START_TEST(choice)
{
	char *folder = temporary();
	struct elf_file e;
	struct table t;
	int fd;

	ck_assert(make(folder, fixtures[0].make));
	load(folder, &t, &e, &fd);
	ck_assert(has_name(&t, "global4") && !has_name(&t, "_a_worse_alias"));
	ck_assert(has_name(&t, "unsized") && has_name(&t, "unsized_local"));
	ck_assert(!has_name(&t, ".Llabel") && !has_name(&t, "_etext"));
	ck_assert_int_eq(symbol_of(&t, "unsized")->size, 40);
	table_free(&t);
	elf_file_close(&e);
	close(fd);
	remove_all(folder);
}
END_TEST

/* A function's first byte is no return address into one before whose end is unknown. */
START_TEST(padding)
{
	struct error why;
	char *folder = temporary();
	struct elf_source elf = { .root = folder, .path = "/prog", .n_wanted = 1 };
	struct elf_file e;
	const struct table_symbol *s;
	struct table t, few;
	uint64_t place;

	ck_assert(make(folder, fixtures[0].make));
	load(folder, &t, &e, &elf.fd);
	place = symbol_of(&t, "behind")->at - 1;
	ck_assert_str_eq(name_at(&t, place, true), "unknown");
	ck_assert_str_eq(name_at(&t, place, false), "unsized_local");
	ck_assert_str_eq(name_at(&t, place - 1, true), "unsized_local");
	/* musl's _start ends with a call, and what comes behind need not be aligned */
	ck_assert_str_eq(name_at(&t, symbol_of(&t, "unsized_local")->at - 1, true), "unsized");
	/* one with a size may end with a call that does not return */
	s = symbol_of(&t, "global4");
	ck_assert_str_eq(name_at(&t, s->at + s->size - 1, true), "global4");
	/* the same where only this one is asked for */
	elf.wanted = &place;
	ck_assert_msg(load_table(load_elf, &elf, elf.fd, NULL, &few, &why), "%s", why.text);
	ck_assert_str_eq(name_at(&few, place, true), "unknown");
	ck_assert_str_eq(name_at(&few, place, false), "unsized_local");
	table_free(&few);
	table_free(&t);
	elf_file_close(&e);
	close(elf.fd);
	remove_all(folder);
}
END_TEST

/* The entries of the procedure linkage table, in the forms that linkers give it. */
static const char *const linked[] = {
	"gcc -O1 -fPIE -pie -Wl,-z,lazy -o prog prog.c",
	"gcc -O1 -fno-pie -no-pie -Wl,-z,lazy -o prog prog.c",
	"gcc -O1 -fPIE -pie -Wl,-z,lazy -fcf-protection=full -Wl,-z,ibtplt -o prog prog.c",
	"gcc -O1 -fPIE -pie -Wl,-z,now -o prog prog.c",
	"gcc -O1 -fPIE -pie -Wl,-z,lazy -s -o prog prog.c",
};

START_TEST(linkage)
{
	static const char *const called[] = { "malloc@plt", "puts@plt", "strncpy@plt" };
	char *folder = temporary();
	struct elf_file e;
	struct table t;
	int fd;

	/* the options are not every machine's */
	if (make(folder, linked[_i])) {
		load(folder, &t, &e, &fd);
		for (unsigned int i = 0; i < sizeof(called) / sizeof(*called); i++)
			ck_assert_msg(has_name(&t, called[i]), "no %s", called[i]);
		for (uint32_t i = 0; i < t.n; i++)
			if (strstr(t.names + t.symbols[i].name, "@plt"))
				ck_assert_int_le(t.symbols[i].size, 16);
		table_free(&t);
		elf_file_close(&e);
		close(fd);
	} else {
		ck_assert_int_gt(_i, 1);
	}
	remove_all(folder);
}
END_TEST

/* The vDSO: what sonde itself calls. */
START_TEST(vdso)
{
	const struct vdso_source own = { };
	struct error why;
	struct table t;

	if (!load_table(load_vdso, &own, -1, NULL, &t, &why))
		ck_abort_msg("%s", why.text);
	ck_assert_msg(strstr(why.text, "has none") || has_name(&t, "clock_gettime") ||
		      has_name(&t, "__vdso_clock_gettime") ||
		      has_name(&t, "__kernel_clock_gettime"), "%u symbols", t.n);
	table_free(&t);
}
END_TEST

Suite *suite_symbols_elf(void)
{
	Suite *s = suite_create("symbols_elf");

	add_tests(s, "programs", programs, (int)(sizeof(fixtures) / sizeof(fixtures[0])));
	add_tests(s, "choice", choice, 1);
	add_tests(s, "padding", padding, 1);
	add_tests(s, "linkage", linkage, (int)(sizeof(linked) / sizeof(linked[0])));
	add_tests(s, "vdso", vdso, 1);
	return s;
}
