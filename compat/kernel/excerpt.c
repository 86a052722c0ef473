// SPDX-License-Identifier: GPL-2.0
/*
 * The lines of kallsyms for a few functions. The functions are named first, so kallsyms is read
 * once.
 */
#include "compat/kernel/excerpt.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/kernel/kallsyms.h"
#include "compat/kernel/kernel_internal.h"
#include "compat/kernel/names.h"

static bool is_expected(const struct excerpt *x, const char *name, size_t length)
{
	for (unsigned int i = 0; x && i < x->n_expected; i++)
		if (!strncmp(x->expected[i], name, length) && !x->expected[i][length])
			return true;
	return false;
}

static void forget(struct excerpt *x)
{
	for (unsigned int i = 0; i < x->n; i++) {
		free(x->lines[i].name);
		free(x->lines[i].module);
	}
	free(x->lines);
	names_free(x->names);
	x->lines = NULL;
	x->names = NULL;
	x->n = 0;
	x->state = EXCERPT_UNREAD;
}

void kernel_expect(struct kernel *k, const char *name)
{
	char *copy;

	if (!kernel_live(k) || is_expected(k->excerpt, name, strlen(name)))
		return;
	if (!k->excerpt)
		k->excerpt = calloc(1, sizeof(*k->excerpt));
	copy = k->excerpt ? strdup(name) : NULL;
	if (!copy || array_room(&k->excerpt->expected, k->excerpt->n_expected, sizeof(char *))) {
		free(copy);
		return;
	}
	k->excerpt->expected[k->excerpt->n_expected++] = copy;
	forget(k->excerpt);
}

/*
 * The length of the function's own name. Names that compilers derived from it have a suffix behind
 * a dot.
 */
static size_t own_length(const char *name, size_t length)
{
	const char *dot = memchr(name, '.', length);

	return dot ? (size_t)(dot - name) : length;
}

static int keep(struct excerpt *x, const struct kallsyms_line *l)
{
	struct excerpt_line *to;

	if (array_room(&x->lines, x->n, sizeof(*x->lines)))
		return -1;
	to = &x->lines[x->n++];
	*to = (struct excerpt_line){
		.address = l->address, .name = strndup(l->name, l->length),
		.module = l->module_length ? strndup(l->module, l->module_length) : NULL,
	};
	names_add(x->names, l->type, l->name, l->length);
	return to->name && (to->module || !l->module_length) ? 0 : -1;
}

static bool is_named(const struct kallsyms_line *l, const char *name)
{
	return l->length == strlen(name) && !memcmp(l->name, name, l->length);
}

static int read_all(struct excerpt *x)
{
	struct kallsyms_reader *r = malloc(sizeof(*r));
	struct kallsyms_line l;
	int got;

	x->names = names_new();
	if (!r || !x->names || kallsyms_open(r, NULL)) {
		free(r);
		return -1;
	}
	while ((got = kallsyms_next(r, &l)) > 0)
		if (is_named(&l, "_sinittext"))
			x->init_from = l.address;
		else if (is_named(&l, "_einittext"))
			x->init_to = l.address;
		else if (is_expected(x, l.name, own_length(l.name, l.length)) &&
			 kallsyms_is_code(&l) && !kallsyms_is_made(&l) && keep(x, &l))
			break;
	kallsyms_close(r);
	free(r);
	return got;
}

const struct excerpt *kernel_excerpt(struct kernel *k, const char *name)
{
	struct excerpt *x = k->excerpt;

	if (!is_expected(x, name, own_length(name, strlen(name))))
		return NULL;
	if (x->state == EXCERPT_UNREAD && read_all(x)) {
		forget(x);
		x->state = EXCERPT_FAILED;
	} else if (x->state == EXCERPT_UNREAD) {
		x->state = EXCERPT_READ;
	}
	return x->state == EXCERPT_READ ? x : NULL;
}

void excerpt_free(struct kernel *k)
{
	struct excerpt *x = k->excerpt;

	if (!x)
		return;
	forget(x);
	for (unsigned int i = 0; i < x->n_expected; i++)
		free(x->expected[i]);
	free(x->expected);
	free(x);
	k->excerpt = NULL;
}
