/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYMBOLS_H
#define SONDE_SYMBOLS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * Names of addresses: a session has one store. The store knows no engine. An engine that has the
 * kernel's side band (perf's mmap2, comm and task events) hands its records over as plain structs,
 * in the order of their times. An address is looked up in a process at the time of its event. So
 * the code of a process that has ended has names too.
 *
 * Processes have the ids of /proc. Times may be of any clock, the same for all calls; SYMBOLS_NOW
 * is later than all of them.
 *
 * Order of calls: symbols_new(); the engine switches its events on; symbols_seed() for the running
 * processes; then in turns events, symbols_settle(), and lookups.
 */
struct symbols;

#define SYMBOLS_NOW UINT64_MAX

struct recording;
struct symbols_setup {
	bool foreign;			/* the events are of other processes than those in /proc */
	/*
	 * they are of another machine: its kernel has other names, unless `kallsyms` has them, or a
	 * recording tells that it is this machine's
	 */
	bool elsewhere;
	const struct recording *recording;	/* the events are of it; NULL: of none */
	bool mangled;			/* C++ and Rust names stay mangled */
	/* ends long reading; may be NULL */
	const volatile sig_atomic_t *stop;
	/* paths; NULL: the running kernel's files. They must stay valid. */
	const char *kallsyms, *modules;
	/* of a recording: a folder with files of its machine; NULL: this machine's files */
	const char *symfs;
};

/* Returns NULL if there is no memory. */
struct symbols *symbols_new(const struct symbols_setup *setup);
void symbols_free(struct symbols *s);

/* ---- events ---- */

struct symbols_mapping {		/* PERF_RECORD_MMAP2, or what PERF_RECORD_MMAP has of it */
	uint32_t pid;			/* the process's, not the thread's */
	uint64_t time;
	uint64_t start, length, offset;
	uint32_t major, minor;
	uint64_t inode, generation;	/* 0: unknown */
	const uint8_t *build_id;	/* of a recording, BUILD_ID bytes; NULL: unknown */
	bool code;			/* executable; always true for PERF_RECORD_MMAP */
	/* with the kernel's names of other memory: //anon, [vdso] */
	const char *path;
};

/* The process has mapped a file, or other memory. */
void symbols_mapped(struct symbols *s, const struct symbols_mapping *m);
/* A new process. For a new thread of a process the call does nothing. */
void symbols_forked(struct symbols *s, uint32_t parent, uint32_t child, uint64_t time);
/* PERF_RECORD_COMM with PERF_RECORD_MISC_COMM_EXEC, or sched_process_exec. */
void symbols_executed(struct symbols *s, uint32_t pid, uint64_t time);
/* The last, or the leading, thread of a process has ended. */
void symbols_exited(struct symbols *s, uint32_t pid, uint64_t time);
/* The same of what a recording tells (recorded/recorded_changes.c). */
struct recorded_change;
void symbols_changed(struct symbols *s, const struct recorded_change *c);

/*
 * Reads the mappings of these processes from /proc; pids NULL: all processes. `time` is now.
 * Processes known from events are not read again. To be called as soon as events are on.
 */
void symbols_seed(struct symbols *s, const uint32_t *pids, size_t n, uint64_t time);
/*
 * Opens the files that the last events mapped, while they exist: to be called after each batch of
 * events. It costs nothing if no new file was mapped.
 */
void symbols_settle(struct symbols *s);
/* No later lookup has a time before this one: drops processes that ended earlier. */
void symbols_forget(struct symbols *s, uint64_t before);

/* ---- names ---- */

/* SYMBOL_SEVERAL: the code of more than one file or program may have been at the address. */
enum symbol_kind {
	SYMBOL_UNKNOWN, SYMBOL_KERNEL, SYMBOL_USER, SYMBOL_JIT, SYMBOL_VDSO, SYMBOL_SEVERAL,
};

/* Strings are valid as long as the store. They may have any bytes: the sink escapes them. */
struct symbol {
	enum symbol_kind kind;		/* kind of the memory, known even without a name */
	const char *name;		/* NULL: unknown */
	/*
	 * "kernel", a module's name, "bpf"; the name of the file without its folder; "[vdso]".
	 * NULL: none, or unknown.
	 */
	const char *module;
	/* of the address in the function; without a name: in the file */
	uint64_t offset;
};

/* Returns true if both have the same name, or both have none. */
bool symbol_alike(const struct symbol *a, const struct symbol *b);

/*
 * Look up an address of the kernel, or of a process at `time`. `caller`: the address is a return
 * address. The symbol is then that of the call before it, which may be the last instruction of its
 * function.
 */
void symbols_kernel(struct symbols *s, uint64_t address, bool caller, struct symbol *symbol);
void symbols_user(struct symbols *s, uint32_t pid, uint64_t time, uint64_t address, bool caller,
		  struct symbol *symbol);
/*
 * The path of the file that the process had mapped at the address at `time`, and the position in
 * it. Returns NULL if no file was there, or if that is unknown.
 */
const char *symbols_path(struct symbols *s, uint32_t pid, uint64_t time, uint64_t address,
			 uint64_t *position);
/*
 * Returns true if the symbol of a return address is the beginning of a function to which calls
 * return. The function in front of it has made no call then. While a probe waits for a function to
 * return, the stack has the address of the probe's trampoline instead of the caller's. On ARM each
 * system call returns to ret_fast_syscall.
 */
bool symbol_is_returned_to(const struct symbol *symbol);
/*
 * Whether the kernel's function of this name, which may be NULL, is what an interrupt or a fault
 * begins with: the next older address of the stack is then the interrupted instruction, which may
 * be a function's first, and not behind a call.
 */
bool symbol_interrupts(const char *name);
/*
 * Looks up an address that was seen at an unknown time from `since` to `time`. If code of several
 * files was there in that time, and their names differ, the kind is SYMBOL_SEVERAL.
 */
void symbols_user_since(struct symbols *s, uint32_t pid, uint64_t since, uint64_t time,
			uint64_t address, bool caller, struct symbol *symbol);
/* Returns true if it is unknown what the process had mapped at the address at `time`. */
bool symbols_lost(const struct symbols *s, uint32_t pid, uint64_t time, uint64_t address);
/* Returns true if the program that ran at `time` surely had no code at the address. */
bool symbols_no_code(const struct symbols *s, uint32_t pid, uint64_t time, uint64_t address);

/*
 * Announce lookups, so that files are read for these names only. All calls of these functions come
 * before the first lookup.
 */
void symbols_want_user(struct symbols *s, uint32_t pid, uint64_t since, uint64_t time,
		       uint64_t address, bool caller);
void symbols_want_kernel(struct symbols *s, const uint64_t *addresses, size_t n);

/*
 * The unwind row of the function at this address (src/lib/unwind/rows.h), valid until the next
 * call. Returns NULL if its file has none.
 */
struct unwind_row;
const struct unwind_row *symbols_unwind(struct symbols *s, uint32_t pid, uint64_t time,
					uint64_t address);
/*
 * Returns true if functions of the process may be at this address. Memory that the kernel maps
 * ([uprobes]) has no functions.
 */
bool symbols_code(struct symbols *s, uint32_t pid, uint64_t time, uint64_t address);

/*
 * Returns -1 and sets err if `kallsyms` is of another kernel than that of the recording, as far as
 * this was read.
 */
int symbols_check(struct symbols *s, struct error *err);
/* Why the kernel's names are unavailable, after the first lookup. NULL: they are available. */
const char *symbols_kernel_lack(const struct symbols *s);
/*
 * Which other names are unknown, and why: lines of text, valid until the next call. Returns NULL
 * if there are none.
 */
const char *symbols_lacks(struct symbols *s);
/*
 * Why functions of user space of a recording have no names, as far as they were asked for. Valid
 * until the next call. NULL: nothing lacks.
 */
const char *symbols_files_lack(struct symbols *s);
/* One of these lines that tells of an error of the moment; NULL: none does. */
const char *symbols_unread(struct symbols *s);

#endif
