// SPDX-License-Identifier: GPL-2.0
#include "src/language/calls/calls.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/language/calls/tables.h"

#define COMMON_FIRST	424		/* from here on all machines have the same numbers */
#define X32_FIRST	512

static const char *text_at(uint16_t place)
{
	return place ? call_texts + place : NULL;
}

static const char *look_up(const char *table, unsigned int number)
{
	const struct call_numbers *t = call_tables;

	while (t->name && strcmp(t->name, table))
		t++;
	if (!t->name)
		return NULL;
	if (!t->like)
		return number < t->n ? text_at(t->places[number]) : NULL;
	for (unsigned int i = 0; i < t->n; i += 2)
		if (t->places[i] == number)
			return text_at(t->places[i + 1]);
	return look_up(t->like, number);
}

const char *call_name(const struct arch *arch, uint32_t slot)
{
	enum call_table which = slot / CALLS;
	unsigned int number = call_number(slot);
	const char *table;

	/* x32 has the numbers of 64-bit tasks, and some of its own behind them. */
	if (slot >= CALL_UNKNOWN || (which == CALLS_X32 && !arch->tables.x32))
		return NULL;
	table = which == CALLS_COMPAT ? arch->tables.narrow : arch->tables.native;
	if (!table)
		return NULL;
	if (which == CALLS_X32 && number >= X32_FIRST)
		return look_up("x32", number - X32_FIRST);
	return number >= COMMON_FIRST ? look_up("common", number - COMMON_FIRST) :
	       look_up(table, number);
}

unsigned int calls_named(const struct arch *arch, const char *name,
			 void (*each)(void *arg, uint32_t slot), void *arg)
{
	char *end;
	unsigned long number = strtoul(name, &end, 10);
	bool by_number = *name >= '0' && *name <= '9' && !*end;
	unsigned int n = 0;

	for (uint32_t slot = 0; slot < CALL_UNKNOWN; slot++) {
		const char *known = by_number ? NULL : call_name(arch, slot);

		if (by_number ? call_number(slot) != number : !known || strcmp(known, name))
			continue;
		each(arg, slot);
		n++;
	}
	return n;
}

struct call_registers call_registers(const struct arch *arch, uint32_t slot)
{
	enum call_table which = slot / CALLS;
	bool narrow = which == CALLS_COMPAT || arch->word == 4;

	return (struct call_registers){
		.size = narrow ? 4 : 8,
		.word = narrow || (which == CALLS_X32 && arch->tables.x32) ? 4 : 8,
		.high_first = arch->tables.high_first,
		.even = arch->tables.even,
	};
}

const char *call_words(const char *name)
{
	const char *words = name + strlen(name) + 1;

	return *words == '?' ? NULL : words;
}

void call_unnamed(const struct arch *arch, uint32_t slot, int64_t number, char *to, size_t size)
{
	static const char *const formats[CALL_TABLES + 1] = {
		[CALLS_NATIVE] = "[unknown: %lld]", [CALLS_COMPAT] = "[32-bit: %lld]",
		[CALLS_X32] = "[x32: %lld]", [CALL_TABLES] = "[unknown: %lld]",
	};
	enum call_table which = slot / CALLS;

	/* Only x86 has calls with such numbers; elsewhere they are only too large. */
	if (which == CALLS_X32 && !arch->tables.x32)
		which = CALLS_NATIVE;
	text_cut(to, size, formats[which], (long long)number);
}
