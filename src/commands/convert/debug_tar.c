// SPDX-License-Identifier: GPL-2.0
/*
 * The names of functions that a recording has itself, for `perf --buildid-dir DIR`: a tar of a
 * cache of build ids. Each file in it is an ELF file with nothing but its build id and the symbols
 * of functions that were in stacks. The kernel's are a kallsyms.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/recordings/recording_changes.h"
#include "compat/recordings/recording_symbols.h"
#include "src/commands/convert/formats.h"
#include "src/commands/convert/names_elf.h"
#include "src/lib/output/sink.h"

#define BLOCK 512			/* tar's */

/* A path of the recording. */
struct named_file {
	const uint8_t *id;
	const char *path;
	const struct recorded_symbols *symbols;
};

struct debug_tar {
	struct named_file *files;
	size_t n;
	struct named_file kernel;	/* without symbols: it has no names */
	unsigned int left_out;		/* files that are not certain */
};

/* POSIX ustar. */
struct tar_header {
	char name[100], mode[8], uid[8], gid[8], size[12], time[12], sum[8], type, link[100];
	char magic[6], version[2], rest[247];
};
_Static_assert(sizeof(struct tar_header) == BLOCK, "a header is a block");

/* ---- tar ---- */

/* Where perf looks for the file of a build id. */
static void put_name(char *to, size_t room, const uint8_t *id, size_t id_size)
{
	struct strbuf name = strbuf_over(to, room);

	strbuf_addf(&name, ".build-id/%02x/", id[0]);
	for (size_t i = 1; i < id_size; i++)
		strbuf_addf(&name, "%02x", id[i]);
	strbuf_addf(&name, "/elf");
}

static void put_header(FILE *to, struct tar_header *h, size_t size)
{
	unsigned int sum = 0;

	text_all(h->magic, sizeof(h->magic), "ustar");
	memcpy(h->version, "00", sizeof(h->version));
	text_all(h->mode, sizeof(h->mode), "0000644");
	text_all(h->uid, sizeof(h->uid), "0000000");
	text_all(h->gid, sizeof(h->gid), "0000000");
	text_all(h->size, sizeof(h->size), "%011zo", size);
	text_all(h->time, sizeof(h->time), "00000000000");
	memset(h->sum, ' ', sizeof(h->sum));
	for (size_t i = 0; i < sizeof(*h); i++)
		sum += ((const unsigned char *)h)[i];
	text_all(h->sum, sizeof(h->sum), "%06o", sum);
	fwrite(h, sizeof(*h), 1, to);
}

static void put_file(FILE *to, const char *name, const struct strbuf *bytes)
{
	static const char zeros[BLOCK];
	struct tar_header h = { .type = '0' };

	text_all(h.name, sizeof(h.name), "%s", name);
	put_header(to, &h, bytes->n);
	fwrite(bytes->s, 1, bytes->n, to);
	if (bytes->n % BLOCK)
		fwrite(zeros, 1, BLOCK - bytes->n % BLOCK, to);
}

/* The file of the shorter id has this name, too: a hard link. */
static void put_link(FILE *to, const uint8_t id[BUILD_ID], size_t id_size)
{
	struct tar_header h = { .type = '1' };

	put_name(h.name, sizeof(h.name), id, BUILD_ID);
	put_name(h.link, sizeof(h.link), id, id_size);
	put_header(to, &h, 0);
}

/* ---- files ---- */

static int take_file(void *arg, const char *path, const struct recorded_symbols *s)
{
	struct convert *c = arg;
	struct debug_tar *d = c->own;
	const struct recorded_code *code = recording_code(c->recording);
	const uint8_t *id = s->several ? NULL : recording_build_id(c->recording, path);

	if (s->kernel) {
		/* perf has no place for a module, unless the recording has its mapping */
		if (!*s->names && !s->several && code->identified && code->base)
			d->kernel = (struct named_file){ code->build_id, path, s };
		return 0;
	}
	if (!id) {
		d->left_out++;
		return 0;
	}
	if (array_room(&d->files, d->n, sizeof(*d->files)))
		return -1;
	d->files[d->n++] = (struct named_file){ id, path, s };
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct named_file *x = a, *y = b;
	const int order = memcmp(x->id, y->id, BUILD_ID);

	return order ? order : strcmp(x->path, y->path);
}

/* Of one position the longest first, so that what is known of it stays. */
static int by_position(const void *a, const void *b)
{
	const struct named_function *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->length != y->length)
		return x->length > y->length ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* All functions of n files, each position once. Returns NULL without memory. */
static struct named_function *functions_of(const struct named_file *files, size_t n, size_t *found)
{
	struct named_function *list;
	size_t all = 0, kept = 0;

	for (size_t i = 0; i < n; i++)
		all += files[i].symbols->n;
	list = calloc(all, sizeof(*list));
	if (!list)
		return NULL;
	all = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < files[i].symbols->n; j++) {
			const struct recorded_symbols *s = files[i].symbols;

			list[all++] = (struct named_function){
				s->list[j].at - s->bias, s->list[j].length,
				s->names + s->list[j].name,
			};
		}
	qsort(list, all, sizeof(*list), by_position);
	for (size_t i = 0; i < all; i++)
		if (!kept || list[i].at != list[kept - 1].at)
			list[kept++] = list[i];
	*found = kept;
	return list;
}

/*
 * Linkers make ids of 20, 16 and 8 bytes. The recording has zeros behind a short one. Records tell
 * perf the size that it had, or 20: it looks for either, and takes a file with the short one.
 */
static size_t id_size_of(const uint8_t id[BUILD_ID])
{
	static const uint8_t zeros[BUILD_ID];
	static const uint8_t sizes[] = { 8, 16 };

	for (size_t i = 0; i < sizeof(sizes); i++)
		if (!memcmp(id + sizes[i], zeros, BUILD_ID - sizes[i]))
			return sizes[i];
	return BUILD_ID;
}

/* Writes n paths of one file: of containers, or links. Returns -1 if there is no memory. */
static int put_names(FILE *to, const struct named_file *files, size_t n)
{
	const uint8_t *id = files->id;
	const size_t id_size = id_size_of(id);
	struct strbuf elf = { };
	char name[sizeof(((struct tar_header *)NULL)->name)];
	size_t found;
	struct named_function *list = functions_of(files, n, &found);
	bool whole;

	if (!list)
		return -1;
	names_elf(&elf, id, id_size, list, found);
	whole = !elf.cut;
	if (whole) {
		put_name(name, sizeof(name), id, id_size);
		put_file(to, name, &elf);
		if (id_size < BUILD_ID)
			put_link(to, id, id_size);
	}
	free(elf.s);
	free(list);
	return whole ? 0 : -1;
}

/* ---- the kernel ---- */

/*
 * A function of kallsyms reaches to the next one: what has no name ends it. What is in [] behind a
 * name is its module for perf.
 */
static void add_unknown(struct strbuf *text, uint64_t from)
{
	strbuf_addf(text, "%016" PRIx64 " t (unknown)\n", from);
}

static void add_kallsyms(struct strbuf *text, const struct recorded_code *code,
			 const struct named_function *list, size_t n)
{
	/* by it perf finds out how far the kernel was moved */
	strbuf_addf(text, "%016" PRIx64 " T %s\n", code->base, code->symbol);
	if (list[0].at != code->base)
		add_unknown(text, code->base + 1);
	for (size_t i = 0; i < n; i++) {
		const uint64_t end = list[i].at + list[i].length;

		/* a name with such bytes would be more than one line */
		if (strpbrk(list[i].name, "\t\n"))
			add_unknown(text, list[i].at);
		else
			strbuf_addf(text, "%016" PRIx64 " t %s\n", list[i].at, list[i].name);
		if (i + 1 == n || end < list[i + 1].at)
			add_unknown(text, end);
	}
}

static int put_kernel(struct convert *c)
{
	const struct debug_tar *d = c->own;
	char name[sizeof(((struct tar_header *)NULL)->name)];
	struct strbuf path = strbuf_over(name, sizeof(name)), text = { };
	size_t n;
	struct named_function *list = functions_of(&d->kernel, 1, &n);
	bool whole;

	if (!list)
		return -1;
	strbuf_addf(&path, "[kernel.kallsyms]/");
	for (unsigned int i = 0; i < BUILD_ID; i++)
		strbuf_addf(&path, "%02x", d->kernel.id[i]);
	strbuf_addf(&path, "/kallsyms");
	add_kallsyms(&text, recording_code(c->recording), list, n);
	whole = !text.cut;
	if (whole)
		put_file(c->to, name, &text);
	free(text.s);
	free(list);
	return whole ? 0 : -1;
}

/* ---- the format ---- */

/* Tables of the recording are whole only behind its events. */
static int hand_over(struct convert *c, bool end, struct error *err)
{
	static const char zeros[BLOCK];
	struct debug_tar *d = c->own;

	if (!end)
		return 0;
	if (recording_each_symbols(c->recording, take_file, c))
		return fail(err, "out of memory");
	if (!d->n && !d->kernel.symbols)
		return fail(err, "convert: the recording has no names of functions with the build "
				 "id of their file: `sonde record -o FILE` writes them, of stacks "
				 "(-g, -F HZ)");
	if (d->n)
		qsort(d->files, d->n, sizeof(*d->files), by_id);
	for (size_t i = 0, n; i < d->n && !ferror(c->to); i += n) {
		for (n = 1; i + n < d->n && !memcmp(d->files[i].id, d->files[i + n].id, BUILD_ID);)
			n++;
		if (put_names(c->to, d->files + i, n))
			return fail(err, "out of memory");
	}
	if (d->kernel.symbols && put_kernel(c))
		return fail(err, "out of memory");
	fwrite(zeros, 1, BLOCK, c->to);
	fwrite(zeros, 1, BLOCK, c->to);
	return 0;
}

static void report(struct convert *c)
{
	const struct debug_tar *d = c->own;

	if (d->left_out)
		fprintf(sink_err(), "sonde: convert: %u files are left out: the recording has no "
				    "build id of them, or two files of one path\n", d->left_out);
}

static void free_files(struct convert *c)
{
	struct debug_tar *d = c->own;

	free(d->files);
}

const struct convert_writer convert_debug_tar = {
	.own = sizeof(struct debug_tar), .hand_over = hand_over, .report = report,
	.free = free_files,
};
