// SPDX-License-Identifier: GPL-2.0
/* The engine's maps of a script's maps: hashes, arrays, slots. */

#include "compat/base/text.h"
#include "insns/programs/bt.h"
#include "src/bt/emit/emit.h"
#include "src/bt/show/table.h"

#define KEY_BYTES 400

static const enum bt_map_row rows[] = {
	[BT_VALUES] = BT_MAP_VALUES, [BT_COUNT] = BT_MAP_COUNTS, [BT_HIST] = BT_MAP_COUNTS,
	[BT_LHIST] = BT_MAP_COUNTS, [BT_SUM] = BT_MAP_SUMS, [BT_MIN] = BT_MAP_SUMS,
	[BT_MAX] = BT_MAP_SUMS, [BT_AVG] = BT_MAP_SUMS, [BT_STATS] = BT_MAP_SUMS,
	[BT_SERIES] = BT_MAP_SERIES,
};

static int check_map(const struct bt *b, const struct bt_map *m, struct error *err)
{
	if (m->kind == BT_UNKNOWN || (m->kind == BT_VALUES && m->value.kind == BT_UNSET))
		return BT_WRONG(b, m->at, err, "nothing is ever put into %s", m->name);
	if (m->stepped_at && m->changed_by_kernel)
		return BT_WRONG(b, m->stepped_at, err, "%s is changed by probes at the same time, "
				"and BEGIN, END, interval and iter change it in two steps, which "
				"would lose changes: assign a value, or take another map", m->name);
	return 0;
}

/* Stacks whose numbers are in keys are in use. */
static void lay_out_stacks(struct bt_map *m)
{
	struct record_field *f = m->stacks;

	for (unsigned int i = 0; i < m->n_keys; i++)
		if (m->keys[i].kind == BT_STACK)
			*f++ = (struct record_field){
				.name = m->name, .type = FIELD_STACK, .size = sizeof(int32_t),
				.offset = (uint16_t)bt_key_offset(m, i),
			};
	m->layout = (struct record_layout){
		.name = m->name, .size = m->row.key_size, .least = m->row.key_size,
		.fields = m->stacks,
	};
	m->row.key = &m->layout;
}

/* The same for stacks that are values, behind the cell. */
static void lay_out_kept(struct bt_map *m)
{
	m->kept[0] = (struct record_field){
		.name = m->name, .type = FIELD_STACK, .size = sizeof(int32_t),
		.offset = sizeof(struct bt_cell),
	};
	m->value_layout = (struct record_layout){
		.name = m->name, .size = m->row.value_size, .least = m->row.value_size,
		.fields = m->kept,
	};
	m->row.value = &m->value_layout;
}

/*
 * A limit of entries is kept exactly where an entry of the script is one in the engine. Histograms
 * have one for each slot, sums may have several.
 */
static uint32_t entries(const struct bt *b, const struct bt_map *m)
{
	const uint32_t wanted = m->entries ? m->entries : (uint32_t)b->settings.max_map_keys;

	return !wanted || (wanted < BT_ENTRIES && m->kind != BT_VALUES && m->kind != BT_COUNT) ?
	       BT_ENTRIES : wanted;
}

/* The numbers of a result without keys; 0: they may be many. */
static uint32_t numbers(const struct bt_map *m)
{
	const uint64_t n = m->kind == BT_COUNT ? 1 : m->kind == BT_HIST ? ARGDIST_NEGATIVE + 1 :
			   (uint64_t)bt_steps_of(m) + 2;

	return n <= BT_NUMBERS ? (uint32_t)n : 0;
}

/* Returns true for a result whose entries are numbers of one part, which programs count up. */
static bool counts(const struct bt_map *m)
{
	return m->kind == BT_COUNT || m->kind == BT_HIST || m->kind == BT_LHIST;
}

/* Counts without keys are in an array, which takes a tenth of a hash's time. */
static bool make_array(struct bt_map *m)
{
	if (m->n_keys || !m->in_kernel || !counts(m) || !numbers(m))
		return false;
	m->row = bt_programs.maps[BT_MAP_ARRAY];
	m->row.entries = numbers(m);
	m->row.name = m->name;
	return true;
}

/* What another CPU stores while one deletes may stay in a free slot (slots.c). */
static bool is_added_to(const struct bt *b, const struct bt_map *m, bool by_own)
{
	for (const struct bt_statement *s = b->statements; s; s = s->all)
		if (s->kind == BT_ADD && s->entry.map == m &&
		    (!by_own || s->probe->when != BT_KERNEL))
			return true;
	return false;
}

/*
 * Returns true if a program may lose its CPU while it changes an entry: programs of user space, and
 * since 7.0 those of raw tracepoints. Another key may have the slot when the program goes on.
 */
static bool may_be_preempted(const struct bt *b)
{
	for (const struct bt_probe *p = b->probes; p; p = p->next)
		if (p->when == BT_KERNEL && (p->on->probe.scope.user_space || p->on->probe.raw))
			return true;
	return false;
}

static bool is_number(const struct bt_shape *s)
{
	return s->kind != BT_TEXT && s->kind != BT_STACK;
}

/*
 * Slots are for counts, and for values that nobody but programs change: sonde can't compare and
 * exchange. They are more entries than a limit allows.
 */
static bool takes_slots(const struct bt *b, const struct bt_map *m)
{
	if (!m->in_kernel || !m->n_keys || bt_has_stacks(m) || m->entries ||
	    b->settings.max_map_keys ||
	    bt_key_size(m) - m->words_at > 8 * BT_SLOT_WORDS)
		return false;
	if (!counts(m) && (m->kind != BT_VALUES || m->changed_by_own || bt_text_size(m) ||
			   m->counted || may_be_preempted(b) || is_added_to(b, m, false)))
		return false;
	return kernel_has(b->script.kernel, FEATURE_BPF_CMPXCHG);
}

/* Settles whether the map has slots, and how its keys are in them. */
static void make_slots(const struct bt *b, struct bt_map *m)
{
	/* A histogram's slot, which is in the head, is a word, too. */
	m->words_at = bt_has_slots(m) ? 0 : bt_key_offset(m, 0);
	if (!takes_slots(b, m))
		return;
	text_all(m->slots, sizeof(m->slots), "%s.slots", m->name);
	if (m->n_keys != 1 || !is_number(&m->keys[0]) || bt_has_slots(m))
		m->words = (bt_key_size(m) - m->words_at) / 8;
}

static void make_row(const struct bt *b, struct bt_map *m)
{
	m->is_array = make_array(m);
	if (m->is_array)
		return;
	make_slots(b, m);
	m->row = bt_programs.maps[rows[m->kind]];
	m->row.entries = entries(b, m);
	m->row.name = m->name;
	m->row.key_size = (uint16_t)bt_engine_key_size(m);
	m->row.value_size = (uint16_t)(m->row.value_size + bt_text_size(m));
	m->row.added = m->changed_by_kernel && is_added_to(b, m, true);
	if (bt_has_stacks(m))
		lay_out_stacks(m);
	if (bt_keeps_stacks(m))
		lay_out_kept(m);
	if (bt_is_signed(&m->value) && bt_is_sums(m->kind)) {
		m->row.combine[3] = COMBINE_MIN_SIGNED;
		m->row.combine[4] = COMBINE_MAX_SIGNED;
	}
}

static int add_slots(struct bt *b, const struct bt_map *m)
{
	struct map slots = bt_programs.maps[BT_MAP_SLOTS];

	slots.name = m->slots;
	slots.value_size = (uint16_t)(slots.value_size + 8 * m->words);
	return *m->slots ? script_map(&b->script, &slots) : 0;
}

int bt_add_maps(struct bt *b, struct error *err)
{
	struct map lengths = bt_programs.maps[BT_LENGTHS];
	unsigned int number = 0;

	for (enum bt_map_row i = BT_EVENTS; i <= BT_FAILURES; i++)
		if (script_map(&b->script, &bt_programs.maps[i]))
			return fail(err, "out of memory");
	if (b->has_stacks && script_map(&b->script, &bt_programs.maps[BT_STACKS]))
		return fail(err, "out of memory");
	lengths.entries = 2 * b->n_lengths;
	if (lengths.entries && script_map(&b->script, &lengths))
		return fail(err, "out of memory");
	for (struct bt_map *m = b->maps; m; m = m->next) {
		if (bt_whole_key_size(m) > KEY_BYTES)
			return BT_WRONG(b, m->at, err, "the key of %s comes to %u bytes, and a key "
					"has %d at most", m->name, bt_whole_key_size(m), KEY_BYTES);
		if (check_map(b, m, err))
			return -1;
		m->number = number++;
		make_row(b, m);
		m->table = bt_table_new(m);
		if (!m->table || (m->in_kernel && script_map(&b->script, &m->row)) ||
		    add_slots(b, m))
			return fail(err, "out of memory");
	}
	return 0;
}
