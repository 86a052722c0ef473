// SPDX-License-Identifier: GPL-2.0
/*
 * Two files of sonde's own, with many names each. When a file gets another name, the kernel hands
 * its inode to the function that gives an inode to new names. The kernel has counted the new name
 * by then.
 */
#include "backends/offsets/find_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/tracefs/own_folder.h"

#define INODE_BYTES 256
#define NAME 16

/* Near the number of names, no other number of an inode has these values in both files. */
static const struct own {
	mode_t mode;
	unsigned int names;
} own[2] = { { 0600, 37 }, { 0640, 61 } };

struct naming {
	int folder;
	char first[NAME], next[NAME];
};

static int add_name(void *arg, struct error *err)
{
	struct naming *n = arg;

	return linkat(n->folder, n->first, n->folder, n->next, 0) ?
	       fail_with(err, errno, "can't give a file of sonde's own a name: %m") : 0;
}

/* Makes the file with all its names but one. */
static int make_file(struct naming *n, int number, struct error *err)
{
	int fd;

	snprintf(n->first, sizeof(n->first), "%d-1", number);
	fd = openat(n->folder, n->first, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return fail_with(err, errno, "can't make a file in memory: %m");
	fchmod(fd, own[number].mode);
	close(fd);
	for (unsigned int i = 2; i <= own[number].names; i++) {
		snprintf(n->next, sizeof(n->next), "%d-%u", number, i);
		if (i < own[number].names && add_name(n, err))
			return -1;
	}
	return 0;
}

static int look_at(struct kernel *k, struct tap *t, int piece, struct naming *n, int number,
		   struct specimen *s, struct error *err)
{
	const struct memory *m = tap_memory(t, piece);
	const struct arch *a = kernel_arch(k);

	if (make_file(n, number, err) || tap_fire(t, add_name, n, err) ||
	    find_keep(s, DUMP_INODE, m, m->base, err))
		return -1;
	specimen_know_number(s, a, KNOWN_TYPE, S_IFREG | own[number].mode, 2);
	specimen_know_number(s, a, KNOWN_NAMES, own[number].names, 4);
	return 0;
}

int find_link(struct kernel *k, struct specimen samples[2], struct error *err)
{
	/* 7.0: the function that gives an inode to names that stay */
	const char *function = kernel_function(k, "d_make_persistent") ? "d_make_persistent" :
		"d_instantiate";
	struct naming n = { .folder = own_folder(err) };
	struct tap *t = n.folder < 0 ? NULL : tap_new(k, err);
	int piece = t ? tap_add(t, function, 2, -1, INODE_BYTES, err) : -1;
	int result = piece < 0 ? -1 : 0;

	for (int i = 0; i < 2 && !result; i++)
		result = look_at(k, t, piece, &n, i, &samples[i], err);
	tap_free(t);
	if (n.folder >= 0)
		close(n.folder);
	return result;
}
