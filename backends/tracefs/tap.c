// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "backends/tracefs/detach.h"
#include "backends/rings/perf_ring.h"
#include "backends/tracefs/tracefs.h"
#include "compat/base/perf_event.h"
#include "compat/base/text.h"
#include "compat/kernel/doubt.h"

#define PIECES 64
#define CHUNKS 1536
#define EVENTS 24
#define ARRAY 64		/* words of an array */
#define EVENT_WORDS 224		/* words of an event: perf takes records of 2048 bytes */
#define EVENT_ARGS 112		/* without arrays: each word takes one of the 128 arguments */
#define RING_BYTES 16384u

struct piece {
	const char *function;
	unsigned int arg;
	int32_t via;
	uint32_t size;
	struct memory memory;
};

/* Some words of a piece: one argument of an event. */
struct chunk {
	unsigned int piece, event;
	uint32_t at, words;	/* offset in the piece, in bytes; number of words */
	uint32_t record;	/* offset in the event's record */
};

struct tapped {
	struct event event;
	struct layout layout;		/* the event's own */
	unsigned int arg;
	uint32_t words, end;
	int fd;
	struct perf_ring *ring;
	bool seen;
};

struct tap {
	struct kernel *k;
	struct probes *probes;
	bool opened;
	unsigned int n_pieces, n_chunks, n_events;
	struct piece pieces[PIECES];
	struct chunk chunks[CHUNKS];
	struct tapped *events[EVENTS];
};

struct tap *tap_new(struct kernel *k, struct error *err)
{
	struct tap *t;

	if (!kernel_has(k, FEATURE_KPROBES)) {
		fail(err, "this kernel has no kprobes");
		return NULL;
	}
	if (!kernel_has(k, FEATURE_PERF)) {
		fail(err, "this kernel has no perf events");
		return NULL;
	}
	t = calloc(1, sizeof(*t));
	if (!t) {
		fail(err, "out of memory");
		return NULL;
	}
	t->k = k;
	return t;
}

static void end(void *arg)
{
	struct tap *t = arg;

	for (unsigned int i = 0; i < t->n_events; i++) {
		perf_ring_unmap(t->events[i]->ring);
		if (t->events[i]->fd >= 0)
			close(t->events[i]->fd);
	}
	/* After the events: a probe can't be removed while an event is open on it. */
	probes_free(t->probes);
	for (unsigned int i = 0; i < t->n_events; i++) {
		free(t->events[i]->layout.fetch);
		free(t->events[i]->layout.inputs);
		free(t->events[i]);
	}
	for (unsigned int i = 0; i < t->n_pieces; i++)
		free(t->pieces[i].memory.bytes);
	free(t);
}

void tap_free(struct tap *t)
{
	if (t)
		detach(t->k, end, t, t->probes, NULL);
}

static int add_text(struct layout *l, const char *text)
{
	size_t have = l->fetch ? strlen(l->fetch) : 0;
	char *more = realloc(l->fetch, have + strlen(text) + 1);

	if (!more)
		return -1;
	l->fetch = more;
	strcpy(more + have, text);
	return 0;
}

/* ftrace's name of an argument; NULL: it is on the stack. */
static const char *argument(struct tap *t, unsigned int arg, char *text, size_t size)
{
	const struct arch_register reg = arch_argument(kernel_arch(t->k), arg);

	if (kernel_has(t->k, FEATURE_FETCH_ARG))
		snprintf(text, size, "$arg%u", arg);
	else if (reg.offset != 0xffff && !reg.word)
		text_cut(text, size, "%%%s", reg.name);
	else
		return NULL;
	return text;
}

/* An event on the function, with room for more words. Its first argument is the address. */
static struct tapped *event_for(struct tap *t, const struct piece *p, uint32_t words,
				struct error *err)
{
	const struct arch *a = kernel_arch(t->k);
	uint32_t most = kernel_has(t->k, FEATURE_FETCH_ARRAY) ? EVENT_WORDS : EVENT_ARGS;
	struct tapped *e = t->n_events ? t->events[t->n_events - 1] : NULL;
	char name[16], text[48];

	if (e && !strcmp(e->event.name, p->function) && e->arg == p->arg &&
	    e->words + words <= most)
		return e;
	e = t->n_events < EVENTS ? calloc(1, sizeof(*e)) : NULL;
	if (!e) {
		fail(err, "out of memory");
		return NULL;
	}
	e->event.kind = EVENT_KPROBE;
	e->event.id = -1;
	e->event.system = "";
	e->event.name = p->function;
	e->event.layout = &e->layout;
	e->arg = p->arg;
	e->fd = -1;
	t->events[t->n_events++] = e;
	if (!argument(t, p->arg, name, sizeof(name))) {
		fail(err, "argument %u of %s is on the stack", p->arg, p->function);
		return NULL;
	}
	text_cut(text, sizeof(text), "address=%s:u%u", name, a->word * 8U);
	if (add_text(&e->layout, text)) {
		fail(err, "out of memory");
		return NULL;
	}
	e->end = 8 + a->word + a->word;		/* trace_entry, the probe's address, `address` */
	return e;
}

static int add_chunk(struct tap *t, unsigned int piece, uint32_t at, uint32_t words,
		     struct error *err)
{
	const struct piece *p = &t->pieces[piece];
	struct tapped *e = event_for(t, p, words, err);
	char name[16], from[64], text[112], array[16] = "";

	if (!e || t->n_chunks == CHUNKS)
		return e ? fail(err, "too much memory to read at once") : -1;
	argument(t, p->arg, name, sizeof(name));
	if (p->via < 0)
		text_cut(from, sizeof(from), "+%u(%s)", at, name);
	else
		text_cut(from, sizeof(from), "+%u(+%d(%s))", at, p->via, name);
	if (words > 1)
		snprintf(array, sizeof(array), "[%u]", words);
	text_cut(text, sizeof(text), " w%u=%s:%s%s", t->n_chunks, from, words > 1 ? "x64" : "u64",
		 array);
	if (add_text(&e->layout, text))
		return fail(err, "out of memory");
	t->chunks[t->n_chunks++] = (struct chunk){ piece, t->n_events - 1, at, words, e->end };
	e->end += words * 8;
	e->words += words;
	return 0;
}

int tap_add(struct tap *t, const char *function, unsigned int arg, int32_t via, uint32_t size,
	    struct error *err)
{
	uint32_t step = kernel_has(t->k, FEATURE_FETCH_ARRAY) ? ARRAY : 1, words;
	const char *symbol = kernel_function(t->k, function);
	struct piece *p = &t->pieces[t->n_pieces];

	if (!symbol)
		return kernel_lacks(t->k, err, "this kernel has no function %s to probe", function);
	if (t->n_pieces == PIECES)
		return fail(err, "too much memory to read at once");
	*p = (struct piece){ symbol, arg, via, size, { .bytes = calloc(1, size) } };
	if (!p->memory.bytes)
		return fail(err, "out of memory");
	t->n_pieces++;
	for (uint32_t at = 0; at < size; at += words * 8) {
		words = (size - at) / 8 < step ? (size - at) / 8 : step;
		if (add_chunk(t, t->n_pieces - 1, at, words, err))
			return -1;
	}
	return (int)t->n_pieces - 1;
}

static int open_event(struct tap *t, struct tapped *e, struct error *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .sample_period = 1,
		.sample_type = PERF_SAMPLE_RAW, .disabled = 1,
	};
	struct input *all = layout_add(&e->layout);

	if (!all)
		return fail(err, "out of memory");
	/* By this input probes_add() checks that the whole record has the expected layout. */
	snprintf(all->name, sizeof(all->name), "all");
	all->kind = INPUT_BYTES;
	all->place = PLACE_RECORD;
	all->offset = 8 + kernel_arch(t->k)->word;
	all->size = (uint16_t)(e->end - all->offset);
	if (probes_add(t->probes, &e->event, err))
		return -1;
	attr.config = (uint64_t)e->event.id;
	e->fd = perf_event_open(&attr, 0, ANY_CPU);
	if (e->fd < 0)
		return perf_open_failed(errno, e->event.name, err);
	e->ring = perf_ring_map(e->fd, RING_BYTES / (unsigned int)sysconf(_SC_PAGESIZE), err);
	return e->ring ? 0 : -1;
}

static int open_all(struct tap *t, struct error *err)
{
	t->opened = true;
	t->probes = probes_new(t->k, false, err);
	if (!t->probes)
		return -1;
	for (unsigned int i = 0; i < t->n_events; i++)
		if (open_event(t, t->events[i], err))
			return -1;
	return 0;
}

struct reading {
	struct tap *t;
	unsigned int event;
};

/* Takes only the first record: the function may run again in the same act. */
static void take_record(void *arg, const struct perf_event_header *header)
{
	const struct reading *reading = arg;
	struct tapped *e = reading->t->events[reading->event];
	const uint8_t *raw = (const uint8_t *)(header + 1) + 4;
	const struct arch *a = kernel_arch(reading->t->k);
	uint64_t address = 0;
	uint32_t size;

	if (header->type != PERF_RECORD_SAMPLE || e->seen || header->size < sizeof(*header) + 4)
		return;
	memcpy(&size, raw - 4, 4);
	if (size < e->end || size > header->size - sizeof(*header) - 4)
		return;
	e->seen = true;
	for (unsigned int i = 0; i < a->word; i++)
		address = address << 8 | raw[8 + a->word + (a->big_endian ? i : a->word - 1U - i)];
	for (unsigned int i = 0; i < reading->t->n_chunks; i++) {
		const struct chunk *c = &reading->t->chunks[i];
		struct memory *m = &reading->t->pieces[c->piece].memory;

		if (c->event != reading->event)
			continue;
		m->base = address;
		memcpy(m->bytes + c->at, raw + c->record, c->words * 8);
		m->size += c->words * 8;
	}
}

int tap_fire(struct tap *t, int (*act)(void *arg, struct error *err), void *arg, struct error *err)
{
	int result;

	if (!t->opened && open_all(t, err))
		return -1;
	for (unsigned int i = 0; i < t->n_pieces; i++)
		t->pieces[i].memory.size = 0;
	for (unsigned int i = 0; i < t->n_events; i++) {
		t->events[i]->seen = false;
		ioctl(t->events[i]->fd, PERF_EVENT_IOC_ENABLE, 0);
	}
	result = act(arg, err);
	for (unsigned int i = 0; i < t->n_events; i++)
		ioctl(t->events[i]->fd, PERF_EVENT_IOC_DISABLE, 0);
	for (unsigned int i = 0; i < t->n_events; i++)
		perf_ring_read(t->events[i]->ring, take_record, &(struct reading){ t, i });
	for (unsigned int i = 0; i < t->n_pieces; i++)
		if (t->pieces[i].memory.size != t->pieces[i].size)
			t->pieces[i].memory.size = 0;
	return result;
}

const struct memory *tap_memory(const struct tap *t, int piece)
{
	return &t->pieces[piece].memory;
}

int tap_missed(struct tap *t, uint64_t *missed)
{
	return probes_missed(t->probes, missed);
}
