/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KERNEL_INTERNAL_H
#define SONDE_KERNEL_INTERNAL_H

#include <stdio.h>

#include "compat/base/error.h"
#include "compat/base/hash.h"
#include "compat/base/memlock.h"
#include "compat/kernel/facts.h"
#include "compat/kernel/kernel.h"

/* Shared by the files of this folder. Other folders use keep.h, facts.h and kernel.h. */

extern const struct facts facts_snapshot;

struct text_entry {
	struct text_entry *next;
	char *text;			/* NULL: absent */
	size_t length;
	char path[];
};

struct format_entry {
	struct format_entry *next;
	struct format *format;		/* NULL: absent */
	char name[];			/* "SYSTEM:EVENT" */
};

struct hidden {
	struct hidden *next;
	char what[];			/* a word of kernel_without() */
};

struct kernel {
	const struct facts *facts;
	char *dir;			/* of a snapshot */
	bool thorough;			/* kernel_set_thorough() was called */
	struct memlock memlock;		/* while BPF is tried */
	bool identity_known, tracefs_known;
	struct kernel_identity identity;
	char *tracefs;
	struct verdict verdicts[FEATURES];
	bool without[FEATURES];
	struct hidden *hidden;
	struct text_entry *texts;
	struct format_entry *formats;
	struct hash functions;		/* by name: the symbol, a char *; NULL: absent */
	struct names *names;		/* all functions; NULL: not read yet */
	struct excerpt *excerpt;	/* of kernel_expect(); NULL: not used */
	struct looker *looker;		/* of kernel_look_up(); NULL: not used */
	struct kept *kept;		/* of kernel_keep() */
	const uint32_t *processes;	/* of kernel_set_processes() */
	unsigned int n_processes;
	const volatile sig_atomic_t *stop;	/* may be NULL */
	FILE *says;			/* of kernel_set_says() */
	struct error doubt;		/* of kernel_doubt(); "": none */
};

/* Parts of kernel_free(). */
void keep_free(struct kernel *k);
void excerpt_free(struct kernel *k);

/* Writes the names of all features with commas; if there is no room for all, "..." at the end. */
void feature_list(char *to, size_t size);
/* The features that f needs; ends with FEATURES. */
const enum feature *feature_needs(enum feature f);
/*
 * Calls `each` with a word for kernel_without() for everything newer than this release. Stops if it
 * returns another value than 0, and returns that.
 */
int each_newer(unsigned int code, int (*each)(void *arg, const char *what), void *arg);
/* A version in the form of LINUX_VERSION_CODE; sublevels above 255 become 255. */
unsigned int version_code(unsigned int major, unsigned int minor, unsigned int sublevel);

#endif
