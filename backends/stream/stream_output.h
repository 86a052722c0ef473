/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STREAM_OUTPUT_H
#define SONDE_STREAM_OUTPUT_H

#include "backends/backend.h"
#include "backends/vm/vm.h"

/* Records that a stream's programs write, for the caller of stream_run(). All zero: empty. */
struct stream_output {
	record_fn record;	/* NULL: records are kept */
	void *arg;
	unsigned int n_records;	/* records handed to record() */
	uint8_t *kept;		/* kept records, a struct kept before each */
	size_t n_kept, kept_size;
	uint8_t *whole;		/* a program's record, followed by the event's record */
	size_t whole_size;
	uint64_t lost;		/* records without memory */
};

/* Hands records to `record` from now on, kept ones first; NULL: records are kept. */
void stream_output_to(struct stream_output *o, record_fn record, void *arg);
/* Adds a program's record for map number `output`. */
void stream_output(struct stream_output *o, unsigned int output, const void *record,
		   uint32_t size);
/* The same, followed by the record of the event that the program ran on. */
void stream_output_whole(struct stream_output *o, unsigned int output, const void *record,
			 uint32_t size, const struct sample *event);
void stream_output_free(struct stream_output *o);

#endif
