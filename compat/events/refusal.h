/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_REFUSAL_H
#define SONDE_REFUSAL_H

#include <stdbool.h>

#include "compat/base/error.h"
#include "compat/kernel/kernel.h"

/* Why an alternative of a hook does not serve: in words, and what others have to know of it. */
struct refusal {
	const char *hook;		/* of the demand; NULL: it is not of one hook */
	bool lacks;			/* the only reason is that the kernel lacks this feature: */
	enum feature feature;
	/* a missing function, and the module that may have it; NULL: it is something else */
	const char *function, *module;
	bool needs_btf;			/* a member that only type information would tell */
	struct error why;		/* without the hook */
};

struct refusals {
	unsigned int n;
	struct refusal *list;
};

/* What several say of kernels whose uprobes read registers alone. */
#define CANT_READ_MEMORY "uprobes of this kernel can't read memory (since 3.14)"

/* They set all of it; `to` may be NULL. They return -1. */
int not_served(struct refusal *to, const char *hook, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int lacks_feature(struct refusal *to, const char *hook, enum feature f, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* `needs_btf`: only type information would tell where the member is. */
int lacks_member(struct refusal *to, const char *hook, bool needs_btf, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* A function that a module may have. */
int lacks_function(struct refusal *to, const char *hook, const char *function, const char *module);
/* Adds it if the list does not have it; leaves it out when out of memory. */
void refusals_add(struct refusals *refusals, const struct refusal *refusal);
/* All as lines "HOOK: WHY". */
void refusals_words(const struct refusals *refusals, struct error *err);
void refusals_free(struct refusals *refusals);

#endif
