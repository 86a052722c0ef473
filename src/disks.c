// SPDX-License-Identifier: GPL-2.0
#include "src/disks.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int64_t disk_number(const char *name, struct error *err)
{
	unsigned int major, minor;
	char path[288];
	FILE *f;
	int n;

	if (strchr(name, '/') || strlen(name) > 255)
		return fail(err, "%.64s is no disk's name\n`ls /sys/class/block` shows their names", name);
	snprintf(path, sizeof(path), "/sys/class/block/%s/partition", name);
	if (!access(path, F_OK))
		return fail(err, "%s is a partition, and requests go to whole disks\nname the disk it is on", name);
	snprintf(path, sizeof(path), "/sys/class/block/%s/dev", name);
	f = fopen(path, "re");
	if (!f)
		return fail(err, "there is no disk %s\n`ls /sys/class/block` shows their names", name);
	n = fscanf(f, "%u:%u", &major, &minor);
	fclose(f);
	return n == 2 ? (int64_t)major << 20 | minor : fail(err, "%s can't be read", path);
}

void disk_name(uint64_t number, char *name, size_t size)
{
	char path[64], link[256], *last;
	ssize_t n;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u", (unsigned int)(number >> 20),
		 (unsigned int)(number & 0xfffff));
	n = readlink(path, link, sizeof(link) - 1);
	link[n > 0 ? n : 0] = '\0';
	last = strrchr(link, '/');
	snprintf(name, size, "%s", last ? last + 1 : "?");
}
