// SPDX-License-Identifier: GPL-2.0
/*
 * The reader of C declarations: where members of random structs are is what each machine's compiler
 * makes of them; files, and what is wrong with some.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/language/types/header.h"
#include "src/language/types/members.h"
#include "tests/fuzz/random.h"
#include "tests/unit/helpers/repeated.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

#define STRUCTS 60
#define LEAVES 40
#define PLACE 64			/* each variable of the compiler's begins at a multiple */

struct maker {
	uint64_t state;
	char *text;
	size_t n;
	struct {
		char paths[LEAVES][80];
		unsigned int n;
		const char *kind;
	} structs[STRUCTS];
	unsigned int names;
};

static uint64_t below(struct maker *m, uint64_t n)
{
	return random_next(&m->state) % n;
}

static void put(struct maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct maker *m, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	m->n += (size_t)vsprintf(m->text + m->n, format, args);
	va_end(args);
}

static void leaf(struct maker *m, unsigned int number, const char *prefix, const char *name)
{
	unsigned int *n = &m->structs[number].n;

	if (*n < LEAVES)
		snprintf(m->structs[number].paths[(*n)++], 80, "%s%s", prefix, name);
}

static const char *attribute(struct maker *m)
{
	static const char *const some[] = { " __attribute__((packed))", " __packed",
		" __attribute__((aligned(8)))", " __attribute__((aligned(2), packed))",
		" __aligned(16)", " __attribute__((aligned))" };

	return below(m, 8) ? "" : some[below(m, 6)];
}

/* Compilers disagree where a struct has two. */
static const char *second_attribute(struct maker *m, const char *first)
{
	return *first ? "" : attribute(m);
}

static void members(struct maker *m, unsigned int number, const char *prefix, int depth);

static void member(struct maker *m, unsigned int number, const char *prefix, int depth)
{
	static const char *const types[] = { "char", "u8", "short", "u16", "int", "u32", "long",
		"unsigned long", "long long", "u64", "bool", "enum color", "enum tiny", "void *",
		"struct other *", "aligned_u64", "loose_u64", "color_t", "pair_t", "double",
		"long double", "float" };
	static const struct {
		const char *type;
		int bits;
	} fields[] = { { "int", 32 }, { "u8", 8 },
		{ "u16", 16 }, { "u32", 32 }, { "bool", 1 }, { "unsigned long long", 64 },
		{ "unsigned long", 32 }, { "enum color", 32 }, { "char", 8 } };
	char name[16], inner[80];
	const char *first;
	uint64_t what = below(m, depth ? 12 : 9), i;

	sprintf(name, "m%u", m->names++);
	if (what < 4) {
		i = below(m, 22);
		put(m, "\t%s %s%s;\n", types[i], name, attribute(m));
		if (i != 18 && i < 19)
			leaf(m, number, prefix, name);
	} else if (what < 7) {
		i = below(m, 9);
		if (!below(m, 8))
			put(m, "\t%s : %d;\n", fields[i].type,
			    (int)below(m, (uint64_t)fields[i].bits + 1));
		put(m, "\t%s %s : %d%s;\n", fields[i].type, name,
		    1 + (int)below(m, (uint64_t)fields[i].bits), below(m, 3) ? "" : attribute(m));
		leaf(m, number, prefix, name);
	} else if (what < 9) {
		i = below(m, 16);
		put(m, "\t%s %s[%d]", types[i], name, 1 + (int)below(m, 5));
		snprintf(inner, sizeof(inner), "%s[0]", name);
		if (below(m, 3)) {
			put(m, "%s;\n", attribute(m));
		} else {
			put(m, "[N - 4 ? sizeof(int) : 3];\n");
			strcat(inner, "[0]");
		}
		leaf(m, number, prefix, inner);
	} else {
		bool named = below(m, 2);

		snprintf(inner, sizeof(inner), named ? "%s%s." : "%s", prefix, name);
		first = attribute(m);
		put(m, "%s%s {\n", below(m, 2) ? "struct" : "union", first);
		members(m, number, inner, depth - 1);
		put(m, "}%s %s;\n", second_attribute(m, first), named ? name : "");
	}
}

static void members(struct maker *m, unsigned int number, const char *prefix, int depth)
{
	for (uint64_t n = 1 + below(m, 6); n; n--)
		member(m, number, prefix, depth);
}

static void make_header(struct maker *m)
{
	put(m, "#ifndef HEADER\n#define HEADER\n#define N 3 /* three */ + \\\n 1\n"
	    "enum color { RED, GREEN = N << 1, BLUE };\n"
	    "enum tiny { A = -1, B = 'x' } __attribute__((packed));\n"
	    "typedef enum color color_t;\nstruct other;\n"
	    "typedef u64 __attribute__((aligned(8))) aligned_u64;\n"
	    "typedef u64 loose_u64 __attribute__((aligned(4)));\n"
	    "typedef struct { u8 a, *b; int (*call)(int x, void *); } pair_t;\n"
	    "static inline int f(struct other *o) { return o ? 1 : 0; }\n");
	for (unsigned int i = 0; i < STRUCTS; i++) {
		const char *first = attribute(m);
		const bool packs = !below(m, 4);

		if (packs)
			put(m, below(m, 2) ? "#pragma pack(push, %d)\n" :
			    "#pragma pack(push)\n#pragma pack(%d)\n", 1 << below(m, 5));
		m->structs[i].kind = below(m, 8) ? "struct" : "union";
		put(m, "%s%s s%u {\n", m->structs[i].kind, first, i);
		members(m, i, "", 2);
		put(m, "}%s;\n", second_attribute(m, first));
		if (packs)
			put(m, "#pragma pack(pop)\n");
	}
	put(m, "#endif\n");
}

static const struct compiler {
	const char *command, *prefix, *name;
	unsigned int word;
	bool big_endian;
} compilers[] = {
	{ "cc -w", "", "x86_64", 8, false }, { "cc -w -m32", "", "i686", 4, false },
	{ "i686-linux-gnu-gcc -w", "i686-linux-gnu-", "i686", 4, false },
	{ "aarch64-linux-gnu-gcc -w", "aarch64-linux-gnu-", "aarch64", 8, false },
	{ "arm-linux-gnueabihf-gcc -w", "arm-linux-gnueabihf-", "armv7l", 4, false },
	{ "riscv64-linux-gnu-gcc -w", "riscv64-linux-gnu-", "riscv64", 8, false },
	{ "powerpc64le-linux-gnu-gcc -w -mlong-double-128", "powerpc64le-linux-gnu-", "ppc64le", 8,
	  false },
	{ "s390x-linux-gnu-gcc -w -mlong-double-128", "s390x-linux-gnu-", "s390x", 8, true },
};

/*
 * What the compiler puts where: the structs' sizes, and a variable for each leaf, in which that
 * alone is -1. NULL: this machine has no such compiler.
 */
static uint8_t *compile(const struct maker *m, const struct compiler *c, const char *folder,
			size_t *length)
{
	char path[200], command[900];
	uint8_t *blob = malloc(1 << 22);
	FILE *f;

	snprintf(path, sizeof(path), "%s/x.c", folder);
	f = fopen(path, "w");
	fprintf(f, "typedef unsigned char u8; typedef unsigned short u16; "
		"typedef unsigned int u32; typedef unsigned long long u64; typedef _Bool bool;\n"
		"#define __packed __attribute__((packed))\n"
		"#define __aligned(x) __attribute__((aligned(x)))\n"
		"#define BLOB __attribute__((section(\".blob\"), aligned(%d)))\n%s", PLACE,
		m->text);
	fprintf(f, "BLOB unsigned int sizes[] = {");
	for (unsigned int i = 0; i < STRUCTS; i++)
		fprintf(f, "sizeof(%s s%u),", m->structs[i].kind, i);
	fprintf(f, "};\n");
	for (unsigned int i = 0; i < STRUCTS; i++)
		for (unsigned int j = 0; j < m->structs[i].n; j++)
			fprintf(f, "BLOB %s s%u v%u_%u = { .%s = -1 };\n", m->structs[i].kind,
				i, i, j, m->structs[i].paths[j]);
	fclose(f);
	/* gcc 14 refuses pointers of -1 */
	snprintf(command, sizeof(command), "cd %s && %s -Wno-int-conversion "
		 "-fno-toplevel-reorder -c x.c 2>errors && "
		 "%sobjcopy -O binary --only-section=.blob x.o x.bin", folder, c->command,
		 c->prefix);
	snprintf(path, sizeof(path), "%s/x.bin", folder);
	f = system(command) ? NULL : fopen(path, "r");
	if (!f) {
		free(blob);
		return NULL;
	}
	*length = fread(blob, 1, 1 << 22, f);
	fclose(f);
	remove(path);
	return blob;
}

static uint32_t number_at(const uint8_t *p, bool big)
{
	return big ? (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3] :
		     (uint32_t)p[3] << 24 | p[2] << 16 | p[1] << 8 | p[0];
}

/* The bits in which the leaf is -1, as the reader has it. */
static void fill(const struct member_place *p, const struct machine *m, uint8_t *to)
{
	uint64_t bits = p->width;

	if (!bits)
		bits = 8 * (uint64_t)type_size(&p->type, m);
	if (p->type.is_bool && !p->type.pointers && !p->width) {
		to[p->bits / 8] = 1;
		return;
	}
	for (uint64_t i = (uint64_t)p->bits; i < (uint64_t)p->bits + bits; i++)
		to[i / 8] |= m->big_endian ? 0x80 >> i % 8 : 1 << i % 8;
}

static struct member_place find(struct header *h, const char *tag, const char *path)
{
	struct c_type type = { .base = C_STRUCT };
	struct member_place to = { }, step;

	strcpy(type.tag, tag);
	ck_assert_msg(header_struct(h, tag, &type), "%s is not known", tag);
	for (size_t n; *path; path += n + (path[n] == '.')) {
		n = strcspn(path, ".[");
		ck_assert_msg(header_member(h, type.id, path, n, &step), "%s has no %s", tag, path);
		to.bits += step.bits;
		to.width = step.width;
		to.type = type = step.type;
		while (path[n] == '[') {
			to.type.n_dims--;
			memmove(to.type.dims, to.type.dims + 1, 2 * sizeof(to.type.dims[0]));
			n += 3;
		}
	}
	return to;
}

static void compare(const struct maker *m, const struct compiler *c, const uint8_t *blob,
		    size_t length)
{
	const struct machine machine = machine_of(arch_by_name(c->name));
	struct header *h = header_new(&machine);
	size_t at = (STRUCTS * 4 + PLACE - 1) / PLACE * PLACE;
	struct error err;
	char tag[16];

	ck_assert_msg(!header_add(h, "x.h", m->text, m->n, &err), "%s", err.text);
	for (unsigned int i = 0; i < STRUCTS; i++) {
		const uint32_t size = number_at(blob + 4 * i, c->big_endian);
		struct c_type type = { .base = C_STRUCT };

		sprintf(tag, "s%u", i);
		ck_assert(header_struct(h, tag, &type));
		ck_assert_msg(type.bytes == size, "%s: s%u has %u bytes, not %u, in\n%.1500s",
			      c->name, i, size, type.bytes, strstr(m->text, tag));
		for (unsigned int j = 0; j < m->structs[i].n; j++) {
			const struct member_place p = find(h, tag, m->structs[i].paths[j]);
			uint8_t wanted[4096] = { };

			fill(&p, &machine, wanted);
			ck_assert(at + size <= length);
			ck_assert_msg(!memcmp(wanted, blob + at, size), "%s: s%u.%s is not at bit "
				      "%lld\n%.1500s", c->name, i, m->structs[i].paths[j],
				      (long long)p.bits, strstr(m->text, tag));
			at += (size + PLACE - 1) / PLACE * PLACE;
		}
	}
	header_free(h);
}

START_TEST(compilers_agree)
{
	struct maker m = { .state = 20261121 + (uint64_t)_i };
	char *folder = temporary();

	m.text = calloc(1, 1 << 20);
	make_header(&m);
	for (int i = 0; i < COUNT_OF(compilers); i++) {
		size_t length;
		uint8_t *blob = compile(&m, &compilers[i], folder, &length);

		ck_assert_msg(blob || i, "the compiler takes no such file: see %s/errors", folder);
		if (blob)
			compare(&m, &compilers[i], blob, length);
		free(blob);
	}
	free(m.text);
	remove_all(folder);
}
END_TEST

/* What is wrong with a file: the message, and the caret's line. */
static const struct {
	const char *text, *message;
} mistakes[] = {
	{ "struct a {\n\tfoo_t x;\n};", "x.h:2: this is no type that is known here" },
	{ "struct a {\n\tstruct b x;\n};", "x.h:2: the size of this is not known here" },
	{ "struct a { int x : 33; };", "x.h:1: a bit field of that type can't have so many" },
	{ "struct a { int x; }; struct a { int y; };", "struct a has its members already" },
	{ "struct a { int x;", "x.h:1: a struct does not end" },
	{ "struct a { struct b { int x; }; };", "has a tag but no name" },
	{ "typedef struct { int x; } t; struct b { t; };", "a member of this type has no name" },
	{ "struct a { int x[-1]; };", "this array is too large" },
	{ "struct a { int x[1][2][3][4]; };", "3 dimensions at most" },
	{ "struct a { int x[N]; };", "`N` is no number that is known here" },
	{ "struct a { int x[1 / 0]; };", "divides by 0" },
	{ "\n\n#ifdef CONFIG_SMP\nint x;\n#endif", "x.h:3: whether this kernel has it" },
	{ "#if defined(CONFIG_SMP)\nint x;\n#endif", "whether this kernel has it" },
	{ "#ifdef A\n", "an #if has no #endif" },
	{ "#endif\n", "there is no #if" },
	{ "#pragma ms_struct on\n", "this #pragma is not known here" },
	{ "#pragma pack(3)\n", "x.h:1: a #pragma pack is (1)" },
	{ "#pragma pack(push, x, 1)\n", "a #pragma pack is (1)" },
	{ "#pragma pack(pop)\n", "no #pragma pack(push) is before this" },
	{ "#pragma pack 1\n", "a #pragma pack is (1)" },
	{ "struct a { int x __attribute__((mode(DI))); };", "the effect of this attribute" },
	{ "struct a { char x; } __randomize_layout;", "is random" },
	{ "struct a { int x __attribute__((aligned(3))); };", "a power of two" },
	{ "struct __aligned(8) a { int x; } __aligned(16);", "different alignments" },
	{ "enum a { X = Y };", "`Y` is no number" },
	{ "struct a { enum b x; };", "the enum's numbers are not known here" },
	{ "union a { int x; }; struct a *p;", "this tag is that of something else" },
	{ "typedef int t; typedef long long t;", "a type of another size already" },
	{ "struct a { int f(void); };", "a function is no member" },
	{ "struct a { char c[0x7fffffff]; };", "this array is too large" },
	{ "struct a { char c[0x8000000]; }; struct b { struct a x[9]; };", "the size of this" },
};

START_TEST(mistake)
{
	const struct machine m = machine_of(arch_by_name("x86_64"));
	struct header *h = header_new(&m);
	struct error err = { };

	ck_assert_msg(header_add(h, "x.h", mistakes[_i].text, strlen(mistakes[_i].text), &err),
		      "accepted: %s", mistakes[_i].text);
	ck_assert_msg(strstr(err.text, mistakes[_i].message) && strchr(err.text, '^'), "%s: %s",
		      mistakes[_i].text, err.text);
	header_free(h);
}
END_TEST

static bool pair_of_others(void *arg, struct c_type *type)
{
	(void)arg;
	if (strcmp(type->tag, "pair"))
		return false;
	type->source = TYPES_BTF;
	type->id = 9;
	type->bytes = 12;
	type->align = 4;
	return true;
}

/* A struct that only others declare is embedded. */
START_TEST(embedded)
{
	static const char text[] = "struct a { char c; struct pair p[2]; struct pair *q; };",
			  unknown[] = "struct b { struct other o; };";
	const struct machine m = machine_of(arch_by_name("x86_64"));
	struct header *h = header_new(&m);
	struct c_type type = { .base = C_STRUCT };
	struct member_place p;
	struct error err = { };

	header_outside(h, pair_of_others, NULL);
	ck_assert_msg(!header_add(h, "x.h", text, strlen(text), &err), "%s", err.text);
	ck_assert(header_struct(h, "a", &type));
	ck_assert_uint_eq(type.bytes, 40);
	ck_assert(header_member(h, type.id, "p", 1, &p));
	ck_assert_int_eq(p.bits, 32);
	ck_assert_uint_eq(p.type.id, 9);
	ck_assert_uint_eq(p.type.source, TYPES_BTF);
	ck_assert(header_member(h, type.id, "q", 1, &p));
	ck_assert_int_eq(p.bits, 8 * 32);
	ck_assert(header_add(h, "y.h", unknown, strlen(unknown), &err));
	ck_assert_msg(strstr(err.text, "must be declared before") != NULL, "%s", err.text);
	header_free(h);
}
END_TEST

/* What is so deep that it would fill the stack, if it were followed. */
static const struct {
	const char *before, *again, *behind, *message;
} nested[] = {
	{ "typedef int ", "__aligned(", "4", "nested too deeply" },
	{ "typedef int ", "__attribute__((aligned(", "4", "nested too deeply" },
	{ "", "enum a : ", "int x;", "the enum's numbers are not known here" },
	{ "", "struct { ", "int x;", "nested too deeply" },
	{ "int x[", "sizeof(struct { int x[", "4", "nested too deeply" },
};

START_TEST(deep)
{
	const struct machine m = machine_of(arch_by_name("x86_64"));
	struct header *h = header_new(&m);
	struct error err = { };
	size_t size;
	char *text = repeated(nested[_i].before, nested[_i].again, nested[_i].behind, &size);

	ck_assert(header_add(h, "x.h", text, size, &err));
	ck_assert_msg(strstr(err.text, nested[_i].message) != NULL, "%s: %.200s", nested[_i].again,
		      err.text);
	header_free(h);
	free(text);
}
END_TEST

/* Macros of macros, each so many times as large as the one before; and one that is used often. */
START_TEST(large_macros)
{
	const struct machine m = machine_of(arch_by_name("x86_64"));
	struct header *h = header_new(&m);
	struct error err = { };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	fputs("#define A0 1\n", f);
	for (int i = 1; i < 12; i++) {
		fprintf(f, "#define A%d A%d", i, i - 1);
		for (int j = 1; j < 9; j++)
			fprintf(f, "+A%d", i - 1);
		fputc('\n', f);
	}
	if (_i)
		fputs("enum { X = A11 };\n", f);
	/* What is behind a macro is not part of the work. */
	fprintf(f, "#define INT int%50000s\n%50000s\n", "", "");
	for (int i = 0; i < 10000; i++)
		fprintf(f, "typedef INT t%d;\n", i);
	fclose(f);
	ck_assert_int_eq(header_add(h, "x.h", text, size, &err), _i ? -1 : 0);
	ck_assert_msg(!_i || strstr(err.text, "of macros that become too large"), "%s", err.text);
	header_free(h);
	free(text);
}
END_TEST

static const struct {
	const char *text, *name;
	int64_t value;			/* of the macro or enumerator */
	bool known;
} numbers[] = {
	{ "#define A 5", "A", 5, true }, { "#define A (B | 1)\n#define B 0x10", "A", 17, true },
	{ "#define A A", "A", 0, false }, { "#define A(x) x", "A", 0, false },
	{ "#define A \"text\"", "A", 0, false }, { "#define A 1 2", "A", 0, false },
	{ "#define A 5\n#undef A", "A", 0, false },
	{ "enum { X, Y = -3, Z };", "Z", -2, true }, { "enum { X = 1 << 4 };", "X", 16, true },
	{ "#define A sizeof(struct b)\nstruct b { char c; int d; };", "A", 8, true },
	{ "#define A (-1 > 0u ? 'a' : (unsigned char)257)", "A", 'a', true },
	{ "#ifdef X\n#define A 1\n#elif defined(Y) || 1\n#define A 2\n#else\n#define A 3\n#endif",
	  "A", 2, true },
	{ "#ifndef X\n#if 0\n#endif\n#define A 1\n#else\n#define A 3\n#endif", "A", 1, true },
	{ "#define A ~0", "A", -1, true },
};

START_TEST(number)
{
	const struct machine m = machine_of(arch_by_name("x86_64"));
	struct header *h = header_new(&m);
	struct error err = { };
	struct c_type type;
	uint64_t value = 0;
	bool known;

	ck_assert_msg(!header_add(h, "x.h", numbers[_i].text, strlen(numbers[_i].text), &err),
		      "%s: %s", numbers[_i].text, err.text);
	known = header_number(h, numbers[_i].name, strlen(numbers[_i].name), &value, &type);
	ck_assert_msg(known == numbers[_i].known && (!known || (int64_t)value == numbers[_i].value),
		      "%s: %lld", numbers[_i].text, (long long)value);
	header_free(h);
}
END_TEST

Suite *suite_lang_headers(void);
Suite *suite_lang_headers(void)
{
	Suite *s = suite_create("lang_headers");
	TCase *tc = tcase_create("compilers");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, compilers_agree, 0, 4);
	suite_add_tcase(s, tc);
	add_tests(s, "mistakes", mistake, COUNT_OF(mistakes));
	add_tests(s, "embedded", embedded, 1);
	add_tests(s, "deep", deep, COUNT_OF(nested));
	add_tests(s, "large macros", large_macros, 2);
	add_tests(s, "numbers", number, COUNT_OF(numbers));
	return s;
}
