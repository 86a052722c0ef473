// SPDX-License-Identifier: GPL-2.0
#include "src/session/listeners.h"

#include "src/lib/output/sink.h"
#include "src/run/options/common.h"

static const char *tee(const struct common_options *o)
{
	return o->tee;
}

static const struct {
	/* the option's value, which is for open(); NULL: it is not given */
	const char *(*option)(const struct common_options *o);
	const struct output_format *format;
	FILE *(*open)(const char *value, struct error *err);
} listeners[] = {
	{ tee, FORMAT_OF_FILES, sink_file },
};

int listeners_open(struct run *r, struct error *err)
{
	r->output = run_output_new(r, sink_rows(), options_format(r->options));
	if (!r->output)
		return fail(err, "out of memory");
	for (size_t i = 0; i < sizeof(listeners) / sizeof(listeners[0]); i++) {
		const char *value = listeners[i].option(common_of(r->options));
		struct output *listener;
		FILE *file;

		if (!value)
			continue;
		file = listeners[i].open(value, err);
		if (!file)
			return -1;
		listener = run_output_new(r, file, listeners[i].format);
		if (!listener)
			return fail(err, "out of memory");
		output_listen(r->output, listener);
	}
	return 0;
}
