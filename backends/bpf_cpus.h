/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_CPUS_H
#define SONDE_BPF_CPUS_H

#include <stdbool.h>

/*
 * Takes the next range off a list of CPUs as sysfs writes it ("0-3,5,8-11\n"): *text moves on behind it. False at the
 * end of the list, or where it is no list.
 */
bool bpf_cpu_range(const char **text, unsigned int *first, unsigned int *last);

/* How many CPUs a list names; 0 for NULL. */
unsigned int bpf_cpu_count(const char *text);
/* The highest number of a list, plus one; 0 for NULL. */
unsigned int bpf_cpu_limit(const char *text);

#endif
