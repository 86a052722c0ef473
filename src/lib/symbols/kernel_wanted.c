// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/kernel_wanted.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "src/lib/symbols/kernel_line.h"
#include "src/lib/symbols/kernel_symbols.h"

#define NO_NAME UINT32_MAX

struct wanted {
	uint64_t address;
	uint64_t before;		/* the last symbol at or before it; 0: none yet */
	uint64_t behind;		/* the first symbol behind it; UINT64_MAX: none */
	uint32_t name;			/* offset of the name of `before`; NO_NAME: it has none */
	uint32_t module, module_behind;
};

void kernel_wanted_free(struct kernel_wanted *w)
{
	for (uint32_t i = 0; i < w->n_modules; i++)
		free(w->modules[i]);
	free(w->modules);
	free(w->list);
	free(w->names);
	*w = (struct kernel_wanted){ };
}

static int by_address(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static bool make_list(struct kernel_wanted *w, const uint64_t *addresses, size_t n)
{
	size_t kept = 0;

	w->list = n ? calloc(n, sizeof(*w->list)) : NULL;
	if (!w->list)
		return false;
	for (size_t i = 0; i < n; i++)
		w->list[i] = (struct wanted){
			.address = addresses[i], .behind = UINT64_MAX, .name = NO_NAME,
		};
	qsort(w->list, n, sizeof(*w->list), by_address);
	for (size_t i = 1; i < n; i++)
		if (w->list[i].address != w->list[kept].address)
			w->list[++kept] = w->list[i];
	w->n = kept + 1;
	return true;
}

/* The index of the first wanted address from `address` on. `near`: the index to try first. */
static size_t first_from(const struct kernel_wanted *w, uint64_t address, size_t near)
{
	size_t low = 0, high = w->n;

	if ((!near || w->list[near - 1].address < address) &&
	    (near == w->n || w->list[near].address >= address))
		return near;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (w->list[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Keeps the name of the symbol before an address, instead of the name `old`. Symbols mostly ascend,
 * and then `old` is the last name and is overwritten. So few names are kept.
 */
static uint32_t keep_name(struct kernel_wanted *w, uint32_t old, const struct kallsyms_line *l)
{
	const uint32_t at = old != NO_NAME && old == w->last ? old : (uint32_t)w->n_names;
	const size_t want = at + l->length + 1;

	if (l->length >= KERNEL_NAME || want > UINT32_MAX / 2)
		return NO_NAME;
	if (want > w->names_room) {
		char *names = realloc(w->names, 2 * want + 4096);

		if (!names)
			return NO_NAME;
		w->names = names;
		w->names_room = 2 * want + 4096;
	}
	memcpy(w->names + at, l->name, l->length);
	w->names[want - 1] = '\0';
	w->n_names = want;
	w->last = at;
	return at;
}

/* Makes the module of the line the last module. It is that of the line before, or a new one. */
static bool find_module(struct kernel_wanted *w, const struct kallsyms_line *l)
{
	const char *last = w->n_modules ? w->modules[w->n_modules - 1] : NULL;

	if (last && strlen(last) == l->module_length &&
	    !memcmp(last, l->module, l->module_length))
		return true;
	if (array_room(&w->modules, w->n_modules, sizeof(*w->modules)) ||
	    !(w->modules[w->n_modules] = strndup(l->module, l->module_length)))
		return false;
	w->n_modules++;
	return true;
}

/*
 * The addresses from a symbol up to the next symbol are its own. If several symbols have one
 * address, the first one in kallsyms counts.
 */
static void take(struct kernel_wanted *w, const struct kallsyms_line *l, size_t at)
{
	struct wanted *e = at < w->n ? &w->list[at] : NULL;
	struct wanted *passed = at ? &w->list[at - 1] : NULL;
	const bool end = line_is_end(l);

	if (passed && l->address < passed->behind) {
		passed->behind = l->address;
		passed->module_behind = w->n_modules;
	}
	if (!e || l->address < e->before)
		return;
	if (l->address > e->before) {
		e->name = end ? NO_NAME : keep_name(w, e->name, l);
		e->module = w->n_modules;
	} else if (end) {
		e->name = NO_NAME;
	}
	e->before = l->address;
}

/*
 * take() writes a symbol only to the two wanted addresses next to it. Copies it to the other
 * addresses up to the next symbol.
 */
static void spread(struct kernel_wanted *w)
{
	for (size_t i = 1; i < w->n; i++) {
		struct wanted *e = &w->list[i];

		if (e->before > e[-1].before)
			continue;
		e->before = e[-1].before;
		e->name = e[-1].name;
		e->module = e[-1].module;
	}
	for (size_t i = w->n - 1; i-- > 0;) {
		struct wanted *e = &w->list[i];

		if (e->behind < e[1].behind)
			continue;
		e->behind = e[1].behind;
		e->module_behind = e[1].module_behind;
	}
}

static bool is_named(const struct kallsyms_line *l, const char *name)
{
	return l->length == strlen(name) && !memcmp(l->name, name, l->length);
}

static bool begins(const struct kallsyms_line *l, const char *text)
{
	return l->length >= strlen(text) && !memcmp(l->name, text, strlen(text));
}

/* A variable; the linker's marks are none. */
static bool is_data(const struct kallsyms_line *l)
{
	return l->type && strchr("dDbBrR", l->type) && !begins(l, "__start_") &&
		!begins(l, "__stop_");
}

/* The kernel's own functions come first and ascend: reading ends behind the last address. */
static void read_functions(struct kernel_wanted *w, struct kallsyms_reader *reader)
{
	struct kallsyms_line l;
	size_t at = 0;

	while (kallsyms_next(reader, &l) > 0) {
		if (!l.address || !kallsyms_is_code(&l) || line_is_label(&l))
			continue;
		if (!find_module(w, &l))
			break;
		at = first_from(w, l.address, at);
		take(w, &l, at);
		if (at == w->n && !l.module_length)
			break;
	}
}

/*
 * Before the kernel's code are the symbols of what each CPU has a copy of. Without
 * CONFIG_KALLSYMS_ALL there are only a few symbols of data, and between them no name is right: then
 * init_task is missing.
 */
static void read_data(struct kernel_wanted *w, struct kallsyms_reader *reader)
{
	bool begun = false, whole = false;
	struct kallsyms_line l;
	size_t at = 0;

	while (kallsyms_next(reader, &l) > 0) {
		begun |= is_named(&l, "_text") || is_named(&l, "_stext");
		if (!l.address || !begun || !is_data(&l))
			continue;
		if (!find_module(w, &l))
			break;
		whole |= is_named(&l, "init_task");
		at = first_from(w, l.address, at);
		take(w, &l, at);
	}
	if (!whole)
		kernel_wanted_free(w);
}

static void read_names(struct kernel_wanted *w, const char *kallsyms, const uint64_t *addresses,
		       size_t n, bool data)
{
	struct kallsyms_reader *reader = malloc(sizeof(*reader));

	kernel_wanted_free(w);
	if (!reader || !make_list(w, addresses, n) || kallsyms_open(reader, kallsyms)) {
		free(reader);
		kernel_wanted_free(w);
		return;
	}
	if (data)
		read_data(w, reader);
	else
		read_functions(w, reader);
	kallsyms_close(reader);
	free(reader);
	if (w->n)
		spread(w);
}

void kernel_wanted_read(struct kernel_wanted *w, const char *kallsyms, const uint64_t *addresses,
			size_t n)
{
	read_names(w, kallsyms, addresses, n, false);
}

void kernel_wanted_read_data(struct kernel_wanted *w, const char *kallsyms,
			     const uint64_t *addresses, size_t n)
{
	read_names(w, kallsyms, addresses, n, true);
}

bool kernel_wanted_find(const struct kernel_wanted *w, uint64_t address, char *name,
			uint64_t *start, const char **module)
{
	const size_t at = first_from(w, address, 0);
	const struct wanted *e = at < w->n ? &w->list[at] : NULL;

	if (!e || e->address != address || e->name == NO_NAME || e->behind == UINT64_MAX ||
	    e->module != e->module_behind)
		return false;
	strcpy(name, w->names + e->name);
	*start = e->before;
	*module = w->modules[e->module - 1];
	return true;
}
