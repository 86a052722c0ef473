// SPDX-License-Identifier: GPL-2.0
/* From the addresses of stacks to functions: all addresses are announced first, then named. */
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "insns/stack_mark.h"
#include "src/lib/unwind/rows.h"
#include "src/toolkit/stacks/stacks_internal.h"

/* A cache of names: stacks share most of their callers. */
#define KNOWN_BITS_LEAST 6
#define KNOWN_BITS_MOST 14

struct known_symbol {
	uint64_t address, time;
	uint32_t pid;			/* 0: an address of the kernel */
	bool caller, there;
	struct symbol symbol;
};

struct known {
	struct known_symbol *symbols;
	unsigned int bits;
};

/* The earliest time that counts: of the interval, or the time itself if keys have one. */
static uint64_t since(const struct stack_list *l, uint64_t time)
{
	return l->timed ? time : l->since;
}

static struct known_symbol *place_of(const struct known *known, uint64_t address, uint64_t time,
				     uint32_t pid, bool caller)
{
	const uint64_t hash = (address * 2 + caller + ((uint64_t)pid << 32) + time) *
			      0x9e3779b97f4a7c15ULL;
	struct known_symbol *k = &known->symbols[hash >> (64 - known->bits)];

	if (k->address != address || k->time != time || k->pid != pid || k->caller != caller)
		*k = (struct known_symbol){ address, time, pid, caller };
	return k;
}

static void forget(struct known *known)
{
	memset(known->symbols, 0, sizeof(*known->symbols) << known->bits);
}

/* A few stacks get a small table, because the first use of memory costs time. */
static int begin_known(struct known *known, const struct stack_list *l)
{
	size_t frames = 0;

	for (unsigned int i = 0; i < l->n * l->n_sides; i++) {
		const struct stack_side *side = &l->rows[i / l->n_sides].sides[i % l->n_sides];

		frames += side->n_kernel + side->n_user;
	}
	known->bits = KNOWN_BITS_LEAST;
	while (known->bits < KNOWN_BITS_MOST && (size_t)2 << known->bits < frames)
		known->bits++;
	known->symbols = calloc((size_t)1 << known->bits, sizeof(*known->symbols));
	return known->symbols ? 0 : -1;
}

/* Called for each address that needs a name. k->time is 0 for addresses of the kernel. */
typedef void each_fn(struct stack_list *l, struct known_symbol *k);

static void each_of_side(struct stack_list *l, const struct stack_side *side,
			 const struct known *known, each_fn *each)
{
	for (unsigned int j = 0; j < side->n_kernel + side->n_user; j++) {
		const bool user = j >= side->n_kernel;
		const struct stack_frame *f = &side->frames[j];
		const unsigned int times = user ? side->n_times : 1;

		if (f->kind == FRAME_KERNEL && j > 0)
			each(l, place_of(known, f->address, 0, 0, false));
		for (unsigned int t = 0; f->kind != FRAME_MARK && t < times; t++)
			each(l, place_of(known, f->address, user ? side->times[t] : 0,
					 user ? (uint32_t)side->pid : 0,
					 j > 0 && j != side->n_kernel));
	}
}

static void each_address(struct stack_list *l, const struct known *known, each_fn *each)
{
	for (unsigned int i = 0; i < l->n * l->n_sides; i++)
		each_of_side(l, &l->rows[i / l->n_sides].sides[i % l->n_sides], known, each);
}

/* Announces an address, so that only the needed symbols of files are read. */
static void want(struct stack_list *l, struct known_symbol *k)
{
	if (k->there)
		return;
	k->there = true;
	if (k->pid)
		symbols_want_user(stacks_of(l->run)->symbols, k->pid, since(l, k->time), k->time,
				  k->address, k->caller);
	else if (!array_room(&l->wanted, l->n_wanted, sizeof(*l->wanted)))
		l->wanted[l->n_wanted++] = k->address - k->caller;
}

static void want_all(struct stack_list *l, struct known *known)
{
	each_address(l, known, want);
	symbols_want_kernel(stacks_of(l->run)->symbols, l->wanted, l->n_wanted);
	forget(known);
}

static const struct symbol *symbol_of(struct stack_list *l, const struct known *known,
				      uint64_t address, uint64_t time, uint32_t pid, bool caller)
{
	struct known_symbol *k = place_of(known, address, time, pid, caller);

	if (!k->there && pid)
		symbols_user_since(stacks_of(l->run)->symbols, pid, since(l, time), time, address,
				   caller, &k->symbol);
	else if (!k->there)
		symbols_kernel(stacks_of(l->run)->symbols, address, caller, &k->symbol);
	k->there = true;
	return &k->symbol;
}

/*
 * Finds the programs that the process may have run: each of them may have had a task of this name,
 * and code at the address of the newest function.
 */
static void find_times(struct stack_list *l, struct stack_side *side)
{
	const struct stack_frame *newest = &side->frames[side->n_kernel];
	struct stacks *s = stacks_of(l->run);
	unsigned int kept = 0;

	if (l->timed || side->pid == NOTHING)
		return;
	side->n_times = lives_times(&s->lives, (uint32_t)side->pid, side->comm, side->times);
	if (!side->n_user || newest->kind != FRAME_USER)
		return;
	for (unsigned int i = 0; i < side->n_times; i++)
		if (!symbols_no_code(s->symbols, (uint32_t)side->pid, side->times[i],
				     newest->address))
			side->times[kept++] = side->times[i];
	side->n_times = kept;
}

/* If the process may have run several programs, the name is known if all of them have the same. */
static struct symbol user_symbol(struct stack_list *l, const struct known *known,
				 const struct stack_side *side, uint64_t address, bool caller)
{
	struct symbol symbol = { .kind = SYMBOL_UNKNOWN };
	const uint32_t pid = (uint32_t)side->pid;

	if (side->n_times)
		symbol = *symbol_of(l, known, address, side->times[0], pid, caller);
	for (unsigned int i = 1; i < side->n_times; i++) {
		const struct symbol *other = symbol_of(l, known, address, side->times[i], pid,
						       caller);

		if (!symbol_alike(&symbol, other))
			return (struct symbol){ .kind = SYMBOL_SEVERAL };
	}
	return symbol;
}

static struct symbol kernel_symbol(struct stack_list *l, const struct known *known,
				   uint64_t address, bool caller)
{
	const struct symbol symbol = *symbol_of(l, known, address, 0, 0, false);

	return !caller || symbol_is_returned_to(&symbol) ? symbol :
		*symbol_of(l, known, address, 0, 0, true);
}

static void name_frame(struct stack_list *l, const struct known *known,
		       const struct stack_side *side, unsigned int i)
{
	struct stack_frame *f = &side->frames[i];
	/* the address of the newest function is not behind a call, nor what was interrupted */
	const bool caller = i > 0 && i != side->n_kernel &&
		(f->kind == FRAME_USER || !symbol_interrupts(f[-1].name));
	const struct symbol symbol = f->kind == FRAME_USER ?
		user_symbol(l, known, side, f->address, caller) :
		kernel_symbol(l, known, f->address, caller);

	stacks_of(l->run)->several |= symbol.kind == SYMBOL_SEVERAL;
	if (symbol.kind == SYMBOL_JIT)
		f->kind = FRAME_JIT;
	f->name = symbol.name;
	f->module = symbol.module;
	f->offset = symbol.offset;
}

static bool begins(const char *s, const char *with)
{
	return s && !strncmp(s, with, strlen(with));
}

/*
 * The number of functions on top that record the event, above the function that the event is in. A
 * tracer may take the event's address from its caller, and walk the stack from its own function:
 * then the stack has this address twice.
 */
static unsigned int recorders(const struct stack_side *side)
{
	static const char *const names[] = {
		"trace_event_raw_event_", "trace_event_buffer_", "__traceiter_", "perf_trace_",
	};
	const struct stack_frame *f = side->frames;
	unsigned int n = 0, i;

	/* On some kernels the stack at a system call has only functions that record it. */
	if (side->n_kernel && begins(f->name, "perf_syscall_"))
		return side->n_kernel;
	for (; n < side->n_kernel; n++) {
		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (begins(f[n].name, names[i]))
				break;
		if (i == sizeof(names) / sizeof(names[0]))
			break;
	}
	return n + 1 < side->n_kernel && f[n].kind != FRAME_MARK &&
		f[n].address == f[n + 1].address ? n + 1 : n;
}

static void drop_recorders(struct stack_side *side)
{
	const unsigned int n = recorders(side);

	side->n_kernel -= n;
	memmove(side->frames, side->frames + n,
		(side->n_kernel + side->n_user) * sizeof(*side->frames));
}

/* An address without a function of the kernel ends the stack: anything may be behind it. */
static void cut_unnamed(struct stack_side *side)
{
	struct stack_frame *f = side->frames;
	unsigned int n = 0, more;

	/* Without names for this kernel no address has a function. */
	if (!side->n_kernel || !f->name || f->kind == FRAME_MARK)
		return;
	while (n < side->n_kernel && f[n].name)
		n++;
	if (n == side->n_kernel)
		return;
	more = side->n_kernel - n - 1;
	f[n] = (struct stack_frame){
		.kind = FRAME_MARK, .name = stack_mark_text(STACK_MARK(BROKEN)),
	};
	memmove(&f[n + 1], &f[n + 1 + more], side->n_user * sizeof(*f));
	side->n_kernel -= more;
}

/* On some machines only the tables of its file tell which of two callers a function has. */
static void check_link(struct stack_list *l, struct stack_side *side)
{
	const uint64_t address = side->frames[side->n_kernel].address;
	const struct unwind_row *rows[LIVES_MOST];

	for (unsigned int i = 0; i < side->n_times; i++)
		rows[i] = symbols_unwind(stacks_of(l->run)->symbols, (uint32_t)side->pid,
					 side->times[i], address);
	side_check_link(kernel_arch(l->run->kernel), side, rows, side->n_times);
}

/*
 * Returns false if the newest function's caller is surely on top of the stack, in all programs that
 * the process may have run. The tables of the function's file tell it. Without tables it is known
 * only at a function's first instruction.
 */
static bool elsewhere(struct stack_list *l, const struct stack_side *side)
{
	const struct arch *arch = kernel_arch(l->run->kernel);
	const struct stack_frame *f = side->frames + side->n_kernel;

	for (unsigned int i = 0; i < side->n_times; i++) {
		const struct unwind_row *row = symbols_unwind(stacks_of(l->run)->symbols,
							      (uint32_t)side->pid, side->times[i],
							      f->address);

		if (row ? !unwind_caller_on_top(arch, row, f->address) : !f->name || f->offset)
			return true;
	}
	return !side->n_times;
}

int stack_list_name(struct stack_list *l, struct error *err)
{
	const struct arch *arch = kernel_arch(l->run->kernel);
	const bool twice = arch->callers_twice;
	struct known known;

	if (begin_known(&known, l))
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < l->n * l->n_sides; i++)
		find_times(l, &l->rows[i / l->n_sides].sides[i % l->n_sides]);
	if (!l->one_of_many)
		want_all(l, &known);
	for (unsigned int i = 0; i < l->n * l->n_sides; i++) {
		struct stack_side *side = &l->rows[i / l->n_sides].sides[i % l->n_sides];

		for (unsigned int j = 0; j < side->n_kernel + side->n_user; j++)
			if (side->frames[j].kind != FRAME_MARK)
				name_frame(l, &known, side, j);
		side_check_caller(side, side->told && (l->leaves || side->anywhere) &&
				  elsewhere(l, side));
		if (l->walked)
			cut_unnamed(side);
		if (!l->sampled)
			drop_recorders(side);
		if (arch->user_pc_behind_entry)
			side_drop_user_pc(side);
		if (twice)
			side_drop_link(side);
		if (twice && side->n_user && side->frames[side->n_kernel].kind != FRAME_MARK)
			check_link(l, side);
	}
	free(known.symbols);
	return 0;
}
