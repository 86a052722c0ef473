/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PLAN_H
#define SONDE_PLAN_H

#include "backends/backend.h"
#include "compat/resolve/resolve.h"
#include "insns/lower/lower.h"
#include "insns/program.h"

#define PLAN_SETS 3

/* What a plan is made from: programs, the user's options, and the kernel. */
struct plan_request {
	struct kernel *kernel;
	/*
	 * the tool's, or those that it has otherwise; the session's own; and those of the listener
	 * that counts requests of io_uring; may be NULL
	 */
	const struct program_set *sets[PLAN_SETS];
	const struct constant *options;
	const struct filter *filter;
	unsigned int buffer_pages;
	/* the user named the engine: alternatives that work but are unsafe are allowed */
	bool forced;
	bool unwound;			/* as in struct plan */
	uint64_t memory;		/* limit of BPF tables in bytes; 0: none */
};

/* A plan, and what it was made of: the chosen probes, and what this kernel can't provide. */
struct made_plan {
	struct plan plan;
	struct resolution resolution;
	/* tables were made smaller: the machine has little memory */
	bool smaller;
	/* what programs know whose a task is by: its process, its cgroup's id, or its thread */
	enum identity_id whose;
};

/*
 * Makes everything that an engine needs: resolves hooks, lowers programs, and asks the engine
 * whether it accepts the plan. Returns -1 and sets err if this kernel can't serve the tool with
 * that engine. The caller calls plan_free() in either case.
 */
int plan_make(const struct plan_request *request, const struct backend *b, struct made_plan *out,
	      struct error *err);
void plan_free(struct made_plan *p);

/* The number of a map. Returns -1 if there is none of that name. */
int plan_map(const struct plan *p, const char *name);

/* Returns true if the plan traces returns of functions of the kernel. */
bool plan_waits_for_returns(const struct plan *p);

#endif
