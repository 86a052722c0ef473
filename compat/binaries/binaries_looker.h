/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BINARIES_LOOKER_H
#define SONDE_BINARIES_LOOKER_H

#include <limits.h>

#include "compat/binaries/binaries_internal.h"

/*
 * The process that looks for the files of a library: binaries_search.c runs it, binaries_mapped.c
 * looks at what processes have mapped, binaries_folders.c where programs find them.
 */
#define CANDIDATES_MOST	16384		/* different files of the name in all processes */
#define SECONDS_MOST	10
#define HANGS_MOST	3

/* A file that some processes have mapped. */
struct candidate {
	struct identity mapped;
	/* how many; the number of the last one in the search */
	unsigned int processes, last;
	/* of the first one: the mapping, the process, the path there */
	unsigned long long from, to;
	char pid[12];
	char *path;
};

struct looker {
	struct search *s;
	int to;
	int64_t end;				/* seconds */
	char *hung[HANGS_MOST];			/* paths that are not looked at any more */
	unsigned int n_hung;
	int root;				/* of the paths; -1: sonde's own */
	char now[PATH_MAX + 32];		/* what it looks at */
	bool again;				/* for the second time, as it hung there before */
	/* In the process: */
	unsigned int kept, process, n_candidates, unlisted;
	struct candidate *candidates;		/* a hash table */
	struct identity own[FILES_MOST];	/* of files that were handed over */
};

/* ---- binaries_search.c ---- */

bool looker_late(const struct looker *l);
/* Has it found as many files as are probed? */
bool looker_full(const struct looker *l);
/* Says what it will look at next; false if that hung before. */
bool looker_looks_at(const struct looker *l, const char *path);
void looker_leaves_out(const struct looker *l, const char *path, const char *why);
/* Says what is not looked at. */
void looker_limit(const struct looker *l, const char *what);
/* Hands over an open file that is new and can be probed; of a mapped one else says why not. */
void looker_considers(struct looker *l, int fd, const char *path, const struct identity *mapped);
bool identity_same(const struct identity *a, const struct identity *b);
/* Is a file of this name, which need not end with a NUL, the library? */
bool library_has_file(const struct library *l, const char *name, size_t length);

/* ---- binaries_mapped.c ---- */

/* Notes what the process has mapped with the library's name. */
void looker_scan_process(struct looker *l, const char *pid);
void looker_scan_processes(struct looker *l);
/* Considers what was noted. The files that most processes use come first. */
void looker_try_candidates(struct looker *l);

/* ---- binaries_folders.c ---- */

/* Considers the files where programs of sonde's own root find them. */
void looker_scan_folders(struct looker *l);
/* Where the wanted processes would find it: in their own roots. Returns whether one has sonde's. */
bool looker_scan_roots(struct looker *l);

#endif
