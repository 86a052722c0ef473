// SPDX-License-Identifier: GPL-2.0
/*
 * Libraries that were compiled with glibc 2.38 or later call these, for which earlier ones have the
 * names without the prefix. deps.sh adds them to libraries for another machine whose compiler has
 * an earlier glibc.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

long __isoc23_strtol(const char *s, char **end, int base);
unsigned long __isoc23_strtoul(const char *s, char **end, int base);
long long __isoc23_strtoll(const char *s, char **end, int base);
unsigned long long __isoc23_strtoull(const char *s, char **end, int base);
int __isoc23_sscanf(const char *s, const char *format, ...);

long __isoc23_strtol(const char *s, char **end, int base)
{
	return strtol(s, end, base);
}

unsigned long __isoc23_strtoul(const char *s, char **end, int base)
{
	return strtoul(s, end, base);
}

long long __isoc23_strtoll(const char *s, char **end, int base)
{
	return strtoll(s, end, base);
}

unsigned long long __isoc23_strtoull(const char *s, char **end, int base)
{
	return strtoull(s, end, base);
}

int __isoc23_sscanf(const char *s, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsscanf(s, format, args);
	va_end(args);
	return n;
}
