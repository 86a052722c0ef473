/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_HOLD_H
#define SONDE_FTRACE_HOLD_H

#include "compat/kernel/kernel.h"
#include "insns/program.h"

/*
 * With the options stacktrace and userstacktrace of an instance each of its events is followed by
 * records of the stacks that were current: first the kernel's, then that of user space. Events of
 * interrupts, with stacks of their own, may come in between. So an event is held until its stacks
 * have come. They have the same task and context (common_pid, common_flags, common_preempt_count).
 */

/* A kind of stack record, as its format describes it. */
struct ftrace_stack_format {
	int id;			/* of its records; 0: none come */
	uint32_t addresses;	/* their offset */
	uint32_t word;		/* their size */
	uint32_t size;		/* offset of a u32, their number; 0: as many as there is room for */
};

enum ftrace_stack { FTRACE_KERNEL_STACK, FTRACE_USER_STACK, FTRACE_STACKS };

struct ftrace_stacks {
	bool wanted;			/* any of them */
	struct ftrace_stack_format formats[FTRACE_STACKS];
	/* Before 5.2 a stack ends with an address of all ones, unless it was cut. */
	bool ends;
};

/* `word`: the size of the kernel's addresses. -1: sonde does not know such a format. */
int ftrace_stack_format_read(struct ftrace_stack_format *f, const struct format *format,
			     unsigned int word);
/* Reads their formats; -1 and err: sonde does not know them. Without this none come. */
int ftrace_stacks_init(struct ftrace_stacks *s, struct kernel *k, bool kernel, bool user,
		       struct error *err);

struct ftrace_held_stack {
	uint32_t n;
	uint64_t addresses[STACK_DEPTH + 1];
};

struct ftrace_held {
	uint64_t time;			/* of the event */
	uint64_t read;			/* when it was read, CLOCK_MONOTONIC */
	uint32_t pid;
	uint16_t context;
	uint16_t missing;		/* a bit for each enum ftrace_stack */
	uint32_t size, room;
	uint8_t *record;
	struct ftrace_held_stack stacks[FTRACE_STACKS];
};

/* As deep as contexts and probes are nested, and tasks that were preempted in between. */
#define FTRACE_HELD 16

/* Of a CPU, in the order they came. */
struct ftrace_hold {
	unsigned int n;
	struct ftrace_held *held[FTRACE_HELD + 1];	/* behind the n: to be used again */
};

typedef void (*ftrace_held_fn)(void *arg, struct ftrace_held *held);

void ftrace_hold_free(struct ftrace_hold *h);
/*
 * Holds an event; gives up others that will get no more stacks. -1: no memory, the event is lost.
 */
int ftrace_hold_event(struct ftrace_hold *h, const struct ftrace_stacks *s, uint64_t time,
		      const uint8_t *record, uint32_t size, ftrace_held_fn done, void *arg);
/* True: it was a record of a stack. If it was the last that its event waited for, that is done. */
bool ftrace_hold_stack(struct ftrace_hold *h, struct ftrace_stacks *s, const uint8_t *record,
		       uint32_t size, ftrace_held_fn done, void *arg);
/* Gives up those that were read before `until`: their stacks are lost. */
void ftrace_hold_give_up(struct ftrace_hold *h, uint64_t until, ftrace_held_fn done, void *arg);
/* The time of the oldest; UINT64_MAX: there is none. */
uint64_t ftrace_hold_oldest(const struct ftrace_hold *h);

/*
 * Puts an event and its stacks together as the stream wants them (STREAM_STACKED_HEAD). `kernel`:
 * with that of the kernel. `to` has room for FTRACE_STACKED_MOST and the record. The size.
 */
#define FTRACE_STACKED_MOST (16 + 8 * FTRACE_STACKS * (STACK_DEPTH + 2))
uint32_t ftrace_held_put(const struct ftrace_held *held, bool kernel, uint8_t *to);

#endif
