// SPDX-License-Identifier: GPL-2.0
#include "src/commands/convert/perfetto_samples.h"

#include <stdlib.h>
#include <string.h>

#define INTERNED_MOST 262144		/* then they are told anew: memory stays bounded */

/* Fields of the messages. */
enum { FLAG_CLEARED = 1, FLAG_NEEDED = 2 };
enum { DATA_FUNCTION = 5, DATA_FRAME, DATA_STACK, DATA_PATH = 17, DATA_MAPPING = 19 };
enum { NUMBER = 1, TEXT };
enum { MAPPING_START = 4, MAPPING_END, MAPPING_PATH = 7 };
enum { FRAME_FUNCTION = 2, FRAME_MAPPING, FRAME_ADDRESS };
enum { STACK_FRAME = 2 };
enum { SAMPLE_CPU = 1, SAMPLE_PID, SAMPLE_TID, SAMPLE_STACK, SAMPLE_MODE };
enum { MODE_KERNEL = 1, MODE_USER };

/* A sample that is being written. */
struct sample {
	struct perfetto_samples *s;
	struct strbuf data;		/* what it is the first to have */
	struct strbuf frames;		/* their numbers (uint64_t), the newest first */
	bool kernel;			/* the newest function is of the kernel */
};

void perfetto_samples_free(struct perfetto_samples *s)
{
	for (unsigned int i = 0; i < INTERNED; i++)
		hash_clear(&s->interned[i]);
}

/* The number of something, and whether it is new. */
static uint64_t number_of(struct sample *a, unsigned int kind, const void *key, size_t size,
			  bool *fresh)
{
	struct hash *h = &a->s->interned[kind];
	uint64_t *number;

	h->value_size = sizeof(*number);
	number = hash_add(h, key, size);
	*fresh = number && !*number;
	if (*fresh)
		*number = h->index.n;
	a->s->failed |= !number;
	return number ? *number : 0;
}

static uint64_t text_number(struct sample *a, unsigned int kind, unsigned int field,
			    const char *text)
{
	bool fresh;
	const uint64_t number = number_of(a, kind, text, strlen(text), &fresh);
	size_t at;

	if (!fresh)
		return number;
	at = proto_open(&a->data, field);
	proto_number(&a->data, NUMBER, number);
	packet_text(&a->data, TEXT, text, strlen(text), false);
	proto_close(&a->data, at);
	return number;
}

/*
 * A file is mapped once, as a whole: addresses of frames are positions in it. Without a build id
 * nobody takes them for addresses of the file's symbols.
 */
static uint64_t mapping_number(struct sample *a, const char *path)
{
	const uint64_t text = text_number(a, INTERNED_PATH, DATA_PATH, path);
	bool fresh;
	const uint64_t number = number_of(a, INTERNED_MAPPING, &text, sizeof(text), &fresh);
	size_t at;

	if (!fresh)
		return number;
	at = proto_open(&a->data, DATA_MAPPING);
	proto_number(&a->data, NUMBER, number);
	proto_number(&a->data, MAPPING_START, 0);
	proto_number(&a->data, MAPPING_END, INT64_MAX);
	proto_number(&a->data, MAPPING_PATH, text);
	proto_close(&a->data, at);
	return number;
}

static const char *path_of(const struct convert_frame *f)
{
	if (f->kernel)
		return f->symbol.module && strcmp(f->symbol.module, "kernel") ?
		       f->symbol.module : "/kernel";
	return f->path ? f->path : f->symbol.kind == SYMBOL_JIT ? "//anon" : "[unknown]";
}

static void add_frame(void *arg, const struct convert_frame *f)
{
	struct sample *a = arg;
	const uint64_t address = f->path ? f->position : f->address;
	uint64_t key[3] = { 0, 0, address }, number;
	bool fresh;
	size_t at;

	if (!a->frames.n)
		a->kernel = f->kernel;
	if (f->symbol.name)
		key[0] = text_number(a, INTERNED_FUNCTION, DATA_FUNCTION, f->symbol.name);
	key[1] = mapping_number(a, path_of(f));
	number = number_of(a, INTERNED_FRAME, key, sizeof(key), &fresh);
	if (fresh) {
		at = proto_open(&a->data, DATA_FRAME);
		proto_number(&a->data, NUMBER, number);
		if (key[0])
			proto_number(&a->data, FRAME_FUNCTION, key[0]);
		proto_number(&a->data, FRAME_MAPPING, key[1]);
		proto_number(&a->data, FRAME_ADDRESS, address);
		proto_close(&a->data, at);
	}
	strbuf_add(&a->frames, (const char *)&number, sizeof(number));
}

/* A stack begins with its oldest function. */
static uint64_t stack_number(struct sample *a)
{
	bool fresh;
	uint64_t frame;
	const uint64_t number = number_of(a, INTERNED_STACK, a->frames.s, a->frames.n, &fresh);
	size_t at;

	if (!fresh)
		return number;
	at = proto_open(&a->data, DATA_STACK);
	proto_number(&a->data, NUMBER, number);
	for (size_t i = a->frames.n; i; i -= sizeof(frame)) {
		memcpy(&frame, a->frames.s + i - sizeof(frame), sizeof(frame));
		proto_number(&a->data, STACK_FRAME, frame);
	}
	proto_close(&a->data, at);
	return number;
}

static void put_sample(const struct sample *a, const struct recorded *rec, uint64_t stack,
		       uint32_t pid, bool cpu, struct strbuf *to)
{
	const size_t sample = proto_open(to, PACKET_SAMPLE);

	if (cpu)
		proto_number(to, SAMPLE_CPU, rec->cpu);
	proto_number(to, SAMPLE_PID, pid);
	proto_number(to, SAMPLE_TID, rec->tid);
	proto_number(to, SAMPLE_MODE, a->kernel ? MODE_KERNEL : MODE_USER);
	if (stack)
		proto_number(to, SAMPLE_STACK, stack);
	proto_close(to, sample);
}

/* Returns true if this packet begins anew. */
static bool begins(struct perfetto_samples *s)
{
	uint64_t n = 0;
	bool begun = s->begun;

	for (unsigned int i = 0; i < INTERNED; i++)
		n += s->interned[i].index.n;
	if (n > INTERNED_MOST) {
		perfetto_samples_free(s);
		begun = false;
	}
	s->begun = true;
	return !begun;
}

void perfetto_sample(struct perfetto_samples *s, struct convert *c, const struct recorded *rec,
		     struct strbuf *to)
{
	const bool fresh = begins(s);
	struct sample a = { .s = s };
	uint64_t stack = 0;
	unsigned int n;
	const struct recorded_event *e = recording_events(c->recording, &n) + rec->event.number;
	size_t packet;

	convert_stack(c, rec, add_frame, &a);
	if (a.frames.n && !a.frames.cut)
		stack = stack_number(&a);
	packet = packet_open_at(to, rec->time);
	proto_number(to, PACKET_FLAGS, FLAG_NEEDED | (fresh ? FLAG_CLEARED : 0));
	if (a.data.n)
		proto_bytes(to, PACKET_INTERNED, a.data.s, a.data.n);
	put_sample(&a, rec, stack, rec->pid, !e->no_cpu, to);
	packet_close(to, packet);
	s->failed |= a.data.cut || a.frames.cut;
	free(a.data.s);
	free(a.frames.s);
}
