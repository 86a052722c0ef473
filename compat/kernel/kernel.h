/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KERNEL_H
#define SONDE_KERNEL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/arch/arch.h"
#include "compat/base/error.h"
#include "compat/kernel/format.h"

/*
 * The facts of one kernel: the running one, or another one by a snapshot, a folder with its facts.
 * Facts are read when first asked for, and kept, so a tool pays only for those it needs.
 */
struct kernel;

enum feature {
#define FEATURE(symbol, name, what) FEATURE_##symbol,
#include "compat/kernel/features.def"
#undef FEATURE
	FEATURES
};

/*
 * YES and NO were tried on this kernel. EXPECTED and UNEXPECTED follow from a snapshot, from
 * documentation, or from the version.
 */
enum answer { NO, YES, UNEXPECTED, EXPECTED };

/*
 * The kernel of a snapshot, in the folder `dir` (see `sonde snapshot`). Returns NULL and sets err
 * if the folder is no snapshot. kernel_running() of compat/probing/running.h is the running kernel.
 */
struct kernel *kernel_snapshot(const char *dir, struct error *err);
void kernel_free(struct kernel *k);

/*
 * Treats this kernel as if it lacked the words of a comma-separated list: features, events,
 * functions, members of structs, and releases ("4.9" hides all later ones). An unknown word is an
 * error whose text lists the known ones. Returns -1 and sets err on failure.
 */
int kernel_without(struct kernel *k, const char *list, struct error *err);
/* Returns true if that list hides a name. `kind` is "tracepoint:", "function:" or "member:". */
bool kernel_hides(const struct kernel *k, const char *kind, const char *name);

/*
 * Sets the only processes that are traced: files are searched in them first. Sets a flag: long work
 * ends when *stop is not 0. The caller owns both.
 */
void kernel_set_processes(struct kernel *k, const uint32_t *ids, unsigned int n);
void kernel_set_stop(struct kernel *k, const volatile sig_atomic_t *stop);
const uint32_t *kernel_processes(const struct kernel *k, unsigned int *n);	/* n is 0: all */
const volatile sig_atomic_t *kernel_stop(const struct kernel *k);	/* may be NULL */
/*
 * Allows slow trials of features (a tenth of a second each), and trials that make probe events or
 * an instance for a moment. For commands that show the features. Drops earlier answers.
 */
void kernel_set_thorough(struct kernel *k);
/* Returns -1 and sets err if work must end. To be called in loops that make many things. */
int kernel_stopped(const struct kernel *k, struct error *err);

/* Returns true for the running kernel. */
bool kernel_live(const struct kernel *k);
/* The program that recorded a kernel. */
struct recorded_by {
	const char *event;	/* a command; the name of a tracepoint, which it records, follows */
	bool stacks;		/* stacks may be there, with the events that they are of */
	const char *date;	/* a command that records the time of day, too */
	/* a command that records the lives of tasks, if it does not do so without */
	const char *tasks;
};

/*
 * Returns true for the kernel of a recording: it has the events that were recorded, and no probes
 * can be made.
 */
bool kernel_recorded(const struct kernel *k);
/* What recorded the kernel of a recording; NULL: the kernel is another's. */
const struct recorded_by *kernel_recorder(const struct kernel *k);
const char *kernel_release(struct kernel *k);		/* as in uname -r */
const char *kernel_version_text(struct kernel *k);	/* as in uname -v */
/* LINUX_VERSION_CODE, for BPF_PROG_LOAD's kern_version */
unsigned int kernel_version_code(struct kernel *k);
/* the kernel's machine, not this binary's; never NULL */
const struct arch *kernel_arch(struct kernel *k);
/* where tracefs is mounted; it is mounted if possible. NULL: nowhere */
const char *kernel_tracefs(struct kernel *k);

/* The answer about a feature; it is tried by the first call. */
enum answer kernel_feature(struct kernel *k, enum feature f);

/* The kernel has refused what the feature promised: from now on the answer is no. */
void kernel_give_up(struct kernel *k, enum feature f, const char *why);

/* Why a feature is absent, for code that handles causes differently. */
enum cause {
	CAUSE_OTHER,			/* only the text says it */
	CAUSE_WITHOUT,			/* --without */
	CAUSE_RIGHTS,			/* root's rights are missing */
	CAUSE_NO_CALL,			/* the kernel has no such system call */
	CAUSE_NOT_BUILT,		/* the kernel was built without feature_config() */
};

/* The reason of an answer. */
struct feature_reason {
	enum feature feature;
	enum feature root;		/* the absent feature that this one needs; else itself */
	enum cause cause;		/* of the root */
	const char *text;		/* of the root; NULL: none. Owned by the kernel */
	int error;			/* errno of the root's trial; 0: none, or not known */
};

/* The reason of a feature's answer. */
struct feature_reason kernel_feature_reason(struct kernel *k, enum feature f);
#define FEATURE_REASON 280		/* bytes that feature_reason_words() needs at most */
/* Writes "EPERM: lockdown", "--without", "needs tracefs: ..."; or an empty text. */
void feature_reason_words(const struct feature_reason *reason, char *to, size_t size);
/* The feature's name, its meaning, its option: "CONFIG_BPF_SYSCALL"; NULL: none, or several. */
const char *feature_name(enum feature f);
const char *feature_text(enum feature f);
const char *feature_config(enum feature f);
/* Returns true if the kernel has the feature, or is expected to have it. */
static inline bool kernel_has(struct kernel *k, enum feature f)
{
	enum answer a = kernel_feature(k, f);

	return a == YES || a == EXPECTED;
}

/* The format of a tracepoint, owned by the kernel. Returns NULL if the kernel has none. */
const struct format *kernel_format(struct kernel *k, const char *system, const char *event);
/* The same of "SYSTEM:EVENT". */
const struct format *kernel_format_named(struct kernel *k, const char *name);
/*
 * The symbol to probe for a function, owned by the kernel: its name, or a symbol that the compiler
 * derived from it (`.isra.N`, `.part.N`, `.constprop.N`, never `.cold`). Returns NULL if there is
 * none. May read all of kallsyms, once.
 */
const char *kernel_function(struct kernel *k, const char *name);
/*
 * The same for a function that others call by its name, as the functions of system calls: compilers
 * do not rename it, so its absence is found faster.
 */
const char *kernel_function_as_is(struct kernel *k, const char *name);
/*
 * Announces a kernel_function() of this name. If kallsyms must be read for one of the announced
 * functions, the lines of all are kept, so it is read once. To be called before the first search.
 */
void kernel_expect(struct kernel *k, const char *name);
/* A text symbol of the kernel or a module: its type as in nm, its name without a NUL. */
typedef void (*symbol_fn)(void *arg, char type, const char *name, size_t length);
/* Calls `each` for all text symbols, read now. Returns 0, or not 0 if they can't be read. */
int kernel_each_function(struct kernel *k, symbol_fn each, void *arg);

/*
 * The text of a small file of tracefs, /proc or /sys ("tracefs:trace_clock"), owned by the kernel.
 * Returns NULL if it is absent.
 */
const char *kernel_text(struct kernel *k, const char *path);
/* The same for text with NULs in it. */
const char *kernel_data(struct kernel *k, const char *path, size_t *length);
/* The same, read now and not kept: the caller frees. */
char *kernel_read(struct kernel *k, const char *path, size_t *length);
/* Returns true if the kernel can mount this type now; false if unknown, as for a snapshot. */
bool kernel_knows_filesystem(struct kernel *k, const char *type);
/* The release, as KERNEL_VERSION(), that introduced "SYSTEM:EVENT"; 0: unknown. */
unsigned int kernel_tracepoint_since(const char *name);
/* Returns true if a task may lose its CPU to another one while it runs code of the kernel. */
bool kernel_preempts(struct kernel *k);
/* Returns true if this process has a capability (CAP_...) in its effective set. */
bool kernel_capable(struct kernel *k, unsigned int capability);

#endif
