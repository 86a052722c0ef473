// SPDX-License-Identifier: GPL-2.0
/* The direct caller of a function of user space that a probe finds at its first instruction. */
#include <string.h>

#include "src/stacks/stacks_internal.h"

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
void side_check_caller(struct stack_side *side)
{
	struct stack_frame *f = side->frames + side->n_kernel;

	if (!side->told || ((f[1].kind == FRAME_JIT || f[1].module) &&
			    !(f[1].module && !strcmp(f[1].module, "[uprobes]")) &&
			    !(f->name && strstr(f->name, ".cold"))))
		return;
	side->told = false;
	side->n_user--;
	memmove(f + 1, f + 2, (side->n_user - 1) * sizeof(*f));
}
