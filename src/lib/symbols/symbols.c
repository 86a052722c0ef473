// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "compat/recordings/recording_symbols.h"
#include "src/lib/symbols/demangle.h"
#include "src/lib/symbols/files.h"
#include "src/lib/symbols/history.h"
#include "src/lib/symbols/jit.h"
#include "src/lib/symbols/kernel_symbols.h"
#include "src/lib/symbols/maps.h"
#include "src/lib/symbols/pool.h"
#include "src/lib/symbols/recorded/recorded_kernel.h"

struct symbols {
	struct symbols_setup setup;
	struct kernel_symbols *kernel;		/* NULL: `recorded` has the names */
	struct recorded_kernel *recorded;
	struct history *history;
	struct files *files;
	struct jits *jits;
	struct pool names;
	struct lacks lacks;
	char absent[512];		/* of symbols_files_lack() */
};

struct symbols *symbols_new(const struct symbols_setup *setup)
{
	struct symbols *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->setup = *setup;
	if (setup->recording)
		s->recorded = recorded_kernel_new(setup->recording, setup->kallsyms);
	else
		s->kernel = setup->elsewhere && !setup->kallsyms ?
			    kernel_symbols_none("the events are of another machine") :
			    kernel_symbols_new(setup->kallsyms, setup->modules);
	s->history = history_new();
	s->files = files_new(!setup->foreign, setup->stop);
	s->jits = jits_new(setup->stop);
	if ((s->kernel || s->recorded) && s->history && s->files && s->jits) {
		if (setup->recording)
			files_of_recording(s->files, setup->recording, setup->symfs);
		return s;
	}
	symbols_free(s);
	return NULL;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	kernel_symbols_free(s->kernel);
	recorded_kernel_free(s->recorded);
	history_free(s->history);
	files_free(s->files);
	jits_free(s->jits);
	pool_free(&s->names);
	lacks_free(&s->lacks);
	free(s);
}

/* ---- what happened ---- */

/* The process may write a file with names for its code (/tmp/perf-PID.map). */
static void see_jit(struct symbols *s, uint32_t pid, uint64_t address)
{
	struct history_life life;

	if (!s->setup.foreign && history_find(s->history, pid, SYMBOLS_NOW, address, &life))
		jits_see(s->jits, &life);
}

void symbols_mapped(struct symbols *s, const struct symbols_mapping *m)
{
	const uint64_t end = m->length > UINT64_MAX - m->start ? UINT64_MAX : m->start + m->length;
	struct file_key key = { m->major, m->minor, m->inode, m->generation, m->build_id, { } };
	const struct file_mapped by = { m->pid, m->start, end };
	uint32_t file;

	if (m->build_id)
		memcpy(key.build_id, m->build_id, sizeof(key.build_id));
	file = m->code ? files_number(s->files, &key, m->path, &by) : FILES_NOTHING;
	/* A recorder reads all mappings of a process at its beginning, as symbols_seed() does. */
	if (s->recorded && !m->time) {
		history_seed(s->history, m->pid, 0);
		history_seed_mapping(s->history, m->pid, m->start, end, m->offset, file);
		return;
	}
	history_map(s->history, m->pid, m->time, m->start, end, m->offset, file);
	if (file == FILES_ANONYMOUS)
		see_jit(s, m->pid, m->start);
}

void symbols_forked(struct symbols *s, uint32_t parent, uint32_t child, uint64_t time)
{
	if (parent != child)
		history_fork(s->history, parent, child, time);
}

void symbols_executed(struct symbols *s, uint32_t pid, uint64_t time)
{
	history_exec(s->history, pid, time);
}

void symbols_exited(struct symbols *s, uint32_t pid, uint64_t time)
{
	history_exit(s->history, pid, time);
}

struct seeding {
	struct symbols *symbols;
	uint64_t time;
	uint32_t pid;			/* the process of the current lines */
	bool wanted;
};

static void seed_line(void *arg, const struct maps_line *line)
{
	struct seeding *d = arg;
	struct symbols *s = d->symbols;
	const struct file_mapped by = { line->pid, line->start, line->end };
	uint32_t file;

	if (line->pid != d->pid) {
		d->pid = line->pid;
		d->wanted = history_seed(s->history, line->pid, d->time);
	}
	if (!d->wanted)
		return;
	file = files_number(s->files, &line->key, line->path, &by);
	history_seed_mapping(s->history, line->pid, line->start, line->end, line->offset, file);
	if (file == FILES_ANONYMOUS)
		see_jit(s, line->pid, line->start);
}

void symbols_seed(struct symbols *s, const uint32_t *pids, size_t n, uint64_t time)
{
	struct seeding d = { .symbols = s, .time = time };

	if (s->setup.foreign)
		return;
	maps_read(pids, n, s->setup.stop, seed_line, &d, &s->lacks);
	symbols_settle(s);
}

void symbols_settle(struct symbols *s)
{
	files_open(s->files);
	jits_open(s->jits);
}

void symbols_forget(struct symbols *s, uint64_t before)
{
	history_forget(s->history, before);
}

/* ---- names ---- */

/* The text that is shown for a symbol. It is valid as long as s. */
static const char *shown(struct symbols *s, const char *symbol, bool mangled)
{
	const char *text = pool_find(&s->names, symbol);
	char readable[DEMANGLE_LENGTH];

	if (text)
		return text;
	if (!mangled && demangle(symbol, readable, sizeof(readable)))
		return pool_add(&s->names, symbol, readable);
	return pool_add(&s->names, symbol, symbol);
}

static bool find_kernel(struct symbols *s, uint64_t address, char name[KERNEL_NAME],
			uint64_t *start, const char **module)
{
	return s->recorded ? recorded_kernel_find(s->recorded, address, name, start, module) :
	       kernel_symbols_find(s->kernel, address, name, start, module);
}

void symbols_kernel(struct symbols *s, uint64_t address, bool caller, struct symbol *symbol)
{
	char name[KERNEL_NAME];
	const char *module;
	uint64_t start;

	*symbol = (struct symbol){ .kind = SYMBOL_KERNEL };
	if (!find_kernel(s, address - caller, name, &start, &module))
		return;
	/* names of Rust code in the kernel are mangled, too */
	symbol->name = shown(s, name, s->setup.mangled);
	symbol->module = *module ? shown(s, module, true) : "kernel";
	symbol->offset = address - start;
}

/*
 * A program may copy a part of its code to larger pages, which are anonymous memory. Anonymous
 * memory is such a copy if it exactly fills the gap between two mappings of one file.
 */
static const struct mapping *around(const struct symbols *s, uint32_t pid, uint64_t time,
				    const struct mapping *m, struct mapping *copied)
{
	const struct mapping *before = history_find(s->history, pid, time, m->start - 1, NULL),
		*after = history_find(s->history, pid, time, m->end, NULL);

	if (!before || !after || before->file < FILES_FIRST || before->file != after->file ||
	    before->start - before->offset != after->start - after->offset)
		return NULL;
	*copied = *m;
	copied->file = before->file;
	copied->offset = m->start - before->start + before->offset;
	return copied;
}

struct question {
	uint32_t pid;
	uint64_t address;		/* an address in the function */
	bool caller;
	struct history_life life;
	uint64_t offset;
	const char *name;
};

static bool find_jit(struct symbols *s, struct question *q)
{
	return !s->setup.foreign && jits_find(s->jits, &q->life, q->address, &q->name, &q->offset,
					      &s->lacks);
}

/* A 32-bit program has its vDSO below 4 GB, a 64-bit program above. */
static bool find_vdso(struct symbols *s, struct question *q, const struct mapping *m)
{
	const unsigned int bits = m->end > UINT32_MAX ? 64 : 32;
	struct vdso_source where = { .start = m->start, .size = m->end - m->start };

	if (bits != 8 * sizeof(void *)) {
		if (s->setup.foreign)
			return false;
		where.pid = (pid_t)q->pid;
	}
	return files_find_vdso(s->files, bits, &where, q->address - m->start, &q->name,
			       &q->offset);
}

/* The vDSO is a part of the kernel. The recording has the names of the recorder's own. */
static bool find_recorded_vdso(struct symbols *s, struct question *q, const struct mapping *m)
{
	const uint64_t position = q->address - m->start;
	uint64_t start;

	q->name = (m->end > UINT32_MAX) == (recording_bits(s->setup.recording) != 32) ?
		recording_symbol(s->setup.recording, "[vdso]", position, &start) : NULL;
	if (q->name)
		q->offset = position - start;
	return q->name || (recorded_kernel_runs(s->recorded) && find_vdso(s, q, m));
}

static bool find_in(struct symbols *s, struct question *q, const struct mapping *m,
		    struct symbol *symbol)
{
	const char *file = files_name(s->files, m->file);

	symbol->module = file ? shown(s, file, true) : NULL;
	if (m->file == FILES_VDSO) {
		symbol->kind = SYMBOL_VDSO;
		return s->recorded ? find_recorded_vdso(s, q, m) : find_vdso(s, q, m);
	}
	if (m->file == FILES_ANONYMOUS) {
		symbol->kind = SYMBOL_JIT;
		return find_jit(s, q);
	}
	symbol->kind = SYMBOL_USER;
	symbol->offset = q->address - m->start + m->offset;
	if (files_find(s->files, m->file, symbol->offset, q->caller, &q->name, &q->offset))
		return true;
	if (strncmp(file, "memfd:", 6))
		return false;
	symbol->kind = SYMBOL_JIT;
	return find_jit(s, q);
}

static const struct mapping *find_mapping(struct symbols *s, struct question *q, uint64_t time,
					  struct mapping *copied)
{
	const struct mapping *m = history_find(s->history, q->pid, time, q->address, &q->life);

	return m && m->file == FILES_ANONYMOUS && around(s, q->pid, time, m, copied) ? copied : m;
}

/* The last time at which another mapping was at the address; 0: none after `since`. */
static uint64_t before(const struct symbols *s, uint32_t pid, uint64_t since, uint64_t time,
		       uint64_t address)
{
	const uint64_t changed = history_since(s->history, pid, time, address);

	return changed > since ? changed - 1 : 0;
}

void symbols_want_user(struct symbols *s, uint32_t pid, uint64_t since, uint64_t time,
		       uint64_t address, bool caller)
{
	struct question q = { .pid = pid, .address = address - caller };

	for (; time; time = before(s, pid, since, time, q.address)) {
		struct mapping copied;
		const struct mapping *m = find_mapping(s, &q, time, &copied);

		if (m && m->file >= FILES_FIRST)
			files_want(s->files, m->file, q.address - m->start + m->offset);
	}
}

void symbols_want_kernel(struct symbols *s, const uint64_t *addresses, size_t n)
{
	if (s->recorded)
		recorded_kernel_want(s->recorded, addresses, n);
	else
		kernel_symbols_want(s->kernel, addresses, n);
}

void symbols_user(struct symbols *s, uint32_t pid, uint64_t time, uint64_t address, bool caller,
		  struct symbol *symbol)
{
	struct question q = { .pid = pid, .address = address - caller, .caller = caller };
	struct mapping copied;
	const struct mapping *m = find_mapping(s, &q, time, &copied);

	*symbol = (struct symbol){ .kind = SYMBOL_UNKNOWN };
	if (!m)
		return;
	if (!find_in(s, &q, m, symbol)) {
		symbol->offset += caller;
		return;
	}
	symbol->name = shown(s, q.name, s->setup.mangled);
	symbol->offset = q.offset + caller;
}

const char *symbols_path(struct symbols *s, uint32_t pid, uint64_t time, uint64_t address,
			 uint64_t *position)
{
	struct question q = { .pid = pid, .address = address };
	struct mapping copied;
	const struct mapping *m = find_mapping(s, &q, time, &copied);

	if (!m || m->file == FILES_NOTHING || m->file == FILES_ANONYMOUS)
		return NULL;
	*position = address - m->start + (m->file == FILES_VDSO ? 0 : m->offset);
	return m->file == FILES_VDSO ? "[vdso]" : files_path(s->files, m->file);
}

bool symbol_is_returned_to(const struct symbol *symbol)
{
	static const char *const ends[] = { "trampoline", "ret_fast_syscall" };
	const size_t length = symbol->name && !symbol->offset ? strlen(symbol->name) : 0;

	for (unsigned int i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		const size_t end = strlen(ends[i]);

		if (length >= end && !strcmp(symbol->name + length - end, ends[i]))
			return true;
	}
	return false;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool symbol_alike(const struct symbol *a, const struct symbol *b)
{
	return same_text(a->name, b->name) && same_text(a->module, b->module);
}

void symbols_user_since(struct symbols *s, uint32_t pid, uint64_t since, uint64_t time,
			uint64_t address, bool caller, struct symbol *symbol)
{
	struct symbol other;

	symbols_user(s, pid, time, address, caller, symbol);
	while ((time = before(s, pid, since, time, address - caller))) {
		if (!history_find(s->history, pid, time, address - caller, NULL))
			continue;
		symbols_user(s, pid, time, address, caller, &other);
		if (symbol_alike(symbol, &other))
			continue;
		*symbol = (struct symbol){ .kind = SYMBOL_SEVERAL };
		return;
	}
}

bool symbols_no_code(const struct symbols *s, uint32_t pid, uint64_t time, uint64_t address)
{
	return history_empty(s->history, pid, time, address);
}

bool symbols_lost(const struct symbols *s, uint32_t pid, uint64_t time, uint64_t address)
{
	return !history_find(s->history, pid, time, address, NULL) &&
	       !history_empty(s->history, pid, time, address);
}

const struct unwind_row *symbols_unwind(struct symbols *s, uint32_t pid, uint64_t time,
					uint64_t address)
{
	const struct mapping *m = history_find(s->history, pid, time, address, NULL);
	struct mapping copied;

	if (!m)
		return NULL;
	if (m->file == FILES_ANONYMOUS && around(s, pid, time, m, &copied))
		m = &copied;
	return files_unwind(s->files, m->file, address - m->start + m->offset);
}

bool symbols_code(struct symbols *s, uint32_t pid, uint64_t time, uint64_t address)
{
	const struct mapping *m = history_find(s->history, pid, time, address, NULL);
	const char *name = m ? files_name(s->files, m->file) : NULL;

	return m && m->file != FILES_NOTHING && (!name || name[0] != '[');
}

const char *symbols_kernel_lack(const struct symbols *s)
{
	return s->recorded ? recorded_kernel_lack(s->recorded) : kernel_symbols_lack(s->kernel);
}

int symbols_check(struct symbols *s, struct error *err)
{
	return s->recorded ? recorded_kernel_check(s->recorded, err) : 0;
}

const char *symbols_lacks(struct symbols *s)
{
	const struct history_losses l = history_losses(s->history);
	const struct lines *of_files = &files_lacks(s->files)->all;

	for (unsigned int i = 0; i < of_files->n; i++)
		lacks_add(&s->lacks, 0, "%s", of_files->list[i]);
	if (l.lives)
		lacks_add(&s->lacks, 0, "too many processes ended: mappings of the earliest are "
					"forgotten");
	if (l.mappings)
		lacks_add(&s->lacks, 0, "a process maps code too often: its mappings are unknown");
	return lines_text(&s->lacks.all);
}

const char *symbols_files_lack(struct symbols *s)
{
	const struct files_absent unidentified = files_unidentified(s->files),
		unfound = files_unfound(s->files);
	struct strbuf b = strbuf_over(s->absent, sizeof(s->absent));

	if (unidentified.n)
		strbuf_addf(&b, "the recording has no build id of %s%s: `sonde record` and "
				"`perf record --buildid-mmap` note it since Linux 5.12",
			    unidentified.path, unidentified.n > 1 ? " and of other files" : "");
	strbuf_between(&b, "\n");
	if (unfound.n)
		strbuf_addf(&b, "this machine has not the same %s%s: --symfs DIR takes a copy of "
				"the recorded machine's files, or a cache of `perf buildid-cache`",
			    unfound.path, unfound.n > 1 ? ", nor other files" : "");
	return b.n ? s->absent : NULL;
}

const char *symbols_unread(struct symbols *s)
{
	const char *own = lines_text(&s->lacks.unread);

	return own ? own : lines_text(&files_lacks(s->files)->unread);
}

bool symbol_interrupts(const char *name)
{
	static const char *const entries[] = {
		/* x86: since 5.8, and before */
		"asm_common_interrupt", "asm_exc_", "asm_sysvec_",
		"apic_timer_interrupt", "async_page_fault", "common_interrupt", "page_fault",
		"reschedule_interrupt", "ret_from_intr",
		/* arm64: since 5.14, and before; arm */
		"el1h_64_", "el1_irq", "el1_sync",
		"__dabt_svc", "__irq_svc", "__pabt_svc",
	};

	for (size_t i = 0; name && i < sizeof(entries) / sizeof(entries[0]); i++)
		if (!strncmp(name, entries[i], strlen(entries[i])))
			return true;
	return false;
}
