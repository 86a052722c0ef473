// SPDX-License-Identifier: GPL-2.0
/* Tracepoints, by SYSTEM:EVENT. Probes of sonde have such names too, and are left out. */
#include "compat/listing/listing.h"

#include <stdlib.h>
#include <string.h>

#include "compat/kernel/doubt.h"

#define READS_MOST 8

/* Returns false for records that the tracers themselves write, and for probes of sonde. */
static bool is_event(const char *name)
{
	return strncmp(name, "ftrace:", 7) && strncmp(name, "sonde_", 6);
}

static int add_names(const char *all, const struct wanted_names *w, struct listing *to)
{
	static const struct listed tracepoint;
	char name[256];

	while (*all) {
		size_t n = strcspn(all, "\n");

		if (n && n < sizeof(name)) {
			memcpy(name, all, n);
			name[n] = '\0';
			if (is_event(name) && w->wanted(w->arg, name) &&
			    listing_add(to, &tracepoint, name, n))
				return -1;
		}
		all += n + (all[n] == '\n');
	}
	return 0;
}

static void drop_doubles(struct listing *l)
{
	unsigned int n = 0;

	listing_sort(l);
	for (unsigned int i = 0; i < l->n; i++)
		if (n && !strcmp(l->list[n - 1].name, l->list[i].name))
			listed_free(&l->list[i]);
		else
			l->list[n++] = l->list[i];
	l->n = n;
}

size_t tracepoint_mark(const char *s)
{
	return !strncmp(s, "t:", 2) ? 2 : !strncmp(s, "tracepoint:", 11) ? 11 : 0;
}

static int no_list(struct kernel *k, struct error *err)
{
	const struct feature_reason why = kernel_feature_reason(k, FEATURE_TRACEFS);
	char words[FEATURE_REASON];

	if (kernel_has(k, FEATURE_TRACEFS))
		return kernel_lacks(k, err, "tracefs has no list of tracepoints");
	feature_reason_words(&why, words, sizeof(words));
	return fail_with(err, why.error, "the list of tracepoints in tracefs can't be read: %s",
			 words);
}

/*
 * The kernel hands over the list page by page, and finds the beginning of each page by counting
 * lines. If a probe is added or removed meanwhile, a line comes twice or not at all. So the list is
 * read until a read tells nothing new.
 */
int list_tracepoints(struct kernel *k, const struct wanted_names *w, struct listing *to,
		     struct error *err)
{
	const unsigned int most = kernel_live(k) ? READS_MOST : 1;
	unsigned int before;
	size_t length;

	for (unsigned int i = 0; i < most; i++) {
		char *all = kernel_tracefs(k) ?
			    kernel_read(k, "tracefs:available_events", &length) : NULL;
		int result;

		if (!all)
			return no_list(k, err);
		before = to->n;
		result = add_names(all, w, to);
		free(all);
		if (result)
			return fail(err, "out of memory");
		drop_doubles(to);
		if (i && to->n == before)
			break;
	}
	return 0;
}
