/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FIELDS_H
#define SONDE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/kernel/format.h"
#include "compat/recordings/recording.h"

/* Fields of a record of a recording. Return false if the field is no such one, or not in it. */
bool recorded_number(const struct field *f, const struct recorded *rec, uint64_t *to);
/* *s: in the record, *n bytes up to a NUL. */
bool recorded_chars(const struct field *f, const struct recorded *rec, const char **s, size_t *n);

#endif
