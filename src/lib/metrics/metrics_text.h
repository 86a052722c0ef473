/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_METRICS_TEXT_H
#define SONDE_METRICS_TEXT_H

#include "compat/base/strbuf.h"
#include "src/lib/metrics/metrics.h"

/* The texts that Prometheus reads; most others read the first one. */
enum metrics_form {
	METRICS_TEXT,			/* text format 0.0.4 */
	METRICS_OPEN,			/* OpenMetrics 1.0.0 */
};

/* As Content-Type says it. */
const char *metrics_content_type(enum metrics_form form);
/* Adds the page with all series. to->cut: memory ran out, and there is no whole page. */
void metrics_text(const struct metrics *m, enum metrics_form form, struct strbuf *to);
/*
 * The buckets that are shown, `first` to `last`, the same at any time: from a microsecond to two
 * minutes, to a gigabyte, to a million.
 */
void metrics_buckets(const struct metric_about *about, unsigned int *first, unsigned int *last);

#endif
