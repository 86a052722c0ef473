// SPDX-License-Identifier: GPL-2.0
#include "tests/unit/helpers/trace_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define EVENT_ID 300		/* of perf_file_format */
#define RECORD 44
#define LOST (1U << 31)
#define LOST_STORED (1U << 30)

enum { TYPE_PADDING = 29, TYPE_EXTEND = 30, TYPE_STAMP = 31 };
enum { DATE = 1, STATS = 2, BUFFER = 3, CLOCK = 4, UNAME = 5, CPUS = 8, SCALE = 14,
       HEADER = 16, OWN = 17, SYSTEMS = 18, PROBES = 200, SIDE = 201 };

const char trace_file_text[] =
	"event 0 of 8 at 90 on 1: 4 11 22 513 abcdef 2\n"
	"event 0 of 8 at 95 on 1: 4 11 22 513 abcdef 2\n"
	"event 0 of 7 at 100 on 0: 4 11 22 513 abcdef 2\n"
	"event 0 of 7 at 268435656 on 0: 4 11 22 513 abcdef 2\n"
	"lost 3 from 95 to 130 on 1\n"
	"event 0 of 9 at 130 on 1: 4 11 22 513 abcdef 2\n"
	"lost 2 from 0 to 130 on 1\n"
	"lost 0 from 268435656 to 268435700 on 0\n"
	"event 0 of 6 at 268435700 on 0: 4 11 22 513 abcdef 2\n";

static const struct trace_form *form_of(const struct perf_file *f)
{
	return (const struct trace_form *)f->form;	/* which begins with it */
}

static bool big(const struct perf_file *f)
{
	return f->form->swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static void put_text(struct perf_file *f, const char *text)
{
	perf_file_put(f, text, strlen(text));
}

static void put_long(struct perf_file *f, uint64_t value)
{
	if (form_of(f)->word == 8)
		perf_file_put_u64(f, value);
	else
		perf_file_put_u32(f, (uint32_t)value);
}

/* A number over zeros that are there. */
static void set_u64(struct perf_file *f, size_t at, uint64_t value)
{
	const size_t end = f->size;

	f->size = at;
	perf_file_put_u64(f, value);
	f->size = end;
}

/* What a page has. */
static void put_word(struct perf_file *f, uint32_t type, uint32_t delta)
{
	perf_file_put_u32(f, big(f) ? type << 27 | delta : delta << 5 | type);
}

static void put_record(struct perf_file *f, uint32_t pid, uint32_t delta)
{
	put_word(f, RECORD / 4, delta);
	perf_file_put_record(f, pid);
}

/* Returns where its length is. */
static size_t begin_page(struct perf_file *f, uint64_t time)
{
	perf_file_put_u64(f, time);
	put_long(f, 0);
	return f->size - form_of(f)->word;
}

static void end_page(struct perf_file *f, size_t commit, uint32_t flags, uint64_t lost)
{
	const size_t end = f->size, data = commit + form_of(f)->word;

	f->size = commit;
	put_long(f, (end - data) | flags);
	f->size = end;
	if (flags & LOST_STORED)
		put_long(f, lost);
	perf_file_pad(f, data - 8 - form_of(f)->word + form_of(f)->page);
}

/* Each kind of a page's entries; a record of ftrace's own. */
static void put_cpu0(struct perf_file *f)
{
	size_t page = begin_page(f, 100);

	put_record(f, 7, 0);
	put_word(f, TYPE_PADDING, 1);
	perf_file_put_u32(f, 8);
	perf_file_put_u32(f, 0);
	put_word(f, TYPE_EXTEND, 50);
	perf_file_put_u32(f, 2);	/* 2 << 27 */
	put_word(f, 0, 50);		/* its length is behind it */
	perf_file_put_u32(f, RECORD + 4);
	perf_file_put_record(f, 7);
	put_word(f, 2, 0);
	perf_file_put_u16(f, 5);
	perf_file_put_u16(f, 0);
	perf_file_put_u32(f, 7);
	put_word(f, TYPE_PADDING, 0);
	end_page(f, page, 0, 0);
	page = begin_page(f, 268435700);
	put_record(f, 6, 0);
	end_page(f, page, LOST, 0);
}

static void put_cpu1(struct perf_file *f)
{
	size_t page = begin_page(f, 90);

	put_record(f, 8, 0);
	put_word(f, TYPE_STAMP, 95);
	perf_file_put_u32(f, 0);
	put_record(f, 8, 0);
	end_page(f, page, 0, 0);
	page = begin_page(f, 130);
	put_record(f, 9, 0);
	end_page(f, page, LOST | LOST_STORED, 3);
}

/* Formats. */

static void put_sized(struct perf_file *f, const char *text)
{
	perf_file_put_u64(f, strlen(text));
	put_text(f, text);
}

static void put_format(struct perf_file *f, const char *name, unsigned int id)
{
	char text[200];

	snprintf(text, sizeof(text), "name: %s\nID: %u\nformat:\n\tfield:unsigned short "
		 "common_type;\toffset:0;\tsize:2;\tsigned:0;\n\nprint fmt: \"\"\n", name, id);
	put_sized(f, text);
}

static void put_layout(struct perf_file *f)
{
	const unsigned int word = form_of(f)->word;
	char text[300];

	snprintf(text, sizeof(text),
		 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		 "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
		 "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		 "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:0;\n", word, 8 + word,
		 form_of(f)->page - 8 - word);
	perf_file_put(f, "header_page", 12);
	put_sized(f, text);
	perf_file_put(f, "header_event", 13);
	put_sized(f, "");
}

static void put_own(struct perf_file *f)
{
	perf_file_put_u32(f, 1);
	put_format(f, "print", 5);
}

/* An array of long has elements of another size on other machines. */
static void put_one(struct perf_file *f)
{
	char *text = strdup(perf_file_format), *type = strstr(text, "unsigned long args");

	memcpy(type, "u64           args", 18);
	put_sized(f, text);
	free(text);
}

static void put_systems(struct perf_file *f)
{
	static const char *const everywhere[][2] = {
		{ "sched", "sched_switch" }, { "signal", "signal_generate" },
		{ "timer", "timer_start" }, { "irq", "softirq_entry" },
		{ "workqueue", "workqueue_execute_start" },
	};

	perf_file_put_u32(f, form_of(f)->all ? 6 : 1);
	perf_file_put(f, "t", 2);
	perf_file_put_u32(f, 2);
	put_one(f);
	put_format(f, "two", EVENT_ID + 1);
	for (unsigned int i = 0; form_of(f)->all && i < 5; i++) {
		perf_file_put(f, everywhere[i][0], strlen(everywhere[i][0]) + 1);
		perf_file_put_u32(f, 1);
		put_format(f, everywhere[i][1], 400 + i);
	}
}

static void put_head(struct perf_file *f)
{
	const uint8_t order = big(f), word = (uint8_t)form_of(f)->word;

	perf_file_put(f, "\x17\x08\x44tracing", 10);
	perf_file_put(f, form_of(f)->version == 6 ? "6" : "7", 2);
	perf_file_put(f, &order, 1);
	perf_file_put(f, &word, 1);
	perf_file_put_u32(f, 4096);
}

/* Options. */

static void put_option(struct perf_file *f, uint16_t id, const void *data, size_t n)
{
	perf_file_put_u16(f, id);
	perf_file_put_u32(f, (uint32_t)n);
	perf_file_put(f, data, n);
}

static void put_option_text(struct perf_file *f, uint16_t id, const char *text)
{
	put_option(f, id, text, strlen(text) + 1);
}

static void put_options(struct perf_file *f)
{
	char clocks[64];

	snprintf(clocks, sizeof(clocks), "local [%s] boot\n",
		 form_of(f)->clock ? form_of(f)->clock : "mono");
	put_option_text(f, CLOCK, clocks);
	put_option_text(f, UNAME, "Linux board 6.1.0-test x86_64");
	put_option_text(f, DATE, "0x6616e44fd01ec");
	if (form_of(f)->instance)
		put_option_text(f, STATS, "\nBuffer: inst\n\n");
	put_option_text(f, STATS, "CPU: 0\nentries: 3\noverrun: 0\ncommit overrun: 0\n"
			"dropped events: 0\nread events: 0\n");
	put_option_text(f, STATS, "CPU: 1\nentries: 3\noverrun: 2\ncommit overrun: 1\n"
			"dropped events: 2\nread events: 0\n");
	if (form_of(f)->side) {
		put_option_text(f, SIDE, "sonde trace 1\nwall 1700000000000000000 5\nunread 1 3\n"
				"task 7 7 a%20b\ntask 8 7 c\n");
		put_option_text(f, PROBES, "sonde probes 1\nfeature kprobes yes\n"
				"function vfs_read\n");
	}
	if (form_of(f)->scaled) {
		perf_file_put_u16(f, SCALE);
		perf_file_put_u32(f, 16);
		perf_file_put_u32(f, 1 << 20);
		perf_file_put_u32(f, 20);
		perf_file_put_u64(f, 0);
	}
	perf_file_put_u16(f, CPUS);
	perf_file_put_u32(f, 4);
	perf_file_put_u32(f, 2);
}

/* Version 6. */

/* The places of both CPUs' pages: zeros. Returns where they are. */
static size_t put_places(struct perf_file *f)
{
	perf_file_put(f, "flyrecord", 10);
	perf_file_pad(f, f->size + 4 * sizeof(uint64_t));
	return f->size - 4 * sizeof(uint64_t);
}

static void put_rings(struct perf_file *f, size_t top, size_t instance)
{
	const uint32_t size = 2 * form_of(f)->page;
	const size_t places[] = { top, instance };

	for (unsigned int i = 0; i < 2; i++) {
		if (i ? !instance : form_of(f)->instance && !form_of(f)->twice)
			continue;
		set_u64(f, places[i], f->size);
		set_u64(f, places[i] + 8, size);
		set_u64(f, places[i] + 16, f->size + size);
		set_u64(f, places[i] + 24, size);
	}
	put_cpu0(f);
	put_cpu1(f);
}

static void make_v6(struct perf_file *f)
{
	size_t option = 0, top, instance = 0;

	put_head(f);
	put_layout(f);
	put_own(f);
	put_systems(f);
	perf_file_put_u32(f, 0);
	perf_file_put_u32(f, 0);
	perf_file_put_u64(f, 0);
	perf_file_put_u32(f, 2);
	perf_file_put(f, "options  ", 10);
	put_options(f);
	if (form_of(f)->instance) {
		put_option(f, BUFFER, "\0\0\0\0\0\0\0\0inst", 13);
		option = f->size - 13;
	}
	perf_file_put_u16(f, 0);
	top = put_places(f);
	if (option) {
		set_u64(f, option, f->size);
		instance = put_places(f);
	}
	put_rings(f, top, instance);
}

/* Version 7. */

/* Returns where the section begins; its size is written at the end. */
static size_t begin_section(struct perf_file *f, uint16_t id)
{
	perf_file_put_u16(f, id);
	perf_file_put_u16(f, 0);
	perf_file_put_u32(f, 0);
	perf_file_put_u64(f, 0);
	return f->size - 16;
}

static void end_section(struct perf_file *f, size_t begin)
{
	set_u64(f, begin + 8, f->size - begin - 16);
}

/* The flag of what is compressed. */
static void pack(struct perf_file *f, size_t section)
{
	const size_t end = f->size;

	f->size = section + 2;
	perf_file_put_u16(f, 1);
	f->size = end;
}

static void put_deflated(struct perf_file *f, const uint8_t *bytes, size_t n)
{
	uLongf size = compressBound(n);
	uint8_t *packed = malloc(size);

	if (!packed || compress(packed, &size, bytes, n) != Z_OK)
		abort();
	perf_file_put_u32(f, (uint32_t)size);
	perf_file_put_u32(f, (uint32_t)n);
	perf_file_put(f, packed, size);
	free(packed);
}

static void put_packed(struct perf_file *f, const uint8_t *bytes, size_t n)
{
	if (strcmp(form_of(f)->packer, "zstd")) {
		put_deflated(f, bytes, n);
		return;
	}
	perf_file_put_u32(f, (uint32_t)(PERF_FILE_FRAME_HEAD + PERF_FILE_BLOCK_HEAD + n));
	perf_file_put_u32(f, (uint32_t)n);
	perf_file_put_block(f, bytes, n, true, true);
}

static size_t put_section(struct perf_file *f, uint16_t id, void (*put)(struct perf_file *f))
{
	const size_t begin = begin_section(f, id);
	struct perf_file whole = { .form = f->form };

	put(form_of(f)->packer ? &whole : f);
	if (form_of(f)->packer) {
		put_packed(f, whole.bytes, whole.size);
		pack(f, begin);
	}
	perf_file_free(&whole);
	end_section(f, begin);
	return begin;
}

/* The pages of a CPU: as they are, or each of them as a chunk. */
static struct place {
	uint64_t at, size;
} put_pages(struct perf_file *f, void (*put)(struct perf_file *f))
{
	const uint32_t page = form_of(f)->page;
	struct perf_file whole = { .form = f->form };
	struct place place = { .at = f->size };

	put(form_of(f)->packer ? &whole : f);
	if (form_of(f)->packer) {
		perf_file_put_u32(f, 2);
		put_packed(f, whole.bytes, page);
		put_packed(f, whole.bytes + page, page);
	}
	perf_file_free(&whole);
	place.size = f->size - place.at;
	return place;
}

static void put_place(struct perf_file *f, uint16_t id, uint64_t place)
{
	perf_file_put_u16(f, id);
	perf_file_put_u32(f, 8);
	perf_file_put_u64(f, place);
}

/* The buffer with the pages of n CPUs. */
static void put_buffer(struct perf_file *f, const char *name, unsigned int n, uint64_t section,
		       const struct place *places)
{
	const char *clock = form_of(f)->clock ? "" : "mono";

	perf_file_put_u16(f, BUFFER);
	perf_file_put_u32(f, (uint32_t)(8 + strlen(name) + strlen(clock) + 2 + 8 + 20 * n));
	perf_file_put_u64(f, section);
	perf_file_put(f, name, strlen(name) + 1);
	perf_file_put(f, clock, strlen(clock) + 1);
	perf_file_put_u32(f, 4096);
	perf_file_put_u32(f, n);
	for (unsigned int cpu = 0; cpu < n; cpu++) {
		perf_file_put_u32(f, cpu);
		perf_file_put_u64(f, places[cpu].at);
		perf_file_put_u64(f, places[cpu].size);
	}
}

static void make_v7(struct perf_file *f)
{
	const char *packer = form_of(f)->packer ? form_of(f)->packer : "none";
	size_t list, layout, own, systems, section, done, rings;
	struct place places[2];

	put_head(f);
	perf_file_put(f, packer, strlen(packer) + 1);
	perf_file_put(f, "", 1);
	list = f->size;
	perf_file_put_u64(f, 0);
	layout = put_section(f, HEADER, put_layout);
	own = put_section(f, OWN, put_own);
	systems = put_section(f, SYSTEMS, put_systems);
	set_u64(f, list, f->size);
	section = begin_section(f, 0);
	put_place(f, HEADER, layout);
	put_place(f, OWN, own);
	put_place(f, SYSTEMS, systems);
	put_options(f);
	put_place(f, 0, 0);
	done = f->size - 8;
	end_section(f, section);
	rings = begin_section(f, BUFFER);
	if (form_of(f)->packer)
		pack(f, rings);
	places[0] = put_pages(f, put_cpu0);
	places[1] = put_pages(f, put_cpu1);
	end_section(f, rings);
	set_u64(f, done, f->size);
	section = begin_section(f, 0);
	put_buffer(f, "", form_of(f)->instance && !form_of(f)->twice ? 0 : 2, rings, places);
	if (form_of(f)->instance)
		put_buffer(f, "inst", 2, rings, places);
	put_place(f, 0, 0);
	end_section(f, section);
}

void trace_file_make(struct perf_file *f, const struct trace_form *form)
{
	*f = (struct perf_file){ .form = &form->bytes };
	if (form->version == 6)
		make_v6(f);
	else
		make_v7(f);
}
