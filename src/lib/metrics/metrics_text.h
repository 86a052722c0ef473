/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_METRICS_TEXT_H
#define SONDE_METRICS_TEXT_H

#include "compat/base/strbuf.h"
#include "src/lib/metrics/metrics.h"

/* Adds all series as text of Prometheus, or as OpenMetrics. to->cut: memory ran out. */
void metrics_text(const struct metrics *m, bool open, struct strbuf *to);
/* Adds the upper bound of a bucket as the label `le` has it. */
void metrics_bound_text(double bound, struct strbuf *to);

#endif
