// SPDX-License-Identifier: GPL-2.0
#include "src/lib/output/formats/formats.h"

#include <string.h>

#include "compat/base/strbuf.h"

/* Only the table below names writers. */
extern const struct output_listener text_writer, json_writer, csv_writer;

const struct output_format formats[] = {
	{ NULL, "text", NULL, &text_writer, .people = true },
	{ "json", "JSON", "JSON, an object a line", &json_writer, .objects = true },
	{ "csv", "CSV", "comma-separated values", &csv_writer, .one_table = true },
	{ }
};

void formats_list(char *text, unsigned int size, const char *last)
{
	struct strbuf list = strbuf_over(text, size);

	for (const struct output_format *f = formats; f->writer; f++)
		if (f->option)
			strbuf_addf(&list, "%s--%s", list.n ? ", " : "", f->option);
	strbuf_addf(&list, " and %s", last);
}

char *formats_usage(const char *usage)
{
	static const char all[] = "[--FORMAT]";
	const char *at = strstr(usage, all), *gap = "";
	struct strbuf text = { };

	strbuf_add(&text, usage, at ? (size_t)(at - usage) : strlen(usage));
	for (const struct output_format *f = formats; at && f->writer; f++) {
		if (!f->option)
			continue;
		strbuf_addf(&text, "%s[--%s]", gap, f->option);
		gap = " ";
	}
	if (at)
		strbuf_addf(&text, "%s", at + strlen(all));
	return strbuf_take(&text);
}
