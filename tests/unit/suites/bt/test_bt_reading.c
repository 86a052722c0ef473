// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts in bpftrace's language: their trees, imported files, functions and maps, and the bundled
 * scripts.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/strbuf.h"
#include "src/bt/bind/bind.h"
#include "src/bt/passes.h"
#include "src/bt/scripts/scripts.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

#define FILE_MOST (1 << 18)

static const char every_kind[] =
	"k:vfs_read, k:vfs_write /pid == 5 && comm != \"a\"/ { let $l: uint8 = 1; $x = (1, \"a\"); "
	"@a[$x.1, -arg0] += $l++; @h = lhist(arg1, 0, 8, 2); "
	"if (arg1) { printf(\"%d\", len(@a)); } else if (arg2) { return 1; } "
	"while ($l < 9) { break; } unroll (2) { { delete(@a[\"\", 1]); } } "
	"for ($i : 0..3) { $y = { $z = 2; $z ? (typeof($z))1 : has_key(@a, (\"\", 1)) }; } "
	"for ($k : @m) { continue; } print(kstack(3)); @m[1] = ((struct file *)arg0)->f_mode; }";

static const char every_kind_read[] =
	"k:vfs_read\n"
	"k:vfs_write\n"
	"  predicate\n"
	"    &&\n      ==\n        name: pid\n        number: 5\n"
	"      !=\n        name: comm\n        string: \"a\"\n"
	"  let\n    variable: $l\n    type: unsigned char\n    number: 1\n"
	"  =\n    variable: $x\n    tuple\n      number: 1\n      string: \"a\"\n"
	"  = +\n    map: @a\n      name: $x.1\n      -\n        name: arg0\n"
	"    step\n      =\n        variable: $l\n        +\n          name: $l\n"
	"          number: 1\n      -\n        name: $l\n        number: 1\n"
	"  =\n    map: @h\n    call: lhist\n      name: arg1\n      number: 0\n      number: 8\n"
	"      number: 2\n"
	"  if\n    name: arg1\n    then\n      statement\n        call: printf\n"
	"          string: \"%d\"\n          len: @a\n"
	"    else\n      if\n        name: arg2\n        then\n          return\n"
	"            number: 1\n"
	"  while\n    <\n      name: $l\n      number: 9\n    then\n      break\n"
	"  unroll\n    number: 2\n    then\n      block\n        then\n          statement\n"
	"            call: delete\n              map: @a\n                string: \"\"\n"
	"                number: 1\n"
	"  for\n    variable: $i\n    number: 0\n    number: 3\n    then\n      =\n"
	"        variable: $y\n        block\n          =\n            variable: $z\n"
	"            number: 2\n          value\n            ? :\n              name: $z\n"
	"              cast: typeof\n                name: $z\n                number: 1\n"
	"              has_key: @a\n                tuple\n                  string: \"\"\n"
	"                  number: 1\n"
	"  for\n    variable: $k\n    map: @m\n    then\n      continue\n"
	"  statement\n    call: print\n      name: kstack\n"
	"  =\n    map: @m\n      number: 1\n    member: f_mode\n"
	"      cast: struct file *\n        name: arg0\n";

/* What was read is the same behind all passes; and each has a name of its own. */
START_TEST(trees)
{
	struct kernel *k = trial_kernel("6.1");
	struct bt b = { };
	struct error err = { };
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	ck_assert_int_eq(script_begin(&b.script, k, NULL, NULL, &err), 0);
	ck_assert_msg(!bt_make(&b, "stdin", every_kind, &err), "%s", err.text);
	bt_print_read(to, &b);
	fclose(to);
	ck_assert_str_eq(text, every_kind_read);
	free(text);
	bt_free(&b);
	kernel_free(k);
	for (size_t i = 0; bt_pass(i); i++)
		for (size_t other = 0; other < i; other++)
			ck_assert_str_ne(bt_pass(i), bt_pass(other));
}
END_TEST

/* Whoever read or bound the first value of ?: twice would do it 2^28 times. */
START_TEST(nested_choices)
{
	struct kernel *k = trial_kernel("6.1");
	struct bt b = { };
	struct error err = { };
	struct strbuf text = { };

	strbuf_addf(&text, "BEGIN { $x = ");
	for (int i = 0; i < 28; i++)
		strbuf_addf(&text, "(");
	strbuf_addf(&text, "pid");
	for (int i = 0; i < 28; i++)
		strbuf_addf(&text, " ?: %d)", i);
	strbuf_addf(&text, " }");
	ck_assert_int_eq(script_begin(&b.script, k, NULL, NULL, &err), 0);
	ck_assert_msg(!bt_make(&b, "stdin", text.s, &err), "%s", err.text);
	bt_free(&b);
	free(text.s);
	kernel_free(k);
}
END_TEST

static const struct {
	const char *path, *text;
} imported[] = {
	{ "main.bt", "struct pair { int a; int b; };\nconfig = { max_map_keys = 9 }\n"
	  "import \"helpers.bt\";\nimport \"lib\"; import \"types.h\"\nimport \"stdlib\";\n"
	  "BEGIN { greet(); @n[1] = 1; print((twice(4), sizeof(struct from_h) + N * M)); }\n" },
	{ "helpers.bt", "// #\n#define M 7\nimport \"lib/more.bt\";\nlet @m = hash(5);\n"
	  "macro greet() { print(\"hello\"); }\nBEGIN { print(\"helpers\"); }" },
	{ "lib/more.bt", "import \"main.bt\" macro twice(x) { x * 2 }\nBEGIN { print(\"more\"); }",
	},
	{ "lib/other.txt", "?" },
	{ "types.h", "#include <linux/types.h>\n#define N 3\nstruct from_h { long a; };" },
};

/* What is wrong with main.bt if another file is so. */
static const struct {
	const char *path, *text, *says;
} imported_wrong[] = {
	{ "lib/more.bt", "macro twice(x) { x }\nBEGIN { print(nosuch) }",
	  "lib/more.bt:2:15-21: ERROR: there is no `nosuch` here\nBEGIN { print(nosuch) }\n"
	  "              ~~~~~~" },
	{ "lib/more.bt", "BEGIN { print(1)", "lib/more.bt:1:17-18: ERROR: '}' is missing: the file "
	  "ends within a block\nBEGIN { print(1)\n                ~" },
	{ "lib/more.bt", "config = { max_strlen = 9 }", "lib/more.bt:1:1-7: ERROR: only the script "
	  "itself has a config, none of the files that it imports\nconfig = { max_strlen = 9 }\n"
	  "~~~~~~" },
	{ "types.h", "\nstruct x { int a b; };", "types.h:2:18-19: ERROR: ';' is missing here\n"
	  "struct x { int a b; };\n                 ~" },
	{ "helpers.bt", "import \"lib/nosuch.bt\";", "helpers.bt:1:8-23: ERROR: lib/nosuch.bt "
	  "can't be imported: No such file or directory\nimport \"lib/nosuch.bt\";\n"
	  "       ~~~~~~~~~~~~~~~" },
};
#define N_IMPORTED (int)(sizeof(imported) / sizeof(imported[0]))

static void write_imported(int i, const char *text)
{
	FILE *f = fopen(imported[i].path, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
	chmod(imported[i].path, 0644);
}

/* Makes main.bt, which is in the folder that is current. */
static int make_main(struct bt *b, struct kernel *k, struct error *err)
{
	ck_assert_int_eq(script_begin(&b->script, k, NULL, NULL, err), 0);
	return bt_make(b, "main.bt", imported[0].text, err);
}

START_TEST(imports)
{
	static const char *const begins[] = { "lib/more.bt", "helpers.bt", "main.bt" };
	char folder[] = "/tmp/sonde-unit-bt-XXXXXX";
	const int here = open(".", O_RDONLY | O_DIRECTORY);
	struct kernel *k = trial_kernel("6.1");
	struct error err = { };
	struct bt b = { };
	size_t i = 0;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder) | mkdir("lib", 0755), 0);
	for (int f = 0; f < N_IMPORTED; f++)
		write_imported(f, imported[f].text);
	ck_assert_msg(!make_main(&b, k, &err), "%s", err.text);
	for (const struct bt_probe *p = b.probes; p; p = p->next, i++) {
		BT_WRONG(&b, p->at, &err, "here");
		ck_assert_int_lt(i, 3);
		ck_assert_msg(!strncmp(err.text, begins[i], strlen(begins[i])), "%s", err.text);
	}
	ck_assert_int_eq(i, 3);
	ck_assert_int_eq(b.warnings.n, 1);
	ck_assert_ptr_nonnull(strstr(b.warnings.list[0], "helpers.bt:4:5-7: WARNING: Unused map"));
	bt_free(&b);
	for (size_t w = 0; w < sizeof(imported_wrong) / sizeof(imported_wrong[0]); w++) {
		int f = 0;

		while (strcmp(imported[f].path, imported_wrong[w].path))
			f++;
		write_imported(f, imported_wrong[w].text);
		b = (struct bt){ };
		ck_assert_int_eq(make_main(&b, k, &err), -1);
		ck_assert_str_eq(err.text, imported_wrong[w].says);
		bt_free(&b);
		write_imported(f, imported[f].text);
	}
	chmod("helpers.bt", 0666);
	b = (struct bt){ };
	ck_assert_int_eq(make_main(&b, k, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "everyone may change helpers.bt"));
	bt_free(&b);
	for (int f = 0; f < N_IMPORTED; f++)
		unlink(imported[f].path);
	ck_assert_int_eq(rmdir("lib") | fchdir(here) | rmdir(folder), 0);
	close(here);
	kernel_free(k);
}
END_TEST

/* Returns true if the page shows the name as a word to be typed, mdoc's Cm. */
static bool is_in_page(const char *page, const char *name)
{
	const size_t n = strlen(name);

	for (const char *at = page; (at = strstr(at, name)); at += n) {
		const char *line = at;

		while (line > page && line[-1] != '\n')
			line--;
		if (at[-1] == ' ' && strchr("( \n", at[n]) &&
		    (!strncmp(line, ".It Cm ", 7) || !strncmp(line, ".Cm ", 4)))
			return true;
	}
	return false;
}

/* The page names them all; the live test has them all, in sonde's own events and in probes. */
START_TEST(functions_tried)
{
	char *tried = file_text("tests/live/tools/bt_functions.sh", FILE_MOST, NULL),
	     *page = file_text("man/man8/bt.8", FILE_MOST, NULL);

	ck_assert_ptr_nonnull(tried);
	ck_assert_ptr_nonnull(page);
	for (const struct function *const *family = bt_functions; *family; family++)
		for (const struct function *row = *family; row->name; row++) {
			char line[64];

			snprintf(line, sizeof(line), "\n\t%s ;", row->name);
			ck_assert_msg(strstr(tried, line) != NULL, "%s() is not in bt_functions.sh",
				      row->name);
			ck_assert_msg(is_in_page(page, row->name), "%s() is not in bt.8",
				      row->name);
		}
	free(tried);
	free(page);
}
END_TEST

/* What the probe asks is known, so no engine has the map: it is sonde's. */
START_TEST(asked_only)
{
	static const struct {
		const char *action;
		bool in_kernel;
	} rows[] = {
		{ "printf(\"%d\", is_str(@a));", false }, { "printf(\"%d\", sizeof(@a));", false },
		{ "printf(\"%s\", @a);", true },
	};
	struct kernel *k = trial_kernel("6.1");
	struct error err = { };
	struct bt b = { };
	char text[128];

	snprintf(text, sizeof(text), "BEGIN { @a = \"text\"; } kprobe:vfs_read { %s }",
		 rows[_i].action);
	ck_assert_int_eq(script_begin(&b.script, k, NULL, NULL, &err), 0);
	ck_assert_msg(!bt_make(&b, "asked", text, &err), "%s", err.text);
	ck_assert_int_eq(b.maps->in_kernel, rows[_i].in_kernel);
	bt_free(&b);
	kernel_free(k);
}
END_TEST

/* Bundled scripts, on the oldest and the newest kernel. */
START_TEST(comes_along)
{
	static const char *const kernels[] = { "3.10", "4.9", "6.1", "7.2" };

	for (const struct bt_script *script = bt_scripts; script->name; script++) {
		struct error err = { };
		struct bt b = { };
		struct kernel *k;

		ck_assert_ptr_eq(bt_script_named(script->name), script);
		if (!strcmp(script->name, "rwsizes"))	/* the kernels here lack pread64's fields */
			continue;
		k = trial_kernel(kernels[_i]);
		ck_assert_int_eq(script_begin(&b.script, k, NULL, NULL, &err), 0);
		ck_assert_msg(!bt_make(&b, script->name, script->text, &err), "%s: %s",
			      kernels[_i], err.text);
		bt_free(&b);
		kernel_free(k);
	}
}
END_TEST

Suite *suite_bt_reading(void);
Suite *suite_bt_reading(void)
{
	Suite *s = suite_create("bt_reading");

	add_tests(s, "trees", trees, 1);
	add_tests(s, "nested choices", nested_choices, 1);
	add_tests(s, "imports", imports, 1);
	add_tests(s, "functions", functions_tried, 1);
	add_tests(s, "asked", asked_only, 3);
	add_tests(s, "scripts", comes_along, 4);
	return s;
}
