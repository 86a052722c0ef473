/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NUMBER_NAMES_H
#define SONDE_NUMBER_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "compat/kernel/format.h"

/*
 * The names that a kernel gives to the numbers of a field, by its event's print format:
 * `__print_symbolic(REC->reason, { 2, "NOT_SPECIFIED" }, { 3, "NO_SOCKET" }, ...)`.
 */
struct number_names {
	struct number_name {
		uint64_t number;
		char *name;
	} *list;
	size_t n;
};

/*
 * Reads the names of a field. Without any the list is empty. Returns -1 if there is no memory.
 * number_names_free() is called in either case.
 */
int number_names_read(struct number_names *s, const struct format *f, const char *field);
/* The name of a number. Returns NULL if there is none; valid until number_names_free(). */
const char *number_names_name(const struct number_names *s, uint64_t number);
/* The number of a name. Returns `none` if there is no such name. */
uint64_t number_names_number(const struct number_names *s, const char *name, uint64_t none);
void number_names_free(struct number_names *s);

#endif
