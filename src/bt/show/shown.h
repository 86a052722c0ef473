/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_SHOWN_H
#define SONDE_BT_SHOWN_H

#include <stdio.h>

#include "src/bt/bt.h"

/* Returns true if time() and strftime() have all conversions of the format. */
bool bt_time_known(const char *format);
/* The message if they have not; its argument is the function. */
#define BT_TIME_LETTERS \
	"%s() has %%H %%M %%S %%T %%X %%R %%F %%Y %%y %%m %%b %%d %%s %%f %%Z here; a %% is %%%%"
/* Writes a local time, ns since the epoch. */
void bt_put_time(FILE *to, const struct run *run, const char *format, int64_t ns);

/*
 * Writes a block: its address, or nothing if it is all zeros. `way`, of a buffer: 'r' letters, and
 * other bytes as \xNN; 'R' all as \xNN; 'H' all as NN, with blanks between.
 */
void bt_put_block(FILE *to, enum bt_block_kind kind, const char *bytes, char way);
/* Writes a number of the kind BT_SHOWN. Bytes of names are not escaped. */
void bt_put_shown(FILE *to, const struct bt *b, const struct bt_shape *shape, uint64_t bits);

#endif
