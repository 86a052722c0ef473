// SPDX-License-Identifier: GPL-2.0
#include "src/calls/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/calls/tables.h"

#define COMMON_FIRST	424		/* from here on all machines have the same numbers */
#define X32_FIRST	512

/*
 * The tables of a machine: its own, and that of its 32-bit tasks; and where these have the halves
 * of 64-bit numbers.
 */
static const struct machine {
	const char *name, *native, *narrow;
	bool high_first, even;
} machines[] = {
	{ "x86_64", "x86_64", "i386" },
	{ "i686", "i386", NULL },
	{ "aarch64", "arm64", "arm", .even = true },
	{ "armv7l", "arm", NULL, .even = true },
	{ "riscv64", "riscv64", "riscv32" },
	{ "ppc64le", "ppc64", "ppc", .high_first = true, .even = true },
	{ "s390x", "s390x", "s390", .high_first = true },
};

static const struct machine *machine_of(const struct arch *arch)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (!strcmp(machines[i].name, arch->name))
			return &machines[i];
	return NULL;
}

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

static const char *table_of(const struct arch *arch, enum call_table which)
{
	const struct machine *m = machine_of(arch);

	if (!m)
		return NULL;
	return which == CALLS_COMPAT ? m->narrow : m->native;
}

/* x32 has the numbers of 64-bit tasks, and some of its own behind them. */
static bool has_x32(const struct arch *arch)
{
	return !strcmp(arch->name, "x86_64");
}

const char *call_name(const struct arch *arch, uint32_t slot)
{
	enum call_table which = slot / CALLS;
	unsigned int number = call_number(slot);
	const char *table;

	if (slot >= CALL_UNKNOWN || (which == CALLS_X32 && !has_x32(arch)))
		return NULL;
	table = table_of(arch, which);
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
	const struct machine *m = machine_of(arch);
	bool narrow = which == CALLS_COMPAT || arch->word == 4;

	return (struct call_registers){
		.size = narrow ? 4 : 8,
		.word = narrow || (which == CALLS_X32 && has_x32(arch)) ? 4 : 8,
		.high_first = m && m->high_first,
		.even = m && m->even,
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
	if (which == CALLS_X32 && !has_x32(arch))
		which = CALLS_NATIVE;
	snprintf(to, size, formats[which], (long long)number);
}
