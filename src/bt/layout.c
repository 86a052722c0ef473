// SPDX-License-Identifier: GPL-2.0
/* Where things are: parts of keys and values, variables on the stack. */
#include "insns/programs/argdist.h"
#include "src/bt/bt.h"

unsigned int bt_key_offset(const struct bt_map *m, unsigned int part)
{
	/* Of values nothing but the parts tells entries apart, and a short key is found sooner. */
	unsigned int offset = m->kind == BT_VALUES && m->n_keys ? 0 : sizeof(struct argdist_key);

	for (unsigned int i = 0; i < part; i++)
		offset += m->keys[i].size;
	return offset;
}

unsigned int bt_part_offset(const struct bt_map *m, unsigned int part)
{
	unsigned int offset = 0;

	for (unsigned int i = 0; i < part; i++)
		offset += m->parts[i].size;
	return offset;
}

unsigned int bt_key_size(const struct bt_map *m)
{
	return bt_key_offset(m, m->n_keys);
}

bool bt_has_stacks(const struct bt_map *m)
{
	for (unsigned int i = 0; i < m->n_keys; i++)
		if (m->keys[i].kind == BT_STACK)
			return true;
	return false;
}

unsigned int bt_engine_key_size(const struct bt_map *m)
{
	return bt_key_size(m) + (m->kind == BT_SERIES ? 8 : 0);
}

unsigned int bt_whole_key_size(const struct bt_map *m)
{
	return bt_key_size(m) + (bt_has_slots(m) ? 8 : 0);
}

int bt_variable_at(const struct bt_probe *p, unsigned int variable)
{
	int at = 0;

	for (unsigned int i = 0; i <= variable; i++)
		at -= p->variables[i].shape.size;
	return at;
}
