// SPDX-License-Identifier: GPL-2.0
#include "src/lib/output/formats/formats.h"

#include <string.h>

#include "compat/base/strbuf.h"

/* FORMAT(WRITER, option, title, help, properties): only these rows name writers. */
#define FORMATS(FORMAT) \
	FORMAT(text_writer, NULL, "text", NULL, .people = true) \
	FORMAT(json_writer, "json", "JSON", "JSON, an object a line", .objects = true) \
	FORMAT(csv_writer, "csv", "CSV", "comma-separated values", .one_table = true)

#define DECLARE(WRITER, ...) extern const struct output_listener WRITER;
FORMATS(DECLARE)
#define ROW(WRITER, OPTION, TITLE, HELP, ...) \
	{ OPTION, TITLE, HELP, &WRITER, __VA_ARGS__ },
const struct output_format formats[] = { FORMATS(ROW) { } };

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
