// SPDX-License-Identifier: GPL-2.0
/* The record of an event, made of its inputs' values. */
#include "backends/replay/readers/record.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/resolve/identity.h"

static bool in_record(const struct input *in)
{
	return in->place == PLACE_RECORD || in->place == PLACE_DATA_LOC ||
	       in->place == PLACE_PIECES || in->place == PLACE_ROW;
}

static void put_number(uint8_t *to, uint64_t value, uint32_t size)
{
	uint32_t u32 = value;
	uint16_t u16 = value;
	uint8_t u8 = value;
	const void *narrow = size == 4 ? (void *)&u32 : size == 2 ? (void *)&u16 : (void *)&u8;

	memcpy(to, size == 8 ? &value : narrow, size);
}

static int put_bytes(struct reader *r, const struct input *in, struct made_record *record,
		     const uint8_t *bytes, uint32_t size)
{
	if (in->place == PLACE_DATA_LOC) {
		if (record->size + size + 1 > RECORD_SIZE)
			return reader_fails(r, "the record gets too long");
		put_number(record->bytes + in->offset, (uint64_t)(size + 1) << 16 | record->size,
			   4);
		memcpy(record->bytes + record->size, bytes, size);
		record->bytes[record->size + size] = '\0';
		record->size += size + 1;
		return 0;
	}
	if (size > in->size)
		return reader_fails(r, "longer than the input");
	memcpy(record->bytes + in->offset, bytes, size);
	return 0;
}

/*
 * Writes pieces as a kernel would that has only these bytes, at `address`: a piece that is not
 * wholly within them is 0.
 */
static void put_pieces(const struct input *in, struct made_record *record, uint64_t address,
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

static int read_pieces(struct reader *r, const struct input *in, struct made_record *record)
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
		return reader_fails(r, "this input takes \"text\", NUMBER\"bytes\" or fault");
	if (reader_text(r, bytes, sizeof(bytes), &size))
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
static int read_stack(struct reader *r, const struct input *in, struct made_record *record)
{
	const uint32_t most = sizeof(record->stack) / sizeof(record->stack[0]);
	bool user = in->identity == IDENTITY_USER_STACK;
	char *end;

	record->stack[record->n_stack++] = user ? PERF_CONTEXT_USER : PERF_CONTEXT_KERNEL;
	do {
		if (record->n_stack + 2 > most)
			return reader_fails(r, "the stack gets too long");
		errno = 0;
		record->stack[record->n_stack++] = strtoull(r->at, &end, 0);
		if (end == r->at || errno)
			return reader_fails(r, "an address is expected");
		r->at = end;
	} while (*r->at == ',' && r->at++);
	return 0;
}

static int read_value(struct reader *r, const struct input *in, struct made_record *record)
{
	uint8_t bytes[RECORD_SIZE];
	uint64_t number;
	uint32_t size;

	if (in->kind == INPUT_STACK)
		return read_stack(r, in, record);
	if (!in_record(in) || in->offset + in->size > record->size)
		return reader_fails(r, "this input is not in the record");
	if (in->place == PLACE_PIECES && strncmp(r->at, "fault", 5))
		return read_pieces(r, in, record);
	if (*r->at == '"') {
		r->at++;
		return reader_text(r, bytes, sizeof(bytes), &size) ? -1 :
			put_bytes(r, in, record, bytes, size);
	}
	if (*r->at == 'x') {
		r->at++;
		return reader_hex(r, bytes, sizeof(bytes), &size) ? -1 :
			put_bytes(r, in, record, bytes, size);
	}
	if (!strncmp(r->at, "fault", 5)) {
		r->at += 5;
		if (in->place == PLACE_PIECES)
			put_pieces(in, record, SOMEWHERE, NULL, 0);
		return 0;	/* for an unreadable text the kernel writes a location of 0 bytes */
	}
	if (in->place == PLACE_ROW) {
		if (reader_number(r, &number))
			return -1;
		put_number(record->bytes + in->offset, number, in->register_size);
		return 0;
	}
	if (in->kind != INPUT_NUMBER || in->size > 8 || (in->size & (in->size - 1)))
		return reader_fails(r, "this input takes \"text\" or xHEX");
	if (reader_number(r, &number))
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

static int read_inputs(struct reader *r, const struct event *e, struct made_record *record)
{
	char name[INPUT_NAME];
	size_t n;

	for (reader_space(r); *r->at; reader_space(r)) {
		const struct input *in;

		n = strcspn(r->at, "=");
		text_all(name, sizeof(name), "%.*s", (int)(n < sizeof(name) ? n : 0), r->at);
		in = event_input(e, name);
		if ((!in && !record->shared) || r->at[n] != '=')
			return reader_fails(r, "no such input of this event");
		r->at += n + 1;
		if (!in)
			skip_value(r);
		else if (read_value(r, in, record))
			return -1;
	}
	return 0;
}

int record_read(struct reader *r, const struct event *e, uint32_t tid, struct made_record *record)
{
	memset(record->bytes, 0, sizeof(record->bytes));
	record->n_stack = 0;
	reader_space(r);
	if (r->at[0] == 'x' && isspace((unsigned char)r->at[1])) {
		r->at++;
		reader_space(r);
		return reader_hex(r, record->bytes, RECORD_SIZE, &record->size);
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
