/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FIND_INTERNAL_H
#define SONDE_FIND_INTERNAL_H

#include <sys/types.h>

#include "backends/tracefs/tap.h"

/*
 * Makes two objects of a kind: known values of each, and copies of its structs. Returns -1 and sets
 * err on failure.
 */
typedef int (*object_fn)(struct kernel *k, struct specimen samples[2], struct error *err);

/* Functions of this type, one for each enum object. */
int find_file(struct kernel *k, struct specimen samples[2], struct error *err);
int find_link(struct kernel *k, struct specimen samples[2], struct error *err);
int find_socket(struct kernel *k, struct specimen samples[2], struct error *err);
int find_task(struct kernel *k, struct specimen samples[2], struct error *err);
int find_call(struct kernel *k, struct specimen samples[2], struct error *err);
int find_nsproxy(struct kernel *k, struct specimen samples[2], struct error *err);
int find_cache(struct kernel *k, struct specimen samples[2], struct error *err);
int find_pid(struct kernel *k, struct specimen samples[2], struct error *err);

/* More than a task's struct has on any kernel, but for what is behind its own members. */
#define TASK_BYTES 6144
/*
 * Gives the process the nice value that it has: that changes nothing, and runs set_user_nice(task).
 * 0: this thread. Returns -1 and sets err on failure.
 */
int find_renice(pid_t pid, struct error *err);

/* Calls tap_add() for the first of these functions that the kernel has; NULL ends the list. */
int find_add(struct kernel *k, struct tap *t, const char *const functions[], uint32_t size,
	     struct error *err);
/*
 * Keeps a copy of memory as one of the object's structs; `base`: its address. Returns -1 and sets
 * err on failure.
 */
int find_keep(struct specimen *s, enum dump dump, const struct memory *m, uint64_t base,
	      struct error *err);

#endif
