/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_METRICS_PROTOBUF_H
#define SONDE_METRICS_PROTOBUF_H

#include "compat/base/strbuf.h"
#include "src/lib/metrics/metrics.h"

/*
 * Adds all series as messages io.prometheus.client.MetricFamily, each behind its length. A
 * histogram whose buckets are powers of two of its base unit, too, is in its message twice: with
 * classic buckets and as a native one. to->cut: memory ran out.
 */
void metrics_protobuf(const struct metrics *m, struct strbuf *to);

#endif
