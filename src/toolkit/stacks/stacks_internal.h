/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACKS_INTERNAL_H
#define SONDE_STACKS_INTERNAL_H

#include "src/lib/symbols/symbols.h"
#include "src/toolkit/groups/groups.h"
#include "src/toolkit/stacks/lives.h"
#include "src/toolkit/stacks/stacks.h"

/* Why a stack is missing. */
struct stack_absence {
	int32_t number;			/* in place of the stack's number, in keys; 0: any other */
	const char *text;		/* shown as a frame */
	enum {
		ABSENCE_KNOWN,		/* it was not looked for (enum stack_lack) */
		ABSENCE_LOST,		/* the table was full */
		ABSENCE_UNRECORDED,	/* the kernel did not record it */
		ABSENCES
	} kind;
};

#define OWN_MOST 8		/* children of sonde at a time */

/* What a run knows of processes with stacks. */
struct stacks {
	struct symbols *symbols;
	struct side_band *side_band;	/* NULL: this kernel or user does not have it */
	uint64_t losses;		/* losses of the side band that were handled */
	struct lives lives;
	uint32_t own[OWN_MOST];		/* children of sonde that have executed nothing; 0: free */
	uint64_t since;			/* when the interval began */
	bool several;			/* an address may be of several functions */
	uint64_t followed;		/* when the side band was last read */
	uint64_t known;			/* for records: events up to this time are known */
	uint64_t absent[ABSENCES];	/* values without a stack, by kind of absence */
	/* values of user stacks: of all; of stacks with one function */
	uint64_t user, lonely;
};

/* The listener's state. Returns NULL if the tool has no stacks. */
static inline struct stacks *stacks_of(const struct run *r)
{
	return run_listener_state(r, &stacks_listener);
}

/* A task and its stacks. */
struct stack_side {
	int64_t pid;
	char comm[17];
	struct stack_frame *frames;	/* the kernel's first */
	unsigned int n_kernel, n_user;
	bool told;		/* the second user frame was added by side_put_caller() */
	bool anywhere;		/* the newest address may be at any place of its function */
	bool unsaved;		/* user address number STACK_SAVED was 0, and left out */
	/* a time in each program that the process may have run; set by stack_list_name() */
	uint64_t times[LIVES_MOST];
	unsigned int n_times;
};

/* The sides of a row: the task, and the task that woke it. */
enum { STACK_TASK, STACK_WAKER, STACK_SIDES };

/* The values of one key, with its stacks. */
struct stack_row {
	uint64_t values[STACK_VALUES];
	int64_t tid;
	const char *group;		/* --by-cgroup: one of the list's; NULL: unknown */
	struct stack_side sides[STACK_SIDES];
};

/* Fields of a side in keys; NULL: keys do not have the field. */
struct stack_fields {
	const struct record_field *tgid, *comm, *kernel, *user, *caller;
};

struct stack_list {
	struct run *run;
	const struct tool_stacks *of;
	const char *map;		/* the table of stacks */
	const struct record_field *time, *tid, *values[STACK_VALUES];
	const struct record_field *owner;	/* NULL: not asked for */
	struct groups groups;
	struct stack_fields sides[STACK_SIDES];
	unsigned int n_values, n_sides;
	struct stack_row *rows;
	unsigned int n;
	bool sampled;			/* stacks of sampled CPUs, not of events */
	/* rows are single records: symbol files are not read for their addresses alone */
	bool one_of_many;
	bool leaves;			/* callers are told at any place of a function */
	bool walked;			/* programs walked the stacks; data may look like code */
	bool timed;			/* keys have a time, which tells the program */
	uint64_t taken;			/* when the next interval began */
	uint64_t since;			/* when this interval began */
	bool failed;			/* out of memory */
	unsigned int absences;		/* of the row being added: a bit for each kind */
	uint64_t absent[ABSENCES];	/* values without a stack, by kind of absence */
	uint64_t *wanted;		/* addresses of the kernel to look up */
	size_t n_wanted;
	/* room for the frames of one side, and a caller */
	struct stack_frame frames[2 * (STACK_DEPTH + 1) + 1];
};

/*
 * The absence that a negative stack number means. -EFAULT means that there is no stack: not for it.
 */
const struct stack_absence *stack_absence(int32_t number);

/* Returns true for --unwind dwarf: user stacks are unwound by tables in the programs' files. */
bool stacks_unwound(const struct run *r);
/* Adds copies of user stacks to the plan's demands, if stacks are unwound. */
void stacks_request(const struct run *r, struct plan_request *request);
/*
 * Fills in r->unwinder: for --unwind dwarf, or otherwise to find callers that frame pointers skip,
 * if this machine can. Returns -1 and sets err if --unwind dwarf is impossible here.
 */
int stacks_open(struct run *r, void **state, struct error *err);

/* Takes a change of a process that a recording tells (recorded_stacks.c); in the order of time. */
struct recorded_change;
void stacks_changed(struct stacks *s, const struct recorded_change *c);

/* Reads all events of processes up to now, and sorts lives. Returns -1 and sets err on failure. */
int stacks_now(struct run *r, struct error *err);
/*
 * Reads events of processes up to now without sorting lives, for samples, which are many. Errors
 * are ignored.
 */
void stacks_learn(struct run *r);
/*
 * Reads events of processes up to `time`, for a record. Returns -1 and sets err on failure.
 * stacks_at() also forgets the lives of processes.
 */
int stacks_reach(struct run *r, uint64_t time, struct error *err);
int stacks_at(struct run *r, uint64_t time, struct error *err);

/*
 * Adds the caller of a function that was at its first instruction. Such a function has no frame
 * yet, and frame pointers skip its caller. `address` becomes the second user frame, unless it is
 * there already: some kernels put it there (6.12 on x86-64, if the instruction is a usual one).
 * Called before naming.
 */
void side_put_caller(struct stack_side *side, uint64_t address);
/*
 * After naming: removes that caller if its address can't be a caller, or if the function's caller
 * may be elsewhere (`elsewhere`).
 */
void side_check_caller(struct stack_side *side, bool elsewhere);
/* After naming: removes the kernel's first caller if it is a stale value of the link register. */
void side_drop_link(struct stack_side *side);
/* After naming: removes the kernel's last address if it alone has no name: it is user space's. */
void side_drop_user_pc(struct stack_side *side);

/*
 * After naming: removes the wrong one of two callers of the newest user function
 * (unwind_no_caller()). `rows` has the function's row in each program that the process may have
 * run; NULL: unknown. All rows must agree.
 */
struct unwind_row;
void side_check_link(const struct arch *arch, struct stack_side *side,
		     const struct unwind_row *const *rows, unsigned int n);

/*
 * After naming: counts a user stack, and whether it has one function. If most stacks have one
 * function, the kernel did not find callers. Addresses without code are not counted as functions;
 * stacks with an unknown newest function are not counted at all.
 */
void stacks_weigh(struct stacks *s, const struct stack_side *side, uint64_t value);

/*
 * The number of addresses of a stack in a table: zeros follow the last one. A kernel stack may have
 * zeros between. A user stack may have one (`twice`, on POWER), in place of an address or a mark.
 */
unsigned int stack_depth(uint64_t *addresses, bool user, bool twice);

/* Names all frames. Returns -1 and sets err on failure. */
int stack_list_name(struct stack_list *l, struct error *err);

#endif
