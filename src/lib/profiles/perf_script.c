// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks as the text of `perf script`, which has samples and no counts: a count is so many samples,
 * each 1 ms behind the one before it of its process. Times and sizes are periods of one sample, and
 * so is every count of a file that would get too long.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/escape.h"
#include "src/lib/profiles/profile.h"

#define SAMPLES_MOST 1000000

struct perf_script {
	const struct profile *p;
	FILE *file;
	const char **strings;		/* by number; they end with their length, not with a NUL */
	size_t *lengths;
	uint32_t n_strings;
	struct profile_frame_numbers { uint32_t name, module; } *frames;	/* by number */
	uint32_t n_frames;
	struct hash times;		/* by process: uint64_t, ms */
	unsigned int value;		/* the number of the kind of value */
	uint64_t sum;			/* of all its values */
	bool failed;
};

static void keep_string(void *arg, const char *s, size_t n)
{
	struct perf_script *ps = arg;

	ps->strings[ps->n_strings] = s;
	ps->lengths[ps->n_strings++] = n;
}

static void keep_frame(void *arg, uint32_t name, uint32_t module)
{
	struct perf_script *ps = arg;

	ps->frames[ps->n_frames++] = (struct profile_frame_numbers){ name, module };
}

static void put_string(struct perf_script *ps, uint32_t number)
{
	escape_text(ps->file, ps->strings[number], ps->lengths[number]);
}

static void put_module(struct perf_script *ps, uint32_t number)
{
	const char *s = ps->strings[number];
	const size_t n = ps->lengths[number];

	if (!n)
		fputs("[unknown]", ps->file);
	else if ((n == 6 && !memcmp(s, "kernel", 6)) || (n == 8 && !memcmp(s, "[kernel]", 8)))
		fputs("[kernel.kallsyms]", ps->file);
	else
		put_string(ps, number);
}

static uint64_t *time_of(struct perf_script *ps, const struct profile_stack *s)
{
	const int64_t key[] = { s->pid, s->comm };
	uint64_t *time = hash_add(&ps->times, key, sizeof(key));

	ps->failed |= !time;
	return time;
}

/* Readers want a process: 0 is an unknown one. Addresses are not known any more. */
static void put_sample(struct perf_script *ps, const struct profile_stack *s, uint64_t ms,
		       uint64_t period)
{
	put_string(ps, s->comm);
	fprintf(ps->file, " %5" PRId64 " %5" PRIu64 ".%03u000: ", s->pid < 0 ? 0 : s->pid,
		ms / 1000, (unsigned int)(ms % 1000));
	if (period)
		fprintf(ps->file, "%10" PRIu64 " ", period);
	fprintf(ps->file, "%s:%s:\n", ps->p->name, ps->p->units[ps->value]);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct profile_frame_numbers *f = &ps->frames[s->frames[i]];

		fputs("\t               0 ", ps->file);
		put_string(ps, f->name);
		fputs(" (", ps->file);
		put_module(ps, f->module);
		fputs(")\n", ps->file);
	}
	fputc('\n', ps->file);
}

static void put_stack(void *arg, const struct profile_stack *s)
{
	struct perf_script *ps = arg;
	const uint64_t value = s->values[ps->value];
	const bool is_count = !profile_unit(ps->p->units[ps->value]) && ps->sum <= SAMPLES_MOST;
	uint64_t *time = value ? time_of(ps, s) : NULL;

	if (!time)
		return;
	for (uint64_t i = 0; i < (is_count ? value : 1); i++)
		put_sample(ps, s, ++*time, is_count ? 0 : value);
}

static void add_value(void *arg, const struct profile_stack *s)
{
	struct perf_script *ps = arg;

	ps->sum += s->values[ps->value];
}

static void put_all(struct perf_script *ps)
{
	for (; ps->value < PROFILE_VALUES && ps->p->units[ps->value]; ps->value++) {
		ps->sum = 0;
		profile_each_stack(ps->p, add_value, ps);
		profile_each_stack(ps->p, put_stack, ps);
	}
}

int profile_perf_script(FILE *file, const struct profile *p, struct error *err)
{
	const uint32_t strings = profile_strings(p), frames = p->frames.index.n;
	struct perf_script ps = {
		.p = p, .file = file, .strings = calloc(strings, sizeof(*ps.strings)),
		.lengths = calloc(strings, sizeof(*ps.lengths)),
		.frames = calloc(frames + 1, sizeof(*ps.frames)),
		.times.value_size = sizeof(uint64_t),
	};

	ps.failed = !ps.strings || !ps.lengths || !ps.frames;
	if (!ps.failed) {
		profile_each_string(p, keep_string, &ps);
		profile_each_frame(p, keep_frame, &ps);
		put_all(&ps);
	}
	free(ps.strings);
	free(ps.lengths);
	free(ps.frames);
	hash_clear(&ps.times);
	return ps.failed ? fail(err, "out of memory") : 0;
}
