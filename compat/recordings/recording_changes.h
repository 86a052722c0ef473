/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORDING_CHANGES_H
#define SONDE_RECORDING_CHANGES_H

#include "compat/recordings/recording.h"

/*
 * What a recording tells of its processes: which files they mapped, and when they began, ran
 * another program, or ended. Addresses of user space lead to files by it.
 */
enum recorded_change_kind {
	CHANGE_MAP,			/* the process mapped memory */
	CHANGE_EXEC,			/* it runs another program */
	CHANGE_NAME,			/* a thread of it has another name */
	CHANGE_FORK,			/* it was made, by `parent` */
	CHANGE_EXIT,
};

struct recorded_change {
	uint64_t time;			/* 0: it was so before the first event */
	uint64_t order;			/* of changes of the same time */
	enum recorded_change_kind kind;
	uint32_t pid, tid, parent;
	/* CHANGE_MAP: addresses, and where the file begins there */
	uint64_t start, length, offset;
	bool code;			/* executable memory */
	bool identified;		/* the recording has the file's build id */
	uint8_t build_id[BUILD_ID];	/* filled with zeros */
	uint32_t major, minor;		/* of the file; 0: unknown */
	uint64_t inode, generation;
	/* CHANGE_MAP: the path; CHANGE_EXEC and CHANGE_NAME: the name of the thread */
	const char *text;
};

/* Keeps changes from now on: to be called before the first recording_next(). */
void recording_follow(struct recording *r);
/*
 * The next change, in the order of time, of those that were read and are not later than `until`.
 * Returns NULL if there is none. Valid until the next call, or recording_next().
 */
const struct recorded_change *recording_change(struct recording *r, uint64_t until);
/* Why changes are unknown, or may be; NULL: they are known. */
const char *recording_changes_lack(const struct recording *r);

/*
 * The build id of a path, which the recording has once for all mappings of it. Returns NULL if it
 * has none, or several.
 */
const uint8_t *recording_build_id(const struct recording *r, const char *path);

#endif
