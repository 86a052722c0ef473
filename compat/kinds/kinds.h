/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KINDS_H
#define SONDE_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/events/kind.h"
#include "compat/kernel/kernel.h"

struct event_cost;

/* What a CPU counts, and the kernel of it, by bpftrace's names and perf's. */
struct counter {
	const char *name, *alias;	/* alias NULL: it has none */
	bool hardware;
	uint32_t type;
	uint64_t config;
	uint32_t period;		/* the usual number of counts for each sample */
};
/* A row by its number, its enum sampled_by; NULL: there are no more. */
const struct counter *counter_row(unsigned int i);
/* A row by a name or alias; NULL: there is none. */
const struct counter *counter_named(const char *name, bool hardware);

/*
 * Sets perf's type and config for a clock or counter; for BY_WATCH with the address and how it is
 * accessed (WATCH_HOW()).
 */
struct perf_event_attr;
void sampled_attr(enum sampled_by by, uint64_t address, uint32_t how, struct perf_event_attr *attr);

/* Properties of a kind, the same for all its events. */
struct event_traits {
	const char *title;	/* one word, the kernel's */
	/* on a function: in its record the function's address follows the head */
	bool function;
	/* on many functions: BPF programs can read the number of the function that was hit */
	bool numbered;
	/* on many functions: in its record the number takes the place of the address */
	bool traced;
	/* of the function graph tracer, which has one set of functions for the whole machine */
	bool graph;
	/* hit at the address that is probed: with no offset, when a function is called */
	bool begins;
	/* hit when a function returns: in its record the return address follows */
	bool returns;
	/* calls take a slot until they return: returns are missed if all slots are taken */
	bool slots;
	/* all programs on one share an event of the kernel, which writes its record */
	bool shared;
	/* its BPF programs may be preempted, or run within another */
	bool preempted;
	/* hit in user space: there is no kernel stack then */
	bool user;
	/* its BPF programs get all registers */
	bool registers;
	/* its BPF programs get an array of arguments, a u64 each */
	bool arguments;
	/* they may load members of structs that the arguments point to */
	bool typed;
	/* the arguments are those of a function: its prototype may be wider than a row needs */
	bool typed_function;
	/* it runs when the engine walks (backend.h); arguments may be NULL */
	bool walked;
	/* if the kernel refuses an event, others serve without this feature; NULL: none do */
	const enum feature *without;
	/* hit at a frequency: that of the constant with the event's name */
	bool timed;
	/* the cost that other tasks pay for each of its events; NULL: none of note */
	const struct event_cost *cost;
	/* returns why it harms traced programs on this kernel, or NULL */
	const char *(*risk)(struct kernel *k);
};

/* The properties of a kind. */
const struct event_traits *event_traits(enum event_kind kind);
/* Why the kind harms traced programs on this kernel. Returns NULL if it does not. */
const char *event_kind_risk(struct kernel *k, enum event_kind kind);

#endif
