/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACKS_H
#define SONDE_STACKS_H

#include "src/run.h"

/*
 * The stacks that tools count by: their functions' names, and how they are printed. What processes
 * have mapped is followed while they are traced, so that a process that ends is named too.
 */
extern const struct guest stacks_guest;

/* The tool has a map of stacks. */
bool stacks_wanted(const struct run *r);
/*
 * The end of an interval: takes the map and prints its stacks, those with the least value first.
 * It is done for tools that have stacks and no interval_end().
 */
int stacks_show(struct run *r, const struct tool_stacks *of, struct error *err);

/*
 * The same step by step, for tools that choose what is shown: first the list, then all that was
 * counted is taken and added, in any order, then those with the same names become one and are
 * printed.
 */
struct stack_list;
/* NULL: no memory. */
struct stack_list *stack_list_new(struct run *r, const struct tool_stacks *of);
void stack_list_free(struct stack_list *l);
void stack_list_add(void *list, const void *key, const void *value);	/* an entry_fn */
int stack_list_print(struct stack_list *l, struct error *err);

/*
 * For tools that show each record: what its fields kernel_stack and user_stack stand for, of the
 * process in its pid_tgid `tgid` at its time.
 */
struct record_stacks {
	struct stack_frame *frames;	/* the kernel's first */
	unsigned int n_kernel, n_user;
};
/* -1 and err; the caller frees the frames. */
int record_stacks_read(struct run *r, const struct record *record, struct record_stacks *s,
		       struct error *err);

/*
 * The function that has this address, of the kernel or of a process at the time of a record. -1 and
 * err.
 */
int record_function(struct run *r, uint64_t time, int64_t pid, uint64_t address, bool user,
		    struct stack_frame *f, struct error *err);

/*
 * The function at an address of the process in a pid_tgid, at that time; without a name if that is
 * not known. -1 and err.
 */
struct symbol;
int stacks_function(struct run *r, uint64_t pid_tgid, uint64_t time, uint64_t address,
		    struct symbol *symbol, struct error *err);

/* How the user wants stacks shown. */
struct stack_style stacks_style(const struct options *o);

#endif
