/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OWN_FOLDER_H
#define SONDE_OWN_FOLDER_H

#include "compat/base/error.h"

/*
 * Makes a folder in memory that no other process can reach: its mount is in a mount namespace that
 * no longer exists when this returns. The folder and its files last until the returned descriptor
 * is closed, for whatever reason sonde ends. Returns -1 and sets err on failure (it requires
 * CAP_SYS_ADMIN).
 */
int own_folder(struct error *err);

#endif
