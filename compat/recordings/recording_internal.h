/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORDING_INTERNAL_H
#define SONDE_RECORDING_INTERNAL_H

#include "compat/base/cpus.h"
#include "compat/base/hash.h"
#include "compat/base/lines.h"
#include "compat/kernel/facts.h"
#include "compat/kernel/format.h"
#include "compat/recordings/bytes.h"
#include "compat/recordings/recording.h"
#include "compat/recordings/recording_changes.h"
#include "compat/recordings/recording_symbols.h"

/* Shared by the files of this folder. Other folders use recording.h. */

/* A text of the recorded kernel, by a path as in compat/kernel/facts.h. */
struct recorded_fact {
	char *path, *text;
	size_t length;
};

/* How the type of a record leads to its event; 0: none. */
struct recorded_types {
	uint32_t numbers[UINT16_MAX + 1];	/* the number in the list of events, plus 1 */
};

/* What processes did, as far as it was read and not handed out. */
struct recorded_changes {
	bool wanted;
	bool untimed;			/* records do not tell their times: no change is kept */
	bool lost;
	struct recorded_change *list;
	size_t n, taken, sorted;
	uint64_t order;
	struct hash texts;		/* by text with its NUL: true */
};

struct recording {
	const struct recording_format *format;
	struct bytes bytes;
	bool swapped;			/* the recorder's byte order is not this machine's */
	char release[65];		/* as in uname -r; "": unknown */
	char machine[65];		/* as in uname -m; "": unknown */
	unsigned int long_size;		/* bytes of a long; 0: unknown */
	unsigned int cpus;
	struct wall wall;
	struct facts kernel;		/* of recording_kernel() */
	struct recorded_fact *facts;
	unsigned int n_facts;
	struct recorded_event *events;
	unsigned int n_events;
	struct recorded_types *types;	/* NULL: there are no events */
	struct swaps *swaps;		/* one for each event, if swapped */
	unsigned int n_swaps;
	struct recorded_code code;
	struct recorded_function *functions;
	unsigned int n_functions;
	bool too_many_functions;	/* none of them has a name then */
	struct recorded_side *side;	/* of its probes; NULL: it has none */
	struct recorded_changes changes;
	struct hash tasks;		/* by tid: struct recorded_task */
	struct hash build_ids;		/* by path (recording_changes.c) */
	struct hash symbols;		/* by path: struct recorded_symbols */
	struct lines notes;
	struct live *live;		/* of rings of this machine; NULL: a file */
	void *own;			/* of the format */
};

/* A format of recordings. */
struct recording_format {
	struct recorded_by recorder;
	bool (*is)(const uint8_t *head, size_t n);	/* of the first bytes of a file */
	/* Reads what is before the first event. close() is called in any case. */
	int (*open)(struct recording *r, struct error *err);
	int (*next)(struct recording *r, struct recorded *to, struct error *err);
	void (*close)(struct recording *r);
};
extern const struct recording_format perf_data_format, trace_dat_format, live_format;

/* Makes it one of rings: see recording_live(). Returns -1 and sets err on failure. */
int live_prepare(struct recording *r, struct kernel *k, const char *name, struct error *err);
/* The kernel of this machine, whose rings they are; NULL: it is a file. */
struct kernel *live_kernel(const struct recording *r);

/* Returns -1 and sets err, which tells where the recording is wrong. */
int recording_fails(struct recording *r, const char *what, struct error *err);
/* Keeps a text of the kernel, copied. Returns -1 if there is no memory. */
int recording_fact(struct recording *r, const char *path, const void *text, size_t length);
/*
 * Adds a tracepoint, whose format is a fact already; a second one of its id is left out. Returns -1
 * and sets err if there is no memory.
 */
int recording_add_event(struct recording *r, const struct format *f, struct error *err);
/*
 * Adds samples: *e is copied. Returns its number in the list of events, or -1 and sets err if there
 * is no memory.
 */
int recording_add_samples(struct recording *r, const struct recorded_event *e, struct error *err);
/*
 * Adds a function; the one that is there already is not added again. Returns -1 if there is no
 * memory.
 */
int recording_add_function(struct recording *r, const struct recorded_function *f);
/* Frees all functions. */
void recording_free_functions(struct recording *r);
/* Keeps a change: *change and its text are copied. Returns -1 if there is no memory. */
int recording_add_change(struct recording *r, const struct recorded_change *change);
/* Notes the build id of a path. Returns -1 if there is no memory. */
int recording_add_build_id(struct recording *r, const char *path, const uint8_t *id, size_t size);
void recording_free_changes(struct recording *r);
/* The event of a record's type; NULL: none. */
static inline const struct recorded_event *recording_event(const struct recording *r, uint16_t type)
{
	const unsigned int number = r->types ? r->types->numbers[type] : 0;

	return number ? &r->events[number - 1] : NULL;
}

#endif
