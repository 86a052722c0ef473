/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ARRAY_H
#define SONDE_ARRAY_H

#include <stddef.h>

/*
 * Makes room for one more element behind the n of an array that grows one by one. `array` points to
 * the pointer to it, which is NULL at first. The array doubles when n is a power of two. Returns -1
 * and changes nothing if there is no memory.
 */
int array_room(void *array, size_t n, size_t element);

#endif
