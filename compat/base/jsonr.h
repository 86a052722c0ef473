/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_JSONR_H
#define SONDE_JSONR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads JSON, and allocates no memory: a value is a piece of the caller's text. The
 * other functions expect values that json_read() found valid. They never read past a value's end.
 */
struct json {
	const char *s;
	size_t n;
};

/*
 * Reads the one value that a text of n bytes consists of. Returns false if the JSON is invalid, if
 * more text follows, or if it is deeper than JSON_DEPTH.
 */
#define JSON_DEPTH 16
bool json_read(const char *s, size_t n, struct json *v);

/*
 * Walks over the elements of an array or the members of an object. json_next() returns false at the
 * end. `name` is as written, without its quotes.
 */
struct json_walk {
	const char *at, *end;
	bool object;
};
struct json_walk json_walk(struct json v);
bool json_next(struct json_walk *w, struct json *name, struct json *v);

/* Finds a member of an object by its name as written. Returns false if there is none. */
bool json_member(struct json object, const char *name, struct json *v);

/* Returns true if the value is null. */
bool json_null(struct json v);
/* Reads a whole number, also in quotes: integers above 2^53 have them. Returns false for others. */
bool json_integer(struct json v, int64_t *n);
/*
 * Reads a number with or without a point: with 3 places 1.5 is 1500. Returns false for others.
 */
bool json_decimal(struct json v, unsigned int places, int64_t *n);
/*
 * Copies a string and a NUL, cut to `size` bytes. Returns the bytes copied. Other values give "".
 */
size_t json_text(struct json v, char *to, size_t size);
/* Returns true if both have the same text; values of one writer are then equal. */
bool json_same(struct json a, struct json b);

#endif
