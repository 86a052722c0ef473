// SPDX-License-Identifier: GPL-2.0
#include "src/language/expressions/functions/functions.h"

#include <stddef.h>

const struct function *const lang_functions[] = {
	call_functions, size_functions, text_functions, NULL
};
