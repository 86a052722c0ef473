/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_PROBE_H
#define SONDE_LANG_PROBE_H

#include "src/lang/code.h"
#include "src/lang/inputs.h"
#include "src/lang/probes/traced_calls.h"
#include "src/patterns/patterns.h"

/*
 * Where a program of the user's runs: what bcc's trace and argdist call a probe.
 *
 *	[p:|r:|t:|u:][LIBRARY:]NAME[+OFFSET][(SIGNATURE)]
 *
 * NAME is a pattern (src/patterns/pattern.h), or a system call under any of the names that its
 * function has had: sys_read, SyS_read, __x64_sys_read. The signature gives arguments names and
 * types.
 */
#define PROBE_WAYS 7

struct lang_probe {
	struct tree tree;		/* of all expressions of the probe */
	struct scope scope;
	struct patterns patterns;	/* unless it is a system call */
	char *spec, *call;		/* as it was written, without its signature; the call */
	uint32_t offset;		/* behind the function's beginning */
	char *named;			/* NAME+0xOFFSET; NULL: at its beginning */
	char *written;			/* LIBRARY:NAME; NULL: a function of the kernel */
	bool wants_signature;		/* to be set before: it is not optional */
	bool missing;			/* there is no such thing to probe here */
	bool several_words;		/* programs of both 32 and 64 bits have it */
	bool left_out;			/* those of 32 bits, as it reads values */
	bool whole;			/* to be set before probe_hook(): its records are wanted */
	bool zeros;			/* in rings numbers of memory that can't be read are 0 */
	bool in_cgroup;			/* the same: its program asks for the task's cgroup */
	const char *more;		/* other inputs, with a blank in front; NULL: none */
	/* what is false of events that need not come; NULL: all are wanted */
	const struct node *filter;
	char *filters[2];		/* the same for rings, by enum filter_names */
	char *inputs;
	struct probe syscalls[2], place;
	struct traced_calls traced;
	struct kernel *kernel;
	struct alternative ways[PROBE_WAYS];
	struct hook hook;
};

/*
 * Lines that begin with a probe each will be read: of the kernel's functions that they name all is
 * found at once. NULL: none.
 */
void probe_expect(struct kernel *k, const char *texts);
/*
 * Reads a probe at `*at` of its tree's source, which is set behind it, and finds what it names. -1
 * and err; probe_free() in either case.
 */
int probe_find(struct kernel *k, struct lang_probe *p, size_t *at, struct error *err);
/* The calls of the functions whose returns `p` is on. -1 and err; probe_free() in either case. */
int probe_calls(struct kernel *k, const struct lang_probe *p, struct lang_probe *calls,
		struct error *err);
void probe_free(struct lang_probe *p);

/* When all expressions are bound: makes p->hook of this name. -1: out of memory. */
int probe_hook(struct lang_probe *p, const char *name);

/* What has this number, the input `function` of the hook. */
const char *probe_function(const struct lang_probe *p, uint64_t number);

#endif
