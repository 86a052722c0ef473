/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMBERS_H
#define SONDE_MEMBERS_H

#include "backends/vm/vm.h"
#include "compat/events/event.h"
#include "compat/kernel/kernel.h"
#include "insns/filter.h"

/*
 * Which tasks are in the cgroups and namespaces of a scope, at any time of the merged stream.
 * The table is read from /proc at the start, then updated by the kernel's own events. The rules are
 * those of the task table (tasks.h): a fact holds from the stream time at which it was learned, and
 * facts from before the end of a gap do not hold any more.
 *
 *   - A new task is where its parent is. clone3(2) may put it elsewhere, and the event does not say
 *     where: /proc is read.
 *   - The event of a move names the first thread of a process, and does not say whether the others
 *     moved too. They did if the cgroup can't have single threads: in a tree of version 2, if
 *     cgroup.type is "domain". Otherwise /proc is read.
 *   - perf records the namespaces of each new task and of each change, by their numbers
 *     (backends/perf/task_band.h).
 *   - A value from /proc holds from the time of the reading. Between the event and the reading it
 *     is unknown.
 */
struct members;

enum member_event {
	MEMBER_NEW, MEMBER_EXEC, MEMBER_EXIT, MEMBER_MOVE, MEMBER_TRANSFER, MEMBER_RMDIR,
	MEMBER_RENAME, MEMBER_EVENTS
};

/*
 * The scope must stay as long as the members. Returns NULL and sets err if this kernel lacks the
 * events.
 */
struct members *members_new(struct kernel *k, const struct task_scope *scope, struct error *err);
void members_free(struct members *m);
/* Returns -1 and sets err if members_new() of such a scope would fail. */
int members_refuse(struct kernel *k, const struct task_scope *scope, struct error *err);

/*
 * The tracepoints to attach, by enum member_event. *n is MEMBER_EVENTS, or less if the scope has no
 * cgroups.
 */
const struct event *members_events(const struct members *m, unsigned int *n);
/* The clock of the stream's times. Without it /proc is not read after members_seed(). */
void members_clock(struct members *m, uint64_t (*now)(void));
/* Reads every thread of /proc, after the events are on and before any event of the plan. */
void members_seed(struct members *m);
/* Adds a task as known from the beginning: in all that the scope asks for, or in none. */
void members_put(struct members *m, uint32_t tid, uint32_t tgid, bool in);

/* Applies one event, in the order of the stream. */
void members_apply(struct members *m, enum member_event event, const struct sample *s);
/*
 * From this time on a task, which may be a new one, is in the namespaces of these numbers, by enum
 * scope_namespace; 0: unknown.
 */
void members_namespaces(struct members *m, uint32_t tid, uint64_t time, const uint32_t *numbers);
/* Events up to the time `to` were lost. */
void members_gap(struct members *m, uint64_t to);
/* Whether the sample's task is in the scope at the sample's time. */
enum in_scope members_find(struct members *m, const struct sample *s);

#endif
