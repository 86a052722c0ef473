/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_DATA_H
#define SONDE_PERF_DATA_H

#include "compat/base/hash.h"
#include "compat/base/strbuf.h"
#include "compat/recordings/cursor.h"
#include "compat/recordings/recording_internal.h"

/*
 * Reading perf.data, as a file and as a stream (`perf record -o -`). The layout is that of
 * tools/perf/Documentation/perf.data-file-format.txt; records are those of perf_event_open(2), and
 * with types from 64 on perf's own.
 */

#define PERF_SECTION_MOST (64U << 20)	/* a section with all formats of events has 2 MB */

#define PERF_FOUND 64

#define PERF_HAS_ID_SIZE (1U << 15)	/* misc of a build id: its size is behind it */

#define PERF_MAGIC 0x32454c4946524550ULL	/* "PERFILE2" */
#define PERF_PIPE_HEADER 16
#define PERF_FILE_HEADER 104
#define PERF_DATA_SIZE_AT 48			/* in the header: the size of the records */
#define PERF_FEATURES_AT 72			/* and the bits of sections */
#define PERF_FEATURE_WORDS 4			/* u64, of the bits of sections */
/*
 * Behind the header sonde writes this word, and the table of sections that is behind the records,
 * too: its recorder may be killed before these have an end.
 */
#define PERF_EARLY_TABLE 0x3174656b61747374ULL

/*
 * In a stream the section with the probes is in records of this type that begin with this word, a
 * part each.
 */
#define PERF_PROBES_ROUND 0x65626f7270646e73ULL
#define PERF_PROBES_PART (32U << 10)

/* Where a part of the file is. */
struct perf_section {
	uint64_t offset, size;
};
#define PERF_SECTIONS 16
struct perf_sections {
	struct perf_section list[PERF_SECTIONS];	/* in the order of their features */
	unsigned int features[PERF_SECTIONS];
	unsigned int n;
};

/* Types of perf's own records. */
enum {
	PERF_HEADER_ATTR = 64,
	PERF_HEADER_TRACING_DATA = 66,
	PERF_HEADER_BUILD_ID = 67,
	PERF_FINISHED_ROUND = 68,
	PERF_ID_INDEX = 69,
	PERF_AUXTRACE = 71,
	PERF_HEADER_FEATURE = 80,
	PERF_COMPRESSED = 81,
	PERF_COMPRESSED2 = 83,
	PERF_KSYMBOL = 17,		/* the kernel's, which older headers lack */
	PERF_OWN = 64,			/* the first of them */
};

/* What an event's records have (struct perf_event_attr). */
struct perf_attr {
	uint32_t type;
	uint64_t config;
	uint64_t sample_type, read_format;
	/* offsets in its samples, and the size of the fields of 8 bytes that these begin with */
	uint8_t id_at, tid_at, time_at, cpu_at, head_size;
	bool id_all;			/* all its records end with what a sample has */
	bool samples;			/* it is no tracepoint; `event`: its number in the list */
	uint32_t event;
};

/* An event on a CPU. */
struct perf_id {
	unsigned int attr;		/* its number */
	uint32_t cpu;			/* 0: unknown */
};

struct perf_cpu {
	uint64_t seen;			/* the time of its last record */
	uint64_t told, counted;		/* records that are missing (perf_losses.c) */
};

struct perf_unpacked;

struct perf_data {
	bool piped;
	uint64_t end;			/* of a file: the offset behind its records */
	struct perf_attr *attrs;
	unsigned int n_attrs;
	struct hash ids;		/* u64: struct perf_id */
	/* what was found there, by the id: records of a few events follow each other */
	struct perf_found {
		uint64_t id;
		const struct perf_attr *attr;
	} found[PERF_FOUND];
	struct strbuf probes;		/* of a stream: the section with its probes */
	struct perf_cpu *cpus;
	uint64_t newest, round;		/* the newest time; that before the last round */
	struct perf_unpacked *unpacked;	/* NULL: no record was compressed until now */
	uint8_t stack[UINT16_MAX + 8];	/* of a sample, with the u32 size 0 behind it */
};

/* The format's part of a recording. */
static inline struct perf_data *perf_data_of(const struct recording *r)
{
	return r->own;
}

struct perf_sample;

/* A record: its header, and what is behind it. */
struct perf_record {
	uint32_t type;
	uint16_t misc, size;
	struct cursor body;
};

/*
 * Adds an event: `size` bytes of a struct perf_event_attr. The ids of its records are all that is
 * left in `ids`. Return -1 and set err if it is damaged.
 */
int perf_attr_add(struct recording *r, const uint8_t *attr, size_t size, struct cursor *ids,
		  struct error *err);
/* Tells the recording's events, once all are read, what their records have. */
void perf_attrs_end(struct recording *r);
/* The event of an id, once all are added. Returns NULL if there is none. */
const struct perf_attr *perf_attr_find(struct perf_data *p, uint64_t id);
/* The same, most often without a search. */
static inline const struct perf_attr *perf_attr_of(struct perf_data *p, uint64_t id)
{
	const struct perf_found *found = &p->found[id % PERF_FOUND];

	return found->id == id && found->attr ? found->attr : perf_attr_find(p, id);
}

/* Reads a section about the machine (a bit of the header). Returns -1 and sets err on failure. */
int perf_feature_read(struct recording *r, unsigned int feature, struct cursor *c,
		      struct error *err);
/* Returns true if sonde reads this section. */
bool perf_feature_known(unsigned int feature);

/*
 * About the code of the kernel (perf_code.c): a section of build ids, and records. Return 0; -1 and
 * set err if it is damaged.
 */
int perf_code_build_ids(struct recording *r, struct cursor *c, struct error *err);
int perf_code_build_id(struct recording *r, struct perf_record *record, struct error *err);
int perf_code_mapped(struct recording *r, struct perf_record *record, struct error *err);
int perf_code_named(struct recording *r, struct perf_record *record, struct error *err);

/*
 * What records tell of processes, kept if recording_follow() was called (perf_changes.c). Return
 * -1 and set err if the record is damaged, or without memory.
 */
int perf_change_mapped(struct recording *r, const struct perf_record *record, struct error *err);
int perf_change_named(struct recording *r, const struct perf_record *record, struct error *err);
int perf_change_lived(struct recording *r, const struct perf_record *record, struct error *err);

/* Reads a section with names of functions (perf_symbols.c). Returns -1 and sets err on failure. */
int perf_symbols_read(struct recording *r, struct cursor *c, struct error *err);

/*
 * Records that are missing (perf_losses.c). Return 1: *to is a loss; 0: there is nothing to tell;
 * -1 and set err if the record is damaged.
 */
int perf_losses_index(struct recording *r, struct perf_record *record, struct error *err);
int perf_losses_read(struct recording *r, struct perf_record *record, struct recorded *to,
		     struct error *err);
int perf_losses_counted(struct recording *r, struct perf_record *record, struct recorded *to,
			struct error *err);
/* At the end: the next CPU that lacks more than was told. Returns 0 behind the last. */
int perf_losses_rest(struct recording *r, struct recorded *to);

/* Reads what a stream has before the kernel's records. Returns -1 and sets err on failure. */
int perf_pipe_open(struct recording *r, struct error *err);

/*
 * Reads the next record. Returns 1; 0 at the end; -1 and sets err if it is damaged. `peek`: it
 * stays the next one.
 */
int perf_record_read(struct recording *r, bool peek, struct perf_record *record,
		     struct error *err);
/*
 * Takes a compressed record (perf record -z), which has a part of a stream of records: it may end
 * within one. Returns 0; -1 and sets err on failure.
 */
int perf_unpack(struct recording *r, struct perf_record *record, struct error *err);
/*
 * Once that was called: sets *to to the next n bytes of that stream, as bytes_look() does.
 * perf_unpacked_pass() goes behind n of them.
 */
int perf_unpacked_look(struct recording *r, size_t n, uint8_t **to, struct error *err);
void perf_unpacked_pass(struct perf_unpacked *u, size_t n);
/* Returns true if there are bytes that were not taken. Both accept NULL. */
bool perf_unpacked_left(const struct perf_unpacked *u);
void perf_unpacked_free(struct perf_unpacked *u);

/*
 * Sets the CPU and the time of *to. Returns 1; -1 and sets err if it is a CPU that the machine does
 * not have.
 */
int perf_record_on_cpu(struct recording *r, const struct perf_sample *s, struct recorded *to,
		       struct error *err);
/* recording_next() */
int perf_records_next(struct recording *r, struct recorded *to, struct error *err);

/* What a sample has, beside an event's record. */
struct perf_sample {
	uint64_t time;
	uint32_t pid, tid, cpu;
	uint8_t *stack;			/* the number of its addresses, and these; NULL: none */
	uint64_t id;			/* of a record that is none; 0: it does not tell it */
	const struct perf_attr *attr;
	uint8_t *record;		/* NULL: none */
	uint32_t size;			/* of the record */
};

/* Reads a sample. Returns false if it is damaged, or of an unknown event. */
bool perf_sample_read(const struct recording *r, const struct cursor *body, struct perf_sample *to);
/* The same of the end of the kernel's other records, of which no event is known. */
bool perf_sample_end(const struct recording *r, const struct perf_record *record,
		     struct perf_sample *to);

#endif
