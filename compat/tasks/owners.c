// SPDX-License-Identifier: GPL-2.0
#include "compat/tasks/owners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/hash.h"
#include "compat/containers/container_path.h"

#define TOLD 64				/* events whose group is remembered: rows come with them */
#define KEPT 8192			/* groups, and processes */

/* An id is never given to another group, so its path is asked for once. */
struct group {
	bool asked;
	char *path;			/* NULL: it is gone, or hidden */
};

/* It holds for what the process did in between: another one can't have had its id then. */
struct process {
	uint64_t from, to;		/* the time that /proc was asked about, and when it was */
	char *path;
};

/* What the kernel told. */
struct told {
	uint64_t time, id;
	uint32_t pid;
};

struct owners {
	struct owner_sources sources;
	struct told told[TOLD];
	unsigned int n_told;		/* all: the latest are in `told` */
	struct hash groups, processes;
	char digits[24];
};

struct owners *owners_new(struct owner_sources sources)
{
	struct owners *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->sources = sources;
	o->groups.value_size = sizeof(struct group);
	o->processes.value_size = sizeof(struct process);
	return o;
}

static void forget(struct owners *o)
{
	struct process *p;
	struct group *g;
	uint32_t at = 0;

	while ((g = hash_next(&o->groups, &at)))
		free(g->path);
	hash_clear(&o->groups);
	at = 0;
	while ((p = hash_next(&o->processes, &at)))
		free(p->path);
	hash_clear(&o->processes);
}

void owners_free(struct owners *o)
{
	if (!o)
		return;
	forget(o);
	free(o);
}

void owners_tidy(struct owners *o)
{
	if (o->groups.index.n > KEPT || o->processes.index.n > KEPT)
		forget(o);
}

void owners_tell(struct owners *o, uint32_t pid, uint64_t time, uint64_t id)
{
	o->told[o->n_told++ % TOLD] = (struct told){ time, id, pid };
}

/* The id that the kernel told of the process at that time; 0: it did not. */
static uint64_t told_of(const struct owners *o, uint32_t pid, uint64_t time)
{
	const unsigned int n = o->n_told < TOLD ? o->n_told : TOLD;

	for (unsigned int i = 1; i <= n; i++) {
		const struct told *t = &o->told[(o->n_told - i) % TOLD];

		if (t->time == time && t->pid == pid)
			return t->id;
	}
	return 0;
}

/*
 * Beside trees of version 1 that of version 2 need not tell: an engine may have put its containers
 * only into the others. It is believed if it names a container.
 */
static const char *by_id(struct owners *o, uint64_t id)
{
	struct group *g = hash_add(&o->groups, &id, sizeof(id));
	struct container_path c;

	if (g && !g->asked) {
		g->asked = true;
		g->path = o->sources.of_id(id);
	}
	if (g && g->path)
		return o->sources.version2 || container_of_path(g->path, &c) ? g->path : NULL;
	if (!o->sources.version2)
		return NULL;
	snprintf(o->digits, sizeof(o->digits), "%llu", (unsigned long long)id);
	return o->digits;
}

static const char *by_process(struct owners *o, uint32_t pid, uint64_t time)
{
	struct process *p;
	uint64_t now;

	if (!o->sources.of_process)
		return NULL;
	p = hash_add(&o->processes, &pid, sizeof(pid));
	if (!p || (p->path && p->from <= time && time <= p->to))
		return p ? p->path : NULL;
	free(p->path);
	now = o->sources.now();
	p->path = o->sources.of_process(pid, time);
	p->from = time;
	p->to = now;
	return p->path;
}

const char *owners_find(struct owners *o, uint32_t pid, uint64_t time)
{
	const uint64_t id = told_of(o, pid, time);
	const char *path = id ? by_id(o, id) : NULL;

	return path ? path : by_process(o, pid, time);
}
