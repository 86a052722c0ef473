// SPDX-License-Identifier: GPL-2.0
#include "src/language/expressions/functions/functions.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

const struct function *const lang_functions[] = {
	call_functions, size_functions, text_functions, NULL
};

const struct function *function_in(const struct function *family, const char *name)
{
	while (strcmp(family->name, name)) {
		family++;
		assert(family->name);
	}
	return family;
}
