/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMBERS_H
#define SONDE_MEMBERS_H

#include "backends/vm/vm.h"
#include "compat/events/event.h"
#include "compat/kernel/kernel.h"
#include "insns/filter.h"

/*
 * Which tasks are in the control groups of a scope, at any point of the merged stream. Read from
 * /proc at the start, then kept by the kernel's own events. The rules are those of the task table
 * (backends/stream/tasks.h): a fact holds from the stream time at which it was learned, and facts
 * from before the end of a gap hold no more.
 *
 *   - A new task is where its parent is. clone3(2) may put it elsewhere, and the event does not
 *     say where: /proc is asked.
 *   - The event of a move names the first thread of a process, and does not say whether the others
 *     moved, too. They did where cgroups have no single threads: in a tree of version 2 whose
 *     cgroup.type is "domain". Elsewhere /proc is asked.
 *   - What /proc says holds from the time of the reading. What the task did between the event and
 *     the reading is unknown.
 */
struct members;

enum member_event {
	MEMBER_NEW, MEMBER_EXEC, MEMBER_EXIT, MEMBER_MOVE, MEMBER_TRANSFER, MEMBER_RMDIR,
	MEMBER_RENAME, MEMBER_EVENTS
};

/* NULL and err: this kernel does not tell. The scope lives as long as the members. */
struct members *members_new(struct kernel *k, const struct task_scope *scope, struct error *err);
void members_free(struct members *m);
/* As members_new() of such a scope would fail, -1 and err. */
int members_refuse(struct kernel *k, const struct task_scope *scope, struct error *err);

/* The tracepoints to attach, MEMBER_EVENTS of them. */
const struct event *members_events(const struct members *m);
/* The clock of the stream's times. Without it /proc is not asked after members_seed(). */
void members_clock(struct members *m, uint64_t (*now)(void));
/* Reads every thread of /proc, once the events are on and before any event of interest can come. */
void members_seed(struct members *m);
/* Enters a task as known from the beginning. */
void members_put(struct members *m, uint32_t tid, uint32_t tgid, bool in);

/* Applies one event, in the order of the stream. */
void members_apply(struct members *m, enum member_event event, const struct sample *s);
/* Events up to the time `to` were lost. */
void members_gap(struct members *m, uint64_t to);
/* Is the sample's task in the scope at the sample's time? */
enum in_scope members_find(struct members *m, const struct sample *s);

#endif
