// SPDX-License-Identifier: GPL-2.0
#include "backends/ftrace/ftrace_functions.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/tracefs/tracefs.h"
#include "compat/base/text.h"

#define FILTER "set_ftrace_filter"
/* On all machines the call to the tracer is at most so many bytes behind a function's beginning. */
#define CALL_MOST 32

/*
 * Writes the functions by their numbers in the list of all functions. For each name the kernel
 * would search the whole list. The kernel takes one word with each write(2), and applies all of
 * them when the file is closed.
 */
static int write_filter(int file, const struct many *functions)
{
	char word[16];

	for (unsigned int i = 0; i < functions->n; i++) {
		int n = snprintf(word, sizeof(word), "%u\n", functions->lines[i]);

		if (write(file, word, (size_t)n) != n)
			return errno ? -errno : -EIO;
	}
	return 0;
}

static unsigned int count_lines(const char *text)
{
	unsigned int n = 0;

	for (; text && *text; text++)
		n += *text == '\n';
	return n;
}

/* The list may have changed since it was read: a module came or went. */
static int check_filter(const char *instance, const struct many *functions, struct error *err)
{
	char *text = tracefs_text(instance, FILTER);
	unsigned int n = count_lines(text);
	bool all = text && strstr(text, "#### all functions");

	free(text);
	if (n == functions->n && !all)
		return 0;
	return fail(err, "the function tracer took %u of %u functions: a module came or went?\n"
			 "try again", all ? 0 : n, functions->n);
}

int ftrace_functions_set(const char *instance, const struct many *functions, struct error *err)
{
	char path[PATH_MAX];
	int file, error;

	text_all(path, sizeof(path), "%s/" FILTER, instance);
	file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (file < 0)
		return tracefs_fail(err, errno, "can't open %s", path);
	error = write_filter(file, functions);
	if (close(file) && !error)
		error = -errno;
	if (error)
		return tracefs_fail(err, -error, "can't write %s", path);
	if (check_filter(instance, functions, err))
		return -1;
	error = tracefs_write(instance, "current_tracer", "function");
	return error ? tracefs_fail(err, -error, "can't set the function tracer of %s", instance) :
		       0;
}

bool ftrace_functions_find(const struct many *functions, uint64_t address, uint64_t *number)
{
	unsigned int from = 0, to = functions->n;

	while (from < to) {
		unsigned int middle = (from + to) / 2;

		if (functions->addresses[middle] <= address)
			from = middle + 1;
		else
			to = middle;
	}
	if (!from || address - functions->addresses[from - 1] > CALL_MOST)
		return false;
	*number = functions->numbers[from - 1];
	return true;
}
