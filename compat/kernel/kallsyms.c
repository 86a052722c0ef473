// SPDX-License-Identifier: GPL-2.0
#include "compat/kernel/kallsyms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int kallsyms_open(struct kallsyms_reader *r, const char *path)
{
	r->at = r->used = 0;
	r->fd = open(path ? path : "/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	return r->fd < 0 ? -1 : 0;
}

void kallsyms_close(struct kallsyms_reader *r)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}

/* Returns the place behind the address's digits. Returns NULL if there is no address. */
static const char *parse_address(const char *s, const char *end, uint64_t *address)
{
	uint64_t n = 0;
	const char *p;

	for (p = s; p < end && *p != ' '; p++) {
		unsigned int c = (unsigned char)*p, digit = c - '0' < 10 ? c - '0' :
			(c | 0x20) - 'a' < 6 ? (c | 0x20) - 'a' + 10 : 16;

		if (digit > 15)
			return NULL;
		n = n << 4 | digit;
	}
	*address = n;
	return p > s ? p : NULL;
}

static bool parse(const char *s, const char *end, struct kallsyms_line *line)
{
	const char *p = parse_address(s, end, &line->address), *tab;

	if (!p || end - p < 4 || p[2] != ' ')
		return false;
	line->type = p[1];
	line->name = p + 3;
	line->module = "";
	line->module_length = 0;
	tab = memchr(line->name, '\t', (size_t)(end - line->name));
	if (tab && end - tab > 2 && tab[1] == '[' && end[-1] == ']') {
		line->module = tab + 2;
		line->module_length = (size_t)(end - 1 - line->module);
	}
	line->length = (size_t)((tab ? tab : end) - line->name);
	return line->length > 0;
}

/*
 * Reads more bytes behind the bytes that were not handed out yet. Returns 1; 0 at the end; -1, and
 * sets errno, on failure.
 */
static int fill(struct kallsyms_reader *r)
{
	ssize_t n;

	memmove(r->buffer, r->buffer + r->at, r->used - r->at);
	r->used -= r->at;
	r->at = 0;
	/* A line that fills the buffer is not valid, and is dropped. */
	if (r->used == sizeof(r->buffer))
		r->used = 0;
	do
		n = read(r->fd, r->buffer + r->used, sizeof(r->buffer) - r->used);
	while (n < 0 && errno == EINTR);
	if (n > 0)
		r->used += (size_t)n;
	return n < 0 ? -1 : n > 0;
}

int kallsyms_next(struct kallsyms_reader *r, struct kallsyms_line *line)
{
	for (;;) {
		const char *s = r->buffer + r->at, *end = memchr(s, '\n', r->used - r->at);

		if (!end) {
			int more = fill(r);

			if (more <= 0)
				return more;
			continue;
		}
		r->at = (size_t)(end + 1 - r->buffer);
		if (parse(s, end, line))
			return 1;
	}
}

int kallsyms_find(const char *name, uint64_t *address)
{
	return kallsyms_find_in(NULL, name, address);
}

int kallsyms_find_in(const char *path, const char *name, uint64_t *address)
{
	struct kallsyms_reader *r = malloc(sizeof(*r));
	const size_t length = strlen(name);
	struct kallsyms_line line;
	int found = -1;

	if (!r || kallsyms_open(r, path)) {
		free(r);
		return -1;
	}
	do
		found = kallsyms_next(r, &line);
	while (found > 0 && (line.length != length || memcmp(line.name, name, length)));
	if (found > 0)
		*address = line.address;
	kallsyms_close(r);
	free(r);
	return found;
}

bool kallsyms_is_code(const struct kallsyms_line *line)
{
	return line->type && strchr("tTwW", line->type);
}

bool kallsyms_is_made(const struct kallsyms_line *line)
{
	static const char made[] = "__builtin__";

	return (line->module_length == 3 && !memcmp(line->module, "bpf", 3)) ||
		(line->module_length >= sizeof(made) - 1 &&
		 !memcmp(line->module, made, sizeof(made) - 1));
}
