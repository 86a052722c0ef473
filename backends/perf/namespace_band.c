// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/namespace_band.h"

#include "compat/base/clock.h"

int namespace_band_open(struct namespace_band *b, struct kernel *k, const struct plan *plan,
			struct stream *stream, FILE *verbose, struct error *err)
{
	*b = (struct namespace_band){ .stream = stream, .read = monotonic_ns() };
	if (!scope_has_namespaces(plan->scope))
		return 0;
	b->band = side_band_open(k, SIDE_BAND_OF_NAMESPACES, NULL, verbose, err);
	return b->band ? 0 : -1;
}

void namespace_band_close(struct namespace_band *b)
{
	side_band_close(b->band);
	b->band = NULL;
}

static void on_event(void *arg, const struct side_band_event *e)
{
	const struct namespace_band *b = arg;
	const uint32_t numbers[] = { [SCOPE_MNTNS] = e->mntns, [SCOPE_PIDNS] = e->pidns };

	/* a record without room in the stream becomes a gap of its tables of tasks */
	if (e->kind == SIDE_BAND_NAMESPACES)
		stream_namespaces(b->stream, e->cpu, e->time, e->tid, numbers);
}

int namespace_band_read(struct namespace_band *b, struct error *err)
{
	const uint64_t began = monotonic_ns();

	if (!b->band)
		return 0;
	if (side_band_read(b->band, UINT64_MAX, on_event, b, err))
		return -1;
	if (side_band_losses(b->band) != b->losses)
		stream_gap_in(b->stream, STREAM_TASKS, 0, b->read, monotonic_ns(), 0);
	b->losses = side_band_losses(b->band);
	b->read = began;
	return 0;
}
