/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DETACHERS_H
#define SONDE_DETACHERS_H

#include <stdbool.h>
#include <stdint.h>

/* Detachers of sondes, which are not traced, like sonde itself. */
struct detachers {
	uint32_t known[8];		/* the last processes found to be detachers */
	unsigned int n;
};

/*
 * Returns true if a process is a detacher; the caller has found its name to be DETACHER_NAME. Any
 * process may have that name, but a detacher also runs sonde's own file.
 */
bool detachers_have(struct detachers *d, uint32_t tgid);

#endif
