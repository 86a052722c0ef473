/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BTF_H
#define SONDE_BTF_H

#include <stdint.h>

#include "compat/base/error.h"

/*
 * The kernel's own description of its types, as far as offsets of members need it. The bytes are
 * data from outside: whatever they are, reading stays inside of them and comes to an end. Their
 * byte order is told by themselves.
 */
struct btf;

/*
 * Of a file of it, from its beginning: the descriptor is its own from then on, and closed in any
 * case. Little of it is held in memory, so the file must stay what it is: what it lost is an error
 * later. NULL and err if that is no type information. btf_free() takes NULL too.
 */
struct btf *btf_new(int fd, struct error *err);
void btf_free(struct btf *b);

/*
 * The offset in bytes of a member "STRUCT.MEMBER[.MEMBER...]", through nested structs, and through
 * anonymous ones that are not named; -1 and why: there is none, it is a bit field, or structs of
 * that name disagree.
 */
int32_t btf_offset(struct btf *b, const char *path, struct error *err);

#endif
