// SPDX-License-Identifier: GPL-2.0
/* The sections about the machine, as perf.data has them. */
#include "compat/recordings/perf/perf_write_internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "compat/recordings/perf/perf_data.h"
#include "compat/recordings/recorded_probes.h"

#define STRING_ROOM 64	/* texts are padded to a multiple of it */
#define ID_PADDING 4	/* the size of a build id's record is a multiple of 8: perf 7.2 */

void put_u32(struct strbuf *to, uint32_t value)
{
	strbuf_add(to, (const char *)&value, sizeof(value));
}

void put_u64(struct strbuf *to, uint64_t value)
{
	strbuf_add(to, (const char *)&value, sizeof(value));
}

void put_zeros(struct strbuf *to, size_t n)
{
	while (n--)
		strbuf_add(to, "", 1);
}

void put_padded(struct strbuf *to, const char *text)
{
	const size_t n = strlen(text), room = (n / STRING_ROOM + 1) * STRING_ROOM;

	put_u32(to, (uint32_t)room);
	strbuf_add(to, text, n);
	put_zeros(to, room - n);
}

/* A text of tracefs behind its length. */
static void put_text(struct strbuf *to, struct kernel *k, const char *path)
{
	size_t length = 0;
	const char *text = kernel_data(k, path, &length);

	put_u64(to, text ? length : 0);
	if (text)
		strbuf_add(to, text, length);
}

static unsigned int of_system(const struct perf_head *head, unsigned int first)
{
	unsigned int n = 1;

	while (first + n < head->n_events &&
	       !strcmp(head->events[first + n].system, head->events[first].system))
		n++;
	return n;
}

static void put_formats(struct strbuf *to, const struct perf_head *head)
{
	unsigned int systems = 0, n, first = 0;
	char path[256];

	while (first < head->n_events && !*head->events[first].system)
		first++;		/* samples have no format; they are before the others */
	for (unsigned int i = first; i < head->n_events; i += of_system(head, i))
		systems++;
	put_u32(to, systems);
	for (unsigned int i = first; i < head->n_events; i += n) {
		n = of_system(head, i);
		strbuf_add(to, head->events[i].system, strlen(head->events[i].system) + 1);
		put_u32(to, n);
		for (unsigned int j = i; j < i + n; j++)
			if (text_all(path, sizeof(path), "tracefs:events/%s/%s/format",
				     head->events[j].system, head->events[j].name))
				put_text(to, head->kernel, path);
			else
				put_u64(to, 0);
	}
}

/* tracing_data.c reads it. */
static void tracing_data(struct strbuf *to, const struct perf_head *head)
{
	const uint8_t machine[] = {
		__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
		kernel_arch(head->kernel)->word,
	};

	strbuf_add(to, "\x17\x08\x44tracing0.6", 14);
	strbuf_add(to, (const char *)machine, sizeof(machine));
	put_u32(to, (uint32_t)sysconf(_SC_PAGESIZE));
	strbuf_add(to, "header_page", 12);
	put_text(to, head->kernel, "tracefs:events/header_page");
	strbuf_add(to, "header_event", 13);
	put_text(to, head->kernel, "tracefs:events/header_event");
	put_u32(to, 0);			/* formats of ftrace's own events */
	put_formats(to, head);
	put_u32(to, 0);			/* kallsyms */
	put_u32(to, 0);			/* formats of trace_printk() */
	put_u64(to, 0);			/* names of tasks: the records have them */
}

void perf_write_build_id(struct strbuf *to, const char *path, const uint8_t id[BUILD_ID])
{
	const char *name = path ? path : "[kernel.kallsyms]";
	const size_t n = strlen(name), room = (n / STRING_ROOM + 1) * STRING_ROOM + ID_PADDING;
	const struct perf_event_header header = {
		.type = PERF_HEADER_BUILD_ID,
		.misc = (path ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL) | PERF_HAS_ID_SIZE,
		.size = (uint16_t)(sizeof(header) + 4 + BUILD_ID + 4 + room),
	};

	strbuf_add(to, (const char *)&header, sizeof(header));
	put_u32(to, UINT32_MAX);	/* of no process */
	strbuf_add(to, (const char *)id, BUILD_ID);
	strbuf_add(to, (const char []){ BUILD_ID, 0, 0, 0 }, 4);
	strbuf_add(to, name, n);
	put_zeros(to, room - n);
}

static void build_ids(struct strbuf *to, const struct perf_head *head)
{
	perf_write_build_id(to, NULL, head->code->build_id);
}

static void host(struct strbuf *to, const struct perf_head *head)
{
	char name[256] = "";

	(void)head;
	gethostname(name, sizeof(name) - 1);
	put_padded(to, name);
}

static void release(struct strbuf *to, const struct perf_head *head)
{
	put_padded(to, kernel_release(head->kernel));
}

static void version(struct strbuf *to, const struct perf_head *head)
{
	(void)head;
	put_padded(to, "sonde " SONDE_VERSION);
}

static void machine(struct strbuf *to, const struct perf_head *head)
{
	put_padded(to, kernel_arch(head->kernel)->name);
}

static void cpus(struct strbuf *to, const struct perf_head *head)
{
	put_u32(to, head->possible);
	put_u32(to, head->online);
}

static void command(struct strbuf *to, const struct perf_head *head)
{
	uint32_t n = 0;

	while (head->command[n])
		n++;
	put_u32(to, n);
	for (uint32_t i = 0; i < n; i++)
		put_padded(to, head->command[i]);
}

static void clock_resolution(struct strbuf *to, const struct perf_head *head)
{
	struct timespec resolution = { .tv_nsec = 1 };

	(void)head;
	clock_getres(CLOCK_MONOTONIC, &resolution);
	put_u64(to, (uint64_t)resolution.tv_sec * NS_PER_SECOND + (uint64_t)resolution.tv_nsec);
}

static void clock_data(struct strbuf *to, const struct perf_head *head)
{
	(void)head;
	put_u32(to, 1);			/* its version */
	put_u32(to, CLOCK_MONOTONIC);
	put_u64(to, (uint64_t)clock_ns(CLOCK_REALTIME));
	put_u64(to, (uint64_t)clock_ns(CLOCK_MONOTONIC));
}

static void probes(struct strbuf *to, const struct perf_head *head)
{
	strbuf_add(to, head->probes->s, head->probes->n);
}

const struct perf_feature_row perf_written_features[] = {
	{ 1, tracing_data }, { 2, build_ids, .of_code = true, .records = true }, { 3, host },
	{ 4, release }, { 5, version }, { 6, machine }, { 7, cpus },
	{ 8, perf_cpu_name }, { 9, perf_cpu_id }, { 11, command },
	{ 23, clock_resolution, .of_clock = true }, { 29, clock_data, .of_clock = true },
	{ PROBES_FEATURE, probes, .of_probes = true }, { 0 },
};
