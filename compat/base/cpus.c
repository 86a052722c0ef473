// SPDX-License-Identifier: GPL-2.0
#include "compat/base/cpus.h"

#include <stdio.h>

#include "compat/base/file.h"
#include "compat/base/scan.h"

/* No kernel is built for more CPUs: a larger number is an error. */
#define CPU_MAX 65536

static bool cpu_number(const char **text, unsigned int *cpu)
{
	uint64_t n;

	if (!scan_number(text, CPU_MAX - 1, &n))
		return false;
	*cpu = (unsigned int)n;
	return true;
}

bool cpu_list_range(const char **text, unsigned int *first, unsigned int *last)
{
	const char *p = *text;

	if (*p == ',')
		p++;
	if (!cpu_number(&p, first))
		return false;
	*last = *first;
	if (*p == '-') {
		p++;
		if (!cpu_number(&p, last) || *last < *first)
			return false;
	}
	*text = p;
	return true;
}

unsigned int cpu_list_count(const char *text)
{
	unsigned int first, last, n = 0;

	while (text && cpu_list_range(&text, &first, &last))
		n += last - first + 1;
	return n;
}

unsigned int cpu_list_limit(const char *text)
{
	unsigned int first, last, limit = 0;

	while (text && cpu_list_range(&text, &first, &last))
		if (last >= limit)
			limit = last + 1;
	return limit;
}

uint64_t cpu_frequency(unsigned int cpu)
{
	char path[128], text[64];
	const char *at = text;
	uint64_t khz;

	snprintf(path, sizeof(path), CPU_FOLDER "/cpu%u/cpufreq/scaling_cur_freq", cpu);
	return file_line(path, text, sizeof(text)) && scan_number(&at, UINT32_MAX, &khz) ? khz : 0;
}
