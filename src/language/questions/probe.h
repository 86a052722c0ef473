/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_PROBE_H
#define SONDE_LANG_PROBE_H

#include "src/language/expressions/code.h"
#include "src/language/expressions/inputs.h"
#include "src/language/questions/probes/entered.h"
#include "src/language/questions/probes/traced_calls.h"
#include "src/language/questions/probes/typed_fields.h"
#include "src/toolkit/patterns/patterns.h"

/*
 * The place where a program of the user runs, a probe in bcc's trace and argdist:
 *
 *	[p:|r:|t:|u:][LIBRARY:]NAME[+OFFSET][(SIGNATURE)]
 *
 * NAME is a pattern (src/toolkit/patterns/pattern.h), or a system call by any name that its
 * function has had: sys_read, SyS_read, __x64_sys_read. The signature names arguments and gives
 * them types.
 */
#define PROBE_WAYS 10

struct lang_probe {
	struct tree tree;		/* of all expressions of the probe */
	struct scope scope;
	struct patterns patterns;	/* unused for a system call */
	/* as written, without signature; the system call, or NULL */
	char *spec, *call;
	uint32_t offset;		/* from the function's beginning */
	char *named;			/* NAME+0xOFFSET; NULL: offset 0 */
	char *written;			/* LIBRARY:NAME; NULL: a function of the kernel */
	bool wants_signature;		/* set by the caller before: the signature is required */
	bool missing;			/* on error: there is no such thing to probe here */
	bool several_words;		/* programs of both 32 and 64 bits have it */
	bool left_out;			/* 32-bit programs are left out, because values are read */
	bool whole;			/* set before probe_hook(): whole records are handed over */
	/*
	 * Set by the caller before probe_hook(): typed arguments may take the place of a record, or
	 * of registers.
	 */
	bool without_record;
	bool zeros;			/* on rings, unreadable memory gives the number 0 */
	const char *more;		/* more inputs, with a blank in front; NULL: none */
	/* if this is false, the kernel may drop the event; NULL: all events are wanted */
	const struct node *filter;
	char *filters[2];		/* the same as event filters, by enum filter_names */
	char *inputs, *typed_inputs[TYPED_WAYS];
	/*
	 * Set by the caller instead of probe_find(): samples of each CPU, as often a second as the
	 * constant of this name says; NULL: no samples.
	 */
	const char *sampled;
	uint32_t period;		/* of `sampled`, a counter: counts for each sample */
	const struct watch *watch;	/* accesses to memory instead; NULL: none */
	/* set by the caller instead: a raw tracepoint, SYSTEM:EVENT; NULL: none */
	const char *raw;
	const char *iterator;		/* the function of an iterator of the kernel; NULL: none */
	struct probe syscalls[2], place;
	struct traced_calls traced;
	struct entered entered;
	struct kernel *kernel;
	struct alternative ways[PROBE_WAYS];
	struct hook hook;
};

/*
 * Announces lines that each begin with a probe, so that all functions of the kernel that they name
 * are looked up in one reading. NULL: none.
 */
void probe_expect(struct kernel *k, const char *texts);
/*
 * Parses a probe at `*at` of its tree's source, moves `*at` behind it, and finds what it names.
 * Returns -1 and sets err on failure; probe_free() is called in either case.
 */
int probe_find(struct kernel *k, struct lang_probe *p, size_t *at, struct error *err);
/*
 * Makes `calls`, on the calls of the functions whose returns `p` is on. Otherwise as probe_find().
 */
int probe_calls(struct kernel *k, const struct lang_probe *p, struct lang_probe *calls,
		struct error *err);
void probe_free(struct lang_probe *p);

/* Makes p->hook, after all expressions are bound. Returns -1 if there is no memory. */
int probe_hook(struct lang_probe *p, const char *name);

/* The function (or tracepoint) with this number, the value of the hook's input `function`. */
const char *probe_function(const struct lang_probe *p, uint64_t number);

#endif
