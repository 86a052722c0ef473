// SPDX-License-Identifier: GPL-2.0
#include "src/lib/flame/folded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/error.h"
#include "src/lib/flame/tree.h"

struct reader {
	FILE *file;
	struct flame *f;
	enum flame_side side;
	const struct folded_how *how;
	struct folded_lines *lines;
	uint64_t number;		/* of the line */
	struct flame_frame *frames;
	unsigned int n;
	struct error *err;
};

static void broken(struct reader *r, const char *why)
{
	if (!r->lines->broken++) {
		r->lines->first = r->number;
		r->lines->why = why;
	}
}

static bool starts_with(const struct flame_frame *frame, const char *s)
{
	size_t n = strlen(s);

	return frame->length >= n && !memcmp(frame->name, s, n);
}

static bool ends_with(const struct flame_frame *frame, const char *s)
{
	size_t n = strlen(s);

	return frame->length > n && !memcmp(frame->name + frame->length - n, s, n);
}

static enum flame_kind kind_in_brackets(const struct flame_frame *frame)
{
	if (starts_with(frame, "[kernel"))
		return FLAME_KERNEL;
	return memmem(frame->name, frame->length, ".so", 3) || starts_with(frame, "[vdso]") ?
		FLAME_LIBRARY : FLAME_MARK;
}

static void find_kind(struct flame_frame *frame, bool off_cpu)
{
	static const struct {
		const char *end;
		enum flame_kind kind;
	} ends[] = {
		{ "_[k]", FLAME_KERNEL }, { "_[j]", FLAME_JIT }, { "_[i]", FLAME_INLINED },
		{ "_[w]", FLAME_WAKER },
	};

	frame->kind = starts_with(frame, "[") && ends_with(frame, "]") ? kind_in_brackets(frame) :
		frame->length ? FLAME_USER : FLAME_MARK;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (ends_with(frame, ends[i].end)) {
			frame->kind = ends[i].kind;
			frame->length -= strlen(ends[i].end);
			break;
		}
	if (off_cpu && frame->kind != FLAME_MARK)
		frame->kind = FLAME_OFF_CPU;
}

/* -1: no memory. Frames without a name at the end are none. */
static int split(struct reader *r, const char *s, size_t length)
{
	const char *end = s + length;

	r->n = 0;
	for (;;) {
		const char *stop = memchr(s, ';', (size_t)(end - s));
		size_t n = (size_t)((stop ? stop : end) - s);

		if (array_room(&r->frames, r->n, sizeof(*r->frames)))
			return fail(r->err, "out of memory");
		r->frames[r->n++] = (struct flame_frame){ s, n };
		if (!stop)
			break;
		s = stop + 1;
	}
	while (r->n && !r->frames[r->n - 1].length)
		r->n--;
	return 0;
}

static void reverse(struct reader *r)
{
	for (unsigned int i = 0; i < r->n / 2; i++) {
		struct flame_frame frame = r->frames[i];

		r->frames[i] = r->frames[r->n - 1 - i];
		r->frames[r->n - 1 - i] = frame;
	}
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A count and its thousandths. NULL, or what is wrong with it. */
static const char *parse_count(const char *s, size_t length, uint64_t *whole,
			       unsigned int *thousandths)
{
	static const char none[] = "there is no count at its end";
	unsigned int place = 1000;
	size_t i = 0;

	*whole = 0;
	*thousandths = 0;
	for (; i < length && is_digit(s[i]); i++)
		if (__builtin_mul_overflow(*whole, 10, whole) ||
		    __builtin_add_overflow(*whole, (uint64_t)(s[i] - '0'), whole))
			return "its count is 2^64 or more";
	if (!i || (i < length && s[i] != '.'))
		return none;
	for (i++; i < length; i++, place /= 10) {
		if (!is_digit(s[i]))
			return none;
		*thousandths += (unsigned int)(s[i] - '0') * (place / 10);
	}
	return NULL;
}

/* The last word is a number: of two columns of counts, that is the first. */
static bool ends_with_number(const char *s, size_t length)
{
	size_t i = length;

	while (i && is_digit(s[i - 1]))
		i--;
	return i && i < length && (s[i - 1] == ' ' || s[i - 1] == '\t');
}

static int add(struct reader *r, uint64_t whole, unsigned int thousandths)
{
	uint64_t value = whole;

	if (thousandths && flame_thousandths(r->f, r->err))
		return -1;
	if (r->f->thousandths && (__builtin_mul_overflow(whole, 1000, &value) ||
				  __builtin_add_overflow(value, thousandths, &value))) {
		broken(r, "its count, in thousandths, is 2^64 or more");
		return 0;
	}
	if (r->how->reverse)
		reverse(r);
	for (unsigned int i = 0; i < r->n; i++)
		find_kind(&r->frames[i], r->how->off_cpu);
	r->lines->stacks++;
	return flame_add(r->f, r->side, r->frames, r->n, value, r->err);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* -1: no memory, or too large together; a broken line is only counted. */
static int line(struct reader *r, const char *s, size_t length)
{
	unsigned int thousandths;
	uint64_t whole;
	const char *why;
	size_t count;

	while (length && is_blank(s[length - 1]))
		length--;
	if (!length)
		return 0;
	for (count = length; count && !is_blank(s[count - 1]); count--)
		;
	why = parse_count(s + count, length - count, &whole, &thousandths);
	while (count && is_blank(s[count - 1]))
		count--;
	if (why) {
		broken(r, why);
		return 0;
	}
	if (split(r, s, count))
		return -1;
	if (!r->n) {
		broken(r, "there is no stack before its count");
		return 0;
	}
	r->lines->doubles += ends_with_number(s, count);
	return add(r, whole, thousandths);
}

/* The rest of a line that is too long; false: it was the last. */
static bool skip_line(FILE *file)
{
	int c;

	do
		c = getc_unlocked(file);
	while (c != '\n' && c != EOF);
	return c != EOF;
}

static int read_lines(struct reader *r, char *buffer)
{
	size_t n = 0, got;

	do {
		char *at = buffer, *end;

		got = fread(buffer + n, 1, FOLDED_LINE - n, r->file);
		n += got;
		while ((end = memchr(at, '\n', n - (size_t)(at - buffer)))) {
			r->number++;
			if (line(r, at, (size_t)(end - at)))
				return -1;
			at = end + 1;
		}
		n -= (size_t)(at - buffer);
		memmove(buffer, at, n);
		if (n == FOLDED_LINE) {
			r->number++;
			broken(r, "it is longer than 1 MB");
			n = 0;
			if (!skip_line(r->file))
				break;
		}
	} while (got);
	if (ferror(r->file))
		return fail_with(r->err, errno, "%m");
	r->number += n > 0;
	return n ? line(r, buffer, n) : 0;
}

int folded_read(FILE *file, struct flame *f, enum flame_side side, const struct folded_how *how,
		struct folded_lines *lines, struct error *err)
{
	struct reader r = { .file = file, .f = f, .side = side, .how = how, .lines = lines,
			    .err = err };
	char *buffer = malloc(FOLDED_LINE);
	int status;

	memset(lines, 0, sizeof(*lines));
	status = buffer ? read_lines(&r, buffer) : fail(err, "out of memory");
	free(r.frames);
	free(buffer);
	return status;
}
