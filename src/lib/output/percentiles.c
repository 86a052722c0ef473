// SPDX-License-Identifier: GPL-2.0
/* Percentiles of histograms, as exact as the slots. */
#include <ctype.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/lib/output/writer.h"

#define WHOLE 100000U			/* 100 %: three digits behind the point */

/* Reads `length` bytes as a percentage. Returns false unless they are one from 0 to 100. */
static bool read_percentage(const char *s, size_t length, unsigned int *parts)
{
	const char *end = s + length;
	unsigned int place = WHOLE / 100;

	*parts = 0;
	if (!isdigit((unsigned char)*s))
		return false;
	for (; s < end && isdigit((unsigned char)*s) && *parts <= WHOLE; s++)
		*parts = *parts * 10 + (unsigned int)(*s - '0') * place;
	if (s < end && (*s++ != '.' || s == end))
		return false;
	for (; s < end && isdigit((unsigned char)*s) && place > 1; s++)
		*parts += (unsigned int)(*s - '0') * (place /= 10);
	return s == end && *parts <= WHOLE;
}

bool percentiles_read(const char *text, struct percentiles *p)
{
	static const char usual[] = "50,90,99,99.9";

	*p = (struct percentiles){ };
	for (const char *s = text ? text : usual; ; s++) {
		struct percentile *one = &p->list[p->n];
		const size_t length = strcspn(s, ",");

		if (p->n == PERCENTILES || length > sizeof(one->name) - 2 ||
		    !read_percentage(s, length, &one->parts))
			return false;
		text_cut(one->name, sizeof(one->name), "p%.*s", (int)length, s);
		p->n++;
		s += length;
		if (!*s)
			break;
	}
	p->list[p->n++] = (struct percentile){ "max", WHOLE };
	return true;
}

/* How many of n values these are, rounded up: without the overflow of n * WHOLE. */
static uint64_t part_of(uint64_t n, unsigned int parts)
{
	return n / WHOLE * parts + (n % WHOLE * parts + WHOLE - 1) / WHOLE;
}

static uint64_t value_below(const struct histogram *h, uint64_t wanted)
{
	uint64_t below = 0;
	unsigned int i = 0, last = 0;

	for (; i < h->n && (!below || below < wanted); i++) {
		below += h->counts[i];
		last = i;
	}
	return histogram_high(h, last);
}

bool histogram_percentiles(const struct output *o, const struct histogram *h,
			   uint64_t values[PERCENTILES + 1])
{
	uint64_t all = 0;

	for (unsigned int i = 0; i < h->n; i++)
		all += h->counts[i];
	for (unsigned int i = 0; i < o->percentiles.n && all; i++)
		values[i] = value_below(h, part_of(all, o->percentiles.list[i].parts));
	return all;
}
