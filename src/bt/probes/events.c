// SPDX-License-Identifier: GPL-2.0
/* Probes of the kernel's counters, of accesses to memory, and of raw tracepoints. */
#include <ctype.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/events/event.h"
#include "compat/kinds/kinds.h"
#include "compat/listing/listing.h"
#include "src/bt/probes/attach.h"
#include "src/lib/options/words.h"

/* ---- counters ---- */

/* Reads a whole number; an empty text is 0. Returns false if it is none. */
static bool number_of(const char *text, uint64_t *to)
{
	char *end;

	*to = strtoull(text, &end, 0);
	/* 1e6 */
	if (*end == 'e' && end == text + 1 && isdigit((unsigned char)end[1]))
		for (unsigned long n = strtoul(end + 1, &end, 10); n && *to < 1ULL << 59; n--)
			*to *= 10;
	return !*end && *text != '-';
}

static int unknown_counter(const struct attaching *w, const char *what, bool hardware)
{
	struct nearest near = { .word = w->parts[1], .length = strlen(w->parts[1]) };
	const struct counter *c;

	for (unsigned int i = 0; (c = counter_row(i)); i++)
		if (c->hardware == hardware)
			nearest_of(&near, c->name);
	if (near.name)
		return BT_WRONG(w->b, w->p->at, w->err, "there is no %s event `%s`; did you mean "
				"%s?", what, w->parts[1], near.name);
	return BT_WRONG(w->b, w->p->at, w->err, "there is no %s event `%s`; sonde bt -l '%s:*' "
			"shows them all", what, w->parts[1], what);
}

int bt_sampled(struct attaching *w, const char *name, uint64_t period)
{
	if (period > UINT32_MAX)
		return bt_wrong_probe(w, "a sample comes after 4294967295 counts at the latest, of "
				      "time ns");
	w->p->frequency = 1;
	w->p->on->probe.kernel = w->b->script.kernel;
	w->p->on->probe.sampled = name;
	w->p->on->probe.period = (uint32_t)period;
	return bt_alone(w);
}

static int counted(struct attaching *w, const struct provider *row, bool hardware)
{
	const struct counter *c;
	uint64_t period = 0;

	if (w->n < 2 || w->n > 3 || (w->n == 3 && !number_of(w->parts[2], &period)))
		return bt_wrong_form(w, row);
	c = counter_named(w->parts[1], hardware);
	if (!c)
		return unknown_counter(w, row->name, hardware);
	return bt_sampled(w, c->name, period ? period : c->period);
}

int bt_attach_software(struct attaching *w, const struct provider *row)
{
	return counted(w, row, false);
}

int bt_attach_hardware(struct attaching *w, const struct provider *row)
{
	return counted(w, row, true);
}

/* ---- accesses to memory ---- */

/* The bits of r, w and x, each once; 0: these are others. */
static uint8_t accesses_of(const char *text)
{
	static const struct {
		char letter;
		uint8_t bit;
	} letters[] = { { 'r', HW_BREAKPOINT_R }, { 'w', HW_BREAKPOINT_W },
			{ 'x', HW_BREAKPOINT_X } };
	uint8_t bits = 0;

	for (; *text; text++) {
		size_t i = 0;

		while (i < 3 && letters[i].letter != *text)
			i++;
		if (i == 3 || bits & letters[i].bit)
			return 0;
		bits |= letters[i].bit;
	}
	return bits & HW_BREAKPOINT_X && bits != HW_BREAKPOINT_X ? 0 : bits;
}

int bt_attach_watchpoint(struct attaching *w, const struct provider *row)
{
	struct watch *watch;
	uint64_t address, length;

	if (w->n != 4 || !*w->parts[1] || !number_of(w->parts[1], &address) ||
	    !number_of(w->parts[2], &length) || length > 8 || __builtin_popcountll(length) != 1 ||
	    !accesses_of(w->parts[3]))
		return bt_wrong_form(w, row);
	if (address % length)
		return bt_wrong_probe(w, "the address of a watchpoint is a multiple of its length");
	watch = calloc(1, sizeof(*watch));
	if (!watch || !script_keep(&w->b->script, (char *)watch))
		return fail(w->err, "out of memory");
	*watch = (struct watch){ address, (uint8_t)length, accesses_of(w->parts[3]) };
	w->p->on->probe.watch = watch;
	return bt_sampled(w, "watchpoint", 1);
}

/* ---- raw tracepoints ---- */

/* The tracepoint that is looked for. */
struct looked_for {
	const char *system, *event;	/* system NULL: any */
};

static bool is_event(void *arg, const char *name)
{
	const struct looked_for *l = arg;
	const char *colon = strchr(name, ':');

	return colon && !strcmp(colon + 1, l->event) &&
	       (!l->system || (strlen(l->system) == (size_t)(colon - name) &&
			       !memcmp(l->system, name, (size_t)(colon - name))));
}

int bt_attach_raw(struct attaching *w, const struct provider *row)
{
	struct looked_for wanted = { w->n == 3 ? w->parts[1] : NULL, w->parts[w->n - 1] };
	const struct wanted_names names = { is_event, &wanted, NULL };
	struct lang_probe *probe = &w->p->on->probe;
	struct listing found = { };
	struct error why = { };
	int result = -1;

	if (w->n < 2 || w->n > 3)
		return bt_wrong_form(w, row);
	if (list_tracepoints(w->b->script.kernel, &names, &found, &why)) {
		BT_CAUSE(w->b, w->p->at, w->err, &why);
	} else if (!found.n) {
		bt_no_matches(w, "there is no such tracepoint; `sonde bt -l 't:*:*'` shows all");
	} else if (found.n > 1) {
		bt_wrong_probe(w, "several systems have this tracepoint: write "
			       "rawtracepoint:SYSTEM:EVENT");
	} else {
		probe->raw = script_keep(&w->b->script, strdup(found.list->name));
		probe->kernel = w->b->script.kernel;
		result = !probe->raw ? fail(w->err, "out of memory") :
			 bt_alone(w);
	}
	listing_free(&found);
	return result;
}
