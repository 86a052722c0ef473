// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_recording SECONDS [SEED]: reads recordings in which bytes were changed, moved or left out.
 * Meant for a build with ASan and UBSan: whatever it finds ends the process. The same seed makes
 * the same.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/recordings/recorded_probes.h"
#include "compat/recordings/recording_changes.h"
#include "compat/recordings/recording_symbols.h"
#include "tests/fuzz/random.h"
#include "tests/unit/helpers/perf_file.h"
#include "tests/unit/helpers/trace_file.h"

#define USUAL (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW)

/* The form's event is sonde_u:p_vfs_read_1. */
static const char probes[] = PROBES_HEAD
	"feature kprobes yes\n"
	"function vfs_read\n"
	"offset TASK_TGID kallsyms 1256\n"
	"binary 0 a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1 /usr/lib/my%20libc.so\n"
	"binary 1 - /%00%zz%\n"
	"place 0 4096 0 libc:getaddrinfo getaddrinfo\n"
	"place 1 18446744073709551615 8 node:http__server__request usdt 8@%rdi -4@$5\n"
	"news of later versions\n"
	"probe kprobe sonde_u:p_vfs_read_1 0 0 - vfs_read a=%di:u64\n"
	"probe uprobe sonde_u:p_other_2 1 4096 0 getaddrinfo\n";

static const struct perf_form forms[] = {
	{ "file", .sample_type = USUAL, .attrs = 2 },
	{ "stream", true, .sample_type = USUAL, .attrs = 2 },
	{ "foreign file", false, true, .sample_type = USUAL, .attrs = 2 },
	{ "foreign stream", true, true, .sample_type = USUAL | PERF_SAMPLE_READ, .attrs = 1,
	  .read_format = PERF_FORMAT_GROUP },
	{ "samples", .sample_type = USUAL & ~PERF_SAMPLE_RAW, .attrs = 1, .sampled = true },
	{ "foreign samples", true, true, .sample_type = USUAL & ~PERF_SAMPLE_RAW, .attrs = 2,
	  .sampled = true },
	{ "compressed", .sample_type = USUAL, .attrs = 1, .compressed = 81 },
	{ "probes", .sample_type = USUAL, .attrs = 1, .probes = probes },
	{ "foreign probes", true, true, .sample_type = USUAL, .attrs = 1, .probes = probes },
	{ "padded", .piped = true, .sample_type = USUAL, .attrs = 1, .compressed = 83 },
};
#define FORMS (sizeof(forms) / sizeof(forms[0]))

static const struct trace_form traces[] = {
	{ { "v6" }, 6, 8, 256 },
	{ { "v7" }, 7, 8, 256 },
	{ { "foreign v6", .swapped = true }, 6, 4, 256, .instance = true },
	{ { "foreign v7", .swapped = true }, 7, 8, 256, .all = true },
	{ { "v6 of sonde" }, 6, 8, 256, .side = true },
	{ { "v7 by zlib" }, 7, 8, 256, .packer = "zlib" },
	{ { "v7 by zstd" }, 7, 8, 256, .packer = "zstd" },
};
#define TRACES (sizeof(traces) / sizeof(traces[0]))

struct fuzz {
	uint64_t state, whole, damaged, records, named;	/* named: places with a name */
};

static uint64_t below(struct fuzz *f, uint64_t n)
{
	return random_next(&f->state) % n;
}

static void damage(struct fuzz *f, struct perf_file *file)
{
	static const uint8_t odd[] = { 0, 1, 4, 7, 8, 0x7f, 0x80, 0xff };

	for (uint64_t n = below(f, 8); n; n--) {
		const size_t at = below(f, file->size), from = below(f, file->size);
		const size_t room = file->size - (at > from ? at : from);

		switch (below(f, 4)) {
		case 0:
			file->bytes[at] = (uint8_t)below(f, 256);
			break;
		case 1:
			file->bytes[at] = odd[below(f, sizeof(odd))];
			break;
		case 2:
			memmove(file->bytes + at, file->bytes + from, below(f, room + 1) % 64);
			break;
		default:
			file->size -= below(f, 8) ? 0 : below(f, file->size);
		}
		if (!file->size)
			file->size = 1;
	}
}

/* What processes did, and names that the recording has itself. */
static void read_user(struct fuzz *f, struct recording *r)
{
	const struct recorded_change *c;
	const char *module;
	uint64_t start;

	while ((c = recording_change(r, UINT64_MAX)))
		for (uint64_t at = 0x1000; c->text && at < 0x1400; at += 0x80)
			f->named += recording_symbol(r, c->text, at, &start) != NULL;
	f->named += recording_kernel_symbol(r, PERF_FILE_KERNEL + 0x2000, &start, &module) != NULL;
}

/* The facts are read as well: a format that was damaged. */
static void read_facts(struct recording *r)
{
	unsigned int n;
	const struct recorded_event *events = recording_events(r, &n);
	struct kernel *k = recording_kernel(r);

	for (unsigned int i = 0; k && i < n; i++)
		if (events[i].name && !strncmp(events[i].name, "t:", 2))
			kernel_format(k, "t", events[i].name + 2);
	if (k)
		kernel_function(k, "vfs_read");
	kernel_free(k);
}

/* All strings of sonde's own section, and whether a probe is the one of an event. */
static void read_probes(struct fuzz *f, const struct recording *r)
{
	struct layout layout = { .fetch = "a=%di:u64" };
	const struct event e = { .kind = EVENT_KPROBE, .name = "vfs_read", .layout = &layout };
	unsigned int n;
	const struct recorded_binary *binaries = recorded_binaries(r, &n);

	for (unsigned int i = 0; i < n; i++)
		f->named += strlen(binaries[i].path) && strlen(binaries[i].build_id);
	for (const struct recorded_place *p = recorded_places(r, &n), *end = p + n; p < end; p++)
		f->named += p->binary < UINT32_MAX && strlen(p->name) && strlen(p->symbol) &&
			    (!p->arguments || strlen(p->arguments));
	f->named += recorded_probe_of(r, &e, NULL, false) != NULL;
}

static void make(struct fuzz *f, struct perf_file *file)
{
	const uint64_t form = below(f, FORMS + TRACES);

	if (form < FORMS)
		perf_file_make(file, &forms[form]);
	else
		trace_file_make(file, &traces[form - FORMS]);
}

static void one(struct fuzz *f)
{
	struct perf_file file;
	struct error err = { };
	struct recording *r;
	struct recorded to;
	char *path;
	int result = 1;

	make(f, &file);
	damage(f, &file);
	path = perf_file_write(&file, file.size);
	r = recording_open(path, NULL, &err);
	if (r) {
		read_facts(r);
		read_probes(f, r);
		recording_follow(r);
	}
	while (r && (result = recording_next(r, &to, &err)) > 0)
		f->records++;
	if (r)
		read_user(f, r);
	/* where code may be, and is not */
	for (uint64_t at = 0x4f80; r && at < 0x6200; at += 0x40)
		f->named += recording_function(r, at) != NULL;
	if (r && !result && !recording_notes(r)->n)
		f->whole++;
	else
		f->damaged++;
	recording_close(r);
	unlink(path);
	free(path);
	perf_file_free(&file);
}

int main(int argc, char **argv)
{
	struct fuzz f = { .state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1 };
	const uint64_t end = monotonic_ns() +
		(argc > 1 ? strtoull(argv[1], NULL, 0) : 10) * 1000000000ULL;

	while (monotonic_ns() < end)
		one(&f);
	printf("%" PRIu64 " records, %" PRIu64 " names; %" PRIu64 " recordings to their end; %"
	       PRIu64 " refused, or without their end\n", f.records, f.named, f.whole, f.damaged);
	return f.whole && f.damaged ? 0 : 1;
}
