/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HISTS_H
#define SONDE_HISTS_H

#include "src/tool.h"

struct hist_group {
	uint64_t id;
	struct hist hist;
};

/* Histograms by group, in the order of their ids, as tools take them out of a map and print them. */
struct hists {
	struct hist_group **groups;
	unsigned int n;
	bool failed;			/* out of memory */
};

/* Adds to one slot of a group's histogram. */
void hists_add(struct hists *h, uint64_t id, uint32_t slot, uint64_t count);
void hists_free(struct hists *h);

/* Takes a map from slot (u32) to count (u64) as group 0. */
int hists_take(struct run *r, const char *map, struct hists *h, struct error *err);
/* Takes a map whose keys are { u32 epoch, u32 slot, u64 id }. */
int hists_take_groups(struct run *r, const char *map, struct hists *h, struct error *err);

#endif
