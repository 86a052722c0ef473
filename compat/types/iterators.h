/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ITERATORS_H
#define SONDE_ITERATORS_H

#include <stdbool.h>
#include <stdio.h>

#include "compat/kernel/kernel.h"
#include "compat/types/prototype.h"

/*
 * The kernel's iterators in its type information. For each one there is a function that does
 * nothing: its arguments are what a program on the iterator is handed, first what all items share,
 * then the item. The struct has the same members.
 */
#define ITERATOR_FUNCTION	"bpf_iter_"
#define ITERATOR_STRUCT		"bpf_iter__"
#define ITERATOR_NAME		64	/* bytes of the function's name */

/* Returns true if it goes through the elements of a map, which its maker has to name. */
bool iterator_of_elements(const struct prototype *p);
/*
 * Calls `each` for the iterators of the kernel that need nothing else, until it returns -1. Without
 * type information there are none. Returns -1 if `each` did.
 */
int kernel_iterators(struct kernel *k, int (*each)(void *arg, const char *name), void *arg);
/* Writes a line of each, for a snapshot. */
void iterators_write(struct kernel *k, FILE *out);

#endif
