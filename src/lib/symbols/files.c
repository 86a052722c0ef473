// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/files_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "src/lib/symbols/readers/elf_symbols.h"

#define FILES_MOST 65536
#define OPEN_MOST 1024			/* open files; at most a quarter of RLIMIT_NOFILE */
#define TABLES_MOST (12u << 20)		/* bytes of tables; the table just read may exceed it */
#define UNWINDS_MOST (32u << 20)	/* the same for unwind rows */
#define READS_MOST 4			/* reads of one file's symbols, before they are kept */
#define LINES_MOST 16
#define MEMFD "/memfd:"

struct files *files_new(bool proc, const volatile sig_atomic_t *stop)
{
	struct files *f = calloc(1, sizeof(*f));
	struct rlimit limit;

	if (!f)
		return NULL;
	f->stop = stop;
	f->proc = proc;
	f->lacks.all.most = LINES_MOST;
	f->open_most = OPEN_MOST;
	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur / 4 < OPEN_MOST)
		f->open_most = (uint32_t)(limit.rlim_cur / 4);
	f->vdso[0].fd = f->vdso[1].fd = -1;
	return f;
}

void files_free(struct files *f)
{
	if (!f)
		return;
	for (uint32_t i = 0; i < f->n; i++)
		free(f->files[i].path);
	for (uint32_t i = 0; i < f->n_images; i++) {
		if (f->images[i].fd >= 0)
			close(f->images[i].fd);
		table_free(&f->images[i].table);
		free(f->images[i].wanted);
		unwind_rows_free(&f->images[i].unwind.rows);
	}
	for (unsigned int i = 0; i < 2; i++) {
		table_free(&f->vdso[i].table);
		unwind_rows_free(&f->vdso[i].unwind.rows);
	}
	lacks_free(&f->lacks);
	hash_clear(&f->paths);
	free(f->files);
	free(f->slots);
	free(f->images);
	free(f);
}

void files_of_recording(struct files *f, const struct recording *recording, const char *symfs)
{
	f->recording = recording;
	f->symfs = symfs;
	f->paths.value_size = sizeof(uint32_t);
}

struct lacks *files_lacks(struct files *f)
{
	return &f->lacks;
}

/* ---- numbers ---- */

static uint32_t hash(const struct file_key *key, const char *path)
{
	uint64_t h = key->inode * 0x9e3779b97f4a7c15ULL ^ key->generation ^
		((uint64_t)key->major << 32 | key->minor);

	for (; *path; path++)
		h = (h ^ (unsigned char)*path) * 0x100000001b3ULL;
	return (uint32_t)(h ^ h >> 32);
}

/* /proc/PID/maps has no generation: an unknown generation matches any other. */
static bool is_same(const struct file *f, const struct file_key *key, const char *path)
{
	return f->key.inode == key->inode && f->key.major == key->major &&
		f->key.minor == key->minor && (!f->key.generation || !key->generation ||
					       f->key.generation == key->generation) &&
		!memcmp(f->key.build_id, key->build_id, sizeof(key->build_id)) &&
		!strcmp(f->path, path);
}

static uint32_t *slot_of(const struct files *f, const struct file_key *key, const char *path)
{
	struct file_key plain = *key;

	plain.generation = 0;
	for (uint32_t i = hash(&plain, path);; i++) {
		uint32_t *slot = &f->slots[i & (f->n_slots - 1)];

		if (!*slot || is_same(&f->files[*slot - FILES_FIRST], key, path))
			return slot;
	}
}

static int more_slots(struct files *f)
{
	const uint32_t n = f->n_slots ? 2 * f->n_slots : 256;
	uint32_t *slots = calloc(n, sizeof(*slots)), *old = f->slots;

	if (!slots)
		return -1;
	f->slots = slots;
	f->n_slots = n;
	for (uint32_t i = 0; i < f->n; i++) {
		const struct file *file = &f->files[i];
		struct file_key plain = file->key;
		uint32_t at;

		plain.generation = 0;
		for (at = hash(&plain, file->path); f->slots[at & (n - 1)]; at++)
			;
		f->slots[at & (n - 1)] = i + FILES_FIRST;
	}
	free(old);
	return 0;
}

static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* Returns true for memory that has no file with symbols. */
static bool is_anonymous(const char *path)
{
	static const char *const names[] = {
		"//anon", "/dev/zero", "/SYSV", "/anon_hugepage", "/dev/shm/", "/[",
	};

	if (path[0] != '/')
		return true;
	for (unsigned int i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (begins(path, names[i]))
			return true;
	return false;
}

static char *without_deleted(const char *path)
{
	static const char deleted[] = " (deleted)";
	const size_t n = strlen(path), tail = sizeof(deleted) - 1;

	return strndup(path, n > tail && !strcmp(path + n - tail, deleted) ? n - tail : n);
}

static uint32_t add_file(struct files *f, const struct file_key *key, char *path,
			 const struct file_mapped *by)
{
	if (f->n == FILES_MOST || array_room(&f->files, f->n, sizeof(*f->files))) {
		lacks_add(&f->lacks, 0, "more than %d files are mapped: the symbols of further "
					"files are unknown", FILES_MOST);
		return FILES_NOTHING;
	}
	f->files[f->n] = (struct file){
		.key = *key, .by = *by, .path = path, .image = -1,
		/* a name that memfd_create(2) got may have slashes */
		.name = begins(path, MEMFD) ? 1 : (uint32_t)(strrchr(path, '/') + 1 - path),
	};
	return FILES_FIRST + f->n++;
}

uint32_t files_number(struct files *f, const struct file_key *told, const char *path,
		      const struct file_mapped *by)
{
	struct file_key own_key = *told, *key = &own_key;
	uint32_t *slot, number;
	char *own;

	if (!strcmp(path, "[vdso]"))
		return FILES_VDSO;
	if (begins(path, "[v"))			/* vsyscall, vvar, vectors */
		return FILES_NOTHING;
	if (is_anonymous(path))
		return FILES_ANONYMOUS;
	own = without_deleted(path);
	if (!own || (f->n >= f->n_slots / 2 && more_slots(f))) {
		free(own);
		return FILES_NOTHING;
	}
	if (f->recording)
		files_recorded_key(f, key, own);
	slot = slot_of(f, key, own);
	number = *slot;
	if (!number) {
		*slot = number = add_file(f, key, own, by);
		if (f->recording && number >= FILES_FIRST)
			files_recorded_new(f, number);
	}
	if (number < FILES_FIRST || f->files[number - FILES_FIRST].path != own)
		free(own);
	return number;
}

const char *files_name(const struct files *f, uint32_t number)
{
	const struct file *file = number < FILES_FIRST ? NULL : &f->files[number - FILES_FIRST];

	return file ? file->path + file->name : number == FILES_VDSO ? "[vdso]" : NULL;
}

/* ---- symbols ---- */

static void give_up(struct files *f, struct image *m)
{
	f->bytes -= table_bytes(&m->table);
	table_free(&m->table);
	m->loaded = false;
}

/* Drops the tables used least recently, but not the table that was just read. */
static void bound_tables(struct files *f, const struct image *kept)
{
	while (f->bytes > TABLES_MOST) {
		struct image *oldest = NULL;

		for (uint32_t i = 0; i < f->n_images; i++) {
			struct image *m = &f->images[i];

			if (m != kept && m->loaded && m->table.n && m->reads < READS_MOST &&
			    (!oldest || m->used < oldest->used))
				oldest = m;
		}
		if (!oldest)
			return;
		give_up(f, oldest);
	}
}

/* `fd`: the file that `make` reads, or -1 */
static void load(struct files *f, struct image *m, load_fn make, const void *arg, int fd,
		 const char *what)
{
	struct error why;

	m->loaded = load_table(make, arg, fd, f->stop, &m->table, &why);
	m->failed = !m->loaded;
	m->reads++;
	if (*why.text)
		lacks_add(&f->lacks, why.number, "%s: %s", what, why.text);
	if (!m->loaded)
		return;
	f->bytes += table_bytes(&m->table);
	bound_tables(f, m);
}

static void load_file(struct files *f, struct image *m)
{
	const struct file *file = &f->files[m->number - FILES_FIRST];
	struct elf_source source = { .fd = m->fd, .path = file->path, .wanted = m->wanted,
				     .n_wanted = m->n_wanted };
	char root[32];

	snprintf(root, sizeof(root), "/proc/%u/root", file->by.pid);
	if (f->proc)
		source.root = root;
	else if (f->symfs)
		source.root = f->symfs;
	load(f, m, load_elf, &source, source.fd, file->path);
}

static struct image *image_of(struct files *f, uint32_t number)
{
	if (number < FILES_FIRST)
		return NULL;
	if (f->recording)
		files_recorded_open(f, &f->files[number - FILES_FIRST]);
	else if (number - FILES_FIRST >= f->opened)
		files_open(f);
	if (f->files[number - FILES_FIRST].image < 0)
		return NULL;
	return &f->images[f->files[number - FILES_FIRST].image];
}

static int by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void want_all(struct image *m)
{
	free(m->wanted);
	m->wanted = NULL;
	m->n_wanted = 0;
}

void files_want(struct files *f, uint32_t number, uint64_t position)
{
	const char *name;
	struct image *m;
	uint64_t offset;

	if (files_recorded_find(f, number, position, &name, &offset))
		return;
	m = image_of(f, number);
	if (!m || m->reads)
		return;
	if (array_room(&m->wanted, m->n_wanted, sizeof(*m->wanted))) {
		want_all(m);
		return;
	}
	m->wanted[m->n_wanted++] = position;
}

static bool is_wanted(const struct image *m, uint64_t position)
{
	return !m->wanted || bsearch(&position, m->wanted, m->n_wanted, sizeof(position),
				     by_number);
}

bool files_find(struct files *f, uint32_t number, uint64_t position, bool caller,
		const char **name, uint64_t *offset)
{
	struct image *m;

	if (files_recorded_find(f, number, position, name, offset))
		return true;
	m = image_of(f, number);
	if (!m || m->failed)
		return false;
	m->used = ++f->clock;
	if (!m->loaded && m->wanted)
		qsort(m->wanted, m->n_wanted, sizeof(*m->wanted), by_number);
	if (!is_wanted(m, position)) {
		want_all(m);
		if (m->loaded)
			give_up(f, m);
	}
	if (!m->loaded)
		load_file(f, m);
	return m->loaded && table_find(&m->table, position, caller, name, offset);
}

/* ---- unwind rows ---- */

static size_t unwind_bytes(const struct unwind *u)
{
	return (size_t)u->rows.n * sizeof(*u->rows.rows);
}

/* Drops the rows used least recently, but not the rows that were just read. */
static void bound_unwinds(struct files *f, const struct unwind *kept)
{
	for (;;) {
		struct unwind *oldest = NULL;
		size_t bytes = 0;

		for (uint32_t i = 0; i < f->n_images; i++) {
			struct unwind *u = &f->images[i].unwind;

			bytes += unwind_bytes(u);
			if (u != kept && u->loaded && (!oldest || u->used < oldest->used))
				oldest = u;
		}
		if (!oldest || bytes <= UNWINDS_MOST)
			return;
		unwind_rows_free(&oldest->rows);
		oldest->loaded = false;
	}
}

static void load_unwind(struct files *f, struct unwind *u, int fd, const char *what)
{
	struct error why;

	u->loaded = unwind_load(fd, f->stop, &u->rows, &why);
	u->failed = !u->loaded;
	if (*why.text)
		lacks_add(&f->lacks, why.number, "%s: no callers of its functions: %s", what,
			  why.text);
	bound_unwinds(f, u);
}

const struct unwind_row *files_unwind(struct files *f, uint32_t number, uint64_t position)
{
	struct image *m = number == FILES_VDSO ? &f->vdso[1] : NULL;
	const char *what = "[vdso]";

	if (number < FILES_FIRST && !m)
		return NULL;
	if (!m) {
		m = image_of(f, number);
		if (!m)
			return NULL;
		what = f->files[m->number - FILES_FIRST].path;
	}
	m->unwind.used = ++f->clock;
	if (!m->unwind.loaded && !m->unwind.failed)
		load_unwind(f, &m->unwind, m->fd, what);
	return m->unwind.loaded ? unwind_rows_find(&m->unwind.rows, position) : NULL;
}

bool files_find_vdso(struct files *f, unsigned int bits, const struct vdso_source *where,
		     uint64_t position, const char **name, uint64_t *offset)
{
	struct image *m = &f->vdso[bits == 64];

	/* Reading may have failed because that process had ended: another process is tried. */
	if (where->pid && where->pid != f->vdso_of) {
		f->vdso_of = where->pid;
		m->failed = false;
	}
	if (!m->loaded && !m->failed)
		load(f, m, load_vdso, where, -1, "[vdso]");
	return m->loaded && table_find(&m->table, position, false, name, offset);
}
