/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DATA_LOC_H
#define SONDE_DATA_LOC_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The text that the data_loc at this place of a record points to. `last`: no other argument is
 * behind the data_loc. Returns NULL if the kernel could not read it, or if the record is invalid.
 */
const char *data_loc_text(const void *record, uint32_t size, uint32_t at, bool last,
			  uint32_t *length);

#endif
