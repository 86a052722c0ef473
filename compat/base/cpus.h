/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CPUS_H
#define SONDE_CPUS_H

#include <stdbool.h>
#include <stdint.h>

#define CPUS_MOST 8192		/* as many as Linux can be built for */

/* Lists of the online CPUs, and of all possible CPUs. */
#define CPUS_ONLINE	"/sys/devices/system/cpu/online"
#define CPUS_POSSIBLE	"/sys/devices/system/cpu/possible"

#define CPU_FOLDER	"/sys/devices/system/cpu"

/*
 * Reads the next range of a list of CPUs as sysfs writes it ("0-3,5,8-11\n"), and moves *text
 * behind it. Returns false at the end of the list, or if the text is not a list.
 */
bool cpu_list_range(const char **text, unsigned int *first, unsigned int *last);

/* The number of CPUs in a list; 0 for NULL. */
unsigned int cpu_list_count(const char *text);
/* The highest CPU of a list, plus one; 0 for NULL. */
unsigned int cpu_list_limit(const char *text);

/* The current frequency of a CPU as the kernel tells it, in kHz; 0: unknown. */
uint64_t cpu_frequency(unsigned int cpu);

#endif
