/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FACTS_H
#define SONDE_FACTS_H

#include "compat/kernel/kernel.h"

/*
 * Sources of facts about a kernel: the running kernel (compat/probing/running.c) or a snapshot
 * (facts_snapshot.c), and what both need to answer.
 */

/* An answer about one feature, and the reason: see struct feature_reason. */
struct verdict {
	bool known;
	enum answer answer;
	bool unknown;			/* the trial failed; NO stands for it (doubt.h) */
	int error;			/* errno of the trial; 0: none, or not known */
	enum feature root;		/* at first the feature itself */
	enum cause cause;
	char reason[248];		/* empty: none */
};

/* Sets the answer and its reason. */
void verdict_set(struct verdict *v, enum answer answer, const char *reason, ...)
	__attribute__((format(printf, 3, 4)));
/* Sets NO, with its cause; verdict_set() has CAUSE_OTHER. */
void verdict_no(struct verdict *v, enum cause cause, const char *reason, ...)
	__attribute__((format(printf, 3, 4)));

/* Notes that NO is unknown, if errno tells nothing about the kernel (error_passes()). */
void verdict_error(struct verdict *v, int error);

/*
 * Sets the answer about FEATURE_FENTRY_WHOLE. `skips`: the kernel skips a program on a function
 * while it runs already on the CPU.
 */
void verdict_whole(struct kernel *k, bool skips, struct verdict *v);

struct kernel_identity {
	char release[65];		/* as in uname -r */
	char version[65];		/* as in uname -v */
	unsigned int version_code;	/* see kernel_version_code() */
	const struct arch *arch;	/* NULL: a machine that sonde does not know */
};

/*
 * Texts have logical paths: "tracefs:FILE" below the tracefs mount, a path of /proc or /sys, or one
 * of the words
 *	"config"	the kernel's configuration, uncompressed
 *	"pmu"		lines `NAME number` of the perf event sources
 *	"pmu-formats"	lines `NAME/format/FIELD bits` of the event sources for probes
 *	"limits"	lines `PATH value` of sysctls below /proc/sys, and of settings below
 *			/sys/kernel
 *	"offsets"	of a snapshot: offsets_text() of its kernel
 *	"raw-tracepoints"	of a snapshot: raw_arguments_text() of its kernel
 *	"functions-typed"	of a snapshot: function_prototype_line() of functions
 *	"bpf-check"	results of trying bpf(2): lines of `WHAT   ok` or `WHAT   error`, and
 *			lists `WHAT: numbers`
 */
struct recorded_by;

struct facts {
	bool live;
	const struct recorded_by *recorder;	/* see kernel_recorder() */
	/* Fills *to, all zeros before. Returns false if it can't be read. */
	bool (*identity)(struct kernel *k, struct kernel_identity *to);
	char *(*tracefs)(struct kernel *k);
	/* Returns a text with a NUL behind it, made by malloc(); NULL: absent. */
	char *(*text)(struct kernel *k, const char *path, size_t *length);
	int (*functions)(struct kernel *k, symbol_fn each, void *arg);
	void (*feature)(struct kernel *k, enum feature f, struct verdict *v);
};

/* A kernel with these facts. Returns NULL if there is no memory. */
struct kernel *kernel_new(const struct facts *facts);

/* Returns true if features may be tried thoroughly: see kernel_set_thorough(). */
bool kernel_thorough(const struct kernel *k);
/* The state of RLIMIT_MEMLOCK while BPF is tried. */
struct memlock *kernel_memlock(struct kernel *k);

/* Answers by the kernel's version, if nothing better is known. */
void feature_by_version(struct kernel *k, enum feature f, struct verdict *v);
/*
 * Answer by the configuration, the machine, or tracefs' README. Return false if it does not tell.
 */
bool feature_by_config(struct kernel *k, enum feature f, struct verdict *v);
bool feature_by_machine(struct kernel *k, enum feature f, struct verdict *v);
bool feature_by_readme(struct kernel *k, enum feature f, struct verdict *v);

/* Returns true if a list of words, separated by blanks, has this word: as it is or as "[word]". */
bool has_word(const char *list, const char *word);
/* Text that begins with "MAJOR.MINOR[.SUBLEVEL]", as KERNEL_VERSION(). Returns 0 if it does not. */
unsigned int version_parse(const char *text);

#endif
