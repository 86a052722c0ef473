// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/flight/flight_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/base/hash.h"
#include "compat/base/strbuf.h"
#include "compat/user/threads.h"

#define COMM 16

/* The records of a CPU; those before `passed` are in the table. */
struct names_cpu {
	struct strbuf log;
	size_t passed;
};

struct flight_names {
	struct hash tasks;		/* struct flight_task by tid */
	struct names_cpu *cpus;
	unsigned int n;
	size_t of_time;
	uint64_t since;
	bool lost;			/* the kernel had no room for records */
	bool no_memory;
};

struct flight_names *flight_names_new(unsigned int n, size_t of_time)
{
	struct flight_names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	*names = (struct flight_names){ .n = n, .of_time = of_time };
	names->tasks.value_size = sizeof(struct flight_task);
	names->cpus = calloc(n, sizeof(*names->cpus));
	if (names->cpus)
		return names;
	free(names);
	return NULL;
}

void flight_names_free(struct flight_names *names)
{
	if (!names)
		return;
	for (unsigned int i = 0; i < names->n; i++)
		free(names->cpus[i].log.s);
	free(names->cpus);
	hash_clear(&names->tasks);
	free(names);
}

static void put(struct flight_names *names, uint32_t tid, uint32_t tgid, const char *comm)
{
	struct flight_task *t = hash_add(&names->tasks, &tid, sizeof(tid));

	names->no_memory |= !t;
	if (!t)
		return;
	t->tgid = tgid;
	memset(t->comm, 0, sizeof(t->comm));
	memcpy(t->comm, comm, strnlen(comm, COMM - 1));
}

static void put_thread(void *arg, uint32_t tid, uint32_t tgid, int threads)
{
	char path[32], comm[COMM + 1];

	snprintf(path, sizeof(path), "%u/comm", tid);
	if (file_begin(threads, path, comm, sizeof(comm)) <= 0)
		return;
	comm[strcspn(comm, "\n")] = '\0';
	put(arg, tid, tgid, comm);
}

/*
 * Changes of before now and meanwhile have their records, which stay: they name tasks that have
 * ended.
 */
int flight_names_scan(struct flight_names *names, struct error *err)
{
	hash_clear(&names->tasks);
	for (unsigned int i = 0; names->no_memory && i < names->n; i++) {
		free(names->cpus[i].log.s);
		names->cpus[i] = (struct names_cpu){ };
	}
	names->since = monotonic_ns();
	names->lost = names->no_memory = false;
	if (each_task(put_thread, names))
		return fail(err, "can't read the names of tasks: mount /proc");
	return names->no_memory ? fail(err, "out of memory") : 0;
}

void flight_names_take(struct flight_names *names, unsigned int n,
		       const struct perf_event_header *record)
{
	switch (record->type) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		strbuf_add(&names->cpus[n].log, (const char *)record, record->size);
		names->no_memory |= names->cpus[n].log.cut;
		names->lost |= names->no_memory;
		break;
	case PERF_RECORD_LOST:
		names->lost = true;
		break;
	}
}

/* ---- from records to the table ---- */

/* The kernel's own records: longer ones than their fields. */
static void apply(struct flight_names *names, const uint8_t *record)
{
	struct perf_event_header header;
	/* process, its maker's, thread, its maker's; of a name: process, thread */
	uint32_t ids[4];
	const struct flight_task *maker;

	memcpy(&header, record, sizeof(header));
	memcpy(ids, record + sizeof(header), sizeof(ids));
	switch (header.type) {
	case PERF_RECORD_COMM:
		put(names, ids[1], ids[0], (const char *)record + sizeof(header) + 8);
		break;
	case PERF_RECORD_FORK:
		maker = hash_find(&names->tasks, &ids[3], sizeof(ids[3]));
		if (maker) {
			const struct flight_task copy = *maker;

			put(names, ids[2], ids[0], copy.comm);
		}
		break;
	case PERF_RECORD_EXIT:
		hash_remove(&names->tasks, &ids[2], sizeof(ids[2]));
		break;
	}
}

/* The oldest record of a CPU that is not in the table. Returns NULL if there is none. */
static const uint8_t *oldest(const struct flight_names *names, const struct names_cpu *c,
			     uint64_t *time, size_t *size)
{
	struct perf_event_header header;
	const uint8_t *record = (const uint8_t *)c->log.s + c->passed;

	if (c->passed >= c->log.n)
		return NULL;
	memcpy(&header, record, sizeof(header));
	memcpy(time, record + header.size - names->of_time, sizeof(*time));
	*size = header.size;
	return record;
}

/* Takes the oldest record of all CPUs into the table, if it is from before that time. */
static bool pass_one(struct flight_names *names, uint64_t before, uint64_t *at)
{
	const uint8_t *record = NULL, *one;
	struct names_cpu *of = NULL;
	size_t size = 0, bytes;
	uint64_t time;

	*at = before;
	for (unsigned int i = 0; i < names->n; i++) {
		one = oldest(names, &names->cpus[i], &time, &bytes);
		if (!one || time >= *at)
			continue;
		*at = time;
		record = one;
		of = &names->cpus[i];
		size = bytes;
	}
	if (!record)
		return false;
	apply(names, record);
	of->passed += size;
	return true;
}

static size_t log_bytes(const struct flight_names *names)
{
	size_t n = 0;

	for (unsigned int i = 0; i < names->n; i++)
		n += names->cpus[i].log.n - names->cpus[i].passed;
	return n;
}

/* A log whose first half is in the table. */
static void shorten(struct names_cpu *c)
{
	if (!c->passed || c->passed < c->log.n / 2)
		return;
	memmove(c->log.s, c->log.s + c->passed, c->log.n - c->passed);
	c->log.n -= c->passed;
	c->passed = 0;
}

int flight_names_pass(struct flight_names *names, uint64_t before, struct error *err)
{
	uint64_t at;

	if (names->lost)
		return flight_names_scan(names, err);
	while (pass_one(names, before, &at))
		;
	while (log_bytes(names) > NAMES_LOG_MOST && pass_one(names, UINT64_MAX, &at))
		names->since = at > names->since ? at : names->since;
	for (unsigned int i = 0; i < names->n; i++)
		shorten(&names->cpus[i]);
	return names->no_memory ? fail(err, "out of memory") : 0;
}

uint64_t flight_names_since(const struct flight_names *names)
{
	return names->since;
}

const struct flight_task *flight_names_next(const struct flight_names *names, uint32_t *at,
					    uint32_t *tid)
{
	const struct flight_task *t = hash_next(&names->tasks, at);

	if (t)
		memcpy(tid, hash_key(&names->tasks, t), sizeof(*tid));
	return t;
}

const uint8_t *flight_names_log(const struct flight_names *names, unsigned int n, size_t *size)
{
	const struct names_cpu *c = &names->cpus[n];

	*size = c->log.n - c->passed;
	return c->log.s ? (const uint8_t *)c->log.s + c->passed : NULL;
}
