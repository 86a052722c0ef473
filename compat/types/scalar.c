// SPDX-License-Identifier: GPL-2.0
#include "compat/types/scalar.h"

#include "compat/types/prototype.h"

#define DEPTH 16

/* Bytes of a type. `each`: of an element, if it is an array of numbers. 0: they are not known. */
static uint32_t size_of(struct btf *b, struct btf_type *t, uint32_t *each)
{
	const uint32_t sized = 1 << BTF_INT | 1 << BTF_ENUM | 1 << BTF_ENUM64 | 1 << BTF_STRUCT |
			       1 << BTF_UNION;
	struct btf_type element;
	uint32_t id, n;

	*each = t->target;
	if (1 << t->kind & sized)
		return t->target;
	if (t->kind == BTF_POINTER)
		return *each = 8;
	if (t->kind != BTF_ARRAY)
		return 0;
	btf_array(t, &id, &n);
	if (!prototype_bare(b, id, &element) || element.kind != BTF_INT)
		return 0;
	*each = element.target;
	return element.target * n;
}

bool scalar_at(struct btf *b, const char *name, size_t length, uint32_t offset, uint32_t size)
{
	const bool aligned = size && offset % size == 0;
	unsigned int found, depth = 0;
	struct btf_type t;
	struct btf_member m, next;

	if (!size || !btf_type(b, btf_named(b, 1 << BTF_STRUCT, name, length, &found), &t) ||
	    found != 1)
		return false;
	for (uint32_t i = 0; btf_member(&t, i, &m); i++) {
		uint32_t at = m.bits / 8, bytes, each = 0;
		struct btf_type of;

		if (offset < at || !prototype_bare(b, m.type, &of))
			return false;
		bytes = m.width ? (m.bits % 8 + m.width + 7) / 8 : size_of(b, &of, &each);
		if (bytes && offset >= at + bytes)
			continue;
		/* It is empty, or its size is not known, and there is another one at the place. */
		if (!bytes && btf_member(&t, i + 1, &next) && offset >= next.bits / 8)
			continue;
		if (!bytes || m.width)
			return false;
		/* The verifier lets a load have several numbers of an array. */
		if (of.kind == BTF_ARRAY && size > each)
			return aligned && offset - at + size <= bytes;
		if (of.kind != BTF_STRUCT && of.kind != BTF_UNION)
			return (offset - at) % size == 0 &&
			       (of.kind == BTF_POINTER ? size == each : size <= each);
		if (++depth > DEPTH)
			return false;
		offset -= at;
		t = of;
		i = UINT32_MAX;
	}
	return false;
}
