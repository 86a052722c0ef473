// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/functions/named.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/options/common.h"

static int on_hooks(struct named *n, const struct program_set *set)
{
	const struct patterns *p = &n->patterns;
	unsigned int count = 0, kept = 0;

	while (set->programs[count].hook)
		count++;
	n->programs = calloc(count + 1, sizeof(*n->programs));
	if (!n->programs)
		return -1;
	for (unsigned int i = 0; i < count; i++) {
		struct program *to = &n->programs[kept];

		*to = set->programs[i];
		if (!strcmp(to->hook, "function.hit"))
			to->built = p->hook;
		else if (!strcmp(to->hook, "function.return"))
			to->built = p->returns;
		/* Tracepoints do not return. */
		kept += to->built || hook_by_name(to->hook);
	}
	n->programs[kept] = (struct program){ };
	n->set = (struct program_set){ n->programs, set->maps };
	return 0;
}

/* The name in a pattern, behind its file. */
static const char *name_in(const char *pattern, size_t length)
{
	const char *colon = memrchr(pattern, ':', length);

	return colon ? colon + 1 : pattern;
}

/* Writes a name, or a pattern with a shell's letters, as a regular expression. */
static char *put_expression(char *to, const char *name, const char *end, bool regex)
{
	for (; name < end; name++) {
		if (regex || !strchr(".*+?()|^$\\{}", *name)) {
			*to++ = *name;
			continue;
		}
		*to++ = strchr("*?", *name) ? '.' : '\\';
		if (*name != '?')
			*to++ = *name;
	}
	return to;
}

/* Makes one pattern of those that the user wrote, one a line: FILE:(NAME|NAME)$. */
static int join_patterns(struct named *n, bool regex, struct error *err)
{
	const char *all = n->text, *first = name_in(all, strcspn(all, "\n"));
	const size_t file = (size_t)(first - all);
	char *to = malloc(2 * strlen(all) + 4);

	if (!to)
		return fail(err, "out of memory");
	n->text = n->several = to;
	to = mempcpy(to, all, file);
	*to++ = '(';
	for (const char *at = all; ; at++) {
		const size_t length = strcspn(at, "\n");
		const char *name = name_in(at, length);

		if ((size_t)(name - at) != file || memcmp(at, all, file))
			return fail(err, "one run traces functions of one library or program, or "
				    "of the kernel, and not both '%.*s' and '%.*s'",
				    (int)strcspn(all, "\n"), all, (int)length, at);
		to = put_expression(to, name, at + length, regex);
		at += length;
		*to++ = '|';
		if (!*at)
			break;
	}
	strcpy(to - 1, ")$");
	return 0;
}

/* Each of the patterns that were joined has to match something. */
static int check_each(const struct named *n, const char *all, bool regex, struct error *err)
{
	for (const char *at = all; ; at++) {
		const size_t length = strcspn(at, "\n");
		char *one = strndup(at, length);
		struct pattern p;
		unsigned int i = 0;

		if (!one || pattern_parse(&p, one, regex, err)) {
			free(one);
			return one ? -1 : fail(err, "out of memory");
		}
		while (i < n->patterns.n && !pattern_matches(&p, n->patterns.names[i]))
			i++;
		if (i == n->patterns.n)
			fail(err, "no function matches '%s'", one);
		pattern_free(&p);
		free(one);
		if (i == n->patterns.n)
			return -1;
		at += length;
		if (!*at)
			return 0;
	}
}

static int find(struct run *r, struct named *n, struct error *err)
{
	const char *all = n->text, *several = strchr(all, '\n');
	bool regex = common_of(run_options(r))->regexp;

	if (several && join_patterns(n, regex, err))
		return -1;
	if (patterns_find(run_kernel(r), n->text, regex || several, true, &n->patterns, err))
		return -1;
	return several ? check_each(n, all, regex, err) : 0;
}

int named_prepare(struct run *r, struct named *n, const struct program_set *set, struct error *err)
{
	struct error why = { };

	n->text = common_of(run_options(r))->pattern;
	if (!n->text)
		return fail(err, "%s: it needs a PATTERN to trace\n"
			    "`sonde help %s` lists its options", run_name(r), run_name(r));
	if (find(r, n, &why)) {
		run_unfit(r);
		return fail_with(err, why.number, "%s: %s", run_name(r), why.text);
	}
	if (on_hooks(n, set))
		return fail(err, "out of memory");
	run_constant(r, "user_space", named_in_user_space(n));
	run_programs(r, &n->set);
	return 0;
}

int named_calls(struct run *r, struct named *n, const struct program_set *set, struct error *err)
{
	if (named_prepare(r, n, set, err))
		return -1;
	if (n->patterns.pattern.kind == PATTERN_TRACEPOINT)
		return fail(err, "%s: '%s' names tracepoints: only functions take time",
			    run_name(r), n->text);
	if (n->patterns.pattern.kind == PATTERN_USDT)
		return fail(err, "%s: '%s' names a probe (USDT): only functions take time",
			    run_name(r), n->text);
	if (n->patterns.pattern.returns)
		return fail(err, "%s: '%s' names returns: it sees calls and their returns; name "
			    "the function", run_name(r), n->text);
	return 0;
}

int named_graph(struct run *r, struct named *n, const struct program_set *set, uint32_t depth,
		bool awake, struct error *err)
{
	if (named_calls(r, n, set, err))
		return -1;
	if (named_in_user_space(n))
		return fail(err, "%s: '%s' names functions of user space, and the kernel's "
			    "function graph tracer sees its own\nfunccount and trace take them",
			    run_name(r), n->text);
	return patterns_graph(&n->patterns, depth, awake) ? fail(err, "out of memory") : 0;
}

void named_free(struct named *n)
{
	patterns_free(&n->patterns);
	free(n->several);
	n->several = NULL;
	free(n->programs);
	n->programs = NULL;
}

void named_cleanup(struct run *r)
{
	named_free(run_state(r));
}

void named_banner(struct run *r, const struct named *n, const char *doing)
{
	unsigned int traced = patterns_traced(r, &n->patterns);

	output_line(run_output(r), "%s %u %s for \"%s\"... Hit Ctrl-C to end.", doing, traced,
		    patterns_what(&n->patterns, traced), n->text);
}

void named_notes(struct run *r, const struct named *n)
{
	patterns_traced(r, &n->patterns);
}

const char *named_name(const struct named *n, uint64_t number)
{
	return number < n->patterns.n ? n->patterns.names[number] : "?";
}

struct text named_text(const struct named *n, uint64_t number)
{
	const char *name = named_name(n, number);

	return (struct text){ .s = name, .length = (uint32_t)strlen(name) };
}

bool named_in_user_space(const struct named *n)
{
	return n->patterns.pattern.file != NULL;
}
