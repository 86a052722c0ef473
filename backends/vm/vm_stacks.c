// SPDX-License-Identifier: GPL-2.0
#include "backends/vm/vm_stacks.h"

#include <assert.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "insns/stack_mark.h"

struct stack {
	uint32_t next;		/* in its bucket, counted from 1 */
	uint32_t hash;
	uint64_t addresses[];	/* zeros behind the last address; only zeros: a free entry */
};

uint32_t vm_stack_stride(const struct map *map)
{
	return (uint32_t)sizeof(struct stack) + ((map->value_size + 7U) & ~7U);
}

static struct stack *stack_at(const struct vm_map *m, uint32_t number)
{
	return (struct stack *)(m->entries + (size_t)number * m->stride);
}

static uint64_t address_at(const struct sample *s, uint32_t i)
{
	uint64_t address = 0;

	if (i < s->n_stack)
		memcpy(&address, s->stack + 8 * (size_t)i, sizeof(address));
	return address;
}

/*
 * In a record the kernel's addresses are behind one mark, and the addresses of user space behind
 * another mark. A walk over frames of user space may end with a 0, which is not a function. The
 * kernel of POWER puts a 0 in place of an address that is not a caller, and repeats its mark below
 * an interrupt: both are left out, and the stack goes on. The stack of user space also goes on
 * behind the 0 of STACK_SAVED. Returns the number of addresses, at most `room`.
 */
static uint32_t part_of(const struct sample *s, bool user, uint64_t *to, uint32_t room)
{
	const uint64_t wanted = user ? PERF_CONTEXT_USER : PERF_CONTEXT_KERNEL;
	uint32_t n = 0, i = 0;
	uint64_t address, next;

	for (bool within = false; i < s->n_stack && n < room; i++) {
		address = address_at(s, i);
		next = address_at(s, i + 1);
		if (within && user && !address && n == STACK_SAVED && next &&
		    next < (uint64_t)PERF_CONTEXT_MAX)
			address = STACK_MARK(CALLER);
		if (address == wanted)
			within = true;
		else if (within && (address >= (uint64_t)PERF_CONTEXT_MAX || (user && !address)))
			break;
		else if (within && address)
			to[n++] = address;
	}
	return n;
}

static uint32_t hash_of(const struct vm_map *m, const uint64_t *addresses, uint32_t n)
{
	uint64_t h = m->seed;

	for (uint32_t i = 0; i < n; i++)
		h = vm_map_mix(h, addresses[i]);
	return (uint32_t)h;
}

/* The number of a free entry, counted from 1; 0: the map is full. */
static uint32_t new_stack(struct vm_map *m)
{
	uint32_t number = m->free;

	if (!number)
		return m->used < m->map.entries ? ++m->used : 0;
	m->free = stack_at(m, number - 1)->next;
	m->n_free--;
	return number;
}

int64_t vm_stack_number(struct vm_map *m, const struct sample *s, bool user)
{
	uint64_t addresses[STACK_DEPTH];
	uint32_t room = m->map.value_size / 8 < STACK_DEPTH ? m->map.value_size / 8 : STACK_DEPTH;
	uint32_t n = part_of(s, user, addresses, room), hash, *link;
	struct stack *made;

	if (!n)
		return -EFAULT;
	hash = hash_of(m, addresses, n);
	link = &m->heads[hash & m->bucket_mask];
	while (*link) {
		struct stack *e = stack_at(m, *link - 1);

		/* No address is 0, so a 0 at n is the end of the kept stack. */
		if (e->hash == hash && !memcmp(e->addresses, addresses, 8 * (size_t)n) &&
		    (n == room || !e->addresses[n]))
			return *link - 1;
		link = &e->next;
	}
	*link = new_stack(m);
	if (!*link)
		return -ENOMEM;
	made = stack_at(m, *link - 1);
	made->next = 0;
	made->hash = hash;
	memcpy(made->addresses, addresses, 8 * (size_t)n);
	return *link - 1;
}

const void *vm_stack_find(const struct vm_map *m, const void *key)
{
	const struct stack *found;
	uint32_t number;

	assert(m->map.kind == MAP_STACKS);
	memcpy(&number, key, sizeof(number));
	found = number < m->used ? stack_at(m, number) : NULL;
	return found && found->addresses[0] ? found->addresses : NULL;
}

uint32_t vm_stacks_used(const struct vm_map *m)
{
	assert(m->map.kind == MAP_STACKS && m->n_free <= m->used);
	return m->used - m->n_free;
}

static void give_back(struct vm_map *m, uint32_t number)
{
	struct stack *s = stack_at(m, number - 1);
	uint32_t *link = &m->heads[s->hash & m->bucket_mask];

	while (*link != number)
		link = &stack_at(m, *link - 1)->next;
	*link = s->next;
	memset(s, 0, m->stride);
	s->next = m->free;
	m->free = number;
	m->n_free++;
}

void vm_stacks_sweep(struct vm_map *m, const struct stack_marks *marks)
{
	for (uint32_t i = 0; i < m->used; i++)
		if (stack_at(m, i)->addresses[0] && !stack_marked(marks, 0, i))
			give_back(m, i + 1);
}
