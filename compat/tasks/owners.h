/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OWNERS_H
#define SONDE_OWNERS_H

#include <stdbool.h>
#include <stdint.h>


/*
 * Whose is what a process does: its control group, which names its container. The kernel tells the
 * group with the event where it can, whatever happens to the process afterwards. Elsewhere /proc
 * tells it of processes that live when the row is printed. Of what neither tells nothing is shown.
 * In memory are only the latest: a run of days has no end of processes.
 */
struct owners;

/* Who tells: this machine, or a test. Paths are the caller's to free; NULL: it can't be told. */
struct owner_sources {
	char *(*of_id)(uint64_t id);		/* of version 2 */
	char *(*of_process)(uint32_t pid, uint64_t time);	/* NULL: records have other ids */
	uint64_t (*now)(void);			/* the clock of records */
	bool version2;				/* there are no trees beside that of version 2 */
};

/* Returns NULL if there is no memory. */
struct owners *owners_new(struct owner_sources sources);
void owners_free(struct owners *o);

/* Takes what the kernel tells: at that time the process was in the group of this id. */
void owners_tell(struct owners *o, uint32_t pid, uint64_t time, uint64_t id);
/*
 * The path of the group in which a process was at that time; of a group that is gone its id, in
 * digits. NULL: it is unknown. Valid up to owners_tidy().
 */
const char *owners_find(struct owners *o, uint32_t pid, uint64_t time);
/* Between rows: forgets all, if they are many. */
void owners_tidy(struct owners *o);

#endif
