// SPDX-License-Identifier: GPL-2.0
/* Symbols that were stripped from a file: they may be in a debug file, or packed in the file. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "compat/user/open_file.h"
#include "src/lib/symbols/readers/elf_symbols.h"
#include "src/lib/symbols/readers/xz.h"

#define ID_MOST 64			/* bytes of a build id; linkers make 16 or 20 */
#define NOTES_MOST 65536
#define LINK_MOST 256
#define CHECKED_MOST (256LL << 20)	/* bytes of the largest debug file that is checksummed */
#define UNPACKED_MOST (16u << 20)

struct id {
	uint8_t bytes[ID_MOST];
	size_t n;			/* 0: it has none */
};

struct search {
	struct table_maker *maker;
	const struct elf_file *file;
	struct id id;
	bool has_crc;			/* the file names its debug file */
	uint32_t crc;			/* the checksum of its debug file */
};

static size_t padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* `swapped`: the notes are of the other byte order. */
static bool id_of_notes(const uint8_t *p, size_t n, bool swapped, struct id *id)
{
	uint32_t head[3];		/* sizes of name and text, type */

	while (n >= sizeof(head)) {
		size_t name, text;

		memcpy(head, p, sizeof(head));
		for (unsigned int i = 0; i < 3 && swapped; i++)
			head[i] = __builtin_bswap32(head[i]);
		p += sizeof(head);
		n -= sizeof(head);
		if (head[0] > n || padded(head[0]) > n || head[1] > n - padded(head[0]))
			return false;
		name = padded(head[0]);
		text = padded(head[1]);
		if (head[2] == NT_GNU_BUILD_ID && head[0] == 4 && !memcmp(p, "GNU", 4) && head[1] &&
		    head[1] <= ID_MOST) {
			id->n = head[1];
			memcpy(id->bytes, p + name, id->n);
			return true;
		}
		if (name + text >= n)		/* the last note may lack padding */
			return false;
		p += name + text;
		n -= name + text;
	}
	return false;
}

static void read_id(const struct elf_file *e, struct id *id)
{
	const bool big = e->head.e_ident[EI_DATA] == ELFDATA2MSB;
	const bool swapped = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	GElf_Shdr s;

	id->n = 0;
	for (size_t i = 1; i < e->head.e_shnum; i++) {
		Elf_Data *data;

		if (elf_file_section(e, i, &s))
			return;
		if (s.sh_type != SHT_NOTE || !s.sh_size || s.sh_size > NOTES_MOST)
			continue;
		data = elf_file_part(e, s.sh_offset, s.sh_size, ELF_T_BYTE);
		if (data && id_of_notes(data->d_buf, data->d_size, swapped, id))
			return;
	}
}

int symbols_build_id(int fd, uint8_t id[BUILD_ID])
{
	struct elf_file e;
	struct id whole;

	if (elf_file_open(&e, fd, NULL))
		return -1;
	read_id(&e, &whole);
	elf_file_close(&e);
	memset(id, 0, BUILD_ID);
	memcpy(id, whole.bytes, whole.n < BUILD_ID ? whole.n : BUILD_ID);
	return whole.n ? 0 : -1;
}

static bool crc_of(int fd, uint32_t *crc)
{
	uint8_t buffer[65536];
	struct stat st;
	uLong sum = crc32(0, NULL, 0);
	off_t at = 0;
	ssize_t n;

	if (fstat(fd, &st) || st.st_size > CHECKED_MOST)
		return false;
	while ((n = pread(fd, buffer, sizeof(buffer), at)) > 0 && at <= CHECKED_MOST) {
		sum = crc32(sum, buffer, (uInt)n);
		at += n;
	}
	*crc = (uint32_t)sum;
	return n == 0;
}

/* Compares the build ids. If a file has none, the checksum decides. */
static bool belongs(const struct search *s, const struct elf_file *debug, int fd)
{
	struct id id;
	uint32_t crc;

	read_id(debug, &id);
	if (s->id.n && id.n)
		return s->id.n == id.n && !memcmp(s->id.bytes, id.bytes, id.n);
	return s->has_crc && crc_of(fd, &crc) && crc == s->crc;
}

/* A file that was moved in memory (prelink) differs from its debug file in all addresses. */
static uint64_t bias_of(const struct elf_file *file, const struct elf_file *debug)
{
	GElf_Shdr a, b;

	return elf_file_named(file, ".text", &a) || elf_file_named(debug, ".text", &b) ?
		0 : a.sh_addr - b.sh_addr;
}

/* Returns true if the debug file had symbols. */
static bool add_from(const struct search *s, const struct elf_file *debug)
{
	const uint32_t before = s->maker->n;

	if (debug->head.e_machine != s->file->head.e_machine ||
	    debug->head.e_ident[EI_CLASS] != s->file->head.e_ident[EI_CLASS])
		return false;
	elf_add_symbols(s->maker, debug, SHT_SYMTAB, s->file, bias_of(s->file, debug));
	return s->maker->n > before;
}

static bool try_file(const struct search *s, const char *path)
{
	struct elf_file debug;
	bool added = false;
	int fd = open_file(path);

	if (fd < 0)
		return false;
	if (!elf_file_open(&debug, fd, NULL)) {
		added = belongs(s, &debug, fd) && add_from(s, &debug);
		elf_file_close(&debug);
	}
	close(fd);
	return added;
}

static bool try_by_id(const struct search *s, const char *root)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s/usr/lib/debug/.build-id/%02x/", root,
			 s->id.bytes[0]);

	if (s->id.n < 2 || n < 0 || (size_t)n + 2 * ID_MOST + 8 > sizeof(path))
		return false;
	for (size_t i = 1; i < s->id.n; i++)
		n += sprintf(path + n, "%02x", s->id.bytes[i]);
	strcpy(path + n, ".debug");
	return try_file(s, path);
}

/* As gdb does: beside the file, in .debug there, and below /usr/lib/debug. */
static bool try_by_name(const struct search *s, const char *root, const char *file,
			const char *name)
{
	const char *slash = strrchr(file, '/');
	const int n = slash ? (int)(slash - file) : 0;
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s%.*s/%s", root, n, file, name) < PATH_MAX &&
	    try_file(s, path))
		return true;
	if (snprintf(path, sizeof(path), "%s%.*s/.debug/%s", root, n, file, name) < PATH_MAX &&
	    try_file(s, path))
		return true;
	return snprintf(path, sizeof(path), "%s/usr/lib/debug%.*s/%s", root, n, file, name) <
		PATH_MAX && try_file(s, path);
}

/* .gnu_debuglink: a name, and behind it a checksum at a multiple of four. */
static bool read_link(struct search *s, char name[LINK_MOST])
{
	GElf_Shdr section;
	Elf_Data *data;
	size_t n;

	if (elf_file_named(s->file, ".gnu_debuglink", &section) ||
	    section.sh_type != SHT_PROGBITS || section.sh_size > LINK_MOST)
		return false;
	data = elf_file_part(s->file, section.sh_offset, section.sh_size, ELF_T_BYTE);
	n = data ? strnlen(data->d_buf, data->d_size) : 0;
	if (!n || padded(n + 1) + sizeof(s->crc) > data->d_size || memchr(data->d_buf, '/', n))
		return false;
	memcpy(name, data->d_buf, n + 1);
	memcpy(&s->crc, (char *)data->d_buf + padded(n + 1), sizeof(s->crc));
	s->has_crc = true;
	return true;
}

static bool try_root(struct search *s, const char *root, const char *path, const char *name)
{
	return try_by_id(s, root) || (name && path && try_by_name(s, root, path, name));
}

/* Some distributions leave a packed file of symbols within the file. */
static void add_packed(const struct search *s)
{
	struct elf_file debug;
	GElf_Shdr section;
	Elf_Data *data;
	uint8_t *bytes;
	size_t n;

	if (elf_file_named(s->file, ".gnu_debugdata", &section) ||
	    section.sh_type != SHT_PROGBITS || !section.sh_size)
		return;
	data = elf_file_part(s->file, section.sh_offset, section.sh_size, ELF_T_BYTE);
	bytes = data ? xz_unpack(data->d_buf, data->d_size, UNPACKED_MOST, &n) : NULL;
	if (bytes && !elf_file_memory(&debug, bytes, n, NULL)) {
		add_from(s, &debug);
		elf_file_close(&debug);
	}
	free(bytes);
}

void elf_add_debug(struct table_maker *m, const struct elf_file *e,
		   const struct elf_source *source)
{
	struct search s = { .maker = m, .file = e };
	char name[LINK_MOST];
	const char *link;

	read_id(e, &s.id);
	link = read_link(&s, name) ? name : NULL;
	if (source->root && try_root(&s, source->root, source->path, link))
		return;
	if (!try_root(&s, "", source->path, link))
		add_packed(&s);
}
