/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SCAN_H
#define SONDE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reading lines of text, as the kernel writes them. Each of these takes from *at what it names and
 * moves *at behind it; or it says false, and *at stays. So a chain of && reads a line:
 *
 *	scan_text(&at, "Tgid: ") && scan_number(&at, INT32_MAX, &tgid) && scan_end(&at)
 *
 * It is stricter than sscanf(): a number has no sign and is never larger than `most`, a word is
 * never cut, and there are blanks only where the caller says so.
 */

/* This text; a blank in it stands for blanks and tabs, one or more. */
bool scan_text(const char **at, const char *text);
/* Digits: a number up to `most`. */
bool scan_number(const char **at, uint64_t most, uint64_t *number);
/* The same in hexadecimal digits, without 0x. */
bool scan_hex(const char **at, uint64_t most, uint64_t *number);
/*
 * Digits with a point among them, or without: with 3 places "1.5" is 1500. What has more places is
 * rounded down.
 */
bool scan_decimal(const char **at, unsigned int places, uint64_t most, uint64_t *number);
/* Passes n numbers, which may be negative, and the blanks behind each. */
bool scan_pass(const char **at, unsigned int n);
/*
 * All up to one of the characters `ends`, or up to the end of the line; and all that is in `set`.
 * One character at least, and size - 1 at most; `to` ends with a NUL.
 */
bool scan_until(const char **at, const char *ends, char *to, size_t size);
bool scan_of(const char **at, const char *set, char *to, size_t size);
/* The end of the line, with its newline, or of the text. */
bool scan_end(const char **at);

#endif
