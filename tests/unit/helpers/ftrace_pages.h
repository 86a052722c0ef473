/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TEST_FTRACE_PAGES_H
#define SONDE_TEST_FTRACE_PAGES_H

#include <stdlib.h>
#include <string.h>

#include "compat/rings/ftrace_page.h"
#include "tests/unit/unit.h"

/* Pages of ftrace's ring buffer, made by hand. */
#define EVENT(type, delta) ((uint32_t)(delta) << 5 | (type))
#define MARK (1U << 31)
#define STORED (1U << 30)

static const struct ftrace_layout wide = { 4096, 16, 8, 8, false };

/* Makes a page in memory of exactly its size: the sanitizer finds each access beyond it. */
static inline uint8_t *make_page(const struct ftrace_layout *l, uint64_t time, uint64_t commit,
				 const void *data, uint32_t size)
{
	uint8_t *page = malloc(l->data + size);

	ck_assert_ptr_nonnull(page);
	memset(page, 0, l->data);
	memcpy(page, &time, sizeof(time));
	memcpy(page + l->commit, &commit, l->commit_size);
	memcpy(page + l->data, data, size);
	return page;
}

#endif
