/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_METRICS_PAGE_H
#define SONDE_METRICS_PAGE_H

#include "compat/base/strbuf.h"
#include "src/lib/metrics/metrics.h"

/* What Prometheus reads; most others read the first one alone. */
enum metrics_form {
	METRICS_TEXT,			/* text format 0.0.4 */
	METRICS_OPEN,			/* OpenMetrics 1.0.0 */
	METRICS_PROTOBUF,		/* messages MetricFamily, each behind its length */
};

/* As Content-Type says it. */
const char *metrics_content_type(enum metrics_form form);
/* Adds the page with all series. to->cut: memory ran out, and there is no whole page. */
void metrics_page(const struct metrics *m, enum metrics_form form, struct strbuf *to);

#endif
