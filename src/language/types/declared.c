// SPDX-License-Identifier: GPL-2.0
/* Types of the fields of tracepoints. */
#include "src/language/types/declared.h"

#include <string.h>

#include "src/language/types/types.h"

bool declared_type(const struct field *f, unsigned int word, struct c_type *type)
{
	const char *names[6];
	size_t lengths[6];
	unsigned int n = 0, pointers = 0;

	for (const char *p = f->type; *p;) {
		size_t length = strcspn(p, " *");

		if (length && n == 6)
			return false;
		if (length) {
			names[n] = p;
			lengths[n++] = length;
		}
		pointers += p[length] == '*';
		p += length + !!p[length];
	}
	if (!c_type_named(names, lengths, n, word, type))
		return false;
	type->pointers = (uint8_t)pointers;
	return true;
}
