/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_VM_STRINGS_H
#define SONDE_VM_STRINGS_H

#include <stdint.h>

/*
 * Where sonde's machine keeps texts that came with events. It is a log that goes round: the oldest
 * texts give way, and their handles, which are never given again, find nothing from then on.
 */
#define STRINGS_SIZE	(1U << 20)
#define STRING_MAX	4096U	/* longer ones are cut */

struct strings {
	uint8_t *bytes;
	uint64_t head;		/* bytes ever written */
};

int strings_init(struct strings *s);
void strings_free(struct strings *s);
/* its handle, never 0 */
uint64_t strings_add(struct strings *s, const char *text, uint32_t length);
/* The text, not NUL-terminated; NULL: evicted, or never was one. */
const char *strings_find(const struct strings *s, uint64_t handle, uint32_t *length);

#endif
