/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ELF_BUILD_ID_H
#define SONDE_ELF_BUILD_ID_H

#include <stdint.h>

#include "compat/kernel/build_id.h"

/*
 * The build id of a program or library of this machine's byte order, by its first notes. Returns -1
 * if there is none, or if the file can't be read. A bounded part of the file is read, however it is
 * made.
 */
int elf_build_id(int fd, uint8_t id[BUILD_ID]);

#endif
