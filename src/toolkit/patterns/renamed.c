// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/patterns/renamed.h"

#include <string.h>

static const struct renamed rows[] = {
	{ "do_sys_open", "do_sys_openat2", true, 1 << 1, 2 },		/* 5.6 */
	{ "do_sys_openat2", NULL, false, 1 << 1, 0 },
	{ "blk_account_io_start", "__blk_account_io_start", false, 0, 0 },	/* 5.16 to 6.5 */
	{ "blk_account_io_done", "__blk_account_io_done", false, 0, 0 },
	{ "__kmalloc", "__kmalloc_noprof", false, 0, 1 },		/* 6.10 */
	{ "__kmalloc_node", "__kmalloc_node_noprof", false, 0, 1 },
	{ "kmem_cache_alloc", "kmem_cache_alloc_noprof", false, 0, 2 },
	{ "vmalloc", "vmalloc_noprof", false, 0, 1 },
};

const struct renamed *renamed_row(const char *name)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

const char *renamed_now(struct kernel *k, const struct renamed *row)
{
	if (!row->now || (!row->always && kernel_function(k, row->name)) ||
	    !kernel_function(k, row->now))
		return NULL;
	return row->now;
}

void renamed_expect(struct kernel *k, const char *name)
{
	const struct renamed *row = renamed_row(name);

	kernel_expect(k, name);
	if (row && row->now)
		kernel_expect(k, row->now);
}
