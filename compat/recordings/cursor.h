/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CURSOR_H
#define SONDE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Reading of bytes that a stranger wrote, in the recorder's byte order. What is not there is 0, and
 * sets `broken`: callers ask once, at the end.
 */
struct cursor {
	const uint8_t *at, *end;
	bool swapped;			/* the recorder's byte order is not this machine's */
	bool broken;
};

/* Begins at `bytes`, of which there are n. */
static inline struct cursor cursor_over(const void *bytes, size_t n, bool swapped)
{
	return (struct cursor){ bytes, (const uint8_t *)bytes + n, swapped, false };
}

/* Goes behind n bytes. Returns where they are, or NULL if there are fewer. */
static inline const uint8_t *cursor_bytes(struct cursor *c, uint64_t n)
{
	const uint8_t *at = c->at;

	if (n > (size_t)(c->end - at)) {
		c->broken = true;
		c->at = c->end;
		return NULL;
	}
	c->at += n;
	return at;
}

/* The number of 4 bytes that is there. */
static inline uint32_t ordered_u32(const uint8_t *at, bool swapped)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return swapped ? __builtin_bswap32(value) : value;
}

/* The same of 8 bytes. */
static inline uint64_t ordered_u64(const uint8_t *at, bool swapped)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return swapped ? __builtin_bswap64(value) : value;
}

/* Reads a number of 2 bytes, and goes behind it. */
static inline uint16_t cursor_u16(struct cursor *c)
{
	const uint8_t *at = cursor_bytes(c, 2);
	uint16_t value = 0;

	if (at)
		memcpy(&value, at, sizeof(value));
	return c->swapped ? __builtin_bswap16(value) : value;
}

/* The same of 4 bytes. */
static inline uint32_t cursor_u32(struct cursor *c)
{
	const uint8_t *at = cursor_bytes(c, 4);

	return at ? ordered_u32(at, c->swapped) : 0;
}

/* The same of 8 bytes. */
static inline uint64_t cursor_u64(struct cursor *c)
{
	const uint8_t *at = cursor_bytes(c, 8);

	return at ? ordered_u64(at, c->swapped) : 0;
}

/* A text with its NUL. Returns NULL if there is no NUL. */
static inline const char *cursor_text(struct cursor *c)
{
	const uint8_t *nul = memchr(c->at, '\0', (size_t)(c->end - c->at));

	if (!nul) {
		c->broken = true;
		return NULL;
	}
	return (const char *)cursor_bytes(c, (uint64_t)(nul + 1 - c->at));
}

#endif
