/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BTF_H
#define SONDE_BTF_H

#include <stdint.h>

#include "compat/base/error.h"

/*
 * The kernel's own description of its types (BTF), as far as offsets of members need it. The bytes
 * are data from outside: whatever they are, reading stays inside of them and ends. They tell their
 * byte order.
 */
struct btf;

/*
 * Reads a file of it. Takes over the descriptor, and closes it in any case. Most of the file stays
 * outside of memory, so it must not change: bytes that are missing later are an error then. NULL
 * and err if the file is not BTF. btf_free() takes NULL too.
 */
struct btf *btf_new(int fd, struct error *err);
void btf_free(struct btf *b);

/*
 * The offset in bytes of a member "STRUCT.MEMBER[.MEMBER...]", through nested structs; anonymous
 * ones are left out of the path. -1 and why: there is none, it is a bit field, or structs of that
 * name disagree.
 */
int32_t btf_offset(struct btf *b, const char *path, struct error *err);

#endif
