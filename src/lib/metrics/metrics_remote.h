/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_METRICS_REMOTE_H
#define SONDE_METRICS_REMOTE_H

#include "compat/base/error.h"
#include "compat/base/strbuf.h"
#include "src/lib/metrics/metrics.h"

#define EXTERNAL_LABELS 16
#define EXTERNAL_NAME 64

/* Labels that all series get which do not have them: where they come from. */
struct external_labels {
	unsigned int n;
	char names[EXTERNAL_LABELS][EXTERNAL_NAME];
	char values[EXTERNAL_LABELS][METRIC_VALUE + 1];
};

/*
 * Adds "NAME=VALUE", in place of one of that name; an empty value leaves the label out. Returns -1
 * and sets err if it is something else.
 */
int external_label(struct external_labels *to, const char *text, struct error *err);

/*
 * Adds all series as a WriteRequest of remote write 1.0, with one sample each, of `ms` since 1970.
 * to->cut: memory ran out.
 */
void metrics_remote(const struct metrics *m, const struct external_labels *external, int64_t ms,
		    struct strbuf *to);

#endif
