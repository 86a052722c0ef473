// SPDX-License-Identifier: GPL-2.0
/*
 * Before 6.6, the files of an instance take 8 MB of memory that the kernel can't reclaim, and
 * ftrace has up to two instances. Maps of BPF programs may take as much. Until the detacher of an
 * ended sonde has removed them, the next one may find no memory, and the kernel ends processes.
 */
#include "backends/tracefs/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/tracefs/detach.h"
#include "compat/base/clock.h"
#include "compat/base/scan.h"

#define RUN_BYTES (6U << 20)		/* what a run takes without instances, more or less */
#define FILES_BYTES (8U << 20)		/* the files of an instance */
#define RING_BYTES (1408U << 10)	/* its ring at first, for each CPU */
#define STEP_MS 200
#define MOST_MS 15000

/* A line of /proc/meminfo, in bytes; 0: there is none. */
static uint64_t bytes_of(const char *meminfo, const char *line)
{
	const char *at = strstr(meminfo, line);
	uint64_t kb;

	if (!at)
		return 0;
	at += strlen(line);
	at += strspn(at, " ");
	return scan_number(&at, UINT64_MAX / 1024, &kb) ? kb * 1024 : 0;
}

/*
 * MemAvailable (3.14) has memory that the kernel seems to be able to take back, and can't: that of
 * tracefs's files, also in instances. Cached has files in memory.
 */
uint64_t memory_available(const char *meminfo, uint64_t kept_kb)
{
	const uint64_t said = bytes_of(meminfo, "\nMemAvailable:");
	const uint64_t cached = bytes_of(meminfo, "\nCached:");
	const uint64_t shared = bytes_of(meminfo, "\nShmem:");
	uint64_t here = bytes_of(meminfo, "\nMemFree:") + bytes_of(meminfo, "\nBuffers:") +
			(cached > shared ? cached - shared : 0);

	here -= here < kept_kb * 1024 ? here : kept_kb * 1024;
	return said && said < here ? said : here;
}

bool memory_now(struct kernel *k, uint64_t *bytes)
{
	char *meminfo = kernel_read(k, "/proc/meminfo", NULL);
	const char *kept = kernel_text(k, "/proc/sys/vm/min_free_kbytes");
	uint64_t kb = 0;

	if (!meminfo)
		return false;
	if (kept)
		scan_number(&kept, UINT32_MAX, &kb);
	*bytes = memory_available(meminfo, kb);
	free(meminfo);
	return true;
}

static void wait_for(struct kernel *k, uint64_t bytes)
{
	uint64_t now, before = 0;

	for (int waited = 0; waited < MOST_MS && memory_now(k, &now) && now < bytes;
	     waited += STEP_MS) {
		if (kernel_stopped(k, NULL))
			return;
		if (!detach_wait(k, STEP_MS))
			continue;
		/* The kernel frees a moment later than it removes: is there more each time? */
		if (now <= before || pause_ms(STEP_MS))
			return;
		before = now;
	}
}

void memory_for_run(struct kernel *k)
{
	wait_for(k, RUN_BYTES);
}

/* Each CPU has a ring, which sonde makes smaller as soon as the instance is there. */
void memory_for_instance(struct kernel *k)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);

	wait_for(k, RUN_BYTES + FILES_BYTES + (uint64_t)(cpus > 0 ? cpus : 1) * RING_BYTES);
}
