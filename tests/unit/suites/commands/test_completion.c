// SPDX-License-Identifier: GPL-2.0
/* What a word of a command line can become, and that the shells' scripts know every tool. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commands/completion.h"
#include "src/run/tool.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_completion(void);

/*
 * A command line by blanks, with a last word that may be empty; the words offered, without what
 * they are.
 */
static const struct {
	const char *line, *offered;
} rows[] = {
	{ "opens", "opensnoop" },
	{ "tcpr", "tcpretrans tcprtt" },
	{ "se", "selftest" },
	{ "vers", "version" },
	{ "vfsc", "vfscount" },
	{ "iosnoop --pat", "--pattern" },
	{ "javacalls --pa", "" },
	{ "nosuch", "" },
	{ "nosuch --", "" },
	{ "opensnoop --dur", "--duration" },
	{ "opensnoop --pi", "--pid --pidns" },
	{ "opensnoop --e", "--extended_fields --exec" },
	{ "opensnoop --json --js", "" },		/* once is enough */
	{ "opensnoop --pid 1 --pi", "--pid --pidns" },		/* but of lists */
	{ "opensnoop --duration ", "" },
	{ "opensnoop --duration 5 --js", "--json" },
	{ "opensnoop --backend ", "bpf perf ftrace" },
	{ "opensnoop --backend p", "perf" },
	{ "opensnoop --backend=p", "--backend=perf" },
	{ "opensnoop --backend = p", "perf" },		/* bash's way */
	{ "opensnoop --backend =", "bpf perf ftrace" },
	{ "opensnoop -f O_WR", "O_WRONLY" },
	{ "opensnoop -xf O_WR", "O_WRONLY" },
	{ "opensnoop --flag-filter=O_RDWR,O_WR", "--flag-filter=O_RDWR,O_WRONLY" },
	{ "opensnoop -u nobo", "nobody" },
	{ "opensnoop -u root,nobo", "root,nobody" },
	{ "opensnoop --without bpf,kprobes,kprobe-",
	  "bpf,kprobes,kprobe-multi bpf,kprobes,kprobe-pmu "
	  "bpf,kprobes,kprobe-dots bpf,kprobes,kprobe-unique" },
	{ "opensnoop --snapshot ", ":directories" },
	{ "opensnoop --exec ", ":command" },
	{ "opensnoop --exec ls -", ":files" },
	{ "opensnoop --heat", "" },			/* it prints no histograms */
	{ "biolatency --heat", "--heatmap" },
	{ "biolatency --heatmap=", ":files" },
	{ "biolatency --pi", "" },			/* would do nothing */
	{ "features --off", "--offsets" },
	{ "features --without bpf,kprobe-",
	  "bpf,kprobe-multi bpf,kprobe-pmu bpf,kprobe-dots bpf,kprobe-unique" },
	{ "features --json --snapshot ", ":directories" },
	{ "selftest tcpr", "tcpretrans tcprtt" },
	{ "selftest --backend f", "ftrace" },
	{ "help tcpr", "tcpretrans tcprtt" },
	{ "help compl", "completion" },
	{ "completion ", "bash zsh fish" },
	{ "snapshot ", ":directories" },
	{ "opensnoop --cgroup ", ":directories" },
	{ "opensnoop --cgroupmap ", ":files" },
	{ "stat -p", "-p" },
	{ "fl", "flame" },
	{ "flame --w", ":files --width" },
	{ "flame --colors ", "kinds off-cpu" },
	{ "flame --diff ", ":files" },
};

START_TEST(words)
{
	char *line = strdup(rows[_i].line), *rest = line, *given[16], *s = NULL, got[512] = "";
	unsigned int n = 0;
	size_t size;
	FILE *out = open_memstream(&s, &size);

	while (rest)
		given[n++] = strsep(&rest, " ");
	complete_words(out, given, n);
	fclose(out);
	for (char *at = s, *word; (word = strsep(&at, "\n")) && *word;) {
		word[strcspn(word, "\t")] = '\0';
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s",
			 *got ? " " : "", word);
	}
	ck_assert_msg(!strcmp(got, rows[_i].offered), "[%s] offers [%s], not [%s]", rows[_i].line,
		      got, rows[_i].offered);
	free(line);
	free(s);
}
END_TEST

/* Tools and stat offer the option of each row of `formats`. */
START_TEST(formats_offered)
{
	static const char *const names[] = { "opensnoop", "tplist", "stat" };

	for (int i = 0; i < COUNT_OF(names); i++)
		for (const struct output_format *f = formats + 1; f->writer; f++) {
			char name[16], option[32], *given[] = { name, option }, *s = NULL;
			size_t size;
			FILE *out = open_memstream(&s, &size);

			snprintf(name, sizeof(name), "%s", names[i]);
			snprintf(option, sizeof(option), "--%s", f->option);
			complete_words(out, given, 2);
			fclose(out);
			ck_assert_msg(!strncmp(s, option, strlen(option)), "%s lacks %s", name,
				      option);
			free(s);
		}
}
END_TEST

/* Is there such a word, between blanks or at an end of a line? */
static bool has_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at++)
		if (at > text && strchr(" \t\n", at[-1]) && strchr(" \t\n", at[length]))
			return true;
	return false;
}

/* The names that sonde is linked as are in the scripts: a shell reads them before it can ask. */
START_TEST(scripts_know_all_tools)
{
	static const char *const scripts[] = { completion_bash, completion_zsh, completion_fish };

	for (int i = 0; i < COUNT_OF(scripts); i++) {
		ck_assert(has_word(scripts[i], "sonde"));
		for (const struct tool *const *t = tools; *t; t++)
			ck_assert_msg(has_word(scripts[i], (*t)->name), "completion/%s lacks %s",
				      (const char *[]){ "sonde.bash", "_sonde", "sonde.fish" }[i],
				      (*t)->name);
	}
}
END_TEST

Suite *suite_completion(void)
{
	Suite *suite = suite_create("completion");

	add_tests(suite, "words", words, COUNT_OF(rows));
	add_tests(suite, "formats_offered", formats_offered, 1);
	add_tests(suite, "scripts_know_all_tools", scripts_know_all_tools, 1);
	return suite;
}
