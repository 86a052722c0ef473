/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STRBUF_H
#define SONDE_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * A text that grows at its end. All zero: an empty one on the heap. It ends with a NUL.
 *
 * What does not fit into a fixed room is left out, and so is all that is added later. Readers see
 * it: "..." takes the place of the end, and `cut` is set. On the heap `cut` says that there was no
 * memory.
 */
struct strbuf {
	char *s;		/* NULL: nothing was added yet, on the heap */
	size_t n;		/* bytes of the text, without the NUL */
	size_t size;		/* of the room */
	bool fixed, cut;
};

/* An empty text in the caller's room of `size` bytes, at least 1. */
struct strbuf strbuf_over(char *room, size_t size);
/* Add bytes, or a text made by a format. */
void strbuf_add(struct strbuf *b, const char *bytes, size_t n);
void strbuf_addf(struct strbuf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *b, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
/* Adds what separates parts, if there is a part already. */
void strbuf_between(struct strbuf *b, const char *separator);
/*
 * Returns the text of the heap, which the caller frees, and leaves an empty one. Returns NULL if
 * memory ran out: there is no part of a text.
 */
char *strbuf_take(struct strbuf *b);

#endif
