/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_REFUSAL_H
#define SONDE_REFUSAL_H

#include <stdbool.h>

#include "compat/base/error.h"
#include "compat/kernel/kernel.h"

/* Why an alternative of a hook is not used: a text, and facts for other code. */
struct refusal {
	const char *hook;		/* of the demand; NULL: not of one hook */
	bool lacks;			/* the only reason: the kernel lacks this feature */
	enum feature feature;
	/* a missing function, and the module that may have it; NULL: another reason */
	const char *function, *module;
	bool needs_btf;			/* a member that only type information can tell */
	struct error why;		/* without the hook's name */
};

struct refusals {
	unsigned int n;
	struct refusal *list;
};

/* A reason that several files use. */
#define CANT_READ_MEMORY "uprobes of this kernel can't read memory (since 3.14)"

/* These fill *to, which may be NULL. They return -1. */
int not_served(struct refusal *to, const char *hook, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The kernel lacks a feature. */
int lacks_feature(struct refusal *to, const char *hook, enum feature f, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* The offset of a member is unknown. `needs_btf`: only type information can tell it. */
int lacks_member(struct refusal *to, const char *hook, bool needs_btf, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* The function is missing; `module` may have it. */
int lacks_function(struct refusal *to, const char *hook, const char *function, const char *module);

/*
 * Adds a refusal unless the list has it, or it has no text. If there is no memory, it is left out.
 */
void refusals_add(struct refusals *refusals, const struct refusal *refusal);
/* Writes all as lines "HOOK: WHY". */
void refusals_words(const struct refusals *refusals, struct error *err);
void refusals_free(struct refusals *refusals);

#endif
