// SPDX-License-Identifier: GPL-2.0
#include "compat/recordings/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/recordings/recorded_probes.h"
#include "compat/recordings/recording_internal.h"
#include "compat/recordings/swaps.h"

#define HEAD 16			/* all formats are known by their first bytes */

static const struct recording_format *const formats[] = {
	&perf_data_format, &trace_dat_format,
};

static const struct recording_format *format_of(const uint8_t *head, size_t n)
{
	for (unsigned int i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (formats[i]->is(head, n))
			return formats[i];
	return NULL;
}

/* Only a regular file is looked into: what is read of a pipe is gone. */
bool recording_is(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint8_t head[HEAD];
	ssize_t n = fd < 0 ? 0 : pread(fd, head, sizeof(head), 0);

	if (fd >= 0)
		close(fd);
	return n > 0 && format_of(head, (size_t)n);
}

static int has_events(const struct recording *r, const volatile sig_atomic_t *stop,
		      struct error *err)
{
	return r->n_events || (stop && *stop) ? 0 :
	       fail(err, "%s has nothing that sonde reads: `%s SYSTEM:EVENT` records tracepoints%s",
		    r->bytes.path, r->format->recorder.event,
		    r->live ? "" : ", `perf record -a -g -F 99` samples");
}

static int find_format(struct recording *r, struct error *err)
{
	uint8_t *head;

	if (bytes_look(&r->bytes, HEAD, &head, err) < 0)
		return -1;
	r->format = format_of(head, bytes_left(&r->bytes));
	return r->format ? 0 :
	       fail(err, "%s is no recording: sonde reads what `perf record` or `trace-cmd "
			 "record` wrote; a text of records goes with --snapshot", r->bytes.path);
}

/* k: of rings of this machine; NULL: the path is that of a file. */
static struct recording *open_any(struct kernel *k, const char *path,
				  const volatile sig_atomic_t *stop, struct error *err)
{
	struct recording *r = calloc(1, sizeof(*r));
	int result;

	if (!r) {
		fail(err, "out of memory");
		return NULL;
	}
	result = k ? live_prepare(r, k, path, err) : bytes_open(&r->bytes, path, stop, err);
	r->bytes.stop = stop;
	if (result || (!k && find_format(r, err)) || r->format->open(r, err) ||
	    has_events(r, stop, err)) {
		recording_close(r);
		return NULL;
	}
	return r;
}

struct recording *recording_open(const char *path, const volatile sig_atomic_t *stop,
				 struct error *err)
{
	return open_any(NULL, path, stop, err);
}

struct recording *recording_live(struct kernel *k, const char *name,
				 const volatile sig_atomic_t *stop, struct error *err)
{
	return open_any(k, name, stop, err);
}

void recording_close(struct recording *r)
{
	if (!r)
		return;
	if (r->format)
		r->format->close(r);
	for (unsigned int i = 0; i < r->n_facts; i++) {
		free(r->facts[i].path);
		free(r->facts[i].text);
	}
	for (unsigned int i = 0; i < r->n_events; i++)
		free(r->events[i].name);
	recording_free_functions(r);
	recorded_probes_free(r);
	recording_free_changes(r);
	hash_clear(&r->tasks);
	recording_free_symbols(r);
	swaps_free(r);
	free(r->facts);
	free(r->events);
	free(r->types);
	lines_free(&r->notes);
	bytes_close(&r->bytes);
	free(r);
}

const struct recorded_event *recording_events(const struct recording *r, unsigned int *n)
{
	*n = r->n_events;
	return r->events;
}

bool recording_foreign(const struct recording *r)
{
	return r->swapped;
}

unsigned int recording_bits(const struct recording *r)
{
	return 8 * r->long_size;
}

unsigned int recording_cpus(const struct recording *r)
{
	return r->cpus;
}

const struct wall *recording_wall(const struct recording *r)
{
	return &r->wall;
}

#define TIDS_MOST (1U << 22)		/* no kernel makes larger ids */

static int keep_task(struct recording *r, const struct recorded *rec, struct error *err)
{
	struct recorded_task *task;

	if (rec->tid > TIDS_MOST)
		return 1;
	r->tasks.value_size = sizeof(*task);
	task = hash_add(&r->tasks, &rec->tid, sizeof(rec->tid));
	if (!task)
		return fail(err, "out of memory");
	task->tid = rec->tid;
	task->pid = rec->pid;
	if (rec->kind == RECORDED_NEW) {
		task->ppid = rec->made.maker;
		task->began = rec->made.began;
	}
	return 1;
}

int recording_next(struct recording *r, struct recorded *to, struct error *err)
{
	const int result = r->format->next(r, to, err);

	return result > 0 && !to->time &&
	       (to->kind == RECORDED_NEW || to->kind == RECORDED_NAME) ?
	       keep_task(r, to, err) : result;
}

const struct recorded_task *recording_task(const struct recording *r, uint32_t *at)
{
	return hash_next(&r->tasks, at);
}

void recording_note_absent(struct recording *r, const struct recorded_event *e)
{
	lines_add(&r->notes, "%s has no record of %s", r->bytes.path, e->name);
}

void recording_note_tasks(struct recording *r)
{
	lines_add(&r->notes, "%s does not tell processes and names of tasks: `%s` records them",
		  r->bytes.path, r->format->recorder.tasks);
}

const struct lines *recording_notes(const struct recording *r)
{
	return &r->notes;
}
