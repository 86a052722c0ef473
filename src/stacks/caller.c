// SPDX-License-Identifier: GPL-2.0
/* The direct caller of a function: what is told of it, and whether it can be one. */
#include <string.h>

#include "insns/stack_mark.h"
#include "src/lib/unwind/rows.h"
#include "src/stacks/stacks_internal.h"

/* Up to there a function has called nobody yet: the link register is its caller's. */
#define ENTRY_BYTES 16

/* The lowest bit of an address to return to may say which instructions are there (Thumb). */
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
 * A part of a function that was put elsewhere (.cold) is a symbol as well, but is jumped to: what
 * is on its stack may be anything. A function whose return is probed, too, returns to [uprobes].
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

/* The second has an address of the first's own function, which has begun. */
static bool own_link(const struct stack_frame *f)
{
	return f->name && f[1].name && f[1].kind == f->kind &&
		f->address - f->offset == f[1].address - f[1].offset && f->offset >= ENTRY_BYTES;
}

/*
 * Where the kernel takes the link register for the first caller without knowing, as POWER's does,
 * it may have an address that the function's own last call left there.
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
 * A function without a frame that saved its caller and made a system call (scv): the link register
 * has the place behind that, and the kernel does not look where the caller was saved.
 */
void side_check_link(struct stack_side *side, const struct unwind_row *const *rows, unsigned int n)
{
	struct stack_frame *f = side->frames + side->n_kernel;
	bool lost = n && side->n_user > 1 && own_link(f);
	unsigned int none = 0;

	for (unsigned int i = 0; i < n; i++) {
		if (i && unwind_no_caller(rows[i]) != none)
			return;
		none = unwind_no_caller(rows[i]);
		lost &= unwind_caller_in_memory(rows[i]);
	}
	if (!none && lost)
		f[1] = (struct stack_frame){
			.kind = FRAME_MARK, .name = stack_mark_text(STACK_MARK(CALLER)),
		};
	/* Where nobody wrote the frame's, it was left out if it was 0. */
	if (!none || none >= side->n_user || f[none].kind == FRAME_MARK ||
	    (none == STACK_SAVED && side->unsaved))
		return;
	side->n_user--;
	memmove(&f[none], &f[none + 1], (side->n_user - none) * sizeof(*f));
}
