/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SCAN_H
#define SONDE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reading lines of text that the kernel writes. Each function reads one thing at *at, and moves *at
 * behind it; or it returns false, and *at stays. So a chain of && reads a line:
 *
 *	scan_text(&at, "Tgid: ") && scan_number(&at, INT32_MAX, &tgid) && scan_end(&at)
 *
 * They are stricter than sscanf(): a number has no sign and is at most `most`, a word is never cut,
 * and blanks are allowed only where the caller says so.
 */

/* Reads exactly this text; a blank in it stands for one or more blanks and tabs. */
bool scan_text(const char **at, const char *text);
/* Reads a decimal number up to `most`. */
bool scan_number(const char **at, uint64_t most, uint64_t *number);
/* Reads a hexadecimal number, without 0x. */
bool scan_hex(const char **at, uint64_t most, uint64_t *number);
/* Reads a number with or without a point: with 3 places "1.5" is 1500. More places are dropped. */
bool scan_decimal(const char **at, unsigned int places, uint64_t most, uint64_t *number);
/* Reads MAJOR:MINOR of a device, as one number: major << 20 | minor, as the kernel's own events. */
bool scan_device(const char **at, uint64_t *number);
/* Skips n numbers, which may be negative, and the blanks behind each. */
bool scan_pass(const char **at, unsigned int n);
/*
 * Read a word: up to one of the characters `ends` or the end of the line; or as long as characters
 * are in `set`. A word has 1 to size - 1 characters; `to` gets a NUL at the end.
 */
bool scan_until(const char **at, const char *ends, char *to, size_t size);
bool scan_of(const char **at, const char *set, char *to, size_t size);
/* Reads the end of the line, with its newline, or the end of the text. */
bool scan_end(const char **at);

#endif
