// SPDX-License-Identifier: GPL-2.0
#include "src/session/limits.h"

#include <sys/prctl.h>

/*
 * Each event is a file descriptor; with perf there is one for each probe and CPU. The limit is low
 * until a process raises it.
 */
static void allow_files(struct limits *l)
{
	struct rlimit more;

	if (getrlimit(RLIMIT_NOFILE, &l->files)) {
		l->files.rlim_max = 0;
		return;
	}
	more = (struct rlimit){ l->files.rlim_max, l->files.rlim_max };
	setrlimit(RLIMIT_NOFILE, &more);
}

/*
 * Tables are large and mostly empty. If the kernel gives huge pages to all processes, each
 * scattered entry would take 2 MB.
 */
static void keep_pages_small(struct limits *l)
{
	l->huge_pages = !prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) &&
			!prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

void limits_raise(struct limits *l)
{
	allow_files(l);
	keep_pages_small(l);
}

void limits_restore(void *limits)
{
	const struct limits *l = limits;

	if (l->files.rlim_max)
		setrlimit(RLIMIT_NOFILE, &l->files);
	if (l->huge_pages)
		prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
}
