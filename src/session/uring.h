/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SESSION_URING_H
#define SONDE_SESSION_URING_H

#include "src/run/run_listener.h"
#include "src/run/tool.h"

/*
 * Counts the requests of io_uring that did what the tool shows (struct tool_requests) where the
 * tool looks at system calls alone, and tells how many it did not show.
 */
extern const struct run_listener uring_listener;

/* Returns true if the tool shows what requests of io_uring do, by these events. */
bool uring_shown(const struct tool *t, const struct resolution *res);

#endif
