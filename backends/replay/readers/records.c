// SPDX-License-Identifier: GPL-2.0
/* Reading a file of records: its parts, its lines, and who reads a line. */
#include "backends/replay/readers/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backends/replay/readers/reader.h"

#define LINE_SIZE (64 << 10)	/* room for a record of escaped texts */

/* Events come last: their lines begin with no word. */
static const struct record_reader *const readers[] = {
	&gap_reader, &task_reader, &run_reader, &clock_reader, &switches_reader, &event_reader,
};

static const struct record_reader *reader_of(const char *line)
{
	unsigned int i = 0;

	while (strncmp(line, readers[i]->word, strlen(readers[i]->word)))
		i++;
	return readers[i];
}

static int read_line(struct reader *r, char *line)
{
	struct records *records = r->records;
	const size_t n = strcspn(line, "\n");
	const struct record_reader *reader;

	records->line++;
	r->at = line;
	if (!line[n] && !feof(records->file))
		return reader_fails(r, "the line is too long, or has a NUL");
	line[n] = '\0';
	reader_space(r);
	if (!*r->at || *r->at == '#')
		return 0;
	reader = reader_of(r->at);
	r->at += strlen(reader->word);
	return reader->read(r);
}

int records_read(struct records *records, struct error *err)
{
	struct reader r = { .records = records, .err = err };
	char *line = malloc(LINE_SIZE);
	int result = line ? 0 : fail(err, "out of memory");

	while (!result && !r.part && !kernel_stopped(records->kernel, NULL)) {
		if (fgets(line, LINE_SIZE, records->file)) {
			result = read_line(&r, line);
			continue;
		}
		/* A signal that ends the run ends a wait for a pipe's writer as well. */
		if (ferror(records->file) && errno != EINTR)
			result = fail_with(err, errno, "can't read %s: %m", records->path);
		records->read = true;
		records->until = records->newest;
		break;
	}
	free(line);
	return result;
}
