// SPDX-License-Identifier: GPL-2.0
/* What a recording tells of the machine's CPUs. */
#include "compat/recordings/perf/perf_write_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/scan.h"

/* As the lines of /proc/cpuinfo are called on x86; texts are "" where there is no such line. */
static const struct {
	const char *line;
	size_t offset;
} lines[] = {
	{ "vendor_id : ", offsetof(struct perf_written_cpu, vendor) },
	{ "cpu family : ", offsetof(struct perf_written_cpu, family) },
	{ "model : ", offsetof(struct perf_written_cpu, model) },
	{ "model name : ", offsetof(struct perf_written_cpu, name) },
	{ "stepping : ", offsetof(struct perf_written_cpu, stepping) },
};

static void read_line(struct perf_written_cpu *to, const char *line)
{
	for (unsigned int i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		const char *at = line;

		if (scan_text(&at, lines[i].line))
			scan_until(&at, "", (char *)to + lines[i].offset, sizeof(to->name));
	}
}

void perf_cpu_read(struct perf_written_cpu *to, const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	*to = (struct perf_written_cpu){ };
	while (f && getline(&line, &room, f) > 1)	/* up to the blank line of the first CPU */
		read_line(to, line);
	free(line);
	if (f)
		fclose(f);
}

void perf_cpu_name(struct strbuf *to, const struct perf_head *head)
{
	struct perf_written_cpu cpu;

	(void)head;
	perf_cpu_read(&cpu, "/proc/cpuinfo");
	put_padded(to, cpu.name);
}

void perf_cpu_id(struct strbuf *to, const struct perf_head *head)
{
	struct perf_written_cpu cpu;
	struct strbuf id = { };

	(void)head;
	perf_cpu_read(&cpu, "/proc/cpuinfo");
	if (*cpu.vendor && *cpu.family && *cpu.model && *cpu.stepping)
		strbuf_addf(&id, "%s,%s,%s,%s", cpu.vendor, cpu.family, cpu.model, cpu.stepping);
	put_padded(to, id.s ? id.s : "");
	free(id.s);
}
