// SPDX-License-Identifier: GPL-2.0
#include "backends/bpf/bpf_stacks.h"

#include <errno.h>
#include <stdlib.h>

#include "compat/base/bpf.h"

/* One of so many places is looked at, if the kernel does not list the used ones (before 4.16). */
#define STRIDE 16
#define NONE UINT32_MAX

static unsigned int part_of(unsigned int table)
{
	return table < STACK_PARTS ? table : STACK_PARTS - 1;
}

/*
 * Returns the plan's next map, from `map` on, that is a table of the part; NONE: there are no more.
 * `table`: the table's number.
 */
static unsigned int next_table(const struct bpf_stacks *b, unsigned int part, unsigned int map,
			       unsigned int *table)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < b->plan->n_maps; i++) {
		if (!is_stack_table(&b->plan->maps[i]))
			continue;
		*table = n++;
		if (i >= map && part_of(*table) == part)
			return i;
	}
	return NONE;
}

static bool walked_is_used(int fd, uint32_t place)
{
	struct walked_stack stack;

	return !bpf_map_lookup_elem(fd, &place, &stack) && (stack.hash || stack.claims);
}

static bool is_used(const struct map *m, int fd, uint32_t place)
{
	uint64_t addresses[STACK_DEPTH];

	return m->kind == MAP_WALKED ? walked_is_used(fd, place) :
	       !bpf_map_lookup_elem(fd, &place, addresses);
}

/*
 * Writes the used places of a table, at most `most`, to `places`, if it is not NULL. Returns their
 * number; -1: the kernel does not list them (MAP_STACKS before 4.16, arrays always).
 */
static int64_t used_places(const struct map *m, int fd, uint32_t *places, uint32_t most)
{
	uint32_t place = 0, n = 0;
	int error = m->kind == MAP_STACKS ? bpf_map_get_next_key(fd, NULL, &place) : -EINVAL;

	for (; !error && n < most; n++) {
		uint32_t from = place;

		if (places)
			places[n] = place;
		error = bpf_map_get_next_key(fd, &from, &place);
	}
	return !error || error == -ENOENT ? (int64_t)n : -1;
}

/* The number of stacks in a table, up to `most`; an estimate of all if the kernel lists none. */
static uint32_t count_stacks(const struct map *m, int fd, uint32_t most)
{
	int64_t used = used_places(m, fd, NULL, most);
	uint32_t n = 0, stride = m->entries < 2 * STRIDE ? 1 : STRIDE;

	if (used >= 0)
		return (uint32_t)used;
	for (uint32_t place = 0; place < stack_places(m); place += stride)
		n += is_used(m, fd, place) ? stride : 0;
	return n;
}

static bool is_crowded(struct bpf_stacks *b, unsigned int part, bool taken)
{
	struct stack_crowd *c = &b->crowds[part];
	uint32_t n = 0, room = 0, most;
	unsigned int table;

	for (unsigned int i = 0; (i = next_table(b, part, i, &table)) != NONE; i++)
		room += b->plan->maps[i].entries;
	most = stack_crowd_most(c, room, taken);
	for (unsigned int i = 0; (i = next_table(b, part, i, &table)) != NONE && n < most; i++)
		n += count_stacks(&b->plan->maps[i], b->fds[i], most);
	return room && stack_crowded(c, n, room, taken);
}

static int set_round(struct bpf_stacks *b, uint64_t round, struct error *err)
{
	const uint32_t slot = STATE_STACKS;
	int error = bpf_map_update_elem(b->state, &slot, &round, BPF_ANY);

	if (error)
		return fail_with(err, -error, "can't empty the tables of stacks: %m");
	b->round = round;
	return 0;
}

/* ---- stacks that something refers to ---- */

struct settling {
	bpf_settle_fn *settle;
	struct engine *engine;
	const struct stack_holders *holders;
};

/*
 * Marks the stacks of all result maps, or of all other maps. Returns 1 if all entries were seen, 0
 * if some may be missing, -1 and sets err on failure.
 */
static int mark_maps(struct bpf_stacks *b, bool results, struct stack_marks *marks,
		     struct error *err)
{
	int whole = 1;

	for (unsigned int i = 0; i < b->plan->n_maps && whole > 0; i++) {
		const struct map *m = &b->plan->maps[i];
		struct stack_marking marking = { marks, m };

		if (m->kind == MAP_HASH && map_refers_to_stacks(m) &&
		    (m->role == ROLE_RESULT) == results)
			whole = bpf_take_look(b->take, i, stack_marks_entry, &marking, err);
	}
	return whole;
}

/*
 * Programs move a stack's number from their own maps to results and records, never back. So a
 * number that was in one of their own maps while these were read is in a result or a record by the
 * time that results and records are read.
 */
static int mark_all(struct bpf_stacks *b, const struct settling *s, struct stack_marks *marks,
		    struct error *err)
{
	int whole = mark_maps(b, false, marks, err);

	if (whole <= 0)
		return whole;
	bpf_take_wait(b->take);
	if (s->settle(s->engine, s->holders, err))
		return -1;
	whole = mark_maps(b, true, marks, err);
	s->holders->held(s->holders->arg, marks);
	return whole;
}

/* ---- stacks that nothing refers to ---- */

static int forget(const struct map *m, int fd, uint32_t place)
{
	static const struct walked_stack none;
	int error = m->kind == MAP_WALKED ? bpf_map_update_elem(fd, &place, &none, BPF_ANY) :
		    bpf_map_delete_elem(fd, &place);

	return error == -ENOENT ? 0 : error;
}

static int sweep_table(struct bpf_stacks *b, unsigned int map, unsigned int table,
		       const struct stack_marks *marks, uint32_t *kept)
{
	const struct map *m = &b->plan->maps[map];
	uint32_t n = stack_places(m);
	uint32_t *places = malloc(n * sizeof(*places));
	int64_t used = places ? used_places(m, b->fds[map], places, n) : -1;
	int error = places ? 0 : -ENOMEM;

	for (uint32_t i = 0; !error && i < (used < 0 ? n : (uint32_t)used); i++) {
		uint32_t place = used < 0 ? i : places[i];

		if (stack_marked(marks, table, place))
			++*kept;
		else
			error = forget(m, b->fds[map], place);
	}
	free(places);
	return error;
}

static int sweep(struct bpf_stacks *b, unsigned int part, const struct stack_marks *marks,
		 struct error *err)
{
	unsigned int table;
	uint32_t kept = 0;
	int error = 0;

	for (unsigned int i = 0; !error && (i = next_table(b, part, i, &table)) != NONE; i++)
		error = sweep_table(b, i, table, marks, &kept);
	b->crowds[part].kept = kept;
	if (error)
		return fail_with(err, -error, "can't empty the tables of stacks: %m");
	if (b->verbose)
		fprintf(b->verbose, "bpf: stacks were thrown away, %u of part %u are kept\n",
			kept, part);
	return 0;
}

static int renew_part(struct bpf_stacks *b, unsigned int part, const struct settling *s,
		      struct error *err)
{
	const uint64_t open = b->round;
	struct stack_marks marks;
	int result;

	if (stack_marks_init(&marks, b->plan->maps, b->plan->n_maps))
		return fail(err, "out of memory");
	result = set_round(b, open | 1U << part, err);
	if (!result) {
		bpf_take_wait(b->take);
		result = mark_all(b, s, &marks, err);
		if (result > 0)
			result = sweep(b, part, &marks, err);
		/* The lowest bits, one for each part, mark closed parts; the count is above. */
		if (set_round(b, open + (1U << STACK_PARTS), result ? NULL : err))
			result = -1;
	}
	stack_marks_free(&marks);
	return result;
}

int bpf_stacks_renew(struct bpf_stacks *b, bpf_settle_fn *settle, struct engine *e,
		     const struct stack_holders *holders, struct error *err)
{
	const struct settling s = { settle, e, holders };

	if (!holders->taken && !stacks_leave(b->plan->maps, b->plan->n_maps))
		return 0;
	for (unsigned int part = 0; part < STACK_PARTS; part++)
		if (is_crowded(b, part, holders->taken) && renew_part(b, part, &s, err))
			return -1;
	return 0;
}

int bpf_stacks_get(const struct bpf_stacks *b, unsigned int map, uint32_t number, void *value)
{
	unsigned int table = number >> STACK_TABLE_SHIFT;

	number &= (1U << STACK_TABLE_SHIFT) - 1;
	for (; map < b->plan->n_maps; map++)
		if (b->plan->maps[map].kind == MAP_STACKS && !table--)
			return bpf_map_lookup_elem(b->fds[map], &number, value) ? -1 : 0;
	return -1;
}
