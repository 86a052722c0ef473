// SPDX-License-Identifier: GPL-2.0
#include "compat/time/date.h"

#include "compat/base/clock.h"

#define DAY 86400

static int64_t divide_down(int64_t n, int64_t by)
{
	return n / by - (n % by < 0);
}

/*
 * Counts in years that begin in March: the leap day is then the last day of its year, and each
 * month begins on the same day of each year.
 */
int64_t days_of(int year, int month, int day)
{
	int64_t y = month > 2 ? year : year - 1, months = (month + 9) % 12;

	return y * 365 + divide_down(y, 4) - divide_down(y, 100) + divide_down(y, 400) +
	       (months * 153 + 2) / 5 + day - 1 - 719468;
}

int year_of(int64_t second)
{
	int64_t days = divide_down(second, DAY);
	int year = (int)(1970 + divide_down(days * 400, 146097));

	while (days_of(year, 1, 1) > days)
		year--;
	while (days_of(year + 1, 1, 1) <= days)
		year++;
	return year;
}

/* Writes the last `digits` digits of a number, and a NUL. */
static void put_digits(char *to, unsigned int digits, int number)
{
	to[digits] = '\0';
	for (; digits; number /= 10)
		to[--digits] = (char)('0' + number % 10);
}

/* 64 bits of ns reach from 1677 to 2262: a year has four digits, and no moment is out of range. */
static struct date date_of(int64_t second)
{
	int64_t days = divide_down(second, DAY);
	int year = year_of(second), month = 12, rest = (int)(second - days * DAY);
	struct date d;

	while (days_of(year, month, 1) > days)
		month--;
	put_digits(d.day, 4, year);
	d.day[4] = '-';
	put_digits(d.day + 5, 2, month);
	d.day[7] = '-';
	put_digits(d.day + 8, 2, (int)(days - days_of(year, month, 1)) + 1);
	put_digits(d.time, 2, rest / 3600);
	d.time[2] = ':';
	put_digits(d.time + 3, 2, rest / 60 % 60);
	d.time[5] = ':';
	put_digits(d.time + 6, 2, rest % 60);
	return d;
}

struct date date_local(const struct zone *zone, int64_t ns)
{
	int64_t second = divide_down(ns, NS_PER_SECOND);

	return date_of(second + zone_time(zone, second).offset);
}

struct date date_utc(int64_t ns)
{
	return date_of(divide_down(ns, NS_PER_SECOND));
}
