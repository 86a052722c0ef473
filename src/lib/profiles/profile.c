// SPDX-License-Identifier: GPL-2.0
#include "src/lib/profiles/profile.h"

#include <stdlib.h>
#include <string.h>

struct profile *profile_new(void)
{
	struct profile *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->strings.value_size = p->frames.value_size = sizeof(struct profile_number);
	p->stacks.value_size = sizeof(struct profile_stack);
	if (hash_add(&p->strings, "", 0))
		return p;
	profile_free(p);
	return NULL;
}

void profile_free(struct profile *p)
{
	struct profile_stack *s;

	if (!p)
		return;
	for (uint32_t at = 0; (s = hash_next(&p->stacks, &at));)
		free(s->frames);
	hash_clear(&p->strings);
	hash_clear(&p->frames);
	hash_clear(&p->stacks);
	free(p);
}

/* The number of a key, new or not. Returns -1 if there is no memory. */
static int64_t number_of(struct hash *h, const void *key, size_t size)
{
	const uint32_t n = h->index.n;
	struct profile_number *number = hash_find(h, key, size);

	if (number)
		return number->number;
	number = hash_add(h, key, size);
	if (!number)
		return -1;
	*number = (struct profile_number){ n, (uint32_t)size };
	return n;
}

static int64_t string_number(struct profile *p, const char *s)
{
	return s ? number_of(&p->strings, s, strlen(s)) : 0;
}

static int64_t frame_number(struct profile *p, const struct profile_frame *f)
{
	const int64_t name = string_number(p, f->name), module = string_number(p, f->module);
	const uint32_t key[] = { (uint32_t)name, (uint32_t)module };

	return name < 0 || module < 0 ? -1 : number_of(&p->frames, key, sizeof(key));
}

int profile_add(struct profile *p, const char *comm, size_t comm_length, int64_t pid,
		const struct profile_frame *frames, uint32_t n, const uint64_t *values,
		struct error *err)
{
	/* the key: the name of the process, its id in two halves, then the frames */
	uint32_t key[3 + n];
	const int64_t name = number_of(&p->strings, comm, comm_length);
	struct profile_stack *s;

	if (name < 0)
		return fail(err, "out of memory");
	key[0] = (uint32_t)name;
	key[1] = (uint32_t)pid;
	key[2] = (uint32_t)(pid >> 32);
	for (uint32_t i = 0; i < n; i++) {
		const int64_t number = frame_number(p, &frames[i]);

		if (number < 0)
			return fail(err, "out of memory");
		key[3 + i] = (uint32_t)number;
	}
	s = hash_find(&p->stacks, key, sizeof(key));
	if (!s) {
		s = hash_add(&p->stacks, key, sizeof(key));
		if (!s || !(s->frames = malloc(n * sizeof(*s->frames) + 1)))
			return fail(err, "out of memory");
		s->comm = key[0];
		s->pid = pid;
		s->n = n;
		memcpy(s->frames, key + 3, n * sizeof(*s->frames));
	}
	for (unsigned int i = 0; i < PROFILE_VALUES; i++)
		s->values[i] += values[i];
	return 0;
}

void profile_each_string(const struct profile *p,
			 void (*each)(void *arg, const char *s, size_t n), void *arg)
{
	struct profile_number *number;

	for (uint32_t at = 0; (number = hash_next(&p->strings, &at));)
		each(arg, hash_key(&p->strings, number), number->length);
}

void profile_each_frame(const struct profile *p,
			void (*each)(void *arg, uint32_t name, uint32_t module), void *arg)
{
	struct profile_number *number;

	for (uint32_t at = 0; (number = hash_next(&p->frames, &at));) {
		const uint32_t *key = hash_key(&p->frames, number);

		each(arg, key[0], key[1]);
	}
}

void profile_each_stack(const struct profile *p,
			void (*each)(void *arg, const struct profile_stack *s), void *arg)
{
	struct profile_stack *s;

	for (uint32_t at = 0; (s = hash_next(&p->stacks, &at));)
		each(arg, s);
}

const char *profile_unit(const char *unit)
{
	static const char *const units[][2] = {
		{ "us", "microseconds" }, { "ns", "nanoseconds" }, { "ms", "milliseconds" },
		{ "bytes", "bytes" },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i][0], unit))
			return units[i][1];
	return NULL;
}
