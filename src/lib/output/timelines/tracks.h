/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACKS_H
#define SONDE_TRACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/hash.h"

/*
 * Where spans are drawn. On the track of a thread spans are within others or apart, as calls are;
 * one that overlaps another in part, and any that overlaps another on a track of a process or a
 * device, goes to a lane beside it.
 */
enum track_kind { TRACK_THREAD, TRACK_PROCESS, TRACK_NAMED };

#define TRACK_HELD 32
#define TRACK_LANES 4096		/* more at a time have a lane of their own each */

struct track {
	uint64_t id;
	enum track_kind kind;
	bool told;			/* the file has it */
	int64_t pid, tid;		/* of its task */
	const char *name;		/* TRACK_NAMED */
	/* spans of a thread that later ones may be within, or that may be within later ones */
	struct { int64_t begin, end; } held[TRACK_HELD];
	unsigned int n_held;
	int64_t floor;			/* of what was before it nothing is kept */
	int64_t *lanes;			/* by lane, but for the first: the end of its last span */
	unsigned int n_lanes;
	uint64_t n_beyond;		/* spans in lanes beyond TRACK_LANES */
	uint64_t generation;		/* lanes of an earlier track with this id are others */
};

/* All zero at first. Only so many tracks are kept; others are forgotten and come as new ones. */
#define TRACKS_KEPT 4096
struct tracks {
	struct hash tracks;
	int64_t newest;			/* the newest end of a span */
	int64_t floor;			/* as of a track, of those that were forgotten */
	uint64_t generation;		/* how often they were */
};

/*
 * The track of a thread, of a process (tid -1), or of a name. Valid until the next call. Returns
 * NULL if there is no memory.
 */
struct track *track_of_task(struct tracks *t, int64_t pid, int64_t tid);
struct track *track_of_name(struct tracks *t, const char *name);
/* The lane for a span. *fresh: it has no span yet. */
unsigned int track_place(struct tracks *t, struct track *track, int64_t begin, int64_t end,
			 bool *fresh);
/* A number for a lane, as the track has one. */
uint64_t track_lane_id(const struct track *track, unsigned int lane);
void tracks_free(struct tracks *t);

#endif
