// SPDX-License-Identifier: GPL-2.0
/* Words and numbers of a line. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backends/replay/readers/reader.h"

int reader_fails(struct reader *r, const char *what)
{
	return fail(r->err, "%s, line %u: %s, at \"%.40s\"", r->records->path, r->records->line,
		    what, r->at);
}

void reader_saw(struct reader *r, uint64_t from, uint64_t to)
{
	struct records *records = r->records;

	records->oldest = from < records->oldest ? from : records->oldest;
	records->newest = to > records->newest ? to : records->newest;
}

void reader_space(struct reader *r)
{
	while (isspace((unsigned char)*r->at))
		r->at++;
}

int reader_word(struct reader *r, char *word, size_t size)
{
	size_t n;

	reader_space(r);
	n = strcspn(r->at, " \t\n");
	if (!n || n >= size)
		return reader_fails(r, "a word is missing or too long");
	memcpy(word, r->at, n);
	word[n] = '\0';
	r->at += n;
	return 0;
}

int reader_number(struct reader *r, uint64_t *value)
{
	char *end;

	reader_space(r);
	errno = 0;
	*value = *r->at == '-' ? (uint64_t)strtoll(r->at, &end, 0) : strtoull(r->at, &end, 0);
	if (end == r->at || errno || (*end && !isspace((unsigned char)*end)))
		return reader_fails(r, "a number is expected");
	r->at = end;
	return 0;
}

int reader_cpu(struct reader *r, uint64_t *cpu)
{
	if (reader_number(r, cpu))
		return -1;
	return *cpu < RECORDS_CPUS ? 0 : reader_fails(r, "no such CPU (0 to 63)");
}
