/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_REPLAY_RUN_H
#define SONDE_REPLAY_RUN_H

#include "src/run.h"

/*
 * A run of a tool without a session: its command line, the snapshot of a kernel, and then a plan
 * for an engine, or all of it over records of the replay engine.
 */
struct trial {
	struct run run;
	struct error err;
	struct engine_stats stats;
	uint32_t child;		/* the process of --exec; 0: none */
	FILE *out;
	char words[65536];	/* of the command line: options keep pointing there */
	char records[32];	/* the file of records; the engine names it in its messages */
	char *text;		/* what the tool printed */
	size_t size;
};

/* Kernels there are snapshots of, oldest first; ends with NULL. */
extern const char *const trial_versions[];
/* The snapshot of one of these, as tests/unit/kernels has them. */
struct kernel *trial_kernel(const char *version);

/*
 * Reads the command line ("opensnoop -x -p 7"); the kernel is trial_end()'s to free. -1 and t->err:
 * the tool refuses.
 */
int trial_start(struct trial *t, const char *command, struct kernel *k);
/* Resolves and lowers; -1 and t->err: this kernel can't serve it. */
int trial_plan(struct trial *t, enum target target);
/*
 * Plans, opens and starts the replay engine on these records as --input does; fills filters and the
 * tool's tables. No record is run.
 */
int trial_open(struct trial *t, const char *records, const struct output_format *format);
/* trial_open(), runs all records and prints as at the end of a run. */
int trial_replay(struct trial *t, const char *records, const struct output_format *format);
void trial_end(struct trial *t);

#endif
