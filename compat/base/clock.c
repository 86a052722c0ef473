// SPDX-License-Identifier: GPL-2.0
#include "compat/base/clock.h"

int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

uint64_t monotonic_ns(void)
{
	return (uint64_t)clock_ns(CLOCK_MONOTONIC);
}

int64_t monotonic_ms(void)
{
	return clock_ns(CLOCK_MONOTONIC) / NS_PER_MS;
}

static time_t second_of(int64_t ns)
{
	return (time_t)(ns / NS_PER_SECOND - (ns % NS_PER_SECOND < 0));
}

/* The last `digits` digits of a number, and a NUL. */
static void put_digits(char *to, unsigned int digits, int number)
{
	to[digits] = '\0';
	for (; digits; number /= 10)
		to[--digits] = (char)('0' + number % 10);
}

/* 64 bits of ns reach from 1677 to 2262: a year has four digits, and no moment is out of range. */
static struct date written(const struct tm *tm)
{
	struct date d;

	put_digits(d.day, 4, tm->tm_year + 1900);
	d.day[4] = '-';
	put_digits(d.day + 5, 2, tm->tm_mon + 1);
	d.day[7] = '-';
	put_digits(d.day + 8, 2, tm->tm_mday);
	put_digits(d.time, 2, tm->tm_hour);
	d.time[2] = ':';
	put_digits(d.time + 3, 2, tm->tm_min);
	d.time[5] = ':';
	put_digits(d.time + 6, 2, tm->tm_sec);
	return d;
}

struct date date_local(int64_t ns)
{
	const time_t second = second_of(ns);
	struct tm tm;

	localtime_r(&second, &tm);
	return written(&tm);
}

struct date date_utc(int64_t ns)
{
	const time_t second = second_of(ns);
	struct tm tm;

	gmtime_r(&second, &tm);
	return written(&tm);
}
