// SPDX-License-Identifier: GPL-2.0
#include "src/session/listeners.h"

#include "src/lib/metrics/metrics_listener.h"
#include "src/lib/options/options_rows.h"
#include "src/lib/output/sink.h"

/* One that the option of this row asks for. */
static int add(struct run *r, const struct option_row *row, struct error *err)
{
	const struct option_listener *l = row->listener;
	const char *name = row->option.name;
	FILE *file = l->open ? l->open(name, option_text(r->options, name), err) : NULL;
	struct output *listener;

	if (l->open && !file)
		return -1;
	listener = run_output_new(r, file, l->format);
	if (!listener)
		return fail(err, "out of memory");
	output_listen(r->output, listener);
	return 0;
}

int listeners_open(struct run *r, struct error *err)
{
	unsigned int n;
	const struct option_row *row = options_rows(r->options, &n);

	r->output = r->metrics ? run_output_new(r, NULL, &metrics_format) :
		    run_output_new(r, sink_rows(), options_format(r->options));
	if (!r->output)
		return fail(err, "out of memory");
	for (; n; n--, row++)
		if (row->listener && option_given(r->options, row->option.name) &&
		    add(r, row, err))
			return -1;
	return 0;
}
