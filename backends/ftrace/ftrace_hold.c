// SPDX-License-Identifier: GPL-2.0
#include "backends/ftrace/ftrace_hold.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "compat/arch/arch.h"
#include "compat/kernel/doubt.h"
#include "insns/stack_mark.h"

/* Every record begins with these fields. */
struct common {
	uint16_t type;
	uint16_t context;	/* common_flags and common_preempt_count */
	uint32_t pid;
};

#define USER_ROOM 8		/* addresses that a record of a user stack has room for */

static const struct {
	const char *event;
	uint64_t mark;		/* before the addresses, in the stream's form */
} kinds[FTRACE_STACKS] = {
	[FTRACE_KERNEL_STACK] = { "kernel_stack", PERF_CONTEXT_KERNEL },
	[FTRACE_USER_STACK] = { "user_stack", PERF_CONTEXT_USER },
};

int ftrace_stack_format_read(struct ftrace_stack_format *f, const struct format *format,
			     unsigned int word)
{
	const struct field *caller = format_field(format, "caller"),
			   *size = format_field(format, "size"),
			   *pid = format_field(format, "common_pid");

	if (!caller || !pid || pid->offset != offsetof(struct common, pid) ||
	    (size ? size->size != 4 : !caller->size))
		return -1;
	/* For an array of open size (kernel_stack, up to 5.1) the format has the size 0. */
	if (caller->size)
		word = caller->size / USER_ROOM;
	if ((word != 4 && word != 8) || caller->size % word)
		return -1;
	*f = (struct ftrace_stack_format){
		.id = format->id, .addresses = caller->offset, .word = word,
		.size = size ? size->offset : 0,
	};
	return 0;
}

int ftrace_stacks_init(struct ftrace_stacks *s, struct kernel *k, bool kernel, bool user,
		       struct error *err)
{
	const bool wanted[FTRACE_STACKS] = {
		[FTRACE_KERNEL_STACK] = kernel, [FTRACE_USER_STACK] = user,
	};

	for (unsigned int i = 0; i < FTRACE_STACKS; i++) {
		const struct format *format =
			wanted[i] ? kernel_format(k, "ftrace", kinds[i].event) : NULL;

		if (wanted[i] && !format && kernel_doubted(k, err))
			return -1;
		if (wanted[i] && (!format || ftrace_stack_format_read(&s->formats[i], format,
								      kernel_arch(k)->word)))
			return fail(err, "sonde does not know this kernel's records of stacks "
					 "(ftrace:%s)\ntry --backend perf", kinds[i].event);
	}
	return 0;
}

bool ftrace_stacks_recorded(const struct ftrace_stacks *s)
{
	return s->formats[FTRACE_KERNEL_STACK].id || s->formats[FTRACE_USER_STACK].id;
}

void ftrace_hold_free(struct ftrace_hold *h)
{
	for (unsigned int i = 0; i < FTRACE_HELD + 1; i++) {
		if (h->held[i])
			free(h->held[i]->record);
		free(h->held[i]);
	}
}

static void take_out(struct ftrace_hold *h, unsigned int i, ftrace_held_fn done, void *arg)
{
	struct ftrace_held *held = h->held[i];

	for (unsigned int j = 0; j < FTRACE_STACKS; j++)
		if (held->missing & 1U << j)
			held->stacks[j] = (struct ftrace_held_stack){ 1, { STACK_MARK(LOST) } };
	done(arg, held);
	h->n--;
	memmove(&h->held[i], &h->held[i + 1], (h->n - i) * sizeof(*h->held));
	h->held[h->n] = held;
}

static struct ftrace_held *make_held(struct ftrace_hold *h, uint32_t size)
{
	struct ftrace_held **held = &h->held[h->n];
	uint8_t *record;

	if (!*held)
		*held = calloc(1, sizeof(**held));
	if (*held && (*held)->room < size) {
		record = realloc((*held)->record, size);
		if (!record)
			return NULL;
		(*held)->record = record;
		(*held)->room = size;
	}
	return *held;
}

/*
 * Events of the same task and context come one after the other, each followed by all its stacks. So
 * held events of this task and context get no more stacks.
 */
int ftrace_hold_event(struct ftrace_hold *h, const struct ftrace_stacks *s, uint64_t time,
		      const uint8_t *record, uint32_t size, ftrace_held_fn done, void *arg)
{
	struct ftrace_held *held;
	struct common common;

	if (size < sizeof(common))
		return -1;
	memcpy(&common, record, sizeof(common));
	for (unsigned int i = h->n; i-- > 0; )
		if (h->held[i]->pid == common.pid && h->held[i]->context == common.context)
			take_out(h, i, done, arg);
	if (h->n == FTRACE_HELD)
		take_out(h, 0, done, arg);
	held = make_held(h, size);
	if (!held)
		return -1;
	h->n++;
	held->time = time;
	held->read = monotonic_ns();
	held->pid = common.pid;
	held->context = common.context;
	held->missing = 0;
	for (unsigned int i = 0; i < FTRACE_STACKS; i++) {
		held->missing |= s->formats[i].id ? 1U << i : 0;
		held->stacks[i].n = 0;
	}
	held->size = size;
	memcpy(held->record, record, size);
	if (!held->missing)
		take_out(h, h->n - 1, done, arg);
	return 0;
}

static uint64_t address_at(const struct ftrace_stack_format *f, const uint8_t *record, uint32_t i)
{
	const uint8_t *from = record + f->addresses + (size_t)i * f->word;
	uint64_t wide;
	uint32_t narrow;

	if (f->word == sizeof(wide)) {
		memcpy(&wide, from, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, from, sizeof(narrow));
	return narrow == UINT32_MAX ? UINT64_MAX : narrow;
}

static bool is_end(uint64_t address)
{
	return !address || address == UINT64_MAX;
}

/*
 * Marks a stack that was cut at USER_ROOM addresses. A record of a user stack has no room for more.
 * A kernel stack is cut if the kernel was just recording another stack. This is known only if the
 * kernel ends its whole stacks with an address of all ones.
 */
static void read_stack(struct ftrace_stacks *s, enum ftrace_stack kind, const uint8_t *record,
		       uint32_t size, struct ftrace_held_stack *to)
{
	const struct ftrace_stack_format *f = &s->formats[kind];
	uint32_t n = size > f->addresses ? (size - f->addresses) / f->word : 0, said, i;
	uint64_t address = 1;		/* the last address that was read */

	if (f->size && size >= f->size + sizeof(said)) {
		memcpy(&said, record + f->size, sizeof(said));
		n = said < n ? said : n;
	} else if (!f->size && n > USER_ROOM) {
		n = USER_ROOM;
	}
	for (i = 0; i < n && i < STACK_DEPTH + 1; i++) {
		address = address_at(f, record, i);
		if (is_end(address))
			break;
		to->addresses[i] = address;
	}
	to->n = i;
	s->ends |= kind == FTRACE_KERNEL_STACK && address == UINT64_MAX;
	if (i == USER_ROOM && !is_end(address) && (kind == FTRACE_USER_STACK || s->ends))
		to->addresses[to->n++] = STACK_MARK(CUT_AT_8);
}

bool ftrace_hold_stack(struct ftrace_hold *h, struct ftrace_stacks *s, const uint8_t *record,
		       uint32_t size, ftrace_held_fn done, void *arg)
{
	struct common common;
	unsigned int kind = 0;

	if (size < sizeof(common))
		return false;
	memcpy(&common, record, sizeof(common));
	while (kind < FTRACE_STACKS &&
	       (!s->formats[kind].id || s->formats[kind].id != common.type))
		kind++;
	if (kind == FTRACE_STACKS)
		return false;
	for (unsigned int i = h->n; i-- > 0; ) {
		struct ftrace_held *held = h->held[i];

		if (held->pid != common.pid || held->context != common.context)
			continue;
		if (held->missing & 1U << kind) {
			read_stack(s, kind, record, size, &held->stacks[kind]);
			held->missing &= (uint16_t)~(1U << kind);
		}
		if (!held->missing)
			take_out(h, i, done, arg);
		break;
	}
	return true;
}

void ftrace_hold_give_up(struct ftrace_hold *h, uint64_t until, ftrace_held_fn done, void *arg)
{
	for (unsigned int i = 0; i < h->n; )
		if (h->held[i]->read < until)
			take_out(h, i, done, arg);
		else
			i++;
}

uint64_t ftrace_hold_oldest(const struct ftrace_hold *h)
{
	uint64_t oldest = UINT64_MAX;

	for (unsigned int i = 0; i < h->n; i++)
		oldest = h->held[i]->time < oldest ? h->held[i]->time : oldest;
	return oldest;
}

uint32_t ftrace_held_put(const struct ftrace_held *held, bool kernel, uint8_t *to)
{
	uint8_t *at = to + sizeof(uint64_t);
	uint64_t n = 0;

	for (unsigned int i = kernel ? 0 : FTRACE_USER_STACK; i < FTRACE_STACKS; i++) {
		const struct ftrace_held_stack *stack = &held->stacks[i];

		memcpy(at, &kinds[i].mark, sizeof(kinds[i].mark));
		memcpy(at + sizeof(uint64_t), stack->addresses, stack->n * sizeof(uint64_t));
		at += (1 + stack->n) * sizeof(uint64_t);
		n += 1 + stack->n;
	}
	memcpy(to, &n, sizeof(n));
	memcpy(at, &held->size, sizeof(held->size));
	at += sizeof(held->size);
	memcpy(at, held->record, held->size);
	return (uint32_t)(at - to) + held->size;
}
