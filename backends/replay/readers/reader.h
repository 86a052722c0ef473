/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_READER_H
#define SONDE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/replay/readers/records.h"

#define RECORD_SIZE 8192

/* The line being read. */
struct reader {
	struct records *records;
	const char *at;
	bool part;			/* the line is a `run`: it ends a part of the file */
	struct error *err;
};

/* A kind of lines. */
struct record_reader {
	const char *word;	/* the first of the line; "": any other */
	int (*read)(struct reader *r);	/* what is behind it; -1: err is set */
};

extern const struct record_reader clock_reader, event_reader, gap_reader, run_reader,
	switches_reader, task_reader;

/* Sets err: what is wrong, and where. Returns -1. */
int reader_fails(struct reader *r, const char *what);
/* The times of the file include these. */
void reader_saw(struct reader *r, uint64_t from, uint64_t to);

/* Read what comes next, and go behind it. They return -1 and set err if it is something else. */
void reader_space(struct reader *r);
int reader_word(struct reader *r, char *word, size_t size);
int reader_number(struct reader *r, uint64_t *value);
int reader_cpu(struct reader *r, uint64_t *cpu);
/* Pairs of digits, up to what is none; at most `room` bytes. */
int reader_hex(struct reader *r, uint8_t *bytes, uint32_t room, uint32_t *size);
/* From behind the opening quote to behind the closing quote. */
int reader_text(struct reader *r, uint8_t *bytes, uint32_t room, uint32_t *size);

#endif
