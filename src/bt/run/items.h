/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_ITEMS_H
#define SONDE_BT_ITEMS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "compat/user/task_stat.h"

/*
 * What iter:task, iter:task_file and iter:task_vma go through: threads, open files and mappings.
 * /proc tells of them on each kernel. A file or mapping that threads share is an item of their
 * process only, as of the kernel's own iterators.
 */
enum bt_walk { BT_WALK_TASK, BT_WALK_FILE, BT_WALK_MAPPING, BT_WALKS };

/* The name of a walk, as behind `iter:`. */
extern const char *const bt_walk_names[BT_WALKS];

struct bt_item {
	enum bt_walk walk;
	uint32_t tid, tgid;
	int threads;			/* the open directory /proc/TGID/task */
	struct task_stat stat;
	uint64_t fd;
	uint64_t start, end;		/* of a mapping */
	char path[PATH_MAX];		/* of its file; empty: of none */
	bool pathless;			/* the kernel has another text in the place of the path */
};

/* What is known of items, by the names behind `ctx->`. */
struct bt_member {
	const char *name;		/* "task.pid" */
	uint8_t walks;			/* a bit for each walk whose items have it */
	uint8_t size;			/* bytes of the number; 0: a text */
	bool is_signed;
	bool is_path;			/* for path() only */
	uint8_t field;			/* of /proc/TID/stat, for number() */
	/* Return false if it can't be read, or is not known. */
	bool (*number)(const struct bt_item *i, const struct bt_member *m, uint64_t *to);
	bool (*text)(const struct bt_item *i, char *to, size_t size);
};

/* Row number `row`; NULL: there are no more. */
const struct bt_member *bt_member_row(unsigned int row);

/*
 * Calls `each` for all items, until it returns false. What belongs to a task that ends meanwhile
 * may be left out. Counts in *unread the tasks that can't be read. Returns -1 and sets err if tasks
 * can't be listed.
 */
int bt_walk(enum bt_walk walk, bool (*each)(void *arg, const struct bt_item *item), void *arg,
	    uint64_t *unread, struct error *err);

#endif
