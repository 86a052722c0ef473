/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROTOBUF_H
#define SONDE_PROTOBUF_H

#include <stdint.h>

#include "compat/base/strbuf.h"

/*
 * Writes protobuf messages behind a text on the heap. If there is no memory, `cut` of the text says
 * so, and the message must not be used.
 */

/* A number without its field, as packed fields have them. */
void proto_packed(struct strbuf *to, uint64_t value);
/* Fields: a number, a double, and bytes: a string, or a message. */
void proto_number(struct strbuf *to, unsigned int field, uint64_t value);
void proto_real(struct strbuf *to, unsigned int field, double value);
void proto_bytes(struct strbuf *to, unsigned int field, const void *bytes, size_t n);
void proto_string(struct strbuf *to, unsigned int field, const char *s);
/*
 * A field whose bytes are all that is added up to proto_close(), which gets what proto_open()
 * returned. Fields may be within others.
 */
size_t proto_open(struct strbuf *to, unsigned int field);
void proto_close(struct strbuf *to, size_t at);

#endif
