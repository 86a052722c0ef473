/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DETACHERS_H
#define SONDE_DETACHERS_H

#include <stdbool.h>
#include <stdint.h>

/* Detachers of sondes: nobody traces those, as nobody sees what sonde itself does. */
struct detachers {
	uint32_t known[8];		/* processes, the last ones */
	unsigned int n;
};

/*
 * Is the process one, which has the name of one (DETACHER_NAME)? Anybody may have that: it also has
 * to run this very file, which can be told as long as it lives.
 */
bool detachers_have(struct detachers *d, uint32_t tgid);

#endif
