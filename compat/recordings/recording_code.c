// SPDX-License-Identifier: GPL-2.0
/* What a recording tells of the code of its kernel. */
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/recordings/recording_internal.h"

#define FUNCTIONS_MOST 4096	/* they are looked through one by one */

const struct recorded_code *recording_code(const struct recording *r)
{
	return &r->code;
}

void recording_free_functions(struct recording *r)
{
	for (unsigned int i = 0; i < r->n_functions; i++)
		free((char *)r->functions[i].name);
	free(r->functions);
	r->functions = NULL;
	r->n_functions = 0;
}

static bool is_there(const struct recording *r, const struct recorded_function *f)
{
	for (unsigned int i = 0; i < r->n_functions; i++)
		if (r->functions[i].start == f->start && r->functions[i].end == f->end &&
		    !strcmp(r->functions[i].name, f->name))
			return true;
	return false;
}

/* Of too many none is kept: one that is left out may have been where another one is. */
int recording_add_function(struct recording *r, const struct recorded_function *f)
{
	char *name;

	if (r->too_many_functions || f->end <= f->start || is_there(r, f))
		return 0;
	if (r->n_functions == FUNCTIONS_MOST) {
		r->too_many_functions = true;
		recording_free_functions(r);
		return 0;
	}
	name = strdup(f->name);
	if (!name || array_room(&r->functions, r->n_functions, sizeof(*r->functions))) {
		free(name);
		return -1;
	}
	r->functions[r->n_functions] = *f;
	r->functions[r->n_functions++].name = name;
	return 0;
}

const struct recorded_function *recording_function(const struct recording *r, uint64_t address)
{
	const struct recorded_function *found = NULL;

	for (unsigned int i = 0; i < r->n_functions; i++) {
		const struct recorded_function *f = &r->functions[i];

		if (address < f->start || address >= f->end)
			continue;
		if (found)
			return NULL;
		found = f;
	}
	return found;
}
