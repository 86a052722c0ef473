// SPDX-License-Identifier: GPL-2.0
#include "backends/stacks/stack_marks.h"

#include <assert.h>
#include <stdlib.h>

/*
 * Many new stacks are more than 1/SHARE of the room. A table that is nearly full, without many new
 * stacks, counts as crowded only at each SHARE-th test.
 */
#define SHARE 8

static uint32_t most_new(const struct stack_crowd *c, uint32_t room, bool taken)
{
	return (taken ? 0 : c->kept) + room / SHARE;
}

uint32_t stack_crowd_most(const struct stack_crowd *c, uint32_t room, bool taken)
{
	const uint32_t new = most_new(c, room, taken), full = room - room / SHARE;

	return (new < full ? new : full) + 1;
}

bool stack_crowded(struct stack_crowd *c, uint32_t used, uint32_t room, bool taken)
{
	if (used > most_new(c, room, taken))
		return true;
	return used >= room - room / SHARE && ++c->passed % SHARE == 0;
}

bool is_stack_table(const struct map *map)
{
	return map->kind == MAP_STACKS || map->kind == MAP_WALKED;
}

uint32_t stack_places(const struct map *map)
{
	uint32_t places = 1;

	if (map->kind != MAP_STACKS)
		return map->entries;
	while (places < map->entries && places < 1U << STACK_TABLE_SHIFT)
		places *= 2;
	return places;
}

int stack_marks_init(struct stack_marks *m, const struct map *maps, unsigned int n_maps)
{
	unsigned int table = 0;

	*m = (struct stack_marks){ };
	for (unsigned int i = 0; i < n_maps && table < STACK_TABLES; i++) {
		if (!is_stack_table(&maps[i]))
			continue;
		m->places[table] = stack_places(&maps[i]);
		m->bits[table] = calloc(m->places[table] / 8 + 1, 1);
		if (!m->bits[table++]) {
			stack_marks_free(m);
			return -1;
		}
	}
	return 0;
}

void stack_marks_free(struct stack_marks *m)
{
	for (unsigned int i = 0; i < STACK_TABLES; i++)
		free(m->bits[i]);
	*m = (struct stack_marks){ };
}

void stack_marks_add(struct stack_marks *m, int32_t number)
{
	uint32_t table = (uint32_t)number >> STACK_TABLE_SHIFT;
	uint32_t place = (uint32_t)number & ((1U << STACK_TABLE_SHIFT) - 1);

	if (number >= 0 && table < STACK_TABLES && place < m->places[table])
		m->bits[table][place / 8] |= (uint8_t)(1 << place % 8);
}

void stack_marks_add_fields(struct stack_marks *m, const struct record_layout *l,
			    const void *bytes)
{
	for (const struct record_field *f = l ? l->fields : NULL; f && f->name; f++)
		if (f->type == FIELD_STACK)
			stack_marks_add(m, (int32_t)field_number(f, bytes));
}

void stack_marks_entry(void *arg, const void *key, const void *value)
{
	const struct stack_marking *m = arg;

	stack_marks_add_fields(m->marks, m->map->key, key);
	stack_marks_add_fields(m->marks, m->map->value, value);
}

bool stack_marked(const struct stack_marks *m, unsigned int table, uint32_t place)
{
	assert(table < STACK_TABLES);
	return place < m->places[table] && m->bits[table][place / 8] & 1 << place % 8;
}

static bool has_stacks(const struct record_layout *l)
{
	for (const struct record_field *f = l ? l->fields : NULL; f && f->name; f++)
		if (f->type == FIELD_STACK)
			return true;
	return false;
}

bool map_refers_to_stacks(const struct map *map)
{
	return map->kind != MAP_OUTPUT && (has_stacks(map->key) || has_stacks(map->value));
}

bool stacks_leave(const struct map *maps, unsigned int n_maps)
{
	for (unsigned int i = 0; i < n_maps; i++)
		if (maps[i].kind == MAP_OUTPUT ||
		    (maps[i].role != ROLE_RESULT && map_refers_to_stacks(&maps[i])))
			return true;
	return false;
}
