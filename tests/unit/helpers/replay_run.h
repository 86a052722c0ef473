/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_REPLAY_RUN_H
#define SONDE_REPLAY_RUN_H

#include "src/run/run.h"

/*
 * A run of a tool without a session: its command line, a kernel's snapshot, then a plan for an
 * engine, or the whole run over records of the replay engine.
 */
struct trial {
	struct run run;
	struct error err;
	struct engine_stats stats;
	uint32_t child;		/* the process of --exec; 0: none */
	FILE *out;
	char words[65536];	/* the command line: options point into it */
	char records[32];	/* the file of records; the engine names it in its messages */
	char *text;		/* what the tool printed */
	size_t size;
};

/* Kernels with a snapshot, oldest first; ends with NULL. */
extern const char *const trial_versions[];
/* The snapshot of one of these, from tests/unit/kernels. */
struct kernel *trial_kernel(const char *version);

/*
 * The next set of programs of a tool: those that it has otherwise, then its last resort. The first
 * one for NULL. Returns NULL behind the last one, or if the tool has no programs.
 */
const struct program_set *tool_set_after(const struct tool *t, const struct program_set *set);

/*
 * Reads the command line ("opensnoop -x -p 7"); trial_end() frees the kernel. Returns -1 and sets
 * t->err if the tool refuses it.
 */
int trial_start(struct trial *t, const char *command, struct kernel *k);
/* Resolves and lowers. Returns -1 and sets t->err if this kernel can't serve it. */
int trial_plan(struct trial *t, enum target target);
/*
 * Plans, opens and starts the replay engine on these records as --input does; fills filters and the
 * tool's tables. Runs no record.
 */
int trial_open(struct trial *t, const char *records, const struct output_format *format);
/* trial_open(); then runs all records and prints as at the end of a run. */
int trial_replay(struct trial *t, const char *records, const struct output_format *format);
void trial_end(struct trial *t);

#endif
