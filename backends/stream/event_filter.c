// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/event_filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int event_filter_add(struct event_filter *f, const char *filter)
{
	char *both;

	f->unfiltered |= !filter;
	if (f->unfiltered || (f->text && !strcmp(f->text, filter)))
		return 0;
	if (!f->text)
		return (f->text = strdup(filter)) ? 0 : -1;
	if (asprintf(&both, "(%s) || (%s)", f->text, filter) < 0)
		return -1;
	free(f->text);
	f->text = both;
	return 0;
}

const char *event_filter(const struct event_filter *f)
{
	return f->unfiltered ? NULL : f->text;
}
