// SPDX-License-Identifier: GPL-2.0
/* Filters by namespace: the option's name without "ns" is what /proc/PID/ns calls the type. */
#include "src/run/filters/filters_internal.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/tasks/namespace.h"

static int read_words(char *words, const struct filter_row *row, struct asked_filter *a,
		      uint64_t *ids, struct error *err)
{
	char type[16];
	struct error why;
	uint32_t number;
	char *word;

	text_all(type, sizeof(type), "%.*s", (int)(strlen(row->option) - strlen("ns")),
		 row->option);
	while ((word = strsep(&words, ","))) {
		if (namespace_number(word, type, &number, &why))
			return fail_with(err, why.number, "--%s: %s", row->option, why.text);
		ids[a->n++] = number;
	}
	return 0;
}

/* For engines that follow the tasks. */
static void note_scope(struct filters *f, const struct asked_filter *a)
{
	static const char *const options[] = { [SCOPE_MNTNS] = "mntns", [SCOPE_PIDNS] = "pidns" };

	for (unsigned int i = 0; i < SCOPE_NAMESPACES; i++)
		if (!strcmp(options[i], a->row->option))
			f->scope.namespaces[i] = (struct scope_ids){ a->ids, a->n };
	f->filter.scope = &f->scope;
}

int filter_namespaces(struct filters *f, const struct options *o, struct asked_filter *a,
		      struct error *err)
{
	const char *text = option_text(o, a->row->option);
	unsigned int most = 1;
	char *words;
	int result;

	if (!text)
		return 0;
	for (const char *c = text; *c; c++)
		most += *c == ',';
	words = strdup(text);
	result = !words ? fail(err, "out of memory") : filters_room(f, a, most, err);
	if (!result)
		result = read_words(words, a->row, a, f->ids[f->filter.n], err);
	free(words);
	if (!result)
		note_scope(f, a);
	return result;
}
