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
 * Returns true if a process named DETACHER_NAME is a detacher. Any process may have the name; a
 * detacher also runs sonde's own file, which is known as long as it lives.
 */
bool detachers_have(struct detachers *d, uint32_t tgid);

#endif
