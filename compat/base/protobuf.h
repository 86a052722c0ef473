/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROTOBUF_H
#define SONDE_PROTOBUF_H

#include <stdint.h>

#include "compat/base/strbuf.h"

/* Add to a message of protobuf: a number alone, a field with a number, a field with bytes. */
void protobuf_number(struct strbuf *to, uint64_t value);
void protobuf_field(struct strbuf *to, unsigned int field, uint64_t value);
void protobuf_bytes(struct strbuf *to, unsigned int field, const void *bytes, size_t n);

#endif
