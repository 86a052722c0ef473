// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/patterns/patterns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/kernel/doubt.h"
#include "compat/usdt/arguments.h"
#include "src/toolkit/patterns/found.h"

const char *patterns_what(const struct patterns *p, unsigned int n)
{
	if (p->pattern.kind == PATTERN_TRACEPOINT)
		return n == 1 ? "tracepoint" : "tracepoints";
	if (p->pattern.kind == PATTERN_USDT)
		return n == 1 ? "place of a probe (USDT)" : "places of probes (USDT)";
	return n == 1 ? "function" : "functions";
}

static int list(struct kernel *k, const struct pattern *p, const struct wanted_names *w,
		struct listing *to, struct error *err)
{
	switch (p->kind) {
	case PATTERN_USER:
		return list_user_functions(k, p->file, w, to, err);
	case PATTERN_TRACEPOINT:
		return list_tracepoints(k, w, to, err);
	case PATTERN_USDT:
		return list_usdt(k, p->file, w, to, err);
	case PATTERN_KERNEL:
		break;
	}
	return list_kernel_functions(k, w, to, err);
}

static int rename_pattern(struct patterns *p, const char *name, struct error *err)
{
	free(p->pattern.name);
	p->pattern.name = strdup(name);
	return p->pattern.name ? 0 : fail(err, "out of memory");
}

/* A function of the kernel may have another name on this kernel. */
static int follow_renamed(struct kernel *k, struct patterns *p, struct error *err)
{
	const char *now;

	if (p->pattern.kind != PATTERN_KERNEL || !p->pattern.one)
		return 0;
	p->row = renamed_row(p->pattern.name);
	now = p->row ? renamed_now(k, p->row) : NULL;
	if (!now)
		return 0;
	text_cut(p->renamed, sizeof(p->renamed), "%s() is %s() on this kernel", p->row->name, now);
	return rename_pattern(p, now, err);
}

static int list_pattern(struct kernel *k, struct patterns *p, struct error *err)
{
	struct wanted_names w = {
		pattern_matches, &p->pattern, p->pattern.one ? p->pattern.name : NULL,
	};
	struct listing *l = &p->found->listing;
	const char *symbol;

	if (list(k, &p->pattern, &w, l, err))
		return -1;
	if (l->n || p->pattern.kind != PATTERN_KERNEL || !p->pattern.one)
		return 0;
	/* The compiler may have made another symbol of the function: NAME.isra.0. */
	symbol = kernel_function(k, p->pattern.name);
	if (!symbol)
		return 0;
	if (rename_pattern(p, symbol, err))
		return -1;
	w.one = p->pattern.name;
	return list(k, &p->pattern, &w, l, err);
}

/* ---- nothing matches ---- */

static bool is_near(void *pattern, const char *name)
{
	const struct pattern *p = pattern;

	name = pattern_name(p, name);
	return name && pattern_distance(pattern, name) >= 0;
}

/* The pattern, with its plain letters replaced by the nearest name's; NULL: none is near. */
static char *nearest(struct kernel *k, struct pattern *p)
{
	const struct wanted_names w = { is_near, p, NULL };
	const char *rest = p->name + pattern_plain(p);
	struct listing near = { };
	struct error err = { };
	int best = -1, d;
	char *text = NULL;

	if (list(k, p, &w, &near, &err))
		near.n = 0;
	for (unsigned int i = 0; i < near.n; i++) {
		/* The first letter is rarely wrong. */
		d = 2 * pattern_distance(p, near.list[i].name) +
		    (near.list[i].name[0] != p->name[0]);
		if (near.list[i].why || (best >= 0 && d >= best))
			continue;
		best = d;
		free(text);
		if (asprintf(&text, "%.*s%s", p->one ? -1 : (int)pattern_plain(p),
			     near.list[i].name, rest) < 0)
			text = NULL;
	}
	listing_free(&near);
	return text;
}

static bool is_any(void *arg, const char *name)
{
	(void)arg, (void)name;
	return true;
}

static bool has_probes(struct kernel *k, const struct pattern *p)
{
	const struct wanted_names w = { is_any, NULL, NULL };
	struct listing all = { };
	struct error err = { };
	bool found = !list_usdt(k, p->file, &w, &all, &err) && all.n;

	listing_free(&all);
	return found;
}

static int no_match(struct kernel *k, struct patterns *p, struct error *err)
{
	struct pattern *of = &p->pattern;
	const char *what = of->kind == PATTERN_TRACEPOINT ? "tracepoint" :
			   of->kind == PATTERN_USDT ? "probe (USDT)" : "function",
		   *in = of->file ? " of " : " of the kernel",
		   *file = !of->file ? "" : strcmp(of->file, "*") ? of->file : "the processes";
	const char *unread = of->file ? kernel_binaries_left_out(k) : NULL;
	struct error doubt = { };
	char *near;

	if (!unread && kernel_doubted(k, &doubt))
		unread = doubt.text;
	if (unread && *unread)
		return fail_with(err, doubt.number, "no %s%s%s that could be read matches '%s'\n%s",
				 what, in, file, of->name, unread);
	if (p->n_left_out)
		return fail(err, "no %s%s%s that matches '%s' can be probed\n%s", what, in, file,
			    of->name, lines_text(&p->left_out));
	near = nearest(k, of);
	if (near && !strcmp(near, of->name))
		fail(err, "the %ss%s%s could not be read whole: try again", what, in, file);
	else if (near)
		fail(err, "no %s%s%s matches '%s'; did you mean '%s'?", what, in, file, of->name,
		     near);
	else if (of->kind == PATTERN_USDT)
		fail(err, "no probe (USDT) of %s matches '%s'\n%s", file, of->name,
		     has_probes(k, of) ? "`sonde tplist` lists its probes" :
		     "it was built without probes; name a function: LIBRARY:FUNCTION");
	else if (of->kind == PATTERN_USER)
		fail(err, "no function of %s matches '%s'\nthe file was built without the "
			  "function, or its symbols were removed", file, of->name);
	else
		fail(err, "no %s of the kernel matches '%s'\n%s", what, of->name,
		     of->kind == PATTERN_TRACEPOINT ? "its module may not be loaded" :
		     "its module may not be loaded; a function of a library or program is "
		     "LIBRARY:NAME");
	free(near);
	return -1;
}

/* ---- what was found ---- */

/* Why an entry can't be probed; NULL: it can. */
static const char *why_not(const struct listed *f)
{
	/* Several functions of one name are told apart by their addresses only. */
	return f->why || !f->shared || (f->traced && f->address) ? f->why :
	       "several functions have this name";
}

/* Drops the matches that can't be probed. */
static void leave_out(struct patterns *p)
{
	struct listing *l = &p->found->listing;
	unsigned int n = 0;

	for (unsigned int i = 0; i < l->n; i++) {
		const char *why = why_not(&l->list[i]);

		if (!why) {
			l->list[n++] = l->list[i];
			continue;
		}
		if (!l->list[i].gone || p->pattern.one) {
			p->n_left_out++;
			lines_add(&p->left_out, "%s: %s", l->list[i].name, why);
		}
		listed_free(&l->list[i]);
	}
	l->n = n;
}

/* Probes (USDT) that several providers have get names with their providers. */
static int tell_apart(struct listing *l)
{
	unsigned int end;
	char *whole;

	for (unsigned int i = 0; i < l->n; i = end) {
		for (end = i + 1; end < l->n && !strcmp(l->list[i].name, l->list[end].name);)
			end++;
		if (!strcmp(l->list[i].module, l->list[end - 1].module))
			continue;
		for (unsigned int n = i; n < end; n++) {
			if (asprintf(&whole, "%s:%s", l->list[n].module, l->list[n].name) < 0)
				return -1;
			free(l->list[n].name);
			l->list[n].name = whole;
		}
	}
	return 0;
}

/* A name has one number, however many functions have it: the listing is sorted by names. */
static int number(struct patterns *p)
{
	struct found *f = p->found;
	const struct listing *l = &f->listing;

	p->names = calloc(l->n + 1, sizeof(*p->names));
	f->numbers = calloc(l->n + 1, sizeof(*f->numbers));
	f->inputs = calloc(l->n + 1, sizeof(*f->inputs));
	if (!p->names || !f->numbers || !f->inputs)
		return -1;
	for (unsigned int i = 0; i < l->n; i++) {
		if (!i || strcmp(l->list[i].name, l->list[i - 1].name)) {
			snprintf(f->inputs[p->n], sizeof(f->inputs[p->n]), "function=%u", p->n);
			p->names[p->n++] = l->list[i].name;
		}
		f->numbers[i] = p->n - 1;
	}
	return 0;
}

static int make_places(struct found *f)
{
	const struct listing *l = &f->listing;

	f->places = calloc(l->n, sizeof(*f->places));
	for (unsigned int i = 0; f->places && i < l->n; i++)
		f->places[i] = (struct place){
			.binary = l->list[i].binary, .symbol = l->list[i].name,
			.address = l->list[i].address,
			.arguments = l->list[i].arguments, .provider = l->list[i].module,
			.semaphore = l->list[i].semaphore,
		};
	return f->places ? 0 : -1;
}

int patterns_find(struct kernel *k, const char *text, bool regex, bool typed, struct patterns *p,
		  struct error *err)
{
	*p = (struct patterns){ .typed = typed };
	if (pattern_parse(&p->pattern, text, regex, err))
		return -1;
	p->found = calloc(1, sizeof(*p->found));
	if (!p->found)
		return fail(err, "out of memory");
	if (follow_renamed(k, p, err) || list_pattern(k, p, err))
		return -1;
	leave_out(p);
	if (!p->found->listing.n)
		return no_match(k, p, err);
	if ((p->pattern.kind == PATTERN_USDT && tell_apart(&p->found->listing)) || number(p) ||
	    (p->pattern.file && make_places(p->found)) || patterns_hooks(p))
		return fail(err, "out of memory");
	return 0;
}

unsigned int patterns_word(struct kernel *k, const struct patterns *p)
{
	const struct listing *l = &p->found->listing;

	if (!p->pattern.file)
		return kernel_arch(k)->word;
	for (unsigned int i = 1; i < l->n; i++)
		if (l->list[i].binary->abi->word != l->list[0].binary->abi->word)
			return 0;
	return l->list[0].binary->abi->word;
}

static void found_free(struct found *f)
{
	if (!f)
		return;
	patterns_hooks_free(f);
	free(f->numbers);
	free(f->inputs);
	listing_free(&f->listing);
	free(f->places);
	free(f);
}

int patterns_keep(struct kernel *k, struct patterns *p, unsigned int word, struct error *err)
{
	struct found *all = p->found, *kept = calloc(1, sizeof(*kept));
	struct listing *l = &all->listing;
	unsigned int n = 0;

	if (!kept)
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < l->n; i++) {
		if (l->list[i].binary->abi->word == word) {
			l->list[n++] = l->list[i];
			continue;
		}
		kernel_leave_out(k, l->list[i].binary, "32-bit programs have other types: name the "
						       "file in a probe of its own");
		listed_free(&l->list[i]);
	}
	l->n = n;
	kept->listing = *l;
	*l = (struct listing){ };
	found_free(all);
	free(p->names);
	p->names = NULL;
	p->n = 0;
	p->found = kept;
	return number(p) || make_places(kept) || patterns_hooks(p) ?
	       fail(err, "out of memory") : 0;
}

bool patterns_argument(struct kernel *k, const struct patterns *p, unsigned int n,
		       unsigned int *size, bool *is_signed)
{
	const struct listing *l = &p->found->listing;
	const bool several = !patterns_word(k, p);
	bool found = false, mixed = false;

	for (unsigned int i = 0; i < l->n; i++) {
		const struct arch_abi *abi;
		unsigned int bytes;
		const char *operand;
		bool sign;

		if (!usdt_operand(l->list[i].arguments, n, &operand, &bytes, &sign))
			continue;
		abi = l->list[i].binary->abi;
		if (bytes != 1 && bytes != 2 && bytes != 4)
			bytes = bytes ? 8 : abi->word;
		/*
		 * An unsigned number as wide as a pointer may be an address. It gets the width of
		 * the other programs' addresses, so that it can be followed.
		 */
		if (several && abi->narrow && bytes == abi->word && !sign)
			bytes = 8;
		mixed |= found && sign != *is_signed;
		*size = found && *size > bytes ? *size : bytes;
		*is_signed = sign || (found && *is_signed);
		found = true;
	}
	/* A wider signed number has room for the narrower unsigned numbers. */
	if (mixed)
		*size = 8;
	return found;
}

void patterns_free(struct patterns *p)
{
	found_free(p->found);
	free(p->names);
	lines_free(&p->left_out);
	pattern_free(&p->pattern);
	*p = (struct patterns){ };
}
