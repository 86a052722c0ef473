// SPDX-License-Identifier: GPL-2.0
/*
 * What each CPU lost in all: texts of per_cpu/cpuN/stats. A page tells that events are missing
 * before it, and where it has room how many.
 */
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/recordings/trace/trace_data.h"

/* Overwritten before they were read; interrupted in the ring's last page; without room. */
static const char *const counts[] = { "overrun: ", "commit overrun: ", "dropped events: " };

/* The sum of the counts of a text. */
static uint64_t sum_of(const char *text)
{
	uint64_t sum = 0, n;

	for (const char *line = text - 1; line; line = strchr(line + 1, '\n'))
		for (unsigned int i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
			const char *at = line + 1;

			if (scan_text(&at, counts[i]) && scan_number(&at, UINT32_MAX, &n))
				sum += n;
		}
	return sum;
}

int trace_stats_read(struct recording *r, const char *text, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	struct trace_loss loss;
	uint64_t cpu;

	if (*text == '\n')
		text++;
	if (scan_text(&text, "Buffer: ")) {
		if (!scan_until(&text, "\n", t->lossy, sizeof(t->lossy)))
			*t->lossy = '\0';
		return 0;
	}
	if (!scan_text(&text, "CPU: ") || !scan_number(&text, CPUS_MOST, &cpu))
		return 0;
	if (t->n_losses > TRACE_BUFFERS * CPUS_MOST ||
	    array_room(&t->losses, t->n_losses, sizeof(*t->losses)))
		return fail(err, "out of memory");
	loss = (struct trace_loss){ .cpu = (uint32_t)cpu, .count = sum_of(text) };
	memcpy(loss.buffer, t->lossy, sizeof(loss.buffer));
	t->losses[t->n_losses++] = loss;
	return 0;
}

void trace_losses_add(struct trace_data *t, uint32_t cpu, uint64_t n)
{
	for (unsigned int i = 0; i < t->n_losses; i++)
		if (t->losses[i].cpu == cpu && !*t->losses[i].buffer) {
			t->losses[i].count += n;
			return;
		}
}

uint64_t trace_losses(const struct trace_data *t, const struct trace_ring *ring)
{
	for (unsigned int i = 0; i < t->n_losses; i++)
		if (t->losses[i].cpu == ring->cpu &&
		    !strcmp(t->losses[i].buffer, t->buffers[ring->buffer].name))
			return t->losses[i].count;
	return 0;
}
