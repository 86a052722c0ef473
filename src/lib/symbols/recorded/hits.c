// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/recorded/hits.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/hash.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/kernel/kernel.h"
#include "compat/recordings/recording_changes.h"
#include "src/lib/symbols/files.h"
#include "src/lib/symbols/history.h"
#include "src/lib/symbols/kernel_symbols.h"

#define KERNEL "[kernel.kallsyms]"
#define RECENT_BITS 12

/* An address of a stack; of a caller, the last byte of its call. */
struct address {
	uint64_t time, at;
	uint32_t pid;
};

/* A place that was hit: a position in a file, or an address of the kernel. */
struct place {
	uint64_t at;
	uint32_t file;			/* of files_number(); 0: the kernel */
};

struct named {
	struct place place;
	uint64_t start;
	size_t name, module;		/* in the text of all */
};

/* A field that has an address of the kernel's code. */
struct code_field {
	uint32_t event, offset;		/* event: its number in the recording */
};

struct reading {
	struct recording *recording;
	struct code_field *fields;
	size_t n_fields;
	struct history *history;
	struct files *files;
	struct address *waiting;	/* up to the end of their round */
	size_t n_waiting;
	struct hash places;		/* by struct place */
	/* addresses that were looked up after `changed`, when the last process changed */
	struct address recent[1 << RECENT_BITS];
	uint64_t changed;
	bool failed;			/* out of memory */
	struct hits_lacks *lacks;
};

static void add_place(struct reading *h, uint32_t file, uint64_t at)
{
	struct place place;

	memset(&place, 0, sizeof(place));
	place.at = at;
	place.file = file;
	h->places.value_size = sizeof(bool);
	h->failed |= !hash_add(&h->places, &place, sizeof(place));
}

/* ---- from addresses to places ---- */

static void map(struct reading *h, const struct recorded_change *c)
{
	struct file_key key = { c->major, c->minor, c->inode, c->generation, c->identified, { } };
	const uint64_t end = c->length > UINT64_MAX - c->start ? UINT64_MAX : c->start + c->length;
	const struct file_mapped by = { c->pid, c->start, end };
	uint32_t file = FILES_NOTHING;

	memcpy(key.build_id, c->build_id, sizeof(key.build_id));
	if (c->code)
		file = files_number(h->files, &key, c->text, &by);
	history_map(h->history, c->pid, c->time, c->start, end, c->offset, file);
}

static void change(struct reading *h, const struct recorded_change *c)
{
	h->changed = c->time > h->changed ? c->time : h->changed;
	switch (c->kind) {
	case CHANGE_MAP:
		map(h, c);
		break;
	case CHANGE_EXEC:
		history_exec(h->history, c->pid, c->time);
		break;
	case CHANGE_FORK:
		history_fork(h->history, c->parent, c->pid, c->time);
		break;
	case CHANGE_EXIT:
		history_exit(h->history, c->pid, c->time);
		break;
	case CHANGE_NAME:
		break;
	}
}

/* Samples have the same addresses again and again. */
static bool was_looked_up(struct reading *h, const struct address *a)
{
	const uint64_t hash = (a->at + ((uint64_t)a->pid << 40)) * 0x9e3779b97f4a7c15ULL;
	struct address *recent = &h->recent[hash >> (64 - RECENT_BITS)];
	const bool same = recent->at == a->at && recent->pid == a->pid &&
			  recent->time > h->changed && a->time > h->changed;

	*recent = *a;
	return same;
}

static void look_up(struct reading *h, const struct address *a)
{
	const struct mapping *m;

	if (was_looked_up(h, a))
		return;
	m = history_find(h->history, a->pid, a->time, a->at, NULL);
	if (!m)
		return;
	if (m->file >= FILES_FIRST)
		add_place(h, m->file, a->at - m->start + m->offset);
	else if (m->file == FILES_VDSO && (m->end > UINT32_MAX) == (sizeof(void *) == 8))
		add_place(h, m->file, a->at - m->start);
	else if (m->file == FILES_ANONYMOUS)
		h->lacks->made++;
}

/* Nothing that comes later is older than `time`. */
static void end_round(struct reading *h, uint64_t time)
{
	const struct recorded_change *c;
	size_t kept = 0;

	while ((c = recording_change(h->recording, time)))
		change(h, c);
	for (size_t i = 0; i < h->n_waiting; i++) {
		if (h->waiting[i].time > time)
			h->waiting[kept++] = h->waiting[i];
		else
			look_up(h, &h->waiting[i]);
	}
	h->n_waiting = kept;
}

static void wait(struct reading *h, const struct recorded *rec, uint64_t address)
{
	if (array_room(&h->waiting, h->n_waiting, sizeof(*h->waiting))) {
		h->failed = true;
		return;
	}
	h->waiting[h->n_waiting++] = (struct address){ rec->time, address, rec->pid };
}

/* The newest function of a stack is where it was; the others are behind a call. */
static void take_stack(struct reading *h, const struct recorded *rec)
{
	const uint8_t *at = rec->event.stack;
	bool user = false, caller = false;
	uint64_t n, address;

	memcpy(&n, at, sizeof(n));
	for (at += sizeof(n); n; n--, at += sizeof(address)) {
		memcpy(&address, at, sizeof(address));
		if (address >= (uint64_t)PERF_CONTEXT_MAX) {
			user = address == (uint64_t)PERF_CONTEXT_USER;
			caller = false;
			continue;
		}
		address -= caller;
		caller = true;
		if (user)
			wait(h, rec, address);
		else
			add_place(h, 0, address);
	}
}

static int find_fields(struct reading *h, struct kernel *k)
{
	unsigned int n;
	const struct recorded_event *events = recording_events(h->recording, &n);

	for (unsigned int i = 0; i < n; i++) {
		const struct format *f = events[i].name ?
					 kernel_format_named(k, events[i].name) : NULL;

		for (unsigned int j = 0; f && j < f->n_fields; j++) {
			if (!format_field_is_code(&f->fields[j]))
				continue;
			if (array_room(&h->fields, h->n_fields, sizeof(*h->fields)))
				return -1;
			h->fields[h->n_fields++] = (struct code_field){ i, f->fields[j].offset };
		}
	}
	return 0;
}

static void take_fields(struct reading *h, const struct recorded *rec)
{
	for (size_t i = 0; i < h->n_fields; i++) {
		const struct code_field *f = &h->fields[i];
		unsigned long address;

		if (f->event != rec->event.number || rec->event.size < sizeof(address) ||
		    f->offset > rec->event.size - sizeof(address))
			continue;
		memcpy(&address, rec->event.record + f->offset, sizeof(address));
		add_place(h, 0, address);
	}
}

static int read_all(struct reading *h, const volatile sig_atomic_t *stop, struct error *err)
{
	struct recorded rec;
	int result;

	recording_follow(h->recording);
	while ((result = recording_next(h->recording, &rec, err)) > 0 && !h->failed && !*stop) {
		if (rec.kind == RECORDED_EVENT && rec.event.stack)
			take_stack(h, &rec);
		if (rec.kind == RECORDED_EVENT)
			take_fields(h, &rec);
		else if (rec.kind == RECORDED_ROUND)
			end_round(h, rec.time);
	}
	end_round(h, UINT64_MAX);
	if (h->failed)
		return fail(err, "out of memory");
	return result < 0 ? -1 : 0;
}

/* ---- from places to names ---- */

struct naming {
	struct reading *reading;
	struct kernel_symbols *kernel;
	struct named *list;
	size_t n;
	struct strbuf text;		/* of names */
};

static size_t keep(struct naming *g, const char *text)
{
	const size_t at = g->text.n;

	strbuf_add(&g->text, text, strlen(text) + 1);
	return at;
}

static bool name_in_kernel(struct naming *g, struct named *to)
{
	char name[KERNEL_NAME], path[KERNEL_NAME];
	const char *module;

	/* Programs of BPF and trampolines come and go: another one may have been there. */
	if (!kernel_symbols_find(g->kernel, to->place.at, name, &to->start, &module) ||
	    !strcmp(module, "bpf") || !strncmp(module, "__builtin__", 11) ||
	    !text_all(path, sizeof(path), *module ? "[%s]" : KERNEL, module))
		return false;
	to->name = keep(g, name);
	to->module = keep(g, path);
	return true;
}

static bool name_in_file(struct naming *g, struct named *to)
{
	struct files *files = g->reading->files;
	const uint64_t at = to->place.at;
	const char *name;
	uint64_t offset;

	if (to->place.file == FILES_VDSO ?
	    !files_find_vdso(files, 8 * sizeof(void *), &(struct vdso_source){ }, at, &name,
			     &offset) :
	    !files_find(files, to->place.file, at, false, &name, &offset))
		return false;
	to->start = at - offset;
	to->name = keep(g, name);
	return true;
}

static int name_all(struct naming *g, struct error *err)
{
	struct reading *h = g->reading;
	const bool *value;

	for (uint32_t at = 0; (value = hash_next(&h->places, &at));) {
		const struct place *place = hash_key(&h->places, value);
		struct place p;

		memcpy(&p, place, sizeof(p));
		if (p.file >= FILES_FIRST)
			files_want(h->files, p.file, p.at);
	}
	for (uint32_t at = 0; (value = hash_next(&h->places, &at));) {
		struct named named = { };

		memcpy(&named.place, hash_key(&h->places, value), sizeof(named.place));
		if (!(named.place.file ? name_in_file : name_in_kernel)(g, &named))
			continue;
		if (array_room(&g->list, g->n, sizeof(*g->list)))
			return fail(err, "out of memory");
		g->list[g->n++] = named;
	}
	return g->text.cut ? fail(err, "out of memory") : 0;
}

/* ---- by file ---- */

static const char *text_at(const struct naming *g, size_t at)
{
	return g->text.s + at;
}

static const char *path_of(const struct naming *g, const struct named *n)
{
	const uint32_t file = n->place.file;

	return !file ? text_at(g, n->module) : file == FILES_VDSO ? "[vdso]" :
	       files_path(g->reading->files, file);
}

static int by_path(const void *a, const void *b, void *arg)
{
	const struct named *x = a, *y = b;
	const int paths = strcmp(path_of(arg, x), path_of(arg, y));

	if (paths)
		return paths;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->place.at < y->place.at ? -1 : x->place.at > y->place.at;
}

/*
 * Whoever looks for a caller without going back to its call finds what is behind it: a function
 * reaches there, if no other one begins.
 */
static void end_hits(struct hit *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (i + 1 == n || list[i + 1].at > list[i].end)
			list[i].end++;
}

/* The names of one path, of which files there are n, sorted. */
static int tell_path(const struct naming *g, const struct named *list, size_t n,
		     int (*each)(void *arg, const struct hit_file *f), void *arg)
{
	struct hit *hits = calloc(n, sizeof(*hits));
	struct hit_file f = { .path = path_of(g, list), .kernel = !list->place.file, .list = hits };
	int result;

	if (!hits)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (!f.n || hits[f.n - 1].at != list[i].start)
			hits[f.n++] = (struct hit){
				.at = list[i].start, .name = text_at(g, list[i].name),
			};
		hits[f.n - 1].end = list[i].place.at + 1;
	}
	end_hits(hits, f.n);
	f.build_id = files_build_id(g->reading->files, list->place.file);
	result = each(arg, &f);
	free(hits);
	return result;
}

static int tell_all(struct naming *g, int (*each)(void *arg, const struct hit_file *f), void *arg)
{
	size_t n;

	if (g->n)
		qsort_r(g->list, g->n, sizeof(*g->list), by_path, g);
	for (size_t i = 0; i < g->n; i += n) {
		const uint32_t file = g->list[i].place.file;

		for (n = 1; i + n < g->n && !strcmp(path_of(g, &g->list[i]),
						    path_of(g, &g->list[i + n])); n++)
			continue;
		/* Names go by the path: of several files they would be mixed. */
		if (files_several(g->reading->files, file))
			g->reading->lacks->several++;
		else if (tell_path(g, &g->list[i], n, each, arg))
			return -1;
	}
	return 0;
}

int hits_names(struct recording *recording, const volatile sig_atomic_t *stop,
	       int (*each)(void *arg, const struct hit_file *f), void *arg,
	       struct hits_lacks *lacks, struct error *err)
{
	struct reading *h = calloc(1, sizeof(*h));
	struct naming g = { .reading = h, .kernel = kernel_symbols_new(NULL, NULL) };
	struct kernel *k = recording_kernel(recording);
	int result = -1;

	if (h) {
		h->recording = recording;
		h->history = history_new();
		h->files = files_new(true, stop);
		h->lacks = lacks;
	}
	if (!h || !h->history || !h->files || !g.kernel || !k || find_fields(h, k)) {
		fail(err, "out of memory");
	} else {
		files_identify(h->files);
		files_of_recording(h->files, recording, NULL);
		result = read_all(h, stop, err) || name_all(&g, err) ? -1 : 0;
		if (!result && tell_all(&g, each, arg))
			result = fail(err, "out of memory");
		lacks->unopened = files_unfound(h->files).n + files_unidentified(h->files).n;
	}
	if (h) {
		history_free(h->history);
		if (h->files)
			files_free(h->files);
		hash_clear(&h->places);
		free(h->waiting);
		free(h->fields);
	}
	kernel_free(k);
	kernel_symbols_free(g.kernel);
	free(g.list);
	free(g.text.s);
	free(h);
	return result;
}
