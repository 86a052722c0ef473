// SPDX-License-Identifier: GPL-2.0
#include "backends/replay/replay.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "backends/kinds/kinds.h"
#include "backends/stream/stream.h"
#include "compat/resolve/identity.h"

#define CPUS 64
#define RECORD_SIZE 8192
#define LINE_SIZE (64 << 10)	/* room for a record of escaped texts */

struct engine {
	struct kernel *kernel;
	const struct plan *plan;
	struct stream *stream;
	FILE *file;
	char *path;			/* for messages */
	unsigned int line;
	uint64_t oldest, newest;	/* times of the lines read; oldest UINT64_MAX: none */
	/* events that were read run up to this time: of the last `run`; at the end, the newest */
	uint64_t until;
	bool read;			/* the whole file was read */
	uint64_t now;
	bool ended, stopped;
	struct wall wall;
};

/* The line being read. */
struct reader {
	struct engine *engine;
	const char *at;
	bool part;			/* the line is a `run`: it ends a part of the file */
	bool shared;	/* the event is the task table's, and another one takes the line, too */
	struct error *err;
};

struct bytes {
	uint8_t bytes[RECORD_SIZE];
	uint32_t size;
	uint64_t stack[2 * (STACK_DEPTH + 2)];	/* as in struct sample (backends/vm/vm.h) */
	uint32_t n_stack;
};

static int bad(struct reader *r, const char *what)
{
	return fail(r->err, "%s, line %u: %s, at \"%.40s\"", r->engine->path, r->engine->line,
		    what, r->at);
}

static void skip_space(struct reader *r)
{
	while (isspace((unsigned char)*r->at))
		r->at++;
}

static int read_word(struct reader *r, char *word, size_t size)
{
	size_t n;

	skip_space(r);
	n = strcspn(r->at, " \t\n");
	if (!n || n >= size)
		return bad(r, "a word is missing or too long");
	memcpy(word, r->at, n);
	word[n] = '\0';
	r->at += n;
	return 0;
}

static int read_number(struct reader *r, uint64_t *value)
{
	char *end;

	skip_space(r);
	errno = 0;
	*value = *r->at == '-' ? (uint64_t)strtoll(r->at, &end, 0) : strtoull(r->at, &end, 0);
	if (end == r->at || errno || (*end && !isspace((unsigned char)*end)))
		return bad(r, "a number is expected");
	r->at = end;
	return 0;
}

static int read_cpu(struct reader *r, uint64_t *cpu)
{
	if (read_number(r, cpu))
		return -1;
	return *cpu < CPUS ? 0 : bad(r, "no such CPU (0 to 63)");
}

static int hex_digit(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	c = tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int read_hex(struct reader *r, uint8_t *bytes, uint32_t room, uint32_t *size)
{
	*size = 0;
	while (hex_digit(r->at[0]) >= 0) {
		if (hex_digit(r->at[1]) < 0 || *size >= room)
			return bad(r, "an odd number of digits, or too many");
		bytes[(*size)++] = hex_digit(r->at[0]) << 4 | hex_digit(r->at[1]);
		r->at += 2;
	}
	return 0;
}

static int read_escape(struct reader *r, uint8_t *byte)
{
	static const char names[] = "nt\"\\", means[] = "\n\t\"\\";
	const char *name = *r->at ? strchr(names, *r->at) : NULL;

	if (name) {
		*byte = means[name - names];
		r->at++;
		return 0;
	}
	if (r->at[0] != 'x' || hex_digit(r->at[1]) < 0 || hex_digit(r->at[2]) < 0)
		return bad(r, "no such escape");
	*byte = hex_digit(r->at[1]) << 4 | hex_digit(r->at[2]);
	r->at += 3;
	return 0;
}

/* Reads from behind the opening quote to behind the closing quote. */
static int read_text(struct reader *r, uint8_t *bytes, uint32_t room, uint32_t *size)
{
	for (*size = 0; *r->at != '"'; (*size)++) {
		if (!*r->at || *size >= room)
			return bad(r, "a text without end, or too long");
		if (*r->at != '\\') {
			bytes[*size] = *r->at++;
			continue;
		}
		r->at++;
		if (read_escape(r, &bytes[*size]))
			return -1;
	}
	r->at++;
	return 0;
}

static bool in_record(const struct input *in)
{
	return in->place == PLACE_RECORD || in->place == PLACE_DATA_LOC ||
		in->place == PLACE_PIECES ||
	       in->place == PLACE_ROW;
}

static void put_number(uint8_t *to, uint64_t value, uint32_t size)
{
	uint32_t u32 = value;
	uint16_t u16 = value;
	uint8_t u8 = value;
	const void *narrow = size == 4 ? (void *)&u32 : size == 2 ? (void *)&u16 : (void *)&u8;

	memcpy(to, size == 8 ? &value : narrow, size);
}

static int put_bytes(struct reader *r, const struct input *in, struct bytes *record,
		     const uint8_t *bytes,
		     uint32_t size)
{
	if (in->place == PLACE_DATA_LOC) {
		if (record->size + size + 1 > RECORD_SIZE)
			return bad(r, "the record gets too long");
		put_number(record->bytes + in->offset, (uint64_t)(size + 1) << 16 | record->size,
			   4);
		memcpy(record->bytes + record->size, bytes, size);
		record->bytes[record->size + size] = '\0';
		record->size += size + 1;
		return 0;
	}
	if (size > in->size)
		return bad(r, "longer than the input");
	memcpy(record->bytes + in->offset, bytes, size);
	return 0;
}

/*
 * Writes pieces as a kernel would that has only these bytes, at `address`: a piece that is not
 * wholly within them is 0.
 */
static void put_pieces(const struct input *in, struct bytes *record, uint64_t address,
		       const uint8_t *bytes, uint32_t size)
{
	uint8_t *to = record->bytes + in->offset + in->register_size,
		*end = record->bytes + in->offset + in->size;

	put_number(record->bytes + in->offset, address, in->register_size);
	for (uint32_t at = 0; to < end; at += 7, to += 8)
		if (at + 8 <= size)
			memcpy(to, bytes + at, 8);
}

#define SOMEWHERE 0x10000	/* an address, with room on its page */

static int read_pieces(struct reader *r, const struct input *in, struct bytes *record)
{
	uint64_t address = SOMEWHERE;
	uint8_t bytes[RECORD_SIZE];
	bool alone = isdigit((unsigned char)*r->at);
	uint32_t size;
	char *end;

	if (alone) {
		address = strtoull(r->at, &end, 0);
		r->at = end;
	}
	if (*r->at++ != '"')
		return bad(r, "this input takes \"text\", NUMBER\"bytes\" or fault");
	if (read_text(r, bytes, sizeof(bytes), &size))
		return -1;
	if (!alone && size < RECORD_SIZE) {
		bytes[size++] = '\0';
		memset(bytes + size, '~', RECORD_SIZE - size);
		size = RECORD_SIZE;
	}
	put_pieces(in, record, address, bytes, size);
	return 0;
}

/* ADDRESS,ADDRESS...: newest first. */
static int read_stack(struct reader *r, const struct input *in, struct bytes *record)
{
	const uint32_t most = sizeof(record->stack) / sizeof(record->stack[0]);
	bool user = in->identity == IDENTITY_USER_STACK;
	char *end;

	record->stack[record->n_stack++] = user ? PERF_CONTEXT_USER : PERF_CONTEXT_KERNEL;
	do {
		if (record->n_stack + 2 > most)
			return bad(r, "the stack gets too long");
		errno = 0;
		record->stack[record->n_stack++] = strtoull(r->at, &end, 0);
		if (end == r->at || errno)
			return bad(r, "an address is expected");
		r->at = end;
	} while (*r->at == ',' && r->at++);
	return 0;
}

static int read_value(struct reader *r, const struct input *in, struct bytes *record)
{
	uint8_t bytes[RECORD_SIZE];
	uint64_t number;
	uint32_t size;

	if (in->kind == INPUT_STACK)
		return read_stack(r, in, record);
	if (!in_record(in) || in->offset + in->size > record->size)
		return bad(r, "this input is not in the record");
	if (in->place == PLACE_PIECES && strncmp(r->at, "fault", 5))
		return read_pieces(r, in, record);
	if (*r->at == '"') {
		r->at++;
		return read_text(r, bytes, sizeof(bytes), &size) ? -1 :
			put_bytes(r, in, record, bytes, size);
	}
	if (*r->at == 'x') {
		r->at++;
		return read_hex(r, bytes, sizeof(bytes), &size) ? -1 :
			put_bytes(r, in, record, bytes, size);
	}
	if (!strncmp(r->at, "fault", 5)) {
		r->at += 5;
		if (in->place == PLACE_PIECES)
			put_pieces(in, record, SOMEWHERE, NULL, 0);
		return 0;	/* for an unreadable text the kernel writes a location of 0 bytes */
	}
	if (in->place == PLACE_ROW) {
		if (read_number(r, &number))
			return -1;
		put_number(record->bytes + in->offset, number, in->register_size);
		return 0;
	}
	if (in->kind != INPUT_NUMBER || in->size > 8 || (in->size & (in->size - 1)))
		return bad(r, "this input takes \"text\" or xHEX");
	if (read_number(r, &number))
		return -1;
	put_number(record->bytes + in->offset, number, in->size);
	return 0;
}

/* A value that another event takes. */
static void skip_value(struct reader *r)
{
	bool text = false;

	for (; *r->at && (text || !isspace((unsigned char)*r->at)); r->at++) {
		text ^= *r->at == '"';
		if (*r->at == '\\' && r->at[1])
			r->at++;
	}
}

static int read_inputs(struct reader *r, const struct event *e, struct bytes *record)
{
	char name[INPUT_NAME];
	size_t n;

	for (skip_space(r); *r->at; skip_space(r)) {
		const struct input *in;

		n = strcspn(r->at, "=");
		snprintf(name, sizeof(name), "%.*s", (int)(n < sizeof(name) ? n : 0), r->at);
		in = event_input(e, name);
		if ((!in && !r->shared) || r->at[n] != '=')
			return bad(r, "no such input of this event");
		r->at += n + 1;
		if (!in)
			skip_value(r);
		else if (read_value(r, in, record))
			return -1;
	}
	return 0;
}

/* Makes the record of an event. It is as long as the event's inputs need. */
static int read_record(struct reader *r, const struct event *e, uint32_t tid, struct bytes *record)
{
	memset(record->bytes, 0, sizeof(record->bytes));
	record->n_stack = 0;
	skip_space(r);
	if (r->at[0] == 'x' && isspace((unsigned char)r->at[1])) {
		r->at++;
		skip_space(r);
		return read_hex(r, record->bytes, RECORD_SIZE, &record->size);
	}
	record->size = 8;	/* common_type to common_pid */
	for (unsigned int i = 0; i < e->layout->n_inputs; i++) {
		const struct input *in = &e->layout->inputs[i];
		uint32_t end = in->offset + (in->place == PLACE_DATA_LOC ? 4 : in->size);

		if (in_record(in) && end > record->size && end < RECORD_SIZE)
			record->size = end;
	}
	put_number(record->bytes + 4, tid, 4);
	return read_inputs(r, e, record);
}

/*
 * Returns true if this is the event's name: p:FUNCTION or r:FUNCTION if its kind has a definition,
 * SYSTEM:EVENT otherwise.
 */
static bool is_named(const struct event *e, const char *name)
{
	const struct definition *d = event_ops(e)->definition;
	size_t system = strlen(e->system);

	if (d)
		return name[0] == d->letter && name[1] == ':' && !strcmp(name + 2, e->name);
	return !strncmp(name, e->system, system) && name[system] == ':' &&
		!strcmp(name + system + 1, e->name);
}

/* Writes stacks and record in the form that stream_push() takes. */
static void put_stacks(const struct bytes *record, uint8_t *body, struct sample *s)
{
	const uint64_t n = record->n_stack;
	uint8_t *to = body;

	memcpy(to, &n, sizeof(n));
	to += sizeof(n);
	memcpy(to, record->stack, n * sizeof(n));
	to += n * sizeof(n);
	memcpy(to, &record->size, sizeof(record->size));
	to += sizeof(record->size);
	memcpy(to, record->bytes, record->size);
	s->record = body;
	s->size = (uint32_t)(to - body) + record->size;
}

static void saw(struct engine *e, uint64_t from, uint64_t to)
{
	e->oldest = from < e->oldest ? from : e->oldest;
	e->newest = to > e->newest ? to : e->newest;
}

static int push(struct reader *r, const struct event *e, uint32_t number, struct sample *s)
{
	struct bytes record;
	uint8_t body[STREAM_STACKED_HEAD + sizeof(record.stack) + RECORD_SIZE];
	const char *start = r->at;
	int result;

	if (read_record(r, e, s->tid, &record))
		return -1;
	s->event = number;
	s->size = record.size;
	s->record = record.bytes;
	if (layout_wants_stack(e->layout))
		put_stacks(&record, body, s);
	result = stream_push(r->engine->stream, s);
	saw(r->engine, s->time, s->time);
	r->at = start;		/* another attachment may make its record of the same text */
	return result ? bad(r, "there is no room for this event") : 0;
}

/* Does this name, or @N, mean the plan's attachment number i? */
static bool means(const struct plan *plan, const char *name, unsigned int i)
{
	const struct event *e = plan->attachments[i].event;

	return name[0] == '@' ? strtoul(name + 1, NULL, 10) == i : !e->is_part && is_named(e, name);
}

static int read_event(struct reader *r)
{
	const struct plan *plan = r->engine->plan;
	uint64_t time, cpu, tid;
	unsigned int n_tasks, found = 0;
	const struct event *tasks = stream_task_events(r->engine->stream, &n_tasks);
	char name[256];
	struct sample s = { .tgid = (uint32_t)-1 };

	if (read_number(r, &time) || read_cpu(r, &cpu) || read_number(r, &tid) ||
	    read_word(r, name, sizeof(name)))
		return -1;
	s.time = time;
	s.cpu = cpu;
	s.tid = tid;
	for (unsigned int i = 0; i < plan->n_attachments; i++)
		r->shared |= means(plan, name, i);
	for (unsigned int i = 0; i < n_tasks; i++)
		if (is_named(&tasks[i], name) && ++found &&
		    push(r, &tasks[i], STREAM_TASK_EVENT + i, &s))
			return -1;
	r->shared = false;
	for (unsigned int i = 0; i < plan->n_attachments; i++)
		if (means(plan, name, i) && ++found &&
		    push(r, plan->attachments[i].event, i, &s))
			return -1;
	/* A file may have events of the task table although the plan does not need them. */
	return found || !strncmp(name, "task:", 5) || !strncmp(name, "sched:sched_process_", 20) ?
	       0 : bad(r, "the plan has no such event (--dump shows its events)");
}

static int read_gap(struct reader *r)
{
	uint64_t cpu, from, to, count;

	if (read_cpu(r, &cpu) || read_number(r, &from) || read_number(r, &to) ||
	    read_number(r, &count))
		return -1;
	saw(r->engine, from, to);
	return stream_gap(r->engine->stream, cpu, from, to, count);
}

static int read_task(struct reader *r)
{
	uint64_t tid, tgid;

	if (read_number(r, &tid) || read_number(r, &tgid))
		return -1;
	skip_space(r);
	stream_task(r->engine->stream, tid, tgid, r->at);	/* a name may have spaces */
	return 0;
}

static int read_run(struct reader *r)
{
	r->part = true;
	return read_number(r, &r->engine->until);
}

static int read_clock(struct reader *r)
{
	uint64_t time, realtime;

	if (read_number(r, &time) || read_number(r, &realtime))
		return -1;
	wall_note(&r->engine->wall, (int64_t)time, (int64_t)realtime);
	return 0;
}

static int read_switches(struct reader *r)
{
	return stream_follow_switches(r->engine->stream, r->engine->kernel, r->err);
}

static const struct {
	const char *word;
	int (*read)(struct reader *r);
} commands[] = {
	{ "gap ", read_gap },
	{ "task ", read_task },
	{ "run ", read_run },
	{ "clock ", read_clock },
	{ "switches", read_switches },
};

static int read_line(struct reader *r, char *line)
{
	const size_t n = strcspn(line, "\n");

	r->engine->line++;
	r->at = line;
	if (!line[n] && !feof(r->engine->file))
		return bad(r, "the line is too long, or has a NUL");
	line[n] = '\0';
	skip_space(r);
	if (!*r->at || *r->at == '#')
		return 0;
	for (unsigned int i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		size_t n = strlen(commands[i].word);

		if (!strncmp(r->at, commands[i].word, n)) {
			r->at += n;
			return commands[i].read(r);
		}
	}
	return read_event(r);
}

/* Reads the file up to the next `run`, or to its end. A signal ends the reading. */
static int read_part(struct engine *e, struct error *err)
{
	struct reader r = { .engine = e, .err = err };
	char *line = malloc(LINE_SIZE);
	int result = line ? 0 : fail(err, "out of memory");

	while (!result && !r.part && !kernel_stopped(e->kernel, NULL)) {
		if (fgets(line, LINE_SIZE, e->file)) {
			result = read_line(&r, line);
			continue;
		}
		/* A signal that ends the run ends a wait for a pipe's writer as well. */
		if (ferror(e->file) && errno != EINTR)
			result = fail_with(err, errno, "can't read %s: %m", e->path);
		e->read = true;
		e->until = e->newest;
		break;
	}
	free(line);
	return result;
}

static void replay_close(struct engine *e)
{
	if (e->file)
		fclose(e->file);
	stream_free(e->stream);
	free(e->path);
	free(e);
}

static struct engine *replay_open(struct kernel *k, struct plan *plan,
				  const struct engine_options *o, struct error *err)
{
	struct engine *e = calloc(1, sizeof(*e));

	if (!e) {
		fail(err, "out of memory");
		return NULL;
	}
	e->kernel = k;
	e->plan = plan;
	e->oldest = UINT64_MAX;
	e->path = strdup(o->replay);
	e->file = e->path ? fopen(e->path, "re") : NULL;
	if (!e->file)
		fail_with(err, errno, "can't read the records of %s: %m", o->replay);
	else
		e->stream = stream_new(k, plan, CPUS, err);
	if (!e->stream) {
		replay_close(e);
		return NULL;
	}
	stream_clock(e->stream, NULL);
	return e;
}

static int replay_start(struct engine *e, struct error *err)
{
	if (read_part(e, err))
		return -1;
	e->now = e->oldest == UINT64_MAX ? 0 : e->oldest;
	return 0;
}

static int run_to(struct engine *e, uint64_t until, record_fn record, void *arg)
{
	/* At the end all events run: one may have the largest time there is. */
	e->ended = e->read && until >= e->until;
	if (until > e->until)
		until = e->until;
	e->now = until > e->now ? until : e->now;
	return stream_run(e->stream, e->ended ? UINT64_MAX : until, record, arg);
}

static int replay_poll(struct engine *e, uint64_t until, record_fn record, void *arg,
		       struct error *err)
{
	int n;

	if (e->ended || e->stopped)
		return stream_run(e->stream, e->ended ? UINT64_MAX : e->now, record, arg);
	n = run_to(e, until, record, arg);
	while (!e->read && e->until < until && !kernel_stopped(e->kernel, NULL)) {
		if (read_part(e, err))
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
	*w = e->wall;
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
