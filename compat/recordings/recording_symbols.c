// SPDX-License-Identifier: GPL-2.0
#include "compat/recordings/recording_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/recordings/recording_internal.h"

static int more_names(struct recorded_symbols *s, size_t n)
{
	const size_t room = 2 * (s->names_size + n);
	char *names;

	if (s->names_room - s->names_size >= n)
		return 0;
	names = realloc(s->names, room);
	if (!names)
		return -1;
	s->names = names;
	s->names_room = room;
	return 0;
}

static int add_name(struct recorded_symbols *s, const char *name, size_t n)
{
	if (more_names(s, n + 1))
		return -1;
	memcpy(s->names + s->names_size, name, n);
	s->names[s->names_size + n] = '\0';
	s->names_size += n + 1;
	return 0;
}

struct recorded_symbols *recording_add_symbols(struct recording *r, const char *path,
					       const char *module)
{
	struct recorded_symbols *s;

	r->symbols.value_size = sizeof(*s);
	s = hash_add(&r->symbols, path, strlen(path) + 1);
	if (!s)
		return NULL;
	s->several |= s->begun;
	s->begun = true;
	s->kernel = module;
	return module && !s->several && add_name(s, module, strlen(module)) ? NULL : s;
}

int recorded_symbols_add(struct recorded_symbols *s, uint64_t at, uint64_t length,
			 const char *name, size_t n)
{
	const size_t where = s->names_size;

	if (array_room(&s->list, s->n, sizeof(*s->list)) || add_name(s, name, n))
		return -1;
	s->list[s->n++] = (struct recorded_symbol){ at, length, where };
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct recorded_symbol *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

void recorded_symbols_end(struct recorded_symbols *s)
{
	if (s->n)
		qsort(s->list, s->n, sizeof(*s->list), by_address);
}

void recording_free_symbols(struct recording *r)
{
	struct recorded_symbols *s;

	for (uint32_t at = 0; (s = hash_next(&r->symbols, &at));) {
		free(s->list);
		free(s->names);
	}
	hash_clear(&r->symbols);
}

int recording_each_symbols(const struct recording *r,
			   int (*each)(void *arg, const char *path,
				       const struct recorded_symbols *s),
			   void *arg)
{
	const struct recorded_symbols *s;
	int result = 0;

	for (uint32_t at = 0; !result && (s = hash_next(&r->symbols, &at));)
		if (s->n)
			result = each(arg, hash_key(&r->symbols, s), s);
	return result;
}

/* The last one that begins at the address or before, and reaches to it; of several, the first. */
static const struct recorded_symbol *find(const struct recorded_symbols *s, uint64_t address)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (s->list[middle].at <= address)
			low = middle + 1;
		else
			high = middle;
	}
	while (low > 1 && s->list[low - 2].at == s->list[low - 1].at)
		low--;
	return low && address - s->list[low - 1].at < s->list[low - 1].length ?
		&s->list[low - 1] : NULL;
}

const char *recording_symbol(const struct recording *r, const char *path, uint64_t position,
			     uint64_t *start)
{
	const struct recorded_symbols *s = hash_find(&r->symbols, path, strlen(path) + 1);
	const struct recorded_symbol *found = s && !s->several ? find(s, position + s->bias) : NULL;

	if (!found)
		return NULL;
	*start = found->at - s->bias;
	return s->names + found->name;
}

bool recording_names(const struct recording *r, const char *path)
{
	const struct recorded_symbols *s = hash_find(&r->symbols, path, strlen(path) + 1);

	return s && !s->several && s->n;
}

const char *recording_kernel_symbol(const struct recording *r, uint64_t address, uint64_t *start,
				    const char **module)
{
	const struct recorded_symbols *s;

	for (uint32_t at = 0; (s = hash_next(&r->symbols, &at));) {
		const struct recorded_symbol *found = s->kernel && !s->several ?
			find(s, address) : NULL;

		if (!found)
			continue;
		*start = found->at;
		*module = s->names;
		return s->names + found->name;
	}
	return NULL;
}
