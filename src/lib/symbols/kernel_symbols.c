// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/kernel_symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "src/lib/symbols/kernel_line.h"
#include "src/lib/symbols/kernel_wanted.h"
#include "src/lib/symbols/words.h"

#define BLOCK 32		/* symbols of a block; only its first one is found at once */
#define RUNS_MOST 8192		/* with more runs kallsyms is in no known order */
#define FUNCTION_MOST 65536	/* bytes of the last function of a run */
#define HIDDEN 1000		/* if so many symbols come first without address, none has one */
#define MODULES_MOST (4 << 20)	/* bytes of /proc/modules */

/*
 * Symbols of one module with ascending addresses. In `data` each symbol is its distance from the
 * symbol before, seven bits a byte, and the code of its name.
 */
struct run {
	uint64_t from, last;		/* addresses of the first and the last symbol */
	uint64_t end;			/* 0: unknown */
	uint32_t block, n;		/* number of its first block; number of symbols */
	uint32_t module;
};

struct block {
	uint32_t distance;		/* of its first symbol from the run's first symbol */
	uint32_t data;			/* offset of that symbol's code; no distance before it */
};

/* A symbol of the module that is being read. kallsyms does not sort the symbols of a module. */
struct loose {
	uint64_t address;
	uint32_t name, length;
};

struct kernel_symbols {
	const char *kallsyms, *modules_file;
	struct kernel_wanted wanted;
	struct kallsyms_reader *reader;	/* NULL: reading has not begun, or has ended */
	bool begun, found;
	unsigned int hidden;
	struct words words;
	uint8_t *data;
	size_t n_data, data_room;
	struct block *blocks;
	uint32_t n_blocks;
	struct run *runs;
	uint32_t n_runs;
	char **modules;
	uint32_t n_modules;
	struct loose *loose;
	uint32_t n_loose;
	char *names;			/* of the loose symbols */
	size_t n_names, names_room;
	char lack[512];
};

struct kernel_symbols *kernel_symbols_new(const char *kallsyms, const char *modules)
{
	struct kernel_symbols *k = calloc(1, sizeof(*k));

	if (k) {
		k->kallsyms = kallsyms;
		k->modules_file = modules ? modules : "/proc/modules";
	}
	return k;
}

struct kernel_symbols *kernel_symbols_none(const char *lack)
{
	struct kernel_symbols *k = calloc(1, sizeof(*k));

	if (k) {
		k->begun = true;
		text_cut(k->lack, sizeof(k->lack), "%s", lack);
	}
	return k;
}

static void stop_reading(struct kernel_symbols *k)
{
	if (k->reader)
		kallsyms_close(k->reader);
	free(k->reader);
	k->reader = NULL;
	free(k->loose);
	k->loose = NULL;
	k->n_loose = 0;
	free(k->names);
	k->names = NULL;
	k->n_names = k->names_room = 0;
	words_done(&k->words);
}

/* Drops all symbols: a part of them is of no use. */
static void forget(struct kernel_symbols *k)
{
	words_free(&k->words);
	free(k->data);
	free(k->blocks);
	free(k->runs);
	for (uint32_t i = 0; i < k->n_modules; i++)
		free(k->modules[i]);
	free(k->modules);
	k->data = NULL;
	k->blocks = NULL;
	k->runs = NULL;
	k->modules = NULL;
	k->n_runs = k->n_blocks = k->n_modules = 0;
	k->n_data = k->data_room = 0;
}

void kernel_symbols_free(struct kernel_symbols *k)
{
	if (!k)
		return;
	stop_reading(k);
	forget(k);
	kernel_wanted_free(&k->wanted);
	free(k);
}

void kernel_symbols_want(struct kernel_symbols *k, const uint64_t *addresses, size_t n)
{
	if (!k->begun)
		kernel_wanted_read(&k->wanted, k->kallsyms, addresses, n);
}

const char *kernel_symbols_lack(const struct kernel_symbols *k)
{
	return k->begun && k->lack[0] ? k->lack : NULL;
}

static int no_memory(struct kernel_symbols *k)
{
	snprintf(k->lack, sizeof(k->lack), "out of memory for the kernel's symbols");
	return -1;
}

/* ---- keeping symbols ---- */

static int room(void *array, size_t *have, size_t want)
{
	char **a = array, *grown;
	size_t n = *have + *have / 2 + 4096;

	if (want <= *have)
		return 0;
	n = n < want ? want : n;
	grown = realloc(*a, n);
	if (!grown)
		return -1;
	*a = grown;
	*have = n;
	return 0;
}

static int begin_run(struct kernel_symbols *k, uint64_t address, uint32_t module)
{
	if (k->n_runs == RUNS_MOST) {
		snprintf(k->lack, sizeof(k->lack), "/proc/kallsyms is in no order that is known");
		return -1;
	}
	if (array_room(&k->runs, k->n_runs, sizeof(*k->runs)))
		return no_memory(k);
	k->runs[k->n_runs++] = (struct run){
		.from = address, .last = address, .block = k->n_blocks, .module = module,
	};
	return 0;
}

static int begin_block(struct kernel_symbols *k, uint32_t distance)
{
	if (array_room(&k->blocks, k->n_blocks, sizeof(*k->blocks)) || k->n_data > UINT32_MAX)
		return no_memory(k);
	k->blocks[k->n_blocks++] = (struct block){ distance, (uint32_t)k->n_data };
	return 0;
}

static void put_distance(struct kernel_symbols *k, uint64_t distance)
{
	for (; distance > 127; distance >>= 7)
		k->data[k->n_data++] = (uint8_t)(distance | 128);
	k->data[k->n_data++] = (uint8_t)distance;
}

static int keep(struct kernel_symbols *k, uint64_t address, const char *name, size_t length,
		uint32_t module)
{
	struct run *run = k->n_runs ? &k->runs[k->n_runs - 1] : NULL;
	size_t n;

	if (length > WORDS_NAME_MOST)
		return 0;
	if (!run || run->end || run->module != module || address < run->last ||
	    address - run->from > UINT32_MAX) {
		if (begin_run(k, address, module))
			return -1;
		run = &k->runs[k->n_runs - 1];
	} else if (run->n && address == run->last) {
		return 0;
	}
	if (room(&k->data, &k->data_room, k->n_data + 10 + 3 * length))
		return no_memory(k);
	if (run->n % BLOCK)
		put_distance(k, address - run->last);
	else if (begin_block(k, (uint32_t)(address - run->from)))
		return -1;
	n = words_encode(&k->words, name, length, k->data + k->n_data);
	if (!n)
		return no_memory(k);
	k->n_data += n;
	run->n++;
	run->last = address;
	return 0;
}

/* ---- reading ---- */

static int by_address(const void *a, const void *b)
{
	const struct loose *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;	/* in the order of kallsyms */
}

/* Keeps the symbols of a module, sorted, once all of them were read. */
static int keep_loose(struct kernel_symbols *k)
{
	if (k->n_loose)
		qsort(k->loose, k->n_loose, sizeof(*k->loose), by_address);
	for (uint32_t i = 0; i < k->n_loose; i++) {
		const struct loose *l = &k->loose[i];

		if (keep(k, l->address, k->names + l->name, l->length, k->n_modules - 1))
			return -1;
	}
	k->n_loose = 0;
	k->n_names = 0;
	return 0;
}

static int loosen(struct kernel_symbols *k, const struct kallsyms_line *l)
{
	if (array_room(&k->loose, k->n_loose, sizeof(*k->loose)) ||
	    room(&k->names, &k->names_room, k->n_names + l->length))
		return no_memory(k);
	k->loose[k->n_loose++] = (struct loose){
		l->address, (uint32_t)k->n_names, (uint32_t)l->length,
	};
	memcpy(k->names + k->n_names, l->name, l->length);
	k->n_names += l->length;
	return 0;
}

static bool is_module(const struct kernel_symbols *k, const struct kallsyms_line *l)
{
	const char *last = k->n_modules ? k->modules[k->n_modules - 1] : NULL;

	return last && strlen(last) == l->module_length &&
		!memcmp(last, l->module, l->module_length);
}

static int begin_module(struct kernel_symbols *k, const struct kallsyms_line *l)
{
	if (keep_loose(k))
		return -1;
	if (array_room(&k->modules, k->n_modules, sizeof(*k->modules)) ||
	    !(k->modules[k->n_modules] = strndup(l->module, l->module_length)))
		return no_memory(k);
	k->n_modules++;
	return 0;
}

static int take(struct kernel_symbols *k, const struct kallsyms_line *l)
{
	if (!kallsyms_is_code(l) || line_is_label(l))
		return 0;
	if (!l->address) {
		k->hidden++;
		return 0;
	}
	k->found = true;
	if (!is_module(k, l) && begin_module(k, l))
		return -1;
	if (l->module_length)
		return loosen(k, l);
	if (!line_is_end(l))
		return keep(k, l->address, l->name, l->length, k->n_modules - 1);
	if (k->n_runs && k->runs[k->n_runs - 1].last <= l->address)
		k->runs[k->n_runs - 1].end = l->address;
	return 0;
}

/* "name size users others state 0xaddress": the module's code ends at address + size or before. */
static void take_module(struct kernel_symbols *k, const char *line)
{
	const char *at = line, *address = strstr(line, " 0x");
	uint64_t size, base;
	char name[64];

	if (!address || !scan_until(&at, " ", name, sizeof(name)) || !scan_text(&at, " ") ||
	    !scan_number(&at, UINT64_MAX, &size) || !scan_text(&address, " 0x") ||
	    !scan_hex(&address, UINT64_MAX, &base) || !base)
		return;
	for (uint32_t i = 0; i < k->n_runs; i++) {
		struct run *run = &k->runs[i];
		uint64_t end = run->last + FUNCTION_MOST;

		if (strcmp(k->modules[run->module], name) || run->from < base ||
		    run->from - base >= size)
			continue;
		run->end = end - base < size ? end : base + size;
	}
}

static void read_modules(struct kernel_symbols *k)
{
	char *text = file_text(k->modules_file, MODULES_MOST, NULL), *rest = text, *line;

	while (text && (line = strsep(&rest, "\n")))
		take_module(k, line);
	free(text);
}

static void say_hidden(struct kernel_symbols *k)
{
	char value[16];

	if (!file_line("/proc/sys/kernel/kptr_restrict", value, sizeof(value)))
		strcpy(value, "unknown");
	text_cut(k->lack, sizeof(k->lack),
		 "the kernel hides its addresses (kernel.kptr_restrict is %s): with 1 only root "
		 "with CAP_SYSLOG may see them, with 2 no user may", value);
}

static void end_reading(struct kernel_symbols *k, int got, int error)
{
	if (got < 0 && !k->lack[0])
		text_cut(k->lack, sizeof(k->lack), "/proc/kallsyms can't be read: %s",
			 strerror(error));
	else if (!got && !k->found)
		say_hidden(k);
	if (!k->lack[0] && keep_loose(k) == 0)
		read_modules(k);
	stop_reading(k);
	if (k->lack[0])
		forget(k);
}

static void begin_reading(struct kernel_symbols *k)
{
	k->begun = true;
	k->reader = malloc(sizeof(*k->reader));
	if (!k->reader) {
		no_memory(k);
	} else if (kallsyms_open(k->reader, k->kallsyms)) {
		free(k->reader);
		k->reader = NULL;
		text_cut(k->lack, sizeof(k->lack), "/proc/kallsyms can't be read: %s%s",
			 strerror(errno), errno == ENOENT ?
			 " (the kernel was built without CONFIG_KALLSYMS)" : "");
	}
}

/* Returns true if the address is in the kernel itself, and its symbol has been read. */
static bool is_passed(const struct kernel_symbols *k, uint64_t address)
{
	for (uint32_t i = 0; i < k->n_runs && !k->modules[k->runs[i].module][0]; i++)
		if (address >= k->runs[i].from && address < k->runs[i].last)
			return true;
	return false;
}

static void read_until(struct kernel_symbols *k, uint64_t address)
{
	struct kallsyms_line l;
	int got = 1, error = 0;

	if (!k->begun)
		begin_reading(k);
	while (k->reader && !is_passed(k, address)) {
		/* is_passed() is called once for many lines */
		for (int i = 0; i < 256 && got > 0; i++) {
			got = kallsyms_next(k->reader, &l);
			error = errno;
			if (got > 0 && take(k, &l))
				got = -1;
			else if (got > 0 && !k->found && k->hidden == HIDDEN)
				got = 0;
		}
		if (got <= 0)
			end_reading(k, got, error);
	}
}

/* ---- finding ---- */

static const struct block *find_block(const struct kernel_symbols *k, const struct run *run,
				      uint32_t distance)
{
	uint32_t low = 0, high = (run->n + BLOCK - 1) / BLOCK;

	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		if (k->blocks[run->block + middle].distance <= distance)
			low = middle;
		else
			high = middle;
	}
	return &k->blocks[run->block + low];
}

static const uint8_t *get_distance(const uint8_t *p, uint64_t *distance)
{
	unsigned int shift = 0;

	*distance = 0;
	do
		*distance |= (uint64_t)(*p & 127) << shift;
	while (shift += 7, *p++ & 128);
	return p;
}

/* The address of the last symbol at or before `address`. The run has one. *code: its name. */
static uint64_t find_in(const struct kernel_symbols *k, const struct run *run, uint64_t address,
			const uint8_t **code)
{
	const struct block *b = find_block(k, run, (uint32_t)(address - run->from));
	const uint32_t first = (uint32_t)(b - k->blocks - run->block) * BLOCK;
	uint32_t n = run->n - first;
	uint64_t at = run->from + b->distance;
	const uint8_t *p = k->data + b->data;

	*code = p;
	for (n = n < BLOCK ? n : BLOCK; n > 1; n--) {
		uint64_t distance;

		p = get_distance(words_skip(p), &distance);
		if (at + distance > address)
			break;
		at += distance;
		*code = p;
	}
	return at;
}

bool kernel_symbols_find(struct kernel_symbols *k, uint64_t address, char name[KERNEL_NAME],
			 uint64_t *start, const char **module)
{
	const uint8_t *code = NULL, *other;

	if (!k->begun && kernel_wanted_find(&k->wanted, address, name, start, module))
		return true;
	read_until(k, address);
	for (uint32_t i = 0; i < k->n_runs; i++) {
		const struct run *run = &k->runs[i];
		uint64_t at;

		if (address < run->from || address - run->from > UINT32_MAX || !run->n ||
		    address >= (run->end ? run->end : run->last + FUNCTION_MOST))
			continue;
		at = find_in(k, run, address, &other);
		if (code && at <= *start)
			continue;
		code = other;
		*start = at;
		*module = k->modules[run->module];
	}
	if (code)
		words_decode(&k->words, code, name, KERNEL_NAME);
	return code != NULL;
}
