/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FACTS_H
#define SONDE_FACTS_H

#include "compat/kernel/kernel.h"

/*
 * Where the facts of a kernel come from: the running kernel (compat/probing/running.c) or a
 * snapshot (facts_snapshot.c), and what both need to answer.
 */

/* An answer about one feature, and why: see struct feature_reason. */
struct verdict {
	bool known;
	enum answer answer;
	enum feature root;		/* the feature itself before it is judged */
	enum cause cause;
	char reason[248];		/* empty: nothing to say */
};

void verdict_set(struct verdict *v, enum answer answer, const char *reason, ...)
	__attribute__((format(printf, 3, 4)));
/* NO, with its cause; verdict_set() leaves that to the text. */
void verdict_no(struct verdict *v, enum cause cause, const char *reason, ...)
	__attribute__((format(printf, 3, 4)));

struct kernel_identity {
	char release[65];		/* as in uname -r */
	char version[65];		/* as in uname -v */
	unsigned int version_code;	/* see kernel_version_code() */
	const struct arch *arch;	/* NULL: a machine that sonde does not know */
};

/*
 * Texts are asked for by logical paths: "tracefs:FILE" below the tracefs mount, a path of /proc or
 * /sys, or one of the words
 *	"config"	the kernel's configuration, uncompressed
 *	"pmu"		lines `NAME number` of the perf event sources
 *	"pmu-formats"	lines `NAME/format/FIELD bits` of the probes' ones
 *	"limits"	lines `PATH value` of sysctls below /proc/sys, and of settings below
 *			/sys/kernel
 *	"offsets"	of a snapshot: offsets_text() of its kernel
 *	"bpf-check"	what became of trying bpf(2): lines of `WHAT   ok` or `WHAT   error`,
 *			lists `WHAT: numbers`
 */
struct facts {
	bool live;
	/* Fills what is all zeros before; false if that can't be read. */
	bool (*identity)(struct kernel *k, struct kernel_identity *to);
	char *(*tracefs)(struct kernel *k);
	/* A malloc'ed text, NUL-terminated beyond its length; NULL: absent. */
	char *(*text)(struct kernel *k, const char *path, size_t *length);
	int (*functions)(struct kernel *k, symbol_fn each, void *arg);
	void (*feature)(struct kernel *k, enum feature f, struct verdict *v);
};

/* A kernel with these facts; NULL: out of memory. */
struct kernel *kernel_new(const struct facts *facts);

/* May features be tried thoroughly? See kernel_set_thorough(). */
bool kernel_thorough(const struct kernel *k);
/* RLIMIT_MEMLOCK, while BPF is tried. */
struct memlock *kernel_memlock(struct kernel *k);

/* The answer "by version", where nothing better is known. */
void feature_by_version(struct kernel *k, enum feature f, struct verdict *v);
/* The answer of the configuration, the machine, the tracefs README; false: it does not tell. */
bool feature_by_config(struct kernel *k, enum feature f, struct verdict *v);
bool feature_by_machine(struct kernel *k, enum feature f, struct verdict *v);
bool feature_by_readme(struct kernel *k, enum feature f, struct verdict *v);

/* True if a list of words, separated by space, has this word: as it is or as "[word]". */
bool has_word(const char *list, const char *word);
/* Of text that begins with "MAJOR.MINOR[.SUBLEVEL]", as KERNEL_VERSION(); 0 if it does not. */
unsigned int version_parse(const char *text);

#endif
