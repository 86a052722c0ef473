// SPDX-License-Identifier: GPL-2.0
/* trace.dat: the beginning, which tells the version. */
#include "compat/recordings/trace/trace_data.h"
#include "compat/recordings/trace/trace_side.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC "\x17\x08\x44tracing"
#define MAGIC_SIZE (sizeof(MAGIC) - 1)

static bool is_trace_dat(const uint8_t *head, size_t n)
{
	return n > MAGIC_SIZE && !memcmp(head, MAGIC, MAGIC_SIZE);
}

int trace_fails(struct recording *r, const char *what, struct error *err)
{
	return fail(err, "%s is damaged: %s", r->bytes.path, what);
}

int trace_layout_take(struct recording *r, const char *text, size_t length, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	const bool big_endian = r->swapped != FTRACE_OWN_BIG_ENDIAN;
	char *copy = strndup(text, length);
	int result;

	if (!copy)
		return fail(err, "out of memory");
	result = ftrace_layout_parse(&t->layout, copy, big_endian);
	t->layout.swapped = r->swapped;
	free(copy);
	if (result || t->layout.size > TRACE_PAGE_MOST)
		return trace_fails(r, "the layout of its pages is unknown", err);
	return 0;
}

static int open_version(struct recording *r, struct error *err)
{
	uint8_t *head;

	/* The version is a text; those before 6 are of 2010, and had none of ftrace's options. */
	if (bytes_look(&r->bytes, MAGIC_SIZE + 2, &head, err) <= 0)
		return trace_fails(r, "it ends in its header", err);
	if (!strcmp((const char *)head + MAGIC_SIZE, "6"))
		return trace_v6_open(r, err);
	if (!strcmp((const char *)head + MAGIC_SIZE, "7"))
		return trace_v7_open(r, err);
	return fail(err, "%s has a version of trace.dat that sonde does not know\n"
			 "`trace-cmd convert -i FILE -o NEW --file-version 6` writes one that it "
			 "knows", r->bytes.path);
}

static int trace_dat_open(struct recording *r, struct error *err)
{
	struct trace_data *t = r->own = calloc(1, sizeof(*t));

	if (!t)
		return fail(err, "out of memory");
	if (!r->bytes.file)
		return fail(err, "%s is a trace.dat, which can't be read from a pipe: give the "
				 "file itself", r->bytes.path);
	if (open_version(r, err))
		return -1;
	if (!t->n_buffers)
		return fail(err, "%s has no records, or only the text of a latency tracer: "
				 "`trace-cmd record -e SYSTEM:EVENT` records events",
			    r->bytes.path);
	for (unsigned int i = 0; i < t->n_rings; i++)
		if (t->rings[i].cpu >= r->cpus)
			r->cpus = t->rings[i].cpu + 1;
	if (trace_clock_check(r, err) || trace_types_read(r, err) || trace_side_read(r, err))
		return -1;
	return trace_rings_begin(r, err);
}

static void trace_dat_close(struct recording *r)
{
	struct trace_data *t = trace_data_of(r);

	if (!t)
		return;
	for (unsigned int i = 0; i < t->n_buffers; i++)
		free(t->buffers[i].name);
	for (unsigned int i = 0; i < t->n_rings; i++) {
		free(t->rings[i].bytes);
		free(t->rings[i].chunk);
	}
	free(t->buffers);
	free(t->losses);
	free(t->rings);
	free(t->heap);
	free(t->head);
	free(t->ftrace);
	free(t->systems);
	free(t->probes);
	free(t->side);
	free(t);
}

const struct recording_format trace_dat_format = {
	.recorder = {
		"trace-cmd record -e", false, "trace-cmd record --date",
		"trace-cmd record -e task -e sched:sched_process_exec -e sched:sched_process_exit",
	},
	.is = is_trace_dat,
	.open = trace_dat_open,
	.next = trace_records_next,
	.close = trace_dat_close,
};
