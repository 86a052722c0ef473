/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_VM_STRINGS_H
#define SONDE_VM_STRINGS_H

#include <stdint.h>

/*
 * The texts of events, in sonde's machine: a log that overwrites its oldest texts. Handles are
 * never used again, so the handle of an overwritten text finds nothing.
 */
#define STRINGS_SIZE	(1U << 20)
#define STRING_MAX	4096U	/* longer ones are cut */

struct strings {
	uint8_t *bytes;
	uint64_t head;		/* bytes ever written */
};

/* Returns -1 if there is no memory. */
int strings_init(struct strings *s);
void strings_free(struct strings *s);
/* Adds a text. Returns its handle, never 0. */
uint64_t strings_add(struct strings *s, const char *text, uint32_t length);
/* The text, without a NUL. Returns NULL if it was overwritten, or if the handle is invalid. */
const char *strings_find(const struct strings *s, uint64_t handle, uint32_t *length);

#endif
