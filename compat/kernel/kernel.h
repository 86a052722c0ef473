/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KERNEL_H
#define SONDE_KERNEL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/kernel/arch.h"
#include "compat/base/error.h"
#include "compat/kernel/format.h"

/*
 * The facts of one kernel: of the running one, or of a snapshot, which is a folder with the facts
 * of another kernel. Everything is read when first asked for, and kept: a tool pays only for what
 * it asks.
 */
struct kernel;

enum feature {
#define FEATURE(symbol, name, what) FEATURE_##symbol,
#include "compat/kernel/features.def"
#undef FEATURE
	FEATURES
};

/*
 * YES and NO were tried on this kernel; EXPECTED and UNEXPECTED are what a snapshot, a document or
 * the version suggests.
 */
enum answer { NO, YES, UNEXPECTED, EXPECTED };

/*
 * The kernel that wrote `dir` (see `sonde snapshot`); NULL and err if that is not a snapshot. The
 * running kernel is kernel_running() of compat/probing/running.h.
 */
struct kernel *kernel_snapshot(const char *dir, struct error *err);
void kernel_free(struct kernel *k);

/*
 * A comma-separated list of what this kernel is to be treated as lacking: features, events,
 * functions, members of structs, and releases ("4.9") for all that came after them. A word that is
 * not known is an error, which lists those that are.
 */
int kernel_without(struct kernel *k, const char *list, struct error *err);
/* Did that list name this? `kind` is "tracepoint:", "function:" or "member:". */
bool kernel_hides(const struct kernel *k, const char *kind, const char *name);

/*
 * The only processes that are traced: files are searched in them first. And a flag: work that may
 * take long ends when *stop is not 0. Both remain the caller's.
 */
void kernel_set_processes(struct kernel *k, const uint32_t *ids, unsigned int n);
void kernel_set_stop(struct kernel *k, const volatile sig_atomic_t *stop);
const uint32_t *kernel_processes(const struct kernel *k, unsigned int *n);	/* n is 0: all */
const volatile sig_atomic_t *kernel_stop(const struct kernel *k);	/* may be NULL */
/*
 * Lets probes take time (a tenth of a second each) and make things for a moment: probe events, an
 * instance. For commands that show the features. Earlier answers are forgotten.
 */
void kernel_set_thorough(struct kernel *k);
/* -1 and err if work is to end: asked wherever many things are made one by one. */
int kernel_stopped(const struct kernel *k, struct error *err);

bool kernel_live(const struct kernel *k);
const char *kernel_release(struct kernel *k);		/* as in uname -r */
const char *kernel_version_text(struct kernel *k);	/* as in uname -v */
/* LINUX_VERSION_CODE, for BPF_PROG_LOAD's kern_version */
unsigned int kernel_version_code(struct kernel *k);
/* the kernel's, not this binary's; never NULL */
const struct arch *kernel_arch(struct kernel *k);
/* where tracefs is mounted; NULL: nowhere. Mounts it if possible */
const char *kernel_tracefs(struct kernel *k);

enum answer kernel_feature(struct kernel *k, enum feature f);

/* Why a feature is absent, where others have to know it. */
enum cause {
	CAUSE_OTHER,			/* the text says it */
	CAUSE_WITHOUT,			/* --without */
	CAUSE_RIGHTS,			/* root's rights are missing */
	CAUSE_NO_CALL,			/* the kernel has no such system call */
	CAUSE_NOT_BUILT,		/* the kernel was built without feature_config() */
};

/* Why a feature is as it is. */
struct feature_reason {
	enum feature feature;
	enum feature root;		/* the absent feature that this one needs; else itself */
	enum cause cause;		/* of the root */
	const char *text;		/* the root's; NULL: nothing to say. Owned by the kernel */
};

struct feature_reason kernel_feature_reason(struct kernel *k, enum feature f);
#define FEATURE_REASON 280		/* bytes that feature_reason_words() needs at most */
/* "EPERM: lockdown", "--without", "needs tracefs: ..."; empty if there is nothing to say. */
void feature_reason_words(const struct feature_reason *reason, char *to, size_t size);
const char *feature_name(enum feature f);
const char *feature_text(enum feature f);
const char *feature_config(enum feature f);	/* "CONFIG_BPF_SYSCALL"; NULL: none, or several */
static inline bool kernel_has(struct kernel *k, enum feature f)
{
	enum answer a = kernel_feature(k, f);

	return a == YES || a == EXPECTED;
}

/* The format of a tracepoint; NULL: the kernel has no such one. Owned by the kernel. */
const struct format *kernel_format(struct kernel *k, const char *system, const char *event);
/*
 * The symbol to probe for a function: its own name, or the one that the compiler made of it
 * (`.isra.N`, `.part.N`, `.constprop.N`, never `.cold`); NULL: there is none. Owned by the kernel.
 * May read all of kallsyms, once.
 */
const char *kernel_function(struct kernel *k, const char *name);
/*
 * The same of a function that others call by its name, as those of system calls: compilers leave
 * it as it is, and that it is absent is cheaper to know.
 */
const char *kernel_function_as_is(struct kernel *k, const char *name);
/*
 * This function will be asked for: where all of kallsyms has to be read for one that is expected,
 * what it says of the others is kept, so that it is read once. Say it of all of them first.
 */
void kernel_expect(struct kernel *k, const char *name);
/*
 * One text symbol of the kernel or a module: its type as in nm, its name (not NUL-terminated).
 */
typedef void (*symbol_fn)(void *arg, char type, const char *name, size_t length);
/* Calls `each` for all of them, read now; not 0: they can't be read. */
int kernel_each_function(struct kernel *k, symbol_fn each, void *arg);

/*
 * The text of a small file of tracefs, /proc or /sys ("tracefs:trace_clock"); NULL if absent. Owned
 * by the kernel.
 */
const char *kernel_text(struct kernel *k, const char *path);
/* The same for text that holds NULs. */
const char *kernel_data(struct kernel *k, const char *path, size_t *length);
/* The same, read now and not kept: the caller frees it. */
char *kernel_read(struct kernel *k, const char *path, size_t *length);
/* Whether the kernel can mount this type now; false where that is not known, as of a snapshot. */
bool kernel_knows_filesystem(struct kernel *k, const char *type);
/* The release, as KERNEL_VERSION() has it, that brought "SYSTEM:EVENT"; 0: that is not known. */
unsigned int kernel_tracepoint_since(const char *name);
/* True if this process has a capability, by its number, in its effective set. */
bool kernel_capable(struct kernel *k, unsigned int capability);

#endif
