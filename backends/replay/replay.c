// SPDX-License-Identifier: GPL-2.0
#include "backends/replay/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backends/replay/readers/recorded.h"
#include "backends/replay/readers/records.h"

struct engine {
	struct records records;
	struct stream *stream;
	uint64_t now;
	bool ended, stopped;
};

static void replay_close(struct engine *e)
{
	if (e->records.file)
		fclose(e->records.file);
	recorded_close(e->records.recorded);
	stream_free(e->stream);
	free(e->records.path);
	free(e);
}

static int open_text(struct records *records, const char *path, struct error *err)
{
	records->path = strdup(path);
	records->file = records->path ? fopen(path, "re") : NULL;
	return records->file ? 0 :
	       fail_with(err, errno, "can't read the records of %s: %m", path);
}

static int read_part(struct records *records, struct error *err)
{
	return records->recorded ? recorded_read(records, err) : records_read(records, err);
}

static struct engine *replay_open(struct kernel *k, struct plan *plan,
				  const struct engine_options *o, struct error *err)
{
	struct engine *e = calloc(1, sizeof(*e));
	struct records *records;

	if (!e) {
		fail(err, "out of memory");
		return NULL;
	}
	records = &e->records;
	records->kernel = k;
	records->plan = plan;
	records->oldest = UINT64_MAX;
	records->stream = e->stream = stream_new(k, plan, o->recording ?
						 recording_cpus(o->recording) : RECORDS_CPUS, err);
	if (!e->stream || (o->recording ? recorded_open(records, o->recording, err) :
			   open_text(records, o->replay, err))) {
		replay_close(e);
		return NULL;
	}
	stream_clock(e->stream, NULL);
	return e;
}

static int replay_refuse(struct kernel *k, const struct plan *plan, struct error *err)
{
	return kernel_recorded(k) ? recorded_refuse(k, plan, err) : 0;
}

static int replay_start(struct engine *e, struct error *err)
{
	/* What a recorder writes first may have no events: the run begins at the first one. */
	do {
		if (read_part(&e->records, err))
			return -1;
	} while (e->records.oldest == UINT64_MAX && !e->records.read &&
		 !kernel_stopped(e->records.kernel, NULL));
	e->now = e->records.oldest == UINT64_MAX ? 0 : e->records.oldest;
	return 0;
}

static int run_to(struct engine *e, uint64_t until, record_fn record, void *arg)
{
	/* At the end all events run: one may have the largest time there is. */
	e->ended = e->records.read && until >= e->records.until;
	if (until > e->records.until)
		until = e->records.until;
	e->now = until > e->now ? until : e->now;
	return stream_run(e->stream, e->ended ? UINT64_MAX : until, record, arg);
}

static int replay_poll(struct engine *e, uint64_t until, record_fn record, void *arg,
		       struct error *err)
{
	const struct records *records = &e->records;
	int n;

	if (e->ended || e->stopped)
		return stream_run(e->stream, e->ended ? UINT64_MAX : e->now, record, arg);
	n = run_to(e, until, record, arg);
	while (!records->read && records->until < until && !kernel_stopped(records->kernel, NULL)) {
		if (read_part(&e->records, err))
			return -1;
		n += run_to(e, until, record, arg);
	}
	return n;
}

static uint64_t replay_now(const struct engine *e)
{
	return e->now;
}

static bool replay_ended(const struct engine *e)
{
	return e->ended;
}

static void replay_wall(const struct engine *e, struct wall *w)
{
	*w = e->records.wall;
}

/* All events up to now() have run already: a poll goes no further. */
static int replay_take(struct engine *e, unsigned int map, entry_fn entry, void *arg,
		       struct error *err)
{
	(void)err;
	stream_take(e->stream, map, entry, arg);
	return 0;
}

static int replay_set(struct engine *e, unsigned int map, const struct entry *entry,
		      struct error *err)
{
	return stream_set(e->stream, map, entry, err);
}

static int replay_get(struct engine *e, unsigned int map, const void *key, void *value)
{
	return stream_get(e->stream, map, key, value);
}

static int replay_renew(struct engine *e, const struct stack_holders *holders, struct error *err)
{
	return stream_renew(e->stream, holders, err);
}

/* Younger events are left out, as if a kernel had disabled its events. */
static void replay_stop(struct engine *e)
{
	e->stopped = true;
}

static void replay_stats(struct engine *e, struct engine_stats *s)
{
	stream_stats(e->stream, s);
	s->missed_known = true;
}

const struct backend backend_replay = {
	.name = "replay",
	.target = TARGET_RING,
	.needs = (const enum feature[]){ FEATURES },
	.refuse = replay_refuse,
	.open = replay_open,
	.start = replay_start,
	.poll = replay_poll,
	.now = replay_now,
	.ended = replay_ended,
	.wall = replay_wall,
	.take = replay_take,
	.set = replay_set,
	.get = replay_get,
	.renew = replay_renew,
	.stop = replay_stop,
	.stats = replay_stats,
	.close = replay_close,
};
