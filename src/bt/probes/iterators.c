// SPDX-License-Identifier: GPL-2.0
/*
 * iter: what /proc tells is read there, which all engines can, and all else is asked of the
 * kernel's own iterators, which only BPF programs get.
 */
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/types/function.h"
#include "compat/types/iterators.h"
#include "src/bt/probes/attach.h"
#include "src/bt/run/items.h"
#include "src/lib/options/words.h"
#include "src/run/tool.h"

/* What is nearest to a misspelled name; names of the kernel's type information may go. */
struct search {
	struct nearest near;
	char name[ITERATOR_NAME];
};

static int look(void *arg, const char *name)
{
	struct search *s = arg;

	nearest_of(&s->near, name);
	if (s->near.name == name) {
		text_all(s->name, sizeof(s->name), "%s", name);
		s->near.name = s->name;
	}
	return 0;
}

static int unknown(const struct attaching *w, const char *why)
{
	struct search s = { .near = { .word = w->parts[1], .length = strlen(w->parts[1]) } };

	for (unsigned int i = 0; i < BT_WALKS; i++)
		look(&s, bt_walk_names[i]);
	kernel_iterators(w->b->script.kernel, look, &s);
	w->p->on->probe.missing = true;
	return s.near.name ?
	       BT_WRONG(w->b, w->p->at, w->err, "there is no iterator `%s`; did you mean iter:%s?",
			w->parts[1], s.near.name) :
	       BT_WRONG(w->b, w->p->at, w->err, "No matches for iter %s: the kernel's type "
			"information has no such iterator (%s); `sonde bt -l 'iter:*'` shows all",
			w->parts[1], why);
}

/* The program of the kernel's iterator. */
static int attach(struct attaching *w, const char *function)
{
	struct lang_probe *probe = &w->p->on->probe;

	probe->iterator = script_keep(&w->b->script, strdup(function));
	probe->kernel = w->b->script.kernel;
	probe->scope.event.walked = true;
	return !probe->iterator ? fail(w->err, "out of memory") :
	       bt_alone(w);
}

/* bpftrace has a file behind the name, at whose reads the kernel runs the program. */
int bt_attach_iterator(struct attaching *w, const struct provider *row)
{
	char function[ITERATOR_NAME];
	struct prototype prototype;
	struct error why = { };
	unsigned int walk = 0;
	bool known;

	if (w->n == 3)
		return bt_wrong_probe(w, "sonde pins no iterators: iter prints the items at the "
				      "time of the run");
	if (w->n != 2)
		return bt_wrong_form(w, row);
	while (walk < BT_WALKS && strcmp(w->parts[1], bt_walk_names[walk]))
		walk++;
	text_all(function, sizeof(function), ITERATOR_FUNCTION "%s", w->parts[1]);
	known = !kernel_function_prototype(w->b->script.kernel, function, NULL, &prototype, &why);
	if (known && iterator_of_elements(&prototype))
		return bt_wrong_probe(w, "this iterator goes through the elements of one map, "
				      "which a script has no name for; iter:bpf_map goes through "
				      "the maps");
	if (known && (walk == BT_WALKS || bt_asks_kernel(w->p, walk)))
		return attach(w, function);
	if (walk == BT_WALKS)
		return unknown(w, why.text);
	if (w->b->run && run_is_live(w->b->run) && !run_ids_are_procs(w->b->run))
		return bt_wrong_probe(w, "/proc, which iter reads, has other process ids than the "
				      "kernel: sonde runs in a namespace of its own");
	w->p->when = row->when;
	w->p->walk = (uint8_t)walk;
	return bt_alone(w);
}
