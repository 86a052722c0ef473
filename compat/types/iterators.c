// SPDX-License-Identifier: GPL-2.0
#include "compat/types/iterators.h"

#include <string.h>

#include "compat/types/function.h"
#include "compat/types/offsets.h"

bool iterator_of_elements(const struct prototype *p)
{
	return p->n > 2 && !strcmp(p->arguments[1].type, "bpf_map");
}

/* Writes the name of the function. Returns false if it is too long. */
static bool name_function(const char *name, char function[ITERATOR_NAME])
{
	return snprintf(function, ITERATOR_NAME, ITERATOR_FUNCTION "%s", name) < ITERATOR_NAME;
}

/* Returns true if the struct is of an iterator that a program can have. */
static bool serves(struct kernel *k, const char *name)
{
	char function[ITERATOR_NAME];
	struct prototype prototype;
	struct error why;

	return name_function(name, function) &&
	       !kernel_function_prototype(k, function, NULL, &prototype, &why) &&
	       !iterator_of_elements(&prototype);
}

int kernel_iterators(struct kernel *k, int (*each)(void *arg, const char *name), void *arg)
{
	static const char prefix[] = ITERATOR_STRUCT;
	struct error why;
	struct btf *btf = kernel_live(k) ? kernel_btf(k, &why) : NULL;
	struct btf_type t;

	for (uint32_t id = 1; btf && btf_type(btf, id, &t); id++)
		if (t.kind == BTF_STRUCT && !strncmp(t.name, prefix, strlen(prefix)) &&
		    serves(k, t.name + strlen(prefix)) && each(arg, t.name + strlen(prefix)))
			return -1;
	return 0;
}

struct writing {
	struct kernel *kernel;
	FILE *to;
};

static int write_one(void *arg, const char *name)
{
	const struct writing *w = arg;
	char function[ITERATOR_NAME], line[PROTOTYPE_LINE];

	if (name_function(name, function) &&
	    function_prototype_line(w->kernel, function, NULL, line))
		fprintf(w->to, "%s\n", line);
	return 0;
}

void iterators_write(struct kernel *k, FILE *out)
{
	struct writing w = { k, out };

	kernel_iterators(k, write_one, &w);
}
