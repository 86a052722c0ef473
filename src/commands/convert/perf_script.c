// SPDX-License-Identifier: GPL-2.0
/*
 * A recording as the text of `perf script`: a line for each event, then its functions, then an
 * empty line.
 */
#include "src/commands/convert/formats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "compat/base/escape.h"
#include "compat/base/text.h"
#include "src/commands/convert/stacks.h"
#include "src/language/event_text/event_text.h"
#include "src/lib/output/sink.h"

struct perf_script {
	struct event_texts *texts;
	struct event_text **events;	/* by event; NULL: it has no text */
	bool *put;			/* by event: there was one */
};

static const char *function_name(void *arg, uint64_t address, uint64_t *begin)
{
	const struct convert *c = arg;

	return convert_function(c->stacks, address, begin);
}

static int begin(struct convert *c, struct error *err)
{
	struct perf_script *ps = c->own;

	ps->texts = event_texts_new(c->kernel, function_name, c);
	ps->events = calloc(c->n_events + 1, sizeof(*ps->events));
	ps->put = calloc(c->n_events + 1, sizeof(*ps->put));
	if (!ps->texts || !ps->events || !ps->put)
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < c->n_events; i++) {
		const struct format *f = c->events[i].format;

		if (f)
			ps->events[i] = event_text_find(ps->texts, f->system, f->event);
	}
	return 0;
}

static void put_text(struct convert *c, const char *s, size_t n)
{
	escape_text(c->to, s, n);
}

/* As perf has it: task 0 is swapper, one without a name is its number. */
static void put_comm(struct convert *c, uint32_t tid, bool padded)
{
	const struct convert_task *task = convert_task(c, tid);
	char number[16];
	const char *comm = number;

	if (task && *task->comm)
		comm = task->comm;
	else if (tid)
		text_all(number, sizeof(number), ":%" PRIu32, tid);
	else
		comm = "swapper";
	for (size_t n = strnlen(comm, 16); padded && n < 16; n++)
		fputc(' ', c->to);
	put_text(c, comm, strnlen(comm, 16));
}

static void put_frame(void *arg, const struct convert_frame *f)
{
	struct convert *c = arg;
	const struct symbol *s = &f->symbol;
	const char *name = s->name ? s->name : "[unknown]";

	fprintf(c->to, "\t%16" PRIx64 " ", f->address);
	put_text(c, name, strlen(name));
	if (s->name)
		fprintf(c->to, "+0x%" PRIx64, s->offset);
	fputs(" (", c->to);
	if (f->kernel && s->module && strcmp(s->module, "kernel")) {
		fputc('[', c->to);
		put_text(c, s->module, strlen(s->module));
		fputc(']', c->to);
	} else if (f->kernel) {
		fputs("[kernel.kallsyms]", c->to);
	} else {
		name = f->path ? f->path : s->kind == SYMBOL_JIT ? "//anon" : "[unknown]";
		put_text(c, name, strlen(name));
	}
	fputs(")\n", c->to);
}

static void put_event(struct convert *c, const struct recorded *rec)
{
	struct perf_script *ps = c->own;
	const struct convert_event *e = &c->events[rec->event.number];
	unsigned int n;
	const struct recorded_event *from = recording_events(c->recording, &n);
	const char *text;
	size_t length;

	ps->put[rec->event.number] = true;
	put_comm(c, rec->tid, !rec->event.stack);
	fprintf(c->to, " %5" PRIu32 " ", rec->tid);
	if (!from[rec->event.number].no_cpu)
		fprintf(c->to, "[%03" PRIu32 "] ", rec->cpu);
	fprintf(c->to, "%5llu.%06llu: ", rec->time / NS_PER_SECOND,
		rec->time % NS_PER_SECOND / 1000);
	put_text(c, e->name, strlen(e->name));
	fputs(": ", c->to);
	if (ps->events[rec->event.number]) {
		text = event_text(ps->events[rec->event.number], rec->event.record,
				  rec->event.size, &length);
		put_text(c, text, length);
	}
	fputc('\n', c->to);
	if (!rec->event.stack)
		return;
	convert_stack(c, rec, put_frame, c);
	fputc('\n', c->to);
}

/* An event whose text can't be made is shown by its fields. */
static void report(struct convert *c)
{
	const struct perf_script *ps = c->own;
	unsigned int untold = 0;

	for (unsigned int i = 0; i < c->n_events; i++)
		if (ps->put[i] && ps->events[i] && event_text_why_fields(ps->events[i]) &&
		    untold++ < 3)
			fprintf(sink_err(), "sonde: convert: fields of %s are shown, because its "
					    "text can't be made: %s\n", c->events[i].name,
				event_text_why_fields(ps->events[i]));
	if (untold > 3)
		fprintf(sink_err(), "sonde: convert: so are those of %u more events\n", untold - 3);
}

static void release(struct convert *c)
{
	struct perf_script *ps = c->own;

	event_texts_free(ps->texts);
	free(ps->events);
	free(ps->put);
}

const struct convert_writer convert_perf_script = {
	.own = sizeof(struct perf_script), .stacks = true,
	.begin = begin, .event = put_event, .report = report, .free = release,
};
