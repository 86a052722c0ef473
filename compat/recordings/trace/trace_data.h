/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACE_DATA_H
#define SONDE_TRACE_DATA_H

#include "compat/recordings/cursor.h"
#include "compat/recordings/recording_internal.h"
#include "compat/rings/ftrace_page.h"

/*
 * Reading trace.dat of trace-cmd, versions 6 and 7 (trace-cmd.dat.v6(5), trace-cmd.dat.v7(5)). The
 * file has the pages of ftrace's rings, one CPU after the other.
 */

#define TRACE_SECTION_MOST (64U << 20)	/* the largest, of symbols, has 10 MB */
#define TRACE_PAGE_MOST (4U << 20)	/* bytes of a page of a ring */
#define TRACE_CHUNK 16			/* pages; trace-cmd compresses 10 together */
#define TRACE_MEMORY (1ULL << 30)	/* for pages of all rings */
#define TRACE_BUFFERS 64		/* instances of a file */
#define TRACE_TYPES (UINT16_MAX + 1)

/* The pages of a CPU in a buffer. */
struct trace_ring {
	uint32_t cpu, buffer;
	uint64_t at, end;		/* where the bytes in the file are that were not read */
	bool packed;			/* they are chunks, each of a few pages */
	uint8_t *chunk;			/* the pages of the last chunk that were not read: */
	uint32_t chunk_at, chunk_end;
	uint8_t *bytes;			/* of the page that is read */
	struct ftrace_page page;
	uint64_t begin, last;		/* ns: when the page begins; of the last record */
	uint64_t told;			/* the lost events that pages told */
	uint64_t rest;			/* those that they did not tell, to be told at the end */
};

/* The events that a CPU of a buffer lost in all, as the kernel counted at the end. */
struct trace_loss {
	char buffer[64];
	uint32_t cpu;
	uint64_t count;
};

/* The buffer of the kernel, or that of an instance. */
struct trace_buffer {
	char *name;			/* "": the kernel's */
	char clock[24];			/* "": that of the file */
	unsigned int rings;
	uint8_t types[TRACE_TYPES / 8];	/* of its records: a bit each */
	bool left_out;
};

/* How times become ns: times * mult >> shift. */
struct trace_clock {
	char name[24];			/* "": the file does not tell; then it is `local` */
	uint32_t mult, shift;		/* mult 0: as they are */
};

struct trace_data {
	const struct trace_packing *packing;	/* of what is compressed; NULL: it is unknown */
	uint8_t *head, *ftrace, *systems;	/* bytes of the file which these are in: */
	struct cursor own_formats, formats;	/* ftrace's formats; those of tracepoints */
	bool chosen;			/* the formats are those of events that were recorded */
	unsigned int common;		/* a bit for each event of all kernels that has a format */
	uint8_t own[TRACE_TYPES / 8];	/* types of ftrace's own records */
	uint8_t types[TRACE_TYPES / 8];	/* those of all buffers that are read */
	struct ftrace_layout layout;
	struct trace_clock clock;
	struct trace_buffer *buffers;
	unsigned int n_buffers;
	struct trace_loss *losses;
	unsigned int n_losses;
	char lossy[64];			/* the buffer of the next counts */
	struct trace_ring *rings;
	unsigned int n_rings;
	struct trace_ring **heap;	/* those with a page, the page that begins first on top */
	unsigned int n_heap;
	unsigned int pages;		/* that were read since the last round */
	/* rings of this machine (live.h): full ones keep their oldest events; time of the newest */
	bool keeps_oldest;
	uint64_t newest;
	bool cut;			/* pages are missing at the end of the file */
	char *probes, *side;		/* of sonde (trace_side.h); NULL: it recorded no such */
	const char *tasks;		/* of `side`: the lines that were not handed out */
};

/* The format's part of a recording. */
static inline struct trace_data *trace_data_of(const struct recording *r)
{
	return r->own;
}

/* Returns true if the bit of a type is set. */
static inline bool trace_type_in(const uint8_t types[TRACE_TYPES / 8], uint16_t type)
{
	return types[type / 8] >> type % 8 & 1;
}

/* Returns -1 and sets err: what is wrong. */
int trace_fails(struct recording *r, const char *what, struct error *err);
/* Reads what a file of version 6, or 7, has beside records. Return -1 and set err on failure. */
int trace_v6_open(struct recording *r, struct error *err);
int trace_v7_open(struct recording *r, struct error *err);

/* How parts are compressed. Returns NULL if sonde does not know this name. */
const struct trace_packing *trace_packing_of(const char *name);
/*
 * Unpacks `size` bytes into exactly `n`, if sonde can do it. Returns -1 and sets err if not, or if
 * they are damaged.
 */
int trace_unpack(struct recording *r, const uint8_t *bytes, size_t size, uint8_t *to, size_t n,
		 struct error *err);

/* Takes the text of events/header_page. Returns -1 and sets err if it is unknown. */
int trace_layout_take(struct recording *r, const char *text, size_t length, struct error *err);
/* Reads an option that both versions have; passes others. Returns -1 and sets err on failure. */
int trace_option_read(struct recording *r, uint16_t id, struct cursor c, struct error *err);
/*
 * Finds the clock, and leaves out buffers of another one. Returns -1 and sets err if the times are
 * no ns, and can't become ns.
 */
int trace_clock_check(struct recording *r, struct error *err);
/* The ns of a time. */
static inline uint64_t trace_ns(const struct trace_data *t, uint64_t time)
{
	const struct trace_clock *c = &t->clock;

	if (!c->mult)
		return time;
	return ((time & UINT32_MAX) * c->mult >> c->shift) +
	       ((time >> 32) * c->mult << (32 - c->shift));
}

/* Adds a buffer without rings. Returns -1 and sets err on failure. */
int trace_buffer_add(struct recording *r, const char *name, const char *clock, struct error *err);
/*
 * Adds a ring to the last buffer: these bytes of the file, which may be compressed. Returns -1 and
 * sets err on failure.
 */
int trace_ring_add(struct recording *r, uint32_t cpu, uint64_t offset, uint64_t size, bool packed,
		   struct error *err);
/* The ring begins again, at this offset. */
void trace_ring_seek(struct trace_ring *ring, uint64_t offset);

/* Reads counts of a CPU, or the name of their buffer. Returns -1 and sets err on failure. */
int trace_stats_read(struct recording *r, const char *text, struct error *err);
/* Adds events that a CPU of the kernel's buffer lost to those that were read of it. */
void trace_losses_add(struct trace_data *t, uint32_t cpu, uint64_t n);
/* The events that the ring lost in all, as far as it is known. */
uint64_t trace_losses(const struct trace_data *t, const struct trace_ring *ring);

/*
 * Looks at all records for their types: the file does not tell which events were recorded. Then
 * adds these events, and leaves out buffers whose events are in another one, too. Returns -1 and
 * sets err on failure.
 */
int trace_types_read(struct recording *r, struct error *err);

/*
 * Reads the ring's next page. Returns 1; 0: it has none, or is cut, which sets `cut`; -1 and sets
 * err on failure.
 */
int trace_page_read(struct recording *r, struct trace_ring *ring, struct error *err);
/* Puts the rings in order. Returns -1 and sets err on failure. */
int trace_rings_begin(struct recording *r, struct error *err);
/* recording_next() */
int trace_records_next(struct recording *r, struct recorded *to, struct error *err);

#endif
