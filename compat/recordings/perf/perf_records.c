// SPDX-License-Identifier: GPL-2.0
/* The records of perf.data, one after the other. */
#include <linux/perf_event.h>

#include "compat/recordings/perf/perf_data.h"
#include "compat/recordings/swaps.h"

#define HEADER 8	/* struct perf_event_header: u32 type, u16 misc, u16 size */

static int cut(struct recording *r)
{
	if (r->bytes.stop && *r->bytes.stop)
		return 0;	/* the user ends it */
	lines_add(&r->notes, "the end of %s is missing", r->bytes.path);
	return 0;
}

static int read_header(struct recording *r, const uint8_t *bytes, struct perf_record *record,
		       struct error *err)
{
	struct cursor c = cursor_over(bytes, HEADER, r->swapped);

	record->type = cursor_u32(&c);
	record->misc = cursor_u16(&c);
	record->size = cursor_u16(&c);
	if (record->size < HEADER)
		return recording_fails(r, "a record is too short", err);
	return 0;
}

/* The next of the records that were compressed. Returns 0 if it goes on in the next part. */
static int read_unpacked(struct recording *r, struct perf_record *record, struct error *err)
{
	uint8_t *bytes;
	int result = perf_unpacked_look(r, HEADER, &bytes, err);

	if (result <= 0)
		return result;
	if (read_header(r, bytes, record, err))
		return -1;
	result = perf_unpacked_look(r, record->size, &bytes, err);
	if (result <= 0)
		return result;
	record->body = cursor_over(bytes + HEADER, record->size - HEADER, r->swapped);
	perf_unpacked_pass(perf_data_of(r)->unpacked, record->size);
	return 1;
}

/* A stream ends behind any record. */
static bool ends_here(const struct recording *r)
{
	const struct perf_data *p = perf_data_of(r);

	return !perf_unpacked_left(p->unpacked) &&
	       (p->piped ? !bytes_left(&r->bytes) : r->bytes.offset >= p->end);
}

int perf_record_read(struct recording *r, bool peek, struct perf_record *record, struct error *err)
{
	struct perf_data *p = perf_data_of(r);
	uint8_t *bytes;
	int result = p->unpacked ? read_unpacked(r, record, err) : 0;

	if (result)
		return result;
	if (!p->piped && r->bytes.offset >= p->end)
		return ends_here(r) ? 0 : cut(r);
	result = bytes_look(&r->bytes, HEADER, &bytes, err);
	if (result <= 0)
		return result < 0 ? -1 : ends_here(r) ? 0 : cut(r);
	if (read_header(r, bytes, record, err))
		return -1;
	if (peek)
		return 1;
	result = bytes_take(&r->bytes, record->size, &bytes, err);
	if (result <= 0)
		return result < 0 ? -1 : cut(r);
	record->body = cursor_over(bytes + HEADER, record->size - HEADER, r->swapped);
	return 1;
}

/* Such a record is damaged, or the section about CPUs is. */
int perf_record_on_cpu(struct recording *r, const struct perf_sample *s, struct recorded *to,
		       struct error *err)
{
	struct perf_data *p = perf_data_of(r);

	if (s->cpu >= r->cpus)
		return recording_fails(r, "a record is of a CPU that the machine does not have",
				       err);
	to->cpu = s->cpu;
	to->time = s->time;
	if (to->kind == RECORDED_LOST)
		to->lost.from = p->cpus[s->cpu].seen;
	p->cpus[s->cpu].seen = s->time;
	p->newest = s->time > p->newest ? s->time : p->newest;
	return 1;
}

/* A stack is followed by the size of a record. Here that is 0, whatever the sample has there. */
static int take_sample(struct recording *r, const struct perf_sample *s, struct recorded *to,
		       struct error *err)
{
	struct perf_data *p = perf_data_of(r);
	uint64_t n = 0;
	size_t size;

	if (s->stack)
		memcpy(&n, s->stack, sizeof(n));
	size = (size_t)(1 + n) * sizeof(n);
	if (size > UINT16_MAX)
		return recording_fails(r, "a stack can't be read", err);
	if (s->stack)
		memcpy(p->stack, s->stack, size);
	memset(p->stack + size, 0, sizeof(uint32_t));
	to->kind = RECORDED_EVENT;
	to->event.number = s->attr->event;
	to->event.stack = s->stack ? p->stack : NULL;
	to->event.record = p->stack + size + sizeof(uint32_t);
	to->event.size = 0;
	to->tid = s->tid;
	to->pid = s->pid;
	return perf_record_on_cpu(r, s, to, err);
}

/* An event whose format is not there is left out. */
static int read_sample(struct recording *r, struct perf_record *record, struct recorded *to,
		       struct error *err)
{
	const struct recorded_event *e;
	struct perf_sample s;
	struct cursor c;

	if (!perf_sample_read(r, &record->body, &s))
		return recording_fails(r, "an event can't be read", err);
	if (s.attr->samples)
		return take_sample(r, &s, to, err);
	c = cursor_over(s.record, s.record ? s.size : 0, r->swapped);
	e = recording_event(r, cursor_u16(&c));
	if (c.broken || !e)
		return 0;
	to->kind = RECORDED_EVENT;
	to->event.number = (uint32_t)(e - r->events);
	to->event.stack = s.stack;
	to->event.record = s.record;
	to->event.size = s.size;
	if (r->swapped)
		swaps_turn(r, to->event.number, s.record, s.size);
	if (s.size >= 8)
		memcpy(&to->tid, s.record + 4, sizeof(to->tid));	/* common_pid */
	to->pid = s.pid;
	return perf_record_on_cpu(r, &s, to, err);
}

static int read_name(struct recording *r, struct perf_record *record, struct recorded *to,
		     struct error *err)
{
	struct perf_sample s;
	const char *comm;

	if (perf_change_named(r, record, err))
		return -1;
	to->kind = RECORDED_NAME;
	to->pid = cursor_u32(&record->body);
	to->tid = cursor_u32(&record->body);
	comm = cursor_text(&record->body);
	if (!comm || !perf_sample_end(r, record, &s))
		return recording_fails(r, "the name of a task can't be read", err);
	memset(to->name.comm, 0, sizeof(to->name.comm));
	memcpy(to->name.comm, comm, strnlen(comm, sizeof(to->name.comm) - 1));
	return perf_record_on_cpu(r, &s, to, err);
}

static int read_life(struct recording *r, struct perf_record *record, struct recorded *to,
		     struct error *err)
{
	struct perf_sample s;

	if (perf_change_lived(r, record, err))
		return -1;
	to->kind = record->type == PERF_RECORD_FORK ? RECORDED_NEW : RECORDED_EXIT;
	to->pid = cursor_u32(&record->body);
	cursor_u32(&record->body);		/* the process that made it */
	to->tid = cursor_u32(&record->body);
	to->made.maker = cursor_u32(&record->body);
	to->made.began = cursor_u64(&record->body);
	if (record->body.broken || !perf_sample_end(r, record, &s))
		return recording_fails(r, "the life of a task can't be read", err);
	return perf_record_on_cpu(r, &s, to, err);
}

/*
 * perf has read all rings once more: nothing later is older than what it had read the last time.
 */
static int read_round(struct recording *r, struct perf_record *record, struct recorded *to,
		      struct error *err)
{
	struct perf_data *p = perf_data_of(r);

	(void)record;
	(void)err;
	*to = (struct recorded){ .kind = RECORDED_ROUND, .time = p->round };
	p->round = p->newest;
	return 1;
}

static int read_mapping(struct recording *r, struct perf_record *record, struct recorded *to,
			struct error *err)
{
	(void)to;
	return perf_code_mapped(r, record, err) ? -1 : perf_change_mapped(r, record, err);
}

static int read_function(struct recording *r, struct perf_record *record, struct recorded *to,
			 struct error *err)
{
	(void)to;
	return perf_code_named(r, record, err);
}

static int read_build_id(struct recording *r, struct perf_record *record, struct recorded *to,
			 struct error *err)
{
	(void)to;
	return perf_code_build_id(r, record, err);
}

/* The record has the size of the bytes behind it. */
static int pass_auxtrace(struct recording *r, struct perf_record *record, struct recorded *to,
			 struct error *err)
{
	(void)to;
	return bytes_skip(&r->bytes, cursor_u64(&record->body), err) < 0 ? -1 : 0;
}

static int read_index(struct recording *r, struct perf_record *record, struct recorded *to,
		      struct error *err)
{
	(void)to;
	return perf_losses_index(r, record, err);
}

static int read_compressed(struct recording *r, struct perf_record *record, struct recorded *to,
			   struct error *err)
{
	(void)to;
	return perf_unpack(r, record, err);
}

/* Return 1; 0: there is nothing to tell; -1 and set err. */
static const struct {
	uint32_t type;
	int (*read)(struct recording *r, struct perf_record *record, struct recorded *to,
		    struct error *err);
} readers[] = {
	{ PERF_RECORD_SAMPLE, read_sample },
	{ PERF_RECORD_LOST, perf_losses_read },
	{ PERF_RECORD_LOST_SAMPLES, perf_losses_counted },
	{ PERF_RECORD_COMM, read_name },
	{ PERF_RECORD_FORK, read_life },
	{ PERF_RECORD_EXIT, read_life },
	{ PERF_RECORD_MMAP, read_mapping },
	{ PERF_RECORD_MMAP2, read_mapping },
	{ PERF_KSYMBOL, read_function },
	{ PERF_HEADER_BUILD_ID, read_build_id },
	{ PERF_FINISHED_ROUND, read_round },
	{ PERF_ID_INDEX, read_index },
	{ PERF_AUXTRACE, pass_auxtrace },
	{ PERF_COMPRESSED, read_compressed },
	{ PERF_COMPRESSED2, read_compressed },
};

static int read_one(struct recording *r, struct perf_record *record, struct recorded *to,
		    struct error *err)
{
	for (unsigned int i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (readers[i].type == record->type)
			return readers[i].read(r, record, to, err);
	return 0;
}

int perf_records_next(struct recording *r, struct recorded *to, struct error *err)
{
	struct perf_record record;
	int result;

	do {
		result = perf_record_read(r, false, &record, err);
		if (result <= 0)
			return result < 0 ? -1 : perf_losses_rest(r, to);
		result = read_one(r, &record, to, err);
	} while (!result);
	return result;
}
