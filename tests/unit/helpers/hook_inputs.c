// SPDX-License-Identifier: GPL-2.0
#include "tests/unit/helpers/hook_inputs.h"

#include <string.h>

#include "compat/resolve/identity.h"

/* Is there an input "NAME=" or "NAME?=" in these? */
static bool names_input(const char *inputs, const char *name)
{
	const size_t n = strlen(name);

	for (const char *at = inputs; at && (at = strstr(at, name)); at++)
		if ((at == inputs || at[-1] == ' ') && at[n + (at[n] == '?')] == '=')
			return true;
	return false;
}

bool hook_has_input(const struct hook *h, const char *name)
{
	if (h && identity_named(name))
		return true;
	for (unsigned int i = 0; h && i < h->n_alternatives; i++) {
		const struct alternative *a = &h->alternatives[i];

		if (names_input(a->inputs, name))
			return true;
		for (unsigned int j = 0; j < a->n_probes; j++)
			if (names_input(a->probes[j].inputs, name))
				return true;
	}
	return false;
}
