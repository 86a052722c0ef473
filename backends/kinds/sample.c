// SPDX-License-Identifier: GPL-2.0
/* Samples: an event on each CPU. CPUs are followed as they go and come. */
#include <stdio.h>

#include "backends/bpf/bpf_events.h"
#include "backends/kinds/kinds.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	if (e->period && e->by)
		snprintf(text, size, "samples of each CPU, one in %u %s", e->period, e->name);
	else if (e->period)
		snprintf(text, size, "samples of each CPU, one in %u ns", e->period);
	else
		snprintf(text, size, "samples of each CPU, %u a second%s", e->frequency,
			 e->by == BY_CYCLES ? ", by its cycles" : "");
}

static int open_sample(struct bpf_events *e, unsigned int attachment, const char **way,
		       struct error *err)
{
	const struct event *event = e->plan->attachments[attachment].event;

	*way = "clock";
	return bpf_samples_open(&e->samples, e->kernel, event, attachment, e->verbose, err);
}

static int attach(struct bpf_events *e, unsigned int attachment, int program)
{
	return bpf_samples_attach(&e->samples, attachment, program);
}

const struct event_ops sample_ops = {
	.title = title,
	.program = BPF_PROG_TYPE_PERF_EVENT,
	.open = open_sample,
	.attach = attach,
	.missed = MISSED_UNTOLD,
};
