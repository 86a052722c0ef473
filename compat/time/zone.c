// SPDX-License-Identifier: GPL-2.0
#include "compat/time/zone.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/time/date.h"

#define DAY 86400
#define FILE_MOST (1 << 20)
#define RULE_MOST 128

/* ---- rules ---- */

/* When summer time begins or ends, each year. */
struct change {
	enum { CHANGE_WEEKDAY, CHANGE_DAY, CHANGE_DAY_NO_LEAP } kind;
	uint64_t month, week, day;
	int64_t seconds;		/* since midnight, in the local time before the change */
};

struct rule {
	struct zone_time standard, summer;
	bool has_summer;
	struct change begin, end;
};

static bool scan_name(const char **at, struct zone_time *t)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	if (scan_text(at, "<"))
		return scan_until(at, ">", t->name, sizeof(t->name)) && scan_text(at, ">");
	return scan_of(at, letters, t->name, sizeof(t->name)) && strlen(t->name) >= 3;
}

/* [+-]hours[:minutes[:seconds]] */
static bool scan_seconds(const char **at, uint64_t hours_most, int64_t *seconds)
{
	bool negative = scan_text(at, "-");
	uint64_t hours, minutes = 0, rest = 0;

	if (!negative)
		scan_text(at, "+");
	if (!scan_number(at, hours_most, &hours))
		return false;
	if (scan_text(at, ":") &&
	    (!scan_number(at, 59, &minutes) || (scan_text(at, ":") && !scan_number(at, 59, &rest))))
		return false;
	*seconds = (int64_t)(hours * 3600 + minutes * 60 + rest) * (negative ? -1 : 1);
	return true;
}

static bool scan_change(const char **at, struct change *c)
{
	*c = (struct change){ .kind = CHANGE_DAY, .seconds = 2 * 3600 };
	if (!scan_text(at, ","))
		return false;
	if (scan_text(at, "M")) {
		c->kind = CHANGE_WEEKDAY;
		if (!scan_number(at, 12, &c->month) || !scan_text(at, ".") ||
		    !scan_number(at, 5, &c->week) || !scan_text(at, ".") ||
		    !scan_number(at, 6, &c->day) || !c->month || !c->week)
			return false;
	} else {
		if (scan_text(at, "J"))
			c->kind = CHANGE_DAY_NO_LEAP;
		if (!scan_number(at, 365, &c->day) || (c->kind == CHANGE_DAY_NO_LEAP && !c->day))
			return false;
	}
	return !scan_text(at, "/") || scan_seconds(at, 167, &c->seconds);
}

static bool scan_rule(const char *at, struct rule *r)
{
	*r = (struct rule){ };
	if (!scan_name(&at, &r->standard) || !scan_seconds(&at, 24, &r->standard.offset))
		return false;
	r->standard.offset = -r->standard.offset;	/* POSIX counts seconds west of UTC */
	if (!*at)
		return true;
	r->has_summer = true;
	r->summer.offset = r->standard.offset + 3600;
	if (!scan_name(&at, &r->summer))
		return false;
	if (*at && *at != ',') {
		if (!scan_seconds(&at, 24, &r->summer.offset))
			return false;
		r->summer.offset = -r->summer.offset;
	}
	if (!*at)
		at = ",M3.2.0,M11.1.0";	/* the C library's default */
	return scan_change(&at, &r->begin) && scan_change(&at, &r->end) && !*at;
}

static bool is_leap(int year)
{
	return !(year % 4) && (year % 100 || !(year % 400));
}

/* Returns the second of a year's change, in the local time before the change. */
static int64_t change_of(const struct change *c, int year)
{
	int64_t first = days_of(year, c->kind == CHANGE_WEEKDAY ? (int)c->month : 1, 1), next, day;

	if (c->kind == CHANGE_DAY) {
		day = first + (int64_t)c->day;
	} else if (c->kind == CHANGE_DAY_NO_LEAP) {
		day = first + (int64_t)c->day - 1 + (is_leap(year) && c->day > 31 + 28);
	} else {
		/*
		 * 1970-01-01 was a Thursday. Week 5 is the last week of the month that has this
		 * day.
		 */
		int64_t weekday = ((first + 4) % 7 + 7) % 7;

		day = first + ((int64_t)c->day - weekday + 7) % 7 + 7 * ((int64_t)c->week - 1);
		next = c->month == 12 ? days_of(year + 1, 1, 1) :
					days_of(year, (int)c->month + 1, 1);
		if (day >= next)
			day -= 7;
	}
	return day * DAY + c->seconds;
}

bool zone_of_rule(const char *rule, int64_t moment, struct zone_time *to)
{
	int64_t begin, end;
	struct rule r;
	bool summer;
	int year;

	if (!scan_rule(rule, &r))
		return false;
	*to = r.standard;
	if (!r.has_summer)
		return true;
	year = year_of(moment + r.standard.offset);
	begin = change_of(&r.begin, year) - r.standard.offset;
	end = change_of(&r.end, year) - r.summer.offset;
	/* In the south summer time goes on over new year. */
	summer = begin < end ? moment >= begin && moment < end : moment < end || moment >= begin;
	if (summer)
		*to = r.summer;
	return true;
}

/* ---- files ---- */

struct header {
	uint32_t utc, standard, leaps, times, types, letters;
};

#define HEADER 44

/* Reads a number of the file: signed, big-endian. */
static int64_t number(const char *at, unsigned int size)
{
	uint64_t n = *at & 0x80 ? UINT64_MAX : 0;

	while (size--)
		n = n << 8 | (uint8_t)*at++;
	return (int64_t)n;
}

static bool header(const char *at, const char *end, struct header *h)
{
	uint32_t *counts[] = { &h->utc, &h->standard, &h->leaps, &h->times, &h->types,
			       &h->letters };

	if (end - at < HEADER || memcmp(at, "TZif", 4) || at[4] < '2')
		return false;
	for (unsigned int i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		*counts[i] = (uint32_t)number(at + 20 + 4 * i, 4);
		if (*counts[i] > FILE_MOST)
			return false;
	}
	return true;
}

/* Bytes that follow a header whose times have `size` bytes. */
static ptrdiff_t body(const struct header *h, unsigned int size)
{
	return (ptrdiff_t)h->times * (size + 1) + (ptrdiff_t)h->types * 6 + h->letters +
	       (ptrdiff_t)h->leaps * (size + 4) + h->standard + h->utc;
}

bool zone_of_file(const char *bytes, size_t n, int64_t moment, struct zone_time *to)
{
	const char *at = bytes, *end = bytes + n, *kinds, *types, *leaps, *foot;
	char rule[RULE_MOST];
	unsigned int type = 0, letter;
	int64_t leap = 0;
	struct header h;

	/* The file begins with the same data in 32 bits, for older readers. */
	if (!header(at, end, &h) || end - at - HEADER < body(&h, 4))
		return false;
	at += HEADER + body(&h, 4);
	if (!header(at, end, &h) || end - at - HEADER < body(&h, 8) || !h.types)
		return false;
	at += HEADER;
	kinds = at + (ptrdiff_t)h.times * 8;
	types = kinds + h.times;
	leaps = types + (ptrdiff_t)h.types * 6 + h.letters;
	foot = at + body(&h, 8);

	/*
	 * A zone with leap seconds is for a clock that counts them. Times as text do not count
	 * them.
	 */
	for (uint32_t i = 0; i < h.leaps && number(leaps + 12 * i, 8) <= moment; i++)
		leap = number(leaps + 12 * i + 8, 4);
	/*
	 * Behind the last change the rule in the last line of the file is valid. `bytes` ends with
	 * a NUL.
	 */
	if ((!h.times || moment >= number(at + 8 * (h.times - 1), 8)) && scan_text(&foot, "\n") &&
	    scan_until(&foot, "", rule, sizeof(rule)) &&
	    zone_of_rule(rule, moment - leap, to)) {
		to->offset -= leap;
		return true;
	}
	for (uint32_t i = 0; i < h.times && number(at + 8 * i, 8) <= moment; i++)
		type = (uint8_t)kinds[i];
	if (type >= h.types)
		return false;
	to->offset = number(types + 6 * type, 4) - leap;
	letter = (uint8_t)types[6 * type + 5];
	text_all(to->name, sizeof(to->name), "%.*s",
		 letter < h.letters ? (int)(h.letters - letter) : 0,
		 types + (ptrdiff_t)h.types * 6 + letter);
	return true;
}

/* ---- the zone of this process ---- */

int zone_open(struct zone *z, struct error *err)
{
	const char *name = getenv("TZ"), *folder = getenv("TZDIR"), *path = "/etc/localtime";
	char below[PATH_MAX];
	struct stat st;

	*z = (struct zone){ };
	if (name) {
		name += *name == ':';
		text_all(below, sizeof(below), "%s/%s", folder ? folder : "/usr/share/zoneinfo",
			 name);
		path = *name == '/' ? name : below;
		z->rule = strdup(name);
		if (!z->rule)
			return fail(err, "out of memory");
	}
	if (name && !*name)
		return 0;
	/* Nobody may ever write into a pipe. */
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return 0;
	z->bytes = file_text(path, FILE_MOST, &z->n);
	return z->bytes || errno != ENOMEM ? 0 : fail(err, "out of memory");
}

void zone_close(struct zone *z)
{
	free(z->rule);
	free(z->bytes);
	*z = (struct zone){ };
}

struct zone_time zone_time(const struct zone *z, int64_t moment)
{
	struct zone_time t;

	if ((z->bytes && zone_of_file(z->bytes, z->n, moment, &t)) ||
	    (z->rule && zone_of_rule(z->rule, moment, &t)))
		return t;
	return (struct zone_time){ 0, "UTC" };
}
