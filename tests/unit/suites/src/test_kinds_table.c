// SPDX-License-Identifier: GPL-2.0
/* The lab's table of kinds of probes, of what guests said and what the document says already. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/kinds/kinds.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

Suite *suite_kinds_table(void);

#define OLD \
	"<!-- kinds -->\n## Kinds of probes\n\n| | |\n|:-:|---|\n| T | tracepoints |\n\n" \
	"### bpf on amd64\n\n| | 5.10-amd64 | 6.1-amd64 |\n|---|:-:|:-:|\n" \
	"| opensnoop | K | T K |\n| runqlat | T | · |\n| gone | · | T |\n" \
	"| *looked at* | 2026-01-02 | 2026-01-03 |\n\n" \
	"### bpf on arm64\n\n| | newest-arm64 |\n|---|:-:|\n| opensnoop | K |\n" \
	"| *looked at* | 2026-01-04 |\n\n<!-- end of kinds -->\n| gone | 6.1-amd64 |\n"

#define FEATURES(TOOLS)	"{\"kernel\": \"6.1\", \"tools\": [" TOOLS "]}\n"
#define TOOL(NAME, ENGINE, PROBES) \
	"{\"tool\": \"" NAME "\", \"engine\": " ENGINE ", \"probes\": [" PROBES "], \"not\": []}"
#define PROBE(KIND) \
	"{\"hook\": \"a.b\", \"kind\": \"" KIND "\", \"probe\": \"kprobe:typed\"}, "

/* The lines of the table from `from` to `to`, which are of this kernel's run. */
static char *made(const char *features, const char *selftest)
{
	char *dir = temporary(), command[400], *text = NULL;
	size_t size;
	FILE *from, *to = open_memstream(&text, &size);

	write_text(dir, "document", OLD);
	make_dir(dir, "6.1-amd64");
	write_text(dir, "6.1-amd64/features.json", features);
	if (selftest)
		write_text(dir, "6.1-amd64/selftest.json", selftest);
	snprintf(command, sizeof(command), "touch -d 2026-11-25T12:00Z %s/6.1-amd64/features.json; "
		 "sh tests/lab/kinds.sh %s/document %s 6.1-amd64 5.10-amd64 | sed -n '/^###/,$p'",
		 dir, dir, dir);
	from = popen(command, "r");
	for (int c; (c = fgetc(from)) != EOF;)
		fputc(c, to);
	ck_assert_int_eq(pclose(from), 0);
	fclose(to);
	remove_all(dir);
	return text;
}

#define ARM64 \
	"### bpf on arm64\n\n| | newest-arm64 |\n|---|:-:|\n"

/* A kernel's column is new; those that nobody has looked at again are as they were. */
START_TEST(columns)
{
	char *text = made(FEATURES(TOOL("opensnoop", "\"bpf\"", PROBE("kprobe.multi")
									   PROBE("kretprobe.multi"))
				   ", " TOOL("runqlat", "\"bpf\"", PROBE("kprobe")
					     PROBE("tracepoint") PROBE("tracepoint"))
				   ", " TOOL("vfsstat", "null", "")
				   ", " TOOL("fsdist", "\"perf\"", PROBE("kprobe"))
				   ", " TOOL("bashreadline", "null", "")),
			  "{\"tool\":\"bashreadline\",\"backend\":\"bpf\","
			  "\"hooks\":\"readline.enter: uprobe /x/bash:readline; "
			  "task.exit: tracepoint sched:exit\"}\n"
			  "{\"tool\":\"fsdist\",\"backend\":\"perf\",\"hooks\":\"a.b: kprobe x\"}\n"
			  "{\"tool\":\"vfsstat\",\"backend\":\"bpf\",\"hooks\":null}\n");

	ck_assert_str_eq(text,
		"### bpf on amd64\n\n| | 5.10-amd64 | 6.1-amd64 |\n|---|:-:|:-:|\n"
		"| opensnoop | K | M |\n| runqlat | T | T K |\n| vfsstat | · | – |\n"
		"| fsdist | · | – |\n| bashreadline | · | T U |\n"
		"| *looked at* | 2026-01-02 | 2026-11-25 |\n\n"
		ARM64 "| opensnoop | K |\n| runqlat | · |\n| vfsstat | · |\n| fsdist | · |\n"
		"| bashreadline | · |\n| *looked at* | 2026-01-04 |\n\n");
	free(text);
}
END_TEST

/* Each kind that bpf has is known there, and none is taken for a kind that it begins with. */
START_TEST(letters)
{
	static const struct {
		enum event_kind kind;
		const char *letter;
	} kinds[] = {
		{ EVENT_TRACEPOINT, "T" }, { EVENT_RAW, "R" }, { EVENT_TYPED, "B" },
		{ EVENT_KPROBE, "K" }, { EVENT_KRETPROBE, "K" }, { EVENT_UPROBE, "U" },
		{ EVENT_URETPROBE, "U" }, { EVENT_USDT, "U" }, { EVENT_SAMPLE, "S" },
		{ EVENT_KMULTI, "M" }, { EVENT_KRETMULTI, "M" }, { EVENT_UMULTI, "U" },
		{ EVENT_URETMULTI, "U" },
	};
	char features[400], row[80], *text;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		snprintf(features, sizeof(features), FEATURES(TOOL("opensnoop", "\"bpf\"",
								   PROBE("%s"))),
			 event_traits(kinds[i].kind)->title);
		snprintf(row, sizeof(row), "| opensnoop | K | %s |\n", kinds[i].letter);
		text = made(features, NULL);
		ck_assert_msg(strstr(text, row), "%s: no row %s in %s",
			      event_traits(kinds[i].kind)->title, row, text);
		free(text);
	}
	text = made(FEATURES(TOOL("opensnoop", "\"bpf\"", PROBE("guess"))), NULL);
	ck_assert_ptr_nonnull(strstr(text, "| opensnoop | K | ? |\n"));
	free(text);
}
END_TEST

Suite *suite_kinds_table(void)
{
	Suite *s = suite_create("kinds_table");

	add_tests(s, "columns", columns, 1);
	add_tests(s, "letters", letters, 1);
	return s;
}
