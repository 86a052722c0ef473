// SPDX-License-Identifier: GPL-2.0
/*
 * What members and pointers become: inputs in fetch notation, which all engines read, or addresses
 * that BPF programs follow. The values are compared by tests/live/questions/types.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/language/expressions/functions/functions.h"
#include "src/language/types/members.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

static const char header[] =
	"enum kind { KIND_A = 3, KIND_B };\n"
	"#define MAGIC (KIND_B << 8)\n"
	"typedef struct { short s; } inner_t;\n"
	"struct node {\n"
	"	struct node *next;\n"
	"	unsigned int low : 3, mid : 7;\n"
	"	enum kind kind;\n"
	"	char name[12];\n"
	"	unsigned short row[4];\n"
	"	union { long all; struct { int lo, hi; }; } u;\n"
	"	inner_t inner;\n"
	"	char __user *text;\n"
	"	struct node *list[3];\n"
	"	double d;\n"
	"};\n";

static const struct {
	const char *expression, *inputs;
	bool follows;
	int64_t value;			/* of a constant, which reads nothing */
} rows[] = {
	{ "n->kind", "a0=+12($arg1):u32", false, 0 },
	{ "n->next->next->kind", "a0=+12(+0(+0($arg1))):u32", false, 0 },
	{ "n->low", "a0=+8($arg1):u8", false, 0 },
	{ "n->mid", "a0=+8($arg1):u16", false, 0 },
	{ "n->row[3]", "a0=+34($arg1):u16", false, 0 },
	{ "*(n->row + 1)", "a0=+30($arg1):u16", false, 0 },
	{ "n->u.hi", "a0=+44($arg1):s32", false, 0 },
	{ "n->inner.s", "a0=+48($arg1):s16", false, 0 },
	{ "n[1].kind", "a0=+108($arg1):u32", false, 0 },
	{ "(n + 1)->kind", "a0=+108($arg1):u32", false, 0 },
	{ "n->list[2]->kind", "a0=+12(+80($arg1)):u32", false, 0 },
	{ "&n->next->kind", "a0=+0($arg1):u64", false, 0 },
	{ "n->name[2]", "a0=+18($arg1):s8", false, 0 },
	{ "((struct node *)arg2)->kind", "a0=+12($arg2):u32", false, 0 },
	{ "((inner_t *)i)->s", "a0=+0($arg2):s16", false, 0 },
	{ "*n->text", "a0=+u0(+56($arg1)):s8", false, 0 },
	{ "n->row[i]", "a0=$arg1:uW a1=$arg2:uW", true, 0 },
	{ "n->next->next->next->next->kind", "a0=+0(+0(+0(+0($arg1)))):u64", true, 0 },
	{ "sizeof(struct node)", "", false, 96 },
	{ "sizeof(n->row) + sizeof(n->row[0]) + sizeof(*n->next)", "", false, 106 },
	{ "MAGIC + KIND_A", "", false, 1027 },
	{ "sizeof(inner_t)", "", false, 2 },
};

static const struct {
	const char *expression, *message;
} mistakes[] = {
	{ "n->foo", "struct node has no member foo" },
	{ "n->d", "this is a floating-point number" },
	{ "n->u", "this is union {...}, not a number" },
	{ "&n->low", "a bit field has no address" },
	{ "n.kind", "behind a pointer write ->" },
	{ "n->next.kind", "this is a pointer: write ->" },
	{ "n->inner->s", "this is a struct, no pointer" },
	{ "n->kind->x", "no type that has members" },
	{ "sizeof(struct none)", "members of struct none are not known" },
	{ "((struct none *)arg1)->x", "-I FILE.h with its declaration tells them" },
	{ "n + n", "pointers can be added to" },
	{ "*(void *)arg1", "it points to no number" },
};

static struct scope scope_of(void)
{
	return (struct scope){
		.word = 8, .called.in_registers = 6, .text_size = 80, .called.name = "f",
		.called.parameters = { { "n", { .base = C_STRUCT, .pointers = 1, .tag = "node" } },
				{ "i", { .base = C_INTEGER, .size = 8, .is_signed = true } } },
		.called.n_parameters = 2,
	};
}

static struct types *types_of(struct kernel *k, char *folder)
{
	char path[200];
	struct types *t = types_new(k);
	struct error err;
	FILE *f;

	snprintf(path, sizeof(path), "%s/x.h", folder);
	f = fopen(path, "w");
	fputs(header, f);
	fclose(f);
	ck_assert_msg(!types_files(t, path, NULL, &err), "%s", err.text);
	return t;
}

static int bind_one(const char *expression, struct scope *s, struct node *n, char **inputs,
		    struct error *err)
{
	struct kernel *k = trial_kernel("6.1");
	char *folder = temporary();
	struct tree t = { .source.text = expression, .types = types_of(k, folder),
			  .functions = lang_functions };
	size_t at = 0;
	struct node *root = parse_expression(&t, &at, 8, err);
	int result = root ? bind_number(&t, s, &root, err) : -1;

	if (!result) {
		*n = *root;
		*inputs = inputs_text(&s->needs);
	}
	types_free(t.types);
	tree_free(&t);
	kernel_free(k);
	remove_all(folder);
	return result;
}

START_TEST(reads)
{
	struct scope s = scope_of();
	struct node n;
	struct error err;
	char *inputs;

	ck_assert_msg(!bind_one(rows[_i].expression, &s, &n, &inputs, &err), "%s", err.text);
	ck_assert_msg(!strcmp(inputs, rows[_i].inputs), "%s: %s", rows[_i].expression, inputs);
	ck_assert_msg(s.needs.follows == rows[_i].follows, "%s", rows[_i].expression);
	if (!*inputs)
		ck_assert_msg(n.kind == NODE_NUMBER && (int64_t)n.value == rows[_i].value,
			      "%s: %lld", rows[_i].expression, (long long)n.value);
	free(inputs);
}
END_TEST

START_TEST(mistake)
{
	struct scope s = scope_of();
	struct node n;
	struct error err = { };
	char *inputs;

	ck_assert_msg(bind_one(mistakes[_i].expression, &s, &n, &inputs, &err), "accepted: %s",
		      mistakes[_i].expression);
	ck_assert_msg(strstr(err.text, mistakes[_i].message) && strchr(err.text, '^'), "%s: %s",
		      mistakes[_i].expression, err.text);
}
END_TEST

/* The tree of such an expression is as deep as that is long. */
static const char *const links[] = { "->next", "[0]", "@user", ".u" };

START_TEST(deep)
{
	char text[30000] = "n", *inputs;
	struct scope s = scope_of();
	struct error err = { };
	struct node n;

	for (size_t at = 1; at + 10 < sizeof(text); at += strlen(links[_i]))
		strcpy(text + at, links[_i]);
	ck_assert(bind_one(text, &s, &n, &inputs, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "this is too long"));
}
END_TEST

Suite *suite_lang_types(void);
Suite *suite_lang_types(void)
{
	Suite *s = suite_create("lang_types");

	add_tests(s, "reads", reads, COUNT_OF(rows));
	add_tests(s, "mistakes", mistake, COUNT_OF(mistakes));
	add_tests(s, "deep", deep, COUNT_OF(links));
	return s;
}
