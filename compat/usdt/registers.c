// SPDX-License-Identifier: GPL-2.0
/* The registers of each machine by their assembler names (compat/arch). */
#include "compat/usdt/registers.h"

#include <string.h>

#include "compat/base/text.h"

static bool number(const char *s, size_t length, unsigned int most, unsigned int *n)
{
	*n = 0;
	if (!length || length > 2)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		*n = 10 * *n + (unsigned int)(s[i] - '0');
	}
	return *n <= most;
}

/* Takes the number of a row with numbers. */
static bool is_one_of(const struct arch_named *row, const char *name, size_t length,
		      unsigned int *i)
{
	if (row->suffix && (!length || name[--length] != row->suffix))
		return false;
	return number(name, length, row->first + row->n - 1U, i) && *i >= row->first;
}

bool usdt_register(const struct arch *arch, const char *name, size_t length,
		   struct usdt_register *reg)
{
	for (const struct arch_named *row = arch->registers; row && row->size; row++) {
		const size_t n = strnlen(row->prefix, sizeof(row->prefix));
		unsigned int i = row->first;

		if (length < n || memcmp(name, row->prefix, n) ||
		    (row->n ? !is_one_of(row, name + n, length - n, &i) : length != n))
			continue;
		i -= row->first;
		*reg = (struct usdt_register){
			.offset = (uint16_t)(row->offset + (int)i * row->step), .size = row->size,
		};
		if (row->n)
			text_all(reg->name, sizeof(reg->name), "%s%u", row->name, row->number + i);
		else
			text_all(reg->name, sizeof(reg->name), "%s", row->name);
		return true;
	}
	return false;
}
