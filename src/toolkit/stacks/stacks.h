/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACKS_H
#define SONDE_STACKS_H

#include "src/run/run.h"

/*
 * Stacks that tools count by: names of their functions, and printing. What processes map is
 * followed while they are traced. So functions of processes that have ended have names too.
 */
extern const struct run_listener stacks_listener;

/* Returns true if the tool has a map of stacks. */
bool stacks_wanted(const struct run *r);
/*
 * Takes the map at the end of an interval, and prints its stacks, least values first. Called for
 * tools that have stacks and no interval_end(). Returns -1 and sets err on failure.
 */
int stacks_show(struct run *r, const struct tool_stacks *of, struct error *err);
/* For tools with tables: are stacks shown instead (--stacks, --folded, --flame, --top)? */
bool stacks_instead(const struct options *o);
/* Then: sets err and returns -1 if one of these options of tables is given; NULL is the last. */
int stacks_refuse(const struct run *r, const char *const *others, struct error *err);

/*
 * The same step by step, for tools that choose what to show. First make the list; then take and add
 * all counts, in any order; then print. Stacks with the same names are printed as one.
 */
struct stack_list;
/* Returns NULL if there is no memory. */
struct stack_list *stack_list_new(struct run *r, const struct tool_stacks *of);
void stack_list_free(struct stack_list *l);
void stack_list_add(void *list, const void *key, const void *value);	/* an entry_fn */
int stack_list_print(struct stack_list *l, struct error *err);

/*
 * For tools that show each record: the frames of its fields kernel_stack and user_stack, in the
 * process of its field pid_tgid, at its time.
 */
struct record_stacks {
	struct stack_frame *frames;	/* the kernel's first */
	unsigned int n_kernel, n_user;
};
/* The caller frees the frames. Returns -1 and sets err on failure. */
int record_stacks_read(struct run *r, const struct record *record, struct record_stacks *s,
		       struct error *err);

/*
 * Names of functions of the machine of the run's events, for a tool without stacks: symbols_free()
 * ends them. Returns NULL and sets err on failure.
 */
struct symbols *run_symbols(const struct run *r, struct error *err);
/*
 * The function at an address, in the kernel or (`user`) in a process, at the time of a record.
 * Returns -1 and sets err on failure.
 */
int record_function(struct run *r, uint64_t time, int64_t pid, uint64_t address, bool user,
		    struct stack_frame *f, struct error *err);

/*
 * The function at an address in the process of a pid_tgid, at that time; if it is unknown, *symbol
 * has no name. Returns -1 and sets err on failure.
 */
struct symbol;
int stacks_function(struct run *r, uint64_t pid_tgid, uint64_t time, uint64_t address,
		    struct symbol *symbol, struct error *err);

/*
 * For tools whose keys and records have stacks among other values: a stack to name. The frames are
 * the caller's to free.
 */
struct stack_asked {
	int32_t number;			/* of the stack, or -errno */
	bool user;
	int64_t pid;			/* of a user stack: the process; NOTHING: unknown */
	const char *comm;		/* 16 bytes: the name of its thread; NULL: unknown */
	uint64_t caller;		/* of a user stack: the input `caller` */
	/* not 0: no stack, but the function of user space at this address alone */
	uint64_t address;
	uint64_t value;			/* events with this stack: counted if it was lost */
	struct stack_frame *frames;	/* set: the newest first */
	unsigned int n;
};

/* When stacks were recorded. */
struct stacks_when {
	uint64_t since, time;		/* at the time, or, if that is 0, from `since` to now */
	bool sampled;			/* of sampled CPUs, not at events */
};

/* Names n stacks. Returns -1 and sets err on failure; frames that are there must be freed. */
int stacks_name(struct run *r, struct stack_asked *list, unsigned int n,
		const struct stacks_when *when, struct error *err);
/* No stack that is named by its `since` was recorded before this time. */
void stacks_forget(struct run *r, uint64_t before);

/* How stacks are shown, by the user's options. */
struct stack_style stacks_style(const struct options *o);

#endif
