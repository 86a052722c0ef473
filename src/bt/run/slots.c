// SPDX-License-Identifier: GPL-2.0
/* Entries of the engine's maps, those in slots and those in the hash. */
#include <stdlib.h>
#include <string.h>

#include "src/bt/run/run.h"

/* Returns true if the engine has the slots of this map: programs for rings use none. */
static bool has_slots(const struct bt_run *r, const struct bt_map *m)
{
	return *m->slots && run_key(r->run, m->slots);
}

/* A slot with the words of its key. */
struct whole_slot {
	struct bt_slot slot;
	u64 words[BT_SLOT_WORDS];
};

/* The owner of a key, as programs make it. */
static uint64_t owner_of(const struct bt_map *m, const void *key)
{
	const char *words = (const char *)key + m->words_at;
	uint64_t owner, word;

	memcpy(&owner, words, sizeof(owner));
	for (unsigned int i = 1; i < m->words; i++) {
		memcpy(&word, words + 8 * i, sizeof(word));
		owner = owner * (uint64_t)(int64_t)(int32_t)BT_SLOT_FACTOR + word;
	}
	return (m->words ? owner ^ owner >> 32 : owner) + 1;
}

struct taken {
	const struct bt_map *m;
	entry_fn entry;
	void *arg;
};

/* Writes what the engine has as the key of an entry. */
static void key_of(const struct bt_map *m, const struct whole_slot *s, void *key)
{
	const u64 number = s->slot.owner - 1;

	memset(key, 0, bt_key_size(m));
	if (m->words)
		memcpy((char *)key + m->words_at, s->words, 8 * m->words);
	else
		memcpy((char *)key + m->words_at, &number, sizeof(number));
}

static void take_slot(void *arg, const void *key, const void *value)
{
	const struct taken *t = arg;
	struct whole_slot s = { };
	struct bt_cell cell = { .present = 1 };
	uint64_t whole[FRAME_BYTES / sizeof(uint64_t)];
	uint32_t number;

	memcpy(&s, value, sizeof(s.slot) + 8 * t->m->words);
	memcpy(&number, key, sizeof(number));
	if (!s.slot.owner || number >= BT_SLOTS)
		return;
	key_of(t->m, &s, whole);
	if (owner_of(t->m, whole) != s.slot.owner)	/* its words are being written */
		return;
	cell.value = s.slot.value;
	if (t->m->kind != BT_VALUES) {
		uint64_t *last = &t->m->table->last[number];

		cell.value -= *last;
		*last = s.slot.value;
		if (!cell.value)
			return;
	}
	t->entry(t->arg, whole, &cell);
}

int bt_slots_take(struct bt_run *r, const struct bt_map *m, entry_fn entry, void *arg,
		  struct error *err)
{
	struct taken t = { m, entry, arg };

	if (has_slots(r, m)) {
		if (!m->table->last)
			m->table->last = calloc(BT_SLOTS, sizeof(*m->table->last));
		if (!m->table->last)
			return fail(err, "out of memory");
		if (run_take(r->run, m->slots, take_slot, &t, err))
			return -1;
	}
	return run_take(r->run, m->name, entry, arg, err);
}

/* The slot that the key leads to. Returns false if it is not the key's own. */
static bool own_slot(const struct bt_run *r, const struct bt_map *m, const void *key,
		     uint32_t *number, struct whole_slot *s)
{
	const uint64_t owner = owner_of(m, key);

	*number = bt_slot_of(owner);
	return has_slots(r, m) && owner && !run_get(r->run, m->slots, number, s) &&
	       s->slot.owner == owner &&
	       !memcmp(s->words, (const char *)key + m->words_at, 8 * m->words);
}

int bt_slots_get(const struct bt_run *r, const struct bt_map *m, const void *key, void *entry)
{
	struct whole_slot s;
	uint32_t number;

	if (!own_slot(r, m, key, &number, &s))
		return run_get(r->run, m->name, key, entry);
	memcpy(entry, &(struct bt_cell){ .value = s.slot.value, .present = 1 },
	       sizeof(struct bt_cell));
	return 0;
}

int bt_slots_set(const struct bt_run *r, const struct bt_map *m, const void *key,
		 const void *entry, struct error *err)
{
	struct whole_slot s;
	uint32_t number;

	if (!own_slot(r, m, key, &number, &s))
		return run_set(r->run, m->name, key, entry, err);
	s.slot.value = 0;
	s.slot.owner = entry ? s.slot.owner : 0;
	if (entry)
		memcpy(&s.slot.value, entry, sizeof(s.slot.value));
	return run_set(r->run, m->slots, &number, &s, err);
}
