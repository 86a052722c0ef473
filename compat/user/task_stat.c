// SPDX-License-Identifier: GPL-2.0
#include "compat/user/task_stat.h"

#include <string.h>

#include "compat/base/file.h"
#include "compat/base/scan.h"

bool task_stat_read(int dir, const char *path, struct task_stat *s)
{
	const char *end;

	if (file_begin(dir, path, s->text, sizeof(s->text)) <= 0)
		return false;
	end = strrchr(s->text, ')');	/* the name may have others */
	if (!end || end[1] != ' ' || !end[2])
		return false;
	s->state = end + 2;
	return true;
}

bool task_stat_number(const struct task_stat *s, unsigned int field, uint64_t most,
		      uint64_t *number)
{
	const char *at = s->state + 1;

	return scan_text(&at, " ") && scan_pass(&at, field - 4) && scan_number(&at, most, number);
}

bool task_lives(int dir, const char *path)
{
	struct task_stat s;

	return task_stat_read(dir, path, &s) && *s.state != 'Z' && *s.state != 'X';
}
