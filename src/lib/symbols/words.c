// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * The number of a word, in one to three bytes. Words that come first have the smallest numbers.
 * 0nnnnnnL, 10nnnnnL n*8, 11nnnnnL n*16. L: the word is the last of its name.
 */
#define SHORT 64u
#define MIDDLE (SHORT + (32u << 8))
#define MOST (MIDDLE + (32u << 16))
#define FIRST_SLOTS 4096u

void words_done(struct words *w)
{
	free(w->slots);
	w->slots = NULL;
	w->n_slots = 0;
}

void words_free(struct words *w)
{
	words_done(w);
	free(w->text);
	free(w->starts);
	memset(w, 0, sizeof(*w));
}

static bool separates(char c)
{
	return c == '_' || c == '.';
}

/* The length of the first word. The separators before a word belong to it. */
static size_t word_length(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && separates(s[i]))
		i++;
	while (i < n && !separates(s[i]))
		i++;
	return i;
}

static uint32_t hash(const char *s, size_t n)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h ^ h >> 15;
}

static bool is_word(const struct words *w, uint32_t number, const char *s, size_t n)
{
	const uint32_t start = w->starts[number];

	return w->starts[number + 1] - start == n && !memcmp(w->text + start, s, n);
}

/* The slot of a word, or the empty slot for it. */
static uint32_t *slot_of(const struct words *w, const char *s, size_t n)
{
	for (uint32_t i = hash(s, n);; i++) {
		uint32_t *slot = &w->slots[i & (w->n_slots - 1)];

		if (!*slot || is_word(w, *slot - 1, s, n))
			return slot;
	}
}

static int more_slots(struct words *w)
{
	const uint32_t n = w->n_slots ? 2 * w->n_slots : FIRST_SLOTS;
	uint32_t *slots = calloc(n, sizeof(*slots));

	if (!slots)
		return -1;
	free(w->slots);
	w->slots = slots;
	w->n_slots = n;
	for (uint32_t i = 0; i < w->n; i++)
		*slot_of(w, w->text + w->starts[i], w->starts[i + 1] - w->starts[i]) = i + 1;
	return 0;
}

/* Makes room for `want` elements. An array that is too small grows by half or more. */
static int room(void *array, size_t *have, size_t want, size_t element)
{
	void **a = array, *grown;
	size_t n = *have + *have / 2 + 64;

	if (want <= *have)
		return 0;
	n = n < want ? want : n;
	grown = realloc(*a, n * element);
	if (!grown)
		return -1;
	*a = grown;
	*have = n;
	return 0;
}

static int64_t add_word(struct words *w, const char *s, size_t n)
{
	if (w->n == MOST || w->text_length + n > UINT32_MAX ||
	    room(&w->text, &w->text_room, w->text_length + n, 1) ||
	    room(&w->starts, &w->starts_room, (size_t)w->n + 2, sizeof(*w->starts)))
		return -1;
	memcpy(w->text + w->text_length, s, n);
	w->starts[w->n] = (uint32_t)w->text_length;
	w->text_length += n;
	w->starts[w->n + 1] = (uint32_t)w->text_length;
	return w->n++;
}

static int64_t number_of(struct words *w, const char *s, size_t n)
{
	uint32_t *slot;
	int64_t number;

	if (w->n >= w->n_slots / 2 && more_slots(w))
		return -1;
	slot = slot_of(w, s, n);
	if (*slot)
		return *slot - 1;
	number = add_word(w, s, n);
	if (number >= 0)
		*slot = (uint32_t)number + 1;
	return number;
}

static uint8_t *put(uint8_t *to, uint32_t n, bool last)
{
	if (n < SHORT) {
		*to++ = (uint8_t)(n << 1 | last);
	} else if (n < MIDDLE) {
		n -= SHORT;
		*to++ = (uint8_t)(0x80 | n >> 8 << 1 | last);
		*to++ = (uint8_t)n;
	} else {
		n -= MIDDLE;
		*to++ = (uint8_t)(0xc0 | n >> 16 << 1 | last);
		*to++ = (uint8_t)(n >> 8);
		*to++ = (uint8_t)n;
	}
	return to;
}

size_t words_encode(struct words *w, const char *name, size_t length, uint8_t *to)
{
	uint8_t *end = to;

	if (!length || length > WORDS_NAME_MOST)
		return 0;
	while (length) {
		size_t n = word_length(name, length);
		int64_t number = number_of(w, name, n);

		if (number < 0)
			return 0;
		name += n;
		length -= n;
		end = put(end, (uint32_t)number, !length);
	}
	return (size_t)(end - to);
}

static const uint8_t *get(const uint8_t *code, uint32_t *n)
{
	const uint32_t c = *code;

	if (c < 0x80)
		*n = c >> 1;
	else if (c < 0xc0)
		*n = SHORT + ((c >> 1 & 31) << 8 | code[1]);
	else
		*n = MIDDLE + ((c >> 1 & 31) << 16 | (uint32_t)code[1] << 8 | code[2]);
	return code + (c < 0x80 ? 1 : c < 0xc0 ? 2 : 3);
}

const uint8_t *words_skip(const uint8_t *code)
{
	bool last;

	do {
		last = *code & 1;
		code += *code < 0x80 ? 1 : *code < 0xc0 ? 2 : 3;
	} while (!last);
	return code;
}

void words_decode(const struct words *w, const uint8_t *code, char *to, size_t size)
{
	bool last;

	do {
		uint32_t number;
		size_t n;

		last = *code & 1;
		code = get(code, &number);
		n = w->starts[number + 1] - w->starts[number];
		n = n < size - 1 ? n : size - 1;
		memcpy(to, w->text + w->starts[number], n);
		to += n;
		size -= n;
	} while (!last);
	*to = '\0';
}
