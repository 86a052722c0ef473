/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_JSON_H
#define SONDE_SELFTEST_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A reader of JSON rows that allocates nothing: a value is a piece of the text, which the caller
 * owns. The other functions expect what json_read() has found valid; they never read past a value's
 * end.
 */
struct json {
	const char *s;
	size_t n;
};

/*
 * The one value that a text of n bytes consists of; false: the JSON is not valid, more follows, or
 * it is deeper than JSON_DEPTH.
 */
#define JSON_DEPTH 16
bool json_read(const char *s, size_t n, struct json *v);

/*
 * The elements of an array or the members of an object, one after the other; `name` is as written,
 * without its quotes.
 */
struct json_walk {
	const char *at, *end;
	bool object;
};
struct json_walk json_walk(struct json v);
bool json_next(struct json_walk *w, struct json *name, struct json *v);

/* A member of an object, by its name as it is written. */
bool json_member(struct json object, const char *name, struct json *v);

bool json_null(struct json v);
/* A whole number, also in quotes: integers above 2^53 are written so. */
bool json_integer(struct json v, int64_t *n);
/*
 * Copies a string's bytes and a NUL, as far as they fit; returns their number. "" if it is no
 * string.
 */
size_t json_text(struct json v, char *to, size_t size);
/* The same text; if one writer wrote both, the same value. */
bool json_same(struct json a, struct json b);

#endif
