/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ARRAY_H
#define SONDE_ARRAY_H

#include <stddef.h>

/*
 * Room for one more element behind the n of an array that grows one by one: `array` points at
 * the pointer to it, which is NULL at first. The array doubles when n is a power of two. Returns 0,
 * or -1 if out of memory: then nothing has changed.
 */
int array_room(void *array, size_t n, size_t element);

#endif
