// SPDX-License-Identifier: GPL-2.0
/* What of the style of C files a program can tell. */
#include <fnmatch.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

Suite *suite_style(void);

/* Tabs are eight columns; a character that is no ASCII is one. */
static int columns(const char *line)
{
	int n = 0;

	for (; *line && *line != '\n'; line++)
		n = *line == '\t' ? (n / 8 + 1) * 8 : n + ((*line & 0xc0) != 0x80);
	return n;
}

static int wide_lines(const char *path)
{
	char line[4096];
	FILE *f = fopen(path, "r");
	int n = 0, wide = 0;

	ck_assert_msg(f != NULL, "%s can't be read", path);
	while (fgets(line, sizeof(line), f)) {
		n++;
		if (columns(line) > 100) {
			fprintf(stderr, "%s:%d: %d columns\n", path, n, columns(line));
			wide++;
		}
	}
	fclose(f);
	return wide;
}

START_TEST(lines)
{
	FILE *f = popen("find src insns compat backends tests -name '*.[ch]' ! -path '*/build/*'",
			"r");
	int wide = 0, files = 0;
	char path[512];

	ck_assert_ptr_nonnull(f);
	while (fgets(path, sizeof(path), f)) {
		path[strcspn(path, "\n")] = '\0';
		files++;
		wide += wide_lines(path);
	}
	pclose(f);
	ck_assert_msg(files > 100, "only %d files were found", files);
	ck_assert_msg(!wide, "%d lines have more than 100 columns: break them (`git clang-format` "
		      "does)", wide);
}
END_TEST

/* Dependencies point one way; a file includes what is of its own house or below. */
static const struct {
	const char *house, *above;
} arrows[] = {
	{ "compat", "insns/|backends/|src/" },
	{ "insns", "backends/|src/" },
	{ "backends", "src/" },
	{ "src/lib", "src/(?!lib/)" },
	{ "src/run", "src/(?!(lib|run)/)" },
	{ "src/toolkit", "src/(?!(lib|run|toolkit)/)" },
	{ "src/language", "src/(?!(lib|run|toolkit|language)/)" },
	{ "src/bt", "src/(?!(lib|run|toolkit|language|bt)/)" },
	{ "src/tools", "src/(commands|session)/" },
	{ "src/session", "src/(?!(lib|run|toolkit|session)/)" },
};

static unsigned int printed(const char *command, const char *what)
{
	FILE *f = popen(command, "r");
	unsigned int n = 0;
	char line[512];

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f)) {
		fprintf(stderr, "%s: %s", what, line);
		n++;
	}
	ck_assert_int_eq(pclose(f), 0);
	return n;
}

START_TEST(includes)
{
	char command[256];

	snprintf(command, sizeof(command), "grep -rnP '#include \"(%s|tests/)' %s || test $? = 1",
		 arrows[_i].above, arrows[_i].house);
	ck_assert_msg(!printed(command, "goes up"), "a file of %s includes what is above it",
		      arrows[_i].house);
}
END_TEST

/*
 * Questions that few files ask. Others ask for a trait or a feature: docs/kinds.md, docs/hooks.md.
 */
static const struct {
	const char *question, *may_ask, *instead;
} questions[] = {
	{ "(case|[!=]=) EVENT_[A-Z]", "(compat|backends)/kinds/", "a trait of the kind" },
	{ "(case|[!=]=) PROBE_[A-Z]", "compat/kinds/|src/language/questions/probe\\.c|"
	  "compat/report/snapshot_write\\.c", "a trait of the kind" },
	{ "kernel_version_code\\(.*\\) *[<>]",
	  "compat/kernel/features\\.c|compat/kinds/syscall\\.c|"
	  "compat/resolve/build_(identity|memory)\\.c|insns/lower/(helpers|lower)\\.c",
	  "a feature, or a row of a table" },
};

START_TEST(asked)
{
	char command[512];

	snprintf(command, sizeof(command), "grep -rnE '%s' --include=*.[ch] src insns compat "
		 "backends | grep -vE '^(%s)' || test $? = 1", questions[_i].question,
		 questions[_i].may_ask);
	ck_assert_msg(!printed(command, "asked"), "ask for %s", questions[_i].instead);
}
END_TEST

/*
 * Each of these brings 8 to 14 KB of variants and of what it could do as well into a static binary,
 * or takes numbers that nobody wrote: snprintf() and compat/base do it.
 */
static const struct {
	const char *functions, *instead;
} heavy[] = {
	{ "strn?cat|strncpy", "snprintf()" },
	{ "strftime|localtime(_r)?|gmtime(_r)?|mktime", "compat/time/date.h" },
	{ "regcomp|regexec|fnmatch|glob|wordexp", "compat/expressions/expression.h" },
	{ "[sg]etmntent", "compat/base/scan.h" },
	{ "strn?casecmp|strcasestr", "toupper() or tolower(), then what compares" },
	{ "v?[fs]?scanf|strtod|strtof|strtold", "compat/base/scan.h" },
};

/* A text made of parts is a struct strbuf, which keeps to its room and shows that it was cut. */
START_TEST(offset_texts)
{
	const char *lines = "grep -rnE '\\<v?snprintf\\((&|[^,[]*\\+)' --include=*.[ch] "
			    "src insns compat backends | "
			    "grep -v '^compat/base/strbuf\\.c:' || test $? = 1";

	ck_assert_msg(!printed(lines, "offset text"), "add to a struct strbuf instead");
}
END_TEST

/*
 * A text that is cut looks like a whole one: another file, another name, a message without its end.
 * So calls of snprintf() whose result nobody looks at write numbers only.
 */
START_TEST(cut_texts)
{
	const char *calls = "find src insns compat backends -name '*.[ch]' | xargs awk '"
			    "FNR == 1 { on = 0 } "
			    "/^\t+v?snprintf\\(/ { on = 1; text = \"\" } "
			    "on { text = text $0 } "
			    "on && /;$/ { on = 0; if (text ~ /%[-+ #0-9.*]*s/ || "
			    "text ~ /^[^\"]*$/) print FILENAME \":\" FNR \": \" text }'";
	const char *readers = "grep -rnE '\\<(readlink(at)?|fgets|strlcpy|stpncpy|memccpy) ?"
			      "\\([^)]' --include=*.[ch] src insns compat backends | "
			      "grep -vE '^(compat/base/file|backends/replay/readers/records)"
			      "\\.c:' || test $? = 1";

	ck_assert_msg(!printed(calls, "may be cut"), "compat/base/text.h has what is seen");
	ck_assert_msg(!printed(readers, "may be cut"), "compat/base/file.h, getline()");
}
END_TEST

/*
 * JSON is written by compat/base/jsonw.h. Rows of tools have a writer that is faster; C values are
 * written as text or as JSON by the same walk; the self-test looks for what workloads said. Events
 * of a timeline are lines, of which the last one may be missing.
 */
START_TEST(json_by_hand)
{
	const char *lines = "grep -rnE '([\"{,[]|, )\\\\\"[a-z_%.*]+\\\\\":' "
			    "--include=*.[ch] src insns compat backends | "
			    "grep -vE '^src/(lib/output/formats/json|lib/output/timelines/chrome|"
			    "language/types/shown|commands/selftest/run)\\.c:' || test $? = 1";

	ck_assert_msg(!printed(lines, "JSON by hand"), "compat/base/jsonw.h writes it");
}
END_TEST

START_TEST(heavy_functions)
{
	char command[256];

	snprintf(command, sizeof(command), "grep -rnE '\\<(%s) ?\\([^)]' --include=*.[ch] "
		 "src insns compat backends || test $? = 1", heavy[_i].functions);
	ck_assert_msg(!printed(command, "heavy"), "instead there is %s", heavy[_i].instead);
}
END_TEST

/*
 * A folder shows the parts of one thing: a reader takes in 25 of them. In a list nobody reads all
 * names, but looks for the one that is wanted: it may be as long as there are things.
 */
static const struct {
	const char *folders, *each;		/* what has a file there */
} lists[] = {
	{ "src/tools", "a tool" },
	{ "insns/programs", "a tool, or a part of programs that several have" },
	{ "src/commands/selftest/checks", "a tool" },
	{ "tests/live/tools", "a tool" },
	{ "man/man8", "a tool or a command" },
	{ "man/examples", "a tool" },
	{ "compat/base", "a small thing that all folders use" },
	{ "compat/hooks", "an area of the kernel" },
	{ "compat/kinds", "a kind of probe" },
	{ "tests/unit/rows", "an area of the kernel" },
	{ "tests/unit/suites/*", "a suite" },
	{ "docs", "a subject" },
};

static bool is_list(const char *folder)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (!fnmatch(lists[i].folders, folder, FNM_PATHNAME))
			return true;
	return false;
}

START_TEST(folders)
{
	FILE *f = popen("find src insns compat backends tests docs man packaging -type f "
			"! -path 'tests/unit/kernels/*/*' | sed 's,/[^/]*$,,' | sort | uniq -c",
			"r");
	unsigned int n, full = 0;
	char folder[256];

	ck_assert_ptr_nonnull(f);
	while (fscanf(f, "%u %255s", &n, folder) == 2) {
		if (n <= 25 || is_list(folder))
			continue;
		fprintf(stderr, "%s has %u files\n", folder, n);
		full++;
	}
	ck_assert_int_eq(pclose(f), 0);
	ck_assert_msg(!full, "%u folders have more than 25 files, and are no lists", full);
}
END_TEST

/* What pages and scripts name is there. */
static const struct {
	const char *command, *wrong;
} named[] = {
	{ "for f in *.md docs/*.md tests/*.md; do "
	  "grep -oE '\\]\\([^)#:]+' $f | cut -c 3- | while read -r l; do "
	  "test -e ${f%/*}/$l || test -e $l || echo $f: $l; done; done",
	  "a link leads nowhere" },
	{ "grep -noE '`(src|insns|compat|backends|tests|man|packaging|completion|docs)/"
	  "[A-Za-z0-9_./-]*[A-Za-z0-9_]`' *.md docs/*.md tests/*.md | tr -d '`' | "
	  "while IFS=: read -r f n p; do case $p in */NAME*) continue ;; esac; "
	  "test -e $p || echo $f:$n: $p; done",
	  "a page names a file that is not there" },
	{ "find tests/live -name '*.sh' | sed 's,.*/,,' | sort | uniq -d",
	  "two live tests have one name" },
	{ "sed -n 's/^FEATURE([A-Z0-9_]*,[ \t]*\"\\([^\"]*\\)\".*/\\1/p' "
	  "compat/kernel/features.def | while read -r f; do "
	  "sed -n '/^.Sh FEATURES/,/^.Sh LOSSES/p' man/man8/sonde.8 | "
	  "grep -qE \"^[.]It Cm (.* )?$f( |$)\" || echo $f; done",
	  "sonde(8) does not explain a feature" },
	{ "awk '/^[.]Sh .*[a-z]/ { print FILENAME \": \" $0 }' man/man*/*.[78]",
	  "a head of a manual page is not in capitals" },
};

START_TEST(names)
{
	ck_assert_msg(!printed(named[_i].command, "named"), "%s", named[_i].wrong);
}
END_TEST

/* On a line, .Ql quotes all that follows it; and .Pq takes the words In, At and An as macros. */
START_TEST(quoted)
{
	ck_assert_msg(!printed("grep -nE '^[.].*\\<Ql [^ ]+ .*\\<(No|Ql)\\>|"
			       "^[.]Pq (In|At|An) ' man/man?/*.[78] || test $? = 1", "quoted"),
		      "write .Po and .Pc around lines of their own");
}
END_TEST

/* A function of more than 60 lines does more than one thing. Tables in it count as well. */
START_TEST(long_functions)
{
	const char *lines = "find src insns compat backends -name '*.c' | xargs awk '"
			    "FNR == 1 { start = 0 } "
			    "/^[a-zA-Z_].*\\(/ { head = $0 } "
			    "/^\\{/ { start = FNR } "
			    "/^\\}/ { n = start ? FNR - start : 0; start = 0; "
			    "if (n > 60) print FILENAME \": \" n \" lines: \" head }'";

	ck_assert_msg(!printed(lines, "long function"), "make it functions that do one thing each");
}
END_TEST

/*
 * A function in a header has a comment: above it, or above its group, which a blank line ends, or
 * on its line.
 */
START_TEST(declared_functions)
{
	const char *bare =
		"find src insns compat backends tests/unit -name '*.h' | xargs awk '"
		"FNR == 1 { group = comment = macro = 0 } "
		"macro || /^#/ { macro = /\\\\$/; next } "
		"/^$/ { group = 0; next } "
		"comment { if (/\\*\\//) { comment = 0; group = 1 } next } "
		"/^[ \t]*\\/\\*/ { group = /\\*\\//; comment = !group; next } "
		"/^[a-z].*\\(/ && !/^(typedef|extern|enum)/ && !/[{=]$/ && !group && !/\\/\\*/ "
		"{ print FILENAME \":\" FNR \": \" $0 }'";

	ck_assert_msg(!printed(bare, "without a comment"),
		      "say what it does, in which units, who frees, and what it returns on errors");
}
END_TEST

/* A short name is one thing in a folder: who reads `r` there need not look for its type. */
START_TEST(one_r)
{
	const char *types = "grep -roE 'struct [a-z_]+ \\*?r\\b' --include=*.[ch] "
			    "src insns compat backends | sed 's/\\*//; "
			    "s,/[^/:]*:struct ,: ,; s/ r$//' | sort -u | cut -d: -f1 | uniq -d";

	ck_assert_msg(!printed(types, "`r` is of several types"), "give the rarer ones a name");
}
END_TEST

/*
 * Words with plainer ones. They are matched in a file as one line, without what begins comments.
 * Headers are read by people who know nothing else of a folder: they have stricter rules.
 */
static const struct {
	const char *phrase, *instead;
	bool headers;			/* for headers only */
} phrases[] = {
	{ "can(no|')t be had|to be had", "is unavailable; there is no" },
	{ "come(s|) by", "gets; finds" },
	{ "for want of", "because it lacks" },
	{ "(stand(s|)|stood)", "is" },
	{ "tell(s|) nobody", "only BPF knows" },
	{ "for now", "until VERSION; or nothing" },
	{ "of whom", "of the task; its process" },
	{ "which is said", "and a message says so" },
	{ "(for|of|to|by|from|with|as|only) who(ever)? [a-z]+", "the task that; code that" },
	{ "those who", "the tasks that; callers that" },
	{ "those that had", "stacks that; what these are" },
	{ "between which", "a sentence for each step" },
	{ "what is no [a-z]+er", "an entry that is not; name it" },
	{ "be it", "even if" },
	{ "which of (them|those),", "name them; return which" },
	{ "(-1|NULL) and err", "Returns -1 and sets err", true },
	{ "(-1|NULL|false): (no|out of) memory", "Returns NULL if there is no memory", true },
	{ "what (those|these|others|nobody)", "name the thing", true },
	{ "what (is|are|was|were) (told|asked|wanted|said)", "name the thing", true },
	{ "who(ever)? (has|is|are|was|knows|asks|reads|wants|needs|looks|gets|calls|goes)",
	  "the task that; code that", true },
	{ "those (of|that|which) (them|which|whose)", "name the things", true },
	{ "it is none", "it is no such file; returns false", true },
	{ "where (nobody|those)", "if", true },
	{ "so (much|many) of", "name the number", true },
	{ "nobody (has|knows|asks|does|told|says|will|wants|needs)", "no task; unknown", true },
};

#define MEANS " for"			/* one thing may stand for another */

static char *read_whole(const char *path, ssize_t *length)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;

	*length = f ? getdelim(&text, &room, '\0', f) : -1;
	ck_assert_msg(*length >= 0 || (f && feof(f)), "%s can't be read", path);
	fclose(f);
	return text;
}

/* The text of a file, with a blank for each end of a line and what begins the next. */
static char *read_flat(const char *path)
{
	size_t n = 0;
	ssize_t length;
	char *text = read_whole(path, &length);

	for (ssize_t i = 0; i < length; i++) {
		bool ends = text[i] == '\n';

		text[n++] = ends ? ' ' : text[i];
		if (ends)
			i += (ssize_t)strspn(text + i + 1, " \t*#/\"");
	}
	if (length >= 0)
		text[n] = '\0';
	return text;
}

static unsigned int phrases_in(const char *path, const regex_t *phrase, const char *what)
{
	char *text = read_flat(path);
	unsigned int found = 0;
	regmatch_t at[3];

	for (const char *from = text; from && !regexec(phrase, from, 3, at, 0);
	     from += at[2].rm_eo) {
		if (!strncmp(from + at[2].rm_eo, MEANS, strlen(MEANS)))
			continue;
		fprintf(stderr, "%s: \"%.*s\", not plain English: %s\n", path,
			(int)(at[2].rm_eo - at[2].rm_so), from + at[2].rm_so, what);
		found++;
	}
	free(text);
	return found;
}

START_TEST(words)
{
	FILE *f = popen("find src insns compat backends tests docs man packaging completion *.md "
			"-type f ! -path '*/build/*' ! -path 'tests/unit/kernels/*/*' "
			"! -name test_style.c "
			"\\( -path 'man/*' -o -name '*.[ch]' -o -name '*.sh' -o -name '*.md' "
			"-o -name '*.awk' -o -name '*.def' \\)", "r");
	unsigned int found = 0, files = 0;
	regex_t phrase;
	char path[512], pattern[128];

	snprintf(pattern, sizeof(pattern), "(^|[^[:alnum:]_])(%s)([^[:alnum:]_]|$)",
		 phrases[_i].phrase);
	ck_assert_int_eq(regcomp(&phrase, pattern, REG_EXTENDED | REG_ICASE), 0);
	ck_assert_ptr_nonnull(f);
	while (fgets(path, sizeof(path), f)) {
		path[strcspn(path, "\n")] = '\0';
		files++;
		if (!phrases[_i].headers || !strcmp(path + strlen(path) - 2, ".h"))
			found += phrases_in(path, &phrase, phrases[_i].instead);
	}
	pclose(f);
	regfree(&phrase);
	ck_assert_msg(files > 300, "only %u files were found", files);
	ck_assert_msg(!found, "%u texts are not plain English", found);
}
END_TEST

/* Leaves the strings of a C file, a line each: their parts are joined, escapes become blanks. */
static void keep_strings(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		const char quote = *from;

		if (!strncmp(from, "//", 2)) {
			from += strcspn(from, "\n") - 1;
		} else if (!strncmp(from, "/*", 2)) {
			from = strstr(from, "*/") + 1;
		} else if (quote == '"' || quote == '\'') {
			for (from++; *from != quote; from++) {
				const char c = *from;

				from += c == '\\';
				if (quote == '"')
					*to++ = c == '\\' ? ' ' : c;
			}
		} else if (!strchr(" \t\n\\", quote) && to > text && to[-1] != '\n') {
			*to++ = '\n';
		}
	}
	*to = '\0';
}

/* A clause that takes the place of a noun: "what is lost", "who waits", "those that failed". */
#define CLAUSE "(^|[^a-z])(what(ever)?|who(m|ever)?|those (that|which|who)) [a-z]"

static unsigned int clauses_in(const char *path, const regex_t *clause)
{
	unsigned int found = 0;
	ssize_t length;
	char *rest, *text = read_whole(path, &length);

	if (length > 0)
		keep_strings(text);
	for (const char *s = length > 0 ? strtok_r(text, "\n", &rest) : NULL; s;
	     s = strtok_r(NULL, "\n", &rest)) {
		if (regexec(clause, s, 0, NULL, 0))
			continue;
		fprintf(stderr, "%s: \"%s\"\n", path, s);
		found++;
	}
	free(text);
	return found;
}

/* People read strings in messages and --help. */
START_TEST(clauses)
{
	FILE *f = popen("find src insns compat backends -name '*.[ch]' -o -name '*.def'", "r");
	unsigned int found = 0, files = 0;
	regex_t clause;
	char path[512];

	ck_assert_int_eq(regcomp(&clause, CLAUSE, REG_EXTENDED | REG_ICASE), 0);
	ck_assert_ptr_nonnull(f);
	while (fgets(path, sizeof(path), f)) {
		path[strcspn(path, "\n")] = '\0';
		files++;
		found += clauses_in(path, &clause);
	}
	pclose(f);
	regfree(&clause);
	ck_assert_msg(files > 300, "only %u files were found", files);
	ck_assert_msg(!found, "%u strings have a clause for a noun: name the thing", found);
}
END_TEST

/*
 * BPF programs are read by people who know the kernel, and not sonde. What is found of this is
 * wrong.
 */
static const struct {
	const char *command, *wrong;
} programs[] = {
	{ "grep -nE '\\<R[6-9]\\>' insns/*.h insns/programs/*.[ch] | "
	  "grep -vE '^insns/insn.h:|[A-Z_]+ = R[6-9]' || true",
	  "registers that keep something have names: enum { NOW = R6 }" },
	{ "awk '/^(static )?const struct insn .*= \\{$/ { at = FNR } "
	  "/^\\};/ { if (at && FNR - at > 61) print FILENAME \":\" at; at = 0 }' "
	  "insns/programs/*.c",
	  "an array has 60 lines at most: parts of it become macros" },
	{ "grep -nE '^\t(J[A-Z_]+|LOOKUP_OR|FIELD_OR)\\(.*\"[^.\"][^\"]*\"\\),? *\\\\$' "
	  "insns/*.h insns/programs/*.[ch] || true",
	  "a macro jumps to its own labels, which begin with a dot, or to its arguments" },
	{ "grep -nE '\\<JUMP_IF(_REG)?\\(BPF_' -r insns src tests/unit --include=*.[ch] | "
	  "grep -v '^insns/insn.h:' || true",
	  "jumps have short names: JEQ, JNE_REG" },
};

START_TEST(readable_programs)
{
	ck_assert_msg(!printed(programs[_i].command, "unreadable"), "%s", programs[_i].wrong);
}
END_TEST

/* What HACKING.md shows of a file is in it. "..." stands for what is left out. */
START_TEST(snippets)
{
	const char *lines = "awk 'function bare(s) { sub(/[ \t]*\\/\\*.*\\*\\/$/, \"\", s); "
			    "gsub(/^[ \t]+|[ \t]+$/, \"\", s); return s } "
			    "function shown(line,  i, s, yes) { for (i = 1; i <= n; i++) { "
			    "while ((getline s <file[i]) > 0) yes = yes || bare(s) == line; "
			    "close(file[i]) } return yes } "
			    "/^[*][*]/ { n = 0 } "
			    "/^```/ { code = !code && /c$/; next } "
			    "code { if (bare($0) !~ /^([.][.][.])?$/ && !shown(bare($0))) print } "
			    "!code { while (match($0, /`[a-z_\\/]*[.][ch]`/)) { "
			    "file[++n] = substr($0, RSTART + 1, RLENGTH - 2); "
			    "$0 = substr($0, RSTART + RLENGTH) } }' HACKING.md";

	ck_assert_msg(!printed(lines, "not in the file"), "HACKING.md shows what is not so");
}
END_TEST

Suite *suite_style(void)
{
	Suite *suite = suite_create("style");

	add_tests(suite, "lines", lines, 1);
	add_tests(suite, "includes", includes, sizeof(arrows) / sizeof(arrows[0]));
	add_tests(suite, "asked", asked, sizeof(questions) / sizeof(questions[0]));
	add_tests(suite, "heavy functions", heavy_functions,
		  sizeof(heavy) / sizeof(heavy[0]));
	add_tests(suite, "offset texts", offset_texts, 1);
	add_tests(suite, "cut texts", cut_texts, 1);
	add_tests(suite, "JSON by hand", json_by_hand, 1);
	add_tests(suite, "folders", folders, 1);
	add_tests(suite, "names", names, sizeof(named) / sizeof(named[0]));
	add_tests(suite, "quoted", quoted, 1);
	add_tests(suite, "functions", long_functions, 1);
	add_tests(suite, "declared functions", declared_functions, 1);
	add_tests(suite, "one r", one_r, 1);
	add_tests(suite, "programs", readable_programs, sizeof(programs) / sizeof(programs[0]));
	add_tests(suite, "snippets", snippets, 1);
	add_tests(suite, "words", words, sizeof(phrases) / sizeof(phrases[0]));
	add_tests(suite, "clauses", clauses, 1);
	return suite;
}
