// SPDX-License-Identifier: GPL-2.0
#include "src/lib/output/formats/formats.h"

#include <stdio.h>
#include <string.h>

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
	unsigned int used = 0;

	for (const struct output_format *f = formats; f->writer && used < size; f++)
		if (f->option)
			used += (unsigned int)snprintf(text + used, size - used, "%s--%s",
						       used ? ", " : "", f->option);
	if (used < size)
		snprintf(text + used, size - used, " and %s", last);
}

char *formats_usage(const char *usage)
{
	static const char all[] = "[--FORMAT]";
	const char *at = strstr(usage, all), *gap = "";
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		return NULL;
	fprintf(file, "%.*s", (int)(at ? (size_t)(at - usage) : strlen(usage)), usage);
	for (const struct output_format *f = formats; at && f->writer; f++) {
		if (!f->option)
			continue;
		fprintf(file, "%s[--%s]", gap, f->option);
		gap = " ";
	}
	if (at)
		fputs(at + strlen(all), file);
	fclose(file);
	return text;
}
