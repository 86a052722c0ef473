// SPDX-License-Identifier: GPL-2.0
/* Flame graphs: folded stacks, the tree they become, and the picture of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/error.h"
#include "src/lib/flame/colours.h"
#include "src/lib/flame/folded.h"
#include "src/lib/flame/tree.h"
#include "src/lib/output/svg.h"
#include "tests/unit/unit.h"

Suite *suite_flame(void);

#define N(ROWS) (sizeof(ROWS) / sizeof((ROWS)[0]))

extern const char flame_script[];

static int read_text(struct flame *f, enum flame_side side, const struct folded_how *how,
		     const char *text, size_t length, struct folded_lines *lines, struct error *err)
{
	static const struct folded_how plain;
	FILE *file = length ? fmemopen((char *)text, length, "r") : fopen("/dev/null", "r");
	int status;

	ck_assert_ptr_nonnull(file);
	status = folded_read(file, f, side, how ? how : &plain, lines, err);
	fclose(file);
	return status;
}

static void dump(FILE *out, const struct flame *f, uint32_t number)
{
	const struct flame_node *n = &f->nodes[number];
	size_t length;
	const char *name = tree_name(f, n, &length);

	fprintf(out, "%.*s:%c:%llu", (int)length, name, colours_letter(f->names[n->name].kind),
		(unsigned long long)n->total);
	for (uint32_t child = n->child; child; child = f->nodes[child].next) {
		fputs(child == n->child ? "(" : " ", out);
		dump(out, f, child);
	}
	if (n->child)
		fputc(')', out);
}

/* NAME:KIND:TOTAL, and in parentheses what it calls. */
static char *tree_text(struct flame *f)
{
	char *s = NULL;
	size_t size;
	FILE *out = open_memstream(&s, &size);

	ck_assert_int_eq(tree_order(f), 0);
	dump(out, f, 0);
	fclose(out);
	return s;
}

static const struct {
	const char *text, *tree;
	unsigned int broken, first;
	const char *why;
	struct folded_how how;
} rows[] = {
	{ "a;b 1\n", "all:m:1(a:u:1(b:u:1))" },
	{ "a;b 1", "all:m:1(a:u:1(b:u:1))" },		/* no newline at its end */
	{ "a;b 1\r\n", "all:m:1(a:u:1(b:u:1))" },
	{ "a;b\t1\n", "all:m:1(a:u:1(b:u:1))" },
	{ "b 1\na 1\nb;a 3\nab 1\n", "all:m:6(a:u:1 ab:u:1 b:u:4(a:u:3))" },
	{ "java thread 7;std::pair<int, int>::f() const 12\n",
	  "all:m:12(java thread 7:u:12(std::pair<int, int>::f() const:u:12))" },
	{ "a 0\nb 2\n", "all:m:2(b:u:2)" },
	/* kinds */
	{ "a_[k];b_[j];c_[i];d_[w];e_[x] 1\n",
	  "all:m:1(a:k:1(b:j:1(c:i:1(d:w:1(e_[x]:u:1)))))" },
	{ "a 1\na_[k] 2\n", "all:m:3(a:u:1 a:k:2)" },
	{ "[libc.so.6];[kernel.kallsyms];[vdso];[unknown];[lost: table full] 1\n",
	  "all:m:1([libc.so.6]:l:1([kernel.kallsyms]:k:1([vdso]:l:1([unknown]:m:1"
	  "([lost: table full]:m:1)))))" },
	{ "[unknown]_[k];_[k] 1\n", "all:m:1([unknown]:k:1(_[k]:u:1))" },
	{ "a_[k];[unknown] 1\n", "all:m:1(a:o:1([unknown]:m:1))", .how = { .off_cpu = true } },
	/* frames without a name: those at the end are none */
	{ ";a;;b;; 1\n", "all:m:1(:m:1(a:u:1(:m:1(b:u:1))))" },
	{ "a;b;c 1\nc 2\n", "all:m:3(c:u:3(b:u:1(a:u:1)))", .how = { .reverse = true } },
	/* decimals make thousandths of all */
	{ "a 1\na 1.5\na .5\na 2.\n", "all:m:4500(a:u:4500)", 1, 3,
	  "there is no count at its end" },
	{ "a 0.0019\n", "all:m:1(a:u:1)" },
	{ "a 18446744073709551615\n", "all:m:18446744073709551615(a:u:18446744073709551615)" },
	{ "a 0.5\na 18446744073709552\n", "all:m:500(a:u:500)", 1, 2,
	  "its count, in thousandths, is 2^64 or more" },
	/* broken lines */
	{ "\n  \n\r\n", "all:m:0" },
	{ "a\nb;c 1\n", "all:m:1(b:u:1(c:u:1))", 1, 1, "there is no count at its end" },
	{ "a;b 1\n5\n 5\n;; 5\n", "all:m:1(a:u:1(b:u:1))", 3, 2,
	  "there is no stack before its count" },
	{ "a -1\na 1e3\na 0x1\na 1.2.3\na 1,5\n", "all:m:0", 5, 1, "there is no count at its end" },
	{ "a 18446744073709551616\n", "all:m:0", 1, 1, "its count is 2^64 or more" },
};

START_TEST(folded)
{
	struct flame *f = flame_new();
	struct folded_lines lines;
	char *tree;

	ck_assert_int_eq(read_text(f, FLAME_NEW, &rows[_i].how, rows[_i].text,
				   strlen(rows[_i].text), &lines, NULL), 0);
	tree = tree_text(f);
	ck_assert_str_eq(tree, rows[_i].tree);
	ck_assert_uint_eq(lines.broken, rows[_i].broken);
	ck_assert_uint_eq(lines.first, rows[_i].first);
	if (rows[_i].why)
		ck_assert_str_eq(lines.why, rows[_i].why);
	free(tree);
	flame_free(f);
}
END_TEST

/* However lines are cut up by the reader's buffer; one that does not fit is left out. */
START_TEST(folded_long)
{
	const size_t longest = FOLDED_LINE - 1;
	const int lengths[] = { 10, FOLDED_LINE / 2, FOLDED_LINE - 1, FOLDED_LINE, FOLDED_LINE * 3,
				FOLDED_LINE - 2, 8 };
	struct flame *f = flame_new();
	struct folded_lines lines;
	uint64_t expected = 0, broken = 0;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (unsigned int i = 0; i < N(lengths); i++) {
		for (int c = 0; c < lengths[i] - 2; c++)
			fputc('a' + (int)i, out);
		fputs(" 7\n", out);
		expected += (size_t)lengths[i] <= longest ? 7 : 0;
		broken += (size_t)lengths[i] > longest;
	}
	fclose(out);
	ck_assert_int_eq(read_text(f, FLAME_NEW, NULL, text, size, &lines, NULL), 0);
	ck_assert_uint_eq(flame_total(f, FLAME_NEW), expected);
	ck_assert_uint_eq(lines.broken, broken);
	ck_assert_uint_eq(lines.first, 4);
	ck_assert_uint_eq(lines.stacks, N(lengths) - broken);
	free(text);
	flame_free(f);
}
END_TEST

START_TEST(two_counts)
{
	const char text[] = "a;b 1 2\na;c 3 4\n", other[] = "a;b 1 2\na;c3 4\n";
	struct flame *f = flame_new();
	struct folded_lines lines;

	read_text(f, FLAME_NEW, NULL, text, strlen(text), &lines, NULL);
	ck_assert_uint_eq(lines.doubles, 2);
	ck_assert_uint_eq(lines.stacks, 2);
	read_text(f, FLAME_NEW, NULL, other, strlen(other), &lines, NULL);
	ck_assert_uint_eq(lines.doubles, 1);
	flame_free(f);
}
END_TEST

START_TEST(overflow)
{
	const char half[] = "a 9223372036854775808\n", decimal[] = "a 0.5\n";
	struct flame *f = flame_new();
	struct folded_lines lines;
	struct error err = { };

	ck_assert_int_eq(read_text(f, FLAME_NEW, NULL, half, strlen(half), &lines, &err), 0);
	ck_assert_int_eq(read_text(f, FLAME_NEW, NULL, half, strlen(half), &lines, &err), -1);
	ck_assert_str_eq(err.text, "the values are more than 2^64 together\n"
				   "give them in a larger unit");
	ck_assert_int_eq(read_text(f, FLAME_NEW, NULL, decimal, strlen(decimal), &lines, &err), -1);
	ck_assert_str_eq(err.text, "the values have decimals, and are more than "
				   "2^64 / 1000 together\ngive them in a larger unit");
	/* The other side is counted for itself. */
	ck_assert_int_eq(read_text(f, FLAME_OLD, NULL, half, strlen(half), &lines, &err), 0);
	ck_assert_uint_eq(flame_total(f, FLAME_NEW), 1ULL << 63);
	flame_free(f);
}
END_TEST

static char *picture(struct flame *f, const struct flame_look *changes)
{
	struct flame_look look = changes ? *changes : (struct flame_look){ };
	char *s = NULL;
	size_t size;
	FILE *file = open_memstream(&s, &size);

	look.title = look.title ? look.title : "test";
	look.unit = look.unit ? look.unit : "samples";
	look.width = look.width ? look.width : 420;
	ck_assert_int_eq(flame_svg(file, f, &look, NULL), 0);
	fclose(file);
	return s;
}

static struct flame *flame_of(const char *text, const char *old)
{
	struct flame *f = flame_new();
	struct folded_lines lines;

	if (old)
		ck_assert_int_eq(read_text(f, FLAME_OLD, NULL, old, strlen(old), &lines, NULL), 0);
	ck_assert_int_eq(read_text(f, FLAME_NEW, NULL, text, strlen(text), &lines, NULL), 0);
	return f;
}

START_TEST(svg)
{
	static const char expected[] =
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"420\" height=\"168\" "
		"viewBox=\"0 0 420 168\">\n<title>test</title>\n"
		"<style>text{font:12px sans-serif;fill:#222}.h{font:bold 15px sans-serif}"
		".r{text-anchor:end}.f text{font:11px monospace;fill:#000;pointer-events:none}"
		".f rect{stroke:#fff;stroke-width:.5}.f .n{stroke:none}"
		".live .f rect{cursor:pointer}.f .a{opacity:.5}.f .x rect{fill:#d46cf0}"
		".f g:hover rect{stroke:#000;stroke-width:1}"
		".s,.z{display:none;fill:#05b;cursor:pointer}"
		".live .s,.zoomed .z{display:inline}"
		"@media print{svg{width:100%;height:auto}.s,.z{display:none!important}}"
		".u0{fill:#ffe48c}.u1{fill:#fede84}.u2{fill:#fdd87b}.u3{fill:#fbd272}"
		".u4{fill:#facb69}.u5{fill:#f8c560}.u6{fill:#f7bf57}.u7{fill:#f5b84e}"
		".k0{fill:#faa892}.k1{fill:#f8a28c}.k2{fill:#f59b85}.k3{fill:#f3947f}"
		".k4{fill:#f08d78}.k5{fill:#ee8672}.k6{fill:#eb7f6b}.k7{fill:#e87864}"
		".m0{fill:#e8e8e8}.m1{fill:#e5e5e5}.m2{fill:#e2e2e2}.m3{fill:#dedede}"
		".m4{fill:#dbdbdb}.m5{fill:#d7d7d7}.m6{fill:#d4d4d4}.m7{fill:#d0d0d0}</style>\n"
		"<path fill=\"#fff\" d=\"M0 0h420v168h-420z\"/>\n"
		"<text class=\"h\" x=\"10\" y=\"24\">test</text>\n"
		"<text class=\"z r\" x=\"350\" y=\"24\">Reset zoom</text>\n"
		"<text class=\"s r\" x=\"410\" y=\"24\">Search</text>\n"
		"<text x=\"10\" y=\"41\">host, Linux 6.1</text>\n"
		"<text x=\"10\" y=\"58\">1,200 samples, 4 frames</text>\n"
		"<g class=\"f\">\n"
		"<g><title>all (1,200 samples, 100.00 %)</title>"
		"<rect class=\"m6\" x=\"10\" y=\"102\" width=\"400\" height=\"15\"/>"
		"<text x=\"13\" y=\"114\">all</text></g>\n"
		"<g><title>main (1,200 samples, 100.00 %)</title>"
		"<rect class=\"u2\" x=\"10\" y=\"86\" width=\"400\" height=\"15\"/>"
		"<text x=\"13\" y=\"98\">main</text></g>\n"
		"<g><title>a&lt;int&gt; (1,196 samples, 99.67 %)</title>"
		"<rect class=\"u1\" x=\"10\" y=\"70\" width=\"398.6667\" height=\"15\"/>"
		"<text x=\"13\" y=\"82\">a&lt;int&gt;</text></g>\n"
		"<g><title>read (4 samples, 0.33 %)</title>"
		"<rect class=\"k4 n\" x=\"408.6667\" y=\"70\" width=\"1.3333\" "
		"height=\"15\"/></g>\n"
		"</g>\n"
		"<text class=\"d\" x=\"10\" y=\"134\"></text>\n"
		"<text class=\"q r\" x=\"410\" y=\"134\"></text>\n"
		"<path class=\"u4\" d=\"M10 144h12v12h-12z\"/>"
		"<text x=\"27\" y=\"154\">user</text>\n"
		"<path class=\"k4\" d=\"M69 144h12v12h-12z\"/>"
		"<text x=\"86\" y=\"154\">kernel</text>\n"
		"<path class=\"m4\" d=\"M142 144h12v12h-12z\"/>"
		"<text x=\"159\" y=\"154\">no code</text>\n"
		"<script><![CDATA[\n";
	const struct flame_look look = { .subtitle = "host, Linux 6.1", .narrowest = 0.1 };
	struct flame *f = flame_of("main;a<int> 1196\nmain;read_[k] 4\n", NULL);
	char *s = picture(f, &look), *script = strstr(s, "(function () {");
	size_t same = 0;

	ck_assert_ptr_nonnull(script);
	ck_assert_str_eq(script + strlen(flame_script), "]]></script>\n</svg>\n");
	ck_assert(!strncmp(script, flame_script, strlen(flame_script)));
	*script = '\0';
	/* As much of it as a message can hold. */
	while (same < strlen(s) && s[same] == expected[same])
		same++;
	ck_assert_msg(!strcmp(s, expected), "differs from here on: %.200s", s + same);
	free(s);
	flame_free(f);
}
END_TEST

/* The same stacks make the same picture, in whatever order they come. */
START_TEST(order)
{
	struct flame *f = flame_of("b;c 3\na 1\nb 2\nb;a;c 4\n", NULL),
		*g = flame_of("b;a;c 3\nb;c 2\nb 1\nb;c 1\na 1\nb 1\nb;a;c 1\n", NULL);
	char *s = picture(f, NULL), *t = picture(g, NULL), *again = picture(f, NULL);

	ck_assert_str_eq(s, t);
	ck_assert_str_eq(s, again);
	free(again);
	free(s);
	free(t);
	flame_free(f);
	flame_free(g);
}
END_TEST

/* What the script is built on: it treats names as text. */
START_TEST(script)
{
	static const char *const never[] = {
		"innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval", "Function(",
		"setTimeout", "location", "href", "import", "fetch", "XMLHttp", "cookie", "storage",
		"]]", "\\u", "//\n",
	};
	const char *at = strstr(flame_script, "http");

	for (unsigned int i = 0; i < N(never); i++)
		ck_assert_msg(!strstr(flame_script, never[i]), "%s", never[i]);
	ck_assert(!strncmp(at, "http://www.w3.org/2000/svg\"", 27));
	ck_assert_ptr_null(strstr(at + 1, "http"));
	ck_assert_uint_lt(strlen(flame_script), 5000);
}
END_TEST

/* Is it what XML may hold, with elements that end in the order they began? */
static void check_xml(const char *s)
{
	static const char *const entities[] = { "&amp;", "&lt;", "&gt;", "&quot;" };
	char open[8][16];
	unsigned int depth = 0, known;

	for (; *s; s++) {
		ck_assert_msg((unsigned char)*s >= 0x20 || *s == '\n' || *s == '\t', "%02x", *s);
		if (*s == '&') {
			for (known = 0; known < N(entities); known++)
				if (!strncmp(s, entities[known], strlen(entities[known])))
					break;
			ck_assert_msg(known < N(entities), "%.20s", s);
		}
		ck_assert_msg(*s != '>', "%.20s", s);
		if (*s != '<')
			continue;
		if (!strncmp(s, "<![CDATA[", 9)) {
			s = strstr(s, "]]>") + 2;
			continue;
		}
		if (s[1] == '/') {
			size_t n = strcspn(s + 2, ">");

			ck_assert_uint_gt(depth, 0);
			depth--;
			ck_assert_msg(strlen(open[depth]) == n && !memcmp(open[depth], s + 2, n),
				      "%.20s ends %s", s, open[depth]);
		} else {
			const char *end = strchr(s, '>');

			ck_assert_uint_lt(depth, N(open));
			if (end[-1] != '/')
				snprintf(open[depth++], sizeof(open[0]), "%.*s",
					 (int)strcspn(s + 1, " >"), s + 1);
		}
		s = strchr(s, '>');
	}
	ck_assert_uint_eq(depth, 0);
}

static unsigned int times(const char *s, const char *what)
{
	unsigned int n = 0;

	for (; (s = strstr(s, what)); s++)
		n++;
	return n;
}

static const struct {
	const char *name, *shown;
} hostile[] = {
	{ "</title><script>alert(1)</script>",
	  "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;" },
	{ "]]><script>alert(1)</script>", "]]&gt;&lt;script&gt;alert(1)&lt;/script&gt;" },
	{ "\" onclick=\"alert(1)\" x=\"", "&quot; onclick=&quot;alert(1)&quot; x=&quot;" },
	{ "&amp &#x41", "&amp;amp &amp;#x41" },
	{ "<!-- a", "&lt;!-- a" },
	{ "a\x01\x1b[31m\x7f" "b", "a\\x01\\x1b[31m\\x7fb" },
	{ "\xff\xfe\xc3(", "\\xff\\xfe\\xc3(" },
	{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
	{ "\xef\xbf\xbe", "\\u{fffe}" },
	{ "\xe2\x80\xae" "evil", "\\u{202e}evil" },
	{ "App\\Foo", "App\\Foo" },
	{ "\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9" },
};

START_TEST(names)
{
	const struct flame_look look = { .width = 1000, .title = hostile[_i].name,
					 .subtitle = hostile[_i].name, .note = hostile[_i].name,
					 .unit = hostile[_i].name, .old = hostile[_i].name };
	const struct flame_frame frame = { hostile[_i].name, strlen(hostile[_i].name), FLAME_JIT };
	struct flame *f = flame_new();
	char *s, expected[256];

	ck_assert_int_eq(flame_add(f, FLAME_NEW, &frame, 1, 5, NULL), 0);
	s = picture(f, NULL);
	check_xml(s);
	snprintf(expected, sizeof(expected), "<title>%s (5 samples, 100.00 %%)</title>",
		 hostile[_i].shown);
	ck_assert_msg(strstr(s, expected) != NULL, "%s", s);
	snprintf(expected, sizeof(expected), ">%s</text>", hostile[_i].shown);
	ck_assert_ptr_nonnull(strstr(s, expected));
	ck_assert_uint_eq(times(s, "<script"), 1);
	free(s);
	s = picture(f, &look);
	check_xml(s);
	ck_assert_uint_eq(times(s, "<script"), 1);
	free(s);
	flame_free(f);
}
END_TEST

/* A name with a NUL byte in it, and one that is very long. */
START_TEST(odd_names)
{
	const struct flame_frame nul = { "a\0b", 3, FLAME_USER };
	struct flame_frame is_long = { NULL, 100000, FLAME_USER };
	char *name = malloc(is_long.length), *s;
	struct flame *f = flame_new();

	memset(name, '<', is_long.length);
	is_long.name = name;
	ck_assert_int_eq(flame_add(f, FLAME_NEW, &nul, 1, 1, NULL), 0);
	ck_assert_int_eq(flame_add(f, FLAME_NEW, &is_long, 1, 1, NULL), 0);
	s = picture(f, NULL);
	check_xml(s);
	ck_assert_ptr_nonnull(strstr(s, "<title>a\\x00b (1 samples, 50.00 %)</title>"));
	ck_assert_ptr_nonnull(strstr(s, "&lt;... (1 samples, 50.00 %)</title>"));
	ck_assert_uint_eq(times(s, "&lt;"), 500 + 26);
	free(s);
	free(name);
	flame_free(f);
}
END_TEST

static const struct {
	size_t columns;
	const char *name, *shown;
} labels[] = {
	{ 5, "abcde", "abcde" }, { 5, "abcdef", "abc.." }, { 3, "abcd", "a.." },
	{ 5, "<<<<<<", "&lt;&lt;&lt;.." },
	{ 4, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", "\xc3\xa9\xc3\xa9.." },
	{ 5, "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", "\xe4\xb8\xad.." },	/* wide */
	{ 8, "ab\x01\x02", "ab\\x01.." },
	{ 3, "", "" },
};

START_TEST(label)
{
	char *s = NULL;
	size_t size;
	FILE *file = open_memstream(&s, &size);

	svg_label(file, labels[_i].name, strlen(labels[_i].name), labels[_i].columns);
	fclose(file);
	ck_assert_str_eq(s, labels[_i].shown);
	free(s);
}
END_TEST

/* Narrow frames are left out with all above them, and it is said. */
static const struct {
	double narrowest;
	bool is_share;
	unsigned int frames;
	const char *said;
} narrow[] = {
	{ 0, false, 7, NULL },
	{ 4, false, 7, NULL },
	{ 4.1, false, 5, "frames narrower than 4.1 px left out: 2, 2.00 %" },
	{ 12.5, false, 4, "frames narrower than 12.5 px left out: 3, 4.00 %" },
	{ 5, true, 4, "frames narrower than 5 % left out: 3, 4.00 %" },
	{ 100, true, 1,
	  "frames narrower than 100 % left out: 6, 100.00 %" },
};

START_TEST(left_out)
{
	const struct flame_look look = { .narrowest = narrow[_i].narrowest,
					 .narrowest_is_share = narrow[_i].is_share };
	struct flame *f = flame_of("a;b 90\na;c;d 1\na;c 2\nb 6\na;e 1\n", NULL);
	char *s = picture(f, &look);

	ck_assert_uint_eq(times(s, "<rect"), narrow[_i].frames);
	ck_assert_uint_eq(times(s, "class=\"f part\""), narrow[_i].said != NULL);
	if (narrow[_i].said)
		ck_assert_msg(strstr(s, narrow[_i].said) != NULL, "%s", s);
	else
		ck_assert_ptr_null(strstr(s, "left out"));
	free(s);
	flame_free(f);
}
END_TEST

/* Rows of a difference: widths and counts are of the new stacks, colours of the own shares. */
static const struct {
	const char *text, *old, *shown;
} differences[] = {
	{ "a 1\nb 3\n", "a 3\nb 1\n",
	  "all (4 samples, 100.00 %; own 0.00 %, was 0.00 %) e\n"
	  "a (1 samples, 25.00 %; own 25.00 %, was 75.00 %) b8\n"
	  "b (3 samples, 75.00 %; own 75.00 %, was 25.00 %) r8\n" },
	/* Twice as many of all is no change. */
	{ "a 1\nb;c 2\n", "a 2\nb;c 4\n",
	  "all (3 samples, 100.00 %; own 0.00 %, was 0.00 %) e\n"
	  "a (1 samples, 33.33 %; own 33.33 %, was 33.33 %) e\n"
	  "b (2 samples, 66.67 %; own 0.00 %, was 0.00 %) e\n"
	  "c (2 samples, 66.67 %; own 66.67 %, was 66.67 %) e\n" },
	/* What b called is only in the old ones: b has its time itself now. */
	{ "a 5\nb 5\n", "a 4\nb;c 5\nd 1\n",
	  "all (10 samples, 100.00 %; own 0.00 %, was 0.00 %) e\n"
	  "a (5 samples, 50.00 %; own 50.00 %, was 40.00 %) r2\n"
	  "b (5 samples, 50.00 %; own 50.00 %, was 0.00 %) r8\n"
	  "only there, and not shown: 2 stacks, with 60.00 % of its samples\n" },
	{ "a 1.5\nb 1\n", "a 1\n",
	  "all (2.5 samples, 100.00 %; own 0.00 %, was 0.00 %) e\n"
	  "a (1.5 samples, 60.00 %; own 60.00 %, was 100.00 %) b8\n"
	  "b (1 samples, 40.00 %; own 40.00 %, was 0.00 %) r8\n" },
};

START_TEST(difference)
{
	const struct flame_look look = { .old = "before" };
	struct flame *f = flame_of(differences[_i].text, differences[_i].old);
	char *s = picture(f, &look), got[1024] = "", *at = s;
	size_t n = 0;

	check_xml(s);
	while ((at = strstr(at, "<g><title>"))) {
		const char *class = strstr(at, "class=\"") + 7;

		at += 10;
		n += (size_t)snprintf(got + n, sizeof(got) - n, "%.*s %.*s\n",
				      (int)strcspn(at, "<"), at, (int)strcspn(class, " \""),
				      class);
	}
	at = strstr(s, "only there");
	if (at)
		snprintf(got + n, sizeof(got) - n, "%.*s\n", (int)strcspn(at, "<"), at);
	ck_assert_str_eq(got, differences[_i].shown);
	ck_assert_ptr_nonnull(strstr(s, ">compared with before ("));
	free(s);
	flame_free(f);
}
END_TEST

START_TEST(deep)
{
	const struct flame_frame frame = { "f", 1, FLAME_USER };
	struct flame_frame frames[FLAME_DEPTH + 2];
	struct flame *f = flame_new();
	char *s;

	for (unsigned int i = 0; i < N(frames); i++)
		frames[i] = frame;
	ck_assert_int_eq(flame_add(f, FLAME_NEW, frames, FLAME_DEPTH, 1, NULL), 0);
	s = picture(f, NULL);
	ck_assert_ptr_null(strstr(s, "cut at"));
	free(s);
	ck_assert_int_eq(flame_add(f, FLAME_NEW, frames, FLAME_DEPTH + 1, 1, NULL), 0);
	ck_assert_int_eq(flame_add(f, FLAME_NEW, frames, FLAME_DEPTH + 2, 2, NULL), 0);
	s = picture(f, NULL);
	ck_assert_uint_eq(times(s, "<rect"), FLAME_DEPTH + 2);
	ck_assert_ptr_nonnull(strstr(s, "<title>[cut at 1000] (3 samples, 75.00 %)</title>"));
	ck_assert_ptr_nonnull(strstr(s, ">2 stacks deeper than 1000 frames: each ends with [cut "
					"at 1000]</text>"));
	free(s);
	flame_free(f);
}
END_TEST

/* When there is no room, stacks that are known already are still counted where they belong. */
START_TEST(full)
{
	const size_t length = 1 << 20, most = FLAME_NAME_BYTES / length;
	struct flame_frame frame = { NULL, length, FLAME_USER };
	struct flame *f = flame_new();
	char *name = malloc(length), *s;

	memset(name, 'x', length);
	frame.name = name;
	for (size_t i = 0; i < most + 3; i++) {
		name[0] = (char)('0' + i);
		ck_assert_int_eq(flame_add(f, FLAME_NEW, &frame, 1, 1, NULL), 0);
	}
	name[0] = '0';
	ck_assert_int_eq(flame_add(f, FLAME_NEW, &frame, 1, 1, NULL), 0);
	ck_assert_uint_eq(f->no_room, 4);
	ck_assert_uint_le(f->n_bytes, FLAME_NAME_BYTES);
	s = picture(f, NULL);
	ck_assert_ptr_nonnull(strstr(s, "<title>[left out: too many different frames] "
					"(4 samples"));
	ck_assert_ptr_nonnull(strstr(s, ">4 stacks left out: there is room for 4,000,000 different "
					"frames and</text>\n"
					"<text x=\"10\" y=\"75\">1,000,000 names, or 64 MB of "
					"them</text>"));
	ck_assert_uint_eq(times(s, "... (2 samples"), 1);
	free(s);
	free(name);
	flame_free(f);
}
END_TEST

/* A tool that has seen nothing has a picture of nothing. */
START_TEST(empty)
{
	const struct flame_look diff = { .old = "x" };
	struct flame *f = flame_new();
	char *s = picture(f, NULL);

	check_xml(s);
	ck_assert_ptr_nonnull(strstr(s, ">0 samples, 0 frames</text>"));
	free(s);
	s = picture(f, &diff);
	check_xml(s);
	free(s);
	flame_free(f);
}
END_TEST

START_TEST(inverted)
{
	const struct flame_look look = { .inverted = true };
	struct flame *f = flame_of("a;b 1\n", NULL);
	char *s = picture(f, &look);
	unsigned int y[3] = { 0 }, n = 0;

	for (char *at = s; n < 3 && (at = strstr(at, "<rect")); at++)
		sscanf(strstr(at, " y=\""), " y=\"%u\"", &y[n++]);
	ck_assert_uint_eq(y[1], y[0] + 16);
	ck_assert_uint_eq(y[2], y[0] + 32);
	free(s);
	flame_free(f);
}
END_TEST

/* When it opens, a page shows the upper end: there the root is, if not all fits. */
START_TEST(high)
{
	const struct flame_look look = { .width = 0 };
	unsigned int y[2] = { 0 }, n = 0;
	char stack[1024] = "", *s;
	struct flame *f;

	for (int i = 0; i < 2 * 130; i += 2)
		memcpy(stack + i, "a;", 3);
	memcpy(stack + 2 * 130, "a 1\n", 5);
	f = flame_of(stack, NULL);
	s = picture(f, &look);
	for (char *at = s; n < 2 && (at = strstr(at, "<rect")); at++)
		sscanf(strstr(at, " y=\""), " y=\"%u\"", &y[n++]);
	ck_assert_uint_eq(y[1], y[0] + 16);
	ck_assert_uint_lt(y[0], 200);
	free(s);
	flame_free(f);
}
END_TEST

Suite *suite_flame(void)
{
	Suite *suite = suite_create("flame");

	add_tests(suite, "folded", folded, N(rows));
	add_tests(suite, "folded_long", folded_long, 1);
	add_tests(suite, "two_counts", two_counts, 1);
	add_tests(suite, "overflow", overflow, 1);
	add_tests(suite, "svg", svg, 1);
	add_tests(suite, "order", order, 1);
	add_tests(suite, "script", script, 1);
	add_tests(suite, "names", names, N(hostile));
	add_tests(suite, "odd_names", odd_names, 1);
	add_tests(suite, "label", label, N(labels));
	add_tests(suite, "left_out", left_out, N(narrow));
	add_tests(suite, "difference", difference, N(differences));
	add_tests(suite, "deep", deep, 1);
	add_tests(suite, "full", full, 1);
	add_tests(suite, "empty", empty, 1);
	add_tests(suite, "inverted", inverted, 1);
	add_tests(suite, "high", high, 1);
	return suite;
}
