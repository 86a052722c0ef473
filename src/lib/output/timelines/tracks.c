// SPDX-License-Identifier: GPL-2.0
#include "src/lib/output/timelines/tracks.h"

#include <stdlib.h>
#include <string.h>

#include "src/lib/output/timelines/timeline.h"

void tracks_free(struct tracks *t)
{
	struct track *track;

	for (uint32_t at = 0; (track = hash_next(&t->tracks, &at));)
		free(track->lanes);
	hash_clear(&t->tracks);
	t->floor = t->newest;
	t->generation++;
}

static struct track *track_of(struct tracks *t, const void *key, size_t size)
{
	struct track *track;

	t->tracks.value_size = sizeof(*track);
	track = hash_find(&t->tracks, key, size);
	if (track)
		return track;
	if (t->tracks.index.n >= TRACKS_KEPT)
		tracks_free(t);
	track = hash_add(&t->tracks, key, size);
	if (!track)
		return NULL;
	track->id = timeline_id(0, key, size);
	track->floor = t->floor;
	track->generation = t->generation;
	return track;
}

struct track *track_of_task(struct tracks *t, int64_t pid, int64_t tid)
{
	const int64_t key[] = { pid, tid };
	struct track *track = track_of(t, key, sizeof(key));

	if (track) {
		track->kind = tid < 0 ? TRACK_PROCESS : TRACK_THREAD;
		track->pid = pid;
		track->tid = tid;
	}
	return track;
}

/* Names have at least one byte, and none has 16 with a 0 among them: no key is that of a task. */
struct track *track_of_name(struct tracks *t, const char *name)
{
	struct track *track = track_of(t, name, strlen(name));

	if (track) {
		track->kind = TRACK_NAMED;
		track->name = name;
	}
	return track;
}

/*
 * May both be on the track of a thread? `h` was written before. At equal times a reader ends and
 * begins spans in the order of the file.
 */
static bool fits(int64_t h_begin, int64_t h_end, int64_t begin, int64_t end)
{
	if (begin > h_begin)
		return begin >= h_end || end <= h_end;
	if (begin == h_begin)
		return h_begin == h_end || end <= h_end;
	return end < h_begin || end >= h_end;
}

static void hold(struct track *track, int64_t begin, int64_t end)
{
	unsigned int at = track->n_held;

	if (at == TRACK_HELD) {
		at = 0;
		for (unsigned int i = 1; i < TRACK_HELD; i++)
			if (track->held[i].end < track->held[at].end)
				at = i;
		if (track->held[at].end > track->floor)
			track->floor = track->held[at].end;
	} else {
		track->n_held++;
	}
	track->held[at].begin = begin;
	track->held[at].end = end;
}

static bool takes(struct track *track, int64_t begin, int64_t end)
{
	if (begin < track->floor)
		return false;
	if (track->kind != TRACK_THREAD) {
		track->floor = end;
		return true;
	}
	for (unsigned int i = 0; i < track->n_held; i++)
		if (!fits(track->held[i].begin, track->held[i].end, begin, end))
			return false;
	hold(track, begin, end);
	return true;
}

/* A lane that is free at `begin`, or one more; without memory, one that nobody else gets. */
static unsigned int lane_for(struct track *track, int64_t begin, int64_t end, bool *fresh)
{
	unsigned int i = 0;
	int64_t *more;

	while (i < track->n_lanes && track->lanes[i] > begin)
		i++;
	*fresh = i == track->n_lanes;
	if (*fresh) {
		more = i < TRACK_LANES ? realloc(track->lanes, (i + 1) * sizeof(*more)) : NULL;
		if (!more)
			return TRACK_LANES + (unsigned int)++track->n_beyond;
		track->lanes = more;
		track->n_lanes++;
	}
	track->lanes[i] = end;
	return i + 1;
}

unsigned int track_place(struct tracks *t, struct track *track, int64_t begin, int64_t end,
			 bool *fresh)
{
	*fresh = false;
	if (end > t->newest)
		t->newest = end;
	return takes(track, begin, end) ? 0 : lane_for(track, begin, end, fresh);
}

uint64_t track_lane_id(const struct track *track, unsigned int lane)
{
	const uint64_t key[] = { track->generation, lane };

	return lane ? timeline_id(track->id, key, sizeof(key)) : track->id;
}
