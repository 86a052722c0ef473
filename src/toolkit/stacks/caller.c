// SPDX-License-Identifier: GPL-2.0
/* The caller of a stack's newest function: adding it, and removing what can't be a caller. */
#include <string.h>

#include "insns/stack_mark.h"
#include "src/lib/unwind/rows.h"
#include "src/toolkit/stacks/stacks_internal.h"

/* In its first bytes a function has made no call: the link register has its caller's address. */
#define ENTRY_BYTES 16

/* The lowest bit of a return address may tell the instruction set (Thumb). */
static bool same_place(uint64_t a, uint64_t b)
{
	return !((a ^ b) & ~1ULL);
}

void side_put_caller(struct stack_side *side, uint64_t address)
{
	struct stack_frame *f = side->frames + side->n_kernel;

	if (!address || !side->n_user || f->kind != FRAME_USER ||
	    (side->n_user > 1 && f[1].kind == FRAME_USER && same_place(f[1].address, address)))
		return;
	memmove(f + 2, f + 1, (side->n_user - 1) * sizeof(*f));
	f[1] = (struct stack_frame){ .kind = FRAME_USER, .address = address };
	side->n_user++;
	side->told = true;
}

/*
 * The caller is wrong if its address is neither in a file nor in JIT code. It is also wrong if the
 * address is in [uprobes]: a function whose return is probed, too, returns there. A cold part of a
 * function (.cold) is a symbol of its own, but it is reached by jumps, so anything may be on top of
 * its stack.
 */
void side_check_caller(struct stack_side *side, bool elsewhere)
{
	struct stack_frame *f = side->frames + side->n_kernel;

	if (!side->told || (!elsewhere && (f[1].kind == FRAME_JIT || f[1].module) &&
			    !(f[1].module && !strcmp(f[1].module, "[uprobes]")) &&
			    !(f->name && strstr(f->name, ".cold"))))
		return;
	side->told = false;
	side->n_user--;
	memmove(f + 1, f + 2, (side->n_user - 1) * sizeof(*f));
}

/* Returns true if the caller's address is in the first function itself, behind its first bytes. */
static bool own_link(const struct stack_frame *f)
{
	return f->name && f[1].name && f[1].kind == f->kind &&
		f->address - f->offset == f[1].address - f[1].offset && f->offset >= ENTRY_BYTES;
}

/*
 * POWER's kernel takes the link register for the first caller without a test. The register may
 * still have the return address of the function's own last call.
 */
void side_drop_link(struct stack_side *side)
{
	struct stack_frame *f = side->frames;

	if (side->n_kernel < 2 || f->kind != FRAME_KERNEL || !own_link(f))
		return;
	side->n_kernel--;
	memmove(f + 1, f + 2, (side->n_kernel - 1 + side->n_user) * sizeof(*f));
}

void side_drop_user_pc(struct stack_side *side)
{
	struct stack_frame *f = side->frames + side->n_kernel;

	if (side->n_kernel < 2 || f[-1].kind != FRAME_KERNEL || f[-1].name || !f[-2].name)
		return;
	side->n_kernel--;
	memmove(f - 1, f, side->n_user * sizeof(*f));
}

/*
 * A function without a frame may have saved its return address and then made a system call (scv).
 * The link register then has the address behind the call, and the kernel does not read the saved
 * one: the caller is unknown.
 */
void side_check_link(const struct arch *arch, struct stack_side *side,
		     const struct unwind_row *const *rows, unsigned int n)
{
	struct stack_frame *f = side->frames + side->n_kernel;
	bool lost = n && side->n_user > 1 && own_link(f);
	unsigned int none = 0;

	for (unsigned int i = 0; i < n; i++) {
		if (i && unwind_no_caller(arch, rows[i]) != none)
			return;
		none = unwind_no_caller(arch, rows[i]);
		lost &= unwind_caller_in_memory(arch, rows[i]);
	}
	if (!none && lost)
		f[1] = (struct stack_frame){
			.kind = FRAME_MARK, .name = stack_mark_text(STACK_MARK(CALLER)),
		};
	/* An address that nobody wrote to the frame may be 0: then it was left out before. */
	if (!none || none >= side->n_user || f[none].kind == FRAME_MARK ||
	    (none == STACK_SAVED && side->unsaved))
		return;
	side->n_user--;
	memmove(&f[none], &f[none + 1], (side->n_user - none) * sizeof(*f));
}
