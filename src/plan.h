/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PLAN_H
#define SONDE_PLAN_H

#include "backends/backend.h"
#include "compat/resolve/resolve.h"
#include "insns/lower/lower.h"
#include "insns/program.h"

/* What a plan is made from: a tool's programs, what the user wants of them, and the kernel. */
struct plan_request {
	struct kernel *kernel;
	const struct program_set *sets[2];	/* the tool's, and the session's own; may be NULL */
	const struct constant *options;
	const struct filter *filter;
	unsigned int buffer_pages;
	/* the user named the engine: what works, but is not safe, is done */
	bool forced;
	bool unwound;			/* as in struct plan */
	uint64_t memory;		/* bytes that BPF's tables may take; 0: any */
};

/* A plan with what it was made of: which probes were chosen, what this kernel can't serve. */
struct made_plan {
	struct plan plan;
	struct resolution resolution;
	bool smaller;			/* tables: the machine has little memory */
};

/*
 * Resolves, lowers and puts together everything an engine needs, and asks it whether it takes that.
 * -1 and the reason if this kernel can't serve the tool that way. plan_free() in either case.
 */
int plan_make(const struct plan_request *request, const struct backend *b, struct made_plan *out,
	      struct error *err);
void plan_free(struct made_plan *p);

/* The number of a map; -1: none of that name. */
int plan_map(const struct plan *p, const char *name);

/* Does it trace returns of the kernel's functions? */
bool plan_waits_for_returns(const struct plan *p);

#endif
