/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_WRITE_H
#define SONDE_PERF_WRITE_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/uio.h>

#include "compat/base/error.h"
#include "compat/base/strbuf.h"
#include "compat/kernel/build_id.h"
#include "compat/kernel/kernel.h"

/*
 * Writes perf.data: the kernel's records go into it as they are. What perf has behind the records
 * is before them here, and only its table is behind: a file whose recorder was killed can be read
 * up to its last record (perf_data.c).
 */

/*
 * A tracepoint, or samples, that are recorded: the attr is the same on all CPUs, and each of these
 * has an id.
 */
struct perf_written {
	const char *system, *name;	/* system "": samples, `name` is the counter's */
	struct perf_event_attr attr;
	const uint64_t *ids;
	unsigned int n_ids;
};

/* Where the kernel's code is, for names of functions: its symbols _text and _etext. */
struct perf_written_code {
	uint64_t start, end;
	uint8_t build_id[BUILD_ID];
};

/* What a recording tells of its machine. */
struct perf_head {
	struct kernel *kernel;
	const struct perf_written *events;	/* in the order of their systems */
	unsigned int n_events;
	unsigned int possible, online;		/* CPUs */
	bool clock;				/* times are those of CLOCK_MONOTONIC */
	int64_t apart;				/* else what they lack to those, if not 0 */
	const struct perf_written_code *code;	/* NULL: unknown, or not needed */
	char *const *command;			/* the words of the command line */
	const struct strbuf *probes;		/* recorded_probes.h; NULL: there are none */
};

struct perf_writer;

/*
 * Makes the file, or with "-" a stream to standard output, and writes what is before the records.
 * Returns NULL and sets err on failure.
 */
struct perf_writer *perf_writer_open(const char *path, const struct perf_head *head,
				     struct error *err);
/*
 * Writes which process made one that was there before the first event, and when, as times of the
 * file; 0: unknown. Returns -1 and sets err.
 */
int perf_writer_parent(struct perf_writer *w, uint32_t pid, uint32_t ppid, uint64_t began,
		       struct error *err);
/* Writes the name of a task that was there before the first event. Returns -1 and sets err. */
int perf_writer_name(struct perf_writer *w, uint32_t tid, uint32_t tgid, const char *comm,
		     struct error *err);
/* A mapping of code that was there before the first event. */
struct perf_written_mapping {
	uint32_t pid;
	uint64_t start, end, offset;
	uint32_t major, minor;
	uint64_t inode;
	const uint8_t *build_id;	/* BUILD_ID bytes; NULL: unknown */
	const char *path;
};
/* Writes one. Returns -1 and sets err. */
int perf_writer_mapping(struct perf_writer *w, const struct perf_written_mapping *m,
			struct error *err);
/*
 * Writes a section behind the records, in place of an earlier one of this feature. A stream has no
 * such place. Behind it no more records may come. Returns -1 and sets err.
 */
int perf_writer_section(struct perf_writer *w, unsigned int feature, const void *bytes, size_t n,
			struct error *err);
/* Adds an entry of the table of build ids; path NULL: of the kernel. */
void perf_write_build_id(struct strbuf *to, const char *path, const uint8_t id[BUILD_ID]);
/* Writes whole records. Returns -1 and sets err on failure. */
int perf_writer_records(struct perf_writer *w, const struct iovec *pieces, int n,
			struct error *err);
/* All rings were read once: see RECORDED_ROUND. Returns -1 and sets err on failure. */
int perf_writer_round(struct perf_writer *w, struct error *err);
/* The bytes written so far. */
uint64_t perf_writer_bytes(const struct perf_writer *w);
/* Ends the file, and frees the writer. Returns -1 and sets err if it could not be written. */
int perf_writer_close(struct perf_writer *w, struct error *err);

#endif
