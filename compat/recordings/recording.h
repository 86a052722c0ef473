/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORDING_H
#define SONDE_RECORDING_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "compat/base/lines.h"
#include "compat/kernel/build_id.h"
#include "compat/kernel/kernel.h"
#include "compat/time/wall.h"

/*
 * A recording: a file, or a pipe, in which another program wrote what it read from the rings of a
 * kernel. It has the facts of that kernel which its events need. Other people's recordings may be
 * damaged, or made to hurt: a reader trusts no number in them.
 */
struct recording;

enum recorded_kind {
	RECORDED_EVENT,			/* an event of recording_events() */
	RECORDED_LOST,			/* events of this CPU were lost up to this time */
	RECORDED_NEW,			/* a task was made */
	RECORDED_NAME,			/* a task got its name */
	RECORDED_EXIT,			/* a task ended */
	RECORDED_ROUND,			/* nothing that comes later is older than its time */
};

/* One thing of a recording. Bytes are in this machine's order, and stay until the next one. */
struct recorded {
	enum recorded_kind kind;
	uint32_t cpu;
	/* ns of the recorder's clock; 0 for a task: it was there before the first event */
	uint64_t time;
	uint32_t tid, pid;		/* a task: the one that is made, named, or ends */
	union {
		struct {
			uint32_t number;	/* of recording_events() */
			const uint8_t *record;	/* from common_type on */
			uint32_t size;
			/*
			 * of a sample, nothing of it is behind the stack: size is 0.
			 * u64 the number of addresses, and these (struct sample of
			 * backends/vm/vm.h); u32 `size` and the record follow. NULL: none
			 */
			const uint8_t *stack;
		} event;
		struct {
			uint64_t from, count;	/* 0: unknown */
		} lost;
		struct {
			uint32_t maker;		/* the thread that made it */
			uint64_t began;		/* as `time`, also of older ones; 0: unknown */
		} made;
		struct {
			char comm[16];
		} name;
	};
};

/* A tracepoint, or samples by a clock or counter, that were recorded. */
struct recorded_event {
	char *name;			/* SYSTEM:EVENT; NULL: samples */
	uint16_t id;			/* its common_type */
	bool stacks;			/* its records have stacks */
	/* samples: as in struct perf_event_attr */
	uint32_t type;
	uint64_t config;
	uint64_t rate;			/* samples a second, or counts (ns) for each sample */
	bool by_frequency;		/* `rate` is of a second */
	/* what was left out: samples in the kernel, in user space; stacks of user space */
	bool no_kernel, no_user, no_user_stack;
	bool no_cpu;			/* records do not tell their CPU: it is 0 */
	bool absent;			/* the recording has no record of it */
};

/*
 * Returns true if the file begins like a recording. Other files are texts of records, or nothing
 * that sonde reads.
 */
bool recording_is(const char *path);
/*
 * Opens a recording; "-" is standard input. Reads what is before the first event. Reading ends
 * when *stop is not 0. Returns NULL and sets err if it is no recording, or can't be read.
 */
struct recording *recording_open(const char *path, const volatile sig_atomic_t *stop,
				 struct error *err);
/*
 * Returns true if the name is not that of a file, but of ftrace's rings on this machine: "tracefs",
 * "tracefs:INSTANCE", or their folder.
 */
bool recording_is_live(const char *name);
/*
 * Copies the events of such rings, and opens the copy as a recording. `k` is the running kernel;
 * it stays as long. Returns NULL and sets err on failure.
 */
struct recording *recording_live(struct kernel *k, const char *name,
				 const volatile sig_atomic_t *stop, struct error *err);
/* Returns true if the copying took the events out of the rings. */
bool recording_taken(const struct recording *r);
/* Accepts NULL. No kernel of it may be in use. */
void recording_close(struct recording *r);
/*
 * The facts of the kernel that was recorded. The caller calls kernel_free() before
 * recording_close(). Returns NULL if there is no memory.
 */
struct kernel *recording_kernel(struct recording *r);
/* The recording of such a kernel. */
struct recording *recording_of(const struct kernel *k);

/* The events that it has, or may have; owned by the recording. */
const struct recorded_event *recording_events(const struct recording *r, unsigned int *n);
/* Returns true if the recorder's byte order is not this machine's. */
bool recording_foreign(const struct recording *r);
/* Bits of the recorder's words; 0: unknown. */
unsigned int recording_bits(const struct recording *r);
/* The CPUs that the machine may have had. */
unsigned int recording_cpus(const struct recording *r);
/* The time of day of the recorder's clock; not on: the recording does not tell it. */
const struct wall *recording_wall(const struct recording *r);

/* A task that was there before the first event, as far as the recording was read. */
struct recorded_task {
	uint32_t tid, pid, ppid;	/* ppid 0: unknown, or there is none */
	uint64_t began;			/* ns of the recorder's clock; 0: unknown */
};
/* Returns NULL after the last task. *at is 0 at first. */
const struct recorded_task *recording_task(const struct recording *r, uint32_t *at);

/* Where the code of the recorded kernel was, as far as the recording was read. */
struct recorded_code {
	uint64_t start, end;		/* of the kernel itself; 0: the recording does not tell */
	uint64_t base;			/* the address of `symbol` */
	char symbol[16];		/* "_text" or "_stext" */
	uint8_t build_id[BUILD_ID];
	bool identified;		/* build_id is known */
};

/* Valid until recording_close(); the next recording_next() may fill in more. */
const struct recorded_code *recording_code(const struct recording *r);
/* Code that the kernel made while it ran, as BPF programs: a record names it. */
struct recorded_function {
	uint64_t start, end;
	const char *name;
	bool bpf;
};

/*
 * The function of this address. Returns NULL if no record names one, or if several that were there
 * one after the other do. Valid until the next recording_next().
 */
const struct recorded_function *recording_function(const struct recording *r, uint64_t address);

/* Reads the next thing. Returns 1; 0 at the end; -1 and sets err if the recording is damaged. */
int recording_next(struct recording *r, struct recorded *to, struct error *err);
/* Notes that an event that is wanted is absent. */
void recording_note_absent(struct recording *r, const struct recorded_event *e);
/* Notes that it does not tell the lives of tasks, which are wanted. */
void recording_note_tasks(struct recording *r);
/* What the user has to know of the recording as far as it was read, as that its end is missing. */
const struct lines *recording_notes(const struct recording *r);

#endif
