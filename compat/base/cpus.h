/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CPUS_H
#define SONDE_CPUS_H

#include <stdbool.h>
#include <stdint.h>

/* The CPUs that are online, and those that there may ever be. */
#define CPUS_ONLINE	"/sys/devices/system/cpu/online"
#define CPUS_POSSIBLE	"/sys/devices/system/cpu/possible"

#define CPU_FOLDER	"/sys/devices/system/cpu"

/*
 * Takes the next range off a list of CPUs as sysfs writes it ("0-3,5,8-11\n"): *text moves on
 * behind it. False at the end of the list, or where it is no list.
 */
bool cpu_list_range(const char **text, unsigned int *first, unsigned int *last);

/* How many CPUs a list names; 0 for NULL. */
unsigned int cpu_list_count(const char *text);
/* The highest number of a list, plus one; 0 for NULL. */
unsigned int cpu_list_limit(const char *text);

/* What a CPU runs at, as the kernel knows it, in kHz; 0: not known. */
uint64_t cpu_frequency(unsigned int cpu);

#endif
