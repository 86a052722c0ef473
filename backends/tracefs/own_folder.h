/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OWN_FOLDER_H
#define SONDE_OWN_FOLDER_H

#include "compat/base/error.h"

/*
 * A folder in memory that nobody else can come to: of a mount in a mount namespace that is gone
 * when this returns. It is there, with all that is made in it, until its descriptor is closed, and
 * so is gone however sonde ends. -1 and why (it takes CAP_SYS_ADMIN).
 */
int own_folder(struct error *err);

#endif
