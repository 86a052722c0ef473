// SPDX-License-Identifier: GPL-2.0
/* What perf.data has of the kernel's code: where it was, its build id, and code made meanwhile. */
#include <linux/perf_event.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/recordings/perf/perf_data.h"

#define KERNEL "[kernel.kallsyms]"
#define HAS_BUILD_ID (1U << 14)	/* of a mapping: a build id, not the file's numbers */
#define ID_ROOM 24		/* the build id, its size, and padding */
#define KIND_BPF 1		/* of a function: a BPF program */
#define NO_PROCESS UINT32_MAX

/* A build id of another size is one that nobody can compare. */
static void note_id(struct recording *r, const uint8_t *id, unsigned int size)
{
	if (!size || size > BUILD_ID)
		return;
	memset(r->code.build_id, 0, BUILD_ID);
	memcpy(r->code.build_id, id, size);
	r->code.identified = true;
}

/*
 * What is behind a header in a table of build ids: the process, the build id, and the file. Returns
 * -1 and sets err without memory.
 */
static int read_build_id(struct recording *r, uint16_t misc, struct cursor *c, struct error *err)
{
	const uint8_t *id;
	const char *name;
	unsigned int size;

	cursor_u32(c);
	id = cursor_bytes(c, ID_ROOM);
	name = cursor_text(c);
	if (c->broken)
		return 0;
	size = misc & PERF_HAS_ID_SIZE ? id[BUILD_ID] : BUILD_ID;
	if (strcmp(name, KERNEL))
		return recording_add_build_id(r, name, id, size) ? fail(err, "out of memory") : 0;
	note_id(r, id, size);
	return 0;
}

int perf_code_build_ids(struct recording *r, struct cursor *c, struct error *err)
{
	while (c->at < c->end) {
		struct cursor entry = *c;
		uint16_t misc, size;

		cursor_u32(&entry);		/* perf writes no type there */
		misc = cursor_u16(&entry);
		size = cursor_u16(&entry);
		if (size < 8 || !cursor_bytes(c, size))
			return recording_fails(r, "its build ids are cut short", err);
		entry.end = c->at;
		if (read_build_id(r, misc, &entry, err))
			return -1;
	}
	return 0;
}

int perf_code_build_id(struct recording *r, struct perf_record *record, struct error *err)
{
	return read_build_id(r, record->misc, &record->body, err);
}

/* The kernel's mapping is perf's own record. Its offset is the address of a symbol. */
static void note_kernel(struct recording *r, const char *symbol, uint64_t start, uint64_t length,
			uint64_t base)
{
	if (r->code.start || !start || start + length <= start ||
	    strlen(symbol) >= sizeof(r->code.symbol))
		return;
	r->code.start = start;
	r->code.end = start + length;
	r->code.base = base;
	text_cut(r->code.symbol, sizeof(r->code.symbol), "%s", symbol);
}

int perf_code_mapped(struct recording *r, struct perf_record *record, struct error *err)
{
	struct cursor c = record->body;
	const uint32_t pid = cursor_u32(&c);
	uint64_t start, length, offset;
	const uint8_t *id = NULL;
	const char *name;

	cursor_u32(&c);
	start = cursor_u64(&c);
	length = cursor_u64(&c);
	offset = cursor_u64(&c);
	if (record->type == PERF_RECORD_MMAP2) {
		id = cursor_bytes(&c, 24);
		cursor_u64(&c);			/* protection, flags */
	}
	name = cursor_text(&c);
	if (c.broken)
		return recording_fails(r, "a mapping can't be read", err);
	if (pid != NO_PROCESS || strncmp(name, KERNEL, strlen(KERNEL)))
		return 0;
	note_kernel(r, name + strlen(KERNEL), start, length, offset);
	if (id && record->misc & HAS_BUILD_ID)
		note_id(r, id + 4, id[0]);
	return 0;
}

/* Code goes with the same record as it comes with: there is nothing else to tell it apart. */
int perf_code_named(struct recording *r, struct perf_record *record, struct error *err)
{
	struct cursor c = record->body;
	struct recorded_function f = { .start = cursor_u64(&c) };

	f.end = f.start + cursor_u32(&c);
	f.bpf = cursor_u16(&c) == KIND_BPF;
	cursor_u16(&c);				/* flags */
	f.name = cursor_text(&c);
	if (c.broken)
		return recording_fails(r, "the name of a function can't be read", err);
	return recording_add_function(r, &f) ? fail(err, "out of memory") : 0;
}
