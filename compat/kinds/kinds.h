/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KINDS_H
#define SONDE_KINDS_H

#include <stdbool.h>

struct kernel;

/*
 * The kinds of events: what the kernel attaches to. The files of compat/kinds/ know how one is
 * found, those of backends/kinds/ how it is made and attached; nobody else asks which kind it is.
 */
#define EVENT_KINDS(KIND) \
	KIND(TRACEPOINT, tracepoint) \
	KIND(KPROBE, kprobe) \
	KIND(KRETPROBE, kretprobe) \
	KIND(UPROBE, uprobe) \
	KIND(URETPROBE, uretprobe) \
	/* where a program has a statically defined probe: a uprobe */ \
	KIND(USDT, usdt) \
	KIND(SAMPLE, sample) \
	/* many functions at once, of the kernel and of user space */ \
	KIND(KMULTI, kmulti) \
	KIND(KRETMULTI, kretmulti) \
	KIND(UMULTI, umulti) \
	KIND(URETMULTI, uretmulti) \
	/* many functions of the kernel, by its function tracer */ \
	KIND(TRACED, traced)
#define EVENT_KIND_NUMBER(KIND, NAME) EVENT_##KIND,
enum event_kind { EVENT_KINDS(EVENT_KIND_NUMBER) N_EVENT_KINDS };

/* The kinds of probes: what a row of the hook tables names, and so how its event is found. */
#define PROBE_KINDS(KIND) \
	KIND(TRACEPOINT, tracepoint)	/* name: SYSTEM:EVENT */ \
	KIND(KPROBE, kprobe)		/* name: a function */ \
	KIND(KRETPROBE, kretprobe) \
	/* name: LIBRARY:FUNCTION|FUNCTION..., see kernel_places() in compat/user/binaries.h */ \
	KIND(UPROBE, uprobe) \
	KIND(URETPROBE, uretprobe) \
	/* a place that a hook made at run time has */ \
	KIND(USDT, usdt) \
	/* each CPU, so often a second; name: the option or constant that says how often */ \
	KIND(SAMPLE, sample) \
	/* each CPU, every so many times that a counter of it has counted; name: the counter */ \
	KIND(COUNTER, counter) \
	/* functions that a hook made at run time has (compat/kinds/many.h); name: the first */ \
	KIND(KMULTI, kmulti) \
	KIND(KRETMULTI, kretmulti) \
	KIND(UMULTI, umulti) \
	KIND(URETMULTI, uretmulti) \
	KIND(TRACED, traced) \
	/* name: a system call; its function has another name on every machine */ \
	KIND(SYSCALL, syscall) \
	KIND(SYSRET, sysret) \
	/* the same for calls of 32-bit tasks of a 64-bit kernel */ \
	KIND(COMPAT, compat) \
	KIND(COMPATRET, compatret)
#define PROBE_KIND_NUMBER(KIND, NAME) PROBE_##KIND,
enum probe_kind { PROBE_NONE, PROBE_KINDS(PROBE_KIND_NUMBER) N_PROBE_KINDS };

/* What samples are taken by: the CPU's clock, or one of its counters. */
enum sampled_by { BY_CLOCK, BY_CYCLES, BY_CACHE_REFERENCES, BY_CACHE_MISSES };
/* Of the rows of PROBE_COUNTER: the constant that has the period. */
#define COUNTER_PERIOD "sample_period"
/* perf's type and config for it. */
struct perf_event_attr;
void sampled_attr(enum sampled_by by, struct perf_event_attr *attr);

/* What is the same for all events of a kind. */
struct event_traits {
	const char *title;	/* one word, the kernel's */
	/* it is on a function: behind the head its record has the function's address */
	bool function;
	/* it is on many functions, and tells BPF programs the number of the one that was hit */
	bool numbered;
	/* it is on many functions, and its engine puts the number in the place of the address */
	bool traced;
	/* it is hit when a function returns: the address to return to follows in its record */
	bool returns;
	/* a BPF program on it may be preempted, or run within another */
	bool preempted;
	/* it is hit in user space: the kernel has no stack then */
	bool user;
	/* a BPF program on it has all registers of what was hit */
	bool registers;
	/* it is hit at a frequency: that of the constant that has the event's name */
	bool timed;
	/* why it harms programs that are traced on this kernel; returns NULL: it does not */
	const char *(*risk)(struct kernel *k);
};

const struct event_traits *event_traits(enum event_kind kind);
const char *event_kind_risk(struct kernel *k, enum event_kind kind);

#endif
