// SPDX-License-Identifier: GPL-2.0
/* Dates and local time: rules, files of zones, broken ones; and what the C library says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/time/date.h"
#include "compat/time/zone.h"
#include "tests/unit/unit.h"

Suite *suite_date(void);

/* `local` is a zone with summer time. */
static const struct {
	int64_t ns;
	const char *utc, *local;
} moments[] = {
	{ 0, "1970-01-01 00:00:00", "1970-01-01 01:00:00" },
	{ -1, "1969-12-31 23:59:59", "1970-01-01 00:59:59" },
	{ 951782399999999999, "2000-02-28 23:59:59", "2000-02-29 00:59:59" },
	{ 1782864000000000000, "2026-07-01 00:00:00", "2026-07-01 02:00:00" },
	{ INT64_MAX, "2262-04-11 23:47:16", "2262-04-12 01:47:16" },
	{ INT64_MIN, "1677-09-21 00:12:43", "1677-09-21 02:12:43" },
};

START_TEST(dates)
{
	struct date utc = date_utc(moments[_i].ns), local;
	struct zone zone;
	char text[32];

	snprintf(text, sizeof(text), "%s %s", utc.day, utc.time);
	ck_assert_str_eq(text, moments[_i].utc);
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	ck_assert_int_eq(zone_open(&zone, NULL), 0);
	local = date_local(&zone, moments[_i].ns);
	zone_close(&zone);
	snprintf(text, sizeof(text), "%s %s", local.day, local.time);
	ck_assert_str_eq(text, moments[_i].local);
}
END_TEST

START_TEST(days)
{
	const struct tm before = { .tm_year = 1600 - 1900, .tm_mday = 1 };
	struct tm tm = before;
	int64_t day = timegm(&tm) / 86400;

	for (; tm.tm_year + 1900 < 2401; day++) {
		time_t second = day * 86400 + 86399;

		gmtime_r(&second, &tm);
		ck_assert_int_eq(days_of(tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday), day);
		ck_assert_int_eq(year_of(second), tm.tm_year + 1900);
	}
}
END_TEST

#define HOUR 3600

/* 1785542400: 2026-08-01 00:00:00; 1767225600: 2026-01-01. */
static const struct {
	const char *rule;
	int64_t moment, offset;		/* -1: it is no rule */
} rules[] = {
	{ "UTC0", 1785542400, 0 },
	{ "<+0530>-5:30", 1785542400, 5 * HOUR + 1800 },
	{ "<-03>3", 1785542400, -3 * HOUR },
	{ "LMT-1:02:03", 0, HOUR + 123 },
	{ "CET-1CEST,M3.5.0,M10.5.0/3", 1767225600, HOUR },
	{ "CET-1CEST,M3.5.0,M10.5.0/3", 1774745999, HOUR },
	{ "CET-1CEST,M3.5.0,M10.5.0/3", 1774746000, 2 * HOUR },
	{ "CET-1CEST,M3.5.0,M10.5.0/3", 1792889999, 2 * HOUR },
	{ "CET-1CEST,M3.5.0,M10.5.0/3", 1792890000, HOUR },
	{ "AEST-10AEDT,M10.1.0,M4.1.0/3", 1767225600, 11 * HOUR },
	{ "AEST-10AEDT,M10.1.0,M4.1.0/3", 1785542400, 10 * HOUR },
	{ "IST-1GMT0,M10.5.0,M3.5.0/1", 1767225600, 0 },
	{ "IST-1GMT0,M10.5.0,M3.5.0/1", 1785542400, HOUR },
	{ "EST5EDT", 1785542400, -4 * HOUR },
	{ "EST5EDT", 1767225600, -5 * HOUR },
	/* Day 60 is March 1 in every year without, day 59 March 1 only in 2026. */
	{ "XXX0YYY,J60/0,J300/0", 1772323200, HOUR },
	{ "XXX0YYY,J60/0,J300/0", 1772323199, 0 },
	{ "XXX0YYY,J60/0,J300/0", 1835481599, 0 },
	{ "XXX0YYY,J60/0,J300/0", 1835481600, HOUR },
	{ "XXX0YYY,59/0,300/0", 1772323200, HOUR },
	{ "XXX0YYY,59/0,300/0", 1835395200, HOUR },
	{ "XXX0YYY,0/-1,365/25", 1767225600, HOUR },
	{ "", 0, -1 },
	{ "UTC", 0, -1 },
	{ "UT0", 0, -1 },
	{ "<UTC0", 0, -1 },
	{ "Europe/Berlin", 0, -1 },
	{ "UTC25", 0, -1 },
	{ "UTC1:60", 0, -1 },
	{ "UTC0x", 0, -1 },
	{ "CET-1CEST,M3.5.0", 0, -1 },
	{ "CET-1CEST,M3.5.0,M10.5.0/3x", 0, -1 },
	{ "CET-1CEST,M13.5.0,M10.5.0", 0, -1 },
	{ "CET-1CEST,M0.5.0,M10.5.0", 0, -1 },
	{ "CET-1CEST,M3.6.0,M10.5.0", 0, -1 },
	{ "CET-1CEST,M3.5.7,M10.5.0", 0, -1 },
	{ "CET-1CEST,J0,J300", 0, -1 },
	{ "CET-1CEST,J1,J366", 0, -1 },
	{ "CET-1CEST,M3.5.0/168,M10.5.0", 0, -1 },
};

START_TEST(rule)
{
	struct zone_time t = { .offset = -1 };

	ck_assert_int_eq(zone_of_rule(rules[_i].rule, rules[_i].moment, &t),
			 rules[_i].offset != -1);
	if (rules[_i].offset != -1)
		ck_assert_int_eq(t.offset, rules[_i].offset);
}
END_TEST

/* Two changes, at -100 and 100 seconds, and a rule for what comes behind. */
#define COUNTS(LEAPS, TIMES, TYPES, LETTERS) \
	"TZif2" "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" "\0\0\0\0" "\0\0\0\0" "\0\0\0" LEAPS \
	"\0\0\0" TIMES "\0\0\0" TYPES "\0\0\0" LETTERS
#define TYPE_CET "\0\0\x0e\x10\0\0"
#define TYPE_CEST "\0\0\x1c\x20\1\4"
#define OLD COUNTS("\0", "\0", "\1", "\1") "\0\0\0\0\0\0" "\0"
#define TIMES "\xff\xff\xff\xff\xff\xff\xff\x9c" "\0\0\0\0\0\0\0\x64" "\1\0"
#define ZONE OLD COUNTS("\0", "\2", "\2", "\4") TIMES TYPE_CET TYPE_CEST "CET\0"
#define LEAP_AT_50 "\0\0\0\0\0\0\0\x32" "\0\0\0\1"
#define LEAPS OLD COUNTS("\1", "\0", "\1", "\4") TYPE_CET "CET\0" LEAP_AT_50 "\n"

#define BYTES(TEXT) TEXT, sizeof(TEXT) - 1

static const struct {
	const char *bytes;
	size_t n;
	int64_t moment, offset;		/* -1: it is no zone */
} files[] = {
	{ BYTES(ZONE "\nCET-1CEST,M3.5.0,M10.5.0/3\n"), -101, HOUR },
	{ BYTES(ZONE "\nCET-1CEST,M3.5.0,M10.5.0/3\n"), -100, 2 * HOUR },
	{ BYTES(ZONE "\nCET-1CEST,M3.5.0,M10.5.0/3\n"), 99, 2 * HOUR },
	{ BYTES(ZONE "\nCET-1CEST,M3.5.0,M10.5.0/3\n"), 100, HOUR },
	{ BYTES(ZONE "\nCET-1CEST,M3.5.0,M10.5.0/3\n"), 1785542400, 2 * HOUR },
	{ BYTES(ZONE "\n\n"), 1785542400, HOUR },
	{ BYTES(ZONE), 1785542400, HOUR },
	{ BYTES(ZONE "\nnonsense\n"), 1785542400, HOUR },
	{ BYTES(LEAPS), 49, HOUR },
	{ BYTES(LEAPS), 50, HOUR - 1 },
	{ BYTES(OLD), 0, -1 },
	{ BYTES("TZif"), 0, -1 },
	{ BYTES(""), 0, -1 },
	{ BYTES("not a zone, however many bytes it may have, and that are more than 44"), 0, -1 },
	{ BYTES(OLD COUNTS("\0", "\2", "\0", "\4") TIMES "CET\0"), 0, -1 },
	{ BYTES(OLD COUNTS("\0", "\2", "\1", "\4") TIMES TYPE_CET "CET\0"), 0, -1 },
};

START_TEST(file)
{
	struct zone_time t = { .offset = -1 };

	ck_assert_int_eq(zone_of_file(files[_i].bytes, files[_i].n, files[_i].moment, &t),
			 files[_i].offset != -1);
	if (files[_i].offset != -1)
		ck_assert_int_eq(t.offset, files[_i].offset);
}
END_TEST

/* Cut anywhere, or with any byte changed: whatever it says, nothing else is read. */
START_TEST(broken_file)
{
	const char zone[] = ZONE "\nCET-1CEST,M3.5.0,M10.5.0/3\n";
	struct zone_time t;

	for (size_t n = 0; n < sizeof(zone); n++) {
		char *bytes = malloc(n + 1);

		ck_assert_ptr_nonnull(bytes);
		memcpy(bytes, zone, n);
		bytes[n] = '\0';
		ck_assert(!zone_of_file(bytes, n, 0, &t) || n >= sizeof(ZONE) - 1);
		for (size_t i = 0; i < n; i++) {
			char was = bytes[i];

			bytes[i] = (char)0xff;
			zone_of_file(bytes, n, 1785542400, &t);
			bytes[i] = was;
		}
		free(bytes);
	}
}
END_TEST

/* A zone's file is read when it is opened, and not again, whatever becomes of it. */
START_TEST(read_once)
{
	static const char zone[] = ZONE "\nCET-1CEST,M3.5.0,M10.5.0/3\n";
	char path[] = "/tmp/sonde-unit-XXXXXX", name[64];
	int fd = mkstemp(path);
	struct zone z;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, zone, sizeof(zone) - 1), sizeof(zone) - 1);
	snprintf(name, sizeof(name), "%s%s", _i ? ":" : "", path);
	setenv("TZ", name, 1);
	ck_assert_int_eq(zone_open(&z, NULL), 0);
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	ck_assert_int_eq(zone_time(&z, 1785542400).offset, 2 * HOUR);
	unlink(path);
	ck_assert_str_eq(zone_time(&z, 1785542400).name, "CEST");
	setenv("TZ", "UTC0", 1);
	ck_assert_str_eq(zone_time(&z, 1767225600).name, "CET");
	ck_assert_int_eq(zone_time(&z, 1767225600).offset, HOUR);
	zone_close(&z);
	ck_assert_int_eq(zone_time(&z, 1785542400).offset, 0);
	ck_assert_str_eq(zone_time(&z, 1785542400).name, "UTC");
	close(fd);
}
END_TEST

/* Where they are installed; where not, both take the name for a rule, which it is not. */
static const char *const zones[] = {
	"Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Australia/Lord_Howe",
	"Asia/Kolkata", "Africa/Casablanca", "Pacific/Apia", "Antarctica/Troll", "Etc/UTC",
	"right/Europe/Paris", ":Europe/Dublin", "",
};

START_TEST(as_the_c_library)
{
	struct zone zone;

	setenv("TZ", zones[_i], 1);
	tzset();
	ck_assert_int_eq(zone_open(&zone, NULL), 0);
	for (time_t second = 0; second < 4000000000; second += 987654) {
		struct date date = date_local(&zone, second * NS_PER_SECOND);
		char ours[32], theirs[32];
		struct tm tm;

		ck_assert_ptr_nonnull(localtime_r(&second, &tm));
		strftime(theirs, sizeof(theirs), "%Y-%m-%d %H:%M:%S", &tm);
		snprintf(ours, sizeof(ours), "%s %s", date.day, date.time);
		ck_assert_str_eq(ours, theirs);
	}
	zone_close(&zone);
}
END_TEST

#define ROWS(TABLE) (sizeof(TABLE) / sizeof((TABLE)[0]))

Suite *suite_date(void)
{
	Suite *suite = suite_create("date");

	add_tests(suite, "dates", dates, ROWS(moments));
	add_tests(suite, "days", days, 1);
	add_tests(suite, "rules", rule, ROWS(rules));
	add_tests(suite, "files", file, ROWS(files));
	add_tests(suite, "broken files", broken_file, 1);
	add_tests(suite, "read once", read_once, 2);
	add_tests(suite, "as the C library", as_the_c_library, ROWS(zones));
	return suite;
}
