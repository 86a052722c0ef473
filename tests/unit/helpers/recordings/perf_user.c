// SPDX-License-Identifier: GPL-2.0
#include "tests/unit/helpers/recordings/perf_user.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH 0x2000
#define WITH_ID (1U << 14)
#define OF_DATA (1U << 13)
#define USER 2

static void put_map(struct perf_file *f, perf_user_end end, uint64_t time, uint64_t start,
		    const char *path, uint8_t id, uint16_t misc)
{
	const size_t begin = f->size, n = strlen(path) + 1;
	size_t size;

	perf_file_put_u32(f, PERF_RECORD_MMAP2);
	perf_file_put_u16(f, misc);
	perf_file_put_u16(f, 0);
	perf_file_put_u32(f, 7);
	perf_file_put_u32(f, 7);
	perf_file_put_u64(f, start);
	perf_file_put_u64(f, LENGTH);
	perf_file_put_u64(f, PERF_USER_OFFSET);
	if (id) {
		perf_file_put(f, "\x14\0\0", 4);
		for (unsigned int i = 0; i < 20; i++)
			perf_file_put(f, &id, 1);
	} else {
		perf_file_put_u32(f, 8);
		perf_file_put_u32(f, 1);
		perf_file_put_u64(f, 4711);
		perf_file_put_u64(f, 0);
	}
	perf_file_put_u64(f, 0);
	perf_file_put(f, path, n);
	perf_file_pad(f, f->size + (8 - n % 8) % 8);
	end(f, 7, time);
	size = f->size;
	f->size = begin + 6;
	perf_file_put_u16(f, (uint16_t)(size - begin));
	f->size = size;
}

void perf_user_map(struct perf_file *f, perf_user_end end, uint64_t time, uint64_t start,
		   const char *path, uint8_t id)
{
	put_map(f, end, time, start, path, id, (uint16_t)(USER | (id ? WITH_ID : 0)));
}

void perf_user_maps(struct perf_file *f, perf_user_end end)
{
	perf_user_map(f, end, 0, PERF_USER_A, "/bin/a", 0);
	perf_user_map(f, end, 0, PERF_USER_B, "/bin/b", 0xb0);
	perf_user_map(f, end, 0, PERF_USER_C, "/bin/c", 0);
	put_map(f, end, 0, PERF_USER_DATA, "/etc/data", 0, USER | OF_DATA);
}

struct text {
	uint8_t bytes[256];
	size_t n;
};

static void put_varint(struct text *t, uint64_t value)
{
	do {
		t->bytes[t->n++] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
		value >>= 7;
	} while (value);
}

static void put_number(struct text *t, unsigned int field, uint64_t value)
{
	put_varint(t, field << 3);
	put_varint(t, value);
}

static void put_bytes(struct text *t, unsigned int field, const void *bytes, size_t n)
{
	put_varint(t, field << 3 | 2);
	put_varint(t, n);
	memcpy(t->bytes + t->n, bytes, n);
	t->n += n;
}

/* Of a file the least address is that of its offset PERF_USER_OFFSET. */
static void put_names(struct perf_file *f, const char *path, bool kernel, uint64_t address,
		      const char *name)
{
	struct text file = { }, symbol = { }, elf = { };

	put_number(&symbol, 1, address);
	put_number(&symbol, 2, 0x100);
	put_bytes(&symbol, 3, name, strlen(name));
	put_bytes(&file, 1, path, strlen(path));
	put_number(&file, 2, kernel ? 0 : 2);
	put_number(&file, 3, kernel ? 0 : 0x401000);
	put_bytes(&file, 4, symbol.bytes, symbol.n);
	put_number(&elf, 1, PERF_USER_OFFSET);
	if (!kernel)
		put_bytes(&file, 6, elf.bytes, elf.n);
	perf_file_put_u32(f, (uint32_t)file.n);
	perf_file_put(f, file.bytes, file.n);
}

void perf_user_names(struct perf_file *f)
{
	put_names(f, "/bin/a", false, 0x401100, "function_a");
	put_names(f, "/bin/b", false, 0x401100, "function_b");
	put_names(f, "/bin/c", false, 0x401100, "function_c");
	put_names(f, "/bin/d", false, 0x401100, "function_d");
	put_names(f, "[kernel.kallsyms]", true, PERF_FILE_KERNEL + 0x2000, "function_k");
	put_names(f, "[module]", true, 0xffffffffc0000000ULL, "function_m");
}
