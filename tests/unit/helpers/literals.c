// SPDX-License-Identifier: GPL-2.0
#include "tests/unit/helpers/literals.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/unit.h"

static unsigned int in_file(const char *path, const char *function,
			    void (*see)(const char *path, const char *name, const char *second))
{
	char line[512], name[64], second[64];
	unsigned int n = 0;
	FILE *f = fopen(path, "r");

	ck_assert_msg(f != NULL, "%s can't be read", path);
	while (fgets(line, sizeof(line), f))
		for (const char *at = line; (at = strstr(at, function)); at++) {
			second[0] = '\0';
			if (at[strlen(function)] != '(' ||
			    sscanf(at + strlen(function), "(%*[^\"\n]\"%63[^\"]\", \"%63[^\"]",
				   name, second) < 1)
				continue;
			see(path, name, second);
			n++;
		}
	fclose(f);
	return n;
}

unsigned int literals_of(const char *function,
			 void (*see)(const char *path, const char *name, const char *second))
{
	static const char *const files[] = { "src/*/*.c", "src/*/*/*.c", "src/*/*/*/*.c" };
	unsigned int n = 0;
	glob_t found;

	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(glob(files[i], 0, NULL, &found), 0);
		for (size_t j = 0; j < found.gl_pathc; j++)
			n += in_file(found.gl_pathv[j], function, see);
		globfree(&found);
	}
	return n;
}
