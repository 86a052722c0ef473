// SPDX-License-Identifier: GPL-2.0
/* Which PMUs there are. */
#include "src/commands/stat/pmu.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"

#define CPUS_TEXT 4096

/* A small file of a PMU's folder; false: there is none. */
static bool pmu_line(const char *folder, const char *pmu, const char *file, char *to, size_t size)
{
	char path[512];

	text_all(path, sizeof(path), "%s/%s/%s", folder, pmu, file);
	return file_line(path, to, size);
}

static int add(const char *folder, const char *name, struct pmus *to)
{
	char line[CPUS_TEXT];
	struct pmu p = { };
	const char *at = line;
	uint64_t type;

	if (strlen(name) >= sizeof(p.name) || !pmu_line(folder, name, "type", line, sizeof(line)) ||
	    !scan_number(&at, UINT32_MAX, &type))
		return 0;
	text_all(p.name, sizeof(p.name), "%s", name);
	p.type = (uint32_t)type;
	/* `cpus` has those of a kind of CPUs; `cpumask` one that counts for each package. */
	p.core = pmu_line(folder, name, "cpus", line, sizeof(line));
	if (p.core || pmu_line(folder, name, "cpumask", line, sizeof(line))) {
		p.cpus = strdup(line);
		if (!p.cpus)
			return -1;
	}
	p.core |= !strcmp(name, "cpu");
	if (array_room(&to->list, to->n, sizeof(*to->list))) {
		free(p.cpus);
		return -1;
	}
	to->list[to->n++] = p;
	to->cores += p.core;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct pmu *)a)->name, ((const struct pmu *)b)->name);
}

int pmus_read(const char *folder, struct pmus *to, struct error *err)
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	int status = 0;

	*to = (struct pmus){ };
	while (dir && !status && (e = readdir(dir)))
		if (*e->d_name != '.')
			status = add(folder, e->d_name, to);
	if (dir)
		closedir(dir);
	if (to->n)
		qsort(to->list, to->n, sizeof(*to->list), by_name);
	return status ? fail(err, "out of memory") : 0;
}

void pmus_free(struct pmus *p)
{
	for (unsigned int i = 0; i < p->n; i++)
		free(p->list[i].cpus);
	free(p->list);
	*p = (struct pmus){ };
}

bool pmu_scale(const char *text, double *to)
{
	const char *at = text;
	int exponent = 0;
	double value = 0;
	bool minus = false, any = false;

	for (; *at >= '0' && *at <= '9'; at++, any = true)
		value = value * 10 + (*at - '0');
	if (*at == '.')
		for (at++; *at >= '0' && *at <= '9'; at++, any = true, exponent--)
			value = value * 10 + (*at - '0');
	if (any && (*at == 'e' || *at == 'E')) {
		uint64_t number;

		at++;
		minus = *at == '-';
		at += *at == '-' || *at == '+';
		if (!scan_number(&at, 300, &number))
			return false;
		exponent += minus ? -(int)number : (int)number;
	}
	for (; exponent > 0; exponent--)
		value *= 10;
	for (; exponent < 0; exponent++)
		value /= 10;
	*to = value;
	return any && scan_end(&at);
}

static uint64_t *config_named(const char **at, struct perf_event_attr *attr)
{
	if (scan_text(at, "config1:"))
		return (uint64_t *)&attr->config1;
	if (scan_text(at, "config2:"))
		return (uint64_t *)&attr->config2;
	return scan_text(at, "config:") ? (uint64_t *)&attr->config : NULL;
}

/* The lowest bits of the value go where the first range is. */
int pmu_place(const char *format, uint64_t value, struct perf_event_attr *attr, struct error *err)
{
	const char *at = format;
	uint64_t *config = config_named(&at, attr), rest = value, first, last;

	if (!config)
		return fail(err, "its bits are \"%s\", which sonde does not know", format);
	do {
		if (!scan_number(&at, 63, &first))
			return fail(err, "its bits are \"%s\", which sonde does not know", format);
		last = first;
		if (scan_text(&at, "-") && (!scan_number(&at, 63, &last) || last < first))
			return fail(err, "its bits are \"%s\", which sonde does not know", format);
		for (uint64_t bit = first; bit <= last; bit++, rest >>= 1) {
			*config &= ~(1ULL << bit);
			*config |= (rest & 1) << bit;
		}
	} while (scan_text(&at, ","));
	if (rest)
		return fail(err, "0x%llx has more bits than it takes (%s)",
			    (unsigned long long)value, format);
	return 0;
}
