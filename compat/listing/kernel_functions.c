// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of the kernel. kallsyms has all of them. The function tracer lists the functions that
 * it sees. The list of kprobes has the functions that can't be probed.
 */
#include "compat/listing/listing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/kernel/excerpt.h"
#include "compat/kernel/facts.h"
#include "compat/kernel/kallsyms.h"
#include "compat/kernel/look_up.h"

#define BLACKLIST "/sys/kernel/debug/kprobes/blacklist"
#define NAME_MOST 512			/* the kernel's own limit for names of symbols */

struct range {
	uint64_t from, to;
};

struct collecting {
	struct kernel *k;
	const struct wanted_names *w;
	struct listing *to;
	struct range init;		/* code that was freed when the system had booted */
	bool failed;
};

/*
 * Labels that are not functions: parts that are entered by jumps, bytes before functions, and calls
 * that the kernel rewrites.
 */
static bool is_label(const char *name, size_t length)
{
	static const char *const beginnings[] = { "__pfx_", "__cfi_", "__SCT__", "_kbl_addr_" };

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
			return true;
	return length > 5 && strstr(name, ".cold");
}

static void collect(struct collecting *c, const char *from, size_t length, uint64_t address,
		    const char *module, size_t module_length)
{
	struct listed one = { .address = address };
	char name[NAME_MOST];

	if (length >= sizeof(name))
		return;
	memcpy(name, from, length);
	name[length] = '\0';
	if (is_label(name, length) || !c->w->wanted(c->w->arg, name))
		return;
	if (module_length)
		one.module = strndup(module, module_length);
	if ((module_length && !one.module) || listing_add(c->to, &one, name, length)) {
		free(one.module);
		c->failed = true;
	}
}

static bool is_named(const struct kallsyms_line *l, const char *name)
{
	return l->length == strlen(name) && !memcmp(l->name, name, l->length);
}

static int collect_live(struct collecting *c, struct error *err)
{
	struct kallsyms_reader reader;
	struct kallsyms_line l;
	int got;

	if (kallsyms_open(&reader, NULL))
		return fail_with(err, errno, "can't read /proc/kallsyms: %m");
	while ((got = kallsyms_next(&reader, &l)) > 0 && !c->failed) {
		if (is_named(&l, "_sinittext"))
			c->init.from = l.address;
		else if (is_named(&l, "_einittext"))
			c->init.to = l.address;
		else if (kallsyms_is_code(&l) && !kallsyms_is_made(&l))
			collect(c, l.name, l.length, l.address, l.module, l.module_length);
	}
	kallsyms_close(&reader);
	return got < 0 ? fail_with(err, errno, "can't read /proc/kallsyms: %m") : 0;
}

/* Collects a whole name that means one function: the other functions need not be read. */
static bool collect_one(struct collecting *c)
{
	const char *name = c->w->one;
	struct listed one = { };

	if (!name || is_label(name, strlen(name)) ||
	    kernel_look_up(c->k, name, &one.address) != LOOK_UP_ONE)
		return false;
	c->failed = listing_add(c->to, &one, name, strlen(name));
	return true;
}

/* The same if all of kallsyms was read for functions that were expected. */
static bool collect_excerpt(struct collecting *c)
{
	const struct excerpt *x = c->w->one ? kernel_excerpt(c->k, c->w->one) : NULL;

	for (unsigned int i = 0; x && i < x->n; i++) {
		const struct excerpt_line *l = &x->lines[i];

		collect(c, l->name, strlen(l->name), l->address, l->module,
			l->module ? strlen(l->module) : 0);
	}
	if (x)
		c->init = (struct range){ x->init_from, x->init_to };
	return x;
}

static void collect_name(void *arg, char type, const char *name, size_t length)
{
	(void)type;
	collect(arg, name, length, 0, NULL, 0);
}

/* ---- functions that can't be probed ---- */

/* Reads lines "0xFROM-0xTO NAME". The caller frees. */
static unsigned int read_blacklist(struct kernel *k, struct range **ranges)
{
	const char *text = kernel_live(k) ? kernel_text(k, BLACKLIST) : NULL;
	unsigned int n = 0;

	*ranges = NULL;
	for (const char *line = text; line && *line; line += strcspn(line, "\n") + 1) {
		const char *at = line;
		struct range range;

		if (scan_text(&at, "0x") && scan_hex(&at, UINT64_MAX, &range.from) &&
		    scan_text(&at, "-0x") && scan_hex(&at, UINT64_MAX, &range.to) &&
		    !array_room(ranges, n, sizeof(**ranges)))
			(*ranges)[n++] = range;
		if (!line[strcspn(line, "\n")])
			break;
	}
	return n;
}

static bool is_in(const struct listed *f, const struct range *range)
{
	return f->address >= range->from && f->address < range->to;
}

static void mark_refused(const struct collecting *c)
{
	struct range *ranges;
	unsigned int n = read_blacklist(c->k, &ranges);

	for (unsigned int i = 0; i < c->to->n; i++) {
		struct listed *f = &c->to->list[i];

		if (is_in(f, &c->init) && !f->module)
			f->gone = true;
		if (f->gone)
			f->why = "it ran when the system booted, and is gone";
		for (unsigned int j = 0; j < n && !f->why; j++)
			if (is_in(f, &ranges[j]))
				f->why = "the kernel lets no probe be on it";
	}
	free(ranges);
}

static bool same_function(const struct listed *a, const struct listed *b)
{
	return !strcmp(a->name, b->name) && !a->module == !b->module &&
	       (!a->module || !strcmp(a->module, b->module));
}

static void mark_shared(const struct listing *l)
{
	for (unsigned int i = 1; i < l->n; i++)
		if (!strcmp(l->list[i].name, l->list[i - 1].name))
			l->list[i].shared = l->list[i - 1].shared = true;
}

/* ---- functions that the function tracer sees ---- */

/* The first function of this name and module. Returns NULL if none is listed. */
static struct listed *find(const struct listing *l, const char *name, const char *module)
{
	const struct listed key = { .name = (char *)name, .module = (char *)module };
	unsigned int from = 0, to = l->n;

	while (from < to) {
		unsigned int middle = (from + to) / 2;

		if (strcmp(l->list[middle].name, name) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	for (; from < l->n && !strcmp(l->list[from].name, name); from++)
		if (same_function(&l->list[from], &key))
			return &l->list[from];
	return NULL;
}

/* Reads lines "NAME" or "NAME [MODULE]". Counts the lines of each listed function. */
static int count_traced(const struct listing *l, FILE *file, unsigned int *counts)
{
	uint32_t number = 0;
	char *line = NULL, *module, *end;
	struct listed *f, *nth;
	size_t size = 0;

	while (getline(&line, &size, file) > 0) {
		number++;
		line[strcspn(line, "\n")] = '\0';
		module = strstr(line, " [");
		if (module) {
			*module = '\0';
			module += 2;
			end = strchr(module, ']');
			if (end)
				*end = '\0';
		}
		f = find(l, line, module);
		if (!f)
			continue;
		/*
		 * Functions of one name and module are neighbours. It is unknown which line is of
		 * which function.
		 */
		nth = f + counts[f - l->list];
		if (nth < l->list + l->n && same_function(f, nth))
			nth->line = number;
		counts[f - l->list]++;
	}
	free(line);
	return ferror(file) ? -1 : 0;
}

/* Marks each group of functions that differ in their addresses only. */
static void mark_traced(const struct listing *l, const unsigned int *counts, bool one)
{
	for (unsigned int i = 0, end; i < l->n; i = end) {
		for (end = i + 1; end < l->n && same_function(&l->list[i], &l->list[end]); end++)
			;
		for (unsigned int j = i; j < end; j++) {
			struct listed *f = &l->list[j];

			bool seen = counts[i] >= end - i;

			/*
			 * Many functions are probed at once by their addresses. The kernel may hide
			 * addresses.
			 */
			f->traced = !f->why && seen && f->address;
			if (f->why || seen || (one && end - i == 1))
				continue;
			f->why = counts[i] ? "some of the functions of its name can't be traced" :
					     "the kernel does not let it be traced";
		}
	}
}

static int look_traced(struct kernel *k, const struct listing *l, bool one, struct error *err)
{
	unsigned int *counts = calloc(l->n + 1, sizeof(*counts));
	const char *tracefs = kernel_tracefs(k);
	char path[256];
	FILE *file = NULL;
	int result = 0;

	if (!counts)
		return fail(err, "out of memory");
	if (tracefs) {
		text_all(path, sizeof(path), "%s/available_filter_functions", tracefs);
		file = fopen(path, "re");
	}
	/* Without a function tracer it is unknown which functions it would see. */
	if (file && !count_traced(l, file, counts))
		mark_traced(l, counts, one);
	if (file)
		fclose(file);
	free(counts);
	return result;
}

static bool has_tracer(struct kernel *k)
{
	const char *tracers = kernel_text(k, "tracefs:available_tracers");

	return tracers && has_word(tracers, "function");
}

int list_kernel_functions(struct kernel *k, const struct wanted_names *w, struct listing *to,
			  struct error *err)
{
	struct collecting c = { .k = k, .w = w, .to = to };

	if (kernel_live(k)) {
		if (!collect_one(&c) && !collect_excerpt(&c) && collect_live(&c, err))
			return -1;
	} else if (kernel_each_function(k, collect_name, &c)) {
		return fail(err, "the %s has no names of functions",
			    kernel_recorded(k) ? "recording" : "snapshot");
	}
	if (c.failed)
		return fail(err, to->n == LISTED_MOST ? "more than %d functions have such a name" :
			    "out of memory", LISTED_MOST);
	listing_sort(to);
	mark_shared(to);
	mark_refused(&c);
	if (kernel_live(k))
		return to->n > 1 || (to->n && !w->one) ?
			look_traced(k, to, w->one != NULL, err) : 0;
	for (unsigned int i = 0; i < to->n; i++)
		to->list[i].traced = has_tracer(k) && !(w->one && to->n == 1);
	return 0;
}
