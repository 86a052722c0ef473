// SPDX-License-Identifier: GPL-2.0
/*
 * The format of pprof (proto/profile.proto of github.com/google/pprof): a protobuf message, in a
 * gzip file. Its blocks are stored: deflate would be 40 KB of code, and readers take both.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "compat/base/protobuf.h"
#include "src/lib/profiles/profile.h"

/* Fields of the messages. */
enum { SAMPLE_TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING, TIME = 9, DURATION = 10 };
enum { TYPE_NAME = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STRING, LABEL_NUMBER };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4, LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME };

#define BLOCK_MOST 65535

/* The strings behind those of the profile. */
enum { COMM, PID, CPU_TIME, FIRST_UNIT };

struct pprof {
	const struct profile *p;
	struct strbuf message, part;
	unsigned int n_values;
	uint32_t extra;			/* the number of the first string behind the profile's */
	uint32_t frame;			/* the number of the next frame */
	uint32_t *mappings;		/* by string: the number of its mapping; 0: none */
	uint32_t n_mappings;
};

/* Ends the part as a field of the message. */
static void end_part(struct pprof *pb, unsigned int field)
{
	proto_bytes(&pb->message, field, pb->part.s, pb->part.n);
	pb->part.n = 0;
}

/* Times are those of the tool; what is counted is called as its unit is. */
static bool is_time(const char *unit)
{
	return !strcmp(unit, "us") || !strcmp(unit, "ns") || !strcmp(unit, "ms");
}

static const char *unit_of(const char *unit)
{
	const char *name = profile_unit(unit);

	return name ? name : "count";
}

/* The strings behind those of the profile are: two keys, then a name and a unit of each value. */
static void put_types(struct pprof *pb)
{
	for (unsigned int i = 0; i < pb->n_values; i++) {
		proto_number(&pb->part, TYPE_NAME, pb->extra + 2 + 2 * i);
		proto_number(&pb->part, TYPE_UNIT, pb->extra + 3 + 2 * i);
		end_part(pb, SAMPLE_TYPE);
	}
}

static void put_string(void *arg, const char *s, size_t n)
{
	struct pprof *pb = arg;

	proto_bytes(&pb->message, STRING, s, n);
}

static void put_strings(struct pprof *pb)
{
	profile_each_string(pb->p, put_string, pb);
	put_string(pb, "comm", 4);
	put_string(pb, "pid", 3);
	for (unsigned int i = 0; i < pb->n_values; i++) {
		const char *unit = pb->p->units[i], *name = is_time(unit) ? pb->p->name : unit;

		put_string(pb, name, strlen(name));
		put_string(pb, unit_of(unit), strlen(unit_of(unit)));
	}
}

static void put_stack(void *arg, const struct profile_stack *s)
{
	struct pprof *pb = arg;
	struct strbuf numbers = { };

	for (uint32_t i = 0; i < s->n; i++)
		proto_packed(&numbers, s->frames[i] + 1);
	proto_bytes(&pb->part, SAMPLE_LOCATION, numbers.s, numbers.n);
	numbers.n = 0;
	for (unsigned int i = 0; i < pb->n_values; i++)
		proto_packed(&numbers, s->values[i]);
	proto_bytes(&pb->part, SAMPLE_VALUE, numbers.s, numbers.n);
	numbers.n = 0;
	proto_number(&numbers, LABEL_KEY, pb->extra);
	proto_number(&numbers, LABEL_STRING, s->comm);
	proto_bytes(&pb->part, SAMPLE_LABEL, numbers.s, numbers.n);
	numbers.n = 0;
	proto_number(&numbers, LABEL_KEY, pb->extra + 1);
	proto_number(&numbers, LABEL_NUMBER, (uint64_t)s->pid);
	if (s->pid >= 0)
		proto_bytes(&pb->part, SAMPLE_LABEL, numbers.s, numbers.n);
	pb->part.cut |= numbers.cut;
	free(numbers.s);
	end_part(pb, SAMPLE);
}

/* Without has_functions pprof would look for names in files of this machine. */
static void put_mapping(struct pprof *pb, uint32_t module)
{
	pb->mappings[module] = ++pb->n_mappings;
	proto_number(&pb->part, MAPPING_ID, pb->n_mappings);
	proto_number(&pb->part, MAPPING_FILE, module);
	proto_number(&pb->part, MAPPING_HAS_FUNCTIONS, 1);
	end_part(pb, MAPPING);
}

/* A location and a function have the number of the frame, plus 1. */
static void put_frame(void *arg, uint32_t name, uint32_t module)
{
	struct pprof *pb = arg;
	const uint32_t number = ++pb->frame;
	struct strbuf line = { };

	if (!pb->mappings[module])
		put_mapping(pb, module);
	proto_number(&line, LINE_FUNCTION, number);
	proto_number(&pb->part, LOCATION_ID, number);
	proto_number(&pb->part, LOCATION_MAPPING, pb->mappings[module]);
	proto_bytes(&pb->part, LOCATION_LINE, line.s, line.n);
	pb->part.cut |= line.cut;
	free(line.s);
	end_part(pb, LOCATION);
	proto_number(&pb->part, FUNCTION_ID, number);
	proto_number(&pb->part, FUNCTION_NAME, name);
	proto_number(&pb->part, FUNCTION_SYSTEM_NAME, name);
	end_part(pb, FUNCTION);
}

static void put_little(FILE *file, uint32_t value, unsigned int bytes)
{
	for (; bytes; bytes--, value >>= 8)
		fputc((int)(value & 0xff), file);
}

/* RFC 1952, with blocks of RFC 1951 that are stored. */
static void put_gzip(FILE *file, const char *bytes, size_t n)
{
	static const uint8_t head[10] = { 0x1f, 0x8b, 8, [9] = 255 };	/* of an unknown system */
	uint32_t sum = (uint32_t)crc32(0, NULL, 0);
	size_t at = 0;

	fwrite(head, sizeof(head), 1, file);
	do {
		const size_t size = n - at < BLOCK_MOST ? n - at : BLOCK_MOST;

		fputc(at + size == n, file);
		put_little(file, (uint32_t)size, 2);
		put_little(file, ~(uint32_t)size, 2);
		fwrite(bytes + at, 1, size, file);
		sum = (uint32_t)crc32(sum, (const Bytef *)bytes + at, (uInt)size);
		at += size;
	} while (at < n);
	put_little(file, sum, 4);
	put_little(file, (uint32_t)n, 4);
}

int profile_pprof(FILE *file, const struct profile *p, struct error *err)
{
	struct pprof pb = { .p = p, .extra = profile_strings(p) };
	int result = 0;

	while (pb.n_values < PROFILE_VALUES && p->units[pb.n_values])
		pb.n_values++;
	pb.mappings = calloc(pb.extra + 1, sizeof(*pb.mappings));
	if (!pb.mappings)
		return fail(err, "out of memory");
	put_types(&pb);
	profile_each_stack(p, put_stack, &pb);
	profile_each_frame(p, put_frame, &pb);
	put_strings(&pb);
	proto_number(&pb.message, TIME, (uint64_t)p->began);
	proto_number(&pb.message, DURATION, p->duration);
	if (pb.message.cut || pb.part.cut)
		result = fail(err, "out of memory");
	else
		put_gzip(file, pb.message.s, pb.message.n);
	free(pb.message.s);
	free(pb.part.s);
	free(pb.mappings);
	return result;
}
