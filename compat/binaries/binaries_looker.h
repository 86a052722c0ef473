/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BINARIES_LOOKER_H
#define SONDE_BINARIES_LOOKER_H

#include <limits.h>

#include "compat/binaries/binaries_internal.h"

/*
 * The process that searches for the files of a library. binaries_search.c runs it,
 * binaries_mapped.c searches in what processes have mapped, binaries_folders.c in folders.
 */
#define CANDIDATES_MOST	16384		/* different files of the name in all processes */
#define SECONDS_MOST	10
#define HANGS_MOST	3

/* A file that some processes have mapped. */
struct candidate {
	struct identity mapped;
	/* number of these processes; number of the last one in the search */
	unsigned int processes, last;
	/* of the first one: the mapping, the process, the path there */
	unsigned long long from, to;
	char pid[12];
	char *path;
};

struct looker {
	struct search *s;
	int to;
	int64_t end;				/* when the time is over: monotonic_ms() */
	char *hung[HANGS_MOST];			/* paths that blocked: they are skipped */
	unsigned int n_hung;
	int root;				/* the root of paths; -1: sonde's own */
	char now[PATH_MAX + 32];		/* the path being looked at */
	bool again;				/* the second run, after a path blocked */
	/* In the process: */
	unsigned int kept, process, n_candidates, unlisted;
	struct candidate *candidates;		/* a hash table */
	struct identity own[FILES_MOST];	/* of files that were handed over */
};

/* ---- binaries_search.c ---- */

/* Returns true if the time is over. */
bool looker_late(const struct looker *l);
/* Returns true if it has found as many files as are probed. */
bool looker_full(const struct looker *l);
/* Announces the next path. Returns false if that path blocked before. */
bool looker_looks_at(const struct looker *l, const char *path);
/* Reports a file that can't be probed. */
void looker_leaves_out(const struct looker *l, const char *path, const char *why);
/* Reports what is not searched. */
void looker_limit(const struct looker *l, const char *what);
/* Hands over an open file if it is new and can be probed; reports a mapped file that can't be. */
void looker_considers(struct looker *l, int fd, const char *path, const struct identity *mapped);
bool identity_same(const struct identity *a, const struct identity *b);
/* Returns true if a file of this name, which may lack a NUL, is the library. */
bool library_has_file(const struct library *l, const char *name, size_t length);

/* ---- binaries_mapped.c ---- */

/* Notes the files with the library's name that one process has mapped, or all processes. */
void looker_scan_process(struct looker *l, const char *pid);
void looker_scan_processes(struct looker *l);
/* Considers the noted files. Files that most processes use come first. */
void looker_try_candidates(struct looker *l);

/* ---- binaries_folders.c ---- */

/* Considers the files that programs of sonde's own root will find. */
void looker_scan_folders(struct looker *l);
/*
 * Considers the files that the wanted processes would find in their own roots. Returns true if one
 * of them has sonde's root.
 */
bool looker_scan_roots(struct looker *l);

#endif
