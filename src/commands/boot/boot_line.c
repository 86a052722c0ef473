// SPDX-License-Identifier: GPL-2.0
#include "src/commands/boot/boot_line.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/argv.h"
#include "compat/base/array.h"
#include "compat/base/scan.h"

#define DURATION "60"
#define DURATION_MOST 86400
#define PREFIX "sonde."

static const char blanks[] = " \t\n";

/*
 * Takes the next parameter off, as the kernel does: a quote begins and ends a part that may have
 * blanks, anywhere in it. Returns it without quotes, which the caller frees; NULL without memory.
 */
static char *take_word(const char **at)
{
	char *word = malloc(strlen(*at) + 1), *to = word;
	bool quoted = false;

	for (; word && **at && (quoted || !strchr(blanks, **at)); ++*at) {
		if (**at == '"')
			quoted = !quoted;
		else
			*to++ = **at;
	}
	if (word)
		*to = '\0';
	return word;
}

static int set(char **to, const char *value)
{
	free(*to);
	*to = strdup(value);
	return *to ? 0 : -1;
}

static int take_path(struct boot_line *l, char **to, const char *name, const char *value)
{
	if (*value == '/')
		return set(to, value);
	lines_add(&l->mistakes, PREFIX "%s takes a path from the root on, not \"%s\"", name, value);
	return 0;
}

static int take_init(struct boot_line *l, const char *value)
{
	return take_path(l, &l->init, "init", value);
}

static int take_output(struct boot_line *l, const char *value)
{
	return take_path(l, &l->output, "output", value);
}

static int take_duration(struct boot_line *l, const char *value)
{
	const char *at = value;
	uint64_t seconds;

	if (scan_number(&at, DURATION_MOST, &seconds) && seconds && !*at)
		return set(&l->duration, value);
	lines_add(&l->mistakes, PREFIX "duration takes a number of seconds from 1 to %d, not "
		  "\"%s\"", DURATION_MOST, value);
	return 0;
}

static int add_word(char ***words, size_t *n, const char *word, size_t length)
{
	if (array_room(words, *n, sizeof(**words)))
		return -1;
	(*words)[*n] = word ? strndup(word, length) : NULL;
	return !word || (*words)[(*n)++] ? 0 : -1;
}

/*
 * Words as behind `sonde record`. Quotes are a nuisance in boot loaders: without a blank it is a
 * list of tools, or of tracepoints, with commas.
 */
static int take_record(struct boot_line *l, const char *value)
{
	const bool list = !strpbrk(value, blanks), events = list && strchr(value, ':');
	const char *ends = list && !events ? "," : blanks;
	size_t n = 0;
	int result = 0;

	argv_free(l->record);
	l->record = NULL;
	if (events)
		result = add_word(&l->record, &n, "-e", 2);
	while (!result && *(value += strspn(value, ends))) {
		const size_t length = strcspn(value, ends);

		if (list && n && !events)
			result = add_word(&l->record, &n, ",", 1);
		if (!result)
			result = add_word(&l->record, &n, value, length);
		value += length;
	}
	if (!result && !n)
		lines_add(&l->mistakes, PREFIX "record takes words as `sonde record` does");
	if (result || n)
		return result || add_word(&l->record, &n, NULL, 0) ? -1 : 0;
	return 0;
}

static const struct {
	const char *name;
	int (*take)(struct boot_line *l, const char *value);
} parameters[] = {
	{ "init", take_init }, { "output", take_output }, { "duration", take_duration },
	{ "record", take_record },
};

static int take(struct boot_line *l, const char *word)
{
	const char *name = word + strlen(PREFIX), *value = strchr(name, '=');

	if (strncmp(word, PREFIX, strlen(PREFIX)))
		return 0;
	for (size_t i = 0; value && i < sizeof(parameters) / sizeof(parameters[0]); i++)
		if (strlen(parameters[i].name) == (size_t)(value - name) &&
		    !strncmp(parameters[i].name, name, (size_t)(value - name)))
			return parameters[i].take(l, value + 1);
	lines_add(&l->mistakes, value ? "there is no parameter %.*s" : "%.*s has no value",
		  value ? (int)(value - word) : 100, word);
	return 0;
}

int boot_line_read(struct boot_line *l, const char *text, struct error *err)
{
	int result = 0;

	*l = (struct boot_line){ .mistakes.most = 8 };
	result = set(&l->duration, DURATION);
	while (!result && *(text += strspn(text, blanks))) {
		char *word = take_word(&text);

		/* What is behind it is for init. */
		if (word && !strcmp(word, "--")) {
			free(word);
			break;
		}
		result = word ? take(l, word) : -1;
		free(word);
	}
	return result ? fail(err, "out of memory") : 0;
}

void boot_line_free(struct boot_line *l)
{
	free(l->init);
	free(l->output);
	free(l->duration);
	argv_free(l->record);
	lines_free(&l->mistakes);
}
