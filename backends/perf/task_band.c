// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/task_band.h"

#include "compat/base/clock.h"
#include "compat/base/text.h"

static int begin(struct task_band *b, struct kernel *k, enum side_band_subject subject,
		 struct stream *stream, const struct local_clock *clock, FILE *verbose,
		 struct error *err)
{
	*b = (struct task_band){ .stream = stream, .read = monotonic_ns() };
	b->band = side_band_open(k, subject, clock, verbose, err);
	return b->band ? 0 : -1;
}

int task_band_of_namespaces(struct task_band *b, struct kernel *k, const struct plan *plan,
			    struct stream *stream, FILE *verbose, struct error *err)
{
	return scope_has_namespaces(plan->scope) ?
		begin(b, k, SIDE_BAND_OF_NAMESPACES, stream, NULL, verbose, err) : 0;
}

int task_band_of_lives(struct task_band *b, struct kernel *k, struct stream *stream,
		       const struct local_clock *clock, FILE *verbose, struct error *err)
{
	return stream_wants_lives(stream) ?
		begin(b, k, SIDE_BAND_OF_TASKS, stream, clock, verbose, err) : 0;
}

void task_band_close(struct task_band *b)
{
	side_band_close(b->band);
	b->band = NULL;
}

/* A record without room in the stream becomes a gap of its tables of tasks. */
static void on_event(void *arg, const struct side_band_event *e)
{
	const struct task_band *b = arg;
	const uint32_t numbers[] = { [SCOPE_MNTNS] = e->mntns, [SCOPE_PIDNS] = e->pidns };
	struct task_life life = { .tid = e->tid, .tgid = e->pid, .maker = e->maker };

	switch (e->kind) {
	case SIDE_BAND_NAMESPACES:
		stream_namespaces(b->stream, e->cpu, e->time, e->tid, numbers);
		return;
	case SIDE_BAND_FORK:
	case SIDE_BAND_THREAD:
		life.what = TASK_NEW;
		break;
	case SIDE_BAND_EXIT:
	case SIDE_BAND_LEFT:
		life.what = TASK_EXIT;
		break;
	case SIDE_BAND_EXEC:
	case SIDE_BAND_NAME:
		life.what = TASK_RENAME;
		text_cut(life.comm, sizeof(life.comm), "%s", e->path);
		break;
	default:
		return;
	}
	stream_life(b->stream, e->cpu, e->time, &life);
}

int task_band_read(struct task_band *b, struct error *err)
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
