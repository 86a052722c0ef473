/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_WRITE_INTERNAL_H
#define SONDE_PERF_WRITE_INTERNAL_H

#include "compat/base/strbuf.h"
#include "compat/recordings/perf/perf_write.h"
#include "compat/recordings/perf/tracing_write.h"

/* A section about the machine. */
struct perf_feature_row {
	unsigned int feature;		/* its bit; 0: the end */
	void (*write)(struct strbuf *to, const struct perf_head *head);
	bool of_clock;			/* only where times are those of CLOCK_MONOTONIC */
	bool of_time;			/* only where they can be told as times of day */
	bool of_code;			/* only where the kernel's code is (head->code) */
	bool of_probes;			/* only where there are some (head->probes) */
	bool records;			/* its content is records, which a stream has as they are */
};
extern const struct perf_feature_row perf_written_features[];

/* Adds a text as sections have it. */
void put_padded(struct strbuf *to, const char *text);

/* What /proc/cpuinfo tells of the first CPU; "": nothing. */
struct perf_written_cpu {
	char name[128], vendor[128], family[128], model[128], stepping[128];
};
void perf_cpu_read(struct perf_written_cpu *to, const char *path);
/*
 * Write the sections of the CPU's name and of its id. They are there even if the text is unknown:
 * `perf data convert --to-json` of perf 6.1 dies without them.
 */
void perf_cpu_name(struct strbuf *to, const struct perf_head *head);
void perf_cpu_id(struct strbuf *to, const struct perf_head *head);

#endif
