/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_JSON_H
#define SONDE_SELFTEST_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A reader of JSON rows that allocates nothing: a value is the piece of text it stands in, and is
 * owned by whoever has the text. Once json_read() has taken a text as valid, the other functions
 * need not fear it; they never read behind a value's end anyway.
 */
struct json {
	const char *s;
	size_t n;
};

/*
 * The one value a text of n bytes consists of; false: no valid JSON, more behind it, or deeper than
 * JSON_DEPTH.
 */
#define JSON_DEPTH 16
bool json_read(const char *s, size_t n, struct json *v);

/*
 * The elements of an array or the members of an object, one after the other (`name` without quotes,
 * as written).
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
/* A whole number, also one in quotes: integers above 2^53 are written so. */
bool json_integer(struct json v, int64_t *n);
/*
 * A string's bytes, with a NUL behind, cut where `to` ends; their number. "" for what is no string.
 */
size_t json_text(struct json v, char *to, size_t size);
/* The same text. Of two that one writer wrote this says whether they are the same value. */
bool json_same(struct json a, struct json b);

#endif
