/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BUILD_ID_H
#define SONDE_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

/* What the linker made of a program's content: two files of one build id have the same code. */
#define BUILD_ID 20

/*
 * The build id in ELF notes of this machine's byte order, cut or filled with zeros. Returns -1 if
 * there is none.
 */
int build_id_of_notes(const void *notes, size_t n, uint8_t id[BUILD_ID]);
/* That of the running kernel (/sys/kernel/notes). */
int kernel_build_id(uint8_t id[BUILD_ID]);

#endif
