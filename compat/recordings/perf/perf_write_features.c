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

#define NO_CLOCK UINT32_MAX	/* the kernel's own has no number; perf 6.1 shows (not found) */
#define STRING_ROOM 64	/* texts are padded to a multiple of it */
#define ID_PADDING 4	/* the size of a build id's record is a multiple of 8: perf 7.2 */

void put_padded(struct strbuf *to, const char *text)
{
	const size_t n = strlen(text), room = (n / STRING_ROOM + 1) * STRING_ROOM;

	put_u32(to, (uint32_t)room);
	strbuf_add(to, text, n);
	put_zeros(to, room - n);
}

/* perf needs no formats of ftrace's own events; names of tasks are in the records. */
static void tracing_data(struct strbuf *to, const struct perf_head *head)
{
	const struct tracing_written written = {
		.kernel = head->kernel, .events = head->events, .n_events = head->n_events,
		.version = "0.6", .page = (uint32_t)sysconf(_SC_PAGESIZE),
		.header_page = kernel_text(head->kernel, "tracefs:events/header_page"),
	};

	tracing_data_write(to, &written);
	put_u64(to, 0);
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
	put_u32(to, 1);			/* its version */
	put_u32(to, head->clock ? CLOCK_MONOTONIC : NO_CLOCK);
	put_u64(to, (uint64_t)clock_ns(CLOCK_REALTIME));
	put_u64(to, (uint64_t)(clock_ns(CLOCK_MONOTONIC) - head->apart));
}

static void probes(struct strbuf *to, const struct perf_head *head)
{
	strbuf_add(to, head->probes->s, head->probes->n);
}

const struct perf_feature_row perf_written_features[] = {
	{ 1, tracing_data }, { 2, build_ids, .of_code = true, .records = true }, { 3, host },
	{ 4, release }, { 5, version }, { 6, machine }, { 7, cpus },
	{ 8, perf_cpu_name }, { 9, perf_cpu_id }, { 11, command },
	{ 23, clock_resolution, .of_clock = true }, { 29, clock_data, .of_time = true },
	{ PROBES_FEATURE, probes, .of_probes = true }, { 0 },
};
