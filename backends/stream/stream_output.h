/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STREAM_OUTPUT_H
#define SONDE_STREAM_OUTPUT_H

#include "backends/backend.h"
#include "backends/vm/vm.h"

/* What a stream's programs hand over: records for the caller of stream_run(). All zero: empty. */
struct stream_output {
	record_fn record;	/* NULL: nobody takes records now, and they are kept */
	void *arg;
	unsigned int n_records;	/* that record() got */
	uint8_t *kept;		/* records that nobody took yet, a struct kept before each */
	size_t n_kept, kept_size;
	uint8_t *whole;		/* a program's record, and the event's record behind */
	size_t whole_size;
	uint64_t lost;		/* records for which there was no memory */
};

/* From here on records go to `record`, those that were kept first; NULL: they are kept. */
void stream_output_to(struct stream_output *o, record_fn record, void *arg);
/* A program's record for the map with the number `output`. */
void stream_output(struct stream_output *o, unsigned int output, const void *record,
		   uint32_t size);
/* The same, with the record of the event that the program ran on behind it. */
void stream_output_whole(struct stream_output *o, unsigned int output, const void *record,
			 uint32_t size, const struct sample *event);
void stream_output_free(struct stream_output *o);

#endif
