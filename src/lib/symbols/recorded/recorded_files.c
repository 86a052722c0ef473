// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/recorded/recorded_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/strbuf.h"
#include "compat/user/open_file.h"
#include "src/lib/symbols/readers/elf_symbols.h"

bool recorded_file_is(int fd, const uint8_t id[BUILD_ID])
{
	uint8_t own[BUILD_ID];

	return !symbols_build_id(fd, own) && !memcmp(own, id, sizeof(own));
}

static int open_right(const char *path, const uint8_t id[BUILD_ID])
{
	const int fd = open_file(path);

	if (fd < 0 || recorded_file_is(fd, id))
		return fd;
	close(fd);
	return -1;
}

/* In a folder of files by their build ids: xx/yyyy, and behind it one of these. */
static int open_by_id(const char *folder, const uint8_t id[BUILD_ID])
{
	static const char *const ends[] = { "/elf", ".debug", "/debug" };
	char path[PATH_MAX];
	int fd = -1;

	for (unsigned int i = 0; i < sizeof(ends) / sizeof(ends[0]) && fd < 0; i++) {
		struct strbuf b = strbuf_over(path, sizeof(path));
		unsigned int n = BUILD_ID;

		while (n > 2 && !id[n - 1])	/* shorter ones are filled with zeros */
			n--;
		strbuf_addf(&b, "%s/.build-id/", folder);
		for (unsigned int at = 0; at < n; at++)
			strbuf_addf(&b, at ? "%02x" : "%02x/", id[at]);
		strbuf_addf(&b, "%s", ends[i]);
		fd = b.cut ? -1 : open_right(path, id);
	}
	return fd;
}

int recorded_file_open(const char *symfs, const char *path, const uint8_t id[BUILD_ID])
{
	const char *home = getenv("HOME");
	char name[PATH_MAX];
	int fd = -1;

	if (!symfs)
		fd = open_right(path, id);
	else if (snprintf(name, sizeof(name), "%s%s", symfs, path) < PATH_MAX)
		fd = open_right(name, id);
	if (fd < 0 && symfs)
		fd = open_by_id(symfs, id);
	if (fd < 0 && home && snprintf(name, sizeof(name), "%s/.debug", home) < PATH_MAX)
		fd = open_by_id(name, id);
	if (fd < 0 && !symfs)
		fd = open_by_id("/usr/lib/debug", id);
	return fd;
}
