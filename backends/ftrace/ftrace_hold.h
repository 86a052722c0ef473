/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_HOLD_H
#define SONDE_FTRACE_HOLD_H

#include "compat/kernel/kernel.h"
#include "insns/program.h"

/*
 * With the options stacktrace and userstacktrace of an instance, each of its events is followed by
 * records of the current stacks: the kernel's, then user space's. Events of interrupts, with stacks
 * of their own, may come between. So an event is held until its stacks have come. The stacks have
 * the same task and context as the event (common_pid, common_flags, common_preempt_count).
 */

/* A kind of stack record, by its format. */
struct ftrace_stack_format {
	int id;			/* of its records; 0: there are none */
	uint32_t addresses;	/* offset of the addresses */
	uint32_t word;		/* size of an address */
	uint32_t size;		/* offset of a u32 with their number; 0: up to the record's end */
};

enum ftrace_stack { FTRACE_KERNEL_STACK, FTRACE_USER_STACK, FTRACE_STACKS };

struct ftrace_stacks {
	/* any of them, also by events that never have one: those do not wait */
	bool wanted;
	struct ftrace_stack_format formats[FTRACE_STACKS];
	/* Before 5.2 a stack ends with an address of all ones, unless it was cut. */
	bool ends;
};

/* Reads a format. `word`: the size of the kernel's addresses. Returns -1 if it is unknown. */
int ftrace_stack_format_read(struct ftrace_stack_format *f, const struct format *format,
			     unsigned int word);
/*
 * Reads the formats of the stacks that the kernel is to record. Returns -1 and sets err if a format
 * is unknown.
 */
int ftrace_stacks_init(struct ftrace_stacks *s, struct kernel *k, bool kernel, bool user,
		       struct error *err);
/* Whether the kernel is to record some. */
bool ftrace_stacks_recorded(const struct ftrace_stacks *s);

struct ftrace_held_stack {
	uint32_t n;
	uint64_t addresses[STACK_DEPTH + 1];
};

struct ftrace_held {
	uint64_t time;			/* of the event */
	uint64_t read;			/* when it was read, CLOCK_MONOTONIC */
	uint32_t pid;
	uint16_t context;
	uint16_t missing;		/* a bit for each enum ftrace_stack still to come */
	uint32_t size, room;
	uint8_t *record;
	struct ftrace_held_stack stacks[FTRACE_STACKS];
};

/* The depth of nested contexts and probes, plus tasks that were preempted between. */
#define FTRACE_HELD 16

/* Held events of a CPU, in the order of their arrival. */
struct ftrace_hold {
	unsigned int n;
	struct ftrace_held *held[FTRACE_HELD + 1];	/* behind the first n: free, to be reused */
};

typedef void (*ftrace_held_fn)(void *arg, struct ftrace_held *held);

/* Frees all held events. */
void ftrace_hold_free(struct ftrace_hold *h);
/*
 * Holds an event, and calls `done` for held events whose stacks can't come any more. Returns -1 if
 * there is no memory: the event is lost.
 */
int ftrace_hold_event(struct ftrace_hold *h, const struct ftrace_stacks *s, uint64_t time,
		      const uint8_t *record, uint32_t size, ftrace_held_fn done, void *arg);
/*
 * Adds a record to its event if it is a stack; calls `done` for the event after its last stack.
 * Returns false if the record is not a stack.
 */
bool ftrace_hold_stack(struct ftrace_hold *h, struct ftrace_stacks *s, const uint8_t *record,
		       uint32_t size, ftrace_held_fn done, void *arg);
/* Calls `done` for events that were read before `until`: their stacks are lost. */
void ftrace_hold_give_up(struct ftrace_hold *h, uint64_t until, ftrace_held_fn done, void *arg);
/* The time of the oldest held event; UINT64_MAX: there is none. */
uint64_t ftrace_hold_oldest(const struct ftrace_hold *h);

/*
 * Writes an event with its stacks in the stream's form (STREAM_STACKED_HEAD). `kernel`: with the
 * kernel's stack. `to` has room for FTRACE_STACKED_MOST bytes and the record. Returns the size.
 */
#define FTRACE_STACKED_MOST (16 + 8 * FTRACE_STACKS * (STACK_DEPTH + 2))
uint32_t ftrace_held_put(const struct ftrace_held *held, bool kernel, uint8_t *to);

#endif
