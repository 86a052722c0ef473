/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OWN_FOLDER_H
#define SONDE_OWN_FOLDER_H

#include "compat/base/error.h"

/*
 * A folder in memory that nobody else can reach: its mount is in a mount namespace that is gone
 * when this returns. The folder, and all that is made in it, is there until its descriptor is
 * closed, which happens however sonde ends. -1 and err (it requires CAP_SYS_ADMIN).
 */
int own_folder(struct error *err);

#endif
