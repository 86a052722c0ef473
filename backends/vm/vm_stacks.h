/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_VM_STACKS_H
#define SONDE_VM_STACKS_H

#include "backends/stacks/stack_marks.h"
#include "backends/vm/vm.h"
#include "backends/vm/vm_maps.h"

/*
 * A map of stacks (MAP_STACKS). Each stack is kept once, by its addresses, and has a number, which
 * never comes to mean another stack while it is marked.
 */

/* Bytes of an entry. */
uint32_t vm_stack_stride(const struct map *map);
/*
 * The number of the event's stack, of the kernel or of user space, as BPF's get_stackid. -EFAULT:
 * it has none. -ENOMEM: the map is full. If there are too many addresses, the oldest are left out.
 */
int64_t vm_stack_number(struct vm_map *m, const struct sample *s, bool user);
/* The number of stacks in the map. */
uint32_t vm_stacks_used(const struct vm_map *m);
/* Removes the stacks that are not marked. */
void vm_stacks_sweep(struct vm_map *m, const struct stack_marks *marks);
/* The addresses, then zeros up to the size of a value. Returns NULL if there is no such number. */
const void *vm_stack_find(const struct vm_map *m, const void *key);

#endif
