/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KIND_H
#define SONDE_KIND_H

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
	/* name: LIBRARY:FUNCTION|FUNCTION... (kernel_places(), compat/binaries/binaries.h) */ \
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

#endif
