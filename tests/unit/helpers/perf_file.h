/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_FILE_H
#define SONDE_PERF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/recordings/recording.h"

/* A small perf.data in memory, as a file and as a stream, of either byte order. */
struct perf_form {
	const char *name;
	bool piped, swapped;
	uint64_t sample_type, read_format;
	unsigned int attrs;		/* events; all have the same form */
	uint32_t attr_size;		/* bytes of a struct perf_event_attr; 0: 112 */
	/* its event is a probe of sonde's, sonde_u:p_vfs_read_1, and this is the section of it */
	const char *probes;
	bool sampled;			/* samples by a clock, 99 a second, not a tracepoint */
	uint32_t compressed;		/* the type of records that have all others in them; 0 */
};

struct perf_file {
	const struct perf_form *form;
	uint8_t *bytes;
	size_t size, room;
};

/* Where its kernel is; _stext is 256 bytes behind it. The build id is of bytes 0xa1. */
#define PERF_FILE_KERNEL 0xffffffff81000000ULL

/* What the records of perf_file_make() are, as text: a line each. */
extern const char perf_file_text[];
/* The same without stacks, of which the form has none. */
extern const char perf_file_plain[];
/* The same of samples, with stacks. */
extern const char perf_file_sampled[];

/* The format of its event, and that of the probe: the record has the number 7 behind its head. */
extern const char perf_file_format[], perf_file_probe_format[];

/* Add bytes; numbers in the byte order of its form; zeros up to this size of all. */
void perf_file_put(struct perf_file *f, const void *bytes, size_t n);
void perf_file_put_u16(struct perf_file *f, uint16_t value);
void perf_file_put_u32(struct perf_file *f, uint32_t value);
void perf_file_put_u64(struct perf_file *f, uint64_t value);
/* A record of t:one, as the kernel lays it out: 44 bytes. */
void perf_file_put_record(struct perf_file *f, uint32_t pid);
void perf_file_pad(struct perf_file *f, size_t size);
/*
 * A block of zstd, which is stored as it is. A frame of them begins with its magic and the size of
 * its window: with `first`. It ends with `last`.
 */
void perf_file_put_block(struct perf_file *f, const uint8_t *bytes, size_t n, bool first,
			 bool last);
#define PERF_FILE_FRAME_HEAD 6
#define PERF_FILE_BLOCK_HEAD 3

/* Makes it; the caller calls perf_file_free(). */
void perf_file_make(struct perf_file *f, const struct perf_form *form);
void perf_file_free(struct perf_file *f);
/* Writes its first n bytes into a new file, whose name the caller frees and removes. */
char *perf_file_write(const struct perf_file *f, size_t n);
/*
 * Reads a recording to its end: a line each, then the notes, then the error. Returns the text,
 * which the caller frees.
 */
char *perf_file_read(const char *path);
/* The same of one that is open, which it closes; NULL: `err` tells why it is not. */
char *perf_file_tell(struct recording *r, struct error *err);

#endif
