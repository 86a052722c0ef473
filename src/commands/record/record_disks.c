// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/record_disks.h"

#include <dirent.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/text.h"
#include "compat/recordings/recorded_probes.h"

#define DISKS "/sys/dev/block"

/* An entry is MAJOR:MINOR, and leads to the device's folder, which has its name. */
static void add(int folder, const char *entry, struct strbuf *to)
{
	char link[PATH_MAX] = "", path[300], *name;

	file_link(folder, entry, link, sizeof(link));
	name = strrchr(link, '/');
	if (!strchr(entry, ':') || !name)
		return;
	text_all(path, sizeof(path), "%s/partition", entry);
	strbuf_addf(to, "%s %s ", faccessat(folder, path, F_OK, 0) ? "disk" : "partition", entry);
	recorded_word(to, name + 1, '\n');
}

void record_disks(struct strbuf *to)
{
	DIR *folder = opendir(DISKS);
	struct dirent *e;

	while (folder && (e = readdir(folder)))
		add(dirfd(folder), e->d_name, to);
	if (folder)
		closedir(folder);
}
