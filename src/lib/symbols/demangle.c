// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/demangle.h"

#include <setjmp.h>
#include <string.h>

/*
 * Functions of libiberty, without its header: the header's path differs between distributions.
 * Neither function allocates memory that the caller must free. Both stop a recursion that is too
 * deep, unless an option forbids it.
 */
typedef void (*piece_fn)(const char *piece, size_t length, void *arg);
int cplus_demangle_v3_callback(const char *mangled, int options, piece_fn piece, void *arg);
int rust_demangle_callback(const char *mangled, int options, piece_fn piece, void *arg);

#define CPLUS_ANSI 2		/* const and volatile are shown, parameters are not */

struct text {
	char *to;
	size_t n, size;
	jmp_buf full;
};

/* A short symbol may have a readable name of any length. Demangling ends when it is too long. */
static void add_piece(const char *piece, size_t length, void *arg)
{
	struct text *t = arg;

	if (length >= t->size - t->n)
		longjmp(t->full, 1);
	if (length)
		memcpy(t->to + t->n, piece, length);
	t->n += length;
}

static bool is_rust(const char *s)
{
	const size_t n = strlen(s);

	/* the older form looks like C++, and ends with a hash of 16 digits */
	return (s[0] == '_' && s[1] == 'R') ||
		(n > 24 && !strncmp(s, "_ZN", 3) && !strncmp(s + n - 20, "17h", 3));
}

bool demangle(const char *symbol, char *to, size_t size)
{
	struct text t = { .to = to, .size = size };

	if (symbol[0] != '_' || (symbol[1] != 'Z' && symbol[1] != 'R') ||
	    strnlen(symbol, DEMANGLE_LENGTH) == DEMANGLE_LENGTH || setjmp(t.full))
		return false;
	if (is_rust(symbol) && rust_demangle_callback(symbol, 0, add_piece, &t)) {
		to[t.n] = '\0';
		return t.n > 0;
	}
	t.n = 0;
	if (symbol[1] != 'Z' ||
	    !cplus_demangle_v3_callback(symbol, CPLUS_ANSI, add_piece, &t))
		return false;
	to[t.n] = '\0';
	return t.n > 0;
}
