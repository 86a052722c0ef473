// SPDX-License-Identifier: GPL-2.0
#include "src/lib/wide.h"

#include <string.h>

#include "compat/base/strbuf.h"

struct wide wide_of(uint64_t high, uint64_t low, bool is_signed)
{
	const uint64_t carried = high + (low >> 32), rest = low & UINT32_MAX;
	const bool negative = is_signed && (int64_t)carried < 0;
	const uint64_t h = negative ? 0 - carried - (rest != 0) : carried,
		       l = negative && rest ? (1ULL << 32) - rest : rest;

	return (struct wide){ h >> 32, h << 32 | l, negative };
}

/* w / n, without the sign, in place; returns the rest. n is less than 2^63. */
static uint64_t divide(struct wide *w, uint64_t n)
{
	uint64_t rest = 0;

	for (int i = 0; i < 128; i++) {
		rest = rest << 1 | w->high >> 63;
		w->high = w->high << 1 | w->low >> 63;
		w->low <<= 1;
		if (rest >= n) {
			rest -= n;
			w->low |= 1;
		}
	}
	return rest;
}

void wide_text(struct wide w, char *to)
{
	char digits[WIDE_TEXT];
	size_t at = sizeof(digits);

	digits[--at] = '\0';
	do {
		digits[--at] = (char)('0' + divide(&w, 10));
	} while (w.high || w.low);
	if (w.negative)
		digits[--at] = '-';
	memcpy(to, digits + at, sizeof(digits) - at);
}

void wide_quotient_text(struct wide w, uint64_t n, char *to)
{
	const uint64_t rest = divide(&w, n);
	uint64_t hundredths = (100 * rest + n / 2) / n;
	struct strbuf fraction;
	size_t length;

	if (hundredths == 100) {
		hundredths = 0;
		w.high += ++w.low == 0;
	}
	w.negative &= w.high || w.low || hundredths;
	wide_text(w, to);
	length = strlen(to);
	fraction = strbuf_over(to + length, WIDE_TEXT - length);
	strbuf_addf(&fraction, ".%02u", (unsigned int)hundredths);
}
