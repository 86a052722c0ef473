// SPDX-License-Identifier: GPL-2.0
/*
 * Names of functions within perf.data: simpleperf's section FILE2 (its record_file.proto, message
 * FileFeature). Each file has a u32 length, and so many bytes of protobuf.
 */
#include <string.h>

#include "compat/base/text.h"
#include "compat/recordings/perf/perf_data.h"

/* Fields; the wire types of protobuf. */
enum { FILE_PATH = 1, FILE_TYPE, FILE_MIN_ADDRESS, FILE_SYMBOL, FILE_ELF = 6 };
enum { SYMBOL_ADDRESS = 1, SYMBOL_LENGTH, SYMBOL_NAME };
enum { ELF_OFFSET = 1 };
enum { VARINT, FIXED_64, BYTES, FIXED_32 = 5 };
/* Types of files. */
enum { TYPE_KERNEL, TYPE_ELF = 2 };

#define KERNEL "[kernel.kallsyms]"
#define PATH_MOST 4096

static uint64_t read_varint(struct cursor *c)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; shift < 64; shift += 7) {
		const uint8_t *at = cursor_bytes(c, 1);

		if (!at)
			return 0;
		value |= (uint64_t)(*at & 0x7f) << shift;
		if (!(*at & 0x80))
			return value;
	}
	c->broken = true;
	return 0;
}

struct part {
	unsigned int number;
	uint64_t value;			/* of a number */
	struct cursor bytes;		/* of a text or a message */
};

/* Reads the next field. Returns false at the end, or where it is damaged. */
static bool next_field(struct cursor *c, struct part *f)
{
	uint64_t key;

	if (c->at == c->end || c->broken)
		return false;
	key = read_varint(c);
	*f = (struct part){ .number = key >> 3 > UINT16_MAX ? 0 : (unsigned int)(key >> 3) };
	switch (key & 7) {
	case VARINT:
		f->value = read_varint(c);
		break;
	case FIXED_64:
	case FIXED_32:
		cursor_bytes(c, (key & 7) == FIXED_64 ? 8 : 4);
		break;
	case BYTES:
		f->value = read_varint(c);
		f->bytes.at = cursor_bytes(c, f->value);
		f->bytes.end = f->bytes.at ? f->bytes.at + f->value : NULL;
		break;
	default:
		c->broken = true;
	}
	return !c->broken;
}

struct file {
	char path[PATH_MOST];
	char module[64];		/* of the kernel */
	uint64_t type, min_address, offset;
};

/* [kernel.kallsyms], or [MODULE]. Returns false if it is neither. */
static bool read_module(struct file *f)
{
	const size_t n = strlen(f->path);

	if (!strcmp(f->path, KERNEL))
		return true;
	return n > 2 && f->path[0] == '[' && f->path[n - 1] == ']' &&
	       text_all(f->module, sizeof(f->module), "%.*s", (int)n - 2, f->path + 1);
}

/* All but the symbols. Returns false if sonde does not use it. */
static bool read_file(struct cursor *c, struct file *to)
{
	struct part f, elf;

	*to = (struct file){ .type = TYPE_KERNEL };
	while (next_field(c, &f)) {
		if (f.number == FILE_PATH && f.bytes.at)
			text_cut(to->path, sizeof(to->path), "%.*s",
				 (int)strnlen((const char *)f.bytes.at, f.value < PATH_MOST ?
					      f.value : PATH_MOST), f.bytes.at);
		else if (f.number == FILE_TYPE)
			to->type = f.value;
		else if (f.number == FILE_MIN_ADDRESS)
			to->min_address = f.value;
		while (f.number == FILE_ELF && f.bytes.at && next_field(&f.bytes, &elf))
			if (elf.number == ELF_OFFSET)
				to->offset = elf.value;
	}
	return *to->path && (to->type == TYPE_ELF || (to->type == TYPE_KERNEL && read_module(to)));
}

static int read_symbol(struct recorded_symbols *s, struct cursor *c)
{
	uint64_t address = 0, length = 0, n = 0;
	const char *name = NULL;
	struct part f;

	while (next_field(c, &f)) {
		if (f.number == SYMBOL_ADDRESS)
			address = f.value;
		else if (f.number == SYMBOL_LENGTH)
			length = f.value;
		else if (f.number == SYMBOL_NAME && f.bytes.at) {
			name = (const char *)f.bytes.at;
			n = strnlen(name, f.value);
		}
	}
	return c->broken || !n || !length ? 0 : recorded_symbols_add(s, address, length, name, n);
}

static int read_symbols(struct recording *r, const struct file *file, struct cursor c,
			struct error *err)
{
	struct recorded_symbols *s = recording_add_symbols(r, file->path, file->type ? NULL :
							   file->module);
	struct part f;

	if (!s)
		return fail(err, "out of memory");
	s->bias = file->type ? file->min_address - file->offset : 0;
	while (!s->several && next_field(&c, &f))
		if (f.number == FILE_SYMBOL && f.bytes.at && read_symbol(s, &f.bytes))
			return fail(err, "out of memory");
	recorded_symbols_end(s);
	return 0;
}

int perf_symbols_read(struct recording *r, struct cursor *c, struct error *err)
{
	struct file file;

	while (c->at < c->end) {
		const uint32_t size = cursor_u32(c);
		const uint8_t *bytes = cursor_bytes(c, size);
		struct cursor head, whole;

		if (!bytes)
			return recording_fails(r, "its names of functions are cut short", err);
		head = whole = cursor_over(bytes, size, false);
		if (!read_file(&head, &file))
			continue;
		if (head.broken)
			return recording_fails(r, "its names of functions can't be read", err);
		if (read_symbols(r, &file, whole, err))
			return -1;
	}
	return 0;
}
