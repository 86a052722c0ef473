/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KIND_H
#define SONDE_KIND_H

#include <stdint.h>

/*
 * The kinds of events that the kernel attaches to. Files of compat/kinds/ know how to find one,
 * files of backends/kinds/ how to make and attach it. Other code asks for traits
 * (compat/kinds/kinds.h).
 */
#define EVENT_KINDS(KIND) \
	KIND(TRACEPOINT, tracepoint) \
	/* the arguments of a tracepoint */ \
	KIND(RAW, raw) \
	/* the same, pointers to structs that the verifier knows */ \
	KIND(TYPED, typed) \
	KIND(KPROBE, kprobe) \
	KIND(KRETPROBE, kretprobe) \
	/* the arguments of a function of the kernel, and what it returns */ \
	KIND(FENTRY, fentry) \
	KIND(FEXIT, fexit) \
	/* an item of an iterator of the kernel, whenever sonde asks for more */ \
	KIND(ITER, iter) \
	KIND(UPROBE, uprobe) \
	KIND(URETPROBE, uretprobe) \
	/* a statically defined probe of a program: a uprobe */ \
	KIND(USDT, usdt) \
	KIND(SAMPLE, sample) \
	/* many functions at once, of the kernel and of user space */ \
	KIND(KMULTI, kmulti) \
	KIND(KRETMULTI, kretmulti) \
	KIND(UMULTI, umulti) \
	KIND(URETMULTI, uretmulti) \
	/* many functions of the kernel, by its function tracer */ \
	KIND(TRACED, traced) \
	/* calls of functions of the kernel and all calls in them, by its function graph tracer */ \
	KIND(GRAPH, graph)
#define EVENT_KIND_NUMBER(KIND, NAME) EVENT_##KIND,
enum event_kind { EVENT_KINDS(EVENT_KIND_NUMBER) N_EVENT_KINDS };

/* The kinds of probes in rows of the hook tables: each is found in another way. */
#define PROBE_KINDS(KIND) \
	KIND(TRACEPOINT, tracepoint)	/* name: SYSTEM:EVENT */ \
	KIND(RAW, raw)			/* name: SYSTEM:EVENT */ \
	KIND(TYPED, typed)		/* name: SYSTEM:EVENT */ \
	KIND(KPROBE, kprobe)		/* name: a function */ \
	KIND(KRETPROBE, kretprobe) \
	KIND(FENTRY, fentry)		/* name: a function */ \
	KIND(FEXIT, fexit) \
	KIND(ITER, iter)		/* name: the function that stands for it: bpf_iter_task */ \
	/* name: LIBRARY:FUNCTION|FUNCTION... (kernel_places(), compat/binaries/binaries.h) */ \
	KIND(UPROBE, uprobe) \
	KIND(URETPROBE, uretprobe) \
	/* name: LIBRARY:PROVIDER:PROBE; or a place, of a hook made at run time */ \
	KIND(USDT, usdt) \
	/* samples of each CPU by time; name: the option or constant with the frequency */ \
	KIND(SAMPLE, sample) \
	/* samples of each CPU by a counter; name: the counter */ \
	KIND(COUNTER, counter) \
	/* functions of a hook made at run time (compat/kinds/many.h); name: the first */ \
	KIND(KMULTI, kmulti) \
	KIND(KRETMULTI, kretmulti) \
	KIND(UMULTI, umulti) \
	KIND(URETMULTI, uretmulti) \
	KIND(TRACED, traced) \
	KIND(GRAPH, graph)		/* name: the record of a call's beginning or end */ \
	/* name: a system call; its function has another name on every machine */ \
	KIND(SYSCALL, syscall) \
	KIND(SYSRET, sysret) \
	/* the same for calls of 32-bit tasks of a 64-bit kernel */ \
	KIND(COMPAT, compat) \
	KIND(COMPATRET, compatret)
#define PROBE_KIND_NUMBER(KIND, NAME) PROBE_##KIND,
enum probe_kind { PROBE_NONE, PROBE_KINDS(PROBE_KIND_NUMBER) N_PROBE_KINDS };

/* What triggers samples: the CPU's clock, or a counter. compat/kinds/sample.c has more rows. */
enum sampled_by { BY_CLOCK, BY_CYCLES, BY_CACHE_REFERENCES, BY_CACHE_MISSES,
		  BY_WATCH = UINT8_MAX	/* accesses to memory */ };
/* For rows of PROBE_COUNTER: the constant with the period. */
#define COUNTER_PERIOD "sample_period"

#endif
