/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_REFUSAL_H
#define SONDE_REFUSAL_H

#include <stdbool.h>

#include "compat/base/error.h"
#include "compat/kernel/kernel.h"

/* Why an alternative of a hook does not serve: in words, and what others have to know of it. */
struct refusal {
	const char *hook;		/* the name of the demand's; NULL: it is not of one hook */
	bool lacks;			/* the kernel lacks this feature, and that is all: */
	enum feature feature;
	const char *function, *module;	/* missing, and what may have it; NULL: none. The tables' */
	bool needs_btf;			/* a member that only type information would tell */
	struct error why;		/* without the hook */
};

struct refusals {
	unsigned int n;
	struct refusal *list;
};

/* All of it anew; `to` may be NULL. They return -1. */
int not_served(struct refusal *to, const char *hook, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int lacks_feature(struct refusal *to, const char *hook, enum feature f, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* `needs_btf`: nothing but type information would tell where the member is. */
int lacks_member(struct refusal *to, const char *hook, bool needs_btf, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* A function that a module may have. */
int lacks_function(struct refusal *to, const char *hook, const char *function, const char *module);
/* Adds it if it was not said before; what there is no memory for is not told. */
void refusals_add(struct refusals *r, const struct refusal *refusal);
/* All as lines "HOOK: WHY". */
void refusals_words(const struct refusals *r, struct error *err);
void refusals_free(struct refusals *r);

#endif
