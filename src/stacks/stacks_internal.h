/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACKS_INTERNAL_H
#define SONDE_STACKS_INTERNAL_H

#include "src/lib/symbols/symbols.h"
#include "src/stacks/lives.h"
#include "src/stacks/stacks.h"

/* Why there is no stack. */
struct stack_absence {
	int32_t number;			/* in its place, in keys; 0: any other */
	const char *text;		/* of a frame that says so */
	enum {
		ABSENCE_KNOWN,		/* nobody looked for it (enum stack_lack) */
		ABSENCE_LOST,		/* the table had no place for it */
		ABSENCE_UNRECORDED,	/* the kernel did not tell it */
		ABSENCES
	} kind;
};

/* What a run knows of processes whose stacks it shows. */
struct stacks {
	struct symbols *symbols;
	struct side_band *side_band;	/* NULL: this kernel or user does not have it */
	uint64_t losses;		/* of the side band, that were dealt with */
	struct lives lives;
	uint64_t since;			/* when the interval began */
	bool several;			/* an address may be of several functions */
	uint64_t followed;		/* when what happened was last asked for */
	uint64_t known;			/* until when what processes did is known, for records */
	uint64_t absent[ABSENCES];	/* the values of what has no stack, by why */
	/* values of stacks of user space: of all, and of those with one function */
	uint64_t user, lonely;
};

/* NULL: the tool has none. */
static inline struct stacks *stacks_of(const struct run *r)
{
	return run_guest(r, &stacks_guest);
}

/* A task and its stacks. */
struct stack_side {
	int64_t pid;
	char comm[17];
	struct stack_frame *frames;	/* the kernel's first */
	unsigned int n_kernel, n_user;
	bool told;		/* the second of user space is the caller that was told */
	bool anywhere;		/* at any place of the function */
	bool unsaved;		/* user space's address STACK_SAVED was 0, and left out */
	/* of the programs that it may have been; none until stack_list_name() */
	uint64_t times[LIVES_MOST];
	unsigned int n_times;
};

/* Whose stacks, and who woke that. */
enum { STACK_TASK, STACK_WAKER, STACK_SIDES };

/* What programs counted by one key. */
struct stack_row {
	uint64_t values[STACK_VALUES];
	int64_t tid;
	struct stack_side sides[STACK_SIDES];
};

/* Where a side is in keys; NULL: they do not have it. */
struct stack_fields {
	const struct record_field *tgid, *comm, *kernel, *user, *caller;
};

struct stack_list {
	struct run *run;
	const struct tool_stacks *of;
	const char *map;		/* where the stacks are */
	const struct record_field *time, *tid, *values[STACK_VALUES];
	struct stack_fields sides[STACK_SIDES];
	unsigned int n_values, n_sides;
	struct stack_row *rows;
	unsigned int n;
	bool sampled;			/* stacks of CPUs at any place, not of events */
	/* of records that come one by one: names are not read for these addresses alone */
	bool one_of_many;
	bool leaves;			/* callers are told at any place of a function */
	bool walked;			/* by programs, which can't tell code from data */
	bool timed;			/* each has its time: that of its program */
	uint64_t taken;			/* when the next interval began; */
	uint64_t since;			/* and when this one did */
	bool failed;			/* out of memory */
	unsigned int absences;		/* of the row that is added, bits by why */
	uint64_t absent[ABSENCES];
	uint64_t *wanted;		/* addresses of the kernel */
	size_t n_wanted;
	/* room for the frames of one side, and a caller */
	struct stack_frame frames[2 * (STACK_DEPTH + 1) + 1];
};

/* Of a number that is no stack's; not for -EFAULT: there is none. */
const struct stack_absence *stack_absence(int32_t number);

/* --unwind dwarf: stacks of user space are found by what files say of their functions. */
bool stacks_unwound(const struct run *r);
/* Asks for copies of stacks of user space, if they are to be unwound. */
void stacks_request(const struct run *r, struct plan_request *request);
/*
 * Fills in r->unwinder if stacks are to be unwound; else with one for callers that frame pointers
 * lead past, where it can be told. -1 and err: --unwind dwarf can't be done here.
 */
int stacks_open(struct run *r, void **state, struct error *err);

/* All that processes did is known. -1 and err. */
int stacks_now(struct run *r, struct error *err);
/*
 * What processes have mapped until now, as well as it is known; for samples, of which there are
 * many: nothing is sorted.
 */
void stacks_learn(struct run *r);
/* For a record of that time: what happened before is known. -1 and err. */
int stacks_at(struct run *r, uint64_t time, struct error *err);

/*
 * At its first instruction a function has no frame yet, and frame pointers lead past its caller:
 * that becomes the second frame, if it is not there. Some kernels put it there (6.12 on x86-64,
 * where the instruction is a usual one). Before naming.
 */
void side_put_caller(struct stack_side *side, uint64_t address);
/*
 * When all have names: takes it off again if the address can't be that of a caller, or if the
 * function may have its caller elsewhere (`elsewhere`).
 */
void side_check_caller(struct stack_side *side, bool elsewhere);
/* The same of what the link register told of a function of the kernel. */
void side_drop_link(struct stack_side *side);
/* The same of a last address that has no name, where functions have one: it is user space's. */
void side_drop_user_pc(struct stack_side *side);

/*
 * The same in user space, by what files say of the newest function, a row for each program that the
 * process may have run: all must say the same. `rows` may have NULLs, for what is not known.
 */
struct unwind_row;
void side_check_link(struct stack_side *side, const struct unwind_row *const *rows, unsigned int n);

/*
 * When all have names: where most stacks have one function, the kernel did not find their callers.
 * Addresses of no code are none, and stacks whose newest function is not known do not tell.
 */
void stacks_weigh(struct stacks *s, const struct stack_side *side, uint64_t value);

/*
 * Of what a table of stacks has: zeros are behind the last address. Among the kernel's there may be
 * more, and one among user space's (`twice`: on POWER), which then is 0 even if it was a mark.
 */
unsigned int stack_depth(uint64_t *addresses, bool user, bool twice);

/* Gives all frames their names. */
int stack_list_name(struct stack_list *l, struct error *err);

#endif
