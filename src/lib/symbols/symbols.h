/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYMBOLS_H
#define SONDE_SYMBOLS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * From addresses to names: the one store that a session has. It knows no engine: who has the
 * kernel's side band (mmap2, comm, task events of perf) hands its records over as plain structs, in
 * the order of their times, and asks for addresses of a process at the time of the event that has
 * them. So a process that has ended since is named like any other.
 *
 * A process is named by its id as /proc shows it. Times are of any clock that all calls share;
 * SYMBOLS_NOW is later than all of them.
 *
 * How it is used: symbols_new(); the engine's events on; symbols_seed() for the processes that are
 * there already; then in turns events, symbols_settle(), and questions.
 */
struct symbols;

#define SYMBOLS_NOW UINT64_MAX

struct symbols_setup {
	bool foreign;			/* /proc speaks of other processes than the events do */
	bool mangled;			/* C++ and Rust names as the linker has them */
	/* ends what takes long; may be NULL */
	const volatile sig_atomic_t *stop;
	/* NULL: the running kernel's. They stay the caller's, and valid. */
	const char *kallsyms, *modules;
};

/* NULL: no memory. */
struct symbols *symbols_new(const struct symbols_setup *setup);
void symbols_free(struct symbols *s);

/* ---- what happened ---- */

struct symbols_mapping {		/* PERF_RECORD_MMAP2, or MMAP with what that knows */
	uint32_t pid;			/* the process's, not the thread's */
	uint64_t time;
	uint64_t start, length, offset;
	uint32_t major, minor;
	uint64_t inode, generation;	/* 0: not known */
	bool code;			/* may be executed; MMAP does not tell: true */
	const char *path;		/* with the kernel's own names: //anon, [vdso] */
};

void symbols_mapped(struct symbols *s, const struct symbols_mapping *m);
/* A new process; new threads of one may be handed over as well: nothing happens. */
void symbols_forked(struct symbols *s, uint32_t parent, uint32_t child, uint64_t time);
/* PERF_RECORD_COMM with PERF_RECORD_MISC_COMM_EXEC, or sched_process_exec. */
void symbols_executed(struct symbols *s, uint32_t pid, uint64_t time);
/* The last, or the leading, thread of a process has ended. */
void symbols_exited(struct symbols *s, uint32_t pid, uint64_t time);

/*
 * Reads from /proc what these processes have mapped at `time`, now; pids NULL: all. What is known
 * from events already is not read again. Call it as soon as events are on.
 */
void symbols_seed(struct symbols *s, const uint32_t *pids, size_t n, uint64_t time);
/*
 * Opens the files that are new in what happened, while they are there: call it when a batch of
 * events was handed over. It costs nothing if there is no new one.
 */
void symbols_settle(struct symbols *s);
/* Nobody will ask for a time before this one: processes that ended before it are forgotten. */
void symbols_forget(struct symbols *s, uint64_t before);

/* ---- names ---- */

/* SEVERAL: code of more than one file or program, and it can't be told which. */
enum symbol_kind {
	SYMBOL_UNKNOWN, SYMBOL_KERNEL, SYMBOL_USER, SYMBOL_JIT, SYMBOL_VDSO, SYMBOL_SEVERAL,
};

/*
 * Strings are valid as long as the store is, whatever happens to it. They are anybody's bytes: the
 * sink escapes them.
 */
struct symbol {
	enum symbol_kind kind;		/* of the memory, even if there is no name */
	const char *name;		/* NULL: unknown */
	/*
	 * "kernel", a module's name, "bpf"; the name of the file without its folder; "[vdso]".
	 * NULL: none, or unknown.
	 */
	const char *module;
	/* of the address in the function; without a name in the file */
	uint64_t offset;
};

/* Both have the same name, or none. */
bool symbol_alike(const struct symbol *a, const struct symbol *b);

/*
 * `caller`: the address is where a function returns to: it is the instruction behind the call that
 * is looked for, which may be the last one of its function.
 */
void symbols_kernel(struct symbols *s, uint64_t address, bool caller, struct symbol *symbol);
void symbols_user(struct symbols *s, uint32_t pid, uint64_t time, uint64_t address, bool caller,
		  struct symbol *symbol);
/*
 * The same of an address that was seen at any time from `since` to `time`: if code of several files
 * was there, one after the other, it has a name only if that is the same in all (SYMBOL_SEVERAL).
 */
void symbols_user_since(struct symbols *s, uint32_t pid, uint64_t since, uint64_t time,
			uint64_t address, bool caller, struct symbol *symbol);
/* It is known that the program which the process was then had no code at the address. */
bool symbols_no_code(const struct symbols *s, uint32_t pid, uint64_t time, uint64_t address);

/*
 * What will be asked for, before it is: files are then read for these names alone. First all that
 * is wanted, then the questions.
 */
void symbols_want_user(struct symbols *s, uint32_t pid, uint64_t since, uint64_t time,
		       uint64_t address, bool caller);
void symbols_want_kernel(struct symbols *s, const uint64_t *addresses, size_t n);

/*
 * How to get from the function at this address to its caller (src/lib/unwind/rows.h); NULL: its
 * file does not say. Valid until the next call.
 */
struct unwind_row;
const struct unwind_row *symbols_unwind(struct symbols *s, uint32_t pid, uint64_t time,
					uint64_t address);
/* Functions of the process may be at this address; what the kernel maps ([uprobes]) has none. */
bool symbols_code(struct symbols *s, uint32_t pid, uint64_t time, uint64_t address);

/* Why the kernel's names are unknown, once one was asked for; NULL: they are not. */
const char *symbols_kernel_lack(const struct symbols *s);
/*
 * What else is unknown and why, lines of text; NULL: nothing that was said. Valid until the next
 * call.
 */
const char *symbols_lacks(struct symbols *s);

#endif
