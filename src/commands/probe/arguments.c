// SPDX-License-Identifier: GPL-2.0
/*
 * Fetch arguments in words that the kernel at hand knows. The user writes those of the newest:
 *
 *	$argN, argN	before 4.20, and in user space, the register or the place on the stack; of
 *			a system call whose function is handed a pt_regs, what is in there
 *	ustring, +u8()	before 5.3 string and +8(), where that reads user memory as well
 *	x32		before 4.8 u32
 *
 * All else is the kernel's own to judge.
 */
#include "src/commands/probe/kept.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/resolve/argument.h"

#define NAME_MOST 31			/* letters of an argument's name */
#define FETCH_MOST 512
#define DEPTH_MOST 16
#define ARGUMENTS_MOST 128

struct translation {
	struct kernel *k;
	const struct kept_place *place;
	const char *text;		/* of the argument, for errors */
	char base[NAME_MOST + 1];	/* what a name may be made of; empty: nothing */
	unsigned int depth;
	unsigned int shift;		/* of a number shorter than its register, big-endian */
	bool narrow;			/* it is on the stack of a 32-bit program */
	char *note;
	size_t note_size;
	struct error *err;
};

static int wrong(const struct translation *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int wrong(const struct translation *t, const char *format, ...)
{
	char why[400];
	va_list args;

	va_start(args, format);
	text_vcut(why, sizeof(why), format, args);
	va_end(args);
	return fail(t->err, "'%s': %s", t->text, why);
}

static const struct arch *arch_of(const struct translation *t)
{
	return kernel_arch(t->k);
}

/* ---- where arguments are ---- */

/* The kernel keeps arguments for returns since 6.9. */
static bool keeps_arguments(const struct translation *t)
{
	const char *readme = kernel_text(t->k, "tracefs:README");
	const char *line = readme ? strstr(readme, "return probes support:") : NULL;
	const char *arg = line ? strstr(line, "$arg") : NULL;

	return !t->place->abi && arg && arg < line + strcspn(line, "\n");
}

static int not_known(const struct translation *t, int n)
{
	return wrong(t, "sonde does not know where functions of this machine have argument %d; "
			"name a register or $stackN", n);
}

static int in_call(struct translation *t, int n, char *to, size_t size)
{
	char regs[64];

	if (n > ARCH_SYSCALL_ARGS)
		return wrong(t, "a system call has no more than %d arguments", ARCH_SYSCALL_ARGS);
	if (argument_of_kernel(t->k, 1, regs, sizeof(regs)))
		return not_known(t, 1);
	text_cut(to, size, "+%u(%s)", t->place->call.arguments[n - 1] + (t->depth ? 0 : t->shift),
		 regs);
	return 0;
}

static int argument(struct translation *t, int n, char *to, size_t size)
{
	const struct kept_place *place = t->place;

	if (place->returns && !keeps_arguments(t))
		return wrong(t, "arguments are gone when a function returns%s",
			     place->abi ? "" : "; the kernel keeps them since 6.9");
	if (place->offset)
		return wrong(t, "$arg%d is known at the function's beginning only; name a "
				"register, as %%%s", n, arch_of(t)->args[0].name);
	if (place->is_call && place->call.wrapped)
		return in_call(t, n, to, size);
	if (place->abi) {
		t->narrow = place->abi->narrow;
		return argument_of_user(arch_of(t), place->abi, n, to, size) ?
			not_known(t, n) : 0;
	}
	return argument_of_kernel(t->k, n, to, size) ? not_known(t, n) : 0;
}

/* "$arg2", "arg2": 2; 0: it is not an argument. */
static int argument_number(const char *text)
{
	char *end;
	long n;

	text += *text == '$';
	if (strncmp(text, "arg", 3) || !isdigit((unsigned char)text[3]))
		return 0;
	n = strtol(text + 3, &end, 10);
	return !*end && n > 0 && n < 1000 ? (int)n : 0;
}

static int base(struct translation *t, const char *text, char *to, size_t size)
{
	const int n = argument_number(text);
	const bool retval = !strcmp(text, "$retval") || !strcmp(text, "retval");

	if (!*text)
		return wrong(t, "the value to read is missing");
	if (n)
		snprintf(t->base, sizeof(t->base), "arg%d", n);
	else if (retval)
		snprintf(t->base, sizeof(t->base), "retval");
	else if (*text == '%' && strlen(text) <= NAME_MOST)
		text_all(t->base, sizeof(t->base), "%.*s", NAME_MOST, text + 1);
	if (n)
		return argument(t, n, to, size);
	if (retval && !t->place->returns)
		return wrong(t, "there is no $retval before the function returns; put %%return "
				"behind its name");
	if ((size_t)snprintf(to, size, "%s", retval ? "$retval" : text) >= size)
		return wrong(t, "it is too long");
	return 0;
}

/* ---- memory ---- */

/* May user memory be read as if it were the kernel's? */
static int as_kernel_memory(struct translation *t, const char *what)
{
	if (t->place->abi)
		return 0;		/* all memory is of user space there */
	if (!arch_of(t)->shared_addresses)
		return wrong(t, "probes of this kernel can't read user memory (%s, since 5.3)",
			     what);
	if (!strstr(t->note, "this kernel has no")) {
		const size_t n = strlen(t->note);
		struct strbuf more = strbuf_over(t->note + n, t->note_size - n);

		strbuf_addf(&more, "%sthis kernel has no %s: a string that is not in memory "
			    "looks empty", n ? "\n" : "", what);
	}
	return 0;
}

static bool has_user(const struct translation *t)
{
	return !t->place->abi && kernel_has(t->k, FEATURE_FETCH_USTRING);
}

/* +OFFSET(FETCH), +uOFFSET(FETCH), or what it begins with. `text` is changed. */
static int fetch(struct translation *t, char *text, char *to, size_t size)
{
	char inner[FETCH_MOST], *at = text + 1, *open, *end = text + strlen(text) - 1;
	bool user;

	if (*text != '+' && *text != '-')
		return base(t, text, to, size);
	user = *at == 'u';
	at += user;
	open = strchr(at, '(');
	if (!open || open == at || *end != ')' || at[strspn(at, "0123456789abcdefABCDEFxX")] != '(')
		return wrong(t, "memory is +OFFSET(ADDRESS), as +0($arg2)");
	if (++t->depth > DEPTH_MOST)
		return wrong(t, "it has too many pairs of parentheses");
	*open = *end = '\0';
	if (user && !has_user(t) && as_kernel_memory(t, "+uOFFSET()"))
		return -1;
	if (fetch(t, open + 1, inner, sizeof(inner)))
		return -1;
	if ((size_t)snprintf(to, size, "%c%s%s(%s)", *text, user && has_user(t) ? "u" : "", at,
			     inner) >= size)
		return wrong(t, "it is too long");
	return 0;
}

/* ---- types ---- */

static unsigned int bytes_of(const char *type)
{
	return *type && strchr("usx", *type) && isdigit((unsigned char)type[1]) ?
		(unsigned int)strtoul(type + 1, NULL, 10) / 8 : 0;
}

static int text_type(struct translation *t, const char *type, char *to, size_t size)
{
	const bool user = *type == 'u';

	if (!kernel_has(t->k, FEATURE_FETCH_STRING))
		return wrong(t, "this kernel has no strings in probes (type string)");
	if (user && !has_user(t) && as_kernel_memory(t, "ustring"))
		return -1;
	text_cut(to, size, ":%s%s", user && has_user(t) ? "u" : "", user ? type + 1 : type);
	return 0;
}

/* `type`: behind the colon; NULL: none. */
static int translate_type(struct translation *t, const char *type, char *to, size_t size)
{
	const char *readme = kernel_text(t->k, "tracefs:README");

	*to = '\0';
	if (!type)
		return t->narrow ? snprintf(to, size, ":u32") < 0 : 0;
	if (!*type || strlen(type) >= size - 1)
		return wrong(t, "a type is wanted behind ':', as u32, s64, string or ustring");
	if (strchr(type, '[') && !kernel_has(t->k, FEATURE_FETCH_ARRAY))
		return wrong(t, "this kernel has no arrays in probes (since 4.20)");
	if (!strncmp(type, "string", 6) || !strncmp(type, "ustring", 7))
		return text_type(t, type, to, size);
	text_cut(to, size, ":%s", type);
	if (*type == 'x' && !(readme && strstr(readme, "x8/16")))
		to[1] = 'u';
	return 0;
}

/* ---- an argument ---- */

static bool is_word(const char *s, size_t n)
{
	if (!n || isdigit((unsigned char)*s))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	return true;
}

static int check_name(const struct translation *t, const char *name)
{
	static const char *const taken[] = {
		"common_type", "common_flags", "common_preempt_count", "common_pid", "common_tgid",
		"__probe_ip", "__probe_func", "__probe_ret_ip",
	};

	if (!*name)
		return wrong(t, "it needs a name: NAME=%s", t->text);
	if (strlen(name) > NAME_MOST)
		return wrong(t, "its name is too long: the kernel takes %d characters", NAME_MOST);
	if (!is_word(name, strlen(name)))
		return wrong(t, "'%s' is no name: letters, digits and _ are wanted, and no digit "
				"first", name);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (!strcmp(name, taken[i]))
			return wrong(t, "all events have a field %s already", name);
	return 0;
}

/* What this kernel's uprobes can't read. */
static int check_memory(const struct translation *t, const char *fetched)
{
	if (!t->place->abi)
		return 0;
	if (t->narrow && t->depth)
		return wrong(t, "probes can't follow 32-bit programs' pointers");
	if ((strchr("+-@$", *fetched)) && !kernel_has(t->k, FEATURE_UPROBE_FETCH))
		return wrong(t, "probes of this kernel read registers of programs alone, no memory "
				"and no $retval");
	return 0;
}

/* The type's colon is behind all parentheses; an address may have one of its own. */
static char *take_type(char *text)
{
	char *close = strrchr(text, ')'), *colon = strrchr(text, ':');

	if (!colon || *text == '\\' || (close && colon < close) || (*text == '@' && !colon[1]))
		return NULL;
	*colon = '\0';
	return colon + 1;
}

/* Adds " NAME=FETCH:TYPE" to the list; `word` is changed. */
static int translate(struct translation *t, char *word, char **list)
{
	char *equals = strchr(word, '='), *type, fetched[FETCH_MOST], typed[40], *more;
	const char *name = NULL;

	if (*word == '=')
		return wrong(t, "its name is missing");
	if (equals && (size_t)(equals - word) <= strcspn(word, "+-%$@\\(")) {
		*equals = '\0';
		name = word;
		word = equals + 1;
	}
	type = take_type(word);
	if (arch_of(t)->big_endian && type && bytes_of(type) && bytes_of(type) < arch_of(t)->word)
		t->shift = arch_of(t)->word - bytes_of(type);
	if (fetch(t, word, fetched, sizeof(fetched)) ||
	    translate_type(t, type, typed, sizeof(typed)) || check_memory(t, fetched))
		return -1;
	if (!name)
		name = t->depth ? "" : t->base;
	if (check_name(t, name))
		return -1;
	if (asprintf(&more, "%s %s=%s%s", *list, name, fetched, typed) < 0)
		return fail(t->err, "out of memory");
	free(*list);
	*list = more;
	return 0;
}

/* Two of one name: the kernel says no more than that something is wrong. */
static int check_twice(const char *list, struct error *err)
{
	for (const char *a = list; (a = strchr(a, ' ')); a++) {
		const size_t n = strcspn(a, "=") + 1;

		for (const char *b = a + 1; (b = strchr(b, ' ')); b++)
			if (!strncmp(a, b, n))
				return fail(err, "two arguments have the name '%.*s'", (int)n - 2,
					    a + 1);
	}
	return 0;
}

char *kept_arguments(struct kernel *k, const struct kept_place *place, const char *text,
		     char *note, size_t size, struct error *err)
{
	char *copy = strdup(text), *rest, *list = strdup("");
	unsigned int n = 0;
	int result = copy && list ? 0 : fail(err, "out of memory");

	for (char *word = result ? NULL : strtok_r(copy, " \t\n", &rest); word && !result;
	     word = strtok_r(NULL, " \t\n", &rest)) {
		char *original = strdup(word);
		struct translation t = { .k = k, .place = place, .text = original, .err = err,
					 .note = note, .note_size = size };

		result = !original ? fail(err, "out of memory") :
			 ++n > ARGUMENTS_MOST ?
			 fail(err, "more than %d arguments: the kernel takes no more",
			      ARGUMENTS_MOST) :
			 translate(&t, word, &list);
		free(original);
	}
	if (!result)
		result = check_twice(list, err);
	free(copy);
	if (!result)
		return list;
	free(list);
	return NULL;
}
