// SPDX-License-Identifier: GPL-2.0
#include "compat/base/scan.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool scan_text(const char **at, const char *text)
{
	const char *p = *at;

	for (; *text; text++) {
		if (!is_blank(*text)) {
			if (*p++ != *text)
				return false;
			continue;
		}
		if (!is_blank(*p))
			return false;
		while (is_blank(*p))
			p++;
	}
	*at = p;
	return true;
}

/* Returns the value of a hexadecimal digit; 16 if the character is not a digit. */
static unsigned int digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a') + 10 : 16;
}

static bool append(uint64_t *number, unsigned int base, unsigned int value, uint64_t most)
{
	if (value > most || *number > (most - value) / base)
		return false;
	*number = *number * base + value;
	return true;
}

static bool digits(const char **at, unsigned int base, uint64_t most, uint64_t *number)
{
	const char *p = *at;
	uint64_t n = 0;

	for (; digit(*p) < base; p++)
		if (!append(&n, base, digit(*p), most))
			return false;
	if (p == *at)
		return false;
	*at = p;
	*number = n;
	return true;
}

bool scan_number(const char **at, uint64_t most, uint64_t *number)
{
	return digits(at, 10, most, number);
}

bool scan_hex(const char **at, uint64_t most, uint64_t *number)
{
	return digits(at, 16, most, number);
}

bool scan_decimal(const char **at, unsigned int places, uint64_t most, uint64_t *number)
{
	bool any = false, point = false;
	const char *p = *at;
	uint64_t n = 0;

	for (;; p++) {
		if (*p == '.' && !point) {
			point = true;
			continue;
		}
		if (digit(*p) >= 10)
			break;
		any = true;
		if (point && !places)
			continue;
		places -= point;
		if (!append(&n, 10, digit(*p), most))
			return false;
	}
	for (; places; places--)
		if (!append(&n, 10, 0, most))
			return false;
	if (!any)
		return false;
	*at = p;
	*number = n;
	return true;
}

bool scan_device(const char **at, uint64_t *number)
{
	const char *p = *at;
	uint64_t major, minor;

	if (!scan_number(&p, 0xfff, &major) || !scan_text(&p, ":") ||
	    !scan_number(&p, 0xfffff, &minor))
		return false;
	*number = major << 20 | minor;
	*at = p;
	return true;
}

bool scan_pass(const char **at, unsigned int n)
{
	const char *p = *at;
	uint64_t number;

	for (; n; n--) {
		p += *p == '-';
		if (!scan_number(&p, UINT64_MAX, &number) || !scan_text(&p, " "))
			return false;
	}
	*at = p;
	return true;
}

static bool take(const char **at, size_t length, char *to, size_t size)
{
	if (!length || length >= size)
		return false;
	memcpy(to, *at, length);
	to[length] = '\0';
	*at += length;
	return true;
}

bool scan_until(const char **at, const char *ends, char *to, size_t size)
{
	size_t line = strcspn(*at, "\n"), length = strcspn(*at, ends);

	return take(at, length < line ? length : line, to, size);
}

bool scan_of(const char **at, const char *set, char *to, size_t size)
{
	return take(at, strspn(*at, set), to, size);
}

bool scan_end(const char **at)
{
	if (**at && **at != '\n')
		return false;
	*at += **at == '\n';
	return true;
}
