// SPDX-License-Identifier: GPL-2.0
/*
 * json NAME...: reads JSON lines from stdin and prints the members of these names, tabs between, a
 * line for each row that has at least one of them; NAME may lead into objects ("end.lost"). Strings
 * come in the notation of the workload's own lines, lone surrogates U+DC80 to U+DCFF as the byte
 * they stand for; null and what is not there is `-`; objects and arrays come as they are. Exits 1
 * at the first line that is not a JSON object. Strict by purpose: no guest has another program to
 * tell whether JSON is valid.
 */
#include "work.h"

struct json {
	const char *at;
	int depth;
	char path[256];			/* of the value being read: "end.lost" */
	int n;
	char **names;
	char **values;			/* found, as printed; owned */
};

static bool value(struct json *j);

static void space(struct json *j)
{
	j->at += strspn(j->at, " \t\r");
}

static bool take(struct json *j, char c)
{
	space(j);
	if (*j->at != c)
		return false;
	j->at++;
	return true;
}

static int hex4(const char *s)
{
	int n = 0;

	for (int i = 0; i < 4; i++) {
		const char *digits = "0123456789abcdef", *d;

		if (!s[i] || !(d = strchr(digits, s[i] | 0x20)) || s[i] < '0')
			return -1;
		n = n << 4 | (d - digits);
	}
	return n;
}

static char *utf8(char *to, unsigned int c)
{
	if (c < 0x80) {
		*to++ = c;
	} else if (c < 0x800) {
		*to++ = 0xc0 | c >> 6;
		*to++ = 0x80 | (c & 0x3f);
	} else if (c < 0x10000) {
		*to++ = 0xe0 | c >> 12;
		*to++ = 0x80 | (c >> 6 & 0x3f);
		*to++ = 0x80 | (c & 0x3f);
	} else {
		*to++ = 0xf0 | c >> 18;
		*to++ = 0x80 | (c >> 12 & 0x3f);
		*to++ = 0x80 | (c >> 6 & 0x3f);
		*to++ = 0x80 | (c & 0x3f);
	}
	return to;
}

/* The bytes of a sequence of valid UTF-8 at s, 0 if it is none. */
static int utf8_length(const unsigned char *s)
{
	int more = *s < 0x80 ? 0 : *s < 0xc2 ? -1 : *s < 0xe0 ? 1 : *s < 0xf0 ? 2 :
		   *s < 0xf5 ? 3 : -1;

	for (int i = 1; i <= more; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) ||
	    (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f))
		return 0;
	return more + 1;
}

/* \uHHHH, or a pair of them; `to` moves on. */
static bool unicode(struct json *j, char **to)
{
	int c = hex4(j->at), low;

	if (c < 0)
		return false;
	j->at += 4;
	if (c >= 0xd800 && c < 0xdc00) {
		if (j->at[0] != '\\' || j->at[1] != 'u')
			return false;
		low = hex4(j->at + 2);
		if (low < 0xdc00 || low > 0xdfff)
			return false;
		j->at += 6;
		*to = utf8(*to, 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00));
	} else if (c >= 0xdc80 && c < 0xdd00) {
		*(*to)++ = c & 0xff;
	} else if (c >= 0xdc00 && c < 0xe000) {
		return false;
	} else {
		*to = utf8(*to, c);
	}
	return true;
}

/* The decoded bytes, owned by the caller, and their number; NULL: no string. */
static char *string(struct json *j, size_t *size)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	char *bytes, *to;

	if (!take(j, '"'))
		return NULL;
	bytes = to = malloc(strlen(j->at) + 1);
	while (*j->at != '"') {
		int length = utf8_length((const unsigned char *)j->at);
		const char *letter;

		if ((unsigned char)*j->at < ' ' || !length)
			goto bad;
		if (*j->at != '\\') {
			memcpy(to, j->at, length);
			to += length;
			j->at += length;
			continue;
		}
		j->at++;
		if (*j->at == 'u') {
			j->at++;
			if (!unicode(j, &to))
				goto bad;
			continue;
		}
		if (!*j->at || !(letter = strchr(letters, *j->at)))
			goto bad;
		*to++ = meant[letter - letters];
		j->at++;
	}
	j->at++;
	*size = to - bytes;
	*to = 0;
	return bytes;
bad:
	free(bytes);
	return NULL;
}

/* Keeps `size` printed bytes as the value of the path, if it is asked for. */
static void found(struct json *j, const char *bytes, size_t size, bool escape)
{
	for (int i = 0; i < j->n; i++) {
		char *to;

		if (strcmp(j->names[i], j->path))
			continue;
		free(j->values[i]);
		to = j->values[i] = malloc(size * 4 + 3);
		if (escape && !size)
			to += sprintf(to, "\\0");
		for (size_t k = 0; k < size; k++) {
			unsigned char b = bytes[k];

			if (escape && (b <= ' ' || b > '~' || b == '\\'))
				to += sprintf(to, "\\x%02x", b);
			else
				*to++ = b;
		}
		*to = 0;
	}
}

static bool number_or_word(struct json *j)
{
	static const char *const words[] = { "true", "false", "null" };
	const char *start = j->at, *s = start;

	for (int i = 0; i < 3; i++) {
		size_t length = strlen(words[i]);

		if (strncmp(s, words[i], length))
			continue;
		j->at += length;
		if (i != 2)
			found(j, words[i], length, false);
		return true;
	}
	s += *s == '-';
	if (*s == '0')
		s++;
	else if (*s >= '1' && *s <= '9')
		s += strspn(s, "0123456789");
	else
		return false;
	if (*s == '.') {
		size_t digits = strspn(s + 1, "0123456789");

		if (!digits)
			return false;
		s += digits + 1;
	}
	if (*s == 'e' || *s == 'E') {
		size_t digits;

		s++;
		s += *s == '+' || *s == '-';
		digits = strspn(s, "0123456789");
		if (!digits)
			return false;
		s += digits;
	}
	j->at = s;
	found(j, start, s - start, false);
	return true;
}

static bool object(struct json *j)
{
	size_t length = strlen(j->path);

	if (take(j, '}'))
		return true;
	do {
		size_t size;
		char *name = string(j, &size);
		bool good;

		if (!name)
			return false;
		snprintf(j->path + length, sizeof(j->path) - length, "%s%s", length ? "." : "",
			 name);
		free(name);
		good = take(j, ':') && value(j);
		j->path[length] = 0;
		if (!good)
			return false;
	} while (take(j, ','));
	return take(j, '}');
}

static bool array(struct json *j)
{
	size_t length = strlen(j->path);

	if (take(j, ']'))
		return true;
	snprintf(j->path + length, sizeof(j->path) - length, "[]");
	do {
		if (!value(j))
			return false;
	} while (take(j, ','));
	j->path[length] = 0;
	return take(j, ']');
}

static bool value(struct json *j)
{
	const char *start;
	bool good;

	space(j);
	start = j->at;
	if (*start == '"') {
		size_t size;
		char *bytes = string(j, &size);

		if (bytes)
			found(j, bytes, size, true);
		free(bytes);
		return bytes;
	}
	if (*start != '{' && *start != '[')
		return number_or_word(j);
	if (++j->depth > 32)
		return false;
	j->at++;
	good = *start == '{' ? object(j) : array(j);
	j->depth--;
	if (good)
		found(j, start, j->at - start, false);
	return good;
}

static int job_json(int argc, char **argv)
{
	struct json j = {
		.n = argc - 1, .names = argv + 1, .values = calloc(argc, sizeof(char *))
	};
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	int status = 0;

	for (long n = 1; !status && (length = getline(&line, &size, stdin)) > 0; n++) {
		bool any = false, good;

		if (line[length - 1] == '\n')
			line[--length] = 0;
		j.at = line;
		j.depth = 0;
		j.path[0] = 0;
		good = *line == '{' && value(&j);
		space(&j);
		if (!good || j.at != line + length) {
			fprintf(stderr, "work: line %ld is not a JSON object, at byte %ld: %s\n", n,
				(long)(j.at - line), line);
			status = 1;
		}
		for (int i = 0; i < j.n; i++)
			any |= j.values[i] != NULL;
		for (int i = 0; i < j.n; i++) {
			if (any && !status)
				say("%s%s", j.values[i] ? j.values[i] : "-",
				    i + 1 < j.n ? "\t" : "\n");
			free(j.values[i]);
			j.values[i] = NULL;
		}
	}
	free(line);
	free(j.values);
	return status;
}

const struct job json_jobs[] = {
	{ "json", "NAME...", 0, job_json,
	  "these members of JSON lines on stdin; fails if they are not valid" },
	{ 0 }
};
