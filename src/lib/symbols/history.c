// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/history.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"

#define BUCKETS 4096
#define LIVES_MOST 131072
#define ENDED_BYTES_MOST (8u << 20)	/* of lives that have ended */
#define MAPPINGS_MOST 4096		/* of a process, since its last exec */
#define DEPTH_MOST 8			/* levels that a search goes through, one for each fork */

/*
 * Mappings in the order of their events. The last mapping that covers an address is valid. Mappings
 * are only added at the end. So a child needs no copy: it begins with its parent's first n.
 */
struct space {
	uint32_t users;
	uint32_t n, base_n;
	unsigned int depth;
	struct space *base;		/* its first base_n mappings come first; may be NULL */
	struct mapping *mappings;
};

struct life {
	struct life *next;		/* in its bucket, the newest first */
	uint32_t pid;
	uint64_t from, ended;		/* ended is 0: it has not ended */
	uint64_t seeded;		/* when its mappings were read from /proc; 0: never */
	uint64_t blind;			/* mappings are unknown from then on; 0: never */
	bool complete;			/* the mappings at its beginning are known */
	struct space *space;
	struct life *earlier, *later;	/* neighbours among ended lives, in the order of ends */
};

struct history {
	struct life *buckets[BUCKETS];
	struct life *first, *last;	/* of the ended lives */
	uint32_t n;
	size_t ended_bytes;
	struct history_losses losses;
};

struct history *history_new(void)
{
	return calloc(1, sizeof(struct history));
}

/* ---- spaces ---- */

static void drop_space(struct space *s)
{
	while (s && !--s->users) {
		struct space *base = s->base;

		free(s->mappings);
		free(s);
		s = base;
	}
}

static struct space *new_space(struct space *base, uint32_t base_n)
{
	struct space *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->users = 1;
	/* A base without mappings of its own would only be one more level: it is skipped. */
	while (base && !base_n) {
		base_n = base->base_n;
		base = base->base;
	}
	if (base) {
		base->users++;
		s->depth = base->depth + 1;
	}
	s->base = base;
	s->base_n = base_n;
	return s;
}

static int append(struct space *s, const struct mapping *m)
{
	if (array_room(&s->mappings, s->n, sizeof(*m)))
		return -1;
	s->mappings[s->n++] = *m;
	return 0;
}

/*
 * The last mapping that overlaps with the range and was made at `time` or before. Returns NULL if
 * there is none.
 */
static const struct mapping *last_overlap(const struct space *s, uint64_t start, uint64_t end,
					  uint64_t time)
{
	uint32_t n = s ? s->n : 0;

	while (s) {
		while (n--) {
			const struct mapping *m = &s->mappings[n];

			if (m->start < end && m->end > start && m->since <= time)
				return m;
		}
		n = s->base_n;
		s = s->base;
	}
	return NULL;
}

static bool is_covered(const struct mapping *m, const struct mapping *later, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (later[i].start <= m->start && later[i].end >= m->end)
			return true;
	return false;
}

/* Copies the deepest level first, so that the order stays. */
static int copy_all(struct space *to, const struct space *from, uint32_t n)
{
	if (from->base && copy_all(to, from->base, from->base_n))
		return -1;
	for (uint32_t i = 0; i < n; i++)
		if (append(to, &from->mappings[i]))
			return -1;
	return 0;
}

/* A copy with all mappings on one level. Returns NULL if there is no memory. */
static struct space *flatten(const struct space *from, uint32_t n)
{
	struct space *s = new_space(NULL, 0);

	if (s && copy_all(s, from, n)) {
		drop_space(s);
		s = NULL;
	}
	return s;
}

/* Drops the mappings that a later mapping covers. */
static void thin_out(struct space *s)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < s->n; i++)
		if (!is_covered(&s->mappings[i], s->mappings + i + 1, s->n - i - 1))
			s->mappings[kept++] = s->mappings[i];
	s->n = kept;
}

/* ---- lives ---- */

static struct life **bucket(const struct history *h, uint32_t pid)
{
	return (struct life **)&h->buckets[pid % BUCKETS];
}

static struct life *newest(const struct history *h, uint32_t pid)
{
	struct life *l = *bucket(h, pid);

	while (l && l->pid != pid)
		l = l->next;
	return l;
}

static size_t bytes_of(const struct life *l)
{
	return sizeof(*l) + sizeof(*l->space) + 2 * l->space->n * sizeof(struct mapping);
}

static void leave_ended(struct history *h, struct life *l)
{
	*(l->earlier ? &l->earlier->later : &h->first) = l->later;
	*(l->later ? &l->later->earlier : &h->last) = l->earlier;
	h->ended_bytes -= bytes_of(l);
}

static void free_life(struct history *h, struct life *l)
{
	struct life **at = bucket(h, l->pid);

	while (*at != l)
		at = &(*at)->next;
	*at = l->next;
	if (l->ended)
		leave_ended(h, l);
	drop_space(l->space);
	free(l);
	h->n--;
}

static void end_life(struct history *h, struct life *l, uint64_t time)
{
	if (l->ended)
		return;
	l->ended = time ? time : 1;
	l->earlier = h->last;
	l->later = NULL;
	*(h->last ? &h->last->later : &h->first) = l;
	h->last = l;
	h->ended_bytes += bytes_of(l);
	while (h->ended_bytes > ENDED_BYTES_MOST && h->first != l) {
		free_life(h, h->first);
		h->losses.lives++;
	}
}

/* Takes over the space. NULL: there was no memory for it. */
static struct life *begin_life(struct history *h, uint32_t pid, uint64_t from, struct space *space)
{
	struct life *old = newest(h, pid), *l;

	if (old)
		end_life(h, old, from);
	if (h->n == LIVES_MOST && h->first) {
		free_life(h, h->first);
		h->losses.lives++;
	}
	l = space && h->n < LIVES_MOST ? calloc(1, sizeof(*l)) : NULL;
	if (!l) {
		drop_space(space);
		h->losses.lives++;
		return NULL;
	}
	*l = (struct life){ .pid = pid, .from = from, .space = space, .next = *bucket(h, pid) };
	*bucket(h, pid) = l;
	h->n++;
	return l;
}

/* The newest life of a process. An unknown process gets a life. */
static struct life *current(struct history *h, uint32_t pid)
{
	struct life *l = newest(h, pid);

	return l ? l : begin_life(h, pid, 0, new_space(NULL, 0));
}

void history_free(struct history *h)
{
	if (!h)
		return;
	for (unsigned int i = 0; i < BUCKETS; i++)
		while (h->buckets[i])
			free_life(h, h->buckets[i]);
	free(h);
}

/* ---- events ---- */

/* A mapping could not be kept: from now on it is unknown what is at which address. */
static void go_blind(struct history *h, struct life *l, uint64_t time)
{
	if (!l->blind)
		l->blind = time ? time : 1;
	h->losses.mappings++;
}

static int make_room(struct life *l)
{
	struct space *s;

	if (l->space->n < MAPPINGS_MOST)
		return 0;
	s = flatten(l->space, l->space->n);
	if (!s)
		return -1;
	thin_out(s);
	/* With less room than this, nearly each new mapping would thin out again. */
	if (s->n > MAPPINGS_MOST / 4 * 3) {
		drop_space(s);
		return -1;
	}
	drop_space(l->space);
	l->space = s;
	return 0;
}

static void add(struct history *h, struct life *l, const struct mapping *m)
{
	const struct mapping *there = last_overlap(l->space, m->start, m->end, UINT64_MAX);
	const bool ended = l->ended != 0;

	/* A change of protection is an event too: such a mapping is known already. */
	if (there ? there->start == m->start && there->end == m->end &&
	    there->offset == m->offset && there->file == m->file : !m->file)
		return;
	if (ended)
		h->ended_bytes -= bytes_of(l);
	if (l->blind || make_room(l) || append(l->space, m))
		go_blind(h, l, m->since);
	if (ended)
		h->ended_bytes += bytes_of(l);
}

void history_map(struct history *h, uint32_t pid, uint64_t time, uint64_t start, uint64_t end,
		 uint64_t offset, uint32_t file)
{
	struct life *l = current(h, pid);

	if (l && start < end)
		add(h, l, &(struct mapping){ start, end, offset, time, file });
}

void history_fork(struct history *h, uint32_t parent, uint32_t child, uint64_t time)
{
	struct life *l = newest(h, parent), *known = newest(h, child);
	const bool complete = l && l->complete;
	const uint64_t blind = l ? l->blind : 0;
	struct space *space;

	/* /proc showed the child before its event came. */
	if (known && !known->from && known->seeded > time) {
		known->from = time;
		return;
	}
	if (l && l->space->depth >= DEPTH_MOST)
		space = flatten(l->space, l->space->n);
	else
		space = new_space(l ? l->space : NULL, l ? l->space->n : 0);
	/*
	 * This may drop the parent's life, if its first thread has ended. So `complete` and `blind`
	 * were read before.
	 */
	known = begin_life(h, child, time, space);
	if (known) {
		known->complete = complete;
		known->blind = blind;
	}
}

void history_exec(struct history *h, uint32_t pid, uint64_t time)
{
	struct life *l = newest(h, pid);

	/* /proc was read after the exec: it showed mappings of the new program. */
	if (l && l->seeded > time)
		l->blind = 1;
	l = begin_life(h, pid, time, new_space(NULL, 0));
	if (l)
		l->complete = true;
}

void history_exit(struct history *h, uint32_t pid, uint64_t time)
{
	struct life *l = newest(h, pid);

	if (!l)
		return;
	if (l->seeded > time)
		l->blind = 1;
	end_life(h, l, time);
}

bool history_seed(struct history *h, uint32_t pid, uint64_t time)
{
	struct life *l = current(h, pid);

	if (!l || l->complete || l->seeded || l->ended)
		return false;
	l->seeded = time;
	/* The mappings of /proc come before those of events. */
	if (!l->space->base) {
		l->space->base = new_space(NULL, 0);
		l->space->depth = l->space->base ? 1 : 0;
	}
	return true;
}

void history_seed_mapping(struct history *h, uint32_t pid, uint64_t start, uint64_t end,
			  uint64_t offset, uint32_t file)
{
	struct life *l = newest(h, pid);
	struct space *base = l ? l->space->base : NULL;
	const struct mapping m = { start, end, offset, 0, file };

	if (!l || start >= end)
		return;
	/* A base that belongs to the parent must not change. */
	if (!base || base->users > 1 || base->n != l->space->base_n) {
		add(h, l, &m);
	} else if (base->n == MAPPINGS_MOST || append(base, &m)) {
		go_blind(h, l, 1);
	} else {
		l->space->base_n = base->n;
		l->complete = true;
	}
}

/* ---- asking ---- */

static const struct life *life_at(const struct history *h, uint32_t pid, uint64_t time)
{
	const struct life *l = *bucket(h, pid);

	while (l && (l->pid != pid || l->from > time))
		l = l->next;
	return l;
}

const struct mapping *history_find(const struct history *h, uint32_t pid, uint64_t time,
				   uint64_t address, struct history_life *life)
{
	const struct mapping *m;
	const struct life *l = life_at(h, pid, time);

	if (!l || (l->blind && time >= l->blind) || address == UINT64_MAX)
		return NULL;
	m = last_overlap(l->space, address, address + 1, time);
	if (!m || !m->file)
		return NULL;
	if (life)
		*life = (struct history_life){ pid, l->from };
	return m;
}

uint64_t history_since(const struct history *h, uint32_t pid, uint64_t time, uint64_t address)
{
	const struct life *l = life_at(h, pid, time);
	const struct mapping *m = l && address != UINT64_MAX ?
		last_overlap(l->space, address, address + 1, time) : NULL;

	return m && m->since > l->from ? m->since : 0;
}

/* Unmapping has no event, so mappings stay in the history: an address with none never had code. */
bool history_empty(const struct history *h, uint32_t pid, uint64_t time, uint64_t address)
{
	const struct life *l = life_at(h, pid, time);

	return l && l->complete && !l->blind && address != UINT64_MAX &&
		!last_overlap(l->space, address, address + 1, time);
}

void history_forget(struct history *h, uint64_t before)
{
	while (h->first && h->first->ended < before)
		free_life(h, h->first);
}

struct history_losses history_losses(const struct history *h)
{
	return h->losses;
}
