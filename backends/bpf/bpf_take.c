// SPDX-License-Identifier: GPL-2.0
#include "backends/bpf/bpf_take.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "backends/bpf/bpf_epoch.h"
#include "compat/base/bpf.h"
#include "insns/combine.h"

/* Entries that were taken out of a hash but not handed over yet: each is a key and its value. */
struct rows {
	unsigned char *bytes;
	unsigned int n, room;
	unsigned int switches;	/* number of epochs that were emptied into the rows */
};

struct result {
	uint64_t *last;		/* arrays: all numbers of all entries, at the last take */
	struct rows rows;	/* hashes */
};

struct bpf_take {
	struct bpf_take_setup s;
	uint32_t epoch;		/* the epoch that programs fill now */
	bool switched;		/* the epoch was switched in this round */
	bool stopped;
	bool has_runs;		/* programs that still run move counts from one map to another */
	struct result *results;	/* one for each map */
};

static bool is_result_hash(const struct map *m)
{
	return m->role == ROLE_RESULT && m->kind == MAP_HASH;
}

static bool is_result_array(const struct map *m)
{
	return m->role == ROLE_RESULT && (m->kind == MAP_ARRAY || m->kind == MAP_PERCPU_ARRAY);
}

/* How many numbers an entry has: result maps hold u64. */
static unsigned int numbers(const struct map *m)
{
	return m->value_size / sizeof(uint64_t);
}

/* The map in which programs count runs of this map's keys (struct map); NULL: there is none. */
static const struct map *run_of(const struct bpf_take *t, const struct map *m)
{
	for (unsigned int i = 0; m->run && i < t->s.n; i++)
		if (!strcmp(t->s.maps[i].name, m->run))
			return &t->s.maps[i];
	return NULL;
}

static int check_result(const struct map *m, struct error *err)
{
	if (m->value_size % sizeof(uint64_t) || !m->value_size)
		return fail(err, "the map %s: the values of a result map are u64 counts", m->name);
	if (is_result_hash(m) && m->key_size < sizeof(uint32_t))
		return fail(err, "the map %s: the keys of a result map begin with an epoch",
			    m->name);
	return 0;
}

struct bpf_take *bpf_take_new(const struct bpf_take_setup *s, struct error *err)
{
	struct bpf_take *t = calloc(1, sizeof(*t));

	if (t)
		t->results = calloc(s->n + 1, sizeof(*t->results));
	if (!t || !t->results)
		goto no_memory;
	t->s = *s;
	for (unsigned int i = 0; i < s->n; i++) {
		const struct map *m = &s->maps[i];

		if (!is_result_array(m) && !is_result_hash(m))
			continue;
		t->has_runs |= run_of(t, m) != NULL;
		if (check_result(m, err)) {
			bpf_take_free(t);
			return NULL;
		}
		if (!is_result_array(m))
			continue;
		t->results[i].last = calloc(m->entries, m->value_size);
		if (!t->results[i].last)
			goto no_memory;
	}
	return t;

no_memory:
	bpf_take_free(t);
	fail(err, "out of memory");
	return NULL;
}

void bpf_take_free(struct bpf_take *t)
{
	if (!t)
		return;
	for (unsigned int i = 0; t->results && i < t->s.n; i++) {
		free(t->results[i].last);
		free(t->results[i].rows.bytes);
	}
	free(t->results);
	free(t);
}

void bpf_take_round(struct bpf_take *t)
{
	t->switched = false;
}

static int set_epoch(const struct bpf_take *t, uint64_t epoch)
{
	static const uint32_t key;

	return t->s.epoch < 0 ? 0 : bpf_map_update_elem(t->s.epoch, &key, &epoch, BPF_ANY);
}

void bpf_take_hold(const struct bpf_take *t)
{
	set_epoch(t, EPOCH_STOPPED);
}

int bpf_take_start(const struct bpf_take *t, struct error *err)
{
	const int error = set_epoch(t, t->epoch);

	return error ? fail_with(err, -error, "can't begin to fill maps: %m") : 0;
}

/* If switching fails, programs add to the map while it is taken. Only joins may then be wrong. */
void bpf_take_stop(struct bpf_take *t)
{
	set_epoch(t, EPOCH_STOPPED);
	t->stopped = true;
	t->switched = false;
}

static bool all_zero(const void *value, unsigned int size)
{
	const unsigned char *p = value;

	while (size && !*p) {
		p++;
		size--;
	}
	return !size;
}

static int failed(const struct map *m, int error, struct error *err)
{
	return fail_with(err, error, "can't read the map %s: %m", m->name);
}

static int take_array(struct bpf_take *t, unsigned int map, entry_fn entry, void *arg,
		      struct error *err)
{
	const struct map *m = &t->s.maps[map];
	unsigned int n = numbers(m), cpus = t->s.cpus[map];
	uint64_t *values = malloc((size_t)cpus * m->value_size), *now = malloc(m->value_size);
	int result = values && now ? 0 : fail(err, "out of memory");

	for (uint32_t key = 0; !result && key < m->entries; key++) {
		uint64_t *last = &t->results[map].last[(size_t)key * n];
		int error = bpf_map_lookup_elem(t->s.fds[map], &key, values);

		if (error) {
			result = failed(m, -error, err);
			break;
		}
		for (unsigned int i = 0; i < n; i++) {
			uint64_t total = 0;

			for (unsigned int cpu = 0; cpu < cpus; cpu++)
				total += values[cpu * n + i];
			now[i] = total - last[i];
			last[i] = total;
		}
		if (entry && !all_zero(now, m->value_size))
			entry(arg, &key, now);
	}
	free(values);
	free(now);
	return result;
}

/*
 * Waits for running programs, which may have read the old epoch. Programs run in an RCU read
 * section, and this membarrier waits for such sections, if more than one CPU is online.
 */
void bpf_take_wait(const struct bpf_take *t)
{
	/* For kernels without membarrier: much longer than a program runs. */
	const struct timespec pause = { .tv_nsec = 20000000 };

	if (kernel_has(t->s.kernel, FEATURE_MEMBARRIER) && sysconf(_SC_NPROCESSORS_ONLN) > 1 &&
	    !syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		return;
	nanosleep(&pause, NULL);
}

static int rows_reserve(struct rows *rows, unsigned int more, size_t size)
{
	unsigned char *bytes;

	if (rows->n + more <= rows->room)
		return 0;
	bytes = realloc(rows->bytes, (rows->n + more) * size);
	if (!bytes)
		return -1;
	rows->bytes = bytes;
	rows->room = rows->n + more;
	return 0;
}

/* Moves the entries of one epoch from the kernel's map to the rows. */
static int empty_epoch(struct bpf_take *t, unsigned int map, uint32_t epoch)
{
	const struct map *m = &t->s.maps[map];
	struct rows *rows = &t->results[map].rows;
	size_t size = m->key_size + m->value_size;
	bool batch = kernel_has(t->s.kernel, FEATURE_BPF_BATCH);
	struct bpf_entries taken;
	int result = bpf_epoch_take(t->s.fds[map], m, epoch, batch, &taken);

	if (!result && rows_reserve(rows, taken.n, size))
		result = -ENOMEM;
	for (unsigned int i = 0; !result && i < taken.n; i++) {
		const unsigned char *key = taken.keys + (size_t)i * m->key_size,
				    *value = taken.values + (size_t)i * m->value_size;
		unsigned char *row = rows->bytes + rows->n * size;

		if (all_zero(value, m->value_size))
			continue;
		memcpy(row, key, m->key_size);
		memset(row, 0, sizeof(epoch));
		memcpy(row + m->key_size, value, m->value_size);
		rows->n++;
	}
	rows->switches++;
	bpf_entries_free(&taken);
	return result;
}

/* The same for the runs of this epoch, one for each CPU, which no program changes any more. */
static int empty_runs(struct bpf_take *t, unsigned int map, uint32_t epoch)
{
	const struct map *m = &t->s.maps[map], *run = run_of(t, m);
	unsigned int number = run ? (unsigned int)(run - t->s.maps) : 0, cpus = t->s.cpus[number];
	struct rows *rows = &t->results[map].rows;
	size_t size = m->key_size + m->value_size;
	unsigned char *values;
	unsigned int before = rows->n;
	int result;

	if (!run)
		return 0;
	values = malloc(cpus * size);
	result = !values || rows_reserve(rows, cpus, size) ? -ENOMEM :
		 bpf_map_lookup_elem(t->s.fds[number], &epoch, values);
	for (unsigned int cpu = 0; !result && cpu < cpus; cpu++) {
		const unsigned char *value = values + cpu * size;
		unsigned char *row = rows->bytes + rows->n * size;

		if (all_zero(value + m->key_size, m->value_size))
			continue;
		memcpy(row, value, size);
		memset(row, 0, sizeof(epoch));
		rows->n++;
	}
	if (!result && rows->n > before) {
		memset(values, 0, cpus * size);
		result = bpf_map_update_elem(t->s.fds[number], &epoch, values, BPF_ANY);
	}
	free(values);
	return result;
}

static int compare_rows(const void *a, const void *b, void *key_size)
{
	return memcmp(a, b, *(const uint16_t *)key_size);
}

/* Combines all rows of a key, which may be of several epochs, to one row. */
static void fold(struct rows *rows, const struct map *m)
{
	size_t size = m->key_size + m->value_size;
	uint16_t key_size = m->key_size;
	unsigned int kept = 0;

	if (!rows->n)
		return;
	qsort_r(rows->bytes, rows->n, size, compare_rows, &key_size);
	for (unsigned int i = 0; i < rows->n; i++) {
		unsigned char *row = rows->bytes + i * size,
			      *last = rows->bytes + (kept ? kept - 1 : 0) * size;

		if (!kept || memcmp(row, last, key_size)) {
			memmove(rows->bytes + kept++ * size, row, size);
			continue;
		}
		map_combine(m, last + key_size, row + key_size);
	}
	rows->n = kept;
}

/*
 * Makes programs fill the other epoch, and empties the epoch that they leave. All maps share the
 * epoch, so all are emptied. Entries of maps that are not taken now wait in their rows.
 */
static int switch_epoch(struct bpf_take *t, struct error *err)
{
	const uint32_t old = t->epoch, next = !old;
	int error;

	if (!t->stopped) {
		error = set_epoch(t, next);
		if (error)
			return fail_with(err, -error, "can't switch the epoch of maps: %m");
		t->epoch = next;
	}
	if (!t->stopped || t->has_runs)
		bpf_take_wait(t);
	t->switched = true;
	for (unsigned int i = 0; i < t->s.n; i++) {
		if (!is_result_hash(&t->s.maps[i]))
			continue;
		error = empty_epoch(t, i, old);
		if (!error)
			error = empty_runs(t, i, old);
		if (error)
			return failed(&t->s.maps[i], -error, err);
		if (t->results[i].rows.switches > 1 || run_of(t, &t->s.maps[i]))
			fold(&t->results[i].rows, &t->s.maps[i]);
	}
	return 0;
}

static int take_hash(struct bpf_take *t, unsigned int map, entry_fn entry, void *arg,
		     struct error *err)
{
	const struct map *m = &t->s.maps[map];
	struct rows *rows = &t->results[map].rows;
	size_t size = m->key_size + m->value_size;
	uint64_t *value = malloc(m->value_size), *key = malloc(m->key_size);
	int result = value && key ? 0 : fail(err, "out of memory");

	/* The take of another map in this round may have emptied this map already. */
	if (!result && !(t->switched && rows->switches))
		result = switch_epoch(t, err);
	for (unsigned int i = 0; !result && entry && i < rows->n; i++) {
		/* Copied: rows are not aligned, and keys and values have numbers in them. */
		memcpy(key, rows->bytes + i * size, m->key_size);
		memcpy(value, rows->bytes + i * size + m->key_size, m->value_size);
		entry(arg, key, value);
	}
	if (!result)
		rows->n = rows->switches = 0;
	free(value);
	free(key);
	return result;
}

static int look_through(struct bpf_take *t, unsigned int map, entry_fn entry, void *arg,
			struct error *err)
{
	const struct map *m = &t->s.maps[map];
	struct bpf_entries all;
	int error = bpf_entries_read(t->s.fds[map], m, kernel_has(t->s.kernel, FEATURE_BPF_BATCH),
				     &all);
	int whole = all.whole;

	for (unsigned int i = 0; !error && i < all.n; i++) {
		const unsigned char *value = all.values + (size_t)i * m->value_size;

		if (!all_zero(value, m->value_size))
			entry(arg, all.keys + (size_t)i * m->key_size, value);
	}
	bpf_entries_free(&all);
	return error ? failed(m, -error, err) : whole;
}

/* The rows of a result map have entries that were taken out of the map but not handed over yet. */
int bpf_take_look(struct bpf_take *t, unsigned int map, entry_fn entry, void *arg,
		  struct error *err)
{
	const struct map *m = &t->s.maps[map];
	const struct rows *rows = &t->results[map].rows;
	const size_t size = m->key_size + m->value_size;

	for (unsigned int i = 0; i < rows->n; i++)
		entry(arg, rows->bytes + i * size, rows->bytes + i * size + m->key_size);
	return look_through(t, map, entry, arg, err);
}

int bpf_take(struct bpf_take *t, unsigned int map, entry_fn entry, void *arg, struct error *err)
{
	const struct map *m = &t->s.maps[map];

	if (is_result_array(m))
		return take_array(t, map, entry, arg, err);
	if (is_result_hash(m))
		return take_hash(t, map, entry, arg, err);
	/*
	 * All entries that stay in the map. Entries that programs delete meanwhile are left out;
	 * after bpf_take_stop() there are none.
	 */
	if (m->kind != MAP_HASH && m->kind != MAP_ARRAY)
		return fail(err, "the map %s holds no results", m->name);
	if (t->stopped)
		bpf_take_wait(t);
	return look_through(t, map, entry, arg, err) < 0 ? -1 : 0;
}
