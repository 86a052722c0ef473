/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_SERVER_H
#define SONDE_EXPORT_SERVER_H

#include <stdbool.h>
#include <sys/types.h>

#include "src/lib/metrics/metrics_remote.h"

/*
 * The half of `sonde export` that has no rights: it adds up what the tools send, and answers
 * clients. It is nobody, opens no files, and only reads and writes the descriptors here.
 */
struct server_setup {
	const int *tools;		/* sockets of the tools, 64 at most */
	unsigned int n_tools;
	const int *listeners;
	unsigned int n_listeners;
	bool local;			/* all listeners are for this machine alone */
	int textfile, remote;		/* pages go there (pages/page.h); -1: nowhere */
	const struct external_labels *external;	/* of those to `remote` */
	pid_t parent;			/* when it ends, this half does */
};

/* Runs until it is killed, by the other half or with it. In a process of its own. */
void server_run(const struct server_setup *setup) __attribute__((noreturn));

#endif
