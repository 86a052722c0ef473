/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KERNEL_INTERNAL_H
#define SONDE_KERNEL_INTERNAL_H

#include <stddef.h>
#include <stdio.h>

#include "compat/kernel/kernel.h"
#include "compat/base/memlock.h"
#include "compat/resolve/bypass.h"
#include "compat/types/offsets.h"

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

/*
 * One text symbol of the kernel or a module: its type as in nm, its name (not NUL-terminated).
 */
typedef void (*function_fn)(void *arg, char type, const char *name, size_t length);

/*
 * Where facts come from. Texts are asked for by logical paths: "tracefs:FILE" below the tracefs
 * mount, a path of /proc or /sys, or one of the words
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
	/* Release, version code, machine; false if that can't be read. */
	bool (*identity)(struct kernel *k);
	char *(*tracefs)(struct kernel *k);
	/* A malloc'ed text, NUL-terminated beyond its length; NULL: absent. */
	char *(*text)(struct kernel *k, const char *path, size_t *length);
	int (*functions)(struct kernel *k, function_fn each, void *arg);
	void (*feature)(struct kernel *k, enum feature f, struct verdict *v);
};

extern const struct facts facts_live, facts_snapshot;

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

struct function_entry {
	struct function_entry *next;
	char *symbol;			/* NULL: absent */
	char name[];
};

struct hidden {
	struct hidden *next;
	char what[];			/* "tracepoint:SYSTEM:EVENT", "function:NAME" */
};

#define FUNCTION_SLOTS 512

struct kernel {
	const struct facts *facts;
	char *dir;			/* a snapshot's folder */
	bool thorough;
	struct memlock memlock;		/* while BPF is tried */
	bool identity_known, tracefs_known;
	char release[65];
	char version[65];		/* as in uname -v */
	unsigned int version_code;
	const struct arch *arch;
	char *tracefs;
	struct verdict verdicts[FEATURES];
	bool without[FEATURES];
	struct hidden *hidden;
	struct text_entry *texts;
	struct format_entry *formats;
	/* by function_slot() of their names */
	struct function_entry *functions[FUNCTION_SLOTS];
	struct names *names;		/* all functions; NULL: not read yet */
	struct excerpt *excerpt;	/* of kernel_expect(); NULL: nothing is expected */
	struct looker *looker;		/* of kernel_look_up(); NULL: not asked yet */
	struct offset *offsets;
	struct btf *btf;		/* NULL: not open */
	struct binaries *binaries;	/* NULL: not asked for yet */
	const uint32_t *processes;	/* of kernel_set_processes() */
	unsigned int n_processes;
	const volatile sig_atomic_t *stop;	/* may be NULL */
	finder_fn finder;		/* NULL: members are not found at run time */
	trier_fn trier;			/* NULL: no function is tried */
	struct tried *tried;
};

/*
 * Lets probes take time (a tenth of a second each) and make things for a moment: probe events, an
 * instance. For commands that show the features. Earlier answers are forgotten.
 */
void kernel_set_thorough(struct kernel *k);
/* kernel_text() for text that holds NULs. */
const char *kernel_data(struct kernel *k, const char *path, size_t *length);
const char *kernel_version_text(struct kernel *k);	/* as in uname -v */

/* The names of all features, by commas; where there is no room for all, it ends with "...". */
void feature_list(char *to, size_t size);
/* The features f rests on; ends with FEATURES. */
const enum feature *feature_needs(enum feature f);
/* The answer "by version", where nothing better is known. */
void feature_by_version(struct kernel *k, enum feature f, struct verdict *v);
/*
 * Calls `each` with a word for kernel_without() for all that came after this release, until it
 * does not return 0.
 */
int each_newer(unsigned int code, int (*each)(void *arg, const char *what), void *arg);
/* The answer of the configuration, the machine, the tracefs README; false: it does not tell. */
bool feature_by_config(struct kernel *k, enum feature f, struct verdict *v);
bool feature_by_machine(struct kernel *k, enum feature f, struct verdict *v);
bool feature_by_readme(struct kernel *k, enum feature f, struct verdict *v);

/* LINUX_VERSION_CODE's form; the sublevel stops at 255. */
unsigned int version_code(unsigned int major, unsigned int minor, unsigned int sublevel);
/* Of text that begins with "MAJOR.MINOR[.SUBLEVEL]"; 0 if it does not. */
unsigned int version_parse(const char *text);

/* The running kernel's answer about a feature: tries it, as thoroughly as is allowed. */
void probe_feature(struct kernel *k, enum feature f, struct verdict *v);
/* The same for features of BPF; probe_feature() calls it. */
void probe_bpf_feature(struct kernel *k, enum feature f, struct verdict *v);
/* The text "bpf-check" of the running kernel. */
char *probe_bpf_check(struct kernel *k, size_t *length);
/* Defines a probe event with these fetch arguments, and removes it. 0 or -errno. */
int probe_define(struct kernel *k, bool uprobe, const char *fetch);
/*
 * Removes this event of sonde_try, if it is there: the kernel's log tells of each removal that was
 * refused. `events` is kprobe_events or uprobe_events.
 */
void probe_forget(struct kernel *k, const char *events, const char *name);
/* Two sondes that try at once take turns. What a killed one left is removed first. */
int probe_take_turn(struct kernel *k);
void probe_end_turn(int lock);
void probe_switch_states(struct kernel *k, enum feature f, struct verdict *v);
/* The same for 32-bit programs under probes; probe_feature() calls it. */
void probe_narrow(struct kernel *k, enum feature f, struct verdict *v);

/* The names of the numbers in bpf-check's lists, which are also those tried; end with NULL. */
struct bpf_name {
	unsigned int number;
	const char *name;
};
extern const struct bpf_name bpf_map_types[], bpf_program_types[], bpf_helpers[];

/* True if a list of words, separated by space, has this word: as it is or as "[word]". */
bool has_word(const char *list, const char *word);

/*
 * The names of all functions, compactly: the set of the plain names, and the symbols that the
 * compiler made of others (`.isra.0`). names_symbol() is kernel_function() without its cache; the
 * caller frees.
 */
struct names *names_new(void);
void names_free(struct names *n);
void names_add(void *names, char type, const char *name, size_t length);	/* a function_fn */
char *names_symbol(const struct names *n, const char *name);
/* Those of the kernel, read when first asked for; NULL: out of memory. */
const struct names *kernel_names(struct kernel *k);
/* A symbol that the compiler also made of the function; NULL: none. Valid as long as the names. */
const char *names_clone(const struct names *n, const char *name);

/* Lines of kallsyms: functions that are expected, and what compilers made of them. */
struct excerpt_line {
	uint64_t address;		/* 0 if we may not see it */
	char *name, *module;		/* module: NULL is the kernel itself */
};

struct excerpt {
	enum { EXCERPT_UNREAD, EXCERPT_READ, EXCERPT_FAILED } state;
	char **expected;
	unsigned int n_expected;
	struct excerpt_line *lines;
	unsigned int n;
	struct names *names;		/* of the lines */
	uint64_t init_from, init_to;	/* what ran when the kernel booted */
};

/* Read when first asked for; NULL: nobody expected this function, or it can't be read. */
const struct excerpt *kernel_excerpt(struct kernel *k, const char *name);
void excerpt_free(struct kernel *k);

#endif
