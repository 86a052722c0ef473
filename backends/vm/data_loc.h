/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DATA_LOC_H
#define SONDE_DATA_LOC_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The text that the data_loc at this place of a record points to, or NULL if the kernel could not
 * read it (or the record is no such one). `last`: no other argument is behind the data_loc.
 */
const char *data_loc_text(const void *record, uint32_t size, uint32_t at, bool last,
			  uint32_t *length);

#endif
