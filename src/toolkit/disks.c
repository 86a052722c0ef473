// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/disks.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/recordings/recorded_probes.h"
#include "src/run/options/common.h"

static const char *without_dev(const char *asked)
{
	return strncmp(asked, "/dev/", 5) ? asked : asked + 5;
}

static int64_t refuse_partition(const char *asked, struct error *err)
{
	return fail(err, "%s is a partition, and requests go to whole disks\nname the disk of the "
			 "partition", asked);
}

int64_t disk_number(const char *asked, struct error *err)
{
	const char *name = without_dev(asked);
	char path[288], dev[32];
	const char *at = dev;
	uint64_t number;

	if (strchr(name, '/') || strlen(name) > 255)
		return fail(err, "%.64s is not the name of a disk\n"
			    "`ls /sys/class/block` shows their names", asked);
	text_all(path, sizeof(path), "/sys/class/block/%s/partition", name);
	if (!access(path, F_OK))
		return refuse_partition(asked, err);
	text_all(path, sizeof(path), "/sys/class/block/%s/dev", name);
	if (file_read(path, dev, sizeof(dev)) < 0)
		return fail(err, "there is no disk %s\n`ls /sys/class/block` shows their names",
			    asked);
	if (!scan_device(&at, &number) || !scan_end(&at))
		return fail(err, "%s can't be read", path);
	return (int64_t)number;
}

/* Of a file of records: by the name that it tells, or by numbers. */
static int64_t recorded_number(const struct run *r, const char *asked, struct error *err)
{
	const char *name = without_dev(asked), *at = name;
	const struct recorded_disk *disk;
	uint64_t number;

	if (scan_device(&at, &number) && !*at)
		return (int64_t)number;
	disk = run_recorded_disk(r, 0, name);
	if (!disk)
		return fail(err, "the file does not tell which disk was %.64s\nwithout --disk its "
				 "disks are shown; MAJOR:MINOR, as 8:0, names one by its number",
			    asked);
	return disk->partition ? refuse_partition(asked, err) : (int64_t)disk->number;
}

void disk_name(const struct run *r, uint64_t number, char *name, size_t size)
{
	const unsigned int major = (unsigned int)(number >> 20), minor = number & 0xfffff;
	const struct recorded_disk *recorded = run_recorded_disk(r, number, NULL);
	char path[64], link[PATH_MAX] = "", *last;

	if (recorded) {
		text_cut(name, size, "%s", recorded->name);
		return;
	}
	if (run_is_recorded(r)) {
		text_cut(name, size, "%u:%u", major, minor);
		return;
	}
	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u", major, minor);
	if (run_is_live(r))
		file_link(AT_FDCWD, path, link, sizeof(link));
	last = strrchr(link, '/');
	text_cut(name, size, "%s", last ? last + 1 : "?");
}

int disk_option(struct run *r, struct error *err)
{
	const char *disk = common_of(run_options(r))->disk;
	int64_t dev = !disk ? 0 : run_is_live(r) ? disk_number(disk, err) :
		      recorded_number(r, disk, err);

	if (dev < 0)
		return -1;
	run_constant(r, "dev", dev);
	return 0;
}

struct disk *disks_get(const struct run *r, struct disks *d, uint64_t dev, uint64_t now)
{
	struct disk *row;
	unsigned int i;

	for (i = 0; i < d->n && d->rows[i].dev != dev; i++)
		;
	if (i == d->n) {
		if (array_room(&d->rows, d->n, sizeof(*d->rows)))
			return NULL;
		d->rows[d->n++] = (struct disk){ .dev = dev };
	}
	row = &d->rows[i];
	if (!row->asked || now - row->asked > 1000000000) {
		disk_name(r, dev, row->name, sizeof(row->name));
		if (!strcmp(row->name, "?"))
			row->name[0] = '\0';
		row->asked = now;
	}
	return row;
}

void disks_free(struct disks *d)
{
	free(d->rows);
}
