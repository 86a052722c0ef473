// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/tgids.h"

#include "src/toolkit/proc.h"

struct seed {
	struct run *r;
	struct error *err;
	int result;
};

static void seed_task(void *arg, uint32_t tid, uint32_t tgid, int threads)
{
	struct seed *s = arg;
	uint32_t known;

	(void)threads;
	if (tid == tgid)
		return;
	/* The probes are on: what task.new says is newer than what was read here. */
	if (!s->result && run_get(s->r, "tgids", &tid, &known))
		s->result = run_set(s->r, "tgids", &tid, &tgid, s->err);
}

int tgids_fill(struct run *r, struct error *err)
{
	struct seed s = { .r = r, .err = err };

	if (!run_is_live(r))
		return 0;
	return proc_each_task(seed_task, &s, err) ? -1 : s.result;
}
