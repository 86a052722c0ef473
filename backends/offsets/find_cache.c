// SPDX-License-Identifier: GPL-2.0
/*
 * Two caches of the kernel's objects. A path is copied into an object of one cache, and a mapping
 * takes its objects from others. The name is the pointer whose text is a name of /proc/slabinfo, in
 * both caches another one.
 */
#include "backends/offsets/find_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/text.h"

#define CACHE_BYTES 256
#define NAME_BYTES 64
#define SLABINFO_BYTES (1 << 20)

static int use_path(void *arg, struct error *err)
{
	(void)arg;
	(void)err;
	access("/", F_OK);
	return 0;
}

static int use_mapping(void *arg, struct error *err)
{
	void *at = mmap(NULL, 4096, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	(void)arg;
	if (at == MAP_FAILED)
		return fail(err, "no memory can be mapped");
	munmap(at, 4096);
	return 0;
}

static int (*const uses[2])(void *arg, struct error *err) = { use_path, use_mapping };

/* A line of the list begins with the text. */
static bool is_listed(const char *list, const struct memory *m)
{
	char word[NAME_BYTES + 3];

	if (m->size < NAME_BYTES || !m->bytes[0] || !memchr(m->bytes, 0, NAME_BYTES))
		return false;
	text_all(word, sizeof(word), "\n%s ", (const char *)m->bytes);
	return strstr(list, word);
}

/* The structs of both caches. */
static int look_at(struct kernel *k, const char *function, struct specimen samples[2],
		   struct error *err)
{
	struct tap *t = tap_new(k, err);
	int cache = t ? tap_add(t, function, 1, -1, CACHE_BYTES, err) : -1;
	int result = cache < 0 ? -1 : 0;

	for (int i = 0; i < 2 && !result; i++) {
		const struct memory *m = tap_memory(t, cache);

		result = tap_fire(t, uses[i], NULL, err) ||
			find_keep(&samples[i], DUMP_CACHE, m, m->base, err) ? -1 : 0;
	}
	tap_free(t);
	return result;
}

/* What the pointers in both structs point to. */
static int look_behind(struct kernel *k, const char *function, const char *list,
		       struct specimen samples[2], struct error *err)
{
	const struct arch *a = kernel_arch(k);
	const struct memory *caches[2] = { &samples[0].dumps[DUMP_CACHE],
					   &samples[1].dumps[DUMP_CACHE] };
	int pieces[CACHE_BYTES / 4], result = 0;
	bool named[CACHE_BYTES / 4] = { false };
	struct tap *t = tap_new(k, err);

	for (uint32_t at = 0; t && at < CACHE_BYTES; at += a->word)
		pieces[at / 4] = text_pointer(caches[0], a, at) && text_pointer(caches[1], a, at) ?
				 tap_add(t, function, 1, (int32_t)at, NAME_BYTES, err) : -1;
	for (int i = 0; t && i < 2 && !result; i++) {
		result = tap_fire(t, uses[i], NULL, err);
		for (uint32_t at = 0; !result && at < CACHE_BYTES; at += a->word) {
			bool *is = &named[at / 4];

			*is = pieces[at / 4] >= 0 && (!i || *is) &&
				is_listed(list, tap_memory(t, pieces[at / 4]));
			if (*is && !samples[i].known[KNOWN_CACHE_NAME].size)
				specimen_know_number(&samples[i], a, KNOWN_CACHE_NAME,
						     text_pointer(caches[i], a, at), a->word);
		}
	}
	tap_free(t);
	return t ? result : -1;
}

int find_cache(struct kernel *k, struct specimen samples[2], struct error *err)
{
	/* 6.10 */
	const char *function = kernel_function(k, "kmem_cache_alloc_noprof") ?
		"kmem_cache_alloc_noprof" : "kmem_cache_alloc";
	char *list = file_text("/proc/slabinfo", SLABINFO_BYTES, NULL);
	int result = list ? look_at(k, function, samples, err) :
		fail(err, "/proc/slabinfo can't be read");

	if (!result)
		result = look_behind(k, function, list, samples, err);
	free(list);
	return result;
}
