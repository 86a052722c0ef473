// SPDX-License-Identifier: GPL-2.0
#include "src/lib/metrics/metrics_page.h"

#include "src/lib/metrics/metrics_protobuf.h"
#include "src/lib/metrics/metrics_text.h"

const char *metrics_content_type(enum metrics_form form)
{
	static const char *const types[] = {
		[METRICS_TEXT] = "text/plain; version=0.0.4; charset=utf-8",
		[METRICS_OPEN] = "application/openmetrics-text; version=1.0.0; charset=utf-8",
		[METRICS_PROTOBUF] = "application/vnd.google.protobuf; "
				     "proto=io.prometheus.client.MetricFamily; encoding=delimited",
	};

	return types[form];
}

void metrics_page(const struct metrics *m, enum metrics_form form, struct strbuf *to)
{
	if (form == METRICS_PROTOBUF)
		metrics_protobuf(m, to);
	else
		metrics_text(m, form == METRICS_OPEN, to);
}
