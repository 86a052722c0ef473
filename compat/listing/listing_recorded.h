/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LISTING_RECORDED_H
#define SONDE_LISTING_RECORDED_H

#include "compat/listing/listing.h"

/*
 * As list_user_functions() and list_usdt(), of a recording: places that were probed. Returns -1 and
 * sets err if it has none of this file.
 */
int list_recorded(struct kernel *k, const char *file, const struct wanted_names *w,
		  struct listing *to, struct error *err);

#endif
