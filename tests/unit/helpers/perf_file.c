// SPDX-License-Identifier: GPL-2.0
#include "tests/unit/helpers/perf_file.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/strbuf.h"
#include "compat/recordings/recording.h"
#include "tests/unit/helpers/recordings/perf_user.h"

#define HEADER 104
#define EVENT_ID 300	/* common_type of t:one */
#define RECORD 44	/* its bytes: with its size a multiple of 8, as the kernel has it */

const char perf_file_format[] =
	"name: one\nID: 300\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long args[2];\toffset:16;\tsize:16;\tsigned:0;\n"
	"\tfield:u16 port;\toffset:32;\tsize:2;\tsigned:0;\n"
	"\tfield:__u8 mac[6];\toffset:34;\tsize:6;\tsigned:0;\n"
	"\tfield:__data_loc char[] name;\toffset:40;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"%s\", REC->comm\n";

const char perf_file_probe_format[] =
	"name: p_vfs_read_1\nID: 300\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 arg3;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\nprint fmt: \"(%lx)\", REC->__probe_ip\n";

const char perf_file_text[] =
	"name 7 7 at 0 on 0: old\n"
	"event 0 of 7 at 100 on 0: 4 11 22 513 abcdef 2 stack 9 8\n"
	"new 8 8 by 7 at 110 on 0\n"
	"name 8 8 at 120 on 0: young\n"
	"event 0 of 8 at 90 on 1: 4 11 22 513 abcdef 2 stack 9 8\n"
	"round up to 0\n"
	"lost 3 from 90 to 130 on 1\n"
	"exit 8 8 at 140 on 1\n"
	"round up to 120\n";
const char perf_file_plain[] =
	"name 7 7 at 0 on 0: old\n"
	"event 0 of 7 at 100 on 0: 4 11 22 513 abcdef 2\n"
	"new 8 8 by 7 at 110 on 0\n"
	"name 8 8 at 120 on 0: young\n"
	"event 0 of 8 at 90 on 1: 4 11 22 513 abcdef 2\n"
	"round up to 0\n"
	"lost 3 from 90 to 130 on 1\n"
	"exit 8 8 at 140 on 1\n"
	"round up to 120\n";

const char perf_file_sampled[] =
	"name 7 7 at 0 on 0: old\n"
	"sample 0 of 7 at 100 on 0: stack 9 8\n"
	"new 8 8 by 7 at 110 on 0\n"
	"name 8 8 at 120 on 0: young\n"
	"sample 0 of 8 at 90 on 1: stack 9 8\n"
	"round up to 0\n"
	"lost 3 from 90 to 130 on 1\n"
	"exit 8 8 at 140 on 1\n"
	"round up to 120\n";

void perf_file_put(struct perf_file *f, const void *bytes, size_t n)
{
	if (f->size + n > f->room) {
		f->room = 2 * (f->size + n);
		f->bytes = realloc(f->bytes, f->room);
	}
	if (!f->bytes)
		abort();
	memcpy(f->bytes + f->size, bytes, n);
	f->size += n;
}

void perf_file_put_u16(struct perf_file *f, uint16_t value)
{
	value = f->form->swapped ? __builtin_bswap16(value) : value;
	perf_file_put(f, &value, sizeof(value));
}

void perf_file_put_u32(struct perf_file *f, uint32_t value)
{
	value = f->form->swapped ? __builtin_bswap32(value) : value;
	perf_file_put(f, &value, sizeof(value));
}

void perf_file_put_u64(struct perf_file *f, uint64_t value)
{
	value = f->form->swapped ? __builtin_bswap64(value) : value;
	perf_file_put(f, &value, sizeof(value));
}

void perf_file_pad(struct perf_file *f, size_t size)
{
	while (f->size < size)
		perf_file_put(f, "", 1);
}

static void put_attr(struct perf_file *f)
{
	const bool big = f->form->swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	const size_t begin = f->size;
	const uint32_t size = f->form->attr_size ? f->form->attr_size : 112;

	perf_file_put_u32(f, f->form->sampled ? PERF_TYPE_SOFTWARE : PERF_TYPE_TRACEPOINT);
	perf_file_put_u32(f, size);
	perf_file_put_u64(f, f->form->sampled ? PERF_COUNT_SW_CPU_CLOCK : EVENT_ID);
	perf_file_put_u64(f, f->form->sampled ? 99 : 1);
	perf_file_put_u64(f, f->form->sample_type);
	perf_file_put_u64(f, f->form->read_format);
	perf_file_put_u64(f, 1ULL << (big ? 63 - 18 : 18) |	/* sample_id_all */
		(f->form->sampled ? 1ULL << (big ? 63 - 10 : 10) : 0));		/* freq */
	perf_file_pad(f, begin + size);
}

static void put_tracing_data(struct perf_file *f)
{
	const char *format = f->form->probes ? perf_file_probe_format : perf_file_format;
	const char *system = f->form->probes ? "sonde_u" : "t";
	const uint8_t big = f->form->swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	perf_file_put(f, "\x17\x08\x44tracing0.6", 14);
	perf_file_put(f, &big, 1);
	perf_file_put(f, "\x08", 1);
	perf_file_put_u32(f, 4096);
	perf_file_put(f, "header_page", 12);
	perf_file_put_u64(f, 2);
	perf_file_put(f, "x\n", 2);
	perf_file_put(f, "header_event", 13);
	perf_file_put_u64(f, 0);
	perf_file_put_u32(f, 0);			/* formats of ftrace */
	perf_file_put_u32(f, 1);			/* systems */
	perf_file_put(f, system, strlen(system) + 1);
	perf_file_put_u32(f, 1);
	perf_file_put_u64(f, strlen(format));
	perf_file_put(f, format, strlen(format));
	perf_file_put_u32(f, 0);
	perf_file_put_u32(f, 0);
	perf_file_put_u64(f, 0);
}

/* The header of a record of `size` bytes with it; size 0: set by end_record(). */
static size_t begin_record(struct perf_file *f, uint32_t type)
{
	perf_file_put_u32(f, type);
	perf_file_put_u16(f, 0);
	perf_file_put_u16(f, 0);
	return f->size - 8;
}

static void end_record(struct perf_file *f, size_t begin)
{
	const size_t end = f->size;

	f->size = begin + 6;
	perf_file_put_u16(f, (uint16_t)(end - begin));
	f->size = end;
}

static void put_id(struct perf_file *f)
{
	perf_file_put_u64(f, 1000 + f->form->attrs - 1);	/* of the last event */
}

/* What all records but samples end with. */
static void put_end(struct perf_file *f, uint32_t pid, uint64_t time, uint32_t cpu)
{
	const uint64_t type = f->form->sample_type;

	perf_file_put_u32(f, pid);
	perf_file_put_u32(f, pid);
	perf_file_put_u64(f, time);
	if (type & PERF_SAMPLE_ID)
		put_id(f);
	if (type & PERF_SAMPLE_STREAM_ID)
		perf_file_put_u64(f, 3);
	perf_file_put_u32(f, cpu);
	perf_file_put_u32(f, 0);
	if (type & PERF_SAMPLE_IDENTIFIER)
		put_id(f);
}

static void put_counters(struct perf_file *f)
{
	const uint64_t form = f->form->read_format;
	const unsigned int n = form & PERF_FORMAT_GROUP ? 2 : 1;

	if (form & PERF_FORMAT_GROUP)
		perf_file_put_u64(f, n);
	else
		perf_file_put_u64(f, 5);
	if (form & PERF_FORMAT_TOTAL_TIME_ENABLED)
		perf_file_put_u64(f, 6);
	for (unsigned int i = 0; i < n; i++) {
		if (form & PERF_FORMAT_GROUP)
			perf_file_put_u64(f, 5);
		if (form & PERF_FORMAT_ID)
			put_id(f);
	}
}

void perf_file_put_record(struct perf_file *f, uint32_t pid)
{
	perf_file_put_u16(f, EVENT_ID);
	perf_file_put_u16(f, 0);
	perf_file_put_u32(f, pid);
	perf_file_put(f, "comm\0\0\0", 8);
	perf_file_put_u64(f, 11);
	perf_file_put_u64(f, 22);
	perf_file_put_u16(f, 0x201);
	perf_file_put(f, "abcdef", 6);
	perf_file_put_u32(f, 2);
}

/* A record of the probe: 24 bytes, and 4 that make its size as the kernel has it. */
static void put_probe(struct perf_file *f, uint32_t pid)
{
	perf_file_put_u32(f, 28);
	perf_file_put_u16(f, EVENT_ID);
	perf_file_put_u16(f, 0);
	perf_file_put_u32(f, pid);
	perf_file_put_u64(f, PERF_FILE_KERNEL);
	perf_file_put_u64(f, 7);
	perf_file_put_u32(f, 0);
}

static void put_sample(struct perf_file *f, uint32_t pid, uint64_t time, uint32_t cpu)
{
	const uint64_t type = f->form->sample_type;
	const size_t begin = begin_record(f, PERF_RECORD_SAMPLE);

	if (type & PERF_SAMPLE_IDENTIFIER)
		put_id(f);
	if (type & PERF_SAMPLE_IP)
		perf_file_put_u64(f, 9);
	perf_file_put_u32(f, pid);
	perf_file_put_u32(f, pid);
	perf_file_put_u64(f, time);
	if (type & PERF_SAMPLE_ADDR)
		perf_file_put_u64(f, 1);
	if (type & PERF_SAMPLE_ID)
		put_id(f);
	if (type & PERF_SAMPLE_STREAM_ID)
		perf_file_put_u64(f, 3);
	perf_file_put_u32(f, cpu);
	perf_file_put_u32(f, 0);
	if (type & PERF_SAMPLE_PERIOD)
		perf_file_put_u64(f, 1);
	if (type & PERF_SAMPLE_READ)
		put_counters(f);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		perf_file_put_u64(f, 2);
		perf_file_put_u64(f, 9);
		perf_file_put_u64(f, 8);
	}
	if (f->form->probes) {
		put_probe(f, pid);
	} else if (type & PERF_SAMPLE_RAW) {
		perf_file_put_u32(f, RECORD);
		perf_file_put_record(f, pid);
	}
	end_record(f, begin);
}

static void put_name(struct perf_file *f, uint32_t pid, const char *name, uint64_t time)
{
	const size_t begin = begin_record(f, PERF_RECORD_COMM);
	char comm[8] = "";

	memcpy(comm, name, strlen(name));
	perf_file_put_u32(f, pid);
	perf_file_put_u32(f, pid);
	perf_file_put(f, comm, sizeof(comm));
	put_end(f, pid, time, 0);
	end_record(f, begin);
}

static void put_life(struct perf_file *f, uint32_t type, uint64_t time, uint32_t cpu)
{
	const size_t begin = begin_record(f, type);

	perf_file_put_u32(f, 8);
	perf_file_put_u32(f, 7);
	perf_file_put_u32(f, 8);
	perf_file_put_u32(f, 7);
	perf_file_put_u64(f, time);
	put_end(f, 7, time, cpu);
	end_record(f, begin);
}

static void put_lost(struct perf_file *f)
{
	const size_t begin = begin_record(f, PERF_RECORD_LOST);

	put_id(f);
	perf_file_put_u64(f, 3);
	put_end(f, 7, 130, 1);
	end_record(f, begin);
}

static void put_function(struct perf_file *f, uint64_t start, const char *name, uint16_t flags)
{
	const size_t begin = begin_record(f, 17);

	perf_file_put_u64(f, start);
	perf_file_put_u32(f, 0x100);
	perf_file_put_u16(f, 1);			/* a BPF program */
	perf_file_put_u16(f, flags);
	perf_file_put(f, name, 8);
	put_end(f, 7, 105, 0);
	end_record(f, begin);
}

/* Where the kernel is; functions that come, one that goes, and one that comes where it was. */
static void put_code(struct perf_file *f)
{
	const size_t begin = begin_record(f, PERF_RECORD_MMAP);

	perf_file_put_u32(f, UINT32_MAX);
	perf_file_put_u32(f, 0);
	perf_file_put_u64(f, PERF_FILE_KERNEL);
	perf_file_put_u64(f, 0x10000);
	perf_file_put_u64(f, PERF_FILE_KERNEL + 0x100);
	perf_file_put(f, "[kernel.kallsyms]_stext\0", 24);
	put_end(f, 0, 0, 0);
	end_record(f, begin);
	put_function(f, 0x5000, "stays\0\0", 0);
	put_function(f, 0x5000, "stays\0\0", 0);
	put_function(f, 0x6000, "goes\0\0\0", 0);
	put_function(f, 0x6000, "goes\0\0\0", 1);
	put_function(f, 0x6080, "comes\0\0", 0);
}

/* An entry of a file's section of build ids, or what is behind the header of a stream's record. */
static void put_build_id(struct perf_file *f, const char *name, uint8_t byte)
{
	const size_t begin = f->size;

	perf_file_put_u32(f, UINT32_MAX);
	while (f->size < begin + 4 + 20)
		perf_file_put(f, &byte, 1);
	perf_file_put_u32(f, 0);
	perf_file_put(f, name, strlen(name));
	perf_file_pad(f, begin + 56);
}

static void put_build_ids(struct perf_file *f)
{
	static const char *const names[] = { "/bin/a", "[kernel.kallsyms]", "[vdso]" };

	for (unsigned int i = 0; i < 3; i++) {
		perf_file_put_u32(f, 0);
		perf_file_put_u16(f, 1);
		perf_file_put_u16(f, 64);
		put_build_id(f, names[i], (uint8_t)(0xa0 + i));
	}
}

static void put_user_end(struct perf_file *f, uint32_t pid, uint64_t time)
{
	put_end(f, pid, time, 0);
}

/* A record that nobody knows, then those of perf_file_text. */
static void put_plain_records(struct perf_file *f)
{
	size_t begin;

	put_name(f, 7, "old", 0);
	put_sample(f, 7, 100, 0);
	begin = begin_record(f, 63);
	perf_file_put_u64(f, 0);
	end_record(f, begin);
	put_code(f);
	perf_user_maps(f, put_user_end);
	put_life(f, PERF_RECORD_FORK, 110, 0);
	put_name(f, 8, "young", 120);
	put_sample(f, 8, 90, 1);
	end_record(f, begin_record(f, 68));
	put_lost(f);
	put_life(f, PERF_RECORD_EXIT, 140, 1);
	end_record(f, begin_record(f, 68));
}

void perf_file_put_block(struct perf_file *f, const uint8_t *bytes, size_t n, bool first,
			 bool last)
{
	const uint8_t head[PERF_FILE_BLOCK_HEAD] = {
		(uint8_t)(n << 3 | last), (uint8_t)(n >> 5), (uint8_t)(n >> 13)
	};

	if (first)
		perf_file_put(f, "\x28\xb5\x2f\xfd\0\x50", PERF_FILE_FRAME_HEAD);
	perf_file_put(f, head, sizeof(head));
	perf_file_put(f, bytes, n);
}

#define PART 50		/* bytes in a compressed record: records begin and end within */

/* One frame for all, which perf never ends. */
static void put_compressed(struct perf_file *f, const struct perf_file *plain)
{
	size_t begin, n;

	for (size_t at = 0; at < plain->size; at += n) {
		n = plain->size - at < PART ? plain->size - at : PART;
		begin = begin_record(f, f->form->compressed);
		if (f->form->compressed == 83)
			perf_file_put_u64(f, n + PERF_FILE_BLOCK_HEAD +
					  (at ? 0 : PERF_FILE_FRAME_HEAD));
		perf_file_put_block(f, plain->bytes + at, n, !at, false);
		if (f->form->compressed == 83)
			perf_file_pad(f, (f->size - begin + 7) / 8 * 8 + begin);
		end_record(f, begin);
	}
}

static void put_records(struct perf_file *f)
{
	struct perf_file plain = { .form = f->form };

	if (!f->form->compressed) {
		put_plain_records(f);
		return;
	}
	put_plain_records(&plain);
	put_compressed(f, &plain);
	perf_file_free(&plain);
}

static void put_ids(struct perf_file *f, unsigned int i)
{
	perf_file_put_u64(f, 1000 + i);
}

static void put_string(struct perf_file *f, const char *text)
{
	perf_file_put_u32(f, 16);
	perf_file_put(f, text, strlen(text));
	perf_file_pad(f, f->size + 16 - strlen(text));
}

/* Sections of a file: where each is, is written over the zeros of its table. */
static void put_section(struct perf_file *f, size_t entry, size_t begin)
{
	const size_t end = f->size;

	f->size = entry;
	perf_file_put_u64(f, begin);
	perf_file_put_u64(f, end - begin);
	f->size = end;
}

static void make_file(struct perf_file *f)
{
	const uint32_t entry = (f->form->attr_size ? f->form->attr_size : 112) + 16;
	const size_t ids = HEADER, attrs = ids + 8 * f->form->attrs;
	const size_t data = attrs + (size_t)entry * f->form->attrs;
	size_t end, at;

	perf_file_put_u64(f, 0x32454c4946524550ULL);
	perf_file_put_u64(f, HEADER);
	perf_file_put_u64(f, entry);
	perf_file_pad(f, 72);
	perf_file_put_u64(f, 1 << 1 | 1 << 2 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 29);
	perf_file_put_u64(f, 0);
	perf_file_put_u64(f, 1 << 4);		/* 132: names of functions */
	perf_file_put_u64(f, f->form->probes ? 1 << (200 - 192) : 0);
	for (unsigned int i = 0; i < f->form->attrs; i++)
		put_ids(f, i);
	for (unsigned int i = 0; i < f->form->attrs; i++) {
		put_attr(f);
		perf_file_put_u64(f, ids + 8 * i);
		perf_file_put_u64(f, 8);
	}
	put_section(f, 24, attrs);
	put_records(f);
	put_section(f, 40, data);
	end = f->size;
	perf_file_pad(f, end + (f->form->probes ? 8 : 7) * 16);
	at = f->size;
	put_tracing_data(f);
	put_section(f, end, at);
	end += 16;
	at = f->size;
	put_build_ids(f);
	put_section(f, end, at);
	at = f->size;
	put_string(f, "6.1.0-test");
	put_section(f, end + 16, at);
	at = f->size;
	put_string(f, "x86_64");
	put_section(f, end + 32, at);
	at = f->size;
	perf_file_put_u32(f, 2);
	perf_file_put_u32(f, 2);
	put_section(f, end + 48, at);
	at = f->size;
	perf_file_put_u32(f, 1);
	perf_file_put_u32(f, 1);
	perf_file_put_u64(f, 1790000000000000000ULL);
	perf_file_put_u64(f, 100);
	put_section(f, end + 64, at);
	at = f->size;
	perf_user_names(f);
	put_section(f, end + 80, at);
	if (!f->form->probes)
		return;
	at = f->size;
	perf_file_put(f, f->form->probes, strlen(f->form->probes));
	put_section(f, end + 96, at);
}

/* In a stream the section is in parts, ends of rounds: here 16 bytes, and the rest. */
static void put_parts(struct perf_file *f)
{
	const char *at = f->form->probes;

	for (size_t n = 16; at && *at; n = strlen(at)) {
		const size_t begin = begin_record(f, 68);

		perf_file_put_u64(f, 0x65626f7270646e73ULL);
		n = strnlen(at, n);
		perf_file_put(f, at, n);
		perf_file_pad(f, f->size + (8 - n % 8) % 8);
		end_record(f, begin);
		at += n;
	}
}

static size_t begin_feature(struct perf_file *f, uint64_t feature)
{
	const size_t begin = begin_record(f, 80);

	perf_file_put_u64(f, feature);
	return begin;
}

static void make_stream(struct perf_file *f)
{
	struct perf_file data = { .form = f->form };
	size_t begin;

	perf_file_put_u64(f, 0x32454c4946524550ULL);
	perf_file_put_u64(f, 16);
	for (unsigned int i = 0; i < f->form->attrs; i++) {
		begin = begin_record(f, 64);
		put_attr(f);
		put_ids(f, i);
		end_record(f, begin);
	}
	begin = begin_feature(f, 4);
	put_string(f, "6.1.0-test");
	end_record(f, begin);
	begin = begin_feature(f, 6);
	put_string(f, "x86_64");
	end_record(f, begin);
	begin = begin_feature(f, 7);
	perf_file_put_u32(f, 2);
	perf_file_put_u32(f, 2);
	end_record(f, begin);
	begin = begin_record(f, 67);
	put_build_id(f, "[kernel.kallsyms]", 0xa1);
	end_record(f, begin);
	put_tracing_data(&data);
	begin = begin_record(f, 66);
	perf_file_put_u32(f, (uint32_t)data.size);
	perf_file_put_u32(f, 0);
	end_record(f, begin);
	perf_file_put(f, data.bytes, data.size);
	perf_file_pad(f, f->size + (8 - data.size % 8) % 8);
	free(data.bytes);
	put_parts(f);
	put_records(f);
}

void perf_file_make(struct perf_file *f, const struct perf_form *form)
{
	*f = (struct perf_file){ .form = form };
	if (form->piped)
		make_stream(f);
	else
		make_file(f);
}

void perf_file_free(struct perf_file *f)
{
	free(f->bytes);
}

char *perf_file_write(const struct perf_file *f, size_t n)
{
	char *path = strdup("/tmp/sonde-unit.XXXXXX");
	const int fd = path ? mkstemp(path) : -1;

	if (fd < 0 || write(fd, f->bytes, n) != (ssize_t)n)
		abort();
	close(fd);
	return path;
}

static void print_stack(struct strbuf *to, const struct recorded *r)
{
	uint64_t stack[3];

	if (!r->event.stack)
		return;
	memcpy(stack, r->event.stack, sizeof(stack));
	strbuf_addf(to, stack[0] == 2 ? " stack %llu %llu" : " wrong stack %llu",
		    (unsigned long long)stack[1], (unsigned long long)stack[2]);
}

/* Of a sample only the size of its record is behind the stack. */
static void print_sample(struct strbuf *to, const struct recorded *r)
{
	const bool none = r->event.stack && !memcmp(r->event.record - 4, "\0\0\0\0", 4) &&
			  r->event.record == r->event.stack + 3 * sizeof(uint64_t) + 4;

	strbuf_addf(to, "sample %u of %u at %llu on %u:", r->event.number, r->tid,
		    (unsigned long long)r->time, r->cpu);
	print_stack(to, r);
	strbuf_addf(to, none || !r->event.stack ? "\n" : " with a record\n");
}

/* The fields of t:one, which are in this machine's order. */
static void print_event(struct strbuf *to, const struct recorded *r)
{
	const uint8_t *at = r->event.record;
	uint64_t args[2];
	uint32_t name;
	uint16_t port;

	memcpy(args, at + 16, sizeof(args));
	memcpy(&port, at + 32, sizeof(port));
	memcpy(&name, at + 40, sizeof(name));
	strbuf_addf(to, "event %u of %u at %llu on %u: %zu %llu %llu %u %.6s %u", r->event.number,
		    r->tid, (unsigned long long)r->time, r->cpu, strlen((const char *)at + 8),
		    (unsigned long long)args[0], (unsigned long long)args[1], port, at + 34, name);
	print_stack(to, r);
	strbuf_addf(to, "\n");
}

static void print(struct strbuf *to, const struct recorded *r)
{
	const unsigned long long time = r->time;

	switch (r->kind) {
	case RECORDED_EVENT:
		if (r->event.size)
			print_event(to, r);
		else
			print_sample(to, r);
		break;
	case RECORDED_LOST:
		strbuf_addf(to, "lost %llu from %llu to %llu on %u\n",
			    (unsigned long long)r->lost.count, (unsigned long long)r->lost.from,
			    time, r->cpu);
		break;
	case RECORDED_NEW:
		strbuf_addf(to, "new %u %u by %u at %llu on %u\n", r->tid, r->pid, r->made.maker,
			    time, r->cpu);
		break;
	case RECORDED_NAME:
		strbuf_addf(to, "name %u %u at %llu on %u: %.16s\n", r->tid, r->pid, time, r->cpu,
			    r->name.comm);
		break;
	case RECORDED_EXIT:
		strbuf_addf(to, "exit %u %u at %llu on %u\n", r->tid, r->pid, time, r->cpu);
		break;
	case RECORDED_ROUND:
		strbuf_addf(to, "round up to %llu\n", time);
	}
}

char *perf_file_tell(struct recording *r, struct error *err)
{
	struct strbuf text = { };
	struct recorded rec;
	int result = r ? 1 : -1;

	while (r && (result = recording_next(r, &rec, err)) > 0)
		print(&text, &rec);
	for (unsigned int i = 0; r && i < recording_notes(r)->n; i++)
		strbuf_addf(&text, "note: %s\n", recording_notes(r)->list[i]);
	if (result < 0)
		strbuf_addf(&text, "error: %s\n", err->text);
	recording_close(r);
	return strbuf_take(&text);
}

char *perf_file_read(const char *path)
{
	struct error err = { };

	return perf_file_tell(recording_open(path, NULL, &err), &err);
}
