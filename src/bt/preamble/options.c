// SPDX-License-Identifier: GPL-2.0
/* getopt(): options of the script, among the arguments, become literals. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "src/bt/preamble/expand.h"

/* The value of the argument --NAME=VALUE or --NAME, then ""; NULL: there is none. */
static const char *option(struct writer *w, const char *name, size_t n)
{
	const char *found = NULL;

	for (unsigned int i = 0; i < w->b->n_options; i++) {
		const char *at = w->b->arguments[w->b->n_arguments + i];

		if (strncmp(at + 2, name, n) || (at[n + 2] && at[n + 2] != '='))
			continue;
		w->known |= 1ULL << (i % 64);
		found = at + n + 2 + (at[n + 2] == '=');
	}
	return found;
}

/* A text as a literal. */
static int put_literal(struct writer *w, const char *s, const char *at)
{
	char letter[3] = "\\";
	int result = expand_own(w, "\"", at);

	for (; *s && !result; s++) {
		letter[1] = *s;
		result = expand_own(w, strchr("\"\\", *s) ? letter : letter + 1, at);
	}
	return result || expand_own(w, "\"", at) ? -1 : 0;
}

static bool is_number(const char *s)
{
	char *end;

	strtoll(s, &end, 0);
	return (isdigit((unsigned char)*s) || *s == '-') && !*end;
}

/* In upper or lower case. */
static bool is_truth(const char *value, const char *word)
{
	while (*word && tolower((unsigned char)*value) == *word) {
		value++;
		word++;
	}
	return !*value && !*word;
}

/* A line for each option, for the script's --help. */
static void note_option(struct writer *w, struct range name, struct range description)
{
	const int n = (int)(name.end - name.at);

	if (description.end - description.at > 2)
		lines_add(&w->options, "--%.*s: %.*s", n, name.at,
			  (int)(description.end - description.at - 2), description.at + 1);
	else
		lines_add(&w->options, "--%.*s", n, name.at);
}

/* The option's value becomes a literal; `missing` is written for an option that was not given. */
static int put_option(struct writer *w, const char *at, struct range name, struct range missing,
		      struct range description)
{
	const char *value = option(w, name.at, (size_t)(name.end - name.at));
	const bool flag = missing.at == missing.end || range_is(missing.at, missing.end, "false") ||
			  range_is(missing.at, missing.end, "true");

	note_option(w, name, description);
	if (flag && value && *value && !is_truth(value, "true") && !is_truth(value, "false"))
		return fail(w->err, "ERROR: program command line option --%.*s is true or false "
			    "(value: %.40s)", (int)(name.end - name.at), name.at, value);
	if (flag)
		return expand_own(w, value ? is_truth(value, "false") ? "false" : "true" :
			       range_is(missing.at, missing.end, "true") ? "true" : "false", at);
	if (!value)
		return expand_put(w, missing.at, (size_t)(missing.end - missing.at));
	if (*missing.at == '"')
		return put_literal(w, value, at);
	return is_number(value) ? expand_own(w, value, at) :
	       fail(w->err, "ERROR: program command line option --%.*s invalid integer (value: "
		    "%.40s)", (int)(name.end - name.at), name.at, value);
}

/* getopt("NAME", MISSING, "DESCRIPTION") */
int option_call(struct writer *w, const char *p, const char **end, const char *limit)
{
	const char *open = range_blanks(*end, limit);
	struct range all, parts[3] = { };

	if (!range_is(p, *end, "getopt") || open == limit || *open != '(')
		return 0;
	all = (struct range){ open + 1, range_find((struct range){ open + 1, limit }, ")") };
	*end = all.end + (all.end < limit);
	for (int i = 0; i < 3 && all.at < all.end; i++) {
		parts[i] = range_trimmed((struct range){ all.at, range_find(all, ",") });
		all.at = range_find(all, ",") + 1;
	}
	if (parts[0].at == parts[0].end || *parts[0].at != '"' || !range_is_single(parts[0]) ||
	    (parts[1].at < parts[1].end && *parts[1].at != '-' && !range_is_single(parts[1])))
		return AT(w, p, "an option is read as getopt(\"NAME\", DEFAULT, \"DESCRIPTION\"); "
			  "the default is true, false, a number or a text in quotes");
	parts[0].at++;
	parts[0].end--;
	w->has_options = true;
	return put_option(w, p, parts[0], parts[1], parts[2]) ? -1 : 1;
}

/* The script's options in lines of their own, or behind each other without what they mean. */
static int tell_options(struct writer *w, const char *unknown)
{
	const bool lines = !unknown;
	char text[1024];
	struct strbuf list = strbuf_over(text, sizeof(text));

	for (unsigned int i = 0; i < w->options.n; i++)
		strbuf_addf(&list, "%s%.*s", lines ? "\n" : i ? ", " : " ", lines ? 200 :
			    (int)strcspn(w->options.list[i], ":"), w->options.list[i]);
	return lines ? fail(w->err, "HINT: expected program options:%s", text) :
	       fail(w->err, "ERROR: unexpected program command line options: %s\n"
		    "HINT: expected program options:%s", unknown, text);
}

int options_unknown(struct writer *w)
{
	char *const *options = w->b->arguments + w->b->n_arguments;

	for (unsigned int i = 0; w->has_options && i < w->b->n_options; i++)
		if (!(w->known >> (i % 64) & 1))
			return tell_options(w, strcmp(options[i], "--help") ? options[i] : NULL);
	return 0;
}
