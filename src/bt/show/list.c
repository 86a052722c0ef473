// SPDX-License-Identifier: GPL-2.0
/* -l: the probes that there are, as scripts name them. */
#include "src/bt/show/list.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/arch/arch.h"
#include "compat/base/escape.h"
#include "compat/base/text.h"
#include "compat/expressions/expression.h"
#include "compat/kinds/kinds.h"
#include "compat/listing/listing.h"
#include "compat/types/iterators.h"
#include "src/bt/run/items.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"
#include "src/lib/output/sink.h"

/* As a file: all that the processes of -p have mapped. */
static const char any_file[] = "*";

/* What is listed: the names of one provider, of the kernel or of a file. */
struct lister {
	struct kernel *kernel;
	const char *provider;
	const char *file;
	struct expression *wanted;	/* of whole names, PROVIDER:NAME or PROVIDER:FILE:NAME */
	bool verbose;
	bool of_functions;		/* names are functions of the kernel */
	bool typed;
	struct expression *module;	/* of typed functions; NULL: any */
	struct types *types;
	char *last;			/* the name that was printed last */
	unsigned int n;			/* names that were found */
};

/* ---- names that every kernel has ---- */

static int add_word(struct listing *to, const struct wanted_names *w, const char *word)
{
	char text[40];

	text_cut(text, sizeof(text), "%s:", word);
	return !w->wanted(w->arg, text) ? 0 :
	       listing_add(to, &(struct listed){ }, text, strlen(text));
}

static int list_counters(const struct wanted_names *w, struct listing *to, bool hardware,
			 struct error *err)
{
	const struct counter *c;

	for (unsigned int i = 0; (c = counter_row(i)); i++)
		if (c->hardware == hardware &&
		    (add_word(to, w, c->name) || (c->alias && add_word(to, w, c->alias))))
			return fail(err, "out of memory");
	listing_sort(to);
	return 0;
}

static int list_software(struct kernel *k, const struct wanted_names *w, struct listing *to,
			 struct error *err)
{
	(void)k;
	return list_counters(w, to, false, err);
}

static int list_hardware(struct kernel *k, const struct wanted_names *w, struct listing *to,
			 struct error *err)
{
	(void)k;
	return list_counters(w, to, true, err);
}

static int list_units(struct kernel *k, const struct wanted_names *w, struct listing *to,
		      struct error *err)
{
	static const char *const units[] = { "hz", "ms", "s", "us" };

	(void)k;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (add_word(to, w, units[i]))
			return fail(err, "out of memory");
	return 0;
}

/* What is listed, by whose wishes. */
struct walks {
	const struct wanted_names *w;
	struct listing *to;
};

static int add_walk(void *arg, const char *name)
{
	const struct walks *l = arg;

	return l->w->wanted(l->w->arg, name) ?
	       listing_add(l->to, &(struct listed){ }, name, strlen(name)) : 0;
}

static int list_walks(struct kernel *k, const struct wanted_names *w, struct listing *to,
		      struct error *err)
{
	struct walks l = { w, to };
	int result = kernel_iterators(k, add_walk, &l);

	for (unsigned int i = 0; !result && i < BT_WALKS; i++)
		result = add_walk(&l, bt_walk_names[i]);
	listing_sort(to);
	return result ? fail(err, "out of memory") : 0;
}

/* ---- raw tracepoints, which are named without their system ---- */

static bool wanted_event(void *arg, const char *name)
{
	const struct wanted_names *w = arg;
	const char *colon = strchr(name, ':');

	return colon && w->wanted(w->arg, colon + 1);
}

static int list_raw(struct kernel *k, const struct wanted_names *w, struct listing *to,
		    struct error *err)
{
	const struct wanted_names events = { wanted_event, (void *)w, NULL };
	const int result = list_tracepoints(k, &events, to, err);

	for (unsigned int i = 0; !result && i < to->n; i++) {
		char *name = to->list[i].name;

		memmove(name, strchr(name, ':') + 1, strlen(strchr(name, ':')));
	}
	listing_sort(to);
	return result;
}

/* ---- providers ---- */

typedef int list_fn(struct kernel *k, const struct wanted_names *w, struct listing *to,
		    struct error *err);

static const struct provider {
	const char *name, *alias;
	list_fn *functions;
	int (*in_file)(struct kernel *k, const char *file, const struct wanted_names *w,
		       struct listing *to, struct error *err);
	bool plain;			/* listed if no provider is named */
	bool typed;			/* functions are named with their module */
	const char *own;		/* the pattern of all that a process has */
} providers[] = {
	{ "kprobe", "k", list_kernel_functions, NULL, true },
	{ "kretprobe", "kr", list_kernel_functions, NULL },
	{ "fentry", "f", list_kernel_functions, NULL, true, .typed = true },
	{ "fexit", "fr", list_kernel_functions, NULL, .typed = true },
	{ "tracepoint", "t", list_tracepoints, NULL, true },
	{ "rawtracepoint", "rt", list_raw, NULL, true },
	{ "uprobe", "u", NULL, list_user_functions, .own = "uprobe:*" },
	{ "uretprobe", "ur", NULL, list_user_functions },
	{ "usdt", "U", NULL, list_usdt, .own = "usdt:*" },
	{ "software", "s", list_software, NULL, true },
	{ "hardware", "h", list_hardware, NULL, true },
	{ "interval", "i", list_units, NULL, true },
	{ "profile", "p", list_units, NULL, true },
	{ "iter", "it", list_walks, NULL, true },
};
#define PROVIDERS (sizeof(providers) / sizeof(providers[0]))

static char *whole_name(const struct lister *l, const char *file, const char *name)
{
	char *whole;

	return asprintf(&whole, "%s:%s%s%s", l->provider, file ? file : "", file ? ":" : "",
			name) < 0 ? NULL : whole;
}

static bool wanted(void *arg, const char *name)
{
	const struct lister *l = arg;
	char *whole = whole_name(l, l->file, name);
	const bool is = whole && expression_matches(l->wanted, whole);

	free(whole);
	return is;
}

/* The fields, as the kernel's format has them. */
static void put_fields(const struct lister *l, const char *name)
{
	const struct format *format = kernel_format_named(l->kernel, name);

	for (unsigned int i = 0; format && i < format->n_fields; i++) {
		const struct field *f = &format->fields[i];
		const bool letters = !strcmp(f->type, "char");

		if (!strncmp(f->name, "common_", 7))
			continue;
		fprintf(sink_out(), "    %s%s", f->is_data_loc ? "__data_loc " : "", f->type);
		if (f->is_data_loc)
			fputs("[]", sink_out());
		fprintf(sink_out(), " %s", f->name);
		if (f->is_array && !f->is_data_loc && letters)
			fprintf(sink_out(), "[%u]", f->size);
		else if (f->is_array && !f->is_data_loc)
			fputs("[]", sink_out());
		fputc('\n', sink_out());
	}
}

/* Arguments and result of a function, by the kernel's type information. */
static void put_arguments(const struct lister *l, const char *name)
{
	struct parameter list[PARAMETERS_MOST];
	struct c_type result;
	char text[100];
	const int n = types_function(l->types, name, list, &result);
	const unsigned int word = kernel_arch(l->kernel)->word;

	for (int i = 0; i < n; i++) {
		c_type_text(&list[i].type, word, text, sizeof(text));
		fprintf(sink_out(), "    %s %s\n", text, list[i].name);
	}
	if (n < 0 || strcmp(l->provider, "fexit"))
		return;
	c_type_text(&result, word, text, sizeof(text));
	fprintf(sink_out(), "    %s retval\n", text);
}

/* What ctx has, by the kernel's type information, or by /proc. */
static void put_items(const struct lister *l, const char *name)
{
	char function[ITERATOR_NAME];
	struct parameter list[PARAMETERS_MOST];
	struct c_type result;
	const struct bt_member *m;
	unsigned int walk = 0;

	text_all(function, sizeof(function), ITERATOR_FUNCTION "%s", name);
	if (types_function(l->types, function, list, &result) > 0) {
		put_arguments(l, function);
		return;
	}
	while (walk < BT_WALKS && strcmp(bt_walk_names[walk], name))
		walk++;
	for (unsigned int i = 0; walk < BT_WALKS && (m = bt_member_row(i)); i++)
		if (m->walks & 1 << walk)
			fprintf(sink_out(), "    %s\n", m->name);
}

static void put(struct lister *l, const struct listed *one)
{
	const char *module = one->module ? one->module : "vmlinux", *file = l->file;
	char *name = NULL, *whole;

	if (one->why || one->gone)
		return;
	if (l->module && !expression_matches(l->module, module))
		return;
	if ((one->arguments || l->typed) &&
	    asprintf(&name, "%s:%s", l->typed ? module : one->module, one->name) < 0)
		name = NULL;
	if (one->binary && !strcmp(file, any_file))
		file = one->binary->path;
	whole = whole_name(l, file, name ? name : one->name);
	if (whole && (!l->last || strcmp(l->last, whole))) {
		escape_text(sink_out(), whole, strlen(whole));
		fputc('\n', sink_out());
		l->n++;
		if (l->verbose && !strcmp(l->provider, "tracepoint"))
			put_fields(l, one->name);
		else if (l->verbose && !strcmp(l->provider, "iter"))
			put_items(l, one->name);
		else if (l->verbose && l->of_functions)
			put_arguments(l, one->name);
	}
	free(l->last);
	l->last = whole;
	free(name);
}

static int list_provider(struct lister *l, const struct provider *p, struct error *err)
{
	const struct wanted_names w = { wanted, l, NULL };
	struct listing found = { };
	int result = p->functions ? p->functions(l->kernel, &w, &found, err) :
		     p->in_file(l->kernel, l->file, &w, &found, err);

	for (unsigned int i = 0; !result && i < found.n; i++)
		put(l, &found.list[i]);
	free(l->last);
	l->last = NULL;
	listing_free(&found);
	return result;
}

/* ---- the pattern ---- */

static bool matches(const char *pattern, size_t length, const char *name)
{
	size_t i = 0;

	while (i < length && tolower((unsigned char)pattern[i]) == name[i])
		i++;
	return i == length && !name[i];
}

static bool matches_glob(const char *pattern, size_t length, const char *name)
{
	char *glob = memchr(pattern, '*', length) ? strndup(pattern, length) : NULL;
	struct error unread;
	struct expression *e = glob ? expression_of_glob(glob, &unread) : NULL;
	const bool result = e && expression_matches(e, name);

	expression_free(e);
	free(glob);
	return result;
}

/* The pattern of whole names: k:vfs_* is kprobe:vfs_*, *vfs* is what any name may have. */
static char *whole_pattern(const struct provider *p, const char *pattern)
{
	const char *colon = strchr(pattern, ':');
	const size_t length = colon ? (size_t)(colon - pattern) : 0;
	char *whole;

	if (!colon)
		return strdup(pattern);
	if (!matches(pattern, length, p->name) && (length != strlen(p->alias) ||
						   memcmp(pattern, p->alias, length)) &&
	    !matches_glob(pattern, length, p->name))
		return NULL;
	/* t:*foo* is of any system */
	return asprintf(&whole, "%s:%s%s", p->name,
			p->functions == list_tracepoints && !strchr(colon + 1, ':') ? "*:" : "",
			colon + 1) < 0 ? NULL : whole;
}

/* The file of u:FILE:NAME; NULL: none is named. */
static char *file_of(const char *pattern)
{
	const char *begin = strchr(pattern, ':'), *end = begin ? strchr(begin + 1, ':') : NULL;

	if (begin && !strcmp(begin + 1, any_file))
		return strdup(any_file);
	return end && end > begin + 1 ? strndup(begin + 1, (size_t)(end - begin - 1)) : NULL;
}

/* Takes MODULE out of fentry:MODULE:NAME. Returns -1 and sets err if it is no pattern. */
static int take_module(struct lister *l, char *whole, struct error *err)
{
	char *module = strchr(whole, ':'), *name = module ? strchr(module + 1, ':') : NULL;

	if (!name)
		return 0;
	*name = '\0';
	l->module = expression_of_glob(module + 1, err);
	memmove(module + 1, name + 1, strlen(name + 1) + 1);
	return l->module ? 0 : -1;
}

/* Without a pattern only calls and tracepoints: returns have the same names. */
static int list_one(struct lister *l, const struct provider *p, const char *pattern,
		    struct error *err)
{
	const bool colon = strchr(pattern, ':') != NULL;
	char *file = p->in_file ? file_of(pattern) : NULL, *whole = whole_pattern(p, pattern);
	const bool listed = whole && (!p->in_file || file) && (colon || p->plain) &&
			    (colon || !p->typed || types_has_btf(l->types));
	int result = 0;

	l->typed = p->typed;
	if (listed && p->typed && take_module(l, whole, err))
		result = -1;
	l->provider = p->name;
	l->of_functions = p->functions == list_kernel_functions;
	l->file = file;
	l->wanted = listed && !result ? expression_of_glob(whole, err) : NULL;
	if (l->wanted)
		result = list_provider(l, p, err);
	else if (listed)
		result = -1;
	expression_free(l->wanted);
	expression_free(l->module);
	l->module = NULL;
	free(whole);
	free(file);
	return result;
}

/* `struct NAME`: with -v its members, by the kernel's type information. */
static int list_struct(struct lister *l, const char *name, struct error *err)
{
	struct c_type type = { .base = C_STRUCT, .is_union = *name == 'u' };
	const unsigned int word = kernel_arch(l->kernel)->word;
	struct member_place m;
	struct error why = { };
	size_t length;
	char text[100];
	const char *member;

	text_all(type.tag, sizeof(type.tag), "%s", strchr(name, ' ') + 1);
	if (types_complete(l->types, &type, false, &why))
		return fail(err, "bt: -l: %s", why.text);
	if (!l->verbose) {
		fprintf(sink_out(), "%s\n", name);
		return 0;
	}
	fprintf(sink_out(), "vmlinux: %s {\n", name);
	for (unsigned int i = 0; types_member_at(l->types, &type, i, &m, &member, &length); i++) {
		c_type_text(&m.type, word, text, sizeof(text));
		fprintf(sink_out(), "    %s %.*s", text, (int)length, member);
		if (m.width)
			fprintf(sink_out(), " : %u", m.width);
		fputs(";\n", sink_out());
	}
	fputs("};\n", sink_out());
	return 0;
}

static int list_pattern(struct lister *l, const char *pattern, struct error *err)
{
	const size_t end = strlen(pattern);
	const unsigned int before = l->n;
	struct error why = { };

	if (!strncmp(pattern, "struct ", 7) || !strncmp(pattern, "union ", 6))
		return list_struct(l, pattern, err);
	if (end > 3 && !strcmp(pattern + end - 3, ".bt"))
		fprintf(sink_err(), "WARNING: It appears that '%s' is a filename but the file does "
			"not exist. Treating '%s' as a search pattern.\n", pattern, pattern);
	for (size_t i = 0; i < PROVIDERS; i++)
		if (list_one(l, &providers[i], pattern, &why))
			return fail(err, "bt: -l: %s", why.text);
	return l->n > before ? 0 :
	       fail(err, "bt: -l: no probe matches '%s'; -l takes names as scripts have them: "
		    "'kprobe:vfs_*', 't:sched:*', 'u:libc:mall*'", pattern);
}

int bt_list(struct kernel *k, const char *patterns, bool verbose, struct error *err)
{
	struct lister l = { .kernel = k, .verbose = verbose, .types = types_new(k) };
	char *list = strdup(patterns ? patterns : "*"), *rest = list;
	int result = list && l.types ? 0 : fail(err, "out of memory");
	struct error none = { };

	for (char *one; !result && (one = strsep(&rest, ","));)
		result = list_pattern(&l, one, err);
	/* With -p the process's own, too. */
	for (size_t i = 0; !result && !patterns && i < PROVIDERS; i++)
		if (providers[i].own && list_one(&l, &providers[i], providers[i].own, &none))
			break;
	types_free(l.types);
	free(list);
	return result;
}
