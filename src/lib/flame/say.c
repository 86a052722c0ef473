// SPDX-License-Identifier: GPL-2.0
/* What is said above a flame graph. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "src/lib/flame/drawing.h"

/* 1234567 is 1,234,567. */
const char *number_text(char to[NUMBER], uint64_t number)
{
	char digits[24], *at = to;
	int n = sprintf(digits, "%llu", (unsigned long long)number);

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			*at++ = ',';
		*at++ = digits[i];
	}
	*at = '\0';
	return to;
}

const char *value_text(const struct flame *f, char to[NUMBER], uint64_t value)
{
	size_t n;

	if (!f->thousandths)
		return number_text(to, value);
	n = strlen(number_text(to, value / 1000));
	if (value % 1000)
		n += (size_t)sprintf(to + n, ".%03u", (unsigned int)(value % 1000));
	while (value % 1000 && to[n - 1] == '0')
		to[--n] = '\0';
	return to;
}

/* As many lines as it takes, broken at blanks. */
static void say(struct drawing *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct drawing *d, const char *format, ...)
{
	char *text, *at;
	va_list args;
	int status;

	va_start(args, format);
	status = vasprintf(&text, format, args);
	va_end(args);
	if (status < 0)
		return;
	for (at = text; *at; at += *at == ' ') {
		size_t n = strlen(at);

		if (n > d->columns) {
			for (n = d->columns; n && at[n] != ' '; n--)
				;
			n = n ? n : strcspn(at, " ");
		}
		lines_add(&d->lines, "%.*s", (int)n, at);
		at += n;
	}
	free(text);
}

/* So many of a thing. */
#define SAY(NUMBER_TEXT, N, ONE, MANY) number_text(NUMBER_TEXT, N), (N) == 1 ? ONE : MANY

static void say_left_out(struct drawing *d)
{
	const struct flame_look *look = d->look;
	char text[NUMBER], frames[NUMBER], names[NUMBER];

	if (d->seen.narrow)
		say(d, "frames narrower than %g %s left out: %s, %.2f %%", look->narrowest,
		    look->narrowest_is_share ? "%" : "px", number_text(text, d->seen.narrow),
		    100 * drawing_share(d, FLAME_NEW, d->seen.narrow_value));
	if (d->f->cut)
		say(d, "%s %s deeper than %d frames: each ends with [cut at %d]",
		    SAY(text, d->f->cut, "stack", "stacks"), FLAME_DEPTH, FLAME_DEPTH);
	if (d->f->no_room)
		say(d, "%s %s left out: there is room for %s different frames and %s names, or "
		       "%u MB of them", SAY(text, d->f->no_room, "stack", "stacks"),
		    number_text(frames, FLAME_FRAMES), number_text(names, FLAME_NAMES),
		    FLAME_NAME_BYTES >> 20);
}

static void say_difference(struct drawing *d)
{
	const struct flame_look *look = d->look;
	const bool by_time = look->seconds[FLAME_NEW] > 0 && look->seconds[FLAME_OLD] > 0;
	const struct flame *f = d->f;
	char text[NUMBER];

	if (!look->old)
		return;
	value_text(f, text, f->totals[FLAME_OLD]);
	if (by_time)
		say(d, "%.3f s, compared with the %.3f s of %s (%s %s): red frames have more of "
		       "their own in a second than there, blue ones less",
		    look->seconds[FLAME_NEW], look->seconds[FLAME_OLD], look->old, text,
		    look->unit);
	else
		say(d, "compared with %s (%s %s): red frames have a larger own share than there, "
		       "blue ones a smaller", look->old, text, look->unit);
	if (d->seen.gone)
		say(d, "only there, and not shown: %s %s, with %.2f %% of %s %s%s",
		    SAY(text, d->seen.gone, "stack", "stacks"),
		    100 * drawing_share(d, FLAME_OLD, d->seen.gone_value),
		    by_time ? "this picture's" : "its", look->unit, by_time ? " in a second" : "");
}

void drawing_say(struct drawing *d)
{
	const struct flame *f = d->f;
	char total[NUMBER], text[NUMBER];

	if (d->look->subtitle)
		say(d, "%s", d->look->subtitle);
	say(d, "%s %s, %s %s", value_text(f, total, f->totals[FLAME_NEW]), d->look->unit,
	    SAY(text, d->seen.frames, "frame", "frames"));
	say_left_out(d);
	say_difference(d);
	if (d->look->note)
		say(d, "%s", d->look->note);
}
